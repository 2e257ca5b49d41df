package deployment_test

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"hash/fnv"
	mathrand "math/rand/v2"
	"regexp"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"earshot/shared/port/identity"
	"earshot/shared/port/mail"
	"earshot/shared/port/queue"
	"earshot/shared/port/table"
)

// turns lets the operations that processes make on their ports happen one after another, in an order that a seed
// decides. Between two operations every goroutine has come to its next one, so that the order does not depend on the
// scheduler. It works in a bubble of synctest only.
type turns struct {
	random *mathrand.Rand

	mu      sync.Mutex
	waiting []*operation
	pasts   map[string]uint64 // by goroutine
	given   []string          // the operations that had their turns
	last    int               // the process that had the last turn
	loyalty int               // in ten cases, how often it also has the next turn
}

func newTurns(seed uint64) *turns {
	return &turns{random: mathrand.New(mathrand.NewPCG(seed, 6)), pasts: map[string]uint64{}}
}

// An operation waits for its turn.
type operation struct {
	process int
	of      *mortal // the process
	name    string  // the same in every run of a seed
	past    uint64  // of the operations that its goroutine made before: tells the same operation of two goroutines apart
	begins  chan struct{}
}

// randomPart is what is random in a name: the end of an id, and a digest of ids. The beginning of an id is its time.
var randomPart = regexp.MustCompile(`(_[0-9A-Z]{10})[0-9A-Z]{16}|[0-9a-f]{64}`)

// take waits until the operation of a process may begin.
func (t *turns) take(process int, of *mortal, name string) {
	o := &operation{process: process, of: of, name: randomPart.ReplaceAllString(name, "$1"), begins: make(chan struct{})}
	me := goroutine()
	t.mu.Lock()
	o.past = t.pasts[me]
	past := fnv.New64a()
	fmt.Fprint(past, o.past, o.name)
	t.pasts[me] = past.Sum64()
	t.waiting = append(t.waiting, o)
	t.mu.Unlock()
	<-o.begins
}

// goroutine is the name of the goroutine that calls it.
func goroutine() string {
	var stack [64]byte
	name, _, _ := bytes.Cut(stack[:runtime.Stack(stack[:], false)], []byte(" ["))
	return string(name)
}

// idleTime is longer than any pause before an operation is repeated (table.Retrying, store.Kernel.Settle), as far as
// these are reached. Whoever pauses, at random, is back after it.
const idleTime = 250 * time.Millisecond

// give gives turns until the steps are over. Returns false if they make no operation any more and do not end.
func (t *turns) give(over *atomic.Bool) bool {
	t.loyalty = t.random.IntN(10)
	for idle := 0; idle < 1000; {
		synctest.Wait()
		if over.Load() {
			return true
		}
		next := t.next()
		if len(next) == 0 {
			idle++
			time.Sleep(idleTime)
			continue
		}
		idle = 0
		next[0].of.turn()
		for _, o := range next {
			close(o.begins)
		}
	}
	return false
}

// next draws whose turn it is: one operation, or those of one process that are the same.
func (t *turns) next() []*operation {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.waiting) == 0 {
		return nil
	}
	slices.SortFunc(t.waiting, func(a, b *operation) int {
		return cmp.Or(cmp.Compare(a.process, b.process), cmp.Compare(a.name, b.name), cmp.Compare(a.past, b.past))
	})
	processes := []int{t.waiting[0].process}
	if last := t.waiting[len(t.waiting)-1].process; last != processes[0] {
		processes = append(processes, last)
	}
	if !slices.Contains(processes, t.last) || t.random.IntN(10) >= t.loyalty {
		t.last = processes[t.random.IntN(len(processes))]
	}
	var own []*operation
	for _, o := range t.waiting {
		if o.process == t.last {
			own = append(own, o)
		}
	}
	drawn := own[t.random.IntN(len(own))]
	t.given = append(t.given, fmt.Sprint(drawn.process, " ", drawn.name))
	var next []*operation
	t.waiting = slices.DeleteFunc(t.waiting, func(o *operation) bool {
		same := o.process == drawn.process && o.name == drawn.name && o.past == drawn.past
		if same {
			next = append(next, o)
		}
		return same
	})
	return next
}

