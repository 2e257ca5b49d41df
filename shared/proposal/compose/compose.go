// Package compose makes a proposal from the evidence of a run. Study looks through the evidence once. Decide makes by
// rules the decisions that a model would make otherwise. Assemble fills in what no decision may claim: volumes,
// samples, flags, gates, platforms, totals. Narrow makes a total fit the allowance. All are pure and deterministic.
// None fails: a proposal does without missing evidence and says so.
//
// The stages agent and validate import it, and so does the code that finishes an interrupted run.
package compose

import "earshot/shared/proposal"

// Decide is code's own composition: for when no model is configured, one did not deliver, or a run was interrupted.
// Reasons are by rule, explanations from templates. Selected by default are at most as many keywords as the workspace
// has room for.
func (r *Studied) Decide() proposal.Decisions { return r.read(true).decide() }

// Assemble makes the proposal of what was decided, by whomever. Decisions of refs that are no candidates are passed
// over, keywords that no feed names get one, and a reason by measurement that was given is replaced by what was
// measured. Of code's decisions the proposal is marked AgentFallback, and quotes what was measured as reasons by rule.
// Model is the caller's to set. Assemble does not judge: see the package rule.
func (r *Studied) Assemble(d proposal.Decisions) proposal.Proposal {
	return r.read(d.ByCode).assemble(d)
}

// Narrow takes steps until the total fits the allowance or none is left (rule T2), and answers the decisions that are
// then left with their proposal, which names the steps. A total that fits is left as it is.
func (r *Studied) Narrow(d proposal.Decisions) (proposal.Decisions, proposal.Proposal) {
	return r.read(d.ByCode).narrow(d)
}

// Blocked says whether a proposal's total is over the allowance: after Narrow, the draft needs narrowing by a person
// (rule T3).
func Blocked(p proposal.Proposal) bool { return p.Totals.Band == proposal.Blocked }
