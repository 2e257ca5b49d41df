package collect

import (
	"context"
	"slices"
	"time"

	"earshot/shared/keyword"
	"earshot/shared/listening"
	"earshot/shared/match"
	"earshot/shared/post"
	"earshot/shared/source"
	"earshot/shared/store/listenstore"
	"earshot/shared/worker"
)

// A turn is the work of one source in an invocation, one task after the other, so that a platform never gets two
// requests at once.
type turn struct {
	c        *Collector
	snapshot *listening.Snapshot
	quotas   *quotas
	source   source.Source
	about    source.About
	period   time.Duration      // between two fetches of a keyword
	streams  []listenstore.Task // those that there were when the invocation began
	looking  chan struct{}      // holds one for each source that is looking for due tasks; the sources share it

	hits     match.Hits
	sent     int  // posts of the fetch in hand that were queued
	failures int  // in a row
	over     bool // no further task is begun: the platform cannot be reached, fails again and again, or asked to wait
}

func (t *turn) run(ctx context.Context) error {
	due, err := t.due(ctx)
	if err != nil {
		return err
	}
	for _, task := range due {
		if t.over || !enough(ctx, margin) {
			return nil // the rest stays due
		}
		claimed, ok, err := t.c.Tasks.ClaimTask(ctx, task, lease)
		if err != nil {
			return err
		}
		if !ok {
			continue // another worker holds it
		}
		finished, err := t.do(ctx, claimed)
		switch {
		case err != nil:
			return err
		case finished == nil:
			err = t.c.Tasks.RemoveTask(ctx, claimed)
		default:
			err = t.c.Tasks.FinishTask(ctx, claimed, *finished)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// due returns the source's tasks whose turn has come. That of a stream has been read already, unless it is new.
func (t *turn) due(ctx context.Context) ([]listenstore.Task, error) {
	read := slices.IndexFunc(t.streams, func(task listenstore.Task) bool { return task.Source == t.about.Name })
	switch {
	case !t.about.Stream || read < 0:
		t.looking <- struct{}{}
		defer func() { <-t.looking }()
		return t.c.Tasks.DueTasks(ctx, t.about.Name, dueAtOnce)
	case t.streams[read].DueAt.After(t.c.Clock.Now()):
		return nil, nil
	}
	return t.streams[read : read+1], nil
}

// do fetches for a task and returns the task with its next turn; nil if there is nothing to fetch for it any more. An
// error is the store's, the queue's or the context's. The task is then due again when its lease ends.
func (t *turn) do(ctx context.Context, task listenstore.Task) (*listenstore.Task, error) {
	now := t.c.Clock.Now()
	r := reading{most: maxStream, keep: t.wanted}
	next := now.Add(streamPause(t.about))
	if t.about.Stream {
		r.query = t.ofStream(&task, now)
	} else {
		k := t.keyword(task)
		if k == nil {
			return nil, nil
		}
		next = nextSlot(task, t.period, now)
		spent, err := t.quotas.spent(ctx, task.WorkspaceID)
		if err != nil {
			return nil, err
		}
		// The first fetch of a new keyword is free of the quota.
		if free := task.Since.IsZero() && k.CreatedAt.After(now.Add(-lookBack)); spent && !free {
			worker.Count(ctx, "overQuota", 1)
			task.DueAt = next
			return &task, nil
		}
		r.query, r.most, r.keep = t.ofKeyword(&task, k, now), maxPosts, all
	}
	worker.Count(ctx, "fetches", 1)
	t.sent = 0
	whole, failure, err := t.read(ctx, &task, r)
	if err != nil {
		return nil, err
	}
	if t.c.Fetched != nil {
		t.c.Fetched(fetchOf(task, t.sent, failure))
	}
	if failure != nil {
		return &task, t.failed(ctx, &task, failure)
	}
	t.failures, task.Failures, task.LastError = 0, 0, ""
	if task.DueAt = next; !whole {
		task.DueAt = now // behind all other due tasks
		return &task, nil
	}
	t.observe(ctx, &task)
	return &task, nil
}

func fetchOf(task listenstore.Task, posts int, failure *source.Unavailable) Fetch {
	if failure == nil {
		return Fetch{Source: task.Source, Posts: posts}
	}
	return Fetch{task.Source, posts, failure}
}

// keyword returns the task's keyword; nil if it is gone, paused or does not want this source.
func (t *turn) keyword(task listenstore.Task) *keyword.Keyword {
	w := t.snapshot.Workspace(task.WorkspaceID)
	if w == nil {
		return nil
	}
	for i := range w.Keywords {
		if k := &w.Keywords[i]; k.ID == task.KeywordID && wants(k, task.Source) {
			return k
		}
	}
	return nil
}

// wanted returns the posts that some workspace listens for whose mentions of the month are not used up. What the stream
// lacks of them is looked up. They are then matched again, because a keyword may exclude their author.
func (t *turn) wanted(ctx context.Context, posts []post.Post) ([]post.Post, error) {
	kept, err := t.matched(ctx, posts)
	completer, lacks := t.source.(source.Completer)
	if err != nil || !lacks || len(kept) == 0 {
		return kept, err
	}
	failure, err := t.call(ctx, func(ctx context.Context) error { return completer.Complete(ctx, kept) })
	if err != nil {
		return nil, err
	}
	if failure != nil { // the posts are worth more than their missing fields
		worker.Count(ctx, "incomplete", len(kept))
		t.c.Log.WarnContext(ctx, "posts were not completed", "source", t.about.Name, "reason", failure.Reason)
	}
	return t.matched(ctx, kept)
}

func (t *turn) matched(ctx context.Context, posts []post.Post) ([]post.Post, error) {
	var kept []post.Post
	for _, p := range posts {
		t.snapshot.Matcher.Match(&p, &t.hits)
		for _, hit := range t.hits.List {
			spent, err := t.quotas.spent(ctx, hit.Workspace.ID)
			if err != nil {
				return nil, err
			}
			if !spent || keyword.LookedBack(p.PostedAt, hit.Keywords) {
				kept = append(kept, p)
				break
			}
		}
	}
	return kept, nil
}

func all(_ context.Context, posts []post.Post) ([]post.Post, error) { return posts, nil }
