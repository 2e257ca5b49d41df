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

// An Account is a person who has signed up, and has shown that the address is theirs.
type Account struct {
	ID    string // the directory's own, which does not change
	Email string // as the directory has it
	Name  string // empty: not told
}

// A Directory knows accounts and groups. A group is named by its workspace's id; one without a name is none. It is made by CreateGroup,
// or when its first member joins, and stays until DeleteGroup, also when everyone has left.
type Directory interface {
	// Account finds an account by its address, whatever the case of its letters (see Fold). An account that is disabled, whose sign-up
	// is not finished, or that has not shown the address to be its own, is none. Answers ErrNoAccount, also for what is no address.
	Account(ctx context.Context, email string) (Account, error)
	// Join adds an account to a group; it may be there already. Answers ErrNoAccount.
	Join(ctx context.Context, group, accountID string) error
	// Leave takes an account out of a group; an account or a group that is not there is no error.
	Leave(ctx context.Context, group, accountID string) error
	// CreateGroup makes a group without members; one that is there stays as it is.
	CreateGroup(ctx context.Context, group string) error
	// DeleteGroup takes a group away; one that is not there is no error. Its members' accounts stay, and so do other groups. Who joins
	// at that moment is in the group that goes, or makes it again.
	DeleteGroup(ctx context.Context, group string) error
}

// Errors of a Directory, beside the context's own; any other is a mistake in the configuration. None holds an address.
var (
	// ErrNoAccount means that nobody has signed up with this address or id.
	ErrNoAccount = errors.New("identity: no such account")
	// ErrUnavailable means that the directory did not answer, failed, or turned the request away for the load. Each operation may be
	// repeated, whether or not it was done.
	ErrUnavailable = errors.New("identity: unavailable")
)

// Fold is the form of an address in which two that differ in case are the same: with the letters of ASCII in lower case. Others stay,
// for some of them (U+212A, the Kelvin sign) would turn into a letter of ASCII, and the address into someone else's.
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

// CanBeEmail says whether a text could be the address of an account: whether it is worth asking a directory for. It is no check of
// what a client sends.
func CanBeEmail(text string) bool {
	at := strings.IndexByte(text, '@')
	return at > 0 && at < len(text)-1 && len(text) <= maxEmail && utf8.ValidString(text) &&
		!strings.ContainsFunc(text, func(char rune) bool { return unicode.IsControl(char) || unicode.IsSpace(char) })
}
