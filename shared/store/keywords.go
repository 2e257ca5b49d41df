package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/text/cases"

	"earshot/shared/keyword"
	"earshot/shared/port/table"
)

// Rows of the core table, of what a workspace listens for:
//
//	pk org_…      sk "keyword#<id>"        a keyword
//	pk org_…      sk "keywordtext#<text>"  its text, folded: two keywords cannot be the same but for case
//	pk org_…      sk "filters"             the filters that hold for all of its keywords: see filters.go
//	pk org_…      sk "company"             what it says of itself: see company.go
//	pk listeners  sk org_…                 how many keywords it has, and "version", which every change of the above raises
//
// Whoever listens for all workspaces reads the listeners' partition, and of a workspace only what has changed.
const (
	sortKeyword     = "keyword#"
	sortKeywordText = "keywordtext#"
	listeners       = "listeners"
)

// Errors of CreateKeyword and ChangeKeyword.
var (
	ErrKeywordTaken = errors.New("store: the workspace has a keyword of this text")
	ErrKeywordLimit = errors.New("store: the workspace has as many keywords as its plan allows")
)

func keywordKey(orgID string, id int64) table.Key {
	return table.Key{Partition: orgID, Sort: sortKeyword + idKey(id)}
}

func keywordTextKey(orgID, text string) table.Key {
	return table.Key{Partition: orgID, Sort: sortKeywordText + cases.Fold().String(text)}
}

// CreateKeyword stores a new keyword and answers it with its id and times, unless the workspace has limit of them. Answers
// ErrKeywordTaken and ErrKeywordLimit, exact however many create at once.
func (s *Store) CreateKeyword(ctx context.Context, orgID string, k keyword.Keyword, limit int) (keyword.Keyword, error) {
	first, err := s.draw(ctx, orgID, sequenceOfKeywords, 1)
	if err != nil {
		return keyword.Keyword{}, err
	}
	k.ID = first
	return s.putKeyword(ctx, orgID, k, limit)
}

// RestoreKeyword is CreateKeyword with an id that is known beforehand, for what a deployment starts with. Answers ErrConflict when
// the id is taken.
func (s *Store) RestoreKeyword(ctx context.Context, orgID string, k keyword.Keyword) error {
	if err := s.reserve(ctx, orgID, sequenceOfKeywords, k.ID); err != nil {
		return err
	}
	_, err := s.putKeyword(ctx, orgID, k, 1<<31)
	return err
}

func (s *Store) putKeyword(ctx context.Context, orgID string, k keyword.Keyword, limit int) (keyword.Keyword, error) {
	k.CreatedAt = s.clock.Now().UTC().Truncate(time.Millisecond)
	k.UpdatedAt, k.Revision = k.CreatedAt, 1
	text := keywordTextKey(orgID, k.Text)
	counted := s.listens(orgID, 1)
	counted.If = table.Any(table.Missing("keywords"), table.Less("keywords", int64(limit)))
	err := s.table.Transact(ctx, table.Transaction{Writes: []table.Write{
		table.Put{Table: CoreTable, Item: table.Item{table.PartitionAttribute: text.Partition, table.SortAttribute: text.Sort, "id": k.ID}, If: table.Absent()},
		counted,
		table.Put{Table: CoreTable, Item: fromKeyword(orgID, k), If: table.Absent()},
	}})
	var canceled *table.Canceled
	switch {
	case errors.As(err, &canceled) && canceled.Failed(0):
		return keyword.Keyword{}, ErrKeywordTaken
	case errors.As(err, &canceled) && canceled.Failed(1):
		return keyword.Keyword{}, ErrKeywordLimit
	case errors.As(err, &canceled) && canceled.Failed(2):
		return keyword.Keyword{}, ErrConflict
	case err != nil:
		return keyword.Keyword{}, fmt.Errorf("create a keyword: %w", err)
	}
	return k, nil
}

