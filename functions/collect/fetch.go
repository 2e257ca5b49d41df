package collect

import (
	"context"
	"fmt"
	"slices"
	"time"

	"earshot/events/message"
	"earshot/shared/keyword"
	"earshot/shared/match"
	"earshot/shared/port/queue"
	"earshot/shared/post"
	"earshot/shared/source"
	"earshot/shared/store"
	"earshot/shared/worker"
)

// search fetches what a keyword's source has since the last time, page by page, and queues it.
func (t *turn) search(ctx context.Context, task *store.Task, k *keyword.Keyword) error {
	about, now := t.source.About(), t.c.Clock.Now()
	since := now.Add(-lookBack)
	if again := task.Since.Add(-overlap); again.After(since) {
		since = again
	}
	if about.Reach > 0 && since.Before(now.Add(-about.Reach)) {
		since = now.Add(-about.Reach)
	}
	query := source.Query{Text: k.Text, Exact: k.ExactMatch, Since: since, Until: now, Max: about.Max}
	for found := 0; found < maxPosts; {
		page, err := t.source.Search(ctx, query)
		if err != nil {
			return err
		}
		if err := t.send(ctx, page.Posts); err != nil {
			return err
		}
		found += len(page.Posts)
		if query.After = page.Next; page.Next == "" {
			break
		}
	}
	task.Since = now
	return nil
}

// stream reads a source on from where it stood, and queues what some keyword matches. One whose cursor holds is read on from there
// the next time; of another that could not be read to the end, the same window is read again.
func (t *turn) stream(ctx context.Context, task *store.Task) error {
	about, now := t.source.About(), t.c.Clock.Now()
	query := source.Query{Since: task.Since.Add(-overlap), Until: now, Max: about.Max, After: task.After}
	if task.Since.IsZero() || query.Since.Before(now.Add(-lookBack)) {
		query.Since = now.Add(-lookBehind)
	}
	for read := 0; ; {
		page, err := t.source.Search(ctx, query)
		if err != nil {
			return err
		}
		count := len(page.Posts)
		if err := t.send(ctx, t.matched(page.Posts)); err != nil {
			return err
		}
		read += count
		if query.After = page.Next; about.Cursor {
			task.After = page.Next
		}
		deadline, bound := ctx.Deadline()
		switch {
		case page.Next == "" || about.Cursor && count == 0:
			task.Since = now
			return nil
		case read >= maxStream || bound && time.Until(deadline) < margin:
			return nil
		}
	}
}

// matched are the posts that some workspace listens for.
func (t *turn) matched(posts []post.Post) []post.Post {
	var hits match.Hits
	return slices.DeleteFunc(posts, func(p post.Post) bool {
		t.snapshot.Matcher.Match(&p, &hits)
		return len(hits.List) == 0
	})
}

// send queues posts.
func (t *turn) send(ctx context.Context, posts []post.Post) error {
	if len(posts) == 0 {
		return nil
	}
	clean := make([]post.Post, 0, len(posts))
	now := t.c.Clock.Now()
	for _, p := range posts {
		if err := p.Clean(now); err != nil {
			worker.Count(ctx, "rejected", 1)
			continue
		}
		clean = append(clean, p)
	}
	bodies, err := message.Pack(clean, messageSize)
	if err != nil {
		return err
	}
	messages := make([]queue.Message, len(bodies))
	for i, body := range bodies {
		messages[i].Body = body
	}
	if len(messages) == 0 {
		return nil
	}
	if err := t.c.Queue.Send(ctx, queue.Posts, messages...); err != nil {
		return fmt.Errorf("queue posts: %w", err)
	}
	worker.Count(ctx, "posts", len(clean))
	t.sent += len(clean)
	return nil
}
