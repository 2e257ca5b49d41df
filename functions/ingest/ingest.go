// Package ingest is the function that turns posts into mentions. It matches each post with the keywords of all
// workspaces, judges it for those that it matches, and stores it there as a mention, once. The queue posts delivers
// posts from the collector and from other senders.
package ingest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"sync"

	"earshot/shared/feed/audience"
	"earshot/shared/judge"
	"earshot/shared/keyword"
	"earshot/shared/lambdalog"
	"earshot/shared/listening"
	"earshot/shared/match"
	"earshot/shared/mention"
	"earshot/shared/parallel"
	"earshot/shared/port/clock"
	"earshot/shared/post"
	"earshot/shared/store"
	"earshot/shared/store/mentionstore"
	"earshot/shared/store/workspacestore"
	"earshot/shared/workspace"
)

// Group names the function and its folder.
const Group = "ingest"

// Mentions is the part of the store that the function uses.
type Mentions interface {
	// Look looks for mentions that are stored already, and reads the workspace. It returns store.ErrNotFound if there is
	// none.
	Look(ctx context.Context, orgID string, found []mention.Mention) (mentionstore.Lookup, error)
	IngestLooked(
		ctx context.Context, orgID string, bill mentionstore.Bill, found []mention.Mention, looked mentionstore.Lookup,
	) (mentionstore.Taken, error)
	// HavingLooked returns the mentions that the workspace has of those found, by their SourceIDs.
	HavingLooked(
		ctx context.Context, orgID string, found []mention.Mention, looked mentionstore.Lookup,
	) (map[string]mention.Mention, error)
	Usage(ctx context.Context, w workspace.Workspace) (workspacestore.Usage, error)
}

// Options configure an Intake.
type Options struct {
	Mentions  Mentions
	Listening *listening.Listening // Judging
	Judge     *judge.Judge
	Advised   *judge.Advised // the judge with a model that it may call; nil for the judge alone
	Unadvised func(error)    // called with why a model did not help; may be nil
	// Archive stores every valid post, matched or not, as often as it comes; may be nil.
	Archive func(context.Context, []post.Post) error
	Clock   clock.Clock
	// Audiences knows which feeds tell somebody of a new mention; nil: nobody is told.
	Audiences *audience.Audiences
	// Told is called after mentions of a workspace were announced; may be nil. What it misses is found by a schedule.
	Told func(ctx context.Context, orgID string)
}

// An Intake takes posts in. It is safe for concurrent use.
type Intake struct {
	Options
	subjects subjects
}

// New makes an intake.
func New(o Options) *Intake { return &Intake{Options: o} }

// An Outcome counts what became of posts.
type Outcome struct {
	Posts     int                // that came
	Unmatched int                // of them: posts that no keyword matches
	Rejected  []Rejection        // of them: invalid posts
	Mentions  mentionstore.Taken // of the others: a mention for each workspace whose keywords they match
}

// A Rejection is a post that cannot be kept, by its position, and why.
type Rejection struct {
	Post int
	Err  error
}

// A Failure lists posts to send again, by their positions: posts of a workspace that could not be stored, and posts
// that made a judge panic. The latter become dead letters for people to look at.
type Failure struct {
	Posts []int
	Err   error // of one of them
}

func (f *Failure) Error() string { return "ingest: " + f.Err.Error() }
func (f *Failure) Unwrap() error { return f.Err }

// atOnce is how many workspaces are written to at the same time.
const atOnce = 8

// Take matches, judges and stores posts, which it cleans in place. It returns a *Failure if only a part was taken in.
// Any posts may be sent again and are stored once.
func (i *Intake) Take(ctx context.Context, posts []post.Post) (Outcome, error) {
	return i.take(ctx, posts, nil)
}

// TakeFor is Take for a backfill: of the posts, those that its keyword matches become mentions of its workspace, as if
// they had come when they were written. They are not archived.
func (i *Intake) TakeFor(ctx context.Context, of Backfill, posts []post.Post) (Outcome, error) {
	return i.take(ctx, posts, &of)
}

// A Backfill is what posts of the past are taken in for.
type Backfill struct {
	WorkspaceID string
	KeywordID   int64
	Row         mentionstore.BackfillRow
}

// wants reports whether a hit is the backfill's. Without a backfill, every hit is.
func (b *Backfill) wants(hit match.Hit) bool {
	return b == nil || hit.Workspace.ID == b.WorkspaceID &&
		slices.ContainsFunc(hit.Keywords, func(k *keyword.Keyword) bool { return k.ID == b.KeywordID })
}

func (i *Intake) take(ctx context.Context, posts []post.Post, only *Backfill) (Outcome, error) {
	t := &taking{i: i, only: only, found: map[string]*finds{}, outcome: Outcome{Posts: len(posts)}}
	valid := t.clean(posts)
	err := parallel.Together(
		func() error {
			return t.archive(ctx, posts, valid)
		}, func() (err error) {
			if t.snapshot, err = i.Listening.Now(ctx); err != nil {
				return err
			}
			for _, n := range valid {
				if err := recovered(func() error { t.find(n, &posts[n]); return nil }); err != nil {
					t.fail(err, n)
				}
			}
			t.keep(ctx)
			return nil
		})
	if err != nil { // all posts come again, and the mentions that are stored do not count again
		return Outcome{Mentions: t.outcome.Mentions}, err
	}
	if t.failure.Err != nil {
		return t.outcome, &t.failure
	}
	return t.outcome, nil
}

