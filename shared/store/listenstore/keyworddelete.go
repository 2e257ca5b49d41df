package listenstore

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"earshot/shared/feed"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/rows"
)

// DeleteKeyword deletes a keyword; its mentions stay. Returns ErrNotFound if there is none.
func (s *Store) DeleteKeyword(ctx context.Context, orgID string, id int64) error {
	_, err := s.DeleteKeywordOnce(ctx, orgID, id, "")
	return err
}

// DeleteKeywordOnce deletes a keyword, removes it from the filters of the feeds that name it, and returns those feeds.
// Its mentions stay. If the feeds are more than a transaction holds, the first are mended before the keyword goes with
// the last. A repeat of a request that died, by its name in Repeated of the HTTP kit, finishes the work and returns all
// feeds that the request mended, except feeds deleted since. A repeat without a name finishes the work and returns the
// remaining feeds. Returns ErrNotFound, and ErrConflict if others keep changing what has to be mended.
func (s *Store) DeleteKeywordOnce(ctx context.Context, orgID string, id int64, request string) ([]feed.Mended, error) {
	done, err := s.mendedBy(ctx, orgID, request)
	if err != nil {
		return nil, err
	}
	err = s.Settle(ctx, "delete a keyword", func() error {
		item, err := s.Get(ctx, rows.CoreTable, rows.KeywordKey(orgID, id))
		if err != nil {
			return err
		}
		if item == nil {
			if done == nil { // unless this very request was sent twice at once
				done, err = s.mendedBy(ctx, orgID, request)
			}
			if err == nil && done == nil {
				err = store.ErrNotFound
			}
			return err
		}
		k := ToKeyword(item)
		mending, mended, err := s.mendFeeds(ctx, orgID, k)
		if err != nil {
			return err
		}
		backfills, err := s.withoutBackfills(ctx, orgID, id)
		if err != nil {
			return err
		}
		deletion := append(backfills,
			table.Delete{Table: rows.CoreTable, Key: rows.KeywordKey(orgID, id), If: table.Equal("rev", k.Revision)},
			table.Delete{Table: rows.CoreTable, Key: KeywordTextKey(orgID, k.Text)},
			s.Weighs(orgID, -1, -int(rows.Integer(item, "weight"))),
		)
		for {
			// leaves room for the record of what was mended
			n := min(len(mending), table.MaxTransaction-len(deletion)-1)
			after := map[int64]feed.Mended{}
			maps.Copy(after, done)
			for _, m := range mended[:n] {
				after[m.ID] = m
			}
			writes := mending[:n:n]
			if request != "" {
				writes = append(writes, s.Noting(orgID, request, fromMended(after)))
			}
			if n == len(mending) {
				writes = append(writes, deletion...)
			}
			if err := s.Table.Transact(ctx, table.Transaction{Writes: writes}); err != nil {
				return err
			}
			done = after
			if n == len(mending) {
				return nil
			}
			mending, mended = mending[n:], mended[n:]
		}
	})
	list := make([]feed.Mended, 0, len(done))
	for _, id := range slices.Sorted(maps.Keys(done)) {
		list = append(list, done[id])
	}
	return list, err
}

// fromMended encodes which feeds were mended, and how. It leaves out their names, which are read again: a thousand of
// them could be more than a row holds.
func fromMended(done map[int64]feed.Mended) string {
	changes := make(map[int64]string, len(done))
	for id, m := range done {
		changes[id] = m.Change
	}
	text, _ := json.Marshal(changes) // of numbers and words
	return string(text)
}

// mendedBy returns what an earlier request of this name mended, of the feeds that still exist; nil if there was no such
// request.
func (s *Store) mendedBy(ctx context.Context, orgID, request string) (map[int64]feed.Mended, error) {
	made, err := s.Made(ctx, orgID, request)
	if err != nil || made == "" {
		return nil, err
	}
	changes := map[int64]string{}
	if err := json.Unmarshal([]byte(made), &changes); err != nil {
		return nil, fmt.Errorf("read which feeds were mended: %w", err)
	}
	feeds, err := s.Feeds(ctx, orgID)
	if err != nil {
		return nil, err
	}
	done := map[int64]feed.Mended{}
	for _, f := range feeds {
		if change := changes[f.ID]; change != "" {
			done[f.ID] = feed.Mended{ID: f.ID, Name: f.Name, Change: change}
		}
	}
	return done, nil
}
