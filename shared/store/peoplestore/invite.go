package peoplestore

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"math"
	"slices"
	"time"

	"earshot/shared/member"
	"earshot/shared/port/table"
	"earshot/shared/store/rows"
	"earshot/shared/workspace"
)

func inviteeKey(agencyID, email string) table.Key {
	return table.Key{Partition: agencyID, Sort: rows.SortInvitee + member.Fold(email)}
}

// lead is the decoded row of an agency's lead for a person (rows.SortInvitee). The zero value means that there is none.
type lead struct {
	orgID, invitationID string
	goodUntil           time.Time
	mailed, handing     bool
	waiting             int64
}

func toLead(item table.Item) lead {
	return lead{rows.Text(item, "org"), rows.Text(item, "invitation"), rows.ToTime(rows.Text(item, "goodUntil")), rows.Boolean(item, "mailed"), rows.Boolean(item, "handing"),
		rows.Integer(item, "waiting")}
}

// good reports whether the person needs no new mail: the lead is open, and a mail went out or still can. None can if
// the workspace was deleted before its mail was known to be handed over.
func (l lead) good(by member.Inviter, now time.Time) bool {
	_, there := by.Place(l.orgID)
	return now.Before(l.goodUntil) && (l.mailed && !l.handing || there)
}

// unchanged returns the condition that the row is as it was read.
func (l lead) unchanged() table.Condition {
	if l.invitationID == "" {
		return table.Absent()
	}
	is := map[bool]func(string) table.Condition{true: table.Has, false: table.Missing}
	waiting := table.Missing("waiting")
	if l.waiting > 0 {
		waiting = table.Equal("waiting", l.waiting)
	}
	return table.All(table.Equal("invitation", l.invitationID), is[l.mailed]("mailed"), is[l.handing]("handing"), waiting)
}

// waitingFor returns the update that counts a queued invitation in the row of its lead.
func waitingFor(agencyID, email string, told lead) table.Update {
	return table.Update{Table: rows.CoreTable, Key: inviteeKey(agencyID, email), If: table.Equal("invitation", told.invitationID),
		Add: map[string]int64{"waiting": 1}}
}

// leading returns the write that makes an invitation the lead, in place of one that is not good.
func leading(orgID string, i member.Invitation, before lead) table.Put {
	key := inviteeKey(i.Agency, i.Email)
	item := table.Item{table.PartitionAttribute: key.Partition, table.SortAttribute: key.Sort, "org": orgID, "invitation": i.ID,
		"goodUntil": rows.FromTime(i.ExpiresAt), table.ExpiryAttribute: i.ExpiresAt.Unix() + 1}
	rows.Set(item, "mailed", i.Mail != member.MailDue)
	rows.Set(item, "handing", i.Mail == member.MailSending || i.Mail == member.MailUnknown)
	return table.Put{Table: rows.CoreTable, Item: item, If: before.unchanged()}
}

// forgetLead returns the write that deletes the row of a lead.
func forgetLead(i member.Invitation) table.Delete {
	return table.Delete{Table: rows.CoreTable, Key: inviteeKey(i.Agency, i.Email), If: table.Equal("invitation", i.ID)}
}

// ofAgency returns the condition that an invitation is the lead of the agency id or, if id is empty, of no agency.
func ofAgency(id string) table.Condition {
	if id == "" {
		return table.Missing("agency")
	}
	return table.Equal("agency", id)
}

// leads reports whether an invitation is a lead that has its row. Callers must also check the invitation's revision,
// which every invitation that becomes a lead raises. The row of an expired lead has expired too.
func (s *Store) leads(ctx context.Context, i member.Invitation) (bool, error) {
	if i.Agency == "" || !i.Open(s.Clock.Now()) {
		return false, nil
	}
	row, err := s.Get(ctx, rows.CoreTable, inviteeKey(i.Agency, i.Email))
	return toLead(row).invitationID == i.ID, err
}

// Leads reads the lead of an agency for each person, in the order of emails. Without a lead it returns an open
// invitation that a workspace of the agency sent by itself. Of several it prefers one whose mail is not due, then the
// one that ends last.
func (s *Store) Leads(ctx context.Context, by member.Inviter, emails []string) ([]member.Lead, error) {
	keys := make([]table.Key, len(emails))
	for i, email := range emails {
		keys[i] = inviteeKey(by.ID, email)
	}
	listed, err := s.All(ctx, keys)
	if err != nil {
		return nil, err
	}
	leads := make([]member.Lead, len(emails))
	now := s.Clock.Now()
	var persons, named []table.Key // what is to be read of those without a lead, and the invitations of the others
	var whose []int                // the position in emails of each of named
	for i, row := range listed {
		switch told := toLead(row); {
		case !told.good(by, now):
			for _, place := range by.Workspaces {
				persons = append(persons, PersonKey(place.ID, emails[i]))
			}
		default:
			leads[i] = member.Lead{WorkspaceID: told.orgID, Stands: true, Handed: told.mailed && !told.handing}
			named, whose = append(named, rows.InvitationKey(told.orgID, told.invitationID)), append(whose, i)
		}
	}
	people, err := s.All(ctx, persons)
	if err != nil {
		return nil, err
	}
	at := map[string]int{}
	for i, email := range emails {
		at[PersonKey("", email).Partition] = i
	}
	for _, person := range people {
		if id := rows.Text(person, "invitation"); id != "" {
			named, whose = append(named, rows.InvitationKey(table.KeyOf(person).Sort, id)), append(whose, at[table.KeyOf(person).Partition])
		}
	}
	found, err := s.All(ctx, named)
	if err != nil {
		return nil, err
	}
	for n, item := range found {
		i := toInvitation(item)
		switch known := &leads[whose[n]]; {
		case item == nil || i.Mail == member.MailQueued || !i.Open(now):
		case known.Stands:
			known.Invitation = i
		case known.WorkspaceID == "" || tellsBetter(i, known.Invitation):
			*known = member.Lead{WorkspaceID: named[n].Partition, Invitation: i}
		}
	}
	return leads, nil
}

