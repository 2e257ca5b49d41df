package setupstore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"earshot/shared/keyword"
	"earshot/shared/port/table"
	"earshot/shared/proposal"
	"earshot/shared/proposal/cleanup"
	"earshot/shared/store"
	"earshot/shared/store/listenstore"
	"earshot/shared/store/rows"
)

// pending holds the settings of a keyword that wait for the clean-up. There is one for each keyword that was made of a
// proposal, also if none of its settings waits: the clean-up finds exclusions for it in what came in.
type pending struct {
	KeywordID int64
	DraftID   string
	Ref       string
	Waits     []cleanup.Change
	revision  int64 // 0: there is no row
}

func cleanupKey(orgID string, keywordID int64) table.Key {
	return table.Key{Partition: orgID, Sort: rows.SortCleanup + rows.IDKey(keywordID)}
}

// fromPending writes the row as it is, without a condition.
func fromPending(orgID string, p pending) table.Put {
	key := cleanupKey(orgID, p.KeywordID)
	waits, _ := json.Marshal(p.Waits) // of texts
	return table.Put{
		Table: rows.CoreTable,
		Item: table.Item{table.PartitionAttribute: key.Partition, table.SortAttribute: key.Sort,
			"rev": p.revision, "keywordId": p.KeywordID, "draftId": p.DraftID, "ref": p.Ref, "waits": waits},
	}
}

// toPending decodes a row. Settings that it cannot decode no longer wait.
func toPending(item table.Item) pending {
	p := pending{
		KeywordID: rows.Integer(item, "keywordId"),
		DraftID:   rows.Text(item, "draftId"),
		Ref:       rows.Text(item, "ref"),
		revision:  rows.Integer(item, "rev"),
	}
	if json.Unmarshal(rows.Bytes(item, "waits"), &p.Waits) != nil {
		p.Waits = nil
	}
	return p
}

// write returns the write that replaces the row that was read; nil if there was no row and nothing waits.
func (p pending) write(orgID string) table.Write {
	same := table.Equal("rev", p.revision)
	switch {
	case len(p.Waits) == 0 && p.revision == 0:
		return nil
	case p.revision == 0:
		same = table.Absent()
	}
	p.revision++
	put := fromPending(orgID, p)
	put.If = same
	return put
}

// Waiting is a keyword that was made of a proposal, with its settings that wait for the clean-up, if any.
type Waiting struct {
	Keyword   keyword.Keyword
	Waits     []cleanup.Change
	Collected bool // its first collection has taken place
	Gone      bool // there is no such keyword any more: CleanUp takes away what waits
}

// Cleanups lists the keywords that were made of proposals, with their waiting settings, oldest first. It does not list
// a keyword that an earlier version made, or cleaned up, with no setting left that waits.
func (s *Store) Cleanups(ctx context.Context, orgID string) ([]Waiting, error) {
	listed, err := store.AllOf(
		ctx, s.Kernel, "what waits for the clean-up",
		table.Query{Partition: orgID, Prefix: rows.SortCleanup, Consistent: true}, toPending,
	)
	if err != nil || len(listed) == 0 {
		return nil, err
	}
	gets := make([]table.Get, len(listed))
	for i, row := range listed {
		gets[i] = table.Get{Table: rows.CoreTable, Key: rows.KeywordKey(orgID, row.KeywordID), Consistent: true}
	}
	items, err := table.GetAll(ctx, s.Table, gets)
	if err != nil {
		return nil, fmt.Errorf("read the keywords of which something waits: %w", err)
	}
	collected, err := s.collected(ctx, orgID, listed[0].KeywordID, listed[len(listed)-1].KeywordID)
	if err != nil {
		return nil, err
	}
	waiting := []Waiting{}
	for i, item := range items {
		if item == nil {
			waiting = append(waiting, Waiting{Keyword: keyword.Keyword{ID: listed[i].KeywordID}, Gone: true})
			continue
		}
		waiting = append(
			waiting,
			Waiting{
				Keyword:   listenstore.ToKeyword(item),
				Waits:     listed[i].Waits,
				Collected: collected[listed[i].KeywordID],
			},
		)
	}
	return waiting, nil
}

// collected reports which keywords of a range of ids some source has been searched for.
func (s *Store) collected(ctx context.Context, orgID string, first, last int64) (map[int64]bool, error) {
	tasks, err := store.AllOf(
		ctx,
		s.Kernel,
		"what is collected",
		table.Query{
			Partition:  orgID,
			From:       rows.SortCollect + rows.IDKey(first),
			To:         rows.SortCollect + rows.IDKey(last) + "~",
			Consistent: true,
		},
		listenstore.ToTask,
	)
	if err != nil {
		return nil, err
	}
	done := map[int64]bool{}
	for _, task := range tasks {
		if !task.Since.IsZero() {
			done[task.KeywordID] = true
		}
	}
	return done, nil
}

