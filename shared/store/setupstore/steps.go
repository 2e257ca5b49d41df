package setupstore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"earshot/shared/port/table"
	"earshot/shared/proposal"
	"earshot/shared/store/rows"
)

func stepKey(key proposal.Key, stage proposal.Stage) table.Key {
	k := runKey(key)
	k.Sort += fmt.Sprintf("#step#%d", slices.Index(proposal.Stages(), stage))
	return k
}

// BeginStep records that a stage of a run is at work, and moves the draft to the stage's status, in one write. A step
// that has begun keeps its start. A step that has ended, and its draft, stay as they are. Both are returned as they
// stand. Returns ErrNotFound and proposal.ErrOver.
func (s *Store) BeginStep(ctx context.Context, key proposal.Key, step proposal.Step) (begun proposal.Step, err error) {
	if err := known(step.Stage); err != nil {
		return begun, err
	}
	if err := possible(key); err != nil {
		return begun, err
	}
	at := stepKey(key, step.Stage)
	step.Status = proposal.StepRunning
	item, err := fromStep(at, step)
	if err != nil {
		return begun, err
	}
	err = s.SettleUnread(ctx, "begin a step", func(read bool) error {
		if read {
			items, err := s.underWay(ctx, key, table.Get{Table: rows.CoreTable, Key: at, Consistent: true})
			if err != nil {
				return err
			}
			if items[1] != nil {
				begun, err = toStep(items[1])
				return err
			}
		}
		begun = step
		return s.Table.Transact(ctx, table.Transaction{Writes: []table.Write{
			table.Update{Table: rows.CoreTable, Key: rows.DraftKey(key.WorkspaceID, key.DraftID), If: isUnderWay(key.Number), Add: map[string]int64{"rev": 1},
				Set: map[string]any{"status": string(step.Stage.Status()), "updatedAt": rows.FromTime(s.Clock.Now())}},
			table.Put{Table: rows.CoreTable, Item: item, If: table.Absent()},
		}})
	})
	return begun, err
}

// EndStep stores how a stage ended, with its outcome, which may be nil. The first end stands, and a later one is no
// error. A stage that never began may end. A step that is given as it began is ended without a read. Returns
// ErrNotFound and proposal.ErrOver.
func (s *Store) EndStep(ctx context.Context, key proposal.Key, step proposal.Step, outcome []byte) error {
	if err := ends(step); err != nil {
		return err
	}
	if err := possible(key); err != nil {
		return err
	}
	content, err := s.pieces(key, outcome)
	if err != nil {
		return err
	}
	at, written := stepKey(key, step.Stage), false
	return s.SettleUnread(ctx, "end a step", func(read bool) error {
		condition := asBegun(step)
		if read || len(content.rows) > 1 { // many pieces are written before, and not for a run that is over
			items, err := s.underWay(ctx, key, table.Get{Table: rows.CoreTable, Key: at, Consistent: true})
			if items != nil {
				var open bool
				if condition, open = asRead(&step, items[1]); !open {
					return nil
				}
			}
			if err != nil {
				return err
			}
		}
		if len(content.rows) > 1 && !written {
			if err := s.keep(ctx, content); err != nil {
				return err
			}
			written = true
		}
		item, err := fromStep(at, step)
		if err != nil {
			return err
		}
		content.write(item)
		writes := []table.Write{
			table.Check{Table: rows.CoreTable, Key: rows.DraftKey(key.WorkspaceID, key.DraftID), If: isUnderWay(key.Number)},
			table.Put{Table: rows.CoreTable, Item: item, If: condition},
		}
		if len(content.rows) == 1 {
			writes = append(writes, content.rows[0])
		}
		return s.Table.Transact(ctx, table.Transaction{Writes: writes})
	})
}

// ends returns an error for a step that has no end.
func ends(step proposal.Step) error {
	if step.Status == proposal.StepRunning {
		return errors.New("end a step: it is still running")
	}
	return known(step.Stage)
}

// asBegun returns the condition that a step's row is still as the step began.
func asBegun(step proposal.Step) table.Condition {
	return table.All(table.Equal("status", string(proposal.StepRunning)), table.Equal("startedAt", rows.FromTime(step.StartedAt)))
}

// asRead returns the condition that a step's row is as it was read, nil if there was none, and sets the step's start to
// the stored one. open is false if the step has ended.
func asRead(step *proposal.Step, row table.Item) (condition table.Condition, open bool) {
	switch {
	case row == nil:
		return table.Absent(), true
	case rows.Text(row, "status") != string(proposal.StepRunning):
		return condition, false
	}
	step.StartedAt = rows.ToTime(rows.Text(row, "startedAt"))
	return asBegun(*step), true
}

func known(stage proposal.Stage) error {
	if !slices.Contains(proposal.Stages(), stage) {
		return fmt.Errorf("there is no stage %q", stage)
	}
	return nil
}

// event is a proposal.Entry as a row stores it.
type event struct {
	Kind   string         `json:"kind"`
	Name   string         `json:"name"`
	Status string         `json:"status"`
	Took   *time.Duration `json:"took,omitempty"`
}

func fromStep(at table.Key, step proposal.Step) (table.Item, error) {
	item := table.Item{table.PartitionAttribute: at.Partition, table.SortAttribute: at.Sort, "stage": string(step.Stage),
		"status": string(step.Status), "line": step.Line, "startedAt": rows.FromTime(step.StartedAt)}
	rows.Set(item, "took", int64(step.Took))
	if len(step.Degraded) > 0 {
		content, err := json.Marshal(step.Degraded)
		if err != nil {
			return nil, fmt.Errorf("write a step: %w", err)
		}
		item["degraded"] = content
	}
	if len(step.Timeline) > 0 {
		events := make([]event, len(step.Timeline))
		for i, entry := range step.Timeline {
			events[i] = event(entry)
		}
		content, err := json.Marshal(events)
		if err != nil {
			return nil, fmt.Errorf("write a step: %w", err)
		}
		item["timeline"] = content
	}
	return item, nil
}

// toStep decodes a step's row.
func toStep(item table.Item) (proposal.Step, error) {
	step := proposal.Step{Stage: proposal.Stage(rows.Text(item, "stage")), Status: proposal.StepStatus(rows.Text(item, "status")), Line: rows.Text(item, "line"),
		StartedAt: rows.ToTime(rows.Text(item, "startedAt")), Took: time.Duration(rows.Integer(item, "took"))}
	var events []event
	for name, into := range map[string]any{"degraded": &step.Degraded, "timeline": &events} {
		if content := rows.Bytes(item, name); content != nil {
			if err := json.Unmarshal(content, into); err != nil {
				return step, fmt.Errorf("read a step: %w", err)
			}
		}
	}
	for _, e := range events {
		step.Timeline = append(step.Timeline, proposal.Entry(e))
	}
	return step, nil
}
