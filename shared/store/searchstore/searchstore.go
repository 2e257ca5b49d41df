// Package searchstore stores on-demand searches with their results, and bills them.
//
// A search is billed once, however often its worker dies, and only together with its end: one transaction ends the
// search, counts its new results against the month, and notes them as seen. The functions search and searches import
// it, and allstores.
package searchstore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"earshot/shared/mention"
	"earshot/shared/port/table"
	"earshot/shared/search"
	"earshot/shared/store"
	"earshot/shared/store/rows"
)

// Rows of the counters table:
//
//	pk org_…  sk "search#srch_…"                     a search, without its results
//	pk org_…  sk "searchpart#srch_…#<attempt>#0000"  a part of the results that an attempt stored
//	pk org_…  sk "searched#2026-11#0f"               which posts searches of that month returned (see seen.go)
//
// The first two expire with the search. Nobody reads the parts of an attempt that its search does not name.

// Store reads and writes searches.
type Store struct{ *store.Kernel }

// New returns a Store over k.
func New(k *store.Kernel) *Store { return &Store{Kernel: k} }

// ErrNoSearches means that the workspace has used all searches of its plan.
var ErrNoSearches = errors.New("searchstore: no searches left")

func searchKey(orgID, id string) table.Key {
	return table.Key{Partition: orgID, Sort: rows.SortSearch + id}
}

func usedKey(orgID string) table.Key { return table.Key{Partition: orgID, Sort: rows.SortSearches} }

// BeginSearch stores a search and counts it. most is how many searches the workspace has for life; 0 is no bound. A
// repeat of the same named request stores nothing: it returns the search that the first one stored. Returns
// ErrNoSearches.
func (s *Store) BeginSearch(
	ctx context.Context, wanted search.Search, most int, request string,
) (search.Search, error) {
	if begun, err := s.BegunSearch(ctx, wanted.WorkspaceID, request); err != nil || begun.ID != "" {
		return begun, err
	}
	count := table.Update{
		Table: rows.CountersTable,
		Key:   usedKey(wanted.WorkspaceID),
		Add:   map[string]int64{"used": 1},
	}
	if most > 0 {
		count.If = rows.Room("used", 1, int64(most))
	}
	item, err := fromSearch(wanted)
	if err != nil {
		return search.Search{}, err
	}
	writes := []table.Write{table.Put{Table: rows.CountersTable, Item: item, If: table.Absent()}, count}
	writes = append(writes, s.Making(wanted.WorkspaceID, request, wanted.ID)...)
	found := wanted
	err = s.Settle(ctx, "begin a search", func() error {
		err := s.Table.Transact(ctx, table.Transaction{Writes: writes})
		var canceled *table.Canceled
		if !errors.As(err, &canceled) {
			return err
		}
		if request != "" && canceled.Failed(2) {
			earlier, failure := s.BegunSearch(ctx, wanted.WorkspaceID, request)
			if failure != nil || earlier.ID != "" {
				found = earlier
				return failure
			}
		}
		if canceled.Failed(1) {
			return ErrNoSearches
		}
		return err
	})
	return found, err
}

// BegunSearch returns the search of a named request. Its ID is empty if there is none.
func (s *Store) BegunSearch(ctx context.Context, orgID, request string) (search.Search, error) {
	id, err := s.Made(ctx, orgID, request)
	if err != nil || id == "" {
		return search.Search{}, err
	}
	found, err := s.Search(ctx, orgID, id)
	if errors.Is(err, store.ErrNotFound) {
		return search.Search{}, nil
	}
	return found, err
}

const maxID = 64 // bytes

// Search reads a search without its results. Returns ErrNotFound if there is none.
func (s *Store) Search(ctx context.Context, orgID, id string) (search.Search, error) {
	if id == "" || len(id) > maxID {
		return search.Search{}, store.ErrNotFound
	}
	item, err := s.Get(ctx, rows.CountersTable, searchKey(orgID, id))
	if err != nil {
		return search.Search{}, err
	}
	if item == nil {
		return search.Search{}, store.ErrNotFound
	}
	return toSearch(item)
}

