// Package alertstore stores alerts and what their evaluations have come to.
//
// The functions that show, change and evaluate alerts import it.
package alertstore

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"earshot/shared/alert"
	"earshot/shared/feed"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/rows"
)

// Store reads and writes alerts.
type Store struct{ *store.Kernel }

// New returns a Store over k.
func New(k *store.Kernel) *Store { return &Store{k} }

// A Watched is an alert with its state.
type Watched struct {
	alert.Alert
	State alert.State
}

// ErrAlertLimit means that the workspace has alert.MaxAlerts alerts.
var ErrAlertLimit = errors.New("store: the workspace has reached its limit of alerts")

// counted returns the change of the number of alerts.
func counted(orgID string, by int64) table.Update {
	return table.Update{
		Table: rows.CoreTable,
		Key:   table.Key{Partition: orgID, Sort: rows.SortAlerts},
		Add:   map[string]int64{"alerts": by},
	}
}

// CreateAlert stores a new alert and returns it with its id and times. request, by its name in Repeated of the HTTP
// kit, makes one: a repeat returns that alert, or ErrNotFound if it was deleted since. Returns ErrAlertLimit, which is
// exact however many calls run at once.
func (s *Store) CreateAlert(ctx context.Context, orgID string, a alert.Alert, request string) (Watched, error) {
	a.CreatedAt, a.Revision = s.Instant(), 1
	a.UpdatedAt, a.WatchesSince = a.CreatedAt, a.CreatedAt
	id, fresh, err := s.Create(ctx, "create an alert", orgID, rows.SequenceOfAlerts, request,
		func(id int64) store.Creation {
			a.ID = id
			count := counted(orgID, 1)
			count.If = rows.Room("alerts", 1, alert.MaxAlerts)
			return store.Creation{
				Writes: []table.Write{
					table.Put{
						Table: rows.CoreTable,
						Item:  fromAlert(orgID, a, alert.NextEvaluation(a.CreatedAt)),
						If:    table.Absent(),
					},
					count,
				},
				Refused: func(canceled *table.Canceled) error {
					if canceled.Failed(1) && rows.Integer(canceled.Reasons[1].Item, "alerts") >= alert.MaxAlerts {
						return ErrAlertLimit
					}
					return nil
				},
			}
		})
	switch {
	case err != nil:
		return Watched{}, err
	case !fresh:
		return s.Alert(ctx, orgID, id)
	}
	return Watched{Alert: a}, nil
}

// Alert reads an alert. Returns ErrNotFound if there is none.
func (s *Store) Alert(ctx context.Context, orgID string, id int64) (Watched, error) {
	found, err := s.All(ctx, []table.Key{rows.AlertKey(orgID, id), rows.AlertStateKey(orgID, id)})
	switch {
	case err != nil:
		return Watched{}, err
	case found[0] == nil:
		return Watched{}, store.ErrNotFound
	}
	return Watched{toAlert(found[0]), toState(found[1])}, nil
}

// Alerts lists a workspace's alerts, oldest first.
func (s *Store) Alerts(ctx context.Context, orgID string) ([]Watched, error) {
	found, states := []Watched{}, map[string]alert.State{}
	query := table.Query{Table: rows.CoreTable, Partition: orgID, Prefix: rows.AlertRows, Consistent: true}
	err := s.Each(ctx, query, func(item table.Item) {
		sort := table.KeyOf(item).Sort
		if id, is := strings.CutPrefix(sort, rows.SortAlertState); is {
			states[id] = toState(item)
		} else if strings.HasPrefix(sort, rows.SortAlert) {
			found = append(found, Watched{Alert: toAlert(item)})
		}
	})
	if err != nil {
		return nil, fmt.Errorf("list alerts: %w", err)
	}
	for i := range found {
		found[i].State = states[rows.IDKey(found[i].ID)]
	}
	return found, nil
}

