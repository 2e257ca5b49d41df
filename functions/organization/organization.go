// Package organization is the function of the workspace itself: its present key, plan and usage, company profile, API
// keys, attention items, and the way to another plan ("organization" in the contract). The workspace is always the
// caller's: no operation takes an id of one. Another workspace's key is treated exactly like one that does not exist.
package organization

import (
	"earshot/shared/port/clock"
	"earshot/shared/web"
)

// Group names the function, its tag and its folder.
const Group = "organization"

// Store is the part of the store that the function uses.
type Store interface {
	Agencies
	Workspaces
	Usages
	Companies
	Keys
	Grants
	Upgrades
	AttentionStore
	RecommendationStore
}

// Options configure the function. A document-only API needs none of them.
type Options struct {
	Store Store
	Clock clock.Clock
	// ModelTokens is what the judge may spend on the model in a day, and what the wizard and summaries may. 0: there is no
	// model.
	ModelTokens int
}

// Register adds the function's operations.
func Register(api *web.API, o Options) {
	registerAuth(api, auth{o.Store})
	registerWorkspace(api, org{o.Store})
	registerUsage(api, usage{o.Store, o.ModelTokens})
	registerCompany(api, company{o.Store})
	registerKeys(api, keys{o.Store, o.Clock})
	registerGrants(api, grants{o.Store})
	registerUpgrade(api, newUpgrade(o.Store, o.Clock))
	registerAttention(api, o)
	registerRecommendations(api, o)
}
