package deployment_test

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"earshot/shared/member"
	"earshot/shared/port/mail"
	"earshot/shared/port/table"
	"earshot/shared/store/rows"
)

// A pair is a person and a workspace.
type pair struct{ workspaceID, email string } // the address folded

// An addressee is a person to whom somebody sends mails: an agency, or a workspace by itself.
type addressee struct{ by, email string }

// A sight is what the store has of people at a moment.
type sight struct {
	members     map[pair]member.Member
	invitations map[pair]member.Invitation
	accounts    map[string]string
}

// A ledger knows what must hold in a world.
type ledger struct {
	w     *world
	seen  sight // after the last step
	last  sight // before it
	apart bool  // nothing else happened at once with it
	asked map[pair][]member.Role
	due   map[pair]bool   // clients have been told that the person is a member, or will be one by signing up
	tells map[pair]bool   // of these: clients have been told of an invitation, so that there is a mail
	taken map[pair]bool   // an invitation was taken back, since no mail could be sent or a client wanted it
	ended map[string]bool // ids of invitations that were revoked
	wait  map[string]bool // ids of invitations that were ever queued

	removing map[string]bool // people of whom an invitation is revoked in the step
	revoking map[string]bool // ids of invitations that are revoked in the step

	mu     sync.Mutex
	mails  map[addressee]int  // since when nothing of theirs was open
	lost   map[addressee]bool // whoever had claimed the mail died, or could not tell whether it was taken
	before map[addressee]int  // mails before the step
	extra  map[string]int     // how many more mails a person may be sent in the step: one for each request to send again, or to revoke
	total  map[string]int     // mails to a person
	alone  map[pair]int       // mails in the step that a workspace sent of what was its agency's lead before it
	never  map[addressee]bool // whom the mailer said in the step that it cannot mail to, by the agency
	known  map[string]string  // accounts before the step
}

func newLedger(w *world) *ledger {
	return &ledger{
		w:        w,
		asked:    map[pair][]member.Role{},
		due:      map[pair]bool{},
		tells:    map[pair]bool{},
		taken:    map[pair]bool{},
		ended:    map[string]bool{},
		wait:     map[string]bool{},
		removing: map[string]bool{},
		revoking: map[string]bool{},
		mails:    map[addressee]int{},
		lost:     map[addressee]bool{},
		extra:    map[string]int{},
		total:    map[string]int{},
	}
}

// ask notes that clients want something.
func (l *ledger) ask(a *ask) {
	for _, of := range a.pairs {
		if !slices.Contains(l.asked[of], a.role) {
			l.asked[of] = append(l.asked[of], a.role)
		}
	}
}

// told notes what a client has been told of a pair.
func (l *ledger) told(of pair, action string) {
	l.due[of] = true
	if action != "granted" {
		l.tells[of] = true
	}
}

// begin is the moment before a step; apart says that nothing else happens at once with it.
func (l *ledger) begin(apart bool) {
	l.apart, l.known, l.before, l.never = apart, l.w.directory.known(), maps.Clone(l.mails), map[addressee]bool{}
	l.alone = map[pair]int{}
	l.removing, l.revoking, l.extra = map[string]bool{}, map[string]bool{}, map[string]int{}
}

// role holds that whoever was let in or invited by a step has the role that was asked for; who was a member before keeps theirs.
func (l *ledger) role(of pair, asked member.Role) {
	l.w.Helper()
	_, was := l.last.members[of]
	if m, is := l.seen.members[of]; l.apart && is && !was && m.Role != asked {
		l.w.Errorf("%v is a member as %s, and was asked for as %s", of, m.Role, asked)
	}
	if i, is := l.seen.invitations[of]; l.apart && is && i.Role != asked {
		l.w.Errorf("%v is invited as %s, and was asked for as %s", of, i.Role, asked)
	}
}

