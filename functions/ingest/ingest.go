// Package ingest is the function that takes posts in: it matches each with the keywords of all workspaces, judges it for those
// that it concerns and stores it there as a mention, once. Posts come through the queue posts, from the collector and from
// whoever pushes them in.
package ingest

import (
	"context"
	"errors"
	"sync"

	"earshot/shared/listening"
	"earshot/shared/match"
	"earshot/shared/mention"
	"earshot/shared/port/clock"
	"earshot/shared/post"
	"earshot/shared/score"
	"earshot/shared/store"
	"earshot/shared/workspace"
)

// Group names the function and its folder.
const Group = "ingest"

// Mentions is what the function asks of the store.
type Mentions interface {
	// Workspace answers store.ErrNotFound.
	Workspace(ctx context.Context, id string) (workspace.Workspace, error)
	Ingest(ctx context.Context, orgID string, limit int, found []mention.Mention) (store.Taken, error)
}

// Options are what an Intake works with.
type Options struct {
	Mentions  Mentions
	Listening *listening.Listening // Judging
	Judge     *score.Judge
	Advisor   Advisor // nil: the judge is alone
	Clock     clock.Clock
}

// An Advisor looks again at what the judge is unsure of. It changes verdicts in place, and leaves what it cannot better.
type Advisor interface {
	Advise(ctx context.Context, cases []*score.Case)
}

// An Intake takes posts in. It is safe for concurrent use.
type Intake struct {
	Options
	subjects subjects
}

// New makes an intake.
func New(o Options) *Intake { return &Intake{Options: o} }

// An Outcome says what became of posts.
type Outcome struct {
	Posts     int         // that came
	Unmatched int         // of them: those that no keyword matches
	Rejected  []Rejection // of them: those that cannot be kept
	Mentions  store.Taken // of the others, a mention for each workspace whose keywords they match
}

// A Rejection is a post that cannot be kept, by its position, and why.
type Rejection struct {
	Post int
	Err  error
}

// A Failure is posts that are to be sent again, by their positions: those of a workspace that could not be stored.
type Failure struct {
	Posts []int
	Err   error
}

func (f *Failure) Error() string { return "ingest: " + f.Err.Error() }
func (f *Failure) Unwrap() error { return f.Err }

// atOnce is how many workspaces are written to at the same time.
const atOnce = 8

// Take matches, judges and stores posts, which it cleans in place. A failure is a *Failure when part of them was taken in; any
// posts may be sent again, and are stored once.
func (i *Intake) Take(ctx context.Context, posts []post.Post) (Outcome, error) {
	snapshot, err := i.Listening.Now(ctx)
	if err != nil {
		return Outcome{}, err
	}
	outcome := Outcome{Posts: len(posts)}
	found := i.find(snapshot, posts, &outcome)
	i.advise(ctx, found)
	taken, err := i.keep(ctx, found)
	outcome.Mentions = taken
	return outcome, err
}

// finds are what was found for a workspace.
type finds struct {
	orgID    string
	posts    []int // of each mention
	mentions []mention.Mention
	cases    []score.Case
}

// find cleans, matches and judges posts.
func (i *Intake) find(snapshot *listening.Snapshot, posts []post.Post, outcome *Outcome) map[string]*finds {
	found := map[string]*finds{}
	now := i.Clock.Now()
	var hits match.Hits
	for n := range posts {
		p := &posts[n]
		if err := p.Clean(now); err != nil {
			outcome.Rejected = append(outcome.Rejected, Rejection{n, err})
			continue
		}
		snapshot.Matcher.Match(p, &hits)
		if len(hits.List) == 0 {
			outcome.Unmatched++
			continue
		}
		reading := i.Judge.Read(p)
		for _, hit := range hits.List {
			w := snapshot.Workspace(hit.Workspace.ID)
			keywords := hit.Keywords[:min(len(hit.Keywords), mention.MaxKeywords)]
			subjects := i.subjects.of(i.Judge, w, keywords)
			verdict := i.Judge.Judge(reading, p, subjects)
			to := found[w.ID]
			if to == nil {
				to = &finds{orgID: w.ID}
				found[w.ID] = to
			}
			to.posts = append(to.posts, n)
			to.mentions = append(to.mentions, toMention(p, reading, keywords))
			to.cases = append(to.cases, score.Case{WorkspaceID: w.ID, Post: p, Company: w.Company, Keywords: keywords, Verdict: verdict})
		}
	}
	return found
}

// keep stores what was found, several workspaces at the same time.
func (i *Intake) keep(ctx context.Context, found map[string]*finds) (taken store.Taken, err error) {
	var (
		group   sync.WaitGroup
		mu      sync.Mutex
		failure Failure
		room    = make(chan struct{}, atOnce)
	)
	for _, f := range found {
		room <- struct{}{}
		group.Go(func() {
			defer func() { <-room }()
			one, err := i.keepFor(ctx, f)
			mu.Lock()
			defer mu.Unlock()
			taken.Add(one)
			if err != nil {
				failure.Posts = append(failure.Posts, f.posts...)
				failure.Err = errors.Join(failure.Err, err)
			}
		})
	}
	group.Wait()
	if failure.Err != nil {
		return taken, &failure
	}
	return taken, nil
}

func (i *Intake) keepFor(ctx context.Context, f *finds) (store.Taken, error) {
	w, err := i.Mentions.Workspace(ctx, f.orgID)
	if errors.Is(err, store.ErrNotFound) {
		return store.Taken{}, nil // deleted since its keywords were read
	}
	if err != nil {
		return store.Taken{}, err
	}
	for n := range f.mentions {
		judged(&f.mentions[n], f.cases[n].Verdict)
	}
	return i.Mentions.Ingest(ctx, f.orgID, w.Plan.Limits().Mentions, f.mentions)
}