// finds are the posts found for a workspace.
type finds struct {
	orgID    string
	posts    []int // the position of each
	cases    []judge.Case
	mentions []mention.Mention // of the cases, as the judge alone sees them
	free     map[string]bool   // by SourceID: mentions of the days that new keywords look back
}

// A taking is one call of Take.
type taking struct {
	i        *Intake
	only     *Backfill // nil: for all workspaces
	snapshot *listening.Snapshot
	hits     match.Hits
	found    map[string]*finds // by workspace

	mu      sync.Mutex // guards what follows, once workspaces are written to
	outcome Outcome
	failure Failure
}

func (t *taking) fail(err error, posts ...int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.failure.Posts = append(t.failure.Posts, posts...); t.failure.Err == nil {
		t.failure.Err = err
	}
}

// clean cleans posts, and returns the positions of those that can be kept.
func (t *taking) clean(posts []post.Post) (valid []int) {
	for n := range posts {
		var rejected error
		if err := recovered(func() error { rejected = posts[n].Clean(t.i.Clock.Now()); return nil }); err != nil {
			t.fail(err, n)
		} else if rejected != nil {
			t.outcome.Rejected = append(t.outcome.Rejected, Rejection{n, rejected})
		} else {
			valid = append(valid, n)
		}
	}
	return valid
}

// find matches a post, and judges one that concerns somebody. It changes no post: they are archived meanwhile.
func (t *taking) find(n int, p *post.Post) {
	t.snapshot.Matcher.Match(p, &t.hits)
	if !slices.ContainsFunc(t.hits.List, t.only.wants) {
		t.outcome.Unmatched++
		return
	}
	reading := t.i.Judge.Read(p)
	for _, hit := range t.hits.List {
		if !t.only.wants(hit) {
			continue
		}
		w := t.snapshot.Workspace(hit.Workspace.ID)
		keywords := hit.Keywords[:min(len(hit.Keywords), mention.MaxKeywords)]
		to := t.found[w.ID]
		if to == nil {
			to = &finds{orgID: w.ID, free: map[string]bool{}}
			t.found[w.ID] = to
		}
		c := judge.Case{
			WorkspaceID: w.ID,
			Post:        p,
			Reading:     reading,
			Subjects:    t.i.subjects.forKeywords(t.i.Judge, w, keywords),
		}
		m := toMention(p, reading, keywords)
		judged(&m, t.i.Judge.Judge(reading, p, c.Subjects))
		to.free[m.SourceID] = keyword.LookedBack(p.PostedAt, hit.Keywords)
		to.posts, to.cases, to.mentions = append(to.posts, n), append(to.cases, c), append(to.mentions, m)
	}
}

// archive keeps the valid posts.
func (t *taking) archive(ctx context.Context, posts []post.Post, valid []int) error {
	if t.i.Archive == nil || t.only != nil {
		return nil
	}
	kept := make([]post.Post, len(valid))
	for i, n := range valid {
		kept[i] = posts[n]
	}
	return t.i.Archive(ctx, kept)
}

// keep stores what was found, several workspaces at the same time. A failure in one does not affect the others.
func (t *taking) keep(ctx context.Context) {
	found := slices.Collect(maps.Values(t.found))
	parallel.Few(atOnce, len(found), func(n int) {
		err := recovered(func() error {
			taken, err := t.i.keepFor(ctx, found[n], t.only)
			t.mu.Lock()
			defer t.mu.Unlock()
			t.outcome.Mentions.Add(taken)
			return err
		})
		if err != nil {
			t.fail(err, found[n].posts...)
		}
	})
}

func (i *Intake) keepFor(ctx context.Context, f *finds, only *Backfill) (mentionstore.Taken, error) {
	var listens *audience.Audience // nil: nobody
	var looked mentionstore.Lookup
	err := parallel.Together(
		func() (err error) { looked, err = i.Mentions.Look(ctx, f.orgID, f.mentions); return err },
		func() (err error) {
			if i.Audiences != nil {
				listens, err = i.Audiences.Of(ctx, f.orgID)
			}
			return err
		})
	if errors.Is(err, store.ErrNotFound) {
		return mentionstore.Taken{}, nil // deleted since its keywords were read
	}
	if err != nil {
		return mentionstore.Taken{}, err
	}
	bill := mentionstore.Bill{Limit: looked.Workspace.MentionLimit(), Free: f.free}
	if i.Advised != nil {
		i.advise(ctx, f, looked)
		looked = mentionstore.Lookup{} // it is old after a model's advice
	}
	if only != nil {
		bill.Backfill = &only.Row
	}
	told := false
	if !listens.Empty() {
		bill.Shows = func(m *mention.Mention) []int64 {
			feeds := listens.Shows(m)
			told = told || len(feeds) > 0
			return feeds
		}
	}
	taken, err := i.Mentions.IngestLooked(ctx, f.orgID, bill, f.mentions, looked)
	if told && i.Told != nil && taken.Stored+taken.Refreshed > 0 {
		i.Told(ctx, f.orgID)
	}
	return taken, err
}

// recovered turns a panic into an error that says where it was. It quotes only the runtime's own panics, because
// another value may hold text of a post.
func recovered(do func() error) (err error) {
	defer func() {
		value := recover()
		if value == nil {
			return
		}
		const most = 4 << 10 // bytes of the stack
		stack := debug.Stack()
		err = fmt.Errorf("panic: %s\n%s", lambdalog.PanicText(value), stack[:min(len(stack), most)])
	}()
	return do()
}