// tellsBetter reports whether a is the better lead of two invitations that workspaces sent by themselves.
func tellsBetter(a, b member.Invitation) bool {
	if (a.Mail == member.MailDue) != (b.Mail == member.MailDue) {
		return b.Mail == member.MailDue
	}
	return cmp.Or(a.ExpiresAt.Compare(b.ExpiresAt), cmp.Compare(a.ID, b.ID)) > 0
}

// Seat lets people into a workspace: see member.Roster. One transaction takes as many people as it can hold. People
// whom another writer touched are read again. If there is room for some only, the first ones get in.
func (s *Store) Seat(ctx context.Context, by member.Inviter, orgID string, asks []member.Ask) []member.Seat {
	run := seatingRun{s: s, by: by, orgID: orgID, asks: asks, seats: make([]member.Seat, len(asks)), room: math.MaxInt64, mails: math.MaxInt64}
	for {
		err := s.Settle(ctx, "let people in", func() error { return run.rest(ctx) })
		var full crowded
		if errors.As(err, &full) {
			var swept int
			if swept, err = s.sweepInvitations(ctx, orgID); err == nil {
				if swept == 0 {
					run.room = max(0, member.MostPeople-full.people)
				}
				continue
			}
		}
		var tooMany spent
		if errors.As(err, &tooMany) {
			run.mails = max(0, member.MostMailsADay-tooMany.mails)
			continue
		}
		for ; err != nil && run.done < len(asks); run.done++ {
			run.seats[run.done].Err = err
		}
		return run.seats
	}
}

// seatingRun is the progress of a call of Seat.
type seatingRun struct {
	s     *Store
	by    member.Inviter
	orgID string
	asks  []member.Ask
	seats []member.Seat
	done  int   // how many have what came of them
	room  int64 // for how many more people there is room, as far as is known
	mails int64 // how many more mails the workspace may send today, as far as is known
}

// rest reads the standing of the remaining people and lets them in. What it did before an error stays done.
func (r *seatingRun) rest(ctx context.Context) error {
	stands, err := r.stand(ctx)
	if err != nil {
		return err
	}
	for first := r.done; r.done < len(r.asks); {
		var together seating
		var seats []member.Seat
		left, mails := r.room, r.mails
		for next := r.done; next < len(r.asks); next++ {
			seat, change := r.plan(r.asks[next], stands[next-first])
			if len(together.writes)+len(change.writes)+seatingChecks > table.MaxTransaction {
				break
			}
			switch {
			case change.people > left:
				seat, change = member.Seat{Err: member.ErrFull}, seating{}
			case change.mails > mails:
				seat, change = member.Seat{Err: member.ErrDaily}, seating{}
			}
			left, mails = left-change.people, mails-change.mails
			seats, together = append(seats, seat), together.and(change)
		}
		if len(together.writes) > 0 {
			if err := r.s.admit(ctx, r.orgID, together); err != nil {
				return err
			}
		}
		r.room, r.mails = left, mails
		copy(r.seats[r.done:], seats)
		r.done += len(seats)
	}
	return nil
}

func (s seating) and(more seating) seating {
	return seating{s.people + more.people, s.admins + more.admins, s.mails + more.mails, append(s.writes, more.writes...)}
}

// stand is a person's standing in a workspace, and the agency's lead for the person.
type stand struct {
	standing
	told lead
}

