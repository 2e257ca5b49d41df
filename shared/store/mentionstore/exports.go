package mentionstore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/rows"
)

// Export is a list of mentions to write into a file.
type Export struct {
	ID          string // exp_…
	WorkspaceID string
	Status      ExportStatus
	Format      string // json, csv or parquet
	Request     []byte // the request, as JSON
	Rows        int    // written so far
	Truncated   bool   // more mentions match than an export holds: the newest are in it
	Key         string // of the file, once it exists
	Problem     string // why it failed, for people
	CreatedAt   time.Time
	FinishedAt  time.Time
	ExpiresAt   time.Time // when it and its file are gone
}

// FileKey returns the key of an export's file, in a folder named by the workspace's id.
func (e Export) FileKey() string { return rows.ExportFile(e.WorkspaceID, e.ID, e.Format) }

// ExportStatus is the state of an export.
type ExportStatus string

// The statuses.
const (
	ExportQueued    ExportStatus = "queued"
	ExportRunning   ExportStatus = "running"
	ExportCompleted ExportStatus = "completed"
	ExportFailed    ExportStatus = "failed"
)

// Settled reports whether the export has completed or failed.
func (s ExportStatus) Settled() bool { return s == ExportCompleted || s == ExportFailed }

// PutExport stores an export. Returns false, and stores nothing, if the stored export is settled.
func (s *Store) PutExport(ctx context.Context, e Export) (ok bool, err error) {
	err = s.Table.Put(ctx, putOf(e))
	var failed *table.ConditionFailed
	switch {
	case errors.As(err, &failed):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("store an export: %w", err)
	}
	return true, nil
}

// putOf returns the write of an export, under the condition that the stored one is not settled.
func putOf(e Export) table.Put {
	item := table.Item{
		table.PartitionAttribute: e.WorkspaceID,
		table.SortAttribute:      rows.SortExport + e.ID,
		"status":                 string(e.Status),
		"format":                 e.Format,
		"request":                e.Request,
		"rows":                   int64(e.Rows),
		"createdAt":              rows.FromTime(e.CreatedAt),
		table.ExpiryAttribute:    e.ExpiresAt.Unix(),
		"settled":                e.Status.Settled(),
	}
	rows.Set(item, "truncated", e.Truncated)
	rows.Set(item, "key", e.Key)
	rows.Set(item, "problem", e.Problem)
	rows.Set(item, "finishedAt", rows.FromTime(e.FinishedAt))
	open := table.Any(table.Absent(), table.Equal("settled", false))
	if e.Status.Settled() { // a repeat may meet its own first attempt
		own := table.All(
			table.Equal("status", string(e.Status)), table.Equal("finishedAt", rows.FromTime(e.FinishedAt)),
		)
		open = table.Any(open, own)
	}
	return table.Put{Table: rows.CountersTable, Item: item, If: open}
}

// BeginExport is PutExport and ExtendExportSlot at once, for an export that has the first slot, as most have. Returns
// false, and stores nothing, if it has not, or if the stored export is settled.
func (s *Store) BeginExport(ctx context.Context, e Export, until time.Time) (ok bool, err error) {
	return s.withFirstSlot(ctx, e, extendSlot(e.WorkspaceID, e.ID, 0, until, ownSlot(e.ID)))
}

// EndExport is PutExport and FreeExportSlot, at once for an export that has the first slot. A stored export that is
// settled stays as it is.
func (s *Store) EndExport(ctx context.Context, e Export, slots int) error {
	if ok, err := s.withFirstSlot(ctx, e, freeSlot(e.WorkspaceID, e.ID, 0)); ok || err != nil {
		return err
	}
	if _, err := s.PutExport(ctx, e); err != nil {
		return err
	}
	return s.FreeExportSlot(ctx, e.WorkspaceID, e.ID, slots)
}

// withFirstSlot stores an export and writes its workspace's first slot. Returns false if a condition fails.
func (s *Store) withFirstSlot(ctx context.Context, e Export, slot table.Write) (ok bool, err error) {
	err = s.Table.Transact(ctx, table.Transaction{Writes: []table.Write{putOf(e), slot}})
	var canceled *table.Canceled
	switch {
	case errors.As(err, &canceled) && (canceled.Failed(0) || canceled.Failed(1)):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("store an export with its slot: %w", err)
	}
	return true, nil
}

