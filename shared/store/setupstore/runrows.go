package setupstore

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"earshot/shared/port/table"
	"earshot/shared/proposal"
	"earshot/shared/store"
	"earshot/shared/store/rows"
)

// Rows of the core table, of the runs of drafts, the number of ten digits:
//
//	pk org_…  sk "run#<draft>#<number>"           a run: what it was begun with, and how it ended
//	pk org_…  sk "run#<draft>#<number>#proposal"  what it proposes, as JSON in gzip
//	pk org_…  sk "run#<draft>#<number>#step#<i>"  a stage that began, by its place; it names the attempt whose outcome stands
//
// The draft's row says whether a run is under way: its number is the draft's, and the draft's status is one of those in
// which a proposal is made. Every write of a run holds to that in its own transaction, so that nothing writes to one
// that is over: neither a stage that was taken for dead, nor one that comes late or twice. A draft keeps its last
// RunsKept runs.
const (
	RunsKept    = rows.RunsKept
	maxProposal = table.MaxItemBytes - 4<<10 // bytes of a proposal in gzip: the row has little beside it
)

// ErrProposalTooLarge means that a proposal does not fit a row. What the rules of a proposal allow does.
var ErrProposalTooLarge = errors.New("store: the proposal is too large to be kept")

func runKey(key proposal.Key) table.Key {
	return table.Key{
		Partition: key.WorkspaceID,
		Sort:      rows.SortRun + key.DraftID + "#" + fmt.Sprintf(rows.NumberDigits, key.Number),
	}
}

func proposalKey(key proposal.Key) table.Key {
	k := runKey(key)
	k.Sort += "#proposal"
	return k
}

func removeRun(key proposal.Key) (writes []table.Write) {
	writes = []table.Write{
		table.Delete{Table: rows.CoreTable, Key: runKey(key)},
		table.Delete{Table: rows.CoreTable, Key: proposalKey(key)},
	}
	for _, stage := range proposal.Stages() {
		writes = append(writes, table.Delete{Table: rows.CoreTable, Key: stepKey(key, stage)})
	}
	return writes
}

func stepKey(key proposal.Key, stage proposal.Stage) table.Key {
	k := runKey(key)
	k.Sort += fmt.Sprintf("#step#%d", stage.Place())
	return k
}

// checkKey returns ErrNotFound for a key that no run can have.
func checkKey(key proposal.Key) error {
	if !draftID(key.DraftID) || key.Number < 1 {
		return store.ErrNotFound
	}
	return nil
}

// checkStage returns an error if there is no such stage.
func checkStage(stage proposal.Stage) error {
	if stage.Place() < 0 {
		return fmt.Errorf("there is no stage %q", stage)
	}
	return nil
}

// checkEnded returns an error for a step that has no end.
func checkEnded(step proposal.Step) error {
	if step.Status == proposal.StepRunning {
		return errors.New("end a step: it is still running")
	}
	return checkStage(step.Stage)
}

// isUnderWay returns the condition on a draft that its run of that number is under way.
func isUnderWay(number int64) table.Condition {
	var running []table.Condition
	for _, status := range proposal.RunStatuses() {
		running = append(running, table.Equal("status", string(status)))
	}
	return table.All(table.Equal("run", number), table.Any(running...))
}

// asBegun returns the condition that a step's row is still as the step began.
func asBegun(step proposal.Step) table.Condition {
	return table.All(
		table.Equal("status", string(proposal.StepRunning)), table.Equal("startedAt", rows.FromTime(step.StartedAt)),
	)
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

// underWay reads a possible run's draft, and the rows that beside names. Returns ErrNotFound, and proposal.ErrOver if
// the run is not under way.
func (s *Store) underWay(ctx context.Context, key proposal.Key, beside ...table.Get) ([]table.Item, error) {
	gets := append(
		[]table.Get{{Table: rows.CoreTable, Key: rows.DraftKey(key.WorkspaceID, key.DraftID), Consistent: true}},
		beside...)
	items, err := table.GetAll(ctx, s.Table, gets)
	switch {
	case err != nil:
		return nil, fmt.Errorf("read a run: %w", err)
	case rows.Integer(items[0], "run") < key.Number:
		return nil, store.ErrNotFound
	case rows.Integer(items[0], "run") > key.Number || !proposal.Status(rows.Text(items[0], "status")).Running():
		return items, proposal.ErrOver
	}
	return items, nil
}

func fromRun(key proposal.Key, run proposal.Run) (table.Item, error) {
	profile, err := store.Packed(run.Profile)
	if err != nil {
		return nil, err
	}
	at := runKey(key)
	item := table.Item{
		table.PartitionAttribute: at.Partition,
		table.SortAttribute:      at.Sort,
		"domain":                 run.Domain,
		"tier":                   string(run.Tier),
		"profile":                profile,
		"profileRevision":        run.ProfileRevision,
		"startedAt":              rows.FromTime(run.StartedAt),
	}
	rows.Set(item, "guide", run.Guide)
	rows.Set(item, "model", run.Model)
	return item, nil
}

func toRun(key proposal.Key, item table.Item) (proposal.Run, error) {
	run := proposal.Run{
		DraftID:         key.DraftID,
		Number:          key.Number,
		Domain:          rows.Text(item, "domain"),
		Tier:            proposal.Tier(rows.Text(item, "tier")),
		Guide:           cmp.Or(rows.Text(item, "guide"), proposal.FirstGuideVersion),
		Model:           rows.Text(item, "model"),
		ProfileRevision: rows.Integer(item, "profileRevision"),
		StartedAt:       rows.ToTime(rows.Text(item, "startedAt")),
		FinishedAt:      rows.ToTime(rows.Text(item, "finishedAt")),
		Ended:           proposal.Status(rows.Text(item, "status")),
		AgentFallback:   rows.Boolean(item, "agentFallback"),
	}
	if err := store.Unpack(rows.Bytes(item, "profile"), &run.Profile); err != nil {
		return run, fmt.Errorf("read a run's profile: %w", err)
	}
	return run, nil
}

// event is a proposal.Entry as a row stores it.
type event struct {
	Kind   string         `json:"kind"`
	Name   string         `json:"name"`
	Status string         `json:"status"`
	Took   *time.Duration `json:"took,omitempty"`
}

func fromStep(at table.Key, step proposal.Step) (table.Item, error) {
	item := table.Item{
		table.PartitionAttribute: at.Partition,
		table.SortAttribute:      at.Sort,
		"stage":                  string(step.Stage),
		"status":                 string(step.Status),
		"line":                   step.Line,
		"startedAt":              rows.FromTime(step.StartedAt),
	}
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
	step := proposal.Step{
		Stage:     proposal.Stage(rows.Text(item, "stage")),
		Status:    proposal.StepStatus(rows.Text(item, "status")),
		Line:      rows.Text(item, "line"),
		StartedAt: rows.ToTime(rows.Text(item, "startedAt")),
		Took:      time.Duration(rows.Integer(item, "took")),
		Kept:      keptIn(item),
	}
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
