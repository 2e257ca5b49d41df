// Package members is the function of the people of a workspace and who is invited ("members" in the contract).
package members

import (
	"earshot/shared/port/clock"
	"earshot/shared/web"
)

// Group names the function, its tag and its folder.
const Group = "members"

// Store is what the function asks of the store.
type Store interface{}

// Options are what the function works with. A document-only API needs none of it.
type Options struct {
	Store Store
	Clock clock.Clock
}

// Register adds the function's operations.
func Register(api *web.API, o Options) {
}
