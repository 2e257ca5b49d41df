package cognitoidentity_test

import (
	"context"
	"crypto/rand"
	"errors"
	"os"
	"testing"

	cognito "github.com/aws/aws-sdk-go-v2/service/cognitoidentityprovider"
	"github.com/aws/aws-sdk-go-v2/service/cognitoidentityprovider/types"

	"earshot/shared/aws/account"
	"earshot/shared/aws/cognitoidentity"
	"earshot/shared/port/identity/identitytest"
)

// peer is a client of the server in IDENTITY_ENDPOINT; without one the test is skipped.
func peer(t *testing.T) *cognito.Client {
	t.Helper()
	endpoint := os.Getenv("IDENTITY_ENDPOINT")
	if endpoint == "" {
		t.Skip("IDENTITY_ENDPOINT is not set: no server that speaks Cognito's API to test against (see make peers)")
	}
	asker, err := account.From(os.Getenv, endpoint)
	if err != nil {
		t.Fatal(err)
	}
	return cognitoidentity.NewClient(asker)
}

// A pool is a user pool of one test.
type pool struct {
	client *cognito.Client
	id     *string
	byMail bool // people sign in by their address
}

func newPool(t *testing.T, client *cognito.Client, byMail bool) pool {
	t.Helper()
	name := "test-" + rand.Text()
	input := &cognito.CreateUserPoolInput{PoolName: &name}
	if byMail {
		sensitive := false
		input.UsernameAttributes = []types.UsernameAttributeType{types.UsernameAttributeTypeEmail}
		input.UsernameConfiguration = &types.UsernameConfigurationType{CaseSensitive: &sensitive}
	}
	output, err := client.CreateUserPool(t.Context(), input)
	if err != nil {
		t.Fatal(err)
	}
	p := pool{client, output.UserPool.Id, byMail}
	t.Cleanup(func() {
		if _, err := client.DeleteUserPool(context.Background(), &cognito.DeleteUserPoolInput{UserPoolId: p.id}); err != nil {
			t.Error(err)
		}
	})
	return p
}

// create makes a user whom an administrator has invited, and answers their username.
func (p pool) create(ctx context.Context, email, name, verified string) (*string, error) {
	username := email
	if !p.byMail {
		username = "user-" + rand.Text()
	}
	attributes := []types.AttributeType{attribute("email", email), attribute("email_verified", verified)}
	if name != "" {
		attributes = append(attributes, attribute("name", name))
	}
	output, err := p.client.AdminCreateUser(ctx, &cognito.AdminCreateUserInput{
		UserPoolId: p.id, Username: &username, UserAttributes: attributes, MessageAction: types.MessageActionTypeSuppress})
	if err != nil {
		return nil, err
	}
	return output.User.Username, nil
}

// signUp makes a user who has a password of their own.
func (p pool) signUp(ctx context.Context, email, name, verified string) (*string, error) {
	username, err := p.create(ctx, email, name, verified)
	if err != nil {
		return nil, err
	}
	password := "Aa1!" + rand.Text()
	_, err = p.client.AdminSetUserPassword(ctx,
		&cognito.AdminSetUserPasswordInput{UserPoolId: p.id, Username: username, Password: &password, Permanent: true})
	return username, err
}

func (p pool) pretenders() map[string]func(context.Context, string) error {
	return map[string]func(context.Context, string) error{
		"invited": func(ctx context.Context, email string) error {
			_, err := p.create(ctx, email, "", "true")
			return err
		},
		"unverified": func(ctx context.Context, email string) error {
			_, err := p.signUp(ctx, email, "", "false")
			return err
		},
		"disabled": func(ctx context.Context, email string) error {
			username, err := p.signUp(ctx, email, "", "true")
			if err != nil {
				return err
			}
			_, err = p.client.AdminDisableUser(ctx, &cognito.AdminDisableUserInput{UserPoolId: p.id, Username: username})
			return err
		},
		"unconfirmed": func(ctx context.Context, email string) error {
			name, password := "client", "Aa1!"+rand.Text()
			output, err := p.client.CreateUserPoolClient(ctx,
				&cognito.CreateUserPoolClientInput{UserPoolId: p.id, ClientName: &name})
			if err != nil {
				return err
			}
			_, err = p.client.SignUp(ctx,
				&cognito.SignUpInput{ClientId: output.UserPoolClient.ClientId, Username: &email, Password: &password,
					UserAttributes: []types.AttributeType{attribute("email", email), attribute("email_verified", "true")}})
			return err
		},
	}
}

// members walks over the pages of a group's members.
func (p pool) members(ctx context.Context, group string) (ids []string, err error) {
	pages := cognito.NewListUsersInGroupPaginator(p.client,
		&cognito.ListUsersInGroupInput{UserPoolId: p.id, GroupName: &group})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		var missing *types.ResourceNotFoundException
		if errors.As(err, &missing) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		for _, user := range page.Users {
			ids = append(ids, *user.Username)
		}
	}
	return ids, nil
}

// groups walks over the pages of the groups.
func (p pool) groups(ctx context.Context) (names []string, err error) {
	pages := cognito.NewListGroupsPaginator(p.client, &cognito.ListGroupsInput{UserPoolId: p.id})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, err
		}
		for _, group := range page.Groups {
			names = append(names, *group.GroupName)
		}
	}
	return names, nil
}

func attribute(name, value string) types.AttributeType {
	return types.AttributeType{Name: &name, Value: &value}
}

// The suite runs in a pool where people sign in by their address, as a deployment's is, and in one where only a list
// tells of addresses, as it does of people who come from another provider.
func TestSuite(t *testing.T) {
	client := peer(t)
	for name, byMail := range map[string]bool{"by mail": true, "by name": false} {
		t.Run(name, func(t *testing.T) {
			identitytest.Run(t, func(t *testing.T) identitytest.Medium {
				p := newPool(t, client, byMail)
				return identitytest.Medium{
					Directory: cognitoidentity.New(client, *p.id),
					SignUp: func(ctx context.Context, email, name string) (string, error) {
						username, err := p.signUp(ctx, email, name, "true")
						if err != nil {
							return "", err
						}
						return *username, nil
					},
					Members: p.members,
					Groups:  p.groups,
					Pretend: p.pretenders(),
				}
			}, identitytest.Options{})
		})
	}
}

// A pool that is not there is a mistake in the configuration: no operation takes it for less.
func TestPool_Missing(t *testing.T) {
	directory := cognitoidentity.New(peer(t), "us-east-1_nothere00")
	_, err := directory.Account(t.Context(), "first@northwind.example")
	for name, err := range map[string]error{
		"find": err, "join": directory.Join(t.Context(), "org_1", "first"),
		"leave":  directory.Leave(t.Context(), "org_1", "first"),
		"create": directory.CreateGroup(t.Context(), "org_1"), "delete": directory.DeleteGroup(t.Context(), "org_1"),
	} {
		if !isMistake(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
