// Package summarystore stores summaries of mentions.
//
// A summary ends once, however often its worker dies: the write that ends it has the condition that it runs. A repeat of
// a named request stores no second summary. The functions ai, summaries and deliver import it, and allstores.
package summarystore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/rows"
	"earshot/shared/summary"
)

// Rows of the counters table: pk org_…, sk "said#sum_…", a summary with its content. They expire.

// Store reads and writes summaries.
type Store struct{ *store.Kernel }

// New returns a Store over k.
func New(k *store.Kernel) *Store { return &Store{Kernel: k} }

func summaryKey(orgID, id string) table.Key {
	return table.Key{Partition: orgID, Sort: rows.SortSaid + id}
}

// BeginSummary stores a summary. A repeat of the same named request stores nothing: it returns the summary that the
// first one stored.
func (s *Store) BeginSummary(ctx context.Context, wanted summary.Summary, request string) (summary.Summary, error) {
	if begun, err := s.BegunSummary(ctx, wanted.WorkspaceID, request); err != nil || begun.ID != "" {
		return begun, err
	}
	writes := []table.Write{table.Put{Table: rows.CountersTable, Item: fromSummary(wanted), If: table.Absent()}}
	writes = append(writes, s.Making(wanted.WorkspaceID, request, wanted.ID)...)
	found := wanted
	err := s.Settle(ctx, "begin a summary", func() error {
		err := s.Table.Transact(ctx, table.Transaction{Writes: writes})
		var canceled *table.Canceled
		if !errors.As(err, &canceled) || request == "" || !canceled.Failed(1) {
			return err
		}
		earlier, failure := s.BegunSummary(ctx, wanted.WorkspaceID, request)
		if failure != nil || earlier.ID != "" {
			found = earlier
			return failure
		}
		return err
	})
	return found, err
}

// BegunSummary returns the summary of a named request. Its ID is empty if there is none.
func (s *Store) BegunSummary(ctx context.Context, orgID, request string) (summary.Summary, error) {
	id, err := s.Made(ctx, orgID, request)
	if err != nil || id == "" {
		return summary.Summary{}, err
	}
	found, err := s.Summary(ctx, orgID, id)
	if errors.Is(err, store.ErrNotFound) {
		return summary.Summary{}, nil
	}
	return found, err
}

const maxID = 64 // bytes

// Summary reads a summary. Returns ErrNotFound if there is none.
func (s *Store) Summary(ctx context.Context, orgID, id string) (summary.Summary, error) {
	if id == "" || len(id) > maxID {
		return summary.Summary{}, store.ErrNotFound
	}
	item, err := s.Get(ctx, rows.CountersTable, summaryKey(orgID, id))
	if err != nil {
		return summary.Summary{}, err
	}
	if item == nil {
		return summary.Summary{}, store.ErrNotFound
	}
	return toSummary(item)
}

// ListSummaries lists a workspace's summaries, newest first: at most limit of those that began before the one with the
// id before. An empty id lists from the newest. more reports whether further ones follow.
func (s *Store) ListSummaries(
	ctx context.Context, orgID, before string, limit int,
) (found []summary.Summary, more bool, err error) {
	return store.Newest(ctx, s.Kernel, "summaries", orgID, rows.SortSaid, before, limit, toSummary)
}

// ClaimModel lets one attempt at a summary ask the model, so that a repeat spends nothing. It returns false if an attempt
// may have asked, or if the summary has ended or is gone.
func (s *Store) ClaimModel(ctx context.Context, orgID, id string) (bool, error) {
	return s.WriteOnce(ctx, "claim the model for a summary", table.Update{
		Table: rows.CountersTable, Key: summaryKey(orgID, id),
		If:  table.All(table.Equal("ended", false), table.Missing("asked")),
		Set: map[string]any{"asked": true},
	})
}

// CompleteSummary ends a summary with its content. Returns false, and stores nothing, if it has ended or is gone.
func (s *Store) CompleteSummary(ctx context.Context, orgID, id string, content summary.Content) (ok bool, err error) {
	packed, err := store.Packed(content)
	if err != nil {
		return false, err
	}
	return s.end(ctx, orgID, id, summary.Completed, map[string]any{
		"content": packed, "completedAt": rows.FromTime(s.Instant()),
	})
}

// FailSummary ends a summary that cannot be completed, for a reason that people can read. What ended before stays.
// FailSummary returns the summary as it ended. Returns ErrNotFound if it is gone.
func (s *Store) FailSummary(ctx context.Context, orgID, id, reason string) (summary.Summary, error) {
	if _, err := s.end(ctx, orgID, id, summary.Failed, map[string]any{
		"problem": reason, "completedAt": rows.FromTime(s.Instant()),
	}); err != nil {
		return summary.Summary{}, err
	}
	return s.Summary(ctx, orgID, id)
}

func (s *Store) end(
	ctx context.Context, orgID, id string, status summary.Status, set map[string]any,
) (ok bool, err error) {
	set["status"], set["ended"] = string(status), true
	_, err = s.Table.Update(ctx, table.Update{
		Table: rows.CountersTable, Key: summaryKey(orgID, id), If: table.Equal("ended", false), Set: set,
	})
	var failed *table.ConditionFailed
	if errors.As(err, &failed) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("end a summary: %w", err)
	}
	return true, nil
}

func fromSummary(e summary.Summary) table.Item {
	item := table.Item{
		table.PartitionAttribute: e.WorkspaceID,
		table.SortAttribute:      rows.SortSaid + e.ID,
		"selecting":              rows.FromTexts(e.Selecting),
		"start":                  rows.FromTime(e.Start),
		"end":                    rows.FromTime(e.End),
		"status":                 string(e.Status),
		"ended":                  e.Status.Ended(),
		"createdAt":              rows.FromTime(e.CreatedAt),
		table.ExpiryAttribute:    e.ExpiresAt.Unix(),
	}
	rows.Set(item, "feed", e.FeedID)
	return item
}

func toSummary(item table.Item) (summary.Summary, error) {
	e := summary.Summary{
		ID:          rows.Text(item, table.SortAttribute)[len(rows.SortSaid):],
		WorkspaceID: rows.Text(item, table.PartitionAttribute),
		FeedID:      rows.Integer(item, "feed"),
		Selecting:   rows.Texts(item, "selecting"),
		Start:       rows.ToTime(rows.Text(item, "start")),
		End:         rows.ToTime(rows.Text(item, "end")),
		Status:      summary.Status(rows.Text(item, "status")),
		Problem:     rows.Text(item, "problem"),
		CreatedAt:   rows.ToTime(rows.Text(item, "createdAt")),
		CompletedAt: rows.ToTime(rows.Text(item, "completedAt")),
		ExpiresAt:   time.Unix(rows.Integer(item, table.ExpiryAttribute), 0).UTC(),
	}
	if content := rows.Bytes(item, "content"); content != nil {
		if err := store.Unpack(content, &e.Content); err != nil {
			return e, fmt.Errorf("read a summary: %w", err)
		}
	}
	return e, nil
}
