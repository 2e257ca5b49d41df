// Package due writes and reads messages of the queue deliveries. It is no part of message, whose other users link posts.
//
// The functions that deliver import it, and those that have something delivered.
package due

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"earshot/shared/port/queue"
)

// A Work is an endpoint that is due, an alert that is to be evaluated or, without either, a workspace whose announcements
// are to be made into deliveries.
type Work struct {
	WorkspaceID string `json:"workspaceId"`
	Endpoint    string `json:"endpoint,omitempty"` // as delivery.Endpoint writes it
	Digest      bool   `json:"digest,omitempty"`   // whether an interval of the endpoint's digests is over
	Alert       int64  `json:"alert,omitempty"`    // instead of an endpoint: the alert that is to be evaluated
}

// Send puts messages into the queue, each for a moment that is due in after; queue.MaxDelay bounds it. The endpoint names
// the group of a message, so that many for one do not keep others waiting.
func Send(ctx context.Context, to queue.Queue, after time.Duration, all ...Work) error {
	messages := make([]queue.Message, len(all))
	for i, work := range all {
		body, err := queue.JSON(work)
		if err != nil {
			return err
		}
		seconds := (max(0, after) + time.Second - 1).Truncate(time.Second)
		messages[i] = queue.Message{
			Body: body, Delay: min(seconds, queue.MaxDelay), Group: work.WorkspaceID + "/" + work.Endpoint,
		}
	}
	return to.Send(ctx, queue.Deliveries, messages...)
}

// Read reads a message.
func Read(body []byte) (Work, error) {
	var work Work
	if json.Unmarshal(body, &work) != nil || work.WorkspaceID == "" {
		return Work{}, errors.New("the body is not a message of deliveries")
	}
	return work, nil
}
