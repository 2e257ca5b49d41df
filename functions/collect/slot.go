package collect

import (
	"fmt"
	"hash/fnv"
	"time"

	"earshot/shared/listening"
	"earshot/shared/source"
	"earshot/shared/store/listenstore"
)

// hourly is how often a keyword is fetched, and observeEvery how often its mentions' counters are looked up.
const (
	hourly       = time.Hour
	observeEvery = 6 * time.Hour
	day          = 24 * time.Hour
)

// period returns the time between two fetches of a keyword. It is an hour, or as many hours as all keywords together,
// lookups included, need to stay within a platform's daily limit.
func period(about source.About, snapshot *listening.Snapshot) time.Duration {
	if about.Daily <= 0 || about.Stream {
		return hourly
	}
	requests := int(day / hourly)
	if about.Observes > 0 {
		requests += int(day / observeEvery)
	}
	requests *= tasksOf(about.Name, snapshot)
	return hourly * time.Duration(max(1, (requests+about.Daily-1)/about.Daily))
}

// tasksOf counts the keywords that are fetched from a source.
func tasksOf(name string, snapshot *listening.Snapshot) (n int) {
	for _, listener := range snapshot.Listeners {
		w := snapshot.Workspace(listener.WorkspaceID)
		for i := range w.Keywords {
			if wants(&w.Keywords[i], name) {
				n++
			}
		}
	}
	return n
}

// streamPause returns how long a stream rests between two turns.
func streamPause(about source.About) time.Duration {
	every := streamEvery
	if about.Every > 0 {
		every = about.Every
	}
	if about.Daily > 0 {
		every = max(every, day/time.Duration(about.Daily))
	}
	return every
}

// nextSlot returns when a task is due next: in its own second of the period, so that the tasks of all keywords spread
// over it.
func nextSlot(task listenstore.Task, period time.Duration, now time.Time) time.Time {
	next := now.Truncate(period).Add(spread(task, period))
	if !next.After(now) {
		next = next.Add(period)
	}
	return next
}

// spread returns a task's constant place in a span of time, in whole seconds.
func spread(task listenstore.Task, span time.Duration) time.Duration {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s %d %s", task.WorkspaceID, task.KeywordID, task.Source)
	return time.Duration(h.Sum64()%uint64(span/time.Second)) * time.Second
}
