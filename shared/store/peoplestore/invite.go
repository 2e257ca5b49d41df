package peoplestore

import (
	"cmp"
	"context"
	"errors"
	"math"
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
	return lead{
		rows.Text(item, "org"), rows.Text(item, "invitation"), rows.ToTime(rows.Text(item, "goodUntil")),
		rows.Boolean(item, "mailed"), rows.Boolean(item, "handing"), rows.Integer(item, "waiting"),
	}
}

// good reports whether the person needs no new mail: the lead is open, and a mail went out or still can. None can if
// the workspace was deleted before its mail was known to be handed over.
func (l lead) good(by member.Inviter, now time.Time) bool {
	_, there := by.Workspace(l.orgID)
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
	return table.All(
		table.Equal("invitation", l.invitationID), is[l.mailed]("mailed"), is[l.handing]("handing"), waiting,
	)
}

// waitingFor returns the update that counts a queued invitation in the row of its lead.
func waitingFor(agencyID, email string, told lead) table.Update {
	return table.Update{
		Table: rows.CoreTable,
		Key:   inviteeKey(agencyID, email),
		If:    table.Equal("invitation", told.invitationID),
		Add:   map[string]int64{"waiting": 1},
	}
}

// leading returns the write that makes an invitation the lead, in place of one that is not good.
func leading(i member.Invitation, before lead) table.Put {
	key := inviteeKey(i.Agency, i.Email)
	item := table.Item{
		table.PartitionAttribute: key.Partition,
		table.SortAttribute:      key.Sort,
		"org":                    i.WorkspaceID,
		"invitation":             i.ID,
		"goodUntil":              rows.FromTime(i.ExpiresAt),
		table.ExpiryAttribute:    i.ExpiresAt.Unix() + 1,
	}
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
		keys[i] = inviteeKey(by.AgencyID, email)
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
			for _, w := range by.Workspaces {
				persons = append(persons, personKey(w.ID, emails[i]))
			}
		default:
			leads[i] = member.Lead{
				Invitation: member.Invitation{WorkspaceID: told.orgID},
				Stands:     true,
				Handed:     told.mailed && !told.handing,
			}
			named, whose = append(named, rows.InvitationKey(told.orgID, told.invitationID)), append(whose, i)
		}
	}
	people, err := s.All(ctx, persons)
	if err != nil {
		return nil, err
	}
	at := map[string]int{}
	for i, email := range emails {
		at[personKey("", email).Partition] = i
	}
	for _, person := range people {
		if id := rows.Text(person, "invitation"); id != "" {
			named, whose = append(
				named, rows.InvitationKey(table.KeyOf(person).Sort, id),
			), append(whose, at[table.KeyOf(person).Partition])
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
		case known.Invitation.ID == "" || tellsBetter(i, known.Invitation):
			known.Invitation = i
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

// Invite lets people into a workspace: see member.Store. One transaction takes as many people as it can hold. People
// whom another writer touched are read again. If there is room for some only, the first ones get in.
func (s *Store) Invite(ctx context.Context, by member.Inviter, orgID string, people []member.Member) []member.Result {
	return s.letIn(ctx, admitting{s: s, by: by, orgID: orgID, people: people})
}

// admitting is the progress of a call that lets people in.
type admitting struct {
	s        *Store
	by       member.Inviter // no agency: the workspace by itself
	orgID    string
	people   []member.Member
	outright bool // as members, whether or not they have an account

	results []member.Result
	done    int    // how many have their results
	made    string // the id of what an earlier request of this name made
	room    int64  // for how many more people there is room, as far as is known
	recount bool   // room is to be read
	mails   int64  // how many more mails the workspace may send today, as far as is known
}

// alone reports whether no agency lets the people in.
func (a *admitting) alone() bool { return a.by.AgencyID == "" }

// letIn lets people in. If the workspace is full, it sweeps expired invitations to make some room. People fail with
// member.ErrFull only if the workspace is full after a sweep that found none, because other callers sweep too.
func (s *Store) letIn(ctx context.Context, a admitting) []member.Result {
	a.results, a.room, a.mails = make([]member.Result, len(a.people)), math.MaxInt64, math.MaxInt64
	for {
		err := s.Settle(ctx, "let people in", func() error { return a.admitNext(ctx) })
		var full crowded
		var tooMany spent
		switch {
		case errors.As(err, &full) && a.recount:
			a.room, a.recount = max(0, member.MostPeople-full.people), false
			continue
		case errors.As(err, &full):
			swept, failure := s.sweepInvitations(ctx, a.orgID)
			if a.recount = swept == 0; failure == nil {
				continue
			}
			err = failure
		case errors.As(err, &tooMany) && a.done+1 < len(a.people):
			a.mails = max(0, member.MostMailsADay-tooMany.mails)
			continue
		}
		for ; err != nil && a.done < len(a.people); a.done++ {
			a.results[a.done] = member.Result{WorkspaceID: a.orgID, Email: a.people[a.done].Email, Err: err}
		}
		return a.results
	}
}

// admitNext reads the standing of the remaining people and lets them in. What it did before an error stays done.
func (a *admitting) admitNext(ctx context.Context) error {
	stands, err := a.stand(ctx)
	if err != nil {
		return err
	}
	for first := a.done; a.done < len(a.people); {
		var together seating
		var results []member.Result
		left, mails := a.room, a.mails
		for next := a.done; next < len(a.people); next++ {
			seat, change, err := a.plan(ctx, a.people[next], stands[next-first])
			if err != nil {
				return err
			}
			if len(together.writes)+len(change.writes)+seatingChecks > table.MaxTransaction {
				break
			}
			switch {
			case change.people > left:
				seat, change = member.Result{Err: member.ErrFull}, seating{}
			case change.mails > mails:
				seat, change = member.Result{Err: member.ErrDaily}, seating{}
			}
			left, mails = left-change.people, mails-change.mails
			seat.WorkspaceID, seat.Email = a.orgID, a.people[next].Email
			results, together = append(results, seat), together.and(change)
		}
		if len(together.writes) > 0 {
			if err := a.s.admit(ctx, a.orgID, together); err != nil {
				return err
			}
		}
		a.room, a.mails = left, mails
		copy(a.results[a.done:], results)
		a.done += len(results)
	}
	return nil
}

func (s seating) and(more seating) seating {
	return seating{
		s.people + more.people, s.admins + more.admins, s.mails + more.mails, append(s.writes, more.writes...),
	}
}

// stand is a person's standing in a workspace, and the agency's lead for the person.
type stand struct {
	standing
	told lead
}

// stand reads the standing of the remaining people, and room if that is to be read. Of an agency's members it fills in
// only the ids.
func (a *admitting) stand(ctx context.Context) (stands []stand, err error) {
	if a.made, err = a.s.Made(ctx, a.orgID, a.by.Request); err != nil {
		return nil, err
	}
	people := a.people[a.done:]
	keys := make([]table.Key, 0, 2*len(people)+1)
	for _, m := range people {
		keys = append(keys, personKey(a.orgID, m.Email))
	}
	if a.recount {
		keys = append(keys, table.Key{Partition: a.orgID, Sort: rows.SortPeople})
	}
	leads := len(keys)
	for _, m := range people {
		if !a.alone() {
			keys = append(keys, inviteeKey(a.by.AgencyID, m.Email))
		}
	}
	listed, err := a.s.All(ctx, keys)
	if err != nil {
		return nil, err
	}
	if a.recount {
		a.room = max(0, member.MostPeople-rows.Integer(listed[len(people)], "people"))
	}
	stands = make([]stand, len(people))
	var named []table.Key
	var whose []int // the position in people of each of named
	for i := range people {
		if !a.alone() {
			stands[i].told = toLead(listed[leads+i])
		}
		memberID, invitationID := rows.Text(listed[i], "member"), rows.Text(listed[i], "invitation")
		switch {
		case memberID != "" && !a.alone():
			stands[i].member = &member.Member{ID: memberID}
		case memberID != "":
			named, whose = append(named, rows.MemberKey(a.orgID, memberID)), append(whose, i)
		case invitationID != "":
			named, whose = append(named, rows.InvitationKey(a.orgID, invitationID)), append(whose, i)
		}
	}
	found, err := a.s.All(ctx, named)
	for n, i := range whose {
		if err == nil {
			err = a.standAs(ctx, &stands[i], people[i].Email, listed[i], found[n])
		}
	}
	return stands, err
}

// standAs fills in the standing of a person from the person's row and from the row that it names.
func (a *admitting) standAs(ctx context.Context, as *stand, email string, person, named table.Item) (err error) {
	i := toInvitation(named)
	switch {
	case named == nil, !a.alone() && i.Agency != "" && i.ID != as.told.invitationID:
		// Between the reads it has become something else, or the agency's lead.
		as.standing, err = a.s.standing(ctx, a.orgID, email)
	case rows.Text(person, "member") != "":
		m := toMember(named)
		as.member = &m
	case a.alone():
		as.invitation = &i
		as.leads, err = a.s.leads(ctx, i)
	default:
		as.invitation, as.leads = &i, as.told.invitationID == i.ID
	}
	return err
}

// plan decides the result for a person, and the writes that it needs.
func (a *admitting) plan(ctx context.Context, m member.Member, at stand) (member.Result, seating, error) {
	now := a.s.Clock.Now()
	open := at.invitation != nil && at.invitation.Open(now)
	good := at.told.good(a.by, now)
	switch {
	case at.member != nil && a.alone() && a.made == "":
		return member.Result{Err: member.ErrExists}, seating{}, nil
	case at.member != nil:
		return member.Result{Action: member.Granted, Member: at.member}, seating{}, nil
	case at.invitation == nil && a.made != "":
		return member.Result{Err: member.ErrRemoved}, seating{}, nil
	case m.AccountID != "" || a.outright:
		return a.grant(ctx, m, at)
	case open && at.invitation.Mail != member.MailQueued:
		result, seats := a.keep(member.Invited, m.Role, *at.invitation, at.told, !good && !a.alone())
		return result, seats, nil
	case m.Role == "" && !a.alone():
		return member.Result{}, seating{}, nil
	case open && (good || a.alone()):
		result, seats := a.keep(member.Queued, m.Role, *at.invitation, at.told, false)
		return result, seats, nil
	}
	result, seats := a.invite(m, at, good)
	return result, seats, nil
}

// grant makes the person a member.
func (a *admitting) grant(ctx context.Context, m member.Member, at stand) (member.Result, seating, error) {
	m.ID, m.CreatedAt, m.Revision = workspace.NewID(member.PrefixMember, a.s.Clock.Now()), a.s.Instant(), 1
	if !a.outright {
		m.Name = member.CleanName(m.Name)
	}
	var passed []table.Write
	if a.outright && m.AccountID == "" && at.leads {
		// Those who are queued behind it have no account by which they are let in.
		row, err := a.s.Get(ctx, rows.CoreTable, rows.InvitationKey(a.orgID, at.invitation.ID))
		if err == nil && row != nil {
			passed, err = a.s.passOn(ctx, row)
		}
		if err != nil {
			return member.Result{}, seating{}, err
		}
	}
	seats := a.s.admission(a.orgID, m, at.standing, passed...)
	seats.writes = append(seats.writes, a.making(m.ID)...)
	return member.Result{Action: member.Granted, Member: &m}, seats, nil
}

// invite makes an invitation. With a good lead of the agency it is queued; otherwise it has a mail, and becomes the
// agency's lead.
func (a *admitting) invite(m member.Member, at stand, good bool) (member.Result, seating) {
	i := member.Invitation{
		WorkspaceID: a.orgID,
		ID:          workspace.NewID(member.PrefixInvitation, a.s.Clock.Now()),
		Email:       m.Email,
		Role:        m.Role,
		InvitedBy:   a.by.KeyID,
		CreatedAt:   a.s.Instant(),
		Agency:      a.by.AgencyID,
		Mail:        member.MailDue,
		Revision:    1,
	}
	i.ExpiresAt = i.CreatedAt.Add(member.InvitationLife)
	if good {
		i.Agency, i.Mail, i.ExpiresAt = "", member.MailQueued, at.told.goodUntil
		seats := invitingSeat(i, at.standing)
		seats.writes = append(seats.writes, waitingFor(a.by.AgencyID, i.Email, at.told))
		return member.Result{Action: member.Queued, Invitation: i, New: true}, seats
	}
	seats := invitingSeat(i, at.standing)
	seats.mails, seats.writes = 1, append(seats.writes, a.making(i.ID)...)
	if !a.alone() {
		seats.writes = append(seats.writes, leading(i, at.told))
	}
	return member.Result{Action: member.Invited, Invitation: i, New: true}, seats
}

// making returns the write that records what the request made, if no earlier one has.
func (a *admitting) making(id string) []table.Write {
	if a.made != "" {
		return nil
	}
	return a.s.Making(a.orgID, a.by.Request, id)
}

// keep leaves an open invitation in place. It changes only the role, if another is asked for, and the invitation's
// lead: leads makes the invitation the lead itself.
func (a *admitting) keep(
	action member.Action, role member.Role, i member.Invitation, told lead, leads bool,
) (member.Result, seating) {
	same := table.Equal("rev", i.Revision)
	set := map[string]any{}
	if role != "" && role != i.Role {
		i.Role, set["role"] = role, string(role)
	}
	var beside []table.Write
	if action == member.Queued && i.ExpiresAt.Before(told.goodUntil) { // its lead was another, which is over
		i.ExpiresAt, set["goodUntil"] = told.goodUntil, rows.FromTime(told.goodUntil)
		beside = append(beside, waitingFor(a.by.AgencyID, i.Email, told))
	}
	if leads {
		same = table.All(same, table.Equal("mail", string(i.Mail)), table.Equal("claims", i.Claims))
		i.Agency, set["agency"] = a.by.AgencyID, a.by.AgencyID
		beside = append(beside, leading(i, told))
	}
	if len(set) == 0 {
		return member.Result{Action: action, Invitation: i}, seating{}
	}
	i.Revision++
	set["rev"] = i.Revision
	return member.Result{Action: action, Invitation: i, New: leads}, seating{writes: append(beside,
		table.Update{Table: rows.CoreTable, Key: rows.InvitationKey(a.orgID, i.ID), If: same, Set: set})}
}

// MovesLeft returns those of the moves that nobody has made yet.
func (s *Store) MovesLeft(ctx context.Context, among []member.Move) (left []member.Move, err error) {
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
