package listenstore

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"

	"earshot/shared/keyword"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/rows"
	"earshot/shared/text/fold"
)

// Errors of CreateKeyword and ChangeKeyword.
var (
	ErrKeywordTaken    = errors.New("store: the workspace has a keyword of this text")
	ErrKeywordLimit    = errors.New("store: the workspace has reached its plan's limit of keywords")
	ErrKeywordTooLarge = errors.New("store: the keyword would make the workspace's keywords too large together")
)

// KeywordTextKey returns the key of the row that reserves a keyword's text.
func KeywordTextKey(orgID, text string) table.Key {
	return table.Key{Partition: orgID, Sort: rows.SortKeywordText + FormKey(text)}
}

// FormKey returns the form in which a text matches. A form that is longer than a key can be (a character may become
// twelve bytes) becomes a space and its digest. No form begins with a space.
func FormKey(text string) string {
	const longest = 512 // bytes
	form := fold.Form(text)
	if len(form) > longest {
		digest := sha256.Sum256([]byte(form))
		form = " " + hex.EncodeToString(digest[:])
	}
	return form
}

// CreateKeyword is CreateKeywordOnce for a request without a name.
func (s *Store) CreateKeyword(
	ctx context.Context, orgID string, k keyword.Keyword, limit int,
) (keyword.Keyword, error) {
	return s.CreateKeywordOnce(ctx, orgID, k, limit, "")
}

// CreateKeywordOnce stores a new keyword and returns it with its id and times, unless the workspace has limit of them.
// request, by its name in Repeated of the HTTP kit, makes one keyword: a repeat returns that keyword as it is now, or
// ErrNotFound if it was deleted since. Returns ErrKeywordTaken, which comes before ErrKeywordLimit, and
// ErrKeywordTooLarge. All are exact however many calls run at once.
func (s *Store) CreateKeywordOnce(
	ctx context.Context, orgID string, k keyword.Keyword, limit int, request string,
) (keyword.Keyword, error) {
	if limit <= 0 {
		return keyword.Keyword{}, ErrKeywordLimit
	}
	made, fresh, err := s.Create(
		ctx,
		"create a keyword",
		orgID,
		rows.SequenceOfKeywords,
		request,
		func(id int64) store.Creation {
			k.ID = id
			return s.newKeyword(orgID, &k, limit)
		},
	)
	switch {
	case err != nil:
		return keyword.Keyword{}, err
	case !fresh:
		return s.Keyword(ctx, orgID, made)
	}
	return k, nil
}

// RestoreKeyword is CreateKeyword with a given id, for the data that a deployment starts with. It keeps the time of
// creation, if there is one. Returns ErrConflict if the id is taken.
func (s *Store) RestoreKeyword(ctx context.Context, orgID string, k keyword.Keyword) error {
	if err := s.Reserve(ctx, orgID, rows.SequenceOfKeywords, k.ID); err != nil {
		return err
	}
	_, _, err := s.CreateAs(ctx, "restore a keyword", orgID, "", k.ID, s.newKeyword(orgID, &k, 1<<31))
	return err
}

// newKeyword returns the transaction that makes a keyword, and sets the keyword's times.
func (s *Store) newKeyword(orgID string, k *keyword.Keyword, limit int) store.Creation {
	text, row := s.PutKeyword(orgID, k)
	counted := s.Weighs(orgID, 1, k.Weight())
	counted.If = table.All(rows.Room("keywords", 1, int64(limit)), counted.If)
	return store.Creation{
		Writes: []table.Write{text, counted, row},
		Refused: func(canceled *table.Canceled) error {
			switch {
			case canceled.Failed(0):
				return ErrKeywordTaken
			case canceled.Failed(1) && rows.Integer(canceled.Reasons[1].Item, "keywords") >= int64(limit):
				return ErrKeywordLimit
			case canceled.Failed(1):
				return ErrKeywordTooLarge
			case canceled.Failed(2):
				return store.ErrConflict
			}
			return nil
		},
	}
}

