// Package listening keeps what all workspaces listen for at hand: their keywords compiled into one matcher, and what the judge
// of relevance needs to know of each. It reads of a workspace only what has changed since it last looked, and hands out
// snapshots that never change.
//
// Functions that match posts import it; shared/store gives it what it reads.
package listening

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"earshot/shared/keyword"
	"earshot/shared/match"
	"earshot/shared/port/clock"
	"earshot/shared/workspace"
)

// A Listener is a workspace that has or had keywords. What it listens for is the same as long as Version is, and what its users
// taught the judge as long as Lessons is.
type Listener struct {
	WorkspaceID string
	Version     int64
	Lessons     int64
	Planned     string // for what its collection was planned
}

// A Lesson is what a user's judgement of a mention teaches the judge of one keyword.
type Lesson struct {
	KeywordID int64
	Relevant  bool
	Vector    []byte // as mention.Mention's
}

// MaxLessons is how many judgements of a workspace, of its newest mentions, are learned from.
const MaxLessons = 500

// Settings is what is read.
type Settings interface {
	Listeners(ctx context.Context) ([]Listener, error)
	Keywords(ctx context.Context, orgID string) ([]keyword.Keyword, error)
	Filters(ctx context.Context, orgID string) (keyword.Filters, error)
	Company(ctx context.Context, orgID string) (workspace.Company, error)
	Lessons(ctx context.Context, orgID string, limit int) ([]Lesson, error)
}

// A Workspace is what is known of one that listens.
type Workspace struct {
	match.Workspace
	Company workspace.Company
	Lessons []Lesson
}

// A Snapshot is what all workspaces listened for at one time. It never changes.
type Snapshot struct {
	Matcher    *match.Matcher
	Listeners  []Listener // in no order
	workspaces map[string]*Workspace
}

// Workspace is one of those that listen; nil when it does not.
func (s *Snapshot) Workspace(id string) *Workspace { return s.workspaces[id] }

// Options say how it listens.
type Options struct {
	Settings Settings
	Clock    clock.Clock
	// Fresh is how old a snapshot may be before it is looked whether something changed; 0: not at all.
	Fresh time.Duration
	// Judging also reads companies and lessons.
	Judging bool
}

// Listening hands out snapshots. It is safe for concurrent use.
type Listening struct {
	Options

	mu      sync.Mutex
	current *Snapshot
	known   map[string]Listener
	checked time.Time
}

// New makes one. It reads nothing yet.
func New(o Options) *Listening { return &Listening{Options: o, known: map[string]Listener{}} }

// Now is a snapshot that is at most Options.Fresh old. An error means that what changed could not be read; nothing is lost.
func (l *Listening) Now(ctx context.Context) (*Snapshot, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.Clock.Now()
	if l.current != nil && l.Fresh > 0 && now.Before(l.checked.Add(l.Fresh)) && !now.Before(l.checked) {
		return l.current, nil
	}
	listeners, err := l.Settings.Listeners(ctx)
	if err != nil {
		return nil, err
	}
	next := &Snapshot{Listeners: listeners, workspaces: make(map[string]*Workspace, len(listeners))}
	known := make(map[string]Listener, len(listeners))
	matching := l.current == nil || len(listeners) != len(l.known)
	for _, listener := range listeners {
		id := listener.WorkspaceID
		was, there := l.known[id]
		known[id] = listener
		if there && was.Version == listener.Version && (!l.Judging || was.Lessons == listener.Lessons) {
			next.workspaces[id] = l.current.workspaces[id]
			continue
		}
		matching = matching || !there || was.Version != listener.Version
		if next.workspaces[id], err = l.read(ctx, id); err != nil {
			return nil, fmt.Errorf("read what %s listens for: %w", id, err)
		}
	}
	if !matching {
		next.Matcher = l.current.Matcher
	} else if next.Matcher, err = compile(next.workspaces); err != nil {
		return nil, err
	}
	l.current, l.known, l.checked = next, known, now
	return next, nil
}

func (l *Listening) read(ctx context.Context, id string) (*Workspace, error) {
	w := &Workspace{Workspace: match.Workspace{ID: id}}
	var err error
	if w.Keywords, err = l.Settings.Keywords(ctx, id); err != nil {
		return nil, err
	}
	if w.Filters, err = l.Settings.Filters(ctx, id); err != nil || !l.Judging {
		return w, err
	}
	if w.Company, err = l.Settings.Company(ctx, id); err != nil {
		return nil, err
	}
	w.Lessons, err = l.Settings.Lessons(ctx, id, MaxLessons)
	return w, err
}

// compile puts all keywords into one matcher.
func compile(workspaces map[string]*Workspace) (*match.Matcher, error) {
	all := make([]match.Workspace, 0, len(workspaces))
	for _, id := range slices.Sorted(maps.Keys(workspaces)) {
		all = append(all, workspaces[id].Workspace)
	}
	matcher, err := match.Compile(all)
	if err != nil {
		return nil, fmt.Errorf("compile the keywords: %w", err)
	}
	return matcher, nil
}
