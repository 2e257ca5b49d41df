package survey

import (
	"context"
	"errors"
	"slices"

	"earshot/shared/keyword"
	"earshot/shared/match"
	"earshot/shared/proposal"
	"earshot/shared/source"
)

// failures is after how many candidates in a row a source is not asked for more, though each fault was of one request.
const failures = 2

// Branch asks one source for all candidates that are tracked there, the own brand first and each distinct text once,
// one after the other: an adapter keeps its platform's pace, and whom a budget that runs out still serves must not be
// chance. It always answers: with what there is, and why the rest is missing.
func (s *Survey) Branch(ctx context.Context, sourceName string, candidates proposal.Candidates) proposal.Counts {
	out := proposal.Counts{
		Source:    sourceName,
		State:     proposal.SourceAnswered,
		Counts:    map[string]proposal.Count{},
		CountedAt: s.o.Clock.Now(),
	}
	a, err := s.asking(ctx, sourceName)
	if err != nil {
		out.State, out.Reason = verdict(err)
		return out
	}
	ordered := slices.Clone(candidates.Candidates)
	slices.SortStableFunc(ordered, func(x, y proposal.Candidate) int { return rank(x) - rank(y) })
	known := map[string]proposal.Count{}
	inARow := 0
	for _, c := range ordered {
		if !keyword.TakesSome(c.Platforms, sourceName) {
			continue
		}
		name := nameOf(c)
		count, asked := known[name]
		if !asked {
			count, err = a.count(ctx, c)
			if fault := (*match.Fault)(nil); errors.As(err, &fault) {
				continue // no fault of the source's
			}
			if err != nil {
				out.State, out.Reason = verdict(err)
				if inARow++; inARow >= failures || final(err) {
					break
				}
				continue
			}
			inARow = 0
			known[name] = count
		}
		out.Counts[c.Ref] = count
	}
	out.Requests = a.requests
	return out
}

func rank(c proposal.Candidate) int {
	if c.Tag == keyword.OwnBrand {
		return 0
	}
	return 1
}

// final says whether asking for another candidate would fail too.
func final(err error) bool {
	var unavailable *source.Unavailable
	if errors.As(err, &unavailable) {
		return unavailable.Network || unavailable.Refused || unavailable.RetryAfter > 0
	}
	return true
}

// verdict is what an error makes of a source, in words for people that tell no secret.
func verdict(err error) (proposal.SourceState, string) {
	var unavailable *source.Unavailable
	switch {
	case errors.Is(err, ErrBudget):
		return proposal.SourceSpent, "the run's requests were used up before it had answered all"
	case errors.Is(err, source.ErrNoCredentials):
		return proposal.SourceUnmeasured, "its credentials are not configured"
	case errors.Is(err, ErrUnknown):
		return proposal.SourceUnmeasured, "it cannot be searched here"
	case errors.Is(err, ErrTime), errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return proposal.SourceFailed, "there was no time left for it to answer all"
	case errors.As(err, &unavailable):
		return proposal.SourceFailed, unavailable.Reason
	}
	return proposal.SourceFailed, "it could not be asked"
}
