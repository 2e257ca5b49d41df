package workspacestore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/rows"
	"earshot/shared/workspace"
)

// reservationTime is how long a place stays reserved: longer than any request may take.
const reservationTime = 5 * time.Minute

var (
	// ErrAgencyFull means that the agency has no room for a further workspace.
	ErrAgencyFull = errors.New("store: the agency has no room for a further workspace")
	// ErrReservationLost means that the place is no longer reserved for this request: the purge has begun, or another
	// request of the same name has taken the place over.
	ErrReservationLost = errors.New("store: the place for the workspace is not kept any longer")
	// ErrWorkspaceMade means that the workspace was made.
	ErrWorkspaceMade = errors.New("store: the workspace was made")
)

// Reservation is the place that an agency reserves for a workspace in the making.
type Reservation struct {
	AgencyID    string
	WorkspaceID string
	Request     string    // name of a request that a client may repeat (once.go); empty if it may not
	Until       time.Time // from when the place is purged
	Made        bool      // the request is a repeat, and its workspace was made; it may have been deleted since
}

// listing returns the key of the workspace's row in the agency.
func (r Reservation) listing() table.Key {
	return table.Key{Partition: r.AgencyID, Sort: rows.SortMember + r.WorkspaceID}
}

// ReserveWorkspace reserves a place for a workspace. It is exact against the agency's limit, however many requests run
// at once. A repeat of a request returns the place that the first reserved, or the workspace that the first made
// (Made). Returns ErrNotFound if there is no such agency, and ErrAgencyFull. After any other error the returned place
// may be reserved.
func (s *Store) ReserveWorkspace(ctx context.Context, agencyID, request string) (r Reservation, err error) {
	id := workspace.NewID(workspace.PrefixWorkspace, s.Clock.Now())
	err = s.Settle(ctx, "reserve a workspace", func() error {
		r = Reservation{AgencyID: agencyID, WorkspaceID: id, Request: request, Until: s.Instant().Add(reservationTime)}
		agency, err := s.Row(ctx, rows.OwnerKey(agencyID))
		if err != nil {
			return err
		}
		earlier, err := s.Made(ctx, agencyID, request)
		if earlier != "" {
			r.WorkspaceID, r.Made = earlier, true
		}
		if err != nil || r.Made {
			return err
		}
		places, err := s.places(ctx, agencyID)
		if err != nil {
			return err
		}
		version := rows.Integer(agency, "version")
		writes := []table.Write{
			table.Update{Table: rows.CoreTable, Key: rows.OwnerKey(agencyID), If: table.Equal("version", version),
				Set: map[string]any{"version": version + 1}},
		}
		if own := slices.IndexFunc(
			places, func(p table.Item) bool { return request != "" && rows.Text(p, "request") == request },
		); own >= 0 {
			kept := toReservation(places[own])
			purge, err := s.Get(ctx, rows.CoreTable, rows.PurgeKey(kept.WorkspaceID))
			if err != nil {
				return err
			}
			if rows.Text(purge, rows.AttrDueAt) == rows.FromTime(kept.Until) {
				r.WorkspaceID = kept.WorkspaceID
				return s.Table.Transact(ctx, table.Transaction{Writes: append(writes, r.keep(kept)...)})
			}
			// The purge of that place has begun. Nothing is made of it any more, and the new reservation may take it.
			writes = append(
				writes, table.Delete{Table: rows.CoreTable, Key: kept.listing(), If: table.Has(rows.AttrMaking)},
			)
			places = slices.Delete(places, own, own+1)
		}
		if int64(len(places)) >= rows.Integer(agency, "workspaceLimit") {
			return ErrAgencyFull
		}
		return s.Table.Transact(ctx, table.Transaction{Writes: append(writes, r.keep(Reservation{})...)})
	})
	return r, err
}

// keep returns the writes that reserve a place, in place of the reservation that was read, or of none if before is
// zero.
func (r Reservation) keep(before Reservation) []table.Write {
	listing, purge := r.listing(), rows.Purging(r.WorkspaceID, r.Until)
	purge.Item[rows.AttrForAgency] = r.AgencyID
	put := table.Put{
		Table: rows.CoreTable,
		Item: table.Item{table.PartitionAttribute: listing.Partition, table.SortAttribute: listing.Sort,
			rows.AttrMaking: true, "until": rows.FromTime(r.Until)},
	}
	rows.Set(put.Item, "request", r.Request)
	put.If, purge.If = table.Absent(), table.Absent()
	if before.WorkspaceID != "" {
		put.If, purge.If = before.kept(), before.unpurged()
	}
	return []table.Write{put, purge}
}

