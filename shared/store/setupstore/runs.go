package setupstore

import (
	"context"
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
// The draft's row says whether a run is under way: its number is the draft's, and the draft's status is one of those in which a proposal is
// made. Every write of a run holds to that in its own transaction, so that nothing writes to one that is over: neither a stage that was
// taken for dead, nor one that comes late or twice. A draft keeps its last runsKept runs.
const (
	RunsKept    = 5
	maxProposal = table.MaxItemBytes - 4<<10 // bytes of a proposal in gzip: the row has little beside it
)

// ErrProposalTooLarge means that a proposal does not fit a row. What the rules of a proposal allow does.
var ErrProposalTooLarge = errors.New("store: the proposal is too large to be kept")

func runKey(key proposal.Key) table.Key {
	return table.Key{Partition: key.WorkspaceID, Sort: rows.SortRun + key.DraftID + "#" + fmt.Sprintf(rows.NumberDigits, key.Number)}
}

func proposalKey(key proposal.Key) table.Key {
	k := runKey(key)
	k.Sort += "#proposal"
	return k
}

func removeRun(key proposal.Key) (writes []table.Write) {
	writes = []table.Write{table.Delete{Table: rows.CoreTable, Key: runKey(key)}, table.Delete{Table: rows.CoreTable, Key: proposalKey(key)}}
	for _, stage := range proposal.Stages() {
		writes = append(writes, table.Delete{Table: rows.CoreTable, Key: stepKey(key, stage)})
	}
	return writes
}

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
		head, err := fromRun(key, proposal.Run{Domain: d.Domain, Tier: tier, Model: model, Profile: *d.Profile, ProfileRevision: d.ProfileRevision, StartedAt: now})
		if err != nil {
			return err
		}
		writes := []table.Write{
			table.Update{Table: rows.CoreTable, Key: rows.DraftKey(orgID, draftID), If: table.Equal("rev", d.Revision), Set: map[string]any{
				"run": key.Number, "status": string(proposal.Proposing), "updatedAt": rows.FromTime(now), "rev": d.Revision + 1,
				rows.AttrWork: rows.WorkSetup, rows.AttrDueAt: rows.FromTime(now.Add(limit)),
			}, Remove: []string{"message"}},
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
	if err := possible(key); err != nil {
		return run, err
	}
	head := runKey(key)
	items, err := store.AllOf(ctx, s.Kernel, "a run", table.Query{Partition: head.Partition, Prefix: head.Sort, Consistent: true},
		func(item table.Item) table.Item { return item })
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

// FinishRun ends a run: its draft, the run, the proposal and the last stage are one transaction. Of several ends the
// first stands, and the others return proposal.ErrOver. A stage that had ended stays as it is. Returns ErrNotFound and
// ErrProposalTooLarge.
func (s *Store) FinishRun(ctx context.Context, key proposal.Key, end proposal.End) error {
	if !end.Status.Settled() {
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
	if err := possible(key); err != nil {
		return err
	}
	var last []table.Get
	if end.Step != nil {
		if err := ends(*end.Step); err != nil {
			return err
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
		draft := table.Update{Table: rows.CoreTable, Key: rows.DraftKey(key.WorkspaceID, key.DraftID), If: isUnderWay(key.Number),
			Set: map[string]any{"status": string(end.Status), "updatedAt": now}, Add: map[string]int64{"rev": 1}, Remove: []string{rows.AttrWork, rows.AttrDueAt}}
		if end.Message != "" {
			draft.Set["message"] = end.Message
		}
		writes := []table.Write{draft, table.Update{Table: rows.CoreTable, Key: runKey(key), If: table.All(table.Present(), table.Missing("finishedAt")),
			Set: map[string]any{"finishedAt": now, "status": string(end.Status), "agentFallback": end.AgentFallback}}}
		if open {
			item, err := fromStep(stepKey(key, step.Stage), step)
			if err != nil {
				return err
			}
			writes = append(writes, table.Put{Table: rows.CoreTable, Item: item, If: condition})
		}
		if content != nil {
			at := proposalKey(key)
			writes = append(writes, table.Put{Table: rows.CoreTable, If: table.Absent(),
				Item: table.Item{table.PartitionAttribute: at.Partition, table.SortAttribute: at.Sort, "content": content}})
		}
		return s.Table.Transact(ctx, table.Transaction{Writes: writes})
	})
}

// isUnderWay returns the condition on a draft that its run of that number is under way.
func isUnderWay(number int64) table.Condition {
	return table.All(table.Equal("run", number), table.Any(table.Equal("status", string(proposal.Proposing)),
		table.Equal("status", string(proposal.Measuring)), table.Equal("status", string(proposal.Sampling))))
}

// possible returns ErrNotFound for a key that no run can have.
func possible(key proposal.Key) error {
	if !draftID(key.DraftID) || key.Number < 1 {
		return store.ErrNotFound
	}
	return nil
}

// underWay reads a possible run's draft, and the rows that beside names. Returns ErrNotFound, and proposal.ErrOver if
// the run is not under way.
func (s *Store) underWay(ctx context.Context, key proposal.Key, beside ...table.Get) ([]table.Item, error) {
	gets := append([]table.Get{{Table: rows.CoreTable, Key: rows.DraftKey(key.WorkspaceID, key.DraftID), Consistent: true}}, beside...)
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
	item := table.Item{table.PartitionAttribute: at.Partition, table.SortAttribute: at.Sort, "domain": run.Domain, "tier": string(run.Tier),
		"profile": profile, "profileRevision": run.ProfileRevision, "startedAt": rows.FromTime(run.StartedAt)}
	rows.Set(item, "model", run.Model)
	return item, nil
}

func toRun(key proposal.Key, item table.Item) (proposal.Run, error) {
	run := proposal.Run{DraftID: key.DraftID, Number: key.Number, Domain: rows.Text(item, "domain"), Tier: proposal.Tier(rows.Text(item, "tier")),
		Model: rows.Text(item, "model"), ProfileRevision: rows.Integer(item, "profileRevision"), StartedAt: rows.ToTime(rows.Text(item, "startedAt")),
		FinishedAt: rows.ToTime(rows.Text(item, "finishedAt")), Ended: proposal.Status(rows.Text(item, "status")), AgentFallback: rows.Boolean(item, "agentFallback")}
	if err := store.Unpack(rows.Bytes(item, "profile"), &run.Profile); err != nil {
		return run, fmt.Errorf("read a run's profile: %w", err)
	}
	return run, nil
}
