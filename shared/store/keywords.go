package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"earshot/shared/feed"
	"earshot/shared/keyword"
	"earshot/shared/match"
	"earshot/shared/port/table"
)

// Rows of the core table, of what a workspace listens for:
//
//	pk org_…      sk "keyword#<id>"        a keyword
//	pk org_…      sk "keywordtext#<text>"  its text, in the form in which texts match: two keywords cannot be the same but for case
//	pk org_…      sk "filters"             the filters that hold for all of its keywords: see filters.go
//	pk org_…      sk "company"             what it says of itself: see company.go
//	pk listeners  sk org_…                 how many keywords it has ("keywords"), what they weigh ("weight"), and "version", which every
//	                                       change of the above raises
//
// Whoever listens for all workspaces reads the listeners' partition, and of a workspace only what has changed.
const (
	sortKeyword     = "keyword#"
	sortKeywordText = "keywordtext#"
	listeners       = "listeners"
)

// Errors of CreateKeyword and ChangeKeyword.
var (
	ErrKeywordTaken    = errors.New("store: the workspace has a keyword of this text")
	ErrKeywordLimit    = errors.New("store: the workspace has as many keywords as its plan allows")
	ErrKeywordTooLarge = errors.New("store: the keyword would make the workspace's keywords too large together")
)

func keywordKey(orgID string, id int64) table.Key {
	return table.Key{Partition: orgID, Sort: sortKeyword + idKey(id)}
}

func keywordTextKey(orgID, text string) table.Key {
	return table.Key{Partition: orgID, Sort: sortKeywordText + match.Form(text)}
}

// CreateKeyword is CreateKeywordOnce for a request without a name.
func (s *Store) CreateKeyword(ctx context.Context, orgID string, k keyword.Keyword, limit int) (keyword.Keyword, error) {
	return s.CreateKeywordOnce(ctx, orgID, k, limit, "")
}

// CreateKeywordOnce stores a new keyword and answers it with its id and times, unless the workspace has limit of them. A request, by
// its name in Repeated of the HTTP kit, makes one keyword: sent again, it answers the keyword that it made as it is now, and
// ErrNotFound when that was deleted since. Answers ErrKeywordTaken, which comes before ErrKeywordLimit, and ErrKeywordTooLarge; all
// exact however many create at once.
func (s *Store) CreateKeywordOnce(ctx context.Context, orgID string, k keyword.Keyword, limit int, request string) (keyword.Keyword, error) {
	if limit <= 0 {
		return keyword.Keyword{}, ErrKeywordLimit
	}
	first, err := s.draw(ctx, orgID, sequenceOfKeywords, 1)
	if err != nil {
		return keyword.Keyword{}, err
	}
	k.ID = first
	return s.putKeyword(ctx, orgID, k, limit, request)
}

// RestoreKeyword is CreateKeyword with an id that is known beforehand, for what a deployment starts with. Answers ErrConflict when
// the id is taken.
func (s *Store) RestoreKeyword(ctx context.Context, orgID string, k keyword.Keyword) error {
	if err := s.reserve(ctx, orgID, sequenceOfKeywords, k.ID); err != nil {
		return err
	}
	_, err := s.putKeyword(ctx, orgID, k, 1<<31, "")
	return err
}

// madeKeyword is the id of the keyword that an earlier request of this name made; 0 when there was none.
func (s *Store) madeKeyword(ctx context.Context, orgID, request string) (int64, error) {
	made, err := s.made(ctx, orgID, request)
	if err != nil || made == "" {
		return 0, err
	}
	return strconv.ParseInt(made, 10, 64)
}

func (s *Store) putKeyword(ctx context.Context, orgID string, k keyword.Keyword, limit int, request string) (keyword.Keyword, error) {
	k.CreatedAt = s.clock.Now().UTC().Truncate(time.Millisecond)
	k.UpdatedAt, k.Revision = k.CreatedAt, 1
	counted := s.weighs(orgID, 1, k.Weight())
	room := table.Any(table.Missing("keywords"), table.Less("keywords", int64(limit)))
	counted.If = table.All(room, counted.If)
	writes := append([]table.Write{
		putText(orgID, k),
		counted,
		table.Put{Table: CoreTable, Item: fromKeyword(orgID, k), If: table.Absent()},
	}, s.making(orgID, request, strconv.FormatInt(k.ID, 10))...)
	var earlier int64
	err := s.settle(ctx, "create a keyword", func() error {
		err := s.table.Transact(ctx, table.Transaction{Writes: writes})
		var canceled *table.Canceled
		if !errors.As(err, &canceled) {
			return err
		}
		switch {
		case len(writes) == 4 && canceled.Failed(3):
			if earlier, err = s.madeKeyword(ctx, orgID, request); err != nil {
				return err
			}
			return nil
		case canceled.Failed(0):
			return ErrKeywordTaken
		case canceled.Failed(1) && integer(canceled.Reasons[1].Item, "keywords") >= int64(limit):
			return ErrKeywordLimit
		case canceled.Failed(1):
			return ErrKeywordTooLarge
		case canceled.Failed(2):
			return ErrConflict
		}
		return err // others were in the way
	})
	switch {
	case err != nil:
		return keyword.Keyword{}, err
	case earlier != 0:
		return s.Keyword(ctx, orgID, earlier)
	}
	return k, nil
}

