package setupstore

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"earshot/shared/mention"
	"earshot/shared/port/table"
	"earshot/shared/proposal"
	"earshot/shared/store"
	"earshot/shared/store/rows"
	"earshot/shared/workspace"
)

// MaxDrafts is how many drafts a workspace keeps.
const MaxDrafts = 200

// Errors of drafts.
var (
	ErrScanning   = errors.New("store: the draft's site is still being scanned")
	ErrNoProfile  = errors.New("store: the draft has no profile")
	ErrDraftLimit = errors.New("store: the workspace has as many drafts as it can, and something is under way for each")
)

// CreateDraftOnce makes a draft whose scan is under way. A request makes one: a repeat returns that draft as it is now,
// or ErrNotFound if a newer draft has replaced it. Returns ErrDraftLimit.
func (s *Store) CreateDraftOnce(ctx context.Context, orgID, domain, request string) (d proposal.Draft, err error) {
	full := false
	err = s.Settle(ctx, "create a draft", func() error {
		earlier, err := s.Made(ctx, orgID, request)
		if err != nil {
			return err
		}
		if earlier != "" {
			d, err = s.Draft(ctx, orgID, earlier)
			return err
		}
		now := s.Instant()
		d = proposal.Draft{ID: workspace.NewID(proposal.PrefixDraft, now), Domain: domain, Status: proposal.Scanning,
			DueAt: now.Add(proposal.ScanLimit), CreatedAt: now, UpdatedAt: now, Revision: 1}
		item, err := fromDraft(orgID, d)
		if err != nil {
			return err
		}
		writes := []table.Write{table.Put{Table: rows.CoreTable, Item: item, If: table.Absent()}}
		if full {
			gone, err := s.givesWay(ctx, orgID)
			if err != nil {
				return err
			}
			writes = append(writes, gone...)
		} else {
			writes = append(
				writes,
				table.Update{Table: rows.CoreTable, Key: table.Key{Partition: orgID, Sort: rows.SortDrafts},
					If: rows.Room("drafts", 1, MaxDrafts), Add: map[string]int64{"drafts": 1}},
			)
		}
		err = s.Table.Transact(ctx, table.Transaction{Writes: append(writes, s.Making(orgID, request, d.ID)...)})
		var canceled *table.Canceled
		if errors.As(err, &canceled) && !full && canceled.Failed(1) {
			full = true
		}
		return err
	})
	return d, err
}

// RestoreDraft stores a draft with a given id, for the data that a deployment starts with. Returns ErrConflict if the
// id is taken.
func (s *Store) RestoreDraft(ctx context.Context, orgID string, d proposal.Draft) error {
	if !draftID(d.ID) {
		return fmt.Errorf("restore a draft: %q is no draft's id", d.ID)
	}
	item, err := fromDraft(orgID, d)
	if err != nil {
		return err
	}
	err = s.Table.Transact(
		ctx,
		table.Transaction{Writes: []table.Write{
			table.Put{Table: rows.CoreTable, Item: item, If: table.Absent()},
			table.Update{
				Table: rows.CoreTable,
				Key:   table.Key{Partition: orgID, Sort: rows.SortDrafts},
				Add:   map[string]int64{"drafts": 1},
			},
		}},
	)
	done, err := store.Conditional(err, "restore a draft")
	if err == nil && !done {
		err = store.ErrConflict
	}
	return err
}

// givesWay returns the writes that delete the draft that a new one replaces, on the condition that it is as it was
// read, and those that delete its runs.
func (s *Store) givesWay(ctx context.Context, orgID string) ([]table.Write, error) {
	var applied *proposal.Draft
	query := table.Query{Table: rows.CoreTable, Partition: orgID, Prefix: rows.SortDraft, Limit: 25, Consistent: true}
	for {
		page, err := s.Table.Query(ctx, query)
		if err != nil {
			return nil, fmt.Errorf("look for a draft to replace: %w", err)
		}
		for _, item := range page.Items {
			d, err := toDraft(item)
			switch {
			case err != nil:
				return nil, err
			case d.Status == proposal.Applied && applied == nil:
				applied = &d
			case d.Status != proposal.Applied && d.Status.Settled():
				return removeDraft(orgID, d), nil
			}
		}
		if page.Next == nil {
			break
		}
		query.After = page.Next
	}
	if applied == nil {
		return nil, ErrDraftLimit
	}
	return removeDraft(orgID, *applied), nil
}

