package collect

import (
	"context"
	"fmt"
	"time"

	"earshot/events/message"
	"earshot/shared/keyword"
	"earshot/shared/port/queue"
	"earshot/shared/post"
	"earshot/shared/source"
	"earshot/shared/store/listenstore"
	"earshot/shared/worker"
)

// A reading is the pages that are asked of a source, and what becomes of their posts.
type reading struct {
	query source.Query
	most  int // posts, after which the rest is left to the next turn
	keep  func(context.Context, []post.Post) ([]post.Post, error)
}

// ofKeyword returns the query for what a keyword's source has had since the last time: seven days back at first.
func (t *turn) ofKeyword(task *listenstore.Task, k *keyword.Keyword, now time.Time) source.Query {
	if asked := asked(k); asked != task.Query {
		task.Query, task.Since, task.Until, task.After = asked, time.Time{}, time.Time{}, ""
	}
	back := lookBack
	if !task.Since.IsZero() {
		back = now.Sub(task.Since) + max(overlap, t.about.Late)
	}
	query := t.window(task, now, back)
	query.Text, query.Exact = k.Text, k.ExactMatch
	return query
}

// asked returns what a keyword's task is fetched for.
func asked(k *keyword.Keyword) string { return fmt.Sprintf("%t %s", k.ExactMatch, k.Text) }

// ofStream returns the query for what a source that is read whole has had since the last time. A stream with a cursor
// continues there. For others the first read covers seven days, and so does the first read for a new keyword.
func (t *turn) ofStream(task *listenstore.Task, now time.Time) source.Query {
	back := lookBack
	if t.about.Cursor {
		task.Until, back = time.Time{}, lookBehind
	} else if newest := t.newest(); newest > task.Query {
		task.Query, task.Since, task.Until, task.After = newest, time.Time{}, time.Time{}, ""
	}
	switch {
	case task.Since.IsZero():
	case t.about.Cursor:
		back = now.Sub(task.Since)
	default:
		back = now.Sub(task.Since) + max(overlap, t.about.Late)
	}
	return t.window(task, now, back)
}

// newest returns when the newest keyword that wants this source was made, as text that sorts.
func (t *turn) newest() string {
	var made time.Time
	for _, listener := range t.snapshot.Listeners {
		w := t.snapshot.Workspace(listener.WorkspaceID)
		for i := range w.Keywords {
			if k := &w.Keywords[i]; wants(k, t.about.Name) && k.CreatedAt.After(made) {
				made = k.CreatedAt
			}
		}
	}
	return made.UTC().Format("2006-01-02T15:04:05.000")
}

// window returns the rest of a window that a turn could not finish, unchanged, or else the window from back ago until
// now. Neither goes further back than a first look does, or than the source can be searched.
func (t *turn) window(task *listenstore.Task, now time.Time, back time.Duration) source.Query {
	furthest := lookBack
	if t.about.Reach > 0 {
		furthest = min(furthest, t.about.Reach)
	}
	// it begins where the source can no longer be searched
	lost := t.about.Reach > 0 && task.From.Before(now.Add(-t.about.Reach))
	if lost || !task.Until.After(now.Add(-furthest)) {
		task.From, task.Until = now.Add(-min(back, furthest)), now
		if !t.about.Cursor {
			task.After = ""
		}
	}
	return source.Query{Since: task.From, Until: task.Until, Max: t.about.Max, After: task.After}
}

// read reads a window to its end, or as far as one turn goes, and queues the wanted posts. The task then holds the
// position. An error is the store's, the queue's or the context's.
func (t *turn) read(
	ctx context.Context, task *listenstore.Task, r reading,
) (whole bool, failure *source.Unavailable, err error) {
	for pages, posts := 1, 0; ; pages++ {
		page, failure, err := t.ask(ctx, r.query)
		if failure != nil || err != nil {
			return false, failure, err
		}
		count := len(page.Posts) // keep may take the slice
		kept, err := r.keep(ctx, page.Posts)
		if err != nil {
			return false, nil, err
		}
		if err := t.send(ctx, kept); err != nil {
			return false, nil, err
		}
		posts += count
		if page.Next == "" || page.Next == r.query.After || t.about.Cursor && count == 0 {
			task.Since, task.From, task.Until, task.After = r.query.Until, time.Time{}, time.Time{}, ""
			if t.about.Cursor {
				task.After = page.Next
			}
			return true, nil, nil
		}
		r.query.After, task.After = page.Next, page.Next
		if posts >= r.most || pages >= maxPages || !enough(ctx, margin) {
			return false, nil, nil
		}
	}
}

// send queues posts.
func (t *turn) send(ctx context.Context, posts []post.Post) error {
	clean := make([]post.Post, 0, len(posts))
	now := t.c.Clock.Now()
	for _, p := range posts {
		if err := p.Clean(now); err != nil {
			worker.Count(ctx, "rejected", 1)
			continue
		}
		clean = append(clean, p)
	}
	bodies, left := message.Pack(clean, messageSize)
	worker.Count(ctx, "rejected", left)
	if len(bodies) == 0 {
		return nil
	}
	messages := make([]queue.Message, len(bodies))
	for i, body := range bodies {
		messages[i].Body = body
	}
	if err := t.c.Queue.Send(ctx, queue.Posts, messages...); err != nil {
		return fmt.Errorf("queue posts: %w", err)
	}
	worker.Count(ctx, "posts", len(clean)-left)
	t.sent += len(clean) - left
	return nil
}
