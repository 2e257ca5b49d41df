package listening

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"earshot/shared/keyword"
	"earshot/shared/match"
	"earshot/shared/parallel"
	"earshot/shared/port/clock"
)

// Options say how it listens.
type Options struct {
	Settings Settings
	Clock    clock.Clock
	// Fresh is how old a snapshot may be before it is looked whether something changed; 0: not at all.
	Fresh time.Duration
	// Judging also reads companies and lessons.
	Judging bool
	// Report is told of each keyword that cannot be compiled, a *match.Fault, once for as long as it cannot: it is left
	// out, and all others are listened for. nil: nobody is told.
	Report func(error)
}

// atOnce is how many workspaces are read at the same time, each with up to three reads: a process begins with all of
// them.
const atOnce = 16

// Listening hands out snapshots. It is safe for concurrent use.
type Listening struct {
	Options

	mu      sync.Mutex
	current *Snapshot
	checked time.Time
	read    map[string]known // what was read last of each workspace, also by a look that failed
	faults  map[match.Fault]bool
}

// known is a workspace, and of which of its listener's versions it is.
type known struct {
	listener  keyword.Listener
	workspace *Workspace
}

// New makes one. It reads nothing yet.
func New(o Options) *Listening { return &Listening{Options: o, read: map[string]known{}} }

// Now is a snapshot that is at most Options.Fresh old. An error means that what changed could not be read; what could
// is not read again.
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
	if err := l.refresh(ctx, listeners); err != nil {
		return nil, err
	}
	next := &Snapshot{Listeners: listeners, workspaces: make(map[string]*Workspace, len(listeners))}
	same := l.current != nil && len(l.current.workspaces) == len(listeners)
	for _, listener := range listeners {
		w := l.read[listener.WorkspaceID].workspace
		next.workspaces[w.ID] = w
		same = same && l.current.workspaces[w.ID] != nil && l.current.workspaces[w.ID].version == w.version
	}
	maps.DeleteFunc(l.read, func(id string, _ known) bool { return next.workspaces[id] == nil })
	if same {
		next.Matcher = l.current.Matcher
	} else if next.Matcher, err = l.compile(next.workspaces); err != nil {
		return nil, err
	}
	l.current, l.checked = next, now
	return next, nil
}

// refresh reads the workspaces that changed. Of several failures it answers the first; a panic is the caller's.
func (l *Listening) refresh(ctx context.Context, listeners []keyword.Listener) error {
	var changed []keyword.Listener
	for _, listener := range listeners {
		was, there := l.read[listener.WorkspaceID]
		if !there || was.listener.Version != listener.Version || l.Judging && was.listener.Lessons != listener.Lessons {
			changed = append(changed, listener)
		}
	}
	var mu sync.Mutex
	var failure error
	parallel.Few(atOnce, len(changed), func(i int) {
		listener := changed[i]
		w, err := l.workspace(ctx, listener)
		mu.Lock()
		defer mu.Unlock()
		switch {
		case err == nil:
			l.read[listener.WorkspaceID] = known{listener, w}
		case failure == nil:
			failure = fmt.Errorf("read what %s listens for: %w", listener.WorkspaceID, err)
		}
	})
	return failure
}

func (l *Listening) workspace(ctx context.Context, listener keyword.Listener) (*Workspace, error) {
	id := listener.WorkspaceID
	w := &Workspace{Workspace: match.Workspace{ID: id}, version: listener.Version}
	keywords := func() (err error) { w.Keywords, err = l.Settings.Keywords(ctx, id); return err }
	if !l.Judging {
		filters := func() (err error) { w.Filters, err = l.Settings.Filters(ctx, id); return err }
		return w, parallel.Together(keywords, filters)
	}
	rest := func() (err error) { w.Filters, w.Company, err = l.Settings.FiltersAndCompany(ctx, id); return err }
	lessons := func() (err error) {
		if listener.Lessons == 0 { // nobody has ever judged
			return nil
		}
		w.Lessons, err = l.Settings.Lessons(ctx, id, MaxLessons)
		return err
	}
	return w, parallel.Together(keywords, rest, lessons)
}

// compile puts all keywords into one matcher. The order of the workspaces is always the same.
func (l *Listening) compile(workspaces map[string]*Workspace) (*match.Matcher, error) {
	all := make([]match.Workspace, 0, len(workspaces))
	for _, id := range slices.Sorted(maps.Keys(workspaces)) {
		all = append(all, workspaces[id].Workspace)
	}
	matcher, err := match.Compile(all)
	if matcher == nil {
		return nil, fmt.Errorf("compile the keywords: %w", err)
	}
	l.report(err)
	return matcher, nil
}

// report tells of the faults that were not there before.
func (l *Listening) report(err error) {
	faults := map[match.Fault]bool{}
	for _, fault := range faultsOf(err) {
		if faults[*fault] = true; l.Report != nil && !l.faults[*fault] {
			l.Report(fault)
		}
	}
	l.faults = faults
}

func faultsOf(err error) []*match.Fault {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var faults []*match.Fault
		for _, one := range joined.Unwrap() {
			faults = append(faults, faultsOf(one)...)
		}
		return faults
	}
	var fault *match.Fault
	if errors.As(err, &fault) {
		return []*match.Fault{fault}
	}
	return nil
}
