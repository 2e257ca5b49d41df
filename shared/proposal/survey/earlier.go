package survey

import (
	"context"
	"time"

	"earshot/shared/post"
	"earshot/shared/proposal"
)

// Earlier are at most want posts of a source from before the window that Posts are of, back to proposal.LookBack or as
// far as the source reaches, clipped, newest first: for a sample that the window has too few for. They say nothing of
// how many posts there are. It is one request; a source that reaches no further back answers none, without one.
//
// Errors: as Count's.
func (s *Survey) Earlier(ctx context.Context, sourceName string, c proposal.Candidate, want int) ([]post.Post, error) {
	a, err := s.asking(ctx, sourceName)
	if err != nil {
		return nil, err
	}
	back := proposal.LookBack
	if a.about.Reach > 0 {
		back = min(back, a.about.Reach)
	}
	over := span{name: "earlier", since: a.until.Add(-back), until: a.until.Add(-length(proposal.Month))}
	t, err := a.target(c)
	if err != nil || want <= 0 || over.until.Sub(over.since) < 24*time.Hour {
		return nil, err
	}
	page, err := a.page(ctx, t, over, a.about.Max)
	if err != nil {
		return nil, err
	}
	return spread([][]post.Post{page.Posts}, want), nil
}
