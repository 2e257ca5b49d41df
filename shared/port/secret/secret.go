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

// A Store reads secrets. It does not cache: callers keep what they read as long as the process lives.
type Store interface {
	// Get returns the secrets with those names, below the deployment's own path. A secret that is not configured is
	// missing from the map, which is no error. Names are as in source.Credential: "reddit/client-id"; see CheckNames.
	//
	// Errors: ErrInvalid; the context's own. Any other error means that the store did not respond. No error holds a
	// secret.
	Get(ctx context.Context, names ...string) (map[string]string, error)
}

// A Writer stores and deletes secrets.
//
// Errors: ErrInvalid; the context's own. Any other error means that the store did not respond. No error holds a secret.
type Writer interface {
	// Put stores a secret in place of an earlier one. After an error the secret is the earlier or the new one.
	Put(ctx context.Context, name, value string) error
	// Delete deletes a secret. A secret that is missing is no error.
	Delete(ctx context.Context, name string) error
}

// MaxValue is how many bytes a secret has at most, as Parameter Store takes them without a charge.
const MaxValue = 4096

// MaxName is how many bytes a name has at most.
const MaxName = 128

// ErrInvalid means that a name or a value cannot be one: a mistake in the program.
var ErrInvalid = errors.New("secret: invalid name or value")

// CheckNames returns ErrInvalid unless all names are valid. A name consists of parts with slashes between. A part
// consists of words of lowercase letters and digits with dashes between.
func CheckNames(names ...string) error {
	for _, name := range names {
		if len(name) > MaxName || !isName(name) {
			return fmt.Errorf("%w: %.*q", ErrInvalid, MaxName, name)
		}
	}
	return nil
}

// CheckPut returns ErrInvalid unless a secret can be stored. A value has 1 to MaxValue bytes.
func CheckPut(name, value string) error {
	if value == "" || len(value) > MaxValue {
		return fmt.Errorf("%w: a value of %d bytes", ErrInvalid, len(value))
	}
	return CheckNames(name)
}

// isName uses no regular expression. Every start of a function with sources calls it, and compiling an expression takes
// longer.
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
