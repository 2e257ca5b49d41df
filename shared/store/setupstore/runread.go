package setupstore

import (
	"context"
	"fmt"

	"earshot/shared/port/table"
	"earshot/shared/proposal"
	"earshot/shared/store"
	"earshot/shared/store/rows"
)

// Setup reads a draft and its last run, both as of one moment; a draft for which no run was begun has the zero Run. It
// is two reads, and another of the run while its end is half visible. The rows of a run decide: the draft's status and
// run always agree, whatever was written between the reads. Returns ErrNotFound.
func (s *Store) Setup(ctx context.Context, orgID, draftID string) (d proposal.Draft, run proposal.Run, err error) {
	d, err = s.Draft(ctx, orgID, draftID)
	if err != nil || d.Run == 0 {
		return d, proposal.Run{}, err
	}
	for range tornReads {
		run, err = s.SetupRun(ctx, proposal.Key{WorkspaceID: orgID, DraftID: draftID, Number: d.Run})
		if err != nil {
			return d, run, err
		}
		if !run.Torn() {
			break
		}
	}
	run = run.AtOneMoment()
	if d.Status != proposal.Applied { // nothing but its own application changes the status of a draft whose run has ended
		d.Status = run.Status()
	}
	return d, run, nil
}

// tornReads is how often Setup reads a run at most. A transaction's rows become visible within milliseconds of each
// other.
const tornReads = 4

// SetupRun reads a run with its steps and, if it ended with one, its proposal, in one query. Returns ErrNotFound if
// there is no such run.
func (s *Store) SetupRun(ctx context.Context, key proposal.Key) (run proposal.Run, err error) {
	if err := checkKey(key); err != nil {
		return run, err
	}
	head := runKey(key)
	items, err := store.AllOf(
		ctx, s.Kernel, "a run", table.Query{Partition: head.Partition, Prefix: head.Sort, Consistent: true},
		func(item table.Item) table.Item { return item },
	)
	if err != nil {
		return run, err
	}
	if len(items) == 0 || table.KeyOf(items[0]) != head {
		return run, store.ErrNotFound
	}
	if run, err = toRun(key, items[0]); err != nil {
		return run, err
	}
	for _, item := range items[1:] {
		if table.KeyOf(item) != proposalKey(key) {
			step, err := toStep(item)
			if err != nil {
				return run, err
			}
			run.Steps = append(run.Steps, step)
			continue
		}
		run.Proposal = &proposal.Proposal{}
		if err := store.Unpack(rows.Bytes(item, "content"), run.Proposal); err != nil {
			return run, fmt.Errorf("read a proposal: %w", err)
		}
	}
	return run, nil
}