// A turn waits until an operation may begin that is told by its name and what it is about.
type turn func(about ...any)

// of returns the turn of a process.
func (t *turns) of(process int, m *mortal) turn {
	return func(about ...any) { t.take(process, m, fmt.Sprint(about...)) }
}

// turningTable is a table whose operations take turns.
type turningTable struct {
	table.Table
	turn turn
}

func (t turningTable) Get(ctx context.Context, get table.Get) (table.Item, error) {
	t.turn("get", get)
	return t.Table.Get(ctx, get)
}

func (t turningTable) BatchGet(ctx context.Context, gets []table.Get) (table.Batch, error) {
	t.turn("batchGet", gets)
	return t.Table.BatchGet(ctx, gets)
}

func (t turningTable) Query(ctx context.Context, query table.Query) (table.Page, error) {
	t.turn("query", query.Index, query.Partition, query.Prefix, query.From, query.To)
	return t.Table.Query(ctx, query)
}

func (t turningTable) Put(ctx context.Context, put table.Put) error {
	t.turn("put", table.KeyOf(put.Item))
	return t.Table.Put(ctx, put)
}

func (t turningTable) Update(ctx context.Context, update table.Update) (table.Item, error) {
	t.turn("update", update.Key)
	return t.Table.Update(ctx, update)
}

func (t turningTable) Delete(ctx context.Context, del table.Delete) error {
	t.turn("delete", del.Key)
	return t.Table.Delete(ctx, del)
}

func (t turningTable) Transact(ctx context.Context, tx table.Transaction) error {
	about := []any{"transact"}
	for _, write := range tx.Writes {
		switch w := write.(type) {
		case table.Put:
			about = append(about, table.KeyOf(w.Item))
		case table.Update:
			about = append(about, w.Key)
		case table.Delete:
			about = append(about, w.Key)
		case table.Check:
			about = append(about, w.Key)
		}
	}
	t.turn(about...)
	return t.Table.Transact(ctx, tx)
}

// turningDirectory is a directory whose operations take turns, as far as invitations use them.
type turningDirectory struct {
	identity.Directory
	turn turn
}

func (d turningDirectory) Account(ctx context.Context, email string) (identity.Account, error) {
	d.turn("account", email)
	return d.Directory.Account(ctx, email)
}

func (d turningDirectory) Join(ctx context.Context, group, accountID string) error {
	d.turn("join", group, accountID)
	return d.Directory.Join(ctx, group, accountID)
}

func (d turningDirectory) Leave(ctx context.Context, group, accountID string) error {
	d.turn("leave", group, accountID)
	return d.Directory.Leave(ctx, group, accountID)
}

// turningMailer is a mailer whose operations take turns.
type turningMailer struct {
	mail.Mailer
	turn turn
}

func (m turningMailer) Send(ctx context.Context, message mail.Message) error {
	m.turn("mail", message.To, message.Subject)
	return m.Mailer.Send(ctx, message)
}

// turningQueue is a queue whose operations take turns.
type turningQueue struct {
	queue.Queue
	turn turn
}

func (q turningQueue) Send(ctx context.Context, name string, messages ...queue.Message) error {
	q.turn("send", name, len(messages))
	return q.Queue.Send(ctx, name, messages...)
}

// countRandomness makes the random bytes of the whole program countedRandomness, until the test is over. The test must
// not be parallel to others.
func countRandomness(t *testing.T) {
	random := rand.Reader
	rand.Reader = &countedRandomness{}
	t.Cleanup(func() { rand.Reader = random })
}

// countedRandomness is a source of random bytes that counts. Ids that are made one after another are in this order,
// also those of one millisecond, and differ.
type countedRandomness struct{ n atomic.Uint64 }

func (c *countedRandomness) Read(into []byte) (int, error) {
	n := c.n.Add(1)
	clear(into)
	for i := min(len(into), 12) - 1; i >= 0; i-- { // of each byte, texts use five bits
		into[i] = byte(n & 31)
		n >>= 5
	}
	return len(into), nil
}