// Export reads an export. Returns ErrNotFound if there is none.
func (s *Store) Export(ctx context.Context, orgID, id string) (Export, error) {
	if id == "" || len(id) > maxExportID {
		return Export{}, store.ErrNotFound
	}
	item, err := s.Get(ctx, rows.CountersTable, table.Key{Partition: orgID, Sort: rows.SortExport + id})
	if err != nil {
		return Export{}, err
	}
	if item == nil {
		return Export{}, store.ErrNotFound
	}
	return toExport(orgID, id, item), nil
}

// toExport reads an export from its row.
func toExport(orgID, id string, item table.Item) Export {
	return Export{
		ID:          id,
		WorkspaceID: orgID,
		Status:      ExportStatus(rows.Text(item, "status")),
		Format:      rows.Text(item, "format"),
		Request:     rows.Bytes(item, "request"),
		Rows:        int(rows.Integer(item, "rows")),
		Truncated:   rows.Boolean(item, "truncated"),
		Key:         rows.Text(item, "key"),
		Problem:     rows.Text(item, "problem"),
		CreatedAt:   rows.ToTime(rows.Text(item, "createdAt")),
		FinishedAt:  rows.ToTime(rows.Text(item, "finishedAt")),
		ExpiresAt:   time.Unix(rows.Integer(item, table.ExpiryAttribute), 0).UTC(),
	}
}

const maxExportID = 64 // bytes

// HoldExportSlot takes one of the workspace's slots for an export, or extends the one that the export has, until then.
// Returns false if other exports hold all slots. A slot is free once its time is over.
func (s *Store) HoldExportSlot(ctx context.Context, orgID, exportID string, slots int, until time.Time) (bool, error) {
	if held, err := s.ExtendExportSlot(ctx, orgID, exportID, slots, until); held || err != nil {
		return held, err
	}
	now := s.Clock.Now().UnixMilli()
	free := table.Any( // its own when a repeat meets it
		table.Missing("export"), table.Less("until", now), ownSlot(exportID),
	)
	return s.holdFirst(ctx, orgID, exportID, slots, until, free)
}

// ExtendExportSlot extends the slot that an export has until then. Returns false if it has none.
func (s *Store) ExtendExportSlot(
	ctx context.Context, orgID, exportID string, slots int, until time.Time,
) (bool, error) {
	return s.holdFirst(ctx, orgID, exportID, slots, until, ownSlot(exportID))
}

// holdFirst gives an export the first slot that the condition allows. Returns false if there is none.
func (s *Store) holdFirst(
	ctx context.Context, orgID, exportID string, slots int, until time.Time, condition table.Condition,
) (bool, error) {
	for slot := range slots {
		_, err := s.Table.Update(ctx, extendSlot(orgID, exportID, slot, until, condition))
		var failed *table.ConditionFailed
		switch {
		case err == nil:
			return true, nil
		case !errors.As(err, &failed):
			return false, fmt.Errorf("hold a slot for an export: %w", err)
		}
	}
	return false, nil
}

// FreeExportSlot frees the export's slot, if it has one. It tries one slot after the other, because most exports have the
// first. Of an export that took two slots by two calls at once it frees the first: each of the calls frees one.
func (s *Store) FreeExportSlot(ctx context.Context, orgID, exportID string, slots int) error {
	for slot := range slots {
		err := s.Table.Delete(ctx, freeSlot(orgID, exportID, slot))
		var failed *table.ConditionFailed
		switch {
		case err == nil:
			return nil
		case !errors.As(err, &failed):
			return fmt.Errorf("free the slot of an export: %w", err)
		}
	}
	return nil
}

func ownSlot(exportID string) table.Condition { return table.Equal("export", exportID) }

func extendSlot(orgID, exportID string, slot int, until time.Time, condition table.Condition) table.Update {
	return table.Update{Table: rows.CountersTable, Key: exportSlot(orgID, slot), If: condition,
		Set: map[string]any{"export": exportID, "until": until.UnixMilli()}}
}

func freeSlot(orgID, exportID string, slot int) table.Delete {
	return table.Delete{Table: rows.CountersTable, Key: exportSlot(orgID, slot), If: ownSlot(exportID)}
}

func exportSlot(orgID string, slot int) table.Key {
	return table.Key{Partition: orgID, Sort: fmt.Sprintf("%s%d", rows.SortExportSlot, slot)}
}
