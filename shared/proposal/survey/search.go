package survey

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"earshot/shared/post"
	"earshot/shared/source"
)

// A Question is what an on-demand search asks one source. A platform's search is coarser than the question, so its
// posts are tested again.
type Question struct {
	// Name is equal for equal questions of any search. Their responses are stored under it for an hour.
	Name string
	// Asks has the texts that the source is asked for, one ask after the other, each for the newest posts. The survey
	// sets their windows. A post that any of them finds is tested.
	Asks []source.Query
	// Window is how far back the question goes, at most as far as the source reaches.
	Window time.Duration
	// Matches tests a post that was found.
	Matches func(*post.Post) bool
	// Most is how many matching posts are wanted at most.
	Most int
}

// Search returns the newest posts of a source that answer a question, each once, newest first. Their texts are cut as
// the survey stores them. What was found is returned together with the error that ended the asking.
//
// Errors: as Count's.
func (s *Survey) Search(ctx context.Context, sourceName string, q Question) ([]post.Post, error) {
	from, ok := s.sources[sourceName]
	if !ok {
		return nil, ErrUnknown
	}
	// A post of this millisecond is found too.
	a := &asking{s: s, from: from, about: from.About(), until: s.o.Clock.Now().Add(time.Millisecond)}
	var found []post.Post
	seen := map[string]bool{}
	var failed error
	for _, each := range q.Asks {
		p, err := a.search(ctx, q, each)
		for _, each := range p.Posts {
			if !seen[each.SourceID] {
				seen[each.SourceID] = true
				found = append(found, each)
			}
		}
		if failed = err; failed != nil {
			break
		}
	}
	slices.SortFunc(found, newestFirst)
	return found[:min(len(found), q.Most)], failed
}

// search returns the posts that one ask finds, newest first.
func (a *asking) search(ctx context.Context, q Question, query source.Query) (page, error) {
	window := q.Window
	if a.about.Reach > 0 {
		window = min(window, a.about.Reach)
	}
	t := target{name: fmt.Sprintf("%q %q %q", q.Name, query.Text, query.Also), test: q.Matches}
	key := a.key("search", t, window.String())
	var kept page
	if a.s.recall(ctx, key, &kept) && a.fresh(kept.At) {
		return kept, nil
	}
	out := page{At: a.s.o.Clock.Now(), Since: a.until.Add(-window), Until: a.until}
	query.Since, query.Until, query.Max = out.Since, out.Until, max(1, a.about.Max)
	seen := map[string]bool{}
	var failed error
	for range follows {
		answer, err := ask(ctx, a, func(ctx context.Context) (source.Page, error) { return a.from.Search(ctx, query) })
		if err != nil {
			failed = err
			break
		}
		for i := range answer.Posts {
			p := &answer.Posts[i]
			if query.Holds(p.PostedAt) && !seen[p.SourceID] {
				seen[p.SourceID] = true
				out.take(p, t, out.At)
			}
		}
		out.Capped = answer.Next != ""
		if !out.Capped || answer.Next == query.After || len(out.Posts) >= q.Most {
			break
		}
		query.After = answer.Next
	}
	slices.SortFunc(out.Posts, newestFirst)
	out.Posts = out.Posts[:min(len(out.Posts), q.Most)]
	out.shorten(t, maxText)
	if failed == nil {
		// What is stored may be shorter than what is returned, so that the response does not depend on the cache's
		// bound.
		stored := out
		stored.Posts = slices.Clone(out.Posts)
		a.s.keep(ctx, key, &stored, func(bound int) { stored.shorten(t, bound) })
	}
	return out, failed
}

// Reason says for people why a source was not asked, or did not answer all. It tells no secret.
func Reason(err error) string {
	if errors.Is(err, ErrBudget) {
		return "the search's requests were used up before it had answered all"
	}
	_, reason := verdict(err)
	return reason
}
