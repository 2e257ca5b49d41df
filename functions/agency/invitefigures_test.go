package agency_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"earshot/functions/agency"
	"earshot/functions/discovery"
	"earshot/shared/embedded/fault"
	"earshot/shared/member"
	"earshot/shared/port/table"
	"earshot/shared/store/allstores"
	"earshot/shared/web"
	"earshot/shared/worldtest"
)

// A tally counts what is asked of the parts, by operation, and how much was asked of a part at the same time. Each
// provider takes its time.
type tally struct {
	takes time.Duration

	mu            sync.Mutex
	calls         map[string]int
	running, most map[string]int
}

func (c *tally) call(part, operation string, takes time.Duration) {
	c.mu.Lock()
	c.calls[operation]++
	c.running[part]++
	c.most[part] = max(c.most[part], c.running[part])
	c.mu.Unlock()
	time.Sleep(takes)
	c.mu.Lock()
	c.running[part]--
	c.mu.Unlock()
}

// reset begins anew.
func (c *tally) reset() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls, c.running, c.most = map[string]int{}, map[string]int{}, map[string]int{}
}

// String is "get 1, send 2", and what was asked of providers at the same time.
func (c *tally) String() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var parts []string
	for _, operation := range slices.Sorted(maps.Keys(c.calls)) {
		parts = append(parts, fmt.Sprint(operation, " ", c.calls[operation]))
	}
	return strings.Join(parts, ", ")
}

// ports makes the set for ports that are counted, of which each takes its time but the table.
func (c *tally) ports() *fault.Set {
	return fault.Around(func(port, operation string, do func() error) error {
		switch port {
		case fault.TablePort:
			c.call(port, operation, 0)
		case fault.IdentityPort:
			c.call("directory", operation, c.takes)
		case fault.MailPort:
			c.call("mailer", "mail", c.takes)
		case fault.QueuePort:
			c.call("queue", "queue", c.takes)
		}
		return do()
	})
}

// slow is the desk over providers that take their time, counted.
func (d desk) slow(t testing.TB, takes time.Duration) (desk, *tally) {
	t.Helper()
	c := &tally{takes: takes}
	c.reset()
	stored := allstores.New(table.Retrying(fault.Table(d.Table, c.ports())), d.World.Clock)
	d.Client = worldtest.Serve(t, d.World, discovery.OpenAPI(), func(api *web.API) {
		agency.Register(api, agency.Options{
			Store:     stored,
			Directory: fault.Identity(d.directory, c.ports()),
			Mailer:    fault.Mail(d.mails, c.ports()),
			Queue:     fault.Queue(d.nudge, c.ports()),
			SignUpURL: "https://people.example/signup",
			Clock:     d.World.Clock,
		})
	}).As(d.Master)
	return d, c
}

