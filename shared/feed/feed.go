// Package feed is the domain of saved filters: what a workspace looks at again and again ("feeds" in the contract).
package feed

// A Feed is a filter with a name. Its two sides both hold. They are kept as the client wrote them: the grammar is
// earshot/shared/filter's.
type Feed struct {
	ID              int64  // unique in its workspace, 1 to mention.MaxID
	Name            string // of people's choice
	SimpleFilters   []byte // JSON; empty: none
	AdvancedFilters []byte // JSON; empty: none
}
