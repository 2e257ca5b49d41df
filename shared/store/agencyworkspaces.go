package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"earshot/shared/port/table"
	"earshot/shared/workspace"
)

// A workspace of an agency is made in two transactions, with the identity provider's group in between, so that nothing of it is left when
// the process dies. The first keeps a place: the row pk agc_… sk "workspace#org_…" has "making" then, with "until" and the "request" that
// asked for it, and the purge row of the workspace that is to be (purge.go) is due at "until". The second makes the workspace, takes
// "making" off and the purge row away. Unless it comes, the purge takes away what there is, the place included.
//
// A place that is kept counts against the agency's limit. Whoever keeps one raises the agency's "version", so that of those who count at
// the same time one counts anew.
const attrMaking = "making"

// reservationTime is how long a place is kept: longer than any request may take.
const reservationTime = 5 * time.Minute

var (
	// ErrAgencyFull means that the agency has no room for a further workspace.
	ErrAgencyFull = errors.New("store: the agency has no room for a further workspace")
	// ErrReservationLost means that the place is kept for this request no longer: the purge has begun, or another request of the same name
	// has taken the place over.
	ErrReservationLost = errors.New("store: the place for the workspace is not kept any longer")
	// ErrWorkspaceMade means that the workspace was made.
	ErrWorkspaceMade = errors.New("store: the workspace was made")
)

// A Reservation is the place that an agency keeps for a workspace which is being made.
type Reservation struct {
	AgencyID    string
	WorkspaceID string
	Request     string    // names what a client may send again (once.go); empty: not to be repeated
	Until       time.Time // from then on the place is purged
	Made        bool      // the request is a repeat, and made the workspace; it may have been deleted since
}

// listing is the row of a workspace of the agency.
func (r Reservation) listing() table.Key {
	return table.Key{Partition: r.AgencyID, Sort: sortMember + r.WorkspaceID}
}

// ReserveWorkspace keeps a place for a workspace that is to be made, exact against the agency's limit however many ask at once. A repeat
// of a request finds the place that it keeps. Answers ErrNotFound when there is no such agency and ErrAgencyFull; with any other error it
// may have kept the place that it answers.
func (s *Store) ReserveWorkspace(ctx context.Context, agencyID, request string) (r Reservation, err error) {
	id := workspace.NewID(workspace.PrefixWorkspace, s.clock.Now())
	err = s.settle(ctx, "reserve a workspace", func() error {
		r = Reservation{AgencyID: agencyID, WorkspaceID: id, Request: request, Until: s.instant().Add(reservationTime)}
		agency, err := s.row(ctx, ownerKey(agencyID))
		if err != nil {
			return err
		}
		earlier, err := s.made(ctx, agencyID, request)
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
		version := integer(agency, "version")
		writes := []table.Write{table.Update{Table: CoreTable, Key: ownerKey(agencyID), If: table.Equal("version", version),
			Set: map[string]any{"version": version + 1}}}
		if own := slices.IndexFunc(places, func(p table.Item) bool { return request != "" && str(p, "request") == request }); own >= 0 {
			kept := toReservation(places[own])
			purge, err := s.get(ctx, CoreTable, purgeKey(kept.WorkspaceID))
			if err != nil {
				return err
			}
			if str(purge, attrDueAt) == fromTime(kept.Until) {
				r.WorkspaceID = kept.WorkspaceID
				return s.table.Transact(ctx, table.Transaction{Writes: append(writes, r.keep(kept)...)})
			}
			// The purge has begun with it: nothing is to be made of that place, and the new one may take it.
			writes = append(writes, table.Delete{Table: CoreTable, Key: kept.listing(), If: table.Has(attrMaking)})
			places = slices.Delete(places, own, own+1)
		}
		if int64(len(places)) >= integer(agency, "workspaceLimit") {
			return ErrAgencyFull
		}
		return s.table.Transact(ctx, table.Transaction{Writes: append(writes, r.keep(Reservation{})...)})
	})
	return r, err
}

