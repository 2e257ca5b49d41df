package sqlitequeue

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"earshot/shared/port/queue"
)

// A Handler takes a batch, and answers the ids of those messages that are to come again. An error fails all of them, and so does an
// id that is not in the batch, as with Lambda. It may be called with a message that it has had already.
type Handler func(ctx context.Context, batch []queue.Delivery) (failed []string, err error)

// A Consumer says how a Handler is called. The zero value is for use.
type Consumer struct {
	Batch  int             // messages at most, 1 to 10; 0: 10
	Wait   time.Duration   // how long, by the machine's clock, a batch that is not full waits for more
	Report func(err error) // what a handler failed or panicked with, and what the file could not do; nil: nobody is told
}

// MaxBatch is how many messages a batch holds at most: that of SQS for a Lambda without a batching window.
const MaxBatch = 10

// look is how often a consumer looks for what other processes sent and what the clock has made due, by the machine's clock: the
// queue's own may stand still or be turned.
const look = 100 * time.Millisecond

// Consume calls the handler with what comes into the queue, one batch after the other, until the context ends; the batch in hand
// is finished first, for the handler's context does not end with it. Call it several times for several consumers at once. What is
// failed stays hidden for the rest of the queue's visibility, a panic of the handler's fails the whole batch, and what the file
// cannot do is tried again.
//
// Errors: none when the context ends; only a consumer or queue that cannot be.
func (q *Queue) Consume(ctx context.Context, name string, consumer Consumer, handle Handler) error {
	d, err := q.definition(name)
	if err != nil {
		return err
	}
	if consumer.Batch == 0 {
		consumer.Batch = MaxBatch
	}
	if consumer.Batch < 1 || consumer.Batch > MaxBatch || consumer.Wait < 0 {
		return fmt.Errorf("sqlitequeue: consume %s: a batch of %d, waiting %v, cannot be", name, consumer.Batch, consumer.Wait)
	}
	report := func(doing string, err error) {
		if err != nil && consumer.Report != nil {
			consumer.Report(fmt.Errorf("sqlitequeue: %s %s: %w", doing, name, err))
		}
	}
	for ctx.Err() == nil {
		news := q.told(name) // before the look, so that nothing comes unseen between the two
		count, err := q.waiting(ctx, d, consumer.Batch)
		if ctx.Err() != nil {
			return nil
		}
		if count == 0 || err != nil {
			report("look into", err)
			rest(ctx, news, look)
			continue
		}
		if count < consumer.Batch && consumer.Wait > 0 {
			q.gather(ctx, d, consumer)
		}
		if ctx.Err() != nil {
			return nil
		}
		whole := context.WithoutCancel(ctx) // what is taken is seen through
		batch, err := q.take(whole, d, consumer.Batch)
		if err != nil {
			report("take from", err)
			rest(ctx, nil, look)
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
		report("remove from", q.remove(whole, batch, failed)) // what is not removed comes again
	}
	return nil
}

// gather waits until the batch would be full, or for the consumer's wait.
func (q *Queue) gather(ctx context.Context, d Definition, consumer Consumer) {
	for until := time.Now().Add(consumer.Wait); ctx.Err() == nil; {
		news := q.told(d.Name)
		count, err := q.waiting(ctx, d, consumer.Batch)
		left := time.Until(until)
		if err != nil || count >= consumer.Batch || left <= 0 {
			return
		}
		rest(ctx, news, min(left, look))
	}
}

// rest waits for the time, news, or the context's end.
func rest(ctx context.Context, news <-chan struct{}, longest time.Duration) {
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