// putText keeps a keyword's text from being another's.
func putText(orgID string, k keyword.Keyword) table.Put {
	text := keywordTextKey(orgID, k.Text)
	return table.Put{Table: CoreTable, Item: table.Item{table.PartitionAttribute: text.Partition, table.SortAttribute: text.Sort, "id": k.ID},
		If: table.Absent()}
}

// listens is the change of the listeners' row that goes with every change of what a workspace listens for.
func (s *Store) listens(orgID string, keywords int64) table.Update {
	add := map[string]int64{"version": 1}
	if keywords != 0 {
		add["keywords"] = keywords
	}
	return table.Update{Table: CoreTable, Key: table.Key{Partition: listeners, Sort: orgID}, Add: add}
}

// weighs is listens where keywords come to weigh more or less. Where they weigh more, it is on the condition that there is room.
func (s *Store) weighs(orgID string, keywords int64, weight int) table.Update {
	update := s.listens(orgID, keywords)
	if weight != 0 {
		update.Add["weight"] = int64(weight)
	}
	if weight > 0 {
		update.If = table.Any(table.Missing("weight"), table.AtMost("weight", int64(keyword.MaxTogether-weight)))
	}
	return update
}

// Keyword reads a keyword. Answers ErrNotFound.
func (s *Store) Keyword(ctx context.Context, orgID string, id int64) (keyword.Keyword, error) {
	item, err := s.get(ctx, CoreTable, keywordKey(orgID, id))
	if err != nil {
		return keyword.Keyword{}, err
	}
	if item == nil {
		return keyword.Keyword{}, ErrNotFound
	}
	return toKeyword(item), nil
}

// Keywords lists a workspace's keywords, oldest first, paused ones too.
func (s *Store) Keywords(ctx context.Context, orgID string) ([]keyword.Keyword, error) {
	keywords := []keyword.Keyword{}
	err := s.each(ctx, table.Query{Table: CoreTable, Partition: orgID, Prefix: sortKeyword, Consistent: true}, func(item table.Item) {
		keywords = append(keywords, toKeyword(item))
	})
	if err != nil {
		return nil, fmt.Errorf("list keywords: %w", err)
	}
	return keywords, nil
}

// KeywordsKnown says which of the ids, at most table.MaxBatchGet and each once, are keywords of the workspace.
func (s *Store) KeywordsKnown(ctx context.Context, orgID string, ids []int64) (map[int64]bool, error) {
	gets := make([]table.Get, len(ids))
	for i, id := range ids {
		gets[i] = table.Get{Table: CoreTable, Key: keywordKey(orgID, id), Consistent: true}
	}
	items, err := table.GetAll(ctx, s.table, gets)
	if err != nil {
		return nil, fmt.Errorf("look keywords up: %w", err)
	}
	known := make(map[int64]bool, len(ids))
	for i, item := range items {
		known[ids[i]] = item != nil
	}
	return known, nil
}