// ChangeAlert reads an alert, changes it and stores it. The change may be called more than once and cannot change the
// id. A change of the condition, the feed or the filters begins with a new state, and so does one that disables the
// alert: see Endings. Destinations that are removed from a firing alert have an ending of their own, and its state stays.
// A change of what is watched and enabling the alert end its pause, and look back at nothing.
// Another change leaves the evaluations that are due. A change that alters nothing is not stored. request, by its name
// in Repeated of the HTTP kit, changes once: a repeat returns the alert as it is.
// Returns ErrNotFound, ErrConflict if others keep changing it, and the change's own error.
func (s *Store) ChangeAlert(
	ctx context.Context, orgID string, id int64, request string, change func(*alert.Alert) error,
) (changed Watched, err error) {
	err = s.Settle(ctx, "change an alert", func() error {
		earlier, err := s.MadeID(ctx, orgID, request)
		if err != nil {
			return err
		}
		changed, err = s.Alert(ctx, orgID, id)
		if earlier != 0 || err != nil {
			return err
		}
		was := changed
		old := was.Alert
		if err := change(&changed.Alert); err != nil {
			return err
		}
		if reflect.DeepEqual(changed.Alert, old) {
			return nil
		}
		changed.ID, changed.CreatedAt, changed.UpdatedAt = old.ID, old.CreatedAt, s.Instant()
		changed.Revision = old.Revision + 1
		other := watchesOther(old, changed.Alert)
		if changed.Enabled || other {
			changed.Paused = ""
		}
		changed.WatchesSince = old.WatchesSince
		if other || changed.Enabled && !old.Enabled || changed.Paused != "" && old.Paused == "" {
			changed.WatchesSince = changed.UpdatedAt
		}
		off := old.Enabled && !changed.Enabled
		if other || off {
			changed.State = alert.State{}
		}
		writes := []table.Write{table.Put{
			Table: rows.CoreTable,
			Item:  fromAlert(orgID, changed.Alert, alert.NextEvaluationOf(changed.Alert, changed.State)),
			If:    table.Equal("rev", old.Revision),
		}}
		because := alert.Changed
		if off && !other {
			because = cmp.Or(alert.Because(changed.Paused), alert.Disabled)
		}
		if other || off {
			writes = append(writes, s.end(orgID, was, because)...)
		} else if removed := feed.Removed(old.Destinations, changed.Destinations); len(removed) > 0 {
			was.Destinations = removed
			item, state := ending(orgID, was)
			writes = append(writes, rows.LeaveAlertState(item, state, string(alert.Removed), s.Instant())...)
		}
		return s.Table.Transact(
			ctx, table.Transaction{Writes: append(writes, s.Making(orgID, request, rows.IDKey(id))...)},
		)
	})
	return changed, err
}

// watchesOther reports whether a change makes the state meaningless.
func watchesOther(old, changed alert.Alert) bool {
	return old.FeedID != changed.FeedID || !bytes.Equal(old.Filters, changed.Filters) ||
		!reflect.DeepEqual(old.Condition, changed.Condition)
}

// end returns the writes that delete an alert's state: see rows.EndAlertState.
func (s *Store) end(orgID string, was Watched, because alert.Because) []table.Write {
	item, state := ending(orgID, was)
	return rows.EndAlertState(item, state, string(because), s.Instant())
}

// ending returns the rows of an alert and of its state, which is nil if there is none.
func ending(orgID string, was Watched) (item, state table.Item) {
	if !was.State.EvaluatedAt.IsZero() {
		state = fromState(orgID, was.ID, was.State)
	}
	return fromAlert(orgID, was.Alert, time.Time{}), state
}

