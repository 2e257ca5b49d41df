package listenstore

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"time"

	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/rows"
)

// Rows of the core table that schedule collection:
//
//	pk org_…        sk "collect#<keyword>#<source>"  a keyword in a source that is searched
//	pk collection   sk "stream#<source>"             a source that is read whole
//	pk collection   sk "source#<source>"             until when a source asked not to be called
//
// Rows of the first two kinds are in the index byDue, under "collect#<source>", by the time of their next turn. A
// source that cannot be called therefore hides no rows of another source.
const (
	maxTaskError = 200 // bytes kept of a task's last error
)

// Task is something to fetch again and again: a keyword in one source or, without a keyword, a source that is read
// whole.
type Task struct {
	WorkspaceID string // empty for a stream
	KeywordID   int64
	Source      string
	DueAt       time.Time
	Query       string    // the keyword's text when it was last fetched; a changed text has fetched nothing yet
	Since       time.Time // posts up to this time have been fetched; zero if none have
	From, Until time.Time // the window that the last turn could not finish; zero if there is none
	After       string    // position of a source's own cursor
	ObservedAt  time.Time // when engagement counters were last looked up; zero if never
	Failures    int       // in a row
	LastError   string
}

func (t Task) key() table.Key {
	if t.WorkspaceID == "" {
		return table.Key{Partition: rows.Collection, Sort: rows.SortStream + t.Source}
	}
	return table.Key{Partition: t.WorkspaceID, Sort: rows.SortCollect + rows.IDKey(t.KeywordID) + "#" + t.Source}
}

// Tasks lists the tasks of a workspace or, if orgID is empty, the streams.
func (s *Store) Tasks(ctx context.Context, orgID string) ([]Task, error) {
	query := table.Query{Partition: orgID, Prefix: rows.SortCollect, Consistent: true}
	if orgID == "" {
		query.Partition, query.Prefix = rows.Collection, rows.SortStream
	}
	return store.AllOf(ctx, s.Kernel, "what is collected", query, ToTask)
}

// Collection returns the tasks of streams, and until when sources are paused that are paused now. It is one query.
func (s *Store) Collection(ctx context.Context) (streams []Task, paused map[string]time.Time, err error) {
	paused = map[string]time.Time{}
	now := s.Clock.Now()
	query := table.Query{Table: rows.CoreTable, Partition: rows.Collection, Consistent: true}
	err = s.Each(ctx, query, func(item table.Item) {
		source, isPause := strings.CutPrefix(table.KeyOf(item).Sort, rows.SortSource)
		if !isPause {
			streams = append(streams, ToTask(item))
		} else if until := rows.ToTime(rows.Text(item, "pausedUntil")); until.After(now) {
			paused[source] = until
		}
	})
	if err != nil {
		return nil, nil, fmt.Errorf("read the streams and which sources are paused: %w", err)
	}
	return streams, paused, nil
}

// AddTask stores a task unless it exists.
func (s *Store) AddTask(ctx context.Context, t Task) error {
	err := s.Table.Put(ctx, table.Put{Table: rows.CoreTable, Item: fromTask(t), If: table.Absent()})
	var failed *table.ConditionFailed
	if err != nil && !errors.As(err, &failed) {
		return fmt.Errorf("add a task of collection: %w", err)
	}
	return nil
}

// RemoveTask deletes a task. A missing task is no error.
func (s *Store) RemoveTask(ctx context.Context, t Task) error {
	if err := s.Table.Delete(ctx, table.Delete{Table: rows.CoreTable, Key: t.key()}); err != nil {
		return fmt.Errorf("remove a task of collection: %w", err)
	}
	return nil
}

// Planned records the plan for which a workspace's tasks were made.
func (s *Store) Planned(ctx context.Context, orgID, plan string) error {
	_, err := s.Table.Update(
		ctx,
		table.Update{Table: rows.CoreTable, Key: table.Key{Partition: rows.Listeners, Sort: orgID},
			If: table.Present(), Set: map[string]any{"planned": plan}},
	)
	var failed *table.ConditionFailed
	if err != nil && !errors.As(err, &failed) {
		return fmt.Errorf("note the plan of collection: %w", err)
	}
	return nil
}

// DueTasks lists tasks of a source whose turn has come, the longest overdue first, at most limit. It reads an index,
// which may lag: ClaimTask decides.
func (s *Store) DueTasks(ctx context.Context, source string, limit int) ([]Task, error) {
	var due []Task
	query := table.Query{
		Table:     rows.CoreTable,
		Index:     rows.CoreByDue,
		Partition: rows.WorkCollect + source,
		To:        rows.FromTime(s.Clock.Now()),
		Limit:     limit,
	}
	for {
		page, err := s.Table.Query(ctx, query)
		if err != nil {
			return nil, fmt.Errorf("list due tasks of collection: %w", err)
		}
		for _, item := range page.Items {
			due = append(due, ToTask(item))
		}
		if query.Limit -= len(page.Items); page.Next == nil || query.Limit <= 0 {
			return due, nil
		}
		query.After = page.Next
	}
}

