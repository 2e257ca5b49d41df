// Package environmentsecret implements the port secret on the environment of a process, for laptops and tests: the
// secret "reddit/client-id" is the variable SOURCE_REDDIT_CLIENT_ID. The model is no source: "model/key" is MODEL_KEY.
//
// Only the workbench, tools and tests import it. It never runs in a Lambda.
package environmentsecret

import (
	"context"
	"fmt"
	"strings"

	"earshot/shared/port/secret"
)

// A Store reads environment variables.
type Store struct{ env func(string) string }

// New makes the adapter. env is os.Getenv or the like.
func New(env func(string) string) Store { return Store{env} }

// Get returns the secrets whose variables are set and not empty.
func (s Store) Get(ctx context.Context, names ...string) (map[string]string, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("environmentsecret: %w", err)
	}
	if err := secret.CheckNames(names...); err != nil {
		return nil, fmt.Errorf("environmentsecret: %w", err)
	}
	found := make(map[string]string, len(names))
	for _, name := range names {
		if value := s.env(Variable(name)); value != "" {
			found[name] = value
		}
	}
	return found, nil
}

// Variable returns the name of the environment variable that holds a secret.
func Variable(name string) string {
	variable := strings.ToUpper(strings.NewReplacer("/", "_", "-", "_").Replace(name))
	if strings.HasPrefix(name, "model/") {
		return variable
	}
	return "SOURCE_" + variable
}