// DeleteAlert deletes an alert with its state: see Endings. request, by its name in Repeated of the HTTP kit, deletes
// once: a repeat returns nil. Returns ErrNotFound if there is none, and ErrConflict if others keep changing it.
func (s *Store) DeleteAlert(ctx context.Context, orgID string, id int64, request string) error {
	return s.Settle(ctx, "delete an alert", func() error {
		if earlier, err := s.MadeID(ctx, orgID, request); earlier != 0 || err != nil {
			return err
		}
		was, err := s.Alert(ctx, orgID, id)
		if err != nil {
			return err
		}
		return s.Table.Transact(ctx, table.Transaction{Writes: slices.Concat([]table.Write{
			table.Delete{Table: rows.CoreTable, Key: rows.AlertKey(orgID, id), If: table.Equal("rev", was.Revision)},
			counted(orgID, -1),
		}, s.end(orgID, was, alert.Deleted), s.Making(orgID, request, rows.IDKey(id)))})
	})
}

// Endings lists the episodes of an alert that a change or its deletion ended, and that EndEpisode did not end yet, the
// oldest first. They are stored in the transaction of the change, so that none is lost and each is stored once.
func (s *Store) Endings(ctx context.Context, orgID string, id int64) (all []alert.Ending, err error) {
	query := table.Query{Partition: orgID, Prefix: rows.AlertEndedRows(id), Consistent: true}
	return store.AllOf(ctx, s.Kernel, "ended episodes", query, func(item table.Item) alert.Ending {
		state, _ := item["state"].(map[string]any)
		return alert.Ending{
			Alert:   toAlert(item),
			State:   toState(state),
			Because: alert.Because(rows.Text(item, "because")),
			At:      rows.DueAt(item),
		}
	})
}

// EndEpisode takes an ending from those that Endings lists, with more writes: the deliveries that tell of it. Returns
// ErrConflict, and stores nothing, if another one ended it.
func (s *Store) EndEpisode(ctx context.Context, orgID string, e alert.Ending, more ...table.Write) error {
	key := table.Key{Partition: orgID, Sort: rows.AlertEndedRows(e.Alert.ID) + rows.IDKey(e.Alert.Revision)}
	err := s.Table.Transact(ctx, table.Transaction{Writes: append([]table.Write{
		table.Delete{Table: rows.CoreTable, Key: key, If: table.Present()},
	}, more...)})
	done, err := store.Conditional(err, "end an episode")
	if err == nil && !done {
		return store.ErrConflict
	}
	return err
}

// Evaluated stores the state after an evaluation of an alert of that revision, with more writes: the deliveries that tell of
// it. The alert is due again then. Returns ErrConflict, and stores nothing, if the alert was changed or deleted since, or if
// a state of the same evaluation or a later one is stored.
func (s *Store) Evaluated(
	ctx context.Context, orgID string, id, revision int64, state alert.State, more ...table.Write,
) error {
	unseen := table.Any(
		table.Missing(rows.AttrEvaluatedAt), table.Less(rows.AttrEvaluatedAt, rows.FromTime(state.EvaluatedAt)))
	err := s.Table.Transact(ctx, table.Transaction{Writes: append([]table.Write{
		table.Update{
			Table: rows.CoreTable, Key: rows.AlertKey(orgID, id), If: table.Equal("rev", revision),
			Set: map[string]any{rows.AttrDueAt: rows.FromTime(alert.NextEvaluation(s.Clock.Now()))},
		},
		table.Put{Table: rows.CoreTable, Item: fromState(orgID, id, state), If: unseen},
	}, more...)})
	done, err := store.Conditional(err, "store an evaluation")
	if err == nil && !done {
		return store.ErrConflict
	}
	return err
}

// Unevaluated makes an alert of that revision due again later, with its state as it is. It does nothing if the alert was
// changed since.
func (s *Store) Unevaluated(ctx context.Context, orgID string, id, revision int64) error {
	_, err := s.Table.Update(ctx, table.Update{
		Table: rows.CoreTable, Key: rows.AlertKey(orgID, id), If: table.Equal("rev", revision),
		Set: map[string]any{rows.AttrDueAt: rows.FromTime(alert.NextEvaluation(s.Clock.Now()))},
	})
	var failed *table.ConditionFailed
	if err != nil && !errors.As(err, &failed) {
		return fmt.Errorf("put off an evaluation: %w", err)
	}
	return nil
}