// CleanedSetting is a setting that the clean-up has written.
type CleanedSetting struct {
	KeywordID int64            `json:"keywordId"`
	Keyword   string           `json:"keyword"`
	Setting   proposal.Setting `json:"setting"`
	Terms     []string         `json:"terms"`
}

// Cleaned returns what a request of this name wrote before it died; nothing for a request without a name.
func (s *Store) Cleaned(ctx context.Context, orgID, request string) ([]CleanedSetting, error) {
	made, err := s.Made(ctx, orgID, request)
	if err != nil || made == "" {
		return nil, err
	}
	var done []CleanedSetting
	if err := json.Unmarshal([]byte(made), &done); err != nil {
		return nil, fmt.Errorf("read what the clean-up has written: %w", err)
	}
	return done, nil
}

// CleanUp writes waiting settings of a keyword, and deletes those that are in place or that somebody has decided
// otherwise. It also writes changes that were found in what came in (cleanup.Find). The keyword, its waiting settings
// and, for a named request, the list of what it has written so far are one transaction, so that each setting is written
// once. Returns what it wrote. Returns ErrNotFound if the keyword is gone or was made of no proposal,
// ErrKeywordTooLarge, and ErrConflict if others keep changing the keyword.
func (s *Store) CleanUp(
	ctx context.Context, orgID string, id int64, settings []proposal.Setting, found []cleanup.Change, request string,
	before []CleanedSetting,
) (wrote []CleanedSetting, err error) {
	err = s.Settle(ctx, "clean up a keyword", func() error {
		wrote = nil
		items, err := table.GetAll(
			ctx,
			s.Table,
			[]table.Get{{Table: rows.CoreTable, Key: rows.KeywordKey(orgID, id), Consistent: true},
				{Table: rows.CoreTable, Key: cleanupKey(orgID, id), Consistent: true}},
		)
		if err != nil {
			return err
		}
		if items[1] == nil {
			return store.ErrNotFound
		}
		left := toPending(items[1])
		if items[0] == nil {
			gone := table.Delete{
				Table: rows.CoreTable,
				Key:   cleanupKey(orgID, id),
				If:    table.Equal("rev", left.revision),
			}
			if err := s.Table.Transact(ctx, table.Transaction{Writes: []table.Write{gone}}); err != nil {
				return err
			}
			return store.ErrNotFound
		}
		old := listenstore.ToKeyword(items[0])
		changed := listenstore.ToKeyword(items[0])
		waits := left.Waits
		left.Waits = nil
		for _, change := range waits {
			switch {
			case change.State(old) != cleanup.Open:
			case !slices.Contains(settings, change.Setting):
				left.Waits = append(left.Waits, change)
			default:
				change = change.Left(old)
				change.Apply(&changed)
				wrote = append(
					wrote,
					CleanedSetting{KeywordID: id, Keyword: old.Text, Setting: change.Setting, Terms: change.Terms},
				)
			}
		}
		for _, change := range found {
			if change.State(changed) != cleanup.Open {
				continue
			}
			change = change.Left(changed)
			change.Apply(&changed)
			wrote = append(
				wrote,
				CleanedSetting{KeywordID: id, Keyword: old.Text, Setting: change.Setting, Terms: change.Terms},
			)
		}
		var writes []table.Write
		tooLarge := -1
		if len(wrote) > 0 {
			put, heavier := s.listen.RewriteKeyword(orgID, items[0], &changed)
			writes = append(writes, put, s.listen.Weighs(orgID, 0, heavier))
			tooLarge = 1
			if changed.ExactMatch != old.ExactMatch {
				anew, err := s.listen.CollectAnew(ctx, orgID, id)
				if err != nil {
					return err
				}
				writes = append(writes, anew...)
			}
			if request != "" {
				noted, err := json.Marshal(slices.Concat(before, wrote))
				if err != nil {
					return fmt.Errorf("write what the clean-up has written: %w", err)
				}
				writes = append(writes, s.Noting(orgID, request, string(noted)))
			}
		}
		if len(left.Waits) == len(waits) && len(wrote) == 0 {
			return nil
		}
		err = s.Table.Transact(ctx, table.Transaction{Writes: append(writes, left.write(orgID))})
		var canceled *table.Canceled
		if errors.As(err, &canceled) && tooLarge > 0 && canceled.Failed(tooLarge) && !canceled.Failed(0) &&
			!canceled.Failed(len(writes)) {
			return listenstore.ErrKeywordTooLarge
		}
		return err
	})
	return wrote, err
}
