// Package feed is the domain of saved filters ("feeds" in the contract) and of the notifications that deliver their
// mentions. It holds their values, limits and validation.
//
// Functions, the adapters slack and webhook, and the stores import it.
package feed

import "time"

// A Feed is a filter with a name. A mention must pass both of its sides. They are stored as the client wrote them;
// their grammar is earshot/shared/filter's.
type Feed struct {
	ID              int64  // unique in its workspace, 1 to mention.MaxID
	Name            string // of people's choice
	Icon            string // chosen by people; empty for none
	SimpleFilters   []byte // JSON; empty for none
	AdvancedFilters []byte // JSON; empty for none
	Default         bool   // clients show it first; at most one of a workspace
	Destinations    []Destination
	Signing         Signing // of what its own webhooks get
	CreatedAt       time.Time
	UpdatedAt       time.Time
	Revision        int64 // counts its changes, from 1
}