// mailed is told of each mail, while steps run. Nobody who has an account is sent one, nor anybody whom the sender has
// told already, of what is open still. An agency does not tell anew of what its workspace has told of by itself, but
// for a lead that was there before.
func (l *ledger) mailed(by sender, m mail.Message) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.w.tally.mails++
	if err := mail.Check(m); err != nil || !strings.Contains(m.Subject, by.house.Name) {
		l.w.Errorf("a mail of %s is about %q: %v", by.house.Name, m.Subject, err)
	}
	email := member.Fold(m.To)
	told, leads := 0, false
	for _, org := range by.house.workspaces {
		told += l.before[addressee{org.ID, email}]
		leads = leads || l.leads(pair{org.ID, email})
	}
	to := addressee{by.house.ID, email}
	switch of := (pair{by.workspaceID, email}); {
	case by.workspaceID != "" && l.leads(of):
		l.alone[of]++
	case by.workspaceID != "":
		to.by = by.workspaceID
	}
	l.mails[to]++
	l.total[email]++
	switch {
	case l.known[email] != "":
		l.w.fail(&l.w.tally.second, "a mail to %s, who had an account", email)
	case l.mails[to] > 1+l.extra[email] || to.by == by.house.ID && !leads && told > 0 && l.extra[email] == 0:
		l.w.fail(&l.w.tally.second, "another mail to %s, to whom %s has an open invitation", email, to.by)
	}
}

// invalid is told of a mail that can never be sent: what waits for it is taken back.
func (l *ledger) invalid(by sender, email string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.never[addressee{by.house.ID, email}] = true
}

// leads says whether the agency's mail to a person was, or is to be, that of an open invitation.
func (l *ledger) leads(of pair) bool {
	i := l.seen.invitations[of]
	return l.open(i) && i.Agency != ""
}

func (l *ledger) open(i member.Invitation) bool { return i.Open(l.w.clock.Now()) }

// fail fails the test and counts what it fails by.
func (w *world) fail(count *int, format string, args ...any) {
	w.Helper()
	*count++
	w.Errorf(format, args...)
}

// look reads what there is after a step, and holds it against what was before; harmed says whether something went wrong in it.
func (l *ledger) look(harmed bool) {
	w := l.w
	w.Helper()
	before := l.seen
	l.last, l.seen = before, l.read()
	for of, n := range l.alone {
		// The lead was revoked or withdrawn at the same moment, and the workspace has told of an invitation of its own.
		if now := l.seen.invitations[of]; now.ID != "" && now.ID != before.invitations[of].ID && now.Agency == "" {
			l.mails[addressee{of.workspaceID, of.email}] += n
			if agency := (addressee{l.house(of), of.email}); l.mails[agency] > n {
				l.mails[agency] -= n
			} else {
				delete(l.mails, agency)
			}
		}
	}
	for of, m := range l.seen.members {
		if l.seen.accounts[of.email] == "" || m.AccountID != l.seen.accounts[of.email] {
			w.Errorf("%v is a member as %q, and the account is %q", of, m.AccountID, l.seen.accounts[of.email])
		}
		l.wanted(of, m.Role)
	}
	for of := range before.members {
		if _, is := l.seen.members[of]; !is {
			w.fail(&w.tally.lost, "%v is a member no more", of)
		}
	}
	for of, i := range before.invitations {
		if now, is := l.seen.invitations[of]; is && now.ID == i.ID || !l.open(i) {
			continue
		}
		if _, is := l.seen.members[of]; is {
			continue
		}
		if !l.never[addressee{l.house(of), of.email}] && !l.revoking[i.ID] {
			w.fail(&w.tally.lost, "the open invitation of %v is gone", of)
		}
		if l.revoking[i.ID] {
			l.revoked(of, i)
		}
		l.taken[of] = true
		delete(l.due, of)
		delete(l.tells, of)
	}
	for of, i := range l.seen.invitations {
		if !l.open(i) {
			continue // until the schedule comes
		}
		l.wanted(of, i.Role)
		if _, is := l.seen.members[of]; is {
			w.fail(&w.tally.doubled, "%v is a member and invited", of)
		}
		if l.ended[i.ID] {
			w.fail(&w.tally.revived, "the invitation of %v was revoked, and is there", of)
		}
		if i.Mail == member.MailQueued || i.Agency != "" && l.removing[of.email] { // which may have become the lead at once
			l.wait[i.ID] = true
		}
		if i.Mail == member.MailQueued && l.seen.accounts[of.email] == "" && !l.led(of) {
			w.fail(&w.tally.stranded, "%v is queued, and nothing tells the person", of)
		}
		if old, was := before.invitations[of]; (!was || old.ID != i.ID) &&
			(!i.CreatedAt.Equal(w.clock.Now()) || was && l.open(old) && !l.revoking[old.ID] && !l.withdrawn(of)) {
			w.fail(&w.tally.doubled, "%v is invited at %s, after %+v", of, i.CreatedAt, old)
		}
		if i.ExpiresAt.After(i.CreatedAt.Add(member.InvitationLife)) ||
			!l.wait[i.ID] && !i.ExpiresAt.Equal(i.CreatedAt.Add(member.InvitationLife)) {
			w.Errorf("the invitation of %v is open from %s to %s", of, i.CreatedAt, i.ExpiresAt)
		}
		l.mail(of, i, harmed)
	}
	for of := range l.seen.invitations {
		for other := range l.seen.invitations {
			if of != other && of.email == other.email && l.leads(of) && l.leads(other) &&
				l.seen.invitations[of].Agency == l.seen.invitations[other].Agency {
				w.fail(&w.tally.doubled, "the agency tells %s by two invitations", of.email)
			}
		}
	}
	for to := range l.mails {
		if l.extra[to.email] > 0 {
			l.mails[to] = 1 // as many as it has been asked for: from now on another is one too many
		}
	}
	for of, i := range l.seen.invitations {
		// It was made after another had been taken back at the same moment, and nobody has told the person of it: the
		// mails that were counted told of the other.
		tookBack := l.removing[of.email] || l.withdrawn(of)
		if tookBack && before.invitations[of].ID != i.ID && i.Mail == member.MailDue {
			delete(l.mails, addressee{cmp.Or(i.Agency, of.workspaceID), of.email})
		}
	}
	l.groups(false)
}

