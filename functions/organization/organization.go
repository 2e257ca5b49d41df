// Package organization is the function of the workspace itself: whose a key is, its plan and usage, the company that it stands for, its
// API keys, and the way to another plan ("organization" in the contract). The workspace is always the caller's: no operation takes one's
// id, and another workspace's key is treated exactly as one that does not exist.
package organization

import (
	"earshot/shared/port/clock"
	"earshot/shared/web"
)

// Group names the function, its tag and its folder.
const Group = "organization"

// Store is what the function asks of the store.
type Store interface {
	Agencies
	Workspaces
	Usages
	Companies
	Keys
	Upgrades
	AttentionStore
	RecommendationStore
}

// Options are what the function works with. A document-only API needs none of it.
type Options struct {
	Store Store
	Clock clock.Clock
}

// Register adds the function's operations.
func Register(api *web.API, o Options) {
	registerAuth(api, auth{o.Store})
	registerWorkspace(api, org{o.Store})
	registerUsage(api, usage{o.Store})
	registerCompany(api, company{o.Store})
	registerKeys(api, keys{o.Store, o.Clock})
	registerUpgrade(api, newUpgrade(o.Store, o.Clock))
	registerAttention(api, o)
	registerRecommendations(api, o)
}
