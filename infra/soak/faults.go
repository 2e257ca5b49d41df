package main

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"earshot/shared/embedded/fault"
)

// faultPlaces lists the operations of every port that the workbench decorates.
func faultPlaces() (places []fault.Fault) {
	for port, operations := range map[string][]string{
		fault.TablePort:    fault.TableOperations(),
		fault.QueuePort:    fault.QueueOperations(),
		fault.BlobPort:     fault.BlobOperations(),
		fault.MailPort:     fault.MailOperations(),
		fault.IdentityPort: fault.IdentityOperations(),
		fault.SourcePort:   fault.SourceOperations(),
		fault.FlowPort:     fault.FlowOperations(),
	} {
		for _, operation := range operations {
			for _, kind := range fault.Kinds() {
				places = append(places, fault.Fault{Port: port, Operation: operation, Fault: kind})
			}
		}
	}
	slices.SortFunc(places, func(a, b fault.Fault) int { return strings.Compare(named(a), named(b)) })
	return places
}

func named(f fault.Fault) string { return fmt.Sprintf("%s.%s %s", f.Port, f.Operation, f.Fault) }

// An injector asks the workbench for faults, one after the other, and counts the fired ones: those that were asked
// for and wait no longer. A fault that dies with a process counts as waiting.
type injector struct {
	api    *api
	places []fault.Fault
	random *rand.Rand

	mu      sync.Mutex
	asked   map[string]int // of this process, since the last clearance
	waiting map[string]int
	fired   map[string]int // of earlier ones
}

func newInjector(a *api, random *rand.Rand) *injector {
	return &injector{
		api:     a,
		places:  faultPlaces(),
		random:  random,
		asked:   map[string]int{},
		waiting: map[string]int{},
		fired:   map[string]int{},
	}
}

// most is how many faults wait at one operation, so that faults at rare operations do not pile up.
const most = 8

// next draws a fault. What the store repeats by itself fails only if the fault comes more often than that.
func (i *injector) next() fault.Fault {
	f := i.places[i.random.IntN(len(i.places))]
	if i.random.IntN(3) == 0 { // the table is what everything else stands on
		for f.Port != fault.TablePort {
			f = i.places[i.random.IntN(len(i.places))]
		}
	}
	f.Times = 1
	if f.Port == fault.TablePort && (f.Fault == fault.Throttle || f.Fault == fault.Error || f.Fault == fault.Lost) {
		f.Times = 1 + i.random.IntN(6)
	}
	return f
}

// inject asks for one more fault. An error means that the process has ended.
func (i *injector) inject(ctx context.Context) error {
	f := i.next()
	i.mu.Lock()
	crowded := 0
	for _, kind := range fault.Kinds() {
		crowded += i.waiting[named(fault.Fault{Port: f.Port, Operation: f.Operation, Fault: kind})]
	}
	i.mu.Unlock()
	if crowded >= most {
		return i.look(ctx)
	}
	var left struct{ Faults []fault.Fault }
	if err := i.api.local(ctx, "POST", "/faults", f, &left); err != nil {
		return err
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.asked[named(f)] += f.Times
	i.wait(left.Faults)
	return nil
}

// look finds which faults still wait.
func (i *injector) look(ctx context.Context) error {
	var left struct{ Faults []fault.Fault }
	if err := i.api.local(ctx, "GET", "/faults", nil, &left); err != nil {
		return err
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.wait(left.Faults)
	return nil
}

func (i *injector) wait(left []fault.Fault) {
	clear(i.waiting)
	for _, f := range left {
		i.waiting[named(f)] += f.Times
	}
}

// clear removes all faults from a living process, while no request is under way.
func (i *injector) clear(ctx context.Context) error {
	if err := i.look(ctx); err != nil {
		return err
	}
	if err := i.api.local(ctx, "DELETE", "/faults", nil, nil); err != nil {
		return err
	}
	i.forget()
	return nil
}

// forget settles the counts of a process that holds no faults any more.
func (i *injector) forget() {
	i.mu.Lock()
	defer i.mu.Unlock()
	for name, asked := range i.asked {
		if fired := asked - i.waiting[name]; fired > 0 {
			i.fired[name] += fired
		}
	}
	clear(i.asked)
	clear(i.waiting)
}

// counted returns how often each fault has fired, at least.
func (i *injector) counted() map[string]int {
	i.mu.Lock()
	defer i.mu.Unlock()
	all := maps.Clone(i.fired)
	for name, asked := range i.asked {
		if fired := asked - i.waiting[name]; fired > 0 {
			all[name] += fired
		}
	}
	return all
}

// keep injects until the context ends.
func (i *injector) keep(ctx context.Context, every time.Duration) {
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
			return
		case <-time.After(every):
			_ = i.inject(ctx) // where the process has died, the next one is asked
		}
	}
}