// withdrawn reports whether one of two steps at the same moment may have taken an invitation back because no mail can
// be sent to its person. The other may then have invited the person anew.
func (l *ledger) withdrawn(of pair) bool {
	return !l.apart && l.never[addressee{l.house(of), of.email}]
}

// house is the id of the agency that has a pair's workspace.
func (l *ledger) house(of pair) string {
	for _, house := range l.w.houses {
		if house.has(of.workspaceID) {
			return house.ID
		}
	}
	return ""
}

// wanted holds that somebody asked for it.
func (l *ledger) wanted(of pair, role member.Role) {
	l.w.Helper()
	if !slices.Contains(l.asked[of], role) {
		l.w.Errorf("nobody has asked for %v as %s", of, role)
	}
}

// mail holds an invitation's mail against those that were sent.
func (l *ledger) mail(of pair, i member.Invitation, harmed bool) {
	w := l.w
	w.Helper()
	to, alone := addressee{cmp.Or(i.Agency, of.workspaceID), of.email}, addressee{of.workspaceID, of.email}
	sent := l.mails[to] + l.mails[alone]
	switch {
	case i.Mail == member.MailSent && sent == 0:
		w.Errorf("the mail of %v is said to be sent, and was not", of)
	case (i.Mail == member.MailSending || i.Mail == member.MailUnknown) && sent == 0 && !l.lost[to] && !l.lost[alone]:
		if !harmed {
			w.Errorf("the mail of %v is claimed, and not sent", of)
		}
		l.lost[to] = true
		w.tally.unsent++
	}
}

// read reads what there is, of all workspaces.
func (l *ledger) read() sight {
	w := l.w
	w.Helper()
	s := sight{map[pair]member.Member{}, map[pair]member.Invitation{}, w.directory.known()}
	for _, house := range w.houses {
		for _, org := range house.workspaces {
			members, _, err := w.stored.Members(w.Context(), org.ID)
			w.must(err)
			for _, m := range members {
				of := pair{org.ID, member.Fold(m.Email)}
				if other, twice := s.members[of]; twice {
					w.fail(&w.tally.doubled, "%v is a member as %s and as %s", of, m.ID, other.ID)
				}
				s.members[of] = m
			}
			invitations, err := w.stored.Invitations(w.Context(), org.ID)
			w.must(err)
			for _, i := range invitations {
				of := pair{org.ID, member.Fold(i.Email)}
				if other, twice := s.invitations[of]; twice {
					w.fail(&w.tally.doubled, "%v is invited as %s and as %s", of, i.ID, other.ID)
				}
				s.invitations[of] = i
			}
		}
	}
	return s
}

// groups holds that the directory's groups have members alone; and all of them, when nothing is left to do.
func (l *ledger) groups(all bool) {
	l.w.Helper()
	var members []string
	for of, m := range l.seen.members {
		members = append(members, of.workspaceID+" "+m.AccountID)
	}
	slices.Sort(members)
	grouped := l.w.directory.grouped()
	for _, membership := range grouped {
		if !slices.Contains(members, membership) {
			l.w.Errorf("%s is in a group, and no member", membership)
		}
	}
	if all && !slices.Equal(members, grouped) {
		l.w.fail(&l.w.tally.lost, "the groups are %v, the memberships %v", grouped, members)
	}
}

