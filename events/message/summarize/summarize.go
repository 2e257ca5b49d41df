// Package summarize holds the message of the queue summaries. The functions ai and deliver send it, and summaries reads
// it.
package summarize

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"earshot/shared/port/queue"
)

// A Summary is a summary that is to be written.
type Summary struct {
	WorkspaceID string `json:"workspaceId"`
	SummaryID   string `json:"summaryId"`
}

// Send puts a message into the queue, which comes after a delay of at most queue.MaxDelay.
func Send(ctx context.Context, to queue.Queue, delay time.Duration, s Summary) error {
	body, err := queue.JSON(s)
	if err != nil {
		return err
	}
	return to.Send(ctx, queue.Summaries, queue.Message{Body: body, Delay: delay, Group: s.WorkspaceID})
}

// Read reads a message.
func Read(body []byte) (Summary, error) {
	var s Summary
	if json.Unmarshal(body, &s) != nil || s.WorkspaceID == "" || s.SummaryID == "" {
		return Summary{}, errors.New("the body is not a summary's message")
	}
	return s, nil
}