// ChangeKeyword reads a keyword, changes it and stores it; the change may be called more than once and cannot change the id. A change
// that leaves everything as it is writes nothing; one of the text, or of how it matches, has it collected anew. Answers ErrNotFound, ErrKeywordTaken, ErrKeywordTooLarge, and ErrConflict when
// others keep changing it.
func (s *Store) ChangeKeyword(ctx context.Context, orgID string, id int64, change func(*keyword.Keyword) error) (changed keyword.Keyword, err error) {
	err = s.settle(ctx, "change a keyword", func() error {
		item, err := s.get(ctx, CoreTable, keywordKey(orgID, id))
		if err != nil {
			return err
		}
		if item == nil {
			return ErrNotFound
		}
		old := toKeyword(item)
		changed = toKeyword(item) // of its own: the change may write into its lists
		if err := change(&changed); err != nil {
			return err
		}
		changed.ID, changed.CreatedAt, changed.UpdatedAt, changed.Revision = old.ID, old.CreatedAt, old.UpdatedAt, old.Revision
		if changed.Same(old) {
			return nil
		}
		changed.UpdatedAt, changed.Revision = s.clock.Now().UTC().Truncate(time.Millisecond), old.Revision+1
		writes := []table.Write{
			table.Put{Table: CoreTable, Item: fromKeyword(orgID, changed), If: table.Equal("rev", old.Revision)},
			s.weighs(orgID, 0, changed.Weight()-int(integer(item, "weight"))),
		}
		if before := keywordTextKey(orgID, old.Text); before != keywordTextKey(orgID, changed.Text) {
			writes = append(writes, table.Delete{Table: CoreTable, Key: before}, putText(orgID, changed))
		}
		named := len(writes) == 4
		if changed.Text != old.Text || changed.ExactMatch != old.ExactMatch {
			anew, err := s.collectAnew(ctx, orgID, id)
			if err != nil {
				return err
			}
			writes = append(writes, anew...)
		}
		err = s.table.Transact(ctx, table.Transaction{Writes: writes})
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

// collectAnew are the writes that end what is collected for a keyword by another text: whoever plans collection makes tasks of it again,
// which are due at once.
func (s *Store) collectAnew(ctx context.Context, orgID string, id int64) (writes []table.Write, err error) {
	query := table.Query{Table: CoreTable, Partition: orgID, Prefix: sortCollect + idKey(id) + "#", Consistent: true}
	err = s.each(ctx, query, func(item table.Item) {
		writes = append(writes, table.Delete{Table: CoreTable, Key: table.KeyOf(item)})
	})
	if err != nil {
		return nil, fmt.Errorf("list what is collected for a keyword: %w", err)
	}
	return writes, nil
}

// DeleteKeyword removes a keyword; its mentions stay. Answers ErrNotFound.
func (s *Store) DeleteKeyword(ctx context.Context, orgID string, id int64) error {
	_, err := s.DeleteKeywordOnce(ctx, orgID, id, "")
	return err
}

// DeleteKeywordOnce removes a keyword, and from the filters of the feeds that name it, which it answers by their ids. Its mentions
// stay. Where they are more than a transaction holds, feeds are mended first, so that a call that dies midway is finished by another;
// that one tells of the rest. A request, by its name in Repeated of the HTTP kit, that has deleted the keyword and is sent again
// answers the same. Answers ErrNotFound, and ErrConflict when others keep changing what is to be mended.
func (s *Store) DeleteKeywordOnce(ctx context.Context, orgID string, id int64, request string) ([]feed.Mended, error) {
	done := map[int64]feed.Mended{}
	err := s.settle(ctx, "delete a keyword", func() error {
		item, err := s.get(ctx, CoreTable, keywordKey(orgID, id))
		if err != nil {
			return err
		}
		if item == nil {
			return s.deletedKeyword(ctx, orgID, request, done)
		}
		k := toKeyword(item)
		mending, mended, err := s.mendFeeds(ctx, orgID, k)
		if err != nil {
			return err
		}
		const own = 4 // writes of the deletion itself
		for len(mending) > table.MaxTransaction-own {
			n := min(len(mending), table.MaxTransaction)
			if err := s.table.Transact(ctx, table.Transaction{Writes: mending[:n]}); err != nil {
				return err
			}
			note(done, mended[:n])
			mending, mended = mending[n:], mended[n:]
		}
		all := maps.Clone(done)
		note(all, mended)
		made, err := json.Marshal(byFeed(all))
		if err != nil {
			return err
		}
		writes := append(mending,
			table.Delete{Table: CoreTable, Key: keywordKey(orgID, id), If: table.Equal("rev", k.Revision)},
			table.Delete{Table: CoreTable, Key: keywordTextKey(orgID, k.Text)},
			s.weighs(orgID, -1, -int(integer(item, "weight"))),
		)
		if err := s.table.Transact(ctx, table.Transaction{Writes: append(writes, s.making(orgID, request, string(made))...)}); err != nil {
			return err
		}
		done = all
		return nil
	})
	return byFeed(done), err
}

// deletedKeyword finds what the deletion by an earlier request of this name answered. Answers ErrNotFound when there was none.
func (s *Store) deletedKeyword(ctx context.Context, orgID, request string, done map[int64]feed.Mended) error {
	made, err := s.made(ctx, orgID, request)
	if err != nil {
		return err
	}
	if made == "" {
		return ErrNotFound
	}
	var mended []feed.Mended
	if err := json.Unmarshal([]byte(made), &mended); err != nil {
		return fmt.Errorf("read what a deletion mended: %w", err)
	}
	note(done, mended)
	return nil
}

// note notes what was mended, each feed once.
func note(done map[int64]feed.Mended, mended []feed.Mended) {
	for _, m := range mended {
		done[m.ID] = m
	}
}

func byFeed(mended map[int64]feed.Mended) []feed.Mended {
	list := make([]feed.Mended, 0, len(mended))
	for _, id := range slices.Sorted(maps.Keys(mended)) {
		list = append(list, mended[id])
	}
	return list
}

// each calls do with every item of a range.
func (s *Store) each(ctx context.Context, query table.Query, do func(table.Item)) error {
	for {
		page, err := s.table.Query(ctx, query)
		if err != nil {
			return err
		}
		for _, item := range page.Items {
			do(item)
		}
		if page.Next == nil {
			return nil
		}
		query.After = page.Next
	}
}
