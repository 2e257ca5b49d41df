package controls

import (
	"context"
	"net/http"
	"strings"
	"unicode/utf8"

	"earshot/shared/embedded/sqliteidentity"
	"earshot/shared/member"
	rule "earshot/shared/name"
	"earshot/shared/port/identity"
	"earshot/shared/web/problem"
)

// Accounts is the directory of people's accounts. Here it grows and is listed.
type Accounts interface {
	// SignUp returns the existing account, if there is one.
	SignUp(ctx context.Context, email, name string) (account identity.Account, created bool, err error)
	// Account finds an account. Returns identity.ErrNoAccount.
	Account(ctx context.Context, email string) (identity.Account, error)
	// List returns the people who have signed up, the latest first.
	List(ctx context.Context, limit int) ([]sqliteidentity.Person, error)
}

// maxName is the most characters of a person's name.
const maxName = 100

type signUpCommand struct {
	Email string `json:"email"`
	Name  string `json:"name"` // empty: not told
}

type signUpAnswer struct {
	ID      string   `json:"id"`
	Email   string   `json:"email"`
	Granted []string `json:"granted"` // workspaces that were waiting for the person, and let them in now
}

// signUp makes an account and does what a deployment does after a sign-up: the person joins what they are invited to.
// A failure of that is logged, because the sign-up did not fail. The queue and the schedule do it later, or the same
// request again.
func (c *controls) signUp(r *http.Request) (any, error) {
	var command signUpCommand
	if err := readCommand(r, &command); err != nil {
		return nil, err
	}
	name := strings.TrimSpace(command.Name)
	var faults []problem.Detail
	switch {
	case command.Email == "":
		faults = append(faults, problem.Detail{Path: "email", Code: "required", Message: "Must be an address of mail."})
	case !member.ValidEmail(command.Email):
		faults = append(
			faults,
			problem.Detail{
				Path:    "email",
				Code:    "format",
				Message: "Must be an address of mail, such as quietharbor@northwind.example.",
			},
		)
	}
	if utf8.RuneCountInString(name) > maxName || name != "" && rule.FaultOf(name) != "" {
		faults = append(
			faults, problem.Detail{Path: "name", Code: "format", Message: "Must be a line of at most 100 characters."},
		)
	}
	if len(faults) > 0 {
		return nil, problem.Invalid(faults...)
	}
	account, _, err := c.Accounts.SignUp(r.Context(), command.Email, name)
	if err != nil {
		return nil, err
	}
	granted, err := c.Arrived(r.Context(), account)
	if err != nil {
		c.Log.ErrorContext(
			r.Context(), "what waited for an account is not all done yet", "account", account.ID, "cause", err,
		)
	}
	return signUpAnswer{account.ID, account.Email, append([]string{}, granted...)}, nil
}

type accountAnswer struct {
	ID     string   `json:"id"`
	Email  string   `json:"email"`
	Name   string   `json:"name"`   // empty: not told
	Groups []string `json:"groups"` // the directory's, which are named by workspaces
}

// listAccounts lists the people who have signed up, the latest first.
func (c *controls) listAccounts(r *http.Request) (any, error) {
	if _, err := readQuery(r); err != nil {
		return nil, err
	}
	people, err := c.Accounts.List(r.Context(), maxListed)
	if err != nil {
		return nil, err
	}
	shown := make([]accountAnswer, len(people))
	for i, person := range people {
		shown[i] = accountAnswer{person.ID, person.Email, person.Name, append([]string{}, person.Groups...)}
	}
	return map[string]any{"accounts": shown}, nil
}
