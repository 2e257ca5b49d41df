// Package secret is the port to values that must not stand in the tree, in a Lambda's environment, in logs or in
// errors: the credentials of sources and of Slack, like SecureString parameters of AWS Systems Manager.
//
// Mains and adapters import it.
package secret

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// A Store reads secrets. It keeps none: whoever reads them keeps them, for as long as the process lives.
type Store interface {
	// Get answers the secrets with those names, below the deployment's own path; what is not configured is not there, and that is
	// no error. Names are as in source.Credential: "reddit/client-id"; see CheckNames.
	//
	// Errors: ErrInvalid; the context's own; any other means that the store did not answer. None holds a secret.
	Get(ctx context.Context, names ...string) (map[string]string, error)
}

// MaxName is how many bytes a name has at most.
const MaxName = 128

// ErrInvalid means that a name cannot be one: a mistake in the program.
var ErrInvalid = errors.New("secret: invalid name")

// CheckNames says whether all can be names, or ErrInvalid: words of lowercase letters and digits with dashes between, and slashes
// between those.
func CheckNames(names ...string) error {
	for _, name := range names {
		if len(name) > MaxName || !isName(name) {
			return fmt.Errorf("%w: %.*q", ErrInvalid, MaxName, name)
		}
	}
	return nil
}

// isName asks no regular expression: what asks it is each start of a function that has sources, and to compile one takes longer.
func isName(name string) bool {
	for words := range strings.SplitSeq(name, "/") {
		for word := range strings.SplitSeq(words, "-") {
			if word == "" || strings.Trim(word, "abcdefghijklmnopqrstuvwxyz0123456789") != "" {
				return false
			}
		}
	}
	return true
}
