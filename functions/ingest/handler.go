package ingest

import (
	"context"
	"errors"
	"fmt"

	"earshot/events/message"
	"earshot/shared/post"
	"earshot/shared/worker"
)

// Handler returns the handler of the queue posts. It takes a batch in at once. If a part fails, those messages come
// again whose posts could not all be stored.
func Handler(o worker.Options, intake *Intake) worker.QueueHandler {
	return worker.Batch(o, func(ctx context.Context, messages []worker.Message) []worker.Failure {
		var (
			posts    []post.Post
			from     []int // the message of each post
			failures []worker.Failure
		)
		for i, m := range messages {
			unpacked, unreadable, err := message.Unpack(m.Body)
			if err != nil {
				failures = append(
					failures,
					worker.Failure{ID: m.ID, Err: worker.Reject(errors.New("the body is not a message of posts"))},
				)
				continue
			}
			worker.Count(ctx, "unreadable", unreadable)
			for _, p := range unpacked {
				posts, from = append(posts, p), append(from, i)
			}
		}
		outcome, err := intake.Take(ctx, posts)
		count(ctx, outcome)
		return append(failures, failed(messages, from, err)...)
	})
}

func count(ctx context.Context, o Outcome) {
	for name, n := range map[string]int{
		"posts": o.Posts, "unmatched": o.Unmatched, "rejected": len(o.Rejected), "stored": o.Mentions.Stored,
		"duplicates": o.Mentions.Duplicate,
		"refreshed":  o.Mentions.Refreshed, "overQuota": o.Mentions.OverQuota, "tooLarge": o.Mentions.TooLarge,
	} {
		worker.Count(ctx, name, n)
	}
}

// failed returns the failures of the messages that are to come again.
func failed(messages []worker.Message, from []int, err error) []worker.Failure {
	if err == nil {
		return nil
	}
	again := map[int]bool{}
	var part *Failure
	if errors.As(err, &part) {
		for _, p := range part.Posts {
			again[from[p]] = true
		}
	} else {
		for _, i := range from {
			again[i] = true
		}
	}
	var failures []worker.Failure
	for i, m := range messages {
		if again[i] {
			failures = append(failures, worker.Failure{ID: m.ID, Err: fmt.Errorf("ingest posts: %w", err)})
		}
	}
	return failures
}