// Searches lists a workspace's searches without their results, newest first: at most limit of those that began before
// the search with the id before. An empty id lists from the newest. more reports whether further ones follow.
func (s *Store) Searches(
	ctx context.Context, orgID, before string, limit int,
) (found []search.Search, more bool, err error) {
	return store.Newest(ctx, s.Kernel, "searches", orgID, rows.SortSearch, before, limit, toSearch)
}

// SearchProgress stores how far a running search is. Returns false, and stores nothing, if it has ended or is gone.
func (s *Store) SearchProgress(ctx context.Context, orgID, id string, stats search.Stats) (ok bool, err error) {
	content, err := json.Marshal(stats)
	if err != nil {
		return false, fmt.Errorf("store a search's progress: %w", err)
	}
	_, err = s.Table.Update(ctx, table.Update{
		Table: rows.CountersTable,
		Key:   searchKey(orgID, id),
		If:    table.Equal("ended", false),
		Set:   map[string]any{"stats": content},
	})
	var failed *table.ConditionFailed
	if errors.As(err, &failed) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("store a search's progress: %w", err)
	}
	return true, nil
}

// Left is what a workspace's counters say.
type Left struct {
	Mentions int // counted this month
	Searches int // ever made
}

// SearchesCounted reads both counters, in one round trip.
func (s *Store) SearchesCounted(ctx context.Context, orgID string) (Left, error) {
	items, err := table.GetAll(ctx, s.Table, []table.Get{
		{Table: rows.CountersTable, Key: s.QuotaKey(orgID), Consistent: true},
		{Table: rows.CountersTable, Key: usedKey(orgID), Consistent: true},
	})
	if err != nil {
		return Left{}, fmt.Errorf("read what searches used: %w", err)
	}
	return Left{int(rows.Integer(items[0], "stored")), int(rows.Integer(items[1], "used"))}, nil
}

func fromSearch(e search.Search) (table.Item, error) {
	stats, err := json.Marshal(e.Stats)
	if err != nil {
		return nil, fmt.Errorf("store a search: %w", err)
	}
	item := table.Item{
		table.PartitionAttribute: e.WorkspaceID,
		table.SortAttribute:      rows.SortSearch + e.ID,
		"query":                  e.Query,
		"window":                 string(e.Window),
		"sources":                rows.FromTexts(e.Sources),
		"maxResults":             int64(e.MaxResults),
		"minRelevance":           int64(e.MinRelevance),
		"status":                 string(e.Status),
		"ended":                  e.Status.Ended(),
		"stats":                  stats,
		"createdAt":              rows.FromTime(e.CreatedAt),
		table.ExpiryAttribute:    e.ExpiresAt.Unix(),
	}
	rows.Set(item, "problem", e.Problem)
	rows.Set(item, "attempt", e.Attempt)
	rows.Set(item, "parts", int64(e.Parts))
	rows.Set(item, "completedAt", rows.FromTime(e.CompletedAt))
	return item, nil
}

func toSearch(item table.Item) (search.Search, error) {
	e := search.Search{
		ID:          rows.Text(item, table.SortAttribute)[len(rows.SortSearch):],
		WorkspaceID: rows.Text(item, table.PartitionAttribute),
		Request: search.Request{
			Query:        rows.Text(item, "query"),
			Window:       search.Window(rows.Text(item, "window")),
			Sources:      rows.Texts(item, "sources"),
			MaxResults:   int(rows.Integer(item, "maxResults")),
			MinRelevance: mention.Score(rows.Integer(item, "minRelevance")),
		},
		Status:      search.Status(rows.Text(item, "status")),
		Problem:     rows.Text(item, "problem"),
		Attempt:     rows.Text(item, "attempt"),
		Parts:       int(rows.Integer(item, "parts")),
		CreatedAt:   rows.ToTime(rows.Text(item, "createdAt")),
		CompletedAt: rows.ToTime(rows.Text(item, "completedAt")),
		ExpiresAt:   time.Unix(rows.Integer(item, table.ExpiryAttribute), 0).UTC(),
	}
	if err := json.Unmarshal(rows.Bytes(item, "stats"), &e.Stats); err != nil {
		return search.Search{}, fmt.Errorf("read a search: %w", err)
	}
	return e, nil
}
