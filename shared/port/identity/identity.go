// Package identity is the port to the directory of people's accounts, like a user pool of Amazon Cognito. It knows who
// has signed up, and which workspaces' groups an account belongs to. The store decides what a person may do in a
// workspace; a group is the directory's copy of that.
//
// Functions, adapters and shared/member import it.
package identity

import (
	"context"
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"
)

// An Account is a person who has signed up and verified the address.
type Account struct {
	ID    string // the directory's own, which does not change
	Email string // as the directory has it
	Name  string // empty if unknown
}

// A Directory knows accounts and groups. A group is named by its workspace's id. CreateGroup makes it, or its first
// member by joining. It stays until DeleteGroup, even without members.
type Directory interface {
	// Account finds an account by its address, ignoring case (see Fold). It ignores accounts that are disabled, whose
	// sign-up is unfinished, or that have not verified the address. Returns ErrNoAccount if there is none, and for a
	// text that is no address.
	Account(ctx context.Context, email string) (Account, error)
	// Join adds an account to a group. A member stays one. Returns ErrNoAccount.
	Join(ctx context.Context, group, accountID string) error
	// Leave removes an account from a group. A missing account or group is no error.
	Leave(ctx context.Context, group, accountID string) error
	// CreateGroup makes an empty group. An existing group stays as it is.
	CreateGroup(ctx context.Context, group string) error
	// DeleteGroup deletes a group. A missing group is no error. The accounts of its members and other groups stay. An
	// account that joins at that moment is in the deleted group, or makes the group again.
	DeleteGroup(ctx context.Context, group string) error
}

// Errors of a Directory, besides the context's own. Any other error is a mistake in the configuration. No error holds
// an address.
var (
	// ErrNoAccount means that nobody has signed up with this address or id.
	ErrNoAccount = errors.New("identity: no such account")
	// ErrUnavailable means that the directory did not respond, failed, or refused the request because of load. The
	// operation may or may not have taken effect. It may be repeated.
	ErrUnavailable = errors.New("identity: unavailable")
)

// Fold returns an address with ASCII letters in lower case, so that addresses that differ in case are equal. Other
// letters stay. Some of them (U+212A, the Kelvin sign) would become ASCII letters, and the address would become another
// person's.
func Fold(email string) string {
	return strings.Map(func(char rune) rune {
		if 'A' <= char && char <= 'Z' {
			return char + ('a' - 'A')
		}
		return char
	}, email)
}

// maxEmail is how many bytes an address has at most (RFC 5321, section 4.5.3.1.3, less the brackets).
const maxEmail = 254

// CanBeEmail reports whether a text could be an account's address, so that a directory is worth asking. It does not
// validate clients' input.
func CanBeEmail(text string) bool {
	at := strings.IndexByte(text, '@')
	return at > 0 && at < len(text)-1 && len(text) <= maxEmail && utf8.ValidString(text) &&
		!strings.ContainsFunc(text, func(char rune) bool { return unicode.IsControl(char) || unicode.IsSpace(char) })
}
