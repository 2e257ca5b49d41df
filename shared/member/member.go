// Package member is the domain of the people of a workspace: who is a member, who is invited, and how an invited person
// becomes a member. Inviting may be repeated, killed midway and run twice at once. The same call again does what is
// left, and sends no second mail to a person; only Desk.Resend does.
//
// A person is an address. A workspace has at most one membership or one invitation for an address, whatever the case of
// its letters. The store decides what a person may do; the directory's groups are copies that follow the store.
//
// Its nouns:
//
//   - A Member is a person of a workspace. An Invitation lets a person without an account into one workspace.
//   - A Desk invites one person into one workspace. A Fanout invites many people into many workspaces of an agency.
//   - A Ledger is the store as a Desk sees it, a Roster as a Fanout does, and Awaiting as Arrivals does.
//   - A Lead is the one invitation of an agency to a person that has a mail. The agency's other invitations of that
//     person are queued behind it.
//   - An Ask requests one person's entry into a workspace, and a Seat is its result. An Answer is what a Fanout reports
//     for a person and a workspace.
//   - Arrivals lets in people who signed up after they were invited. A Look is the result of one such check.
//   - A Move is a change that the directory's group of a workspace still lacks.
//   - A Letter is the content of an invitation's mail. A MailState is how far that mail has got.
//
// The package comment of shared/store/peoplestore has the states of an invitation. The functions agency and members,
// the packages below members, peoplestore and web/memberwire import this package.
package member

import (
	"errors"
	"strings"
	"time"
	"unicode"

	"earshot/shared/text"
)

// Prefixes of ids (section 2 of the contract).
const (
	PrefixMember     = "mem_"
	PrefixInvitation = "inv_"
)

// MostPeople is how many members and open invitations a workspace has at most.
const MostPeople = 500

// Role is what a member may do, by the names of the description ("POST /agency/members/invite").
type Role string

// The roles.
const (
	Admin    Role = "org:admin"
	Ordinary Role = "org:member"
)

// Member is a person of a workspace.
type Member struct {
	ID         string // mem_…
	Email      string // as it was given; see Fold
	Name       string // empty: not known
	Role       Role
	Superadmin bool   // owns the workspace: always an admin, and not to be removed
	AccountID  string // the directory's; empty until the person has signed up
	CreatedAt  time.Time
	Revision   int64 // raised by every change
}

// Errors of what cannot be done with people.
var (
	ErrExists     = errors.New("member: the workspace has a member of this address")
	ErrFull       = errors.New("member: the workspace has as many members and open invitations as it can have")
	ErrLastAdmin  = errors.New("member: the only admin of the workspace")
	ErrSuperadmin = errors.New("member: a superadmin cannot be removed")
	ErrDaily      = errors.New("member: the workspace has sent as many invitation mails today as it can")
	// ErrRemoved means that a request is repeated whose member or invitation has been removed since.
	ErrRemoved = errors.New("member: what the request made has been removed since")
)

// maxName is how many characters of a name are kept.
const maxName = 200

// CleanName returns a person's name without control and formatting characters, cut to maxName characters.
func CleanName(name string) string { return text.Cut(oneLine(name), maxName) }

// oneLine makes one line of a stranger's text. It replaces control and formatting characters, line breaks and marks
// that turn the direction of writing with a space.
func oneLine(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.C, unicode.Z) || r == unicode.ReplacementChar {
			return ' '
		}
		return r
	}, text)
	return strings.Join(strings.Fields(text), " ")
}
