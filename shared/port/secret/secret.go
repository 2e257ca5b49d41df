// Package secret is the port to what must not stand in the tree, the environment of a Lambda, logs or errors: the credentials of
// sources, like SecureString parameters of AWS Systems Manager.
//
// Mains and adapters import it.
package secret

import "context"

// A Store reads secrets.
type Store interface {
	// Get answers the secrets with those names, below the deployment's own path; what is not configured is not there, and that is
	// no error. Names are as in source.Credential: "reddit/client-id".
	Get(ctx context.Context, names ...string) (map[string]string, error)
}