// PutKeyword returns the rows of a new keyword, and sets those of the keyword's times that it has not.
func (s *Store) PutKeyword(orgID string, k *keyword.Keyword) (text, row table.Put) {
	if k.CreatedAt.IsZero() {
		k.CreatedAt = s.Instant()
	}
	k.UpdatedAt, k.Revision = k.CreatedAt, 1
	return putText(orgID, *k), table.Put{Table: rows.CoreTable, Item: FromKeyword(orgID, *k), If: table.Absent()}
}

// putText returns the write that reserves a keyword's text.
func putText(orgID string, k keyword.Keyword) table.Put {
	text := KeywordTextKey(orgID, k.Text)
	item := table.Item{table.PartitionAttribute: text.Partition, table.SortAttribute: text.Sort, "id": k.ID}
	rows.Set(item, rows.AttrForm, FormKey(k.Text)) // a text without visible characters has no form
	return table.Put{Table: rows.CoreTable, Item: item, If: table.Absent()}
}

// Weighs is Listens for a change of the keywords' weight. If the weight grows, the update holds only if there is room.
func (s *Store) Weighs(orgID string, keywords int64, weight int) table.Update {
	update := s.Listens(orgID, keywords)
	if weight != 0 {
		update.Add["weight"] = int64(weight)
	}
	if weight > 0 {
		update.If = rows.Room("weight", int64(weight), keyword.MaxTogether)
	}
	return update
}

// Keyword reads a keyword. Returns ErrNotFound if there is none.
func (s *Store) Keyword(ctx context.Context, orgID string, id int64) (keyword.Keyword, error) {
	return store.One(ctx, s.Kernel, rows.KeywordKey(orgID, id), ToKeyword)
}

// Keywords lists a workspace's keywords, oldest first, including paused ones.
func (s *Store) Keywords(ctx context.Context, orgID string) ([]keyword.Keyword, error) {
	all, _, err := s.KeywordsAfter(ctx, orgID, 0, 0)
	return all, err
}

// KeywordsAfter lists the first limit keywords with an id above after, or all of them with a limit of 0, in the order of
// Keywords. more reports whether the list goes on. A list that goes on after its last id neither repeats nor drops a
// keyword while others are created and deleted, because a new keyword has the highest id.
func (s *Store) KeywordsAfter(
	ctx context.Context, orgID string, after int64, limit int,
) (found []keyword.Keyword, more bool, err error) {
	query := table.Query{Partition: orgID, Prefix: rows.SortKeyword, Consistent: true}
	if after > 0 {
		query.After = &table.Position{Key: rows.KeywordKey(orgID, after)}
	}
	return store.SomeOf(ctx, s.Kernel, "keywords", query, limit, ToKeyword)
}

// KeywordsKnown reports which of the ids are keywords of the workspace. ids has at most table.MaxBatchGet ids, each
// once.
func (s *Store) KeywordsKnown(ctx context.Context, orgID string, ids []int64) (map[int64]bool, error) {
	gets := make([]table.Get, len(ids))
	for i, id := range ids {
		gets[i] = table.Get{Table: rows.CoreTable, Key: rows.KeywordKey(orgID, id), Consistent: true}
	}
	items, err := table.GetAll(ctx, s.Table, gets)
	if err != nil {
		return nil, fmt.Errorf("look keywords up: %w", err)
	}
	known := make(map[int64]bool, len(ids))
	for i, item := range items {
		known[ids[i]] = item != nil
	}
	return known, nil
}

// ChangeKeyword is ChangeKeywordOnce for a request without a name.
func (s *Store) ChangeKeyword(
	ctx context.Context, orgID string, id int64, change func(*keyword.Keyword) error,
) (changed keyword.Keyword, err error) {
	return s.ChangeKeywordOnce(ctx, orgID, id, "", change)
}