func removeDraft(orgID string, d proposal.Draft) []table.Write {
	writes := []table.Write{
		table.Delete{Table: rows.CoreTable, Key: rows.DraftKey(orgID, d.ID), If: table.Equal("rev", d.Revision)},
	}
	for number := max(d.Run-RunsKept+1, 1); number <= d.Run; number++ {
		writes = append(writes, removeRun(proposal.Key{WorkspaceID: orgID, DraftID: d.ID, Number: number})...)
	}
	return writes
}

// Draft reads a draft. Returns ErrNotFound if there is none.
func (s *Store) Draft(ctx context.Context, orgID, id string) (proposal.Draft, error) {
	item, err := s.draftRow(ctx, orgID, id)
	if err != nil {
		return proposal.Draft{}, err
	}
	return toDraft(item)
}

// draftRow reads a draft's row. Returns ErrNotFound if there is none, or if no draft can have the id.
func (s *Store) draftRow(ctx context.Context, orgID, id string) (table.Item, error) {
	if !draftID(id) {
		return nil, store.ErrNotFound
	}
	return s.Row(ctx, rows.DraftKey(orgID, id))
}

func draftID(id string) bool {
	return strings.HasPrefix(id, proposal.PrefixDraft) && len(id) <= proposal.MaxDraftID && !strings.Contains(id, "#")
}

// ScanDone ends a scan. With a profile the draft is scanned. Without one the scan has failed, and message says why. A
// draft that is not being scanned stays as it is. Returns ErrNotFound if there is no such draft.
func (s *Store) ScanDone(ctx context.Context, orgID, id string, profile *proposal.Profile, message string) error {
	return s.Settle(ctx, "end a scan", func() error {
		item, err := s.draftRow(ctx, orgID, id)
		if err != nil || proposal.Status(rows.Text(item, "status")) != proposal.Scanning {
			return err
		}
		change := table.Update{
			Table: rows.CoreTable,
			Key:   rows.DraftKey(orgID, id),
			If:    table.Equal("status", string(proposal.Scanning)),
			Set: map[string]any{
				"status":    string(proposal.Failed),
				"message":   message,
				"updatedAt": rows.FromTime(s.Clock.Now()),
			},
			Add:    map[string]int64{"rev": 1},
			Remove: []string{rows.AttrWork, rows.AttrDueAt},
		}
		if profile != nil {
			content, err := store.Packed(profile)
			if err != nil {
				return err
			}
			change.Set["status"], change.Set["profile"] = string(proposal.Scanned), content
			change.Add["profileRevision"] = 1
			delete(change.Set, "message")
			change.Remove = append(change.Remove, "message")
		}
		return s.Table.Transact(ctx, table.Transaction{Writes: []table.Write{change}})
	})
}