// listens is the change of the listeners' row that goes with every change of what a workspace listens for.
func (s *Store) listens(orgID string, keywords int64) table.Update {
	add := map[string]int64{"version": 1}
	if keywords != 0 {
		add["keywords"] = keywords
	}
	return table.Update{Table: CoreTable, Key: table.Key{Partition: listeners, Sort: orgID}, Add: add}
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

// ChangeKeyword reads a keyword, changes it and stores it; the change may be called more than once and cannot change the id.
// Answers ErrNotFound, ErrKeywordTaken, and ErrConflict when others keep changing it.
func (s *Store) ChangeKeyword(ctx context.Context, orgID string, id int64, change func(*keyword.Keyword) error) (changed keyword.Keyword, err error) {
	err = s.settle(ctx, "change a keyword", func() error {
		key := keywordKey(orgID, id)
		item, err := s.get(ctx, CoreTable, key)
		if err != nil {
			return err
		}
		if item == nil {
			return ErrNotFound
		}
		old := toKeyword(item)
		changed = old
		if err := change(&changed); err != nil {
			return err
		}
		changed.ID, changed.CreatedAt, changed.UpdatedAt = old.ID, old.CreatedAt, s.clock.Now().UTC().Truncate(time.Millisecond)
		changed.Revision = old.Revision + 1
		writes := []table.Write{
			table.Put{Table: CoreTable, Item: fromKeyword(orgID, changed), If: table.Equal("rev", old.Revision)},
			s.listens(orgID, 0),
		}
		before, after := keywordTextKey(orgID, old.Text), keywordTextKey(orgID, changed.Text)
		if before != after {
			writes = append(writes, table.Delete{Table: CoreTable, Key: before}, table.Put{Table: CoreTable,
				Item: table.Item{table.PartitionAttribute: after.Partition, table.SortAttribute: after.Sort, "id": id}, If: table.Absent()})
		}
		err = s.table.Transact(ctx, table.Transaction{Writes: writes})
		var canceled *table.Canceled
		if errors.As(err, &canceled) && len(writes) == 4 && canceled.Failed(3) && !canceled.Failed(0) {
			return ErrKeywordTaken
		}
		return err
	})
	return changed, err
}

// DeleteKeyword removes a keyword; its mentions stay. Answers ErrNotFound.
func (s *Store) DeleteKeyword(ctx context.Context, orgID string, id int64) error {
	return s.settle(ctx, "delete a keyword", func() error {
		item, err := s.get(ctx, CoreTable, keywordKey(orgID, id))
		if err != nil {
			return err
		}
		if item == nil {
			return ErrNotFound
		}
		return s.table.Transact(ctx, table.Transaction{Writes: []table.Write{
			table.Delete{Table: CoreTable, Key: keywordKey(orgID, id), If: table.Equal("rev", integer(item, "rev"))},
			table.Delete{Table: CoreTable, Key: keywordTextKey(orgID, str(item, "text"))},
			s.listens(orgID, -1),
		}})
	})
}

func fromKeyword(orgID string, k keyword.Keyword) table.Item {
	key := keywordKey(orgID, k.ID)
	item := table.Item{
		table.PartitionAttribute: key.Partition, table.SortAttribute: key.Sort, "rev": k.Revision, "id": k.ID, "text": k.Text,
		"createdAt": fromTime(k.CreatedAt), "updatedAt": fromTime(k.UpdatedAt),
	}
	set(item, "context", k.Context)
	set(item, "logic", string(k.AdditionalTermsLogic))
	set(item, "exactMatch", k.ExactMatch)
	set(item, "caseSensitive", k.CaseSensitive)
	set(item, "tag", string(k.Tag))
	set(item, "paused", k.Paused)
	for name, list := range map[string][]string{"terms": k.AdditionalTerms, "excludeWords": k.ExcludeWords,
		"wildcardExcludeWords": k.WildcardExcludeWords, "excludeAuthors": k.ExcludeAuthors} {
		if len(list) > 0 {
			item[name] = fromStrings(list)
		}
	}
	if k.Platforms != nil {
		item["platforms"] = fromStrings(k.Platforms)
	}
	return item
}

func toKeyword(item table.Item) keyword.Keyword {
	k := keyword.Keyword{
		ID: integer(item, "id"), Text: str(item, "text"), Context: str(item, "context"), AdditionalTerms: strs(item, "terms"),
		AdditionalTermsLogic: keyword.Logic(str(item, "logic")), ExactMatch: boolean(item, "exactMatch"), CaseSensitive: boolean(item, "caseSensitive"),
		ExcludeWords: strs(item, "excludeWords"), WildcardExcludeWords: strs(item, "wildcardExcludeWords"), ExcludeAuthors: strs(item, "excludeAuthors"),
		Tag: keyword.Tag(str(item, "tag")), Paused: boolean(item, "paused"),
		CreatedAt: toTime(str(item, "createdAt")), UpdatedAt: toTime(str(item, "updatedAt")), Revision: integer(item, "rev"),
	}
	if k.AdditionalTermsLogic == "" {
		k.AdditionalTermsLogic = keyword.Any
	}
	if _, narrowed := item["platforms"]; narrowed {
		k.Platforms = strs(item, "platforms")
	}
	return k
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
