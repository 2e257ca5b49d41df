package suggestionstore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"earshot/shared/keyword"
	"earshot/shared/keyword/suggest"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/listenstore"
	"earshot/shared/store/rows"
)

// Rows of the counters table that hold suggestions for keywords:
//
//	pk org_…  sk "suggestion#<id>"  a suggestion that was shown, and what users did with it
//	pk org_…  sk "suggestions"      which of them the last look found, when it was, and what it saw
//
// A suggestion is kept while users may act on it. A rejected one is kept longer, so that it is not found again.
const (
	suggestionKept = 30 * 24 * time.Hour
	rejectionKept  = 365 * 24 * time.Hour
)

// States of a suggestion's row.
const (
	suggestionOpen     = "open"
	suggestionAccepted = "accepted"
	suggestionRejected = "rejected"
)

// Suggestions holds a workspace's stored suggestions, and what the look that found them saw.
type Suggestions struct {
	Open    []suggest.Suggestion // found by the last look and not acted on, in its order
	Refused []suggest.Refused    // what was rejected

	FoundAt time.Time // when the last look was; zero if there was none
	Of      Learned   // what the last look saw
	Now     Learned   // what a look would see now

	rows map[string]table.Item // every stored row, by id
}

// Learned counts the changes of a workspace's keywords and filters, and of its users' judgements.
type Learned struct{ Version, Lessons int64 }

// Suggestions reads the stored suggestions, in two reads.
func (s *Store) Suggestions(ctx context.Context, orgID string) (Suggestions, error) {
	kept := Suggestions{Open: []suggest.Suggestion{}, rows: map[string]table.Item{}}
	listener, err := s.Get(ctx, rows.CoreTable, table.Key{Partition: rows.Listeners, Sort: orgID})
	if err != nil {
		return Suggestions{}, err
	}
	kept.Now = Learned{rows.Integer(listener, "version"), rows.Integer(listener, "lessons")}
	var last table.Item
	err = s.Each(
		ctx,
		table.Query{Table: rows.CountersTable, Partition: orgID, Prefix: rows.SuggestionRows, Consistent: true},
		func(item table.Item) {
			if sort := table.KeyOf(item).Sort; sort != rows.SortSuggestions {
				kept.rows[sort[len(rows.SortSuggestion):]] = item
			} else {
				last = item
			}
		},
	)
	if err != nil {
		return Suggestions{}, fmt.Errorf("read suggestions: %w", err)
	}
	kept.FoundAt, kept.Of = rows.ToTime(rows.Text(last, "at")), Learned{
		rows.Integer(last, "version"), rows.Integer(last, "lessons"),
	}
	for _, id := range rows.Texts(last, "ids") {
		if row := kept.rows[id]; row != nil && rows.Text(row, "state") == suggestionOpen {
			suggestion, err := toSuggestion(row)
			if err != nil {
				return Suggestions{}, err
			}
			kept.Open = append(kept.Open, suggestion)
		}
	}
	for _, row := range kept.rows {
		if rows.Text(row, "state") == suggestionRejected {
			kept.Refused = append(
				kept.Refused,
				suggest.Refused{
					KeywordID: rows.Integer(row, "keywordId"),
					Type:      suggest.Type(rows.Text(row, "type")),
					Values:    rows.Texts(row, "values"),
				},
			)
		}
	}
	return kept, nil
}

