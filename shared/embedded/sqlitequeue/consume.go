package sqlitequeue

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"earshot/shared/port/queue"
)

// A Handler takes a batch and returns the ids of the messages to deliver again. An error fails all of them, and so does
// an id that is not in the batch, as with Lambda. A Handler may get a message more than once.
type Handler func(ctx context.Context, batch []queue.Delivery) (failed []string, err error)

// A Consumer configures the calls of a Handler. The zero value is ready.
type Consumer struct {
	Batch  int             // messages at most, 1 to 10; 0: 10
	Wait   time.Duration   // how long, by the machine's clock, a batch that is not full waits for more
	Report func(err error) // gets a handler's errors and panics, and errors of the file; nil for none
}

// MaxBatch is how many messages a batch holds at most: that of SQS for a Lambda without a batching window.
const MaxBatch = 10

// Consume calls the handler with the queue's messages, one batch after the other, until the context ends. It finishes
// the current batch first: the handler's context does not end with ctx. Call it several times for several consumers at
// once. A failed message stays hidden for the rest of the queue's visibility timeout. A panic of the handler fails the
// whole batch. Operations that the file fails are tried again.
//
// Errors: none when the context ends; only for an invalid consumer or an unknown queue.
func (q *Queue) Consume(ctx context.Context, name string, consumer Consumer, handle Handler) error {
	d, err := q.definition(name)
	if err != nil {
		return err
	}
	if consumer.Batch == 0 {
		consumer.Batch = MaxBatch
	}
	if consumer.Batch < 1 || consumer.Batch > MaxBatch || consumer.Wait < 0 {
		return fmt.Errorf(
			"sqlitequeue: consume %s: a batch of %d, waiting %v, cannot be", name, consumer.Batch, consumer.Wait,
		)
	}
	report := func(doing string, err error) {
		if err != nil && consumer.Report != nil {
			consumer.Report(fmt.Errorf("sqlitequeue: %s %s: %w", doing, name, err))
		}
	}
	defer q.watching()()
	for ctx.Err() == nil {
		news := q.watch.arrivals(name)
		count, err := q.waiting(ctx, d, consumer.Batch)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			report("look into", err)
			await(ctx, nil, pace)
			continue
		}
		if count == 0 {
			await(ctx, news, forever)
			continue
		}
		if count < consumer.Batch && consumer.Wait > 0 {
			q.gather(ctx, d, consumer)
		}
		if ctx.Err() != nil {
			return nil
		}
		whole := context.WithoutCancel(ctx) // a batch that was taken is finished
		batch, err := q.take(whole, d, consumer.Batch)
		if err != nil {
			report("take from", err)
			await(ctx, nil, pace)
			continue
		}
		if len(batch) == 0 { // another was quicker, or all of them were dead
			continue
		}
		failed, err := call(whole, handle, batch)
		if err != nil {
			report("consume", err)
			continue // hidden until the visibility is over
		}
		report("remove from", q.remove(whole, batch, failed)) // messages that are not removed arrive again
	}
	return nil
}

// gather waits until the batch would be full, or for the consumer's wait.
func (q *Queue) gather(ctx context.Context, d Definition, consumer Consumer) {
	for until := time.Now().Add(consumer.Wait); ctx.Err() == nil; {
		news := q.watch.arrivals(d.Name)
		count, err := q.waiting(ctx, d, consumer.Batch)
		left := time.Until(until)
		if err != nil || count >= consumer.Batch || left <= 0 {
			return
		}
		await(ctx, news, left)
	}
}

const forever = time.Duration(1<<63 - 1)

// await waits for news, for longest at most, or until the context ends.
func await(ctx context.Context, news <-chan struct{}, longest time.Duration) {
	timer := time.NewTimer(longest)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-news:
	case <-timer.C:
	}
}

// call calls the handler. A panic is its error, and so is an id of a message that it was not given.
func call(ctx context.Context, handle Handler, batch []queue.Delivery) (failed []string, err error) {
	defer func() {
		if value := recover(); value != nil {
			err = fmt.Errorf("the handler panicked: %v\n%s", value, debug.Stack())
		}
	}()
	if failed, err = handle(ctx, batch); err != nil {
		return nil, err
	}
	given := make(map[string]bool, len(batch))
	for _, delivery := range batch {
		given[delivery.ID] = true
	}
	for _, id := range failed {
		if !given[id] {
			return nil, errors.New("the handler failed a message that is not in its batch")
		}
	}
	return failed, nil
}
