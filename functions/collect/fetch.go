package collect

import (
	"context"
	"fmt"
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
		if err := t.c.send(ctx, page.Posts); err != nil {
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

// stream reads a source on from where it stood, and queues what some keyword matches.
func (t *turn) stream(ctx context.Context, task *store.Task) error {
	about, now := t.source.About(), t.c.Clock.Now()
	query := source.Query{Since: task.Since, Until: now, Max: about.Max, After: task.After}
	if query.Since.IsZero() || query.Since.Before(now.Add(-lookBack)) {
		query.Since = now.Add(-lookBehind)
	}
	var hits match.Hits
	for read := 0; read < maxStream; {
		page, err := t.source.Search(ctx, query)
		if err != nil {
			return err
		}
		matched := page.Posts[:0]
		for _, p := range page.Posts {
			if t.snapshot.Matcher.Match(&p, &hits); len(hits.List) > 0 {
				matched = append(matched, p)
			}
		}
		if err := t.c.send(ctx, matched); err != nil {
			return err
		}
		read += len(page.Posts)
		query.After, task.After = page.Next, page.Next
		if page.Next == "" || len(page.Posts) == 0 {
			break
		}
		if deadline, bound := ctx.Deadline(); bound && time.Until(deadline) < margin {
			break
		}
	}
	task.Since = now
	return nil
}

// send queues posts.
func (c *Collector) send(ctx context.Context, posts []post.Post) error {
	if len(posts) == 0 {
		return nil
	}
	clean := make([]post.Post, 0, len(posts))
	now := c.Clock.Now()
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
	if err := c.Queue.Send(ctx, queue.Posts, messages...); err != nil {
		return fmt.Errorf("queue posts: %w", err)
	}
	worker.Count(ctx, "posts", len(clean))
	return nil
}