// KeepSuggestions stores what a look at the mentions found, at most suggest.MaxFound, in place of the last look's. It
// returns the suggestions that nobody has acted on, each with the time at which it was first found. of is what there
// was to see before the look began. find is called with the rejected suggestions, as often as other writers get in
// between. It is one transaction. If that fails, KeepSuggestions returns what was found with the error.
func (s *Store) KeepSuggestions(
	ctx context.Context, orgID string, of Learned, find func([]suggest.Refused) []suggest.Suggestion,
) (open []suggest.Suggestion, err error) {
	now := s.Instant()
	err = s.Settle(ctx, "keep suggestions", func() error {
		open = nil // users may have rejected by now what an earlier attempt found
		kept, err := s.Suggestions(ctx, orgID)
		if err != nil {
			return err
		}
		var writes []table.Write
		ids := []string{}
		open = []suggest.Suggestion{}
		for _, suggestion := range find(kept.Refused) {
			suggestion.CreatedAt = now
			row := kept.rows[suggestion.ID]
			if row != nil {
				suggestion.CreatedAt = rows.ToTime(rows.Text(row, "createdAt"))
				if rows.Text(row, "state") != suggestionOpen {
					continue
				}
			}
			ids, open = append(ids, suggestion.ID), append(open, suggestion)
			write, err := s.keeping(orgID, suggestion, row, now)
			if err != nil {
				return err
			}
			if write != nil {
				writes = append(writes, write)
			}
		}
		return s.Table.Transact(
			ctx,
			table.Transaction{Writes: append(writes, table.Put{Table: rows.CountersTable, Item: table.Item{
				table.PartitionAttribute: orgID,
				table.SortAttribute:      rows.SortSuggestions,
				"at":                     rows.FromTime(now),
				"version":                of.Version,
				"lessons":                of.Lessons,
				"ids":                    rows.FromTexts(ids),
				table.ExpiryAttribute:    now.Add(suggestionKept).Unix(),
			}})},
		)
	})
	return open, err
}

// keeping returns the write of a found suggestion in place of its row, or nil if the row says the same and stays long
// enough.
func (s *Store) keeping(
	orgID string, suggestion suggest.Suggestion, row table.Item, now time.Time,
) (table.Write, error) {
	item, err := fromSuggestion(orgID, suggestion)
	if err != nil {
		return nil, err
	}
	item["state"], item[table.ExpiryAttribute] = suggestionOpen, now.Add(suggestionKept).Unix()
	if row == nil {
		return table.Put{Table: rows.CountersTable, Item: item, If: table.Absent()}, nil
	}
	if rows.Text(row, "found") == rows.Text(item, "found") &&
		rows.Integer(row, table.ExpiryAttribute) > now.Add(suggestionKept/2).Unix() {
		return nil, nil
	}
	return table.Put{Table: rows.CountersTable, Item: item, If: table.Equal("state", suggestionOpen)}, nil
}

// AcceptSuggestion makes the change that a suggestion proposes, in one transaction, and returns the keyword after it. A
// repeat changes nothing and returns the keyword as it is. Returns ErrNotFound if there is no such suggestion, it was
// rejected, its keyword is gone or paused, or the change is no longer possible. Returns listenstore.ErrKeywordTooLarge
// as ChangeKeyword does, and ErrConflict if others keep changing the keyword.
func (s *Store) AcceptSuggestion(ctx context.Context, orgID, id string) (after keyword.Keyword, err error) {
	err = s.Settle(ctx, "accept a suggestion", func() error {
		row, suggestion, err := s.suggestion(ctx, orgID, id)
		if err != nil {
			return err
		}
		state := rows.Text(row, "state")
		if state == suggestionRejected {
			return store.ErrNotFound
		}
		item, err := s.Row(ctx, rows.KeywordKey(orgID, suggestion.KeywordID))
		if err != nil {
			return err
		}
		after = listenstore.ToKeyword(item)
		if state == suggestionAccepted {
			return nil
		}
		accepted := table.Update{
			Table: rows.CountersTable,
			Key:   suggestionKey(orgID, id),
			If:    table.Equal("state", suggestionOpen),
			Set: map[string]any{
				"state":               suggestionAccepted,
				table.ExpiryAttribute: s.Clock.Now().Add(suggestionKept).Unix(),
			},
		}
		changed := suggestion.Apply(&after)
		switch {
		case after.Paused, !changed && !suggestion.InPlace(after):
			return store.ErrNotFound
		case !changed:
			return s.Table.Transact(ctx, table.Transaction{Writes: []table.Write{accepted}})
		}
		after.UpdatedAt, after.Revision = s.Instant(), after.Revision+1
		err = s.Table.Transact(ctx, table.Transaction{Writes: []table.Write{
			accepted,
			table.Put{
				Table: rows.CoreTable,
				Item:  listenstore.FromKeyword(orgID, after),
				If:    table.Equal("rev", after.Revision-1),
			},
			s.listen.Weighs(orgID, 0, after.Weight()-int(rows.Integer(item, "weight"))),
		}})
		var canceled *table.Canceled
		if errors.As(err, &canceled) && canceled.Failed(2) && !canceled.Failed(0) && !canceled.Failed(1) {
			return listenstore.ErrKeywordTooLarge
		}
		return err
	})
	return after, err
}

