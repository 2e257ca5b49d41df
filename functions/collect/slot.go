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

// period is how far two fetches of a keyword are apart: an hour, or as many as it takes for all keywords together, lookups
// included, to stay within what a platform answers in a day.
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

// rest is how long a stream rests between two turns.
func rest(about source.About) time.Duration {
	every := streamEvery
	if about.Every > 0 {
		every = about.Every
	}
	if about.Daily > 0 {
		every = max(every, day/time.Duration(about.Daily))
	}
	return every
}

// nextSlot is when a task is due next: in its own second of the period, so that the tasks of all keywords spread over it.
func nextSlot(task listenstore.Task, period time.Duration, now time.Time) time.Time {
	next := now.Truncate(period).Add(spread(task, period))
	if !next.After(now) {
		next = next.Add(period)
	}
	return next
}

// spread is a task's own place in a span of time, the same each time, in whole seconds.
func spread(task listenstore.Task, span time.Duration) time.Duration {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s %d %s", task.WorkspaceID, task.KeywordID, task.Source)
	return time.Duration(h.Sum64()%uint64(span/time.Second)) * time.Second
}
