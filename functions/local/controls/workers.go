package controls

import (
	"context"
	"net/http"

	"earshot/shared/embedded/sqlitequeue"
	"earshot/shared/web/problem"
)

// Workers runs what nobody asks for.
type Workers interface {
	// Tick calls a schedule's function and waits for it.
	Tick(ctx context.Context, name string) error
	// Working returns how many functions of queues and schedules run at this moment.
	Working() int
}

// Queues counts the messages in the queues, and sends dead letters again.
type Queues interface {
	Depth(ctx context.Context, name string) (sqlitequeue.Depth, error)
	// Redrive sends all dead letters of a queue again, and returns how many.
	Redrive(ctx context.Context, name string) (int, error)
}

// tick runs a schedule's function now.
func (c *controls) tick(name string) operation {
	return func(r *http.Request) (any, error) {
		if _, err := readQuery(r); err != nil {
			return nil, err
		}
		if err := c.Workers.Tick(r.Context(), name); err != nil {
			return nil, problem.New(problem.InternalError, "The schedule's function failed; the log says why.").
				Because(err)
		}
		return map[string]bool{"ok": true}, nil
	}
}

// queueDepth is how many messages a queue holds.
type queueDepth struct {
	Queue    string `json:"queue"`
	Waiting  int    `json:"waiting"`
	Delayed  int    `json:"delayed"`
	InFlight int    `json:"inFlight"` // with their function, or failed and to come again
	Dead     int    `json:"dead"`     // came too often: the log says why, and redrive sends them again
}

// listQueues counts the messages in the queues.
func (c *controls) listQueues(r *http.Request) (any, error) {
	if _, err := readQuery(r); err != nil {
		return nil, err
	}
	depths := []queueDepth{}
	for _, name := range c.QueueNames {
		depth, err := c.Queues.Depth(r.Context(), name)
		if err != nil {
			return nil, err
		}
		depths = append(depths, queueDepth{name, depth.Waiting, depth.Delayed, depth.InFlight, depth.Dead})
	}
	return map[string]any{"queues": depths}, nil
}

// redrive sends all dead letters of a queue again.
func (c *controls) redrive(name string) operation {
	return func(r *http.Request) (any, error) {
		if _, err := readQuery(r); err != nil {
			return nil, err
		}
		sent, err := c.Queues.Redrive(r.Context(), name)
		if err != nil {
			return nil, err
		}
		return map[string]int{"sent": sent}, nil
	}
}