// keep is the part of a transaction that keeps a place, in place of the reservation that was read; the zero one: of none.
func (r Reservation) keep(before Reservation) []table.Write {
	listing, purge := r.listing(), purging(r.WorkspaceID, r.Until)
	purge.Item[attrForAgency] = r.AgencyID
	put := table.Put{Table: CoreTable, Item: table.Item{table.PartitionAttribute: listing.Partition, table.SortAttribute: listing.Sort,
		attrMaking: true, "until": fromTime(r.Until)}}
	set(put.Item, "request", r.Request)
	put.If, purge.If = table.Absent(), table.Absent()
	if before.WorkspaceID != "" {
		put.If, purge.If = before.kept(), before.unpurged()
	}
	return []table.Write{put, purge}
}

// kept holds for the listing while the place is kept for this request.
func (r Reservation) kept() table.Condition {
	return table.All(table.Has(attrMaking), table.Equal("until", fromTime(r.Until)))
}

// unpurged holds for the purge row while nobody has begun the purge.
func (r Reservation) unpurged() table.Condition { return table.Equal(attrDueAt, fromTime(r.Until)) }

func toReservation(item table.Item) Reservation {
	key := table.KeyOf(item)
	return Reservation{AgencyID: key.Partition, WorkspaceID: key.Sort[len(sortMember):], Request: str(item, "request"),
		Until: toTime(str(item, "until"))}
}

// OpenWorkspace makes the workspace for which the place is kept, and its company profile where that says anything. ID, AgencyID and
// CreatedAt are set here. Answers ErrReservationLost; after any other error the workspace may have been made.
func (s *Store) OpenWorkspace(ctx context.Context, r Reservation, w workspace.Workspace, c workspace.Company) (AgencyWorkspace, error) {
	w.ID, w.AgencyID, w.CreatedAt = r.WorkspaceID, r.AgencyID, s.instant()
	writes := append([]table.Write{
		table.Delete{Table: CoreTable, Key: purgeKey(r.WorkspaceID), If: r.unpurged()},
		table.Update{Table: CoreTable, Key: r.listing(), If: r.kept(), Set: map[string]any{"createdAt": fromTime(w.CreatedAt)},
			Remove: []string{attrMaking, "until", "request"}},
	}, founding(w)...)
	if c.Domain != "" {
		c.Revision, c.UpdatedAt = 1, w.CreatedAt
		writes = append(writes, table.Put{Table: CoreTable, Item: companyRow(w.ID, c), If: table.Absent()})
	}
	err := s.table.Transact(ctx, table.Transaction{Writes: append(writes, s.making(r.AgencyID, r.Request, w.ID)...)})
	var canceled *table.Canceled
	switch {
	case errors.As(err, &canceled) && canceled.Has(table.ReasonCondition):
		return AgencyWorkspace{}, ErrReservationLost
	case err != nil:
		return AgencyWorkspace{}, fmt.Errorf("open a workspace: %w", err)
	}
	return AgencyWorkspace{Workspace: w, Domain: c.Domain}, nil
}

// AbandonWorkspace ends a reservation: its place is free, and nobody can make the workspace any more. What else there may be of it is taken
// away by the caller, who says so by ForgetWorkspace, or by the purge. A place that is not there any more, or never was, is no error.
// Answers ErrWorkspaceMade when it is too late, and ErrReservationLost when it is not for this request to end.
func (s *Store) AbandonWorkspace(ctx context.Context, r Reservation) error {
	return s.settle(ctx, "abandon a workspace", func() error {
		item, err := s.get(ctx, CoreTable, r.listing())
		switch {
		case err != nil || item == nil:
			return err
		case item[attrMaking] == nil:
			return ErrWorkspaceMade
		case str(item, "until") != fromTime(r.Until):
			return ErrReservationLost
		}
		err = s.table.Transact(ctx, table.Transaction{Writes: []table.Write{
			table.Check{Table: CoreTable, Key: purgeKey(r.WorkspaceID), If: r.unpurged()},
			table.Delete{Table: CoreTable, Key: r.listing(), If: r.kept()},
		}})
		var canceled *table.Canceled
		if errors.As(err, &canceled) && canceled.Failed(0) && !canceled.Failed(1) {
			return ErrReservationLost
		}
		return err
	})
}

// ForgetWorkspace says that nothing is left of a workspace that was abandoned, and so nothing to purge.
func (s *Store) ForgetWorkspace(ctx context.Context, r Reservation) error {
	err := s.table.Delete(ctx, table.Delete{Table: CoreTable, Key: purgeKey(r.WorkspaceID), If: r.unpurged()})
	var failed *table.ConditionFailed
	if err != nil && !errors.As(err, &failed) { // it is gone, or the purge has begun
		return fmt.Errorf("forget a workspace: %w", err)
	}
	return nil
}

