package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"sync"
	"time"

	"earshot/functions/discovery"
)

// options are a soak's settings.
type options struct {
	length    time.Duration // of the load, with what interrupts it
	rate      float64       // operations a second
	seed      uint64
	killEvery time.Duration // on average
	calmEvery time.Duration // from one time without faults to the next
	calm      time.Duration // how long it is
	tellEvery time.Duration
	clients   int // 0: as many as the requests of an hour need
	folder    string
	binary    string
	to        io.Writer
}

// A soak is one run. One goroutine drives it and does what is due: an operation, a kill, a time without faults, a
// line.
type soak struct {
	options
	tally    *tally
	findings *findings
	api      *api
	faults   *injector
	random   *rand.Rand // of the driver
	clients  []*client
	idle     chan *client
	working  sync.WaitGroup

	process  *workbench
	address  string // of every process: the clients' webhooks lead there
	life     int    // which process it is, from 0
	born     int    // requests that had been answered when it started
	growth   growth
	kills    int
	checks   int
	paused   time.Duration // for checks and measurements
	logAt    int64
	stopLoad context.CancelFunc // of the injection of faults; nil: there is none
	injected sync.WaitGroup
	began    time.Time
	atEnd    string // what the end found, for the summary
	redriven int
}

func newSoak(o options) *soak {
	return &soak{options: o, tally: newTally(), findings: &findings{}, random: rand.New(rand.NewPCG(o.seed, 1<<40))}
}

// requestsOfClient is how many requests the load may make to a client's workspace. The rest of its hourly 500 is for
// the checks.
const requestsOfClient = 220

// requestsOfOperation is the measured average of requests an operation.
const requestsOfOperation = 1.3

// largeWorkspace is more than an export returns at once.
const largeWorkspace = manyMentions + 100

// run soaks. Its error is what prevented the soak; what went wrong in it is among the findings.
func (s *soak) run(ctx context.Context) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	defer func() {
		if s.process != nil {
			s.process.kill()
		}
	}()
	if err := s.load(ctx); err != nil {
		return err
	}
	return s.end(ctx)
}

func (s *soak) begin(ctx context.Context) (err error) {
	if s.options.clients == 0 {
		s.options.clients = max(int(s.rate*s.length.Seconds()*requestsOfOperation/requestsOfClient)+1, 8)
	}
	if s.api, err = newAPI(discovery.OpenAPI(), s.tally, s.findings); err != nil {
		return err
	}
	s.faults = newInjector(s.api, rand.New(rand.NewPCG(s.seed, 1<<41)))
	fmt.Fprintf(
		s.to, "Soaking for %s at %g operations a second by %d clients, a kill every %s on average, SEED=%d.\n",
		s.length, s.rate, s.options.clients, s.killEvery, s.seed,
	)
	homes, err := prepare(ctx, dataOf(s.folder), s.options.clients)
	if err != nil {
		return err
	}
	s.idle = make(chan *client, len(homes))
	for n, h := range homes {
		s.clients = append(s.clients, newClient(h, s.api, n, s.seed))
		s.idle <- s.clients[n]
	}
	s.began = time.Now()
	if err := s.start(ctx); err != nil {
		return err
	}
	s.each(func(c *client) {
		if c.large {
			c.importSome(ctx, largeWorkspace)
		}
		if c.hears {
			c.subscribe(ctx)
			c.hear(ctx)
		}
	})
	return nil
}

// start starts a process, and measures it before its first request.
func (s *soak) start(ctx context.Context) (err error) {
	if s.address == "" {
		if s.address, err = freeAddress(); err != nil {
			return err
		}
	}
	s.api.born.Store(s.api.now().UnixNano())
	s.process, err = start(ctx, s.binary, s.folder, s.address, time.Duration(s.api.ahead.Load()))
	if err != nil {
		return err
	}
	s.api.base.Store(&s.process.base)
	s.api.dying.Store(false)
	s.born = s.requests()
	s.api.calm.Store(time.Now().UnixNano())
	_, err = s.measure(ctx, time.Second)
	return err
}

func (s *soak) requests() int {
	s.tally.mu.Lock()
	defer s.tally.mu.Unlock()
	return s.tally.requests
}

// load sends operations at the rate until the time is over. It is an open loop: an operation is due at its time
// whether earlier ones are done or not. Its delay is counted.
func (s *soak) load(ctx context.Context) error {
	deadline := time.Now().Add(s.length)
	kill, calm, tell := s.nextKill(), time.Now().Add(s.calmEvery), time.Now().Add(s.tellEvery)
	s.inject(ctx)
	defer s.quiet()
	for due := time.Now(); time.Now().Before(deadline) && ctx.Err() == nil; {
		now := time.Now()
		switch {
		case s.process.dead():
			s.findings.add("the process died by itself: %s", lastWords(s.folder))
			if err := s.killed(ctx); err != nil {
				return err
			}
			due = time.Now()
		// The last process lives for the last quarter of the time, so that a leak has time to show.
		case now.After(kill) && now.Before(deadline.Add(-s.length/4)):
			s.kills++
			if err := s.killed(ctx); err != nil {
				return err
			}
			kill, due = s.nextKill(), time.Now()
			calm = due.Add(s.calmEvery)
		case now.After(calm):
			if err := s.calmed(ctx); err != nil {
				return err
			}
			due = time.Now()
			calm = due.Add(s.calmEvery)
		case now.After(tell):
			s.tell(ctx)
			tell = now.Add(s.tellEvery)
		case now.Before(due):
			time.Sleep(min(due.Sub(now), 20*time.Millisecond))
		default:
			s.operate(ctx, due)
			due = due.Add(time.Duration(float64(time.Second) / s.rate))
		}
	}
	s.working.Wait()
	return ctx.Err()
}