// ClaimTask claims a due task for the time lease and returns it as it is now. The task is due again after that, unless
// it is finished. Returns false if another caller holds it, or if it is gone.
func (s *Store) ClaimTask(ctx context.Context, t Task, lease time.Duration) (Task, bool, error) {
	claim := rand.Text()
	item, err := s.Table.Update(ctx, table.Update{Table: rows.CoreTable, Key: t.key(),
		// A repeat may meet its own claim.
		If:  table.Any(table.Equal(rows.AttrDueAt, rows.FromTime(t.DueAt)), table.Equal("claim", claim)),
		Set: map[string]any{rows.AttrDueAt: rows.FromTime(s.Clock.Now().Add(lease)), "claim": claim}})
	var failed *table.ConditionFailed
	switch {
	case errors.As(err, &failed):
		return Task{}, false, nil
	case err != nil:
		return Task{}, false, fmt.Errorf("claim a task of collection: %w", err)
	}
	return ToTask(item), true, nil
}

// FinishTask stores a claimed task with its next turn, unless it was removed or another caller holds it by now.
func (s *Store) FinishTask(ctx context.Context, claimed, finished Task) error {
	if len(finished.LastError) > maxTaskError {
		finished.LastError = strings.ToValidUTF8(finished.LastError[:maxTaskError], "")
	}
	err := s.Table.Put(
		ctx,
		table.Put{
			Table: rows.CoreTable,
			Item:  fromTask(finished),
			If:    table.Equal(rows.AttrDueAt, rows.FromTime(claimed.DueAt)),
		},
	)
	var failed *table.ConditionFailed
	if err != nil && !errors.As(err, &failed) {
		return fmt.Errorf("finish a task of collection: %w", err)
	}
	return nil
}

// PauseSource pauses calls of a source until then. A longer pause stays.
func (s *Store) PauseSource(ctx context.Context, name string, until time.Time) error {
	err := s.Table.Put(ctx, table.Put{Table: rows.CoreTable, Item: table.Item{
		table.PartitionAttribute: rows.Collection,
		table.SortAttribute:      rows.SortSource + name,
		"pausedUntil":            rows.FromTime(until),
		table.ExpiryAttribute:    until.Unix() + 1,
	}, If: table.Any(table.Absent(), table.Less("pausedUntil", rows.FromTime(until)))})
	var failed *table.ConditionFailed
	if err != nil && !errors.As(err, &failed) {
		return fmt.Errorf("pause a source: %w", err)
	}
	return nil
}

func fromTask(t Task) table.Item {
	key := t.key()
	item := table.Item{
		table.PartitionAttribute: key.Partition,
		table.SortAttribute:      key.Sort,
		rows.AttrWork:            rows.WorkCollect + t.Source,
		rows.AttrDueAt:           rows.FromTime(t.DueAt),
		"source":                 t.Source,
	}
	rows.Set(item, "org", t.WorkspaceID)
	rows.Set(item, "keywordId", t.KeywordID)
	rows.Set(item, "query", t.Query)
	rows.Set(item, "since", rows.FromTime(t.Since))
	rows.Set(item, "from", rows.FromTime(t.From))
	rows.Set(item, "until", rows.FromTime(t.Until))
	rows.Set(item, "observedAt", rows.FromTime(t.ObservedAt))
	rows.Set(item, "after", t.After)
	rows.Set(item, "failures", int64(t.Failures))
	rows.Set(item, "lastError", t.LastError)
	return item
}

// ToTask reads a task of collection from its row.
func ToTask(item table.Item) Task {
	return Task{
		WorkspaceID: rows.Text(item, "org"),
		KeywordID:   rows.Integer(item, "keywordId"),
		Source:      rows.Text(item, "source"),
		DueAt:       rows.ToTime(rows.Text(item, rows.AttrDueAt)),
		Query:       rows.Text(item, "query"),
		Since:       rows.ToTime(rows.Text(item, "since")),
		From:        rows.ToTime(rows.Text(item, "from")),
		Until:       rows.ToTime(rows.Text(item, "until")),
		After:       rows.Text(item, "after"),
		ObservedAt:  rows.ToTime(rows.Text(item, "observedAt")),
		Failures:    int(rows.Integer(item, "failures")),
		LastError:   rows.Text(item, "lastError"),
	}
}