// RejectSuggestion hides a suggestion, and its values for its keyword, for a year. A repeat does nothing. Returns
// ErrNotFound if there is no such suggestion, or if it was accepted.
func (s *Store) RejectSuggestion(ctx context.Context, orgID, id string) error {
	if _, _, err := s.suggestion(ctx, orgID, id); err != nil {
		return err
	}
	_, err := s.Table.Update(ctx, table.Update{
		Table: rows.CountersTable,
		Key:   suggestionKey(orgID, id),
		If:    table.Any(table.Equal("state", suggestionOpen), table.Equal("state", suggestionRejected)),
		Set: map[string]any{
			"state":               suggestionRejected,
			table.ExpiryAttribute: s.Clock.Now().Add(rejectionKept).Unix(),
		},
	})
	var failed *table.ConditionFailed
	if errors.As(err, &failed) {
		return store.ErrNotFound
	}
	if err != nil {
		return fmt.Errorf("reject a suggestion: %w", err)
	}
	return nil
}

// suggestion reads one suggestion. Returns ErrNotFound if there is none.
func (s *Store) suggestion(ctx context.Context, orgID, id string) (table.Item, suggest.Suggestion, error) {
	if !suggest.IsID(id) {
		return nil, suggest.Suggestion{}, store.ErrNotFound
	}
	row, err := s.Get(ctx, rows.CountersTable, suggestionKey(orgID, id))
	if err != nil {
		return nil, suggest.Suggestion{}, err
	}
	if row == nil {
		return nil, suggest.Suggestion{}, store.ErrNotFound
	}
	suggestion, err := toSuggestion(row)
	return row, suggestion, err
}

func suggestionKey(orgID, id string) table.Key {
	return table.Key{Partition: orgID, Sort: rows.SortSuggestion + id}
}

// found is the part of a suggestion that each look determines again, as its row holds it.
type found struct {
	Keyword  string           `json:"keyword"`
	Reason   string           `json:"reason"`
	Evidence suggest.Evidence `json:"evidence"`
	Examples []string         `json:"examples"`
}

func fromSuggestion(orgID string, s suggest.Suggestion) (table.Item, error) {
	details, err := json.Marshal(found{s.Keyword, s.Reason, s.Evidence, s.Examples})
	if err != nil {
		return nil, fmt.Errorf("write a suggestion: %w", err)
	}
	key := suggestionKey(orgID, s.ID)
	return table.Item{
		table.PartitionAttribute: key.Partition,
		table.SortAttribute:      key.Sort,
		"type":                   string(s.Type),
		"keywordId":              s.KeywordID,
		"values":                 rows.FromTexts(s.Values),
		"found":                  string(details),
		"createdAt":              rows.FromTime(s.CreatedAt),
	}, nil
}

func toSuggestion(item table.Item) (suggest.Suggestion, error) {
	var details found
	if err := json.Unmarshal([]byte(rows.Text(item, "found")), &details); err != nil {
		return suggest.Suggestion{}, fmt.Errorf("read a suggestion: %w", err)
	}
	return suggest.Suggestion{
		ID:        table.KeyOf(item).Sort[len(rows.SortSuggestion):],
		Type:      suggest.Type(rows.Text(item, "type")),
		KeywordID: rows.Integer(item, "keywordId"),
		Keyword:   details.Keyword,
		Values:    rows.Texts(item, "values"),
		Reason:    details.Reason,
		Evidence:  details.Evidence,
		Examples:  details.Examples,
		CreatedAt: rows.ToTime(rows.Text(item, "createdAt")),
	}, nil
}