// settled holds what clients have been told.
func (l *ledger) settled() {
	w := l.w
	w.Helper()
	for of := range l.due {
		if _, is := l.seen.members[of]; !is && !l.open(l.seen.invitations[of]) {
			if l.never[addressee{l.house(of), of.email}] || l.removing[of.email] {
				// Of two calls at once one has answered before the mailer told the other that there is no mailing to the person.
				l.taken[of] = true
				delete(l.due, of)
				delete(l.tells, of)
				continue
			}
			w.fail(&w.tally.lost, "%v was answered with success, and is neither a member nor invited", of)
		}
	}
	for of := range l.tells {
		if l.seen.accounts[of.email] == "" && !l.pending(of.email) && !l.reached(of) {
			w.Errorf("%v was answered with success, and nobody is mailed", of)
		}
	}
}

// reachable holds that a person whose invitations a call has answered without a failure was sent a mail, and that it
// was handed over.
func (l *ledger) reachable(of pair) {
	l.w.Helper()
	if l.apart && !l.handed(of) {
		l.w.Errorf("%v was answered with success, and no mail was handed over", of)
	}
}

// signedUp ends what a mail is for.
func (l *ledger) signedUp(email string) {
	maps.DeleteFunc(l.tells, func(of pair, _ bool) bool { return of.email == email })
}

// pending says whether somebody is still to repeat a call for the person.
func (l *ledger) pending(email string) bool {
	return slices.ContainsFunc(l.w.asks, func(a *ask) bool {
		return slices.ContainsFunc(a.pairs, func(of pair) bool { return of.email == email })
	})
}

// reached says whether the person of a pair has a mail, or would have one had its sender not died.
func (l *ledger) reached(of pair) bool {
	return l.handed(of) || l.any(of, func(to addressee) bool { return l.lost[to] })
}

// handed reports whether a mail to the person of a pair was handed over.
func (l *ledger) handed(of pair) bool {
	return l.any(of, func(to addressee) bool { return l.mails[to] > 0 })
}

// any reports whether something holds of a mail that tells the person of a pair.
func (l *ledger) any(of pair, holds func(addressee) bool) bool {
	for _, house := range l.w.houses {
		if !house.has(of.workspaceID) {
			continue
		}
		if holds(addressee{house.ID, of.email}) {
			return true
		}
		for _, org := range house.workspaces {
			if holds(addressee{org.ID, of.email}) {
				return true
			}
		}
	}
	return false
}

// lapse forgets what is over since the clock has moved on: invitations of people who have not signed up, and with the
// last that is open of an addressee the mails.
func (l *ledger) lapse() {
	open := map[addressee]bool{}
	for of, i := range l.seen.invitations {
		if l.open(i) {
			open[addressee{of.workspaceID, of.email}] = true
			if i.Agency != "" || i.Mail == member.MailQueued {
				open[addressee{l.house(of), of.email}] = true
			}
			continue
		}
		delete(l.due, of)
		delete(l.tells, of)
		if !slices.ContainsFunc(l.w.asks, func(a *ask) bool { return slices.Contains(a.pairs, of) }) {
			delete(l.asked, of)
		}
	}
	maps.DeleteFunc(l.mails, func(to addressee, _ int) bool { return !open[to] })
	maps.DeleteFunc(l.lost, func(to addressee, _ bool) bool { return !open[to] })
}

// idle says whether nothing is left to do for people who have signed up.
func (l *ledger) idle() bool {
	for of := range l.seen.invitations {
		if l.seen.accounts[of.email] != "" {
			return false
		}
	}
	for _, house := range l.w.houses {
		for _, org := range house.workspaces {
			moves, err := l.w.stored.Moves(l.w.Context(), org.ID)
			l.w.must(err)
			if len(moves) > 0 {
				return false
			}
		}
	}
	return true
}

