package main

import (
	"errors"
	"fmt"
	"io"
	"sync"

	"earshot/functions/collect"
	"earshot/shared/source"
)

// live tells the person at the terminal how collecting goes: once for each source that brings posts, and once when
// there is no network. It keeps each source's last result.
type live struct {
	to     io.Writer
	mu     sync.Mutex
	told   map[string]bool
	silent bool // it was said that nothing can be reached
	last   map[string]collect.Fetch
}

func newLive(to io.Writer) *live {
	return &live{to: to, told: map[string]bool{}, last: map[string]collect.Fetch{}}
}

// lastOf returns the last fetch of a source; false before the first.
func (l *live) lastOf(name string) (collect.Fetch, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	f, known := l.last[name]
	return f, known
}

func (l *live) fetched(f collect.Fetch) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last[f.Source] = f
	var unavailable *source.Unavailable
	switch {
	case f.Err == nil && f.Posts > 0 && !l.told[f.Source]:
		l.told[f.Source] = true
		fmt.Fprintf(
			l.to, "Live posts from %s: %d of them are on their way to be matched and judged.\n", f.Source, f.Posts,
		)
	case errors.As(f.Err, &unavailable) && unavailable.Network && !l.silent && len(l.told) == 0:
		l.silent = true
		fmt.Fprintf(
			l.to,
			"No live posts: there seems to be no network (%s: %s). The demo's own posts are there, and POST /_local/posts takes others in; "+
				"it is tried again every minute. SOURCES=archive starts without trying.\n",
			f.Source,
			unavailable.Reason,
		)
	}
}
