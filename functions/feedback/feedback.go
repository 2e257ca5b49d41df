// Package feedback is the function of what members of a workspace judge of mentions, and how often they were right ("feedback" in the contract).
package feedback

import (
	"earshot/shared/port/clock"
	"earshot/shared/web"
)

// Group names the function, its tag and its folder.
const Group = "feedback"

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