// kept returns the condition that the listing is reserved for this request.
func (r Reservation) kept() table.Condition {
	return table.All(table.Has(rows.AttrMaking), table.Equal("until", rows.FromTime(r.Until)))
}

// unpurged returns the condition that no purge of the place has begun.
func (r Reservation) unpurged() table.Condition {
	return table.Equal(rows.AttrDueAt, rows.FromTime(r.Until))
}

func toReservation(item table.Item) Reservation {
	key := table.KeyOf(item)
	return Reservation{
		AgencyID:    key.Partition,
		WorkspaceID: key.Sort[len(rows.SortMember):],
		Request:     rows.Text(item, "request"),
		Until:       rows.ToTime(rows.Text(item, "until")),
	}
}

// OpenWorkspace makes the workspace of a reserved place, and its company profile unless that is empty. It sets ID,
// AgencyID and CreatedAt. Returns ErrReservationLost. After any other error the workspace may have been made.
func (s *Store) OpenWorkspace(
	ctx context.Context, r Reservation, w workspace.Workspace, c workspace.Company,
) (AgencyWorkspace, error) {
	w.ID, w.AgencyID, w.CreatedAt = r.WorkspaceID, r.AgencyID, s.Instant()
	writes := append([]table.Write{
		table.Delete{Table: rows.CoreTable, Key: rows.PurgeKey(r.WorkspaceID), If: r.unpurged()},
		table.Update{
			Table:  rows.CoreTable,
			Key:    r.listing(),
			If:     r.kept(),
			Set:    map[string]any{"createdAt": rows.FromTime(w.CreatedAt)},
			Remove: []string{rows.AttrMaking, "until", "request"},
		},
	}, founding(w)...)
	if c.Domain != "" {
		c.Revision, c.UpdatedAt = 1, w.CreatedAt
		writes = append(writes, table.Put{Table: rows.CoreTable, Item: companyRow(w.ID, c), If: table.Absent()})
	}
	err := s.Table.Transact(ctx, table.Transaction{Writes: append(writes, s.Making(r.AgencyID, r.Request, w.ID)...)})
	var canceled *table.Canceled
	switch {
	case errors.As(err, &canceled) && canceled.Has(table.ReasonCondition):
		return AgencyWorkspace{}, ErrReservationLost
	case err != nil:
		return AgencyWorkspace{}, fmt.Errorf("open a workspace: %w", err)
	}
	return AgencyWorkspace{Workspace: w, Domain: c.Domain}, nil
}

// AbandonWorkspace ends a reservation: the place is free, and nobody can make the workspace any more. The caller
// deletes what else there may be of the workspace and then calls ForgetWorkspace; otherwise the purge deletes it. A
// missing place is no error. Returns ErrWorkspaceMade if it is too late. Returns ErrReservationLost if another request
// holds the place or the purge has begun.
func (s *Store) AbandonWorkspace(ctx context.Context, r Reservation) error {
	return s.Settle(ctx, "abandon a workspace", func() error {
		item, err := s.Get(ctx, rows.CoreTable, r.listing())
		switch {
		case err != nil || item == nil:
			return err
		case item[rows.AttrMaking] == nil:
			return ErrWorkspaceMade
		case rows.Text(item, "until") != rows.FromTime(r.Until):
			return ErrReservationLost
		}
		err = s.Table.Transact(ctx, table.Transaction{Writes: []table.Write{
			table.Check{Table: rows.CoreTable, Key: rows.PurgeKey(r.WorkspaceID), If: r.unpurged()},
			table.Delete{Table: rows.CoreTable, Key: r.listing(), If: r.kept()},
		}})
		var canceled *table.Canceled
		if errors.As(err, &canceled) && canceled.Failed(0) && !canceled.Failed(1) {
			return ErrReservationLost
		}
		return err
	})
}

// ForgetWorkspace records that nothing is left of an abandoned workspace, so that there is nothing to purge.
func (s *Store) ForgetWorkspace(ctx context.Context, r Reservation) error {
	err := s.Table.Delete(ctx, table.Delete{Table: rows.CoreTable, Key: rows.PurgeKey(r.WorkspaceID), If: r.unpurged()})
	var failed *table.ConditionFailed
	if err != nil && !errors.As(err, &failed) { // it is gone, or the purge has begun
		return fmt.Errorf("forget a workspace: %w", err)
	}
	return nil
}