// DeleteAgencyWorkspace deletes a workspace of the agency as DeleteWorkspace does. A repeat of the request finds its work done. Answers
// ErrNotFound for what is no workspace of this agency.
func (s *Store) DeleteAgencyWorkspace(ctx context.Context, agencyID, id, request string) error {
	return s.settle(ctx, "delete an agency's workspace", func() error {
		item, err := s.get(ctx, CoreTable, ownerKey(id))
		if err != nil {
			return err
		}
		if item == nil || str(item, "agencyId") != agencyID {
			earlier, err := s.made(ctx, agencyID, request)
			if err == nil && (earlier == "" || earlier != id) {
				err = ErrNotFound
			}
			return err
		}
		return s.table.Transact(ctx, table.Transaction{Writes: append(s.deletion(item), s.making(agencyID, request, id)...)})
	})
}

// places reads the rows of an agency's workspaces, those that are being made too.
func (s *Store) places(ctx context.Context, agencyID string) ([]table.Item, error) {
	query := table.Query{Partition: agencyID, Prefix: sortMember, Consistent: true}
	return allOf(ctx, s, "an agency's workspaces", query, func(item table.Item) table.Item { return item })
}

// AgencyPlaces counts what an agency's limit bounds: its workspaces, and those that are being made.
func (s *Store) AgencyPlaces(ctx context.Context, agencyID string) (int, error) {
	places, err := s.places(ctx, agencyID)
	return len(places), err
}

// AgencyWorkspaces lists the ids of an agency's workspaces, oldest first; of those only that are made.
func (s *Store) AgencyWorkspaces(ctx context.Context, agencyID string) ([]string, error) {
	places, err := s.places(ctx, agencyID)
	if err != nil {
		return nil, err
	}
	ids := make([]string, 0, len(places))
	for _, place := range places {
		if place[attrMaking] == nil {
			ids = append(ids, table.KeyOf(place).Sort[len(sortMember):])
		}
	}
	return ids, nil
}

// An AgencyWorkspace is a workspace as its agency lists it.
type AgencyWorkspace struct {
	workspace.Workspace
	Domain string // of its company profile; empty: it says none
}

// AgencyWorkspacesInFull lists an agency's workspaces, oldest first: one query, and one batch for fifty of them.
func (s *Store) AgencyWorkspacesInFull(ctx context.Context, agencyID string) ([]AgencyWorkspace, error) {
	ids, err := s.AgencyWorkspaces(ctx, agencyID)
	if err != nil {
		return nil, err
	}
	return s.agencyWorkspaces(ctx, agencyID, ids)
}

// AgencyWorkspace reads a workspace of an agency. Answers ErrNotFound for what is none of it.
func (s *Store) AgencyWorkspace(ctx context.Context, agencyID, id string) (AgencyWorkspace, error) {
	found, err := s.agencyWorkspaces(ctx, agencyID, []string{id})
	switch {
	case err != nil:
		return AgencyWorkspace{}, err
	case len(found) == 0:
		return AgencyWorkspace{}, ErrNotFound
	}
	return found[0], nil
}

// agencyWorkspaces reads those of the workspaces that are there and the agency's, oldest first.
func (s *Store) agencyWorkspaces(ctx context.Context, agencyID string, ids []string) ([]AgencyWorkspace, error) {
	gets := make([]table.Get, 0, 2*len(ids))
	for _, id := range ids {
		gets = append(gets, table.Get{Table: CoreTable, Key: ownerKey(id), Consistent: true},
			table.Get{Table: CoreTable, Key: companyKey(id), Consistent: true})
	}
	items, err := table.GetAll(ctx, s.table, gets)
	if err != nil {
		return nil, fmt.Errorf("read an agency's workspaces: %w", err)
	}
	found := make([]AgencyWorkspace, 0, len(ids))
	for i := 0; i < len(items); i += 2 {
		if str(items[i], "agencyId") == agencyID { // else it has been deleted meanwhile
			found = append(found, AgencyWorkspace{toWorkspace(items[i]), toCompany(items[i+1]).Domain})
		}
	}
	slices.SortFunc(found, func(a, b AgencyWorkspace) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), strings.Compare(a.ID, b.ID))
	})
	return found, nil
}
