package setupstore

import (
	"context"
	"fmt"
	"slices"
	"time"

	"earshot/shared/port/table"
	"earshot/shared/proposal"
	"earshot/shared/store"
	"earshot/shared/store/rows"
)

// The life of a run, in its order: StartRunOnce begins it, BeginStep and EndStep record its stages, FinishRun ends it.
// Each is one transaction, on the condition that the run is under way: nothing writes to a run that is over, neither a
// stage that was taken for dead nor one that comes late or twice. proposal.Pipeline says which stages there are and
// what the draft's status is while one runs. runrows.go has the rows, and runread.go reads them.

// StartRun is StartRunOnce for a request without a name.
func (s *Store) StartRun(
	ctx context.Context, orgID, draftID string, tier proposal.Tier, model string, limit time.Duration,
) (key proposal.Key, started bool, err error) {
	return s.StartRunOnce(ctx, orgID, draftID, tier, model, limit, "")
}

// StartRunOnce begins a run that is taken for dead after limit, unless one is under way: then it returns that one, and
// false. However many calls begin at once, one does. A request begins one run: a repeat returns that run, whatever
// became of it. Returns ErrNotFound, ErrScanning, and ErrNoProfile for a draft whose scan failed and whose profile
// nobody wrote.
func (s *Store) StartRunOnce(
	ctx context.Context, orgID, draftID string, tier proposal.Tier, model string, limit time.Duration, request string,
) (key proposal.Key, started bool, err error) {
	err = s.Settle(ctx, "begin a run", func() error {
		item, err := s.draftRow(ctx, orgID, draftID)
		if err != nil {
			return err
		}
		d, err := toDraft(item)
		if err != nil {
			return err
		}
		earlier, err := s.MadeID(ctx, orgID, request)
		if err != nil {
			return err
		}
		key, started = proposal.Key{WorkspaceID: orgID, DraftID: draftID, Number: d.Run}, false
		switch {
		case earlier != 0:
			key.Number = earlier
			return nil
		case d.Status.Running():
			return nil
		case d.Status == proposal.Scanning:
			return ErrScanning
		case d.Profile == nil:
			return ErrNoProfile
		}
		key.Number++
		now := s.Instant()
		run := proposal.Run{
			Domain:          d.Domain,
			Tier:            tier,
			Guide:           proposal.GuideVersion,
			Model:           model,
			Profile:         *d.Profile,
			ProfileRevision: d.ProfileRevision,
			StartedAt:       now,
		}
		head, err := fromRun(key, run)
		if err != nil {
			return err
		}
		writes := []table.Write{
			table.Update{
				Table: rows.CoreTable,
				Key:   rows.DraftKey(orgID, draftID),
				If:    table.Equal("rev", d.Revision),
				Set: map[string]any{
					"run":          key.Number,
					"status":       string(run.Status()),
					"updatedAt":    rows.FromTime(now),
					"rev":          d.Revision + 1,
					rows.AttrWork:  rows.WorkSetup,
					rows.AttrDueAt: rows.FromTime(now.Add(limit)),
				},
				Remove: []string{"message"},
			},
			table.Put{Table: rows.CoreTable, Item: head, If: table.Absent()},
		}
		if old := key.Number - RunsKept; old > 0 {
			writes = append(writes, removeRun(proposal.Key{WorkspaceID: orgID, DraftID: draftID, Number: old})...)
		}
		writes = append(writes, s.Making(orgID, request, fmt.Sprint(key.Number))...)
		if err := s.Table.Transact(ctx, table.Transaction{Writes: writes}); err != nil {
			return err
		}
		started = true
		return nil
	})
	return key, started, err
}

// BeginStep records that a stage of a run is at work, and moves the draft to the stage's status, in one write. A step
// that has begun keeps its start. A step that has ended, and its draft, stay as they are. Both are returned as they
// stand. Returns ErrNotFound and proposal.ErrOver.
func (s *Store) BeginStep(ctx context.Context, key proposal.Key, step proposal.Step) (begun proposal.Step, err error) {
	stage, known := proposal.FindStage(step.Stage)
	if !known {
		return begun, checkStage(step.Stage)
	}
	if err := checkKey(key); err != nil {
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
			table.Update{
				Table: rows.CoreTable,
				Key:   rows.DraftKey(key.WorkspaceID, key.DraftID),
				If:    isUnderWay(key.Number),
				Add:   map[string]int64{"rev": 1},
				Set:   map[string]any{"status": string(stage.Status), "updatedAt": rows.FromTime(s.Clock.Now())},
			},
			table.Put{Table: rows.CoreTable, Item: item, If: table.Absent()},
		}})
	})
	return begun, err
}

