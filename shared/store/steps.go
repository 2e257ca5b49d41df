package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"earshot/shared/port/table"
	"earshot/shared/proposal"
)

func stepKey(key proposal.Key, stage proposal.Stage) table.Key {
	k := runKey(key)
	k.Sort += fmt.Sprintf("#step#%d", slices.Index(proposal.Stages(), stage))
	return k
}

// BeginStep notes that a stage of a run is at work, and moves the draft to status. One that has begun keeps its start, and one that has
// ended is left alone, the draft too; either is answered as it stands. Answers ErrNotFound and proposal.ErrOver.
func (s *Store) BeginStep(ctx context.Context, key proposal.Key, step proposal.Step, status proposal.Status) (begun proposal.Step, err error) {
	if err := known(step.Stage); err != nil {
		return begun, err
	}
	if !status.Running() {
		return begun, fmt.Errorf("begin a step: no proposal is made while a draft is %q", status)
	}
	at := stepKey(key, step.Stage)
	err = s.settle(ctx, "begin a step", func() error {
		items, err := s.underWay(ctx, key, table.Get{Table: CoreTable, Key: at, Consistent: true})
		if err != nil {
			return err
		}
		draft, row := items[0], items[1]
		moves := str(draft, "status") != string(status)
		var noted table.Write
		if row != nil {
			if begun, err = toStep(row); err != nil || begun.Status != proposal.StepRunning || !moves {
				return err
			}
			noted = table.Check{Table: CoreTable, Key: at, If: table.Equal("status", string(proposal.StepRunning))}
		} else {
			begun = step
			begun.Status = proposal.StepRunning
			item, err := fromStep(at, begun)
			if err != nil {
				return err
			}
			noted = table.Put{Table: CoreTable, Item: item, If: table.Absent()}
		}
		draftAt := draftKey(key.WorkspaceID, key.DraftID)
		var moved table.Write = table.Check{Table: CoreTable, Key: draftAt, If: isUnderWay(key.Number)}
		if moves {
			moved = table.Update{Table: CoreTable, Key: draftAt, If: isUnderWay(key.Number), Add: map[string]int64{"rev": 1},
				Set: map[string]any{"status": string(status), "updatedAt": fromTime(s.clock.Now())}}
		}
		return s.table.Transact(ctx, table.Transaction{Writes: []table.Write{moved, noted}})
	})
	return begun, err
}

// EndStep keeps how a stage ended, with its outcome, which may be nil. The first end stands: of one that has ended nothing changes, and
// that is no error. A stage that never began may end. Answers ErrNotFound and proposal.ErrOver.
func (s *Store) EndStep(ctx context.Context, key proposal.Key, step proposal.Step, outcome []byte) error {
	if err := known(step.Stage); err != nil {
		return err
	}
	if step.Status == proposal.StepRunning {
		return errors.New("end a step: it is still running")
	}
	at := stepKey(key, step.Stage)
	var kept attempt
	return s.settle(ctx, "end a step", func() error {
		items, err := s.underWay(ctx, key, table.Get{Table: CoreTable, Key: at, Consistent: true})
		condition := table.Absent()
		if items != nil && items[1] != nil {
			if str(items[1], "status") != string(proposal.StepRunning) {
				return nil
			}
			step.StartedAt, condition = toTime(str(items[1], "startedAt")), table.Equal("status", string(proposal.StepRunning))
		}
		if err != nil {
			return err
		}
		if outcome != nil && kept.id == "" {
			if kept, err = s.keepChunks(ctx, key, outcome); err != nil {
				return err
			}
		}
		item, err := fromStep(at, step)
		if err != nil {
			return err
		}
		kept.write(item)
		return s.table.Transact(ctx, table.Transaction{Writes: []table.Write{
			table.Check{Table: CoreTable, Key: draftKey(key.WorkspaceID, key.DraftID), If: isUnderWay(key.Number)},
			table.Put{Table: CoreTable, Item: item, If: condition},
		}})
	})
}

func known(stage proposal.Stage) error {
	if !slices.Contains(proposal.Stages(), stage) {
		return fmt.Errorf("there is no stage %q", stage)
	}
	return nil
}

// An event is a proposal.Entry as a row keeps it.
type event struct {
	Kind   string         `json:"kind"`
	Name   string         `json:"name"`
	Status string         `json:"status"`
	Took   *time.Duration `json:"took,omitempty"`
}

func fromStep(at table.Key, step proposal.Step) (table.Item, error) {
	item := table.Item{table.PartitionAttribute: at.Partition, table.SortAttribute: at.Sort, "stage": string(step.Stage),
		"status": string(step.Status), "line": step.Line, "startedAt": fromTime(step.StartedAt)}
	set(item, "took", int64(step.Took))
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

// toStep reads what fromStep wrote.
func toStep(item table.Item) (proposal.Step, error) {
	step := proposal.Step{Stage: proposal.Stage(str(item, "stage")), Status: proposal.StepStatus(str(item, "status")), Line: str(item, "line"),
		StartedAt: toTime(str(item, "startedAt")), Took: time.Duration(integer(item, "took"))}
	var events []event
	for name, into := range map[string]any{"degraded": &step.Degraded, "timeline": &events} {
		if content := bytes(item, name); content != nil {
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