// DeleteAgencyWorkspace deletes a workspace of the agency as DeleteWorkspace does. A repeat of the request returns nil.
// Returns ErrNotFound if the workspace is not the agency's.
func (s *Store) DeleteAgencyWorkspace(ctx context.Context, agencyID, id, request string) error {
	return s.Settle(ctx, "delete an agency's workspace", func() error {
		item, err := s.Get(ctx, rows.CoreTable, rows.OwnerKey(id))
		if err != nil {
			return err
		}
		if item == nil || rows.Text(item, "agencyId") != agencyID {
			earlier, err := s.Made(ctx, agencyID, request)
			if err == nil && (earlier == "" || earlier != id) {
				err = store.ErrNotFound
			}
			return err
		}
		return s.Table.Transact(
			ctx, table.Transaction{Writes: append(s.deletion(item), s.Making(agencyID, request, id)...)},
		)
	})
}

// places reads the rows of an agency's workspaces, including those in the making.
func (s *Store) places(ctx context.Context, agencyID string) ([]table.Item, error) {
	query := table.Query{Partition: agencyID, Prefix: rows.SortMember, Consistent: true}
	return store.AllOf(ctx, s.Kernel, "an agency's workspaces", query, func(item table.Item) table.Item { return item })
}

// AgencyPlaces counts what an agency's limit bounds: its workspaces and those in the making.
func (s *Store) AgencyPlaces(ctx context.Context, agencyID string) (int, error) {
	places, err := s.places(ctx, agencyID)
	return len(places), err
}

// AgencyWorkspaces lists the ids of an agency's workspaces, oldest first, without those in the making.
func (s *Store) AgencyWorkspaces(ctx context.Context, agencyID string) ([]string, error) {
	places, err := s.places(ctx, agencyID)
	if err != nil {
		return nil, err
	}
	ids := make([]string, 0, len(places))
	for _, place := range places {
		if place[rows.AttrMaking] == nil {
			ids = append(ids, table.KeyOf(place).Sort[len(rows.SortMember):])
		}
	}
	return ids, nil
}

// AgencyWorkspace is a workspace as its agency lists it.
type AgencyWorkspace struct {
	workspace.Workspace
	Domain string // of its company profile; empty if that has none
}

// AgencyWorkspacesInFull lists an agency's workspaces, oldest first: one query, and one batch for fifty of them.
func (s *Store) AgencyWorkspacesInFull(ctx context.Context, agencyID string) ([]AgencyWorkspace, error) {
	ids, err := s.AgencyWorkspaces(ctx, agencyID)
	if err != nil {
		return nil, err
	}
	return s.agencyWorkspaces(ctx, agencyID, ids)
}

// AgencyWorkspace reads a workspace of an agency. Returns ErrNotFound if the workspace is not the agency's.
func (s *Store) AgencyWorkspace(ctx context.Context, agencyID, id string) (AgencyWorkspace, error) {
	found, err := s.agencyWorkspaces(ctx, agencyID, []string{id})
	switch {
	case err != nil:
		return AgencyWorkspace{}, err
	case len(found) == 0:
		return AgencyWorkspace{}, store.ErrNotFound
	}
	return found[0], nil
}

// agencyWorkspaces reads those of the workspaces that exist and are the agency's, oldest first.
func (s *Store) agencyWorkspaces(ctx context.Context, agencyID string, ids []string) ([]AgencyWorkspace, error) {
	gets := make([]table.Get, 0, 2*len(ids))
	for _, id := range ids {
		gets = append(gets, table.Get{Table: rows.CoreTable, Key: rows.OwnerKey(id), Consistent: true},
			table.Get{Table: rows.CoreTable, Key: rows.CompanyKey(id), Consistent: true})
	}
	items, err := table.GetAll(ctx, s.Table, gets)
	if err != nil {
		return nil, fmt.Errorf("read an agency's workspaces: %w", err)
	}
	found := make([]AgencyWorkspace, 0, len(ids))
	for i := 0; i < len(items); i += 2 {
		if rows.Text(items[i], "agencyId") == agencyID { // else it has been deleted meanwhile
			found = append(found, AgencyWorkspace{rows.ToWorkspace(items[i]), rows.ToCompany(items[i+1]).Domain})
		}
	}
	slices.SortFunc(found, func(a, b AgencyWorkspace) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), strings.Compare(a.ID, b.ID))
	})
	return found, nil
}