// EndStep stores how a stage ended, with its outcome, which may be nil. The first end stands, and a later one is no
// error. A stage that never began may end. A step that is given as it began is ended without a read. Returns
// ErrNotFound and proposal.ErrOver.
func (s *Store) EndStep(ctx context.Context, key proposal.Key, step proposal.Step, outcome []byte) error {
	if err := checkEnded(step); err != nil {
		return err
	}
	if err := checkKey(key); err != nil {
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
			table.Check{
				Table: rows.CoreTable,
				Key:   rows.DraftKey(key.WorkspaceID, key.DraftID),
				If:    isUnderWay(key.Number),
			},
			table.Put{Table: rows.CoreTable, Item: item, If: condition},
		}
		if len(content.rows) == 1 {
			writes = append(writes, content.rows[0])
		}
		return s.Table.Transact(ctx, table.Transaction{Writes: writes})
	})
}

// FinishRun ends a run: its draft, the run, the proposal and the last stage are one transaction. Of several ends the
// first stands, and the others return proposal.ErrOver. A stage that had ended stays as it is. Returns ErrNotFound and
// ErrProposalTooLarge.
func (s *Store) FinishRun(ctx context.Context, key proposal.Key, end proposal.End) error {
	if !slices.Contains(proposal.EndStatuses(), end.Status) {
		return fmt.Errorf("end a run: %q is no end", end.Status)
	}
	var content []byte
	if end.Proposal != nil {
		var err error
		if content, err = store.Packed(end.Proposal); err != nil {
			return err
		}
		if len(content) > maxProposal {
			return ErrProposalTooLarge
		}
	}
	if err := checkKey(key); err != nil {
		return err
	}
	var last []table.Get
	if end.Step != nil {
		if err := checkEnded(*end.Step); err != nil {
			return err
		}
		if !end.Step.Stage.Last() {
			return fmt.Errorf("end a run: %s is not its last stage", end.Step.Stage)
		}
		last = append(last, table.Get{Table: rows.CoreTable, Key: stepKey(key, end.Step.Stage), Consistent: true})
	}
	return s.SettleUnread(ctx, "end a run", func(read bool) error {
		var step proposal.Step
		var condition table.Condition
		open := end.Step != nil
		if open {
			step = *end.Step
			condition = asBegun(step)
		}
		if read {
			items, err := s.underWay(ctx, key, last...)
			if err != nil {
				return err
			}
			if open {
				condition, open = asRead(&step, items[1])
			}
		}
		now := rows.FromTime(s.Clock.Now())
		draft := table.Update{
			Table: rows.CoreTable,
			Key:   rows.DraftKey(key.WorkspaceID, key.DraftID),
			If:    isUnderWay(key.Number),
			Set: map[string]any{
				"status":    string(end.Status),
				"updatedAt": now,
			},
			Add:    map[string]int64{"rev": 1},
			Remove: []string{rows.AttrWork, rows.AttrDueAt},
		}
		if end.Message != "" {
			draft.Set["message"] = end.Message
		}
		writes := []table.Write{
			draft,
			table.Update{
				Table: rows.CoreTable,
				Key:   runKey(key),
				If:    table.All(table.Present(), table.Missing("finishedAt")),
				Set: map[string]any{
					"finishedAt":    now,
					"status":        string(end.Status),
					"agentFallback": end.AgentFallback,
				},
			},
		}
		if open {
			item, err := fromStep(stepKey(key, step.Stage), step)
			if err != nil {
				return err
			}
			writes = append(writes, table.Put{Table: rows.CoreTable, Item: item, If: condition})
		}
		if content != nil {
			at := proposalKey(key)
			writes = append(writes, table.Put{
				Table: rows.CoreTable,
				If:    table.Absent(),
				Item: table.Item{
					table.PartitionAttribute: at.Partition,
					table.SortAttribute:      at.Sort,
					"content":                content,
				},
			})
		}
		return s.Table.Transact(ctx, table.Transaction{Writes: writes})
	})
}