// EditProfile changes a draft's profile and returns the draft. The change may be called more than once. Nothing is
// written if it changes nothing. A draft whose scan failed begins with an empty profile, and is scanned from then on.
// Returns ErrNotFound, ErrScanning while a scan would overwrite the change, ErrConflict if others keep changing it, and
// the change's own error.
func (s *Store) EditProfile(
	ctx context.Context, orgID, id string, change func(*proposal.Profile) error,
) (d proposal.Draft, err error) {
	err = s.Settle(ctx, "edit a profile", func() error {
		item, err := s.draftRow(ctx, orgID, id)
		if err != nil {
			return err
		}
		if d, err = toDraft(item); err != nil {
			return err
		}
		if d.Status == proposal.Scanning {
			return ErrScanning
		}
		before := proposal.Profile{Language: mention.Undetermined}
		if d.Profile != nil {
			before = *d.Profile
		}
		after := before.Clone()
		if err := change(&after); err != nil || after.Same(before) {
			return err
		}
		unscanned := d.Profile == nil
		d.Profile, d.ProfileRevision, d.UpdatedAt, d.Revision = &after, d.ProfileRevision+1, s.Instant(), d.Revision+1
		content, err := store.Packed(after)
		if err != nil {
			return err
		}
		edit := table.Update{
			Table: rows.CoreTable,
			Key:   rows.DraftKey(orgID, id),
			If:    table.Equal("rev", d.Revision-1),
			Set: map[string]any{
				"profile":         content,
				"profileRevision": d.ProfileRevision,
				"updatedAt":       rows.FromTime(d.UpdatedAt),
				"rev":             d.Revision,
			},
		}
		if unscanned {
			d.Status, d.Message = proposal.Scanned, ""
			edit.Set["status"], edit.Remove = string(d.Status), []string{"message"}
		}
		return s.Table.Transact(ctx, table.Transaction{Writes: []table.Write{edit}})
	})
	return d, err
}

// DueSetups lists drafts whose scan or run is overdue and taken for dead, the longest overdue first, at most limit. It
// reads an index, which may lag, and then each draft's row.
func (s *Store) DueSetups(ctx context.Context, limit int) ([]proposal.Due, error) {
	items, err := s.DueRows(ctx, rows.WorkSetup, limit)
	if err != nil {
		return nil, err
	}
	due := []proposal.Due{}
	for _, row := range items {
		key, status := table.KeyOf(row), proposal.Status(rows.Text(row, "status"))
		if !status.Settled() {
			due = append(
				due,
				proposal.Due{
					WorkspaceID: key.Partition,
					DraftID:     strings.TrimPrefix(key.Sort, rows.SortDraft),
					Status:      status,
					Run:         rows.Integer(row, "run"),
				},
			)
		}
	}
	return due, nil
}

func fromDraft(orgID string, d proposal.Draft) (table.Item, error) {
	key := rows.DraftKey(orgID, d.ID)
	item := table.Item{
		table.PartitionAttribute: key.Partition,
		table.SortAttribute:      key.Sort,
		"rev":                    d.Revision,
		"domain":                 d.Domain,
		"status":                 string(d.Status),
		"createdAt":              rows.FromTime(d.CreatedAt),
		"updatedAt":              rows.FromTime(d.UpdatedAt),
	}
	rows.Set(item, "message", d.Message)
	rows.Set(item, "profileRevision", d.ProfileRevision)
	rows.Set(item, "run", d.Run)
	if d.Profile != nil {
		content, err := store.Packed(d.Profile)
		if err != nil {
			return nil, err
		}
		item["profile"] = content
	}
	if !d.Status.Settled() {
		item[rows.AttrWork], item[rows.AttrDueAt] = rows.WorkSetup, rows.FromTime(d.DueAt)
	}
	return item, nil
}

func toDraft(item table.Item) (proposal.Draft, error) {
	d := proposal.Draft{
		ID:              strings.TrimPrefix(table.KeyOf(item).Sort, rows.SortDraft),
		Domain:          rows.Text(item, "domain"),
		Status:          proposal.Status(rows.Text(item, "status")),
		Message:         rows.Text(item, "message"),
		ProfileRevision: rows.Integer(item, "profileRevision"),
		Run:             rows.Integer(item, "run"),
		DueAt:           rows.ToTime(rows.Text(item, rows.AttrDueAt)),
		CreatedAt:       rows.ToTime(rows.Text(item, "createdAt")),
		UpdatedAt:       rows.ToTime(rows.Text(item, "updatedAt")),
		Revision:        rows.Integer(item, "rev"),
	}
	if content := rows.Bytes(item, "profile"); content != nil {
		d.Profile = &proposal.Profile{}
		if err := store.Unpack(content, d.Profile); err != nil {
			return proposal.Draft{}, fmt.Errorf("read a draft's profile: %w", err)
		}
	}
	return d, nil
}
