package store

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"time"

	"earshot/shared/port/table"
)

// Rows of the core table, of what is collected when:
//
//	pk org_…        sk "collect#<keyword>#<source>"  a keyword in a source that is searched
//	pk collection   sk "stream#<source>"             a source that is read whole
//	pk collection   sk "source#<source>"             until when a source asked not to be called
//
// Rows of the first two kinds are in the index byDue, under "collect#<source>" by the time of their next turn: a source that cannot
// be called keeps none of the others' out of sight.
const (
	sortCollect  = "collect#"
	sortStream   = "stream#"
	sortSource   = "source#"
	collection   = "collection"
	workCollect  = "collect#"
	maxTaskError = 200 // bytes kept of what went wrong
)

// A Task is something to be fetched again and again: a keyword in one source or, without a keyword, a source that is read whole.
type Task struct {
	WorkspaceID string // empty for a stream
	KeywordID   int64
	Source      string
	DueAt       time.Time
	Query       string    // for what it has been fetched: of a keyword with another text, nothing has
	Since       time.Time // up to where it has been fetched; zero: never
	From, Until time.Time // from and to where a window goes that one turn could not finish; zero: there is none
	After       string    // where a source's own cursor stands
	ObservedAt  time.Time // when engagement counters were last looked up; zero: never
	Failures    int       // in a row
	LastError   string
}

func (t Task) key() table.Key {
	if t.WorkspaceID == "" {
		return table.Key{Partition: collection, Sort: sortStream + t.Source}
	}
	return table.Key{Partition: t.WorkspaceID, Sort: sortCollect + idKey(t.KeywordID) + "#" + t.Source}
}

// Tasks lists what is fetched for a workspace; for none, the streams.
func (s *Store) Tasks(ctx context.Context, orgID string) ([]Task, error) {
	query := table.Query{Partition: orgID, Prefix: sortCollect, Consistent: true}
	if orgID == "" {
		query.Partition, query.Prefix = collection, sortStream
	}
	return allOf(ctx, s, "what is collected", query, toTask)
}

// AddTask stores a task unless it is there.
func (s *Store) AddTask(ctx context.Context, t Task) error {
	err := s.table.Put(ctx, table.Put{Table: CoreTable, Item: fromTask(t), If: table.Absent()})
	var failed *table.ConditionFailed
	if err != nil && !errors.As(err, &failed) {
		return fmt.Errorf("add to what is collected: %w", err)
	}
	return nil
}

// RemoveTask ends a task; one that is not there is no error.
func (s *Store) RemoveTask(ctx context.Context, t Task) error {
	if err := s.table.Delete(ctx, table.Delete{Table: CoreTable, Key: t.key()}); err != nil {
		return fmt.Errorf("remove from what is collected: %w", err)
	}
	return nil
}

// Planned notes for what a workspace's tasks were made.
func (s *Store) Planned(ctx context.Context, orgID, plan string) error {
	_, err := s.table.Update(ctx, table.Update{Table: CoreTable, Key: table.Key{Partition: listeners, Sort: orgID},
		If: table.Present(), Set: map[string]any{"planned": plan}})
	var failed *table.ConditionFailed
	if err != nil && !errors.As(err, &failed) {
		return fmt.Errorf("note what is planned: %w", err)
	}
	return nil
}

// DueTasks lists tasks of a source whose turn has come, the longest overdue first, at most limit. It reads an index, which may
// lag: ClaimTask tells.
func (s *Store) DueTasks(ctx context.Context, source string, limit int) ([]Task, error) {
	var due []Task
	query := table.Query{Table: CoreTable, Index: coreByDue, Partition: workCollect + source, To: fromTime(s.clock.Now()), Limit: limit}
	for {
		page, err := s.table.Query(ctx, query)
		if err != nil {
			return nil, fmt.Errorf("list what is due: %w", err)
		}
		for _, item := range page.Items {
			due = append(due, toTask(item))
		}
		if query.Limit -= len(page.Items); page.Next == nil || query.Limit <= 0 {
			return due, nil
		}
		query.After = page.Next
	}
}

