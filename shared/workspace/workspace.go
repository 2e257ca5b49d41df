// Package workspace is the domain of access: workspaces, agencies, plans, API keys and their scopes. It holds rules and
// values only; shared/store/workspacestore stores them.
//
// The kit web, functions and the stores import it.
package workspace

import (
	"slices"
	"time"
)

// Flags that switch a beta on for a workspace.
const FlagSetupOnboarding = "setup_onboarding"

// Workspace tracks keywords and owns what is found for them. The description also calls it an organization.
type Workspace struct {
	ID        string // org_…
	Name      string
	AgencyID  string // empty: belongs to no agency
	Plan      Plan
	Flex      Flex
	Flags     []string // beta features that are on
	Secret    []byte   // 32 random bytes: seals the workspace's cursors
	CreatedAt time.Time
}

// Enabled reports whether a beta feature is on.
func (w Workspace) Enabled(flag string) bool { return slices.Contains(w.Flags, flag) }

// Agency runs many workspaces with one master key.
type Agency struct {
	ID             string // agc_…
	Name           string
	AnchorID       string // the workspace that cannot be deleted; agency operations count against its rate limit
	Active         bool
	WorkspaceLimit int
	// FlexPrice is the price of 1,000 mentions beyond a plan's, in cents; 0 if the agency's billing is not set up.
	FlexPrice int
	CreatedAt time.Time
}

// DefaultWorkspaceLimit is how many workspaces an agency has room for unless its record says otherwise.
const DefaultWorkspaceLimit = 25

// Plan is what a workspace pays for.
type Plan string

// The plans.
const (
	FreeTrial  Plan = "free_trial"
	Pro        Plan = "pro"
	Scale      Plan = "scale"
	Enterprise Plan = "enterprise"
	Agents     Plan = "agents"
)

// Limits are a plan's bounds. The table is the contract's section 4.
type Limits struct {
	Keywords int
	Mentions int // a month
	Searches int // for life; 0: no bound
}

var plans = map[Plan]Limits{
	FreeTrial:  {Keywords: 5, Mentions: 5_000},
	Pro:        {Keywords: 20, Mentions: 25_000},
	Scale:      {Keywords: 100, Mentions: 100_000},
	Enterprise: {Keywords: 1_000, Mentions: 2_000_000},
	Agents:     {Keywords: 0, Mentions: 5_000, Searches: 50},
}

// Plans returns all plans, smallest first.
func Plans() []Plan { return []Plan{FreeTrial, Pro, Scale, Enterprise, Agents} }

// Limits returns the plan's bounds. An unknown plan allows nothing.
func (p Plan) Limits() Limits { return plans[p] }

// Valid reports whether the plan exists.
func (p Plan) Valid() bool { _, ok := plans[p]; return ok }

// A Company is a workspace's company profile, for the judge of relevance.
type Company struct {
	Name                string
	Domain              string
	Description         string // what it does, in its own words
	Products            []string
	Audience            string
	Handles             []string // its own accounts on any network, without the @
	RelevanceGuidelines string   // what its people want to see, in their own words
	ExcludeTerms        []string // words that others mean when they use the same name
	UpdatedAt           time.Time
	Revision            int64 // raised by every change
}

// Upgrades returns the plans with more keywords and more mentions than this one, smallest first. The Agents plan is no
// upgrade of any.
func (p Plan) Upgrades() (larger []Plan) {
	for _, plan := range Plans() {
		if plan.Limits().Keywords > p.Limits().Keywords && plan.Limits().Mentions > p.Limits().Mentions {
			larger = append(larger, plan)
		}
	}
	return larger
}
