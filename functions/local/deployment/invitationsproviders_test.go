package deployment_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"earshot/shared/port/clock"
	"earshot/shared/port/identity"
	"earshot/shared/port/mail"
	"earshot/shared/port/queue"
)

// directory is a directory in memory: accounts by their folded addresses, and groups with the ids of who is in them.
type directory struct {
	mu       sync.Mutex
	accounts map[string]identity.Account
	groups   map[string]map[string]bool
}

func newDirectory() *directory {
	return &directory{accounts: map[string]identity.Account{}, groups: map[string]map[string]bool{}}
}

// signUp makes an account of an address, as its person writes it.
func (d *directory) signUp(email string) identity.Account {
	d.mu.Lock()
	defer d.mu.Unlock()
	local, _, _ := strings.Cut(email, "@")
	account := identity.Account{ID: "account-" + identity.Fold(local), Email: email, Name: "quiet" + identity.Fold(local)}
	d.accounts[identity.Fold(email)] = account
	return account
}

// known are the accounts' addresses, folded, with their ids.
func (d *directory) known() map[string]string {
	d.mu.Lock()
	defer d.mu.Unlock()
	ids := map[string]string{}
	for email, account := range d.accounts {
		ids[email] = account.ID
	}
	return ids
}

// grouped are the memberships that the directory has, as "group account".
func (d *directory) grouped() (memberships []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for group, ids := range d.groups {
		for id := range ids {
			memberships = append(memberships, group+" "+id)
		}
	}
	slices.Sort(memberships)
	return memberships
}

func (d *directory) Account(_ context.Context, email string) (identity.Account, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	account, known := d.accounts[identity.Fold(email)]
	if !known {
		return identity.Account{}, identity.ErrNoAccount
	}
	return account, nil
}

func (d *directory) Join(_ context.Context, group, accountID string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, account := range d.accounts {
		if account.ID == accountID {
			d.make(group)[accountID] = true
			return nil
		}
	}
	return identity.ErrNoAccount
}

func (d *directory) make(group string) map[string]bool {
	if d.groups[group] == nil {
		d.groups[group] = map[string]bool{}
	}
	return d.groups[group]
}

func (d *directory) Leave(_ context.Context, group, accountID string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.groups[group], accountID)
	return nil
}

func (d *directory) CreateGroup(_ context.Context, group string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.make(group)
	return nil
}

func (d *directory) DeleteGroup(_ context.Context, group string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.groups, group)
	return nil
}

// A mailbox takes mails, and tells of each.
type mailbox func(mail.Message)

func (m mailbox) Send(_ context.Context, message mail.Message) error {
	m(message)
	return nil
}

// A bag is a queue that delivers as SQS may at its worst: each message up to three times and some last of all, in any order.
type bag struct {
	clock clock.Clock

	mu       sync.Mutex
	came     []*letter // that nobody has drawn the fate of
	letters  []*letter
	received int // deliveries that were taken
	doubled  int // of these, of a message that had been taken before
}

type letter struct {
	queue.Delivery
	from   time.Time // when it can come first
	copies int       // how often it is still to be taken
	taken  int       // how often it was
	last   bool      // it comes when all others have
}

func (b *bag) Send(_ context.Context, name string, messages ...queue.Message) error {
	if name != queue.Invitations {
		return errors.New("there is no queue " + name)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, message := range messages {
		if len(message.Body) == 0 || len(message.Body) > queue.MaxBody || message.Delay > queue.MaxDelay {
			return queue.ErrTooLarge
		}
		id := fmt.Sprintf("message-%d", len(b.came)+len(b.letters))
		b.came = append(b.came, &letter{
			Delivery: queue.Delivery{ID: id, Body: message.Body},
			from:     b.clock.Now().Add(message.Delay),
		})
	}
	return nil
}

// sort draws the fates of what came.
func (b *bag) sort(random *rand.Rand) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, l := range b.came {
		l.copies, l.last = 1+random.IntN(3), random.IntN(5) == 0
	}
	b.letters, b.came = append(b.letters, b.came...), nil
}

// draw takes up to n deliveries of what can come now; also of what comes last, when the end has come.
func (b *bag) draw(random *rand.Rand, n int, end bool) []*letter {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.clock.Now()
	var ready []*letter
	for _, l := range b.letters {
		if l.copies > 0 && !now.Before(l.from) && (end || !l.last) {
			ready = append(ready, l)
		}
	}
	random.Shuffle(len(ready), func(i, j int) { ready[i], ready[j] = ready[j], ready[i] })
	return ready[:min(n, len(ready))]
}

// taken notes that a delivery was not failed.
func (b *bag) taken(l *letter) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.received++
	if l.taken > 0 {
		b.doubled++
	}
	l.taken++
	l.copies--
}
