package fault

import (
	"context"

	"earshot/shared/port/queue"
)

// QueuePort is the name of the port queue in a Set.
const QueuePort = "queue"

// QueueOperations names the operations of the port queue.
func QueueOperations() []string { return []string{"send"} }

// Queue decorates a queue with the faults of the set.
func Queue(inner queue.Queue, set *Set) queue.Queue { return faultyQueue{inner, set} }

type faultyQueue struct {
	inner queue.Queue
	set   *Set
}

func (q faultyQueue) Send(ctx context.Context, name string, messages ...queue.Message) error {
	_, err := Do(ctx, q.set, QueuePort, "send", queue.ErrThrottled, queue.ErrUnavailable, func() (nothing, error) {
		return nothing{}, q.inner.Send(ctx, name, messages...)
	})
	return err
}