// over holds what must be there when everything has come to its end, row by row.
func (l *ledger) over() {
	w := l.w
	w.Helper()
	for of := range l.due {
		if _, is := l.seen.members[of]; !is {
			w.fail(&w.tally.lost, "%v was answered with success, and is no member", of)
		}
	}
	l.groups(true)
	w.tally.memberships += len(l.seen.members)
	for _, house := range w.houses {
		for _, org := range house.workspaces {
			l.counted(org.ID)
		}
		for _, row := range l.rows(house.ID) {
			if sort := table.KeyOf(row).Sort; len(sort) > len("invitee#") && sort[:len("invitee#")] == "invitee#" {
				w.Errorf("the agency keeps %v", row)
			}
		}
	}
	for _, email := range w.people {
		for _, row := range l.rows("person#" + email) {
			of := pair{table.KeyOf(row).Sort, email}
			if m, is := l.seen.members[of]; !is || row["member"] != m.ID {
				w.fail(&w.tally.doubled, "the store has of %v %v", of, row)
			}
			delete(l.seen.members, of)
		}
	}
	for of := range l.seen.members {
		w.fail(&w.tally.lost, "nothing leads from the address of %v to the membership", of)
	}
	w.pass(member.InvitationLife + 24*time.Hour)
	w.must(w.rows.CatchUp())
	for due, err := range w.stored.DueInvitations(w.Context(), 100) {
		if err != nil || len(due) > 0 {
			w.Errorf("still due: %v %v", due, err)
		}
	}
	for due, err := range w.stored.DueMoves(w.Context(), 100) {
		if err != nil || len(due) > 0 {
			w.Errorf("still due: %v %v", due, err)
		}
	}
}

// counted holds the rows of a workspace: its members and their counts, and nothing of invitations and moves.
func (l *ledger) counted(orgID string) {
	w := l.w
	w.Helper()
	people, admins := int64(0), int64(0)
	for of, m := range l.seen.members {
		if of.workspaceID == orgID {
			people++
			if m.Role == member.Admin {
				admins++
			}
		}
	}
	listed := int64(0)
	for _, row := range l.rows(orgID) {
		switch sort := table.KeyOf(row).Sort; {
		case sort == "people":
			if row["people"] != people || row["admins"] != admins {
				w.fail(&w.tally.doubled, "%s has %d people, %d admins, and counts %v", orgID, people, admins, row)
			}
		case sort == "workspace":
		case len(sort) > 7 && sort[:7] == "member#":
			listed++
		default:
			w.fail(&w.tally.doubled, "%s keeps %v", orgID, row)
		}
	}
	if listed != people {
		w.fail(&w.tally.doubled, "%s has %d members and %d rows of them", orgID, people, listed)
	}
}

// rows reads a partition of the core table.
func (l *ledger) rows(partition string) (listed []table.Item) {
	query := table.Query{Table: rows.CoreTable, Partition: partition, Consistent: true}
	for {
		page, err := l.w.rows.Query(l.w.Context(), query)
		l.w.must(err)
		listed = append(listed, page.Items...)
		if page.Next == nil {
			return listed
		}
		query.After = page.Next
	}
}

// A tally is what came about in runs.
type tally struct {
	runs, steps, asks          int
	crashes, errors            int
	delivered, again           int
	mails, unsent, memberships int
	lost, doubled, second      int
	revoked, resent            int // requests that were done
	revived, stranded          int
	struck                     map[string]int // by what, and where
}

// sum is what came about in this run.
func (w *world) sum() tally {
	w.tally.runs, w.tally.delivered, w.tally.again = 1, w.bag.received, w.bag.doubled
	return w.tally
}

func (t *tally) add(more tally) {
	t.runs += more.runs
	t.steps += more.steps
	t.asks += more.asks
	t.crashes += more.crashes
	t.errors += more.errors
	t.delivered += more.delivered
	t.again += more.again
	t.mails += more.mails
	t.unsent += more.unsent
	t.memberships += more.memberships
	t.lost += more.lost
	t.doubled += more.doubled
	t.second += more.second
	t.revoked += more.revoked
	t.resent += more.resent
	t.revived += more.revived
	t.stranded += more.stranded
	for what, n := range more.struck {
		t.struck[what] += n
	}
}

func (t tally) String() string {
	return fmt.Sprintf("%d runs, %d steps, %d crashes and %d errors injected, %d messages delivered, %d of them again, %d mails (%d died on the way), "+
		"%d memberships: %d lost, %d doubled, %d second mails; %d revoked: %d revived, %d stranded; %d mails sent again",
		t.runs, t.steps, t.crashes, t.errors, t.delivered, t.again, t.mails, t.unsent,
		t.memberships, t.lost, t.doubled, t.second, t.revoked, t.revived, t.stranded, t.resent)
}
