// Package flowtest is the suite that every adapter of the port flow passes.
//
// Only tests of adapters import it.
package flowtest

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"earshot/shared/port/flow"
)

// A Medium is an adapter, with the view of its executions that the suite needs.
type Medium struct {
	Flow flow.Flow
	// Began returns how many executions of the name have begun. It includes every execution that a returned Start
	// began.
	Began func(ctx context.Context, name string) (int, error)
	// End has the execution of the name end, and waits for that.
	End func(ctx context.Context, name string) error
}

// Run runs the suite. The tests use different names, so one medium may serve them all. Its executions run until End.
func Run(t *testing.T, open func(t *testing.T) Medium) {
	for _, test := range []struct {
		name string
		run  func(*env)
	}{
		{"Once", testOnce},
		{"Taken", testTaken},
		{"Ended", testEnded},
		{"Names", testNames},
		{"Inputs", testInputs},
		{"Concurrent", testConcurrent},
		{"Race", testRace},
		{"Contexts", testContexts},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(&env{t, open(t)}) })
	}
}

type env struct {
	*testing.T
	Medium
}

// own returns a unique name.
func own() string { return "test-" + rand.Text() }

const input = `{"workspaceId":"org_1","draftId":"draft_1","run":1,"sources":["hackernews"]}`

func (e *env) start(name, input string) {
	e.Helper()
	if err := e.Flow.Start(e.Context(), name, []byte(input)); err != nil {
		e.Fatalf("%.100s: %v", name, err)
	}
}

func (e *env) refused(name, input string, want error) {
	e.Helper()
	err := e.Flow.Start(e.Context(), name, []byte(input))
	if !errors.Is(err, want) {
		e.Errorf("%.100q with %.100q: %v, want %v", name, input, err, want)
	}
	for _, kind := range []error{flow.ErrInvalid, flow.ErrTaken, flow.ErrThrottled, flow.ErrUnavailable} {
		if kind != want && errors.Is(err, kind) {
			e.Errorf("it is %v too: %v", kind, err)
		}
	}
}

func (e *env) began(name string, want int) {
	e.Helper()
	if got, err := e.Began(e.Context(), name); err != nil || got != want {
		e.Errorf("%d executions of %s, want %d: %v", got, name, want, err)
	}
}

func (e *env) end(name string) {
	e.Helper()
	if err := e.End(e.Context(), name); err != nil {
		e.Fatal(err)
	}
}

func testOnce(e *env) {
	name, other := own(), own()
	e.began(name, 0)
	for range 3 {
		e.start(name, input)
		e.began(name, 1)
	}
	e.start(other, input) // another execution has its own input
	e.began(other, 1)
	e.began(name, 1)
	e.end(name)
	e.end(other)
}

func testTaken(e *env) {
	name := own()
	e.start(name, input)
	for _, another := range []string{strings.Replace(input, "draft_1", "draft_2", 1), `{}`, `[]`, `"{"`} {
		e.refused(name, another, flow.ErrTaken)
	}
	e.began(name, 1)
	e.start(name, input)
	e.end(name)
}

// testEnded tests that Start begins nothing for the name and the input of an ended execution.
func testEnded(e *env) {
	name := own()
	e.start(name, input)
	e.end(name)
	e.start(name, input)
	e.began(name, 1)
	e.refused(name, `{"another":true}`, flow.ErrTaken)
	e.began(name, 1)
}

func testNames(e *env) {
	for _, name := range []string{
		"", " ", "a b", "a/b", "a:b", "a.b", "é", "a\x00", "a\n", "日本語", "a*", "../a", "a#b", "%41",
		strings.Repeat("x", flow.MaxName+1), strings.Repeat("é", flow.MaxName/2),
	} {
		e.refused(name, input, flow.ErrInvalid)
	}
	longest := own() + "_" + strings.Repeat("x", flow.MaxName)
	longest = longest[:flow.MaxName]
	for _, name := range []string{longest, own() + "_-09azAZ", rand.Text()} {
		e.start(name, input)
		e.began(name, 1)
		e.end(name)
	}
}

func testInputs(e *env) {
	full := func(bytes int) string { return `{"a":"` + strings.Repeat("x", bytes-len(`{"a":""}`)) + `"}` }
	for _, bad := range []string{"", " ", "{", `{"a":}`, "nothing", `{"a":1}{"b":2}`, "{'a':1}", full(flow.MaxInput + 1)} {
		name := own()
		e.refused(name, bad, flow.ErrInvalid)
		e.began(name, 0)
	}
	for _, good := range []string{`{}`, full(flow.MaxInput), `{"a":"Ä 日本語 👩‍👩‍👧‍👦 \u0000 \" <&>"}`, " {\n\t\"a\" : [ 1e3 ] } "} {
		name := own()
		e.start(name, good)
		e.start(name, good)
		e.began(name, 1)
		e.end(name)
	}
}

func testConcurrent(e *env) {
	name := own()
	all(50, func(int) {
		if err := e.Flow.Start(e.Context(), name, []byte(input)); err != nil {
			e.Error(err)
		}
	})
	e.began(name, 1)
	e.end(name)
}

// Of many with different inputs exactly one input is taken.
func testRace(e *env) {
	name := own()
	const inputs, each = 5, 4
	var mu sync.Mutex
	started := map[int]int{}
	all(inputs*each, func(i int) {
		switch err := e.Flow.Start(e.Context(), name, fmt.Appendf(nil, `{"input":%d}`, i%inputs)); {
		case err == nil:
			mu.Lock()
			defer mu.Unlock()
			started[i%inputs]++
		case !errors.Is(err, flow.ErrTaken):
			e.Error(err)
		}
	})
	if len(started) != 1 {
		e.Errorf("started with these inputs, so often: %v", started)
	}
	for which, times := range started {
		if times != each {
			e.Errorf("input %d was taken %d times of %d", which, times, each)
		}
	}
	e.began(name, 1)
	e.end(name)
}

func testContexts(e *env) {
	ended, cancel := context.WithCancel(e.Context())
	cancel()
	name := own()
	if err := e.Flow.Start(ended, name, []byte(input)); !errors.Is(err, context.Canceled) {
		e.Errorf("in a context that has ended: %v", err)
	}
	e.began(name, 0)
	// An execution outlives the request that began it.
	request, cancel := context.WithCancel(e.Context())
	if err := e.Flow.Start(request, name, []byte(input)); err != nil {
		e.Fatal(err)
	}
	cancel()
	e.began(name, 1)
	e.start(name, input)
	e.end(name)
}

// all does something so many times at once.
func all(times int, do func(i int)) {
	var group sync.WaitGroup
	begin := make(chan struct{})
	for i := range times {
		group.Go(func() {
			<-begin
			do(i)
		})
	}
	close(begin)
	group.Wait()
}
