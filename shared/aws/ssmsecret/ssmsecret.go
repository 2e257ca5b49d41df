// Package ssmsecret implements the port secret on Parameter Store of AWS Systems Manager, as SecureString parameters
// below one path.
//
// Its errors hold names and SSM's codes, never a value.
//
// Only mains and tests import it.
package ssmsecret

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/ssm"
	"github.com/aws/aws-sdk-go-v2/service/ssm/types"

	"earshot/shared/aws/account"
	"earshot/shared/port/secret"
)

// A Store reads and writes parameters.
type Store struct {
	client *ssm.Client
	path   string // with a slash at its end
}

// New makes the adapter. The secret "reddit/client-id" is the parameter of that name below the path, such as
// /earshot/dev/sources.
func New(client *ssm.Client, path string) (*Store, error) {
	if !strings.HasPrefix(path, "/") || strings.Trim(path, "/") == "" {
		return nil, fmt.Errorf("ssmsecret: %q is no path of parameters", path)
	}
	return &Store{client, strings.TrimRight(path, "/") + "/"}, nil
}

// FromEnvironment returns the adapter for the path in the deployment's variable SECRET_PATH. SECRET_ENDPOINT, for
// tests, names another server than AWS's. env is os.Getenv or a stand-in.
func FromEnvironment(env func(string) string) (*Store, error) {
	return FromVariable(env, "SECRET_PATH")
}

// FromVariable is FromEnvironment for the path in another variable.
func FromVariable(env func(string) string, variable string) (*Store, error) {
	asker, err := account.From(env, env("SECRET_ENDPOINT"))
	if err != nil {
		return nil, fmt.Errorf("ssmsecret: %w", err)
	}
	path := env(variable)
	if path == "" {
		return nil, fmt.Errorf("ssmsecret: %s is not set", variable)
	}
	return New(NewClient(asker), path)
}

// timeouts of one attempt. Parameters are a few kilobytes, deciphered by KMS.
var timeouts = account.Timeouts{Connect: time.Second, Response: 3 * time.Second, Attempt: 5 * time.Second}

// NewClient makes a client with up to three attempts at a request. It sends nothing before the first operation.
func NewClient(asker account.Account) *ssm.Client {
	return ssm.New(ssm.Options{
		Region:       asker.Region,
		BaseEndpoint: asker.BaseEndpoint(),
		Credentials:  asker.Credentials(),
		HTTPClient:   account.NewHTTPClient(timeouts),
		Retryer:      account.NewRetryer(),
	})
}

// maxNames is how many parameters GetParameters takes.
const maxNames = 10

// Get returns those of the named secrets that are configured.
func (s *Store) Get(ctx context.Context, names ...string) (map[string]string, error) {
	if err := secret.CheckNames(names...); err != nil {
		return nil, fmt.Errorf("ssmsecret: %w", err)
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("ssmsecret: %w", err)
	}
	once := slices.Compact(slices.Sorted(slices.Values(names)))
	found := make(map[string]string, len(once))
	for batch := range slices.Chunk(once, maxNames) {
		some, err := s.get(ctx, batch)
		if err != nil {
			return nil, err
		}
		maps.Copy(found, some)
	}
	return found, nil
}

// get sends one request. SSM lists missing parameters as invalid.
func (s *Store) get(ctx context.Context, names []string) (map[string]string, error) {
	full := make([]string, len(names))
	for i, name := range names {
		full[i] = s.path + name
	}
	decrypt := true
	output, err := s.client.GetParameters(ctx, &ssm.GetParametersInput{Names: full, WithDecryption: &decrypt})
	if err != nil {
		return nil, failed(ctx, err)
	}
	found := make(map[string]string, len(output.Parameters))
	for _, parameter := range output.Parameters {
		if parameter.Name == nil || parameter.Value == nil {
			continue
		}
		if name, below := strings.CutPrefix(*parameter.Name, s.path); below {
			found[name] = *parameter.Value
		}
	}
	return found, nil
}

// Put stores a secret as a SecureString, ciphered by the account's key for Parameter Store.
func (s *Store) Put(ctx context.Context, name, value string) error {
	if err := errors.Join(ctx.Err(), secret.CheckPut(name, value)); err != nil {
		return fmt.Errorf("ssmsecret: %w", err)
	}
	full, overwrite := s.path+name, true
	_, err := s.client.PutParameter(ctx, &ssm.PutParameterInput{
		Name: &full, Value: &value, Type: types.ParameterTypeSecureString, Overwrite: &overwrite,
	})
	if err != nil {
		return unwritten(ctx, err)
	}
	return nil
}

// Delete deletes a secret's parameter.
func (s *Store) Delete(ctx context.Context, name string) error {
	if err := errors.Join(ctx.Err(), secret.CheckNames(name)); err != nil {
		return fmt.Errorf("ssmsecret: %w", err)
	}
	full := s.path + name
	_, err := s.client.DeleteParameter(ctx, &ssm.DeleteParameterInput{Name: &full})
	var missing *types.ParameterNotFound
	if err != nil && !errors.As(err, &missing) {
		return unwritten(ctx, err)
	}
	return nil
}
