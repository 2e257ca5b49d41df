package cognitoidentity

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	cognito "github.com/aws/aws-sdk-go-v2/service/cognitoidentityprovider"
	"github.com/aws/aws-sdk-go-v2/service/cognitoidentityprovider/types"

	"earshot/shared/port/identity"
)

// Account finds an account by its address. Cognito finds users who sign in by an address whatever its case. It finds
// users of another provider only in a list, where case counts.
func (d *Directory) Account(ctx context.Context, email string) (identity.Account, error) {
	if err := ctx.Err(); err != nil {
		return identity.Account{}, fmt.Errorf("cognitoidentity: find: %w", err)
	}
	if !identity.CanBeEmail(email) {
		return identity.Account{}, identity.ErrNoAccount
	}
	if err := turn(ctx, d.lookups); err != nil {
		return identity.Account{}, fmt.Errorf("cognitoidentity: find: %w", err)
	}
	folded := identity.Fold(email)
	found, err := d.byAlias(ctx, folded)
	if err != nil {
		return identity.Account{}, failed(ctx, "find", err)
	}
	if found.isAccountOf(folded) {
		return found.account(), nil
	}
	listed, err := d.list(ctx, folded)
	if err != nil {
		return identity.Account{}, failed(ctx, "find", err)
	}
	listed = slices.DeleteFunc(listed, func(u user) bool { return !u.isAccountOf(folded) })
	if len(listed) == 0 {
		return identity.Account{}, identity.ErrNoAccount
	}
	// One person may have come by several providers: the first account is theirs, every time.
	return slices.MinFunc(listed, func(a, b user) int {
		return cmp.Or(a.created.Compare(b.created), strings.Compare(a.name, b.name))
	}).account(), nil
}

// A user is an entry of the pool.
type user struct {
	name       string // username
	status     types.UserStatusType
	enabled    bool
	created    time.Time
	attributes map[string]string
}

// isAccountOf reports whether the user has signed up and verified the address. Someone who began to sign up, or changed
// the address, can have named any.
func (u user) isAccountOf(folded string) bool {
	switch u.status {
	// whose sign-up was confirmed
	case types.UserStatusTypeConfirmed, types.UserStatusTypeExternalProvider, types.UserStatusTypeResetRequired:
		return u.enabled && u.attributes["email_verified"] == "true" && identity.Fold(u.attributes["email"]) == folded
	}
	return false
}

func (u user) account() identity.Account {
	return identity.Account{ID: u.name, Email: u.attributes["email"], Name: u.attributes["name"]}
}

// maxUsername is the longest username (API reference of AdminGetUser). A user with a longer address cannot sign in by
// it.
const maxUsername = 128

// byAlias returns the user who signs in by the address; none if there is none, or if the address cannot be signed in
// by.
func (d *Directory) byAlias(ctx context.Context, folded string) (user, error) {
	if len(folded) > maxUsername {
		return user{}, nil
	}
	output, err := d.client.AdminGetUser(ctx, &cognito.AdminGetUserInput{UserPoolId: &d.pool, Username: &folded})
	if unknown(err) || invalid(err) {
		return user{}, nil
	}
	if err != nil {
		return user{}, err
	}
	return user{
		valueOf(output.Username), output.UserStatus, output.Enabled, valueOf(output.UserCreateDate),
		attributesOf(output.UserAttributes),
	}, nil
}

const (
	// maxPages bounds a walk over pages. Cognito may return empty pages. More than one page with users would be 60
	// users of one address.
	maxPages = 20
	// maxFilter is how long a filter may be (API reference of ListUsers).
	maxFilter = 256
)

// list returns the users with exactly this address; none if it is too long for a filter.
func (d *Directory) list(ctx context.Context, folded string) (users []user, err error) {
	filter := `email = "` + quoted.Replace(folded) + `"`
	if len(filter) > maxFilter {
		return nil, nil
	}
	var token *string
	for range maxPages {
		output, err := d.client.ListUsers(
			ctx, &cognito.ListUsersInput{UserPoolId: &d.pool, Filter: &filter, PaginationToken: token},
		)
		if err != nil {
			return nil, err
		}
		for _, u := range output.Users {
			users = append(
				users,
				user{
					valueOf(u.Username), u.UserStatus, u.Enabled, valueOf(u.UserCreateDate), attributesOf(u.Attributes),
				},
			)
		}
		if token = output.PaginationToken; token == nil || *token == "" {
			return users, nil
		}
	}
	return nil, errors.New("the list does not end")
}

// quoted escapes characters that would end the value of a filter.
var quoted = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

func attributesOf(pairs []types.AttributeType) map[string]string {
	attributes := make(map[string]string, len(pairs))
	for _, pair := range pairs {
		attributes[valueOf(pair.Name)] = valueOf(pair.Value)
	}
	return attributes
}

func valueOf[T any](pointer *T) (value T) {
	if pointer == nil {
		return value
	}
	return *pointer
}
