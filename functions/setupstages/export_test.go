package setupstages

import "earshot/shared/proposal"

// Deriving is the options with another way from a domain to candidates.
func (o Options) Deriving(candidates func(domain string) proposal.Candidates) Options {
	o.fromDomain = candidates
	return o
}