// What the largest call costs, and how long it takes when every call of a provider takes 200 ms: by the bubble's clock,
// on which the table takes none. A round trip to DynamoDB is some 10 ms: the longest chain of them is that of what is
// done for one workspace.
func TestInvite_RoundTrips(t *testing.T) {
	t.Setenv("TABLE_ENDPOINT", "") // the clock of a bubble stands still while something waits for the network
	synctest.Test(t, func(t *testing.T) {
		for _, c := range []struct {
			name            string
			known           int
			calls, again    string
			most, mostAgain time.Duration
		}{
			{"all unknown", 0, "account 100, batchGet 8, mail 50, query 1, queue 1, transact 108",
				"account 50, batchGet 11, query 1, queue 1",
				6500 * time.Millisecond, 2300 * time.Millisecond},
			{"all known", 50, "account 50, batchGet 7, delete 200, join 200, query 1, transact 8, update 200",
				"account 50, batchGet 7, query 1",
				10100 * time.Millisecond, 2100 * time.Millisecond},
			{"half of them", 25, "account 75, batchGet 11, delete 100, join 100, mail 25, query 1, queue 1, transact 58, update 100",
				"account 50, batchGet 12, query 1, queue 1", 8300 * time.Millisecond, 2300 * time.Millisecond},
		} {
			d := newDesk(t)
			orgs := d.grown(t, 2)
			emails := people(50)
			for n := range c.known {
				d.signUp(emails[2*n%50+2*n/50], fmt.Sprint("account-", n), "")
			}
			d, count := d.slow(t, 200*time.Millisecond)
			for _, round := range []struct {
				calls string
				most  time.Duration
			}{{c.calls, c.most}, {c.again, c.mostAgain}} {
				count.reset()
				began := time.Now()
				outcomes := d.invites(t, orgs, emails, member.Ordinary)
				took := time.Since(began)
				t.Logf("%s: %v; %s; at once %v", c.name, took, count, count.most)
				if got := count.String(); got != round.calls || took > round.most {
					t.Errorf("%s: %v; %s; want %v, %s", c.name, took, got, round.most, round.calls)
				}
				if count.most["directory"] > 8 || count.most["mailer"] > 8 {
					t.Errorf("%s: at once %v", c.name, count.most)
				}
				tell := map[string]int{}
				for _, outcome := range outcomes {
					tell[outcome]++
				}
				if tell["granted"] != 4*c.known || tell["invited"] != 50-c.known || tell["queued"] != 3*(50-c.known) {
					t.Errorf("%s: %v", c.name, tell)
				}
			}
			if len(d.mails.Sent) != 50-c.known {
				t.Errorf("%s: %d mails", c.name, len(d.mails.Sent))
			}
			d.consistent(t, orgs...)
			for _, orgID := range orgs {
				if accounts, _ := d.group(orgID); len(accounts) != c.known {
					t.Errorf("%d are in the group", len(accounts))
				}
			}
		}
	})
}

// A call whose parts are so slow that its time is over answers what it did, says what it did not do, and does the rest
// when it comes again.
func TestInvite_NoTime(t *testing.T) {
	t.Setenv("TABLE_ENDPOINT", "") // the clock of a bubble stands still while something waits for the network
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t)
		orgs := d.grown(t, 2)
		emails := people(50)
		for n := 1; n < 50; n += 2 {
			d.signUp(emails[n], fmt.Sprint("account-", n), "")
		}
		d, count := d.slow(t, 4*time.Second)
		body, err := json.Marshal(map[string]any{"targetOrgIds": orgs, "emails": emails, "role": member.Ordinary})
		must(t, err)
		counted := func() (int, map[string]int) {
			t.Helper()
			ctx, cancel := context.WithTimeout(t.Context(), 28*time.Second)
			defer cancel()
			response, err := d.Handler(ctx, d.Event(worldtest.Request{Method: "POST", Target: invitePath, Body: string(body),
				Header: []string{"Content-Type", "application/json"}}))
			must(t, err)
			var answer agency.AgencyInviteResults
			must(t, json.Unmarshal([]byte(response.Body), &answer))
			outcomes := map[string]int{}
			for _, result := range answer.Results {
				outcomes[strings.TrimSuffix(outcome(result), ", with another Idempotency-Key if it had one.")]++
			}
			return response.StatusCode, outcomes
		}
		for round := range 3 {
			began := time.Now()
			status, outcomes := counted()
			took := time.Since(began)
			t.Logf("round %d: %v %v; %s", round, took, outcomes, count)
			if outcomes["granted"] < 4*6 || outcomes["invited"] < 6 || outcomes["queued"] < 3*6 {
				t.Errorf("round %d: hardly anything was done: %v", round, outcomes)
			}
			if status != 200 || took > 27*time.Second {
				t.Errorf("round %d: %d after %v", round, status, took)
			}
			count.reset()
		}
		d, _ = d.slow(t, 0)
		d.World.Clock.Freeze(d.World.Clock.Now().Add(10 * time.Minute))
		for _, got := range d.invites(t, orgs, emails, member.Ordinary) {
			if strings.HasPrefix(got, "!") {
				t.Error(got)
			}
		}
		for n, email := range emails {
			if want := (n + 1) % 2; d.to(email) != want {
				t.Errorf("%d mails to person %d", d.to(email), n)
			}
		}
		d.consistent(t, orgs...)
		for _, orgID := range orgs {
			if accounts, _ := d.group(orgID); len(accounts) != 25 {
				t.Errorf("%d are in the group", len(accounts))
			}
		}
	})
}