// operate gives an operation to a free client. Without one the operation waits and is late.
func (s *soak) operate(ctx context.Context, due time.Time) {
	var c *client
	select {
	case c = <-s.idle:
	case <-ctx.Done():
		return
	}
	s.tally.began(time.Since(due))
	s.working.Go(func() {
		c.step(ctx)
		s.idle <- c
	})
}

// leastLife is the shortest life of a process: it must answer something.
const leastLife = 3 * time.Second

// nextKill draws an unpredictable moment, at most twice the average away, so that a soak of some minutes has some
// kills.
func (s *soak) nextKill() time.Time {
	return time.Now().
		Add(leastLife + min(time.Duration(s.random.ExpFloat64()*float64(s.killEvery-leastLife)), 2*s.killEvery))
}

// inject begins to inject faults.
func (s *soak) inject(ctx context.Context) {
	s.api.calm.Store(0)
	ctx, s.stopLoad = context.WithCancel(ctx)
	s.injected.Go(func() { s.faults.keep(ctx, 120*time.Millisecond) })
}

// quiet stops injecting faults.
func (s *soak) quiet() {
	if s.stopLoad != nil {
		s.stopLoad()
		s.stopLoad = nil
	}
	s.injected.Wait()
}

// killed kills the process under load, starts another one on its data, and compares what that shows with the ledgers.
// Every other process starts in the next hour: what the one before left is due, digests and alerts among it.
func (s *soak) killed(ctx context.Context) error {
	s.api.dying.Store(true)
	s.process.kill()
	s.working.Wait()
	s.quiet()
	s.faults.forget()
	if s.life++; s.life%2 == 1 {
		s.api.turn(0)
	}
	pause := time.Now()
	defer func() { s.paused += time.Since(pause) }()
	s.api.client.CloseIdleConnections()
	if err := s.start(ctx); err != nil {
		return err
	}
	s.checkAll(ctx, false)
	s.inject(ctx)
	return nil
}

// atOnce is how many clients check, or greet, at the same moment.
const atOnce = 6

// greetAll makes every client do its usual operation once. It proves that the process works after everything, and
// fills a new process's memory as a working one's.
func (s *soak) greetAll(ctx context.Context) {
	s.each(func(c *client) { c.greet(ctx) })
}

// checkAll makes every client compare its ledger with what is shown.
func (s *soak) checkAll(ctx context.Context, atEnd bool) {
	s.checks++
	s.each(func(c *client) { c.check(ctx, atEnd) })
}

// each runs something for every client, several at the same moment.
func (s *soak) each(do func(*client)) {
	room := make(chan struct{}, atOnce)
	var group sync.WaitGroup
	for _, c := range s.clients {
		room <- struct{}{}
		group.Go(func() {
			do(c)
			<-room
		})
	}
	group.Wait()
}

// calmed takes the faults out for a while. The process is measured idle and then works without faults, when a 5xx is
// a finding.
func (s *soak) calmed(ctx context.Context) error {
	pause := time.Now()
	if err := s.settle(ctx); err != nil {
		return err
	}
	if s.process.dead() {
		return nil
	}
	if _, err := s.measure(ctx, 2*time.Second); err != nil {
		return err
	}
	s.paused += time.Since(pause)
	due := time.Now()
	for end := due.Add(s.calm); time.Now().Before(end) && ctx.Err() == nil && !s.process.dead(); {
		if wait := time.Until(due); wait > 0 {
			time.Sleep(min(wait, 20*time.Millisecond))
			continue
		}
		s.operate(ctx, due)
		due = due.Add(time.Duration(float64(time.Second) / s.rate))
	}
	s.working.Wait()
	s.inject(ctx)
	return nil
}

// settle waits for the requests under way, and takes the faults out.
func (s *soak) settle(ctx context.Context) error {
	s.quiet()
	s.working.Wait()
	if s.process.dead() {
		return nil // load sees to that
	}
	if err := s.faults.clear(ctx); err != nil {
		return err
	}
	s.api.calm.Store(time.Now().UnixNano())
	return nil
}

// measure takes a sample of the idle process. It waits a limited time for what is still ending. Returns false, and takes
// no sample, if functions of queues or schedules still run then.
func (s *soak) measure(ctx context.Context, longest time.Duration) (idle bool, err error) {
	var u usage
	for began, before := time.Now(), -1; ; time.Sleep(100 * time.Millisecond) {
		s.api.client.CloseIdleConnections()
		if err := s.api.local(ctx, "GET", "/process?collect=true", nil, &u); err != nil {
			return false, err
		}
		if u.Working == 0 && u.Goroutines == before && time.Since(began) > min(longest/4, 500*time.Millisecond) {
			break
		}
		if time.Since(began) > longest {
			if u.Working > 0 {
				return false, nil
			}
			break
		}
		before = u.Goroutines
	}
	s.growth.idle = append(s.growth.idle, s.sampled(u))
	return true, nil
}

func (s *soak) sampled(u usage) sample {
	requests := s.requests()
	return sample{usage: u, life: s.life, age: requests - s.born, data: requests}
}