// ChangeKeywordOnce reads a keyword, changes it and stores it. The change may be called more than once and cannot
// change the id. Nothing is written if it changes nothing. A change of the text, or of how it matches, restarts the
// keyword's collection. request, by its name in Repeated of the HTTP kit, changes once: a repeat returns the keyword as
// it is. Returns ErrNotFound, ErrKeywordTaken and ErrKeywordTooLarge, ErrConflict if others keep changing it, and the
// change's own error.
func (s *Store) ChangeKeywordOnce(
	ctx context.Context, orgID string, id int64, request string, change func(*keyword.Keyword) error,
) (changed keyword.Keyword, err error) {
	err = s.Settle(ctx, "change a keyword", func() error {
		earlier, err := s.MadeID(ctx, orgID, request)
		if err != nil {
			return err
		}
		item, err := s.Row(ctx, rows.KeywordKey(orgID, id))
		if err != nil {
			return err
		}
		if earlier != 0 {
			changed = ToKeyword(item)
			return nil
		}
		old := ToKeyword(item)
		changed = ToKeyword(item) // a copy, because the change may write into its lists
		if err := change(&changed); err != nil {
			return err
		}
		changed.ID, changed.CreatedAt, changed.UpdatedAt, changed.Revision = old.ID, old.CreatedAt, old.UpdatedAt,
			old.Revision
		if changed.Same(old) {
			return nil
		}
		put, heavier := s.RewriteKeyword(orgID, item, &changed)
		writes := []table.Write{put, s.Weighs(orgID, 0, heavier)}
		if before := KeywordTextKey(orgID, old.Text); before != KeywordTextKey(orgID, changed.Text) {
			writes = append(writes, table.Delete{Table: rows.CoreTable, Key: before}, putText(orgID, changed))
		}
		named := len(writes) == 4
		if changed.Text != old.Text || changed.ExactMatch != old.ExactMatch {
			anew, err := s.CollectAnew(ctx, orgID, id)
			if err != nil {
				return err
			}
			writes = append(writes, anew...)
		}
		writes = append(writes, s.Making(orgID, request, strconv.FormatInt(id, 10))...)
		err = s.Table.Transact(ctx, table.Transaction{Writes: writes})
		var canceled *table.Canceled
		switch {
		case !errors.As(err, &canceled) || canceled.Failed(0):
			return err
		case named && canceled.Failed(3):
			return ErrKeywordTaken
		case canceled.Failed(1):
			return ErrKeywordTooLarge
		}
		return err
	})
	return changed, err
}

// RewriteKeyword returns the write of a changed keyword, on the condition that the row is as it was read, and how much
// heavier the keyword is. It sets the keyword's time and revision.
func (s *Store) RewriteKeyword(orgID string, read table.Item, k *keyword.Keyword) (put table.Put, heavier int) {
	revision := rows.Integer(read, "rev")
	k.UpdatedAt, k.Revision = s.Instant(), revision+1
	return table.Put{
		Table: rows.CoreTable,
		Item:  FromKeyword(orgID, *k),
		If:    table.Equal("rev", revision),
	}, k.Weight() - int(rows.Integer(read, "weight"))
}

// CollectAnew returns the writes that delete a keyword's tasks of collection. The next plan of collection makes them
// again, due at once.
func (s *Store) CollectAnew(ctx context.Context, orgID string, id int64) (writes []table.Write, err error) {
	query := table.Query{
		Table:      rows.CoreTable,
		Partition:  orgID,
		Prefix:     rows.SortCollect + rows.IDKey(id) + "#",
		Consistent: true,
	}
	err = s.Each(ctx, query, func(item table.Item) {
		writes = append(writes, table.Delete{Table: rows.CoreTable, Key: table.KeyOf(item)})
	})
	if err != nil {
		return nil, fmt.Errorf("list a keyword's tasks of collection: %w", err)
	}
	return writes, nil
}