// ClaimTask takes a task that is due for as long as lease, after which it is due again unless it was finished, and answers it as it
// is now; false when another has it, or it is gone.
func (s *Store) ClaimTask(ctx context.Context, t Task, lease time.Duration) (Task, bool, error) {
	claim := rand.Text()
	item, err := s.table.Update(ctx, table.Update{Table: CoreTable, Key: t.key(),
		// A repeat may meet its own claim.
		If:  table.Any(table.Equal(attrDueAt, fromTime(t.DueAt)), table.Equal("claim", claim)),
		Set: map[string]any{attrDueAt: fromTime(s.clock.Now().Add(lease)), "claim": claim}})
	var failed *table.ConditionFailed
	switch {
	case errors.As(err, &failed):
		return Task{}, false, nil
	case err != nil:
		return Task{}, false, fmt.Errorf("take what is due: %w", err)
	}
	return toTask(item), true, nil
}

// FinishTask stores a claimed task with its next turn, unless it was removed or another has it by now.
func (s *Store) FinishTask(ctx context.Context, claimed, finished Task) error {
	if len(finished.LastError) > maxTaskError {
		finished.LastError = strings.ToValidUTF8(finished.LastError[:maxTaskError], "")
	}
	err := s.table.Put(ctx, table.Put{Table: CoreTable, Item: fromTask(finished), If: table.Equal(attrDueAt, fromTime(claimed.DueAt))})
	var failed *table.ConditionFailed
	if err != nil && !errors.As(err, &failed) {
		return fmt.Errorf("finish what was due: %w", err)
	}
	return nil
}

// PauseSource keeps everyone from calling a source until then, or for longer where it is paused for longer already.
func (s *Store) PauseSource(ctx context.Context, name string, until time.Time) error {
	err := s.table.Put(ctx, table.Put{Table: CoreTable, Item: table.Item{
		table.PartitionAttribute: collection, table.SortAttribute: sortSource + name, "pausedUntil": fromTime(until), table.ExpiryAttribute: until.Unix() + 1,
	}, If: table.Any(table.Absent(), table.Less("pausedUntil", fromTime(until)))})
	var failed *table.ConditionFailed
	if err != nil && !errors.As(err, &failed) {
		return fmt.Errorf("pause a source: %w", err)
	}
	return nil
}

// PausedSources are the sources that are not to be called now, and until when.
func (s *Store) PausedSources(ctx context.Context) (map[string]time.Time, error) {
	paused := map[string]time.Time{}
	now := s.clock.Now()
	err := s.each(ctx, table.Query{Table: CoreTable, Partition: collection, Prefix: sortSource, Consistent: true}, func(item table.Item) {
		if until := toTime(str(item, "pausedUntil")); until.After(now) {
			paused[table.KeyOf(item).Sort[len(sortSource):]] = until
		}
	})
	if err != nil {
		return nil, fmt.Errorf("read which sources are paused: %w", err)
	}
	return paused, nil
}

func fromTask(t Task) table.Item {
	key := t.key()
	item := table.Item{table.PartitionAttribute: key.Partition, table.SortAttribute: key.Sort, attrWork: workCollect + t.Source,
		attrDueAt: fromTime(t.DueAt), "source": t.Source}
	set(item, "org", t.WorkspaceID)
	set(item, "keywordId", t.KeywordID)
	set(item, "query", t.Query)
	set(item, "since", fromTime(t.Since))
	set(item, "from", fromTime(t.From))
	set(item, "until", fromTime(t.Until))
	set(item, "observedAt", fromTime(t.ObservedAt))
	set(item, "after", t.After)
	set(item, "failures", int64(t.Failures))
	set(item, "lastError", t.LastError)
	return item
}

func toTask(item table.Item) Task {
	return Task{WorkspaceID: str(item, "org"), KeywordID: integer(item, "keywordId"), Source: str(item, "source"),
		DueAt: toTime(str(item, attrDueAt)), Query: str(item, "query"), Since: toTime(str(item, "since")), From: toTime(str(item, "from")), Until: toTime(str(item, "until")),
		After: str(item, "after"), ObservedAt: toTime(str(item, "observedAt")),
		Failures: int(integer(item, "failures")), LastError: str(item, "lastError")}
}