// stand reads the standing of the remaining people. Of a member it fills in only the id.
func (r *seatingRun) stand(ctx context.Context) ([]stand, error) {
	asks := r.asks[r.done:]
	keys := make([]table.Key, 0, 2*len(asks))
	for _, ask := range asks {
		keys = append(keys, PersonKey(r.orgID, ask.Email))
	}
	for _, ask := range asks {
		keys = append(keys, inviteeKey(r.by.ID, ask.Email))
	}
	listed, err := r.s.All(ctx, keys)
	if err != nil {
		return nil, err
	}
	stands := make([]stand, len(asks))
	named := map[int]table.Key{}
	for i := range asks {
		stands[i].told = toLead(listed[len(asks)+i])
		person := listed[i]
		if id := rows.Text(person, "member"); id != "" {
			stands[i].member = &member.Member{ID: id}
		} else if id := rows.Text(person, "invitation"); id != "" {
			named[i] = rows.InvitationKey(r.orgID, id)
		}
	}
	whose := slices.Sorted(maps.Keys(named))
	keys = keys[:0]
	for _, i := range whose {
		keys = append(keys, named[i])
	}
	if listed, err = r.s.All(ctx, keys); err != nil {
		return nil, err
	}
	for n, i := range whose {
		invitation := toInvitation(listed[n])
		// Between the two reads it has become something else, or the agency's lead.
		if listed[n] == nil || invitation.Agency != "" && invitation.ID != stands[i].told.invitationID {
			if stands[i].standing, err = r.s.standing(ctx, r.orgID, asks[i].Email); err != nil {
				return nil, err
			}
			continue
		}
		stands[i].invitation, stands[i].leads = &invitation, stands[i].told.invitationID == invitation.ID
	}
	return stands, nil
}

// plan decides the result of an ask and the writes that it needs.
func (r *seatingRun) plan(ask member.Ask, at stand) (member.Seat, seating) {
	now := r.s.Clock.Now()
	open := at.invitation != nil && at.invitation.Open(now)
	good := at.told.good(r.by, now)
	switch {
	case at.member != nil:
		return member.Seat{Action: member.Granted}, seating{}
	case ask.AccountID != "":
		return member.Seat{Action: member.Granted}, r.s.admission(r.orgID, member.Member{
			ID: workspace.NewID(member.PrefixMember, now), Email: ask.Email, Name: member.CleanName(ask.Name), Role: ask.Role,
			AccountID: ask.AccountID, CreatedAt: r.s.Instant(), Revision: 1,
		}, at.standing)
	case open && at.invitation.Mail != member.MailQueued:
		return r.keep(member.Invited, ask.Role, *at.invitation, at.told, !good)
	case ask.Role == "":
		return member.Seat{}, seating{}
	case open && good:
		return r.keep(member.Queued, ask.Role, *at.invitation, at.told, false)
	}
	i := member.Invitation{ID: workspace.NewID(member.PrefixInvitation, now), Email: ask.Email, Role: ask.Role, InvitedBy: r.by.KeyID,
		CreatedAt: r.s.Instant(), Mail: member.MailQueued, Revision: 1}
	if good {
		i.ExpiresAt = at.told.goodUntil
		seats := invitingSeat(r.orgID, i, at.standing)
		seats.writes = append(seats.writes, waitingFor(r.by.ID, i.Email, at.told))
		return member.Seat{Action: member.Queued, Invitation: i, New: true}, seats
	}
	i.Agency, i.Mail, i.ExpiresAt = r.by.ID, member.MailDue, i.CreatedAt.Add(member.InvitationLife)
	seats := invitingSeat(r.orgID, i, at.standing)
	seats.mails, seats.writes = 1, append(seats.writes, leading(r.orgID, i, at.told))
	return member.Seat{Action: member.Invited, Invitation: i, New: true}, seats
}

// keep leaves an open invitation in place. It changes only the role, if another is asked for, and the invitation's
// lead: leads makes the invitation the lead itself.
func (r *seatingRun) keep(action member.Action, role member.Role, i member.Invitation, told lead, leads bool) (member.Seat, seating) {
	same := table.Equal("rev", i.Revision)
	set := map[string]any{}
	if role != "" && role != i.Role {
		i.Role, set["role"] = role, string(role)
	}
	var beside []table.Write
	if action == member.Queued && i.ExpiresAt.Before(told.goodUntil) { // its lead was another, which is over
		i.ExpiresAt, set["goodUntil"] = told.goodUntil, rows.FromTime(told.goodUntil)
		beside = append(beside, waitingFor(r.by.ID, i.Email, told))
	}
	if leads {
		same = table.All(same, table.Equal("mail", string(i.Mail)), table.Equal("claims", i.Claims))
		i.Agency, set["agency"] = r.by.ID, r.by.ID
		beside = append(beside, leading(r.orgID, i, told))
	}
	if len(set) == 0 {
		return member.Seat{Action: action, Invitation: i}, seating{}
	}
	i.Revision++
	set["rev"] = i.Revision
	return member.Seat{Action: action, Invitation: i, New: leads}, seating{writes: append(beside,
		table.Update{Table: rows.CoreTable, Key: rows.InvitationKey(r.orgID, i.ID), If: same, Set: set})}
}

// MovesLeft returns those of the moves that nobody has made yet.
func (s *Store) MovesLeft(ctx context.Context, among []member.DueMove) (left []member.DueMove, err error) {
	keys := make([]table.Key, len(among))
	for i, move := range among {
		keys[i] = rows.MoveKey(move.WorkspaceID, move.AccountID)
	}
	listed, err := s.All(ctx, keys)
	for i, row := range listed {
		if row != nil {
			left = append(left, among[i])
		}
	}
	return left, err
}
