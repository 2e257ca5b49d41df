// Package runtimeapi runs one Lambda binary on this machine as Lambda would: as a process that polls the Runtime API
// (https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html) for its invocations. So a built function can be
// tried with a real event, and its cold start measured, without an account.
//
// Guarantees:
//
// The child sees Lambda's variables and the given ones, and nothing else of this process's environment. The API
// listens on the loopback interface only. No child outlives Close, nor do processes that the child started.
//
// It is a tool for developers and for CI, and never runs in a Lambda.
package runtimeapi

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"github.com/google/uuid"
)

// A Function is one execution environment: a running process that serves one invocation at a time. Its methods may be
// called concurrently; invocations then wait.
type Function struct {
	name    string
	command *exec.Cmd
	started time.Time
	output  *output
	server  *http.Server

	turn   chan struct{}    // held by the invocation under way
	queue  chan *invocation // to the process, when it polls
	ready  chan struct{}    // closed at the first poll
	exited chan struct{}    // closed when the process has ended

	mu      sync.Mutex
	current *invocation // what the process has been given and not answered
	init    *Error      // what the process reported when it could not start
	timing  Timing
	state   string // how the process ended, once it has
}

// Timing is measured from the moment before the process starts. A time that has not come is zero.
type Timing struct {
	Ready         time.Duration // until it first asked for an invocation: Lambda's init phase, and the process's own start
	FirstResponse time.Duration // until it first answered one with success; the caller's waiting before Invoke counts
}

// Start runs a binary, Lambda's "bootstrap", and waits until it asks for its first invocation. The context bounds
// only this wait; the process runs until Close. env ("NAME=value") is added to Lambda's own variables and wins over
// them.
//
// It returns an *ExitError if the process ends before it polls, an *Error if the process reports an init error, and
// the context's error if neither comes in time.
func Start(ctx context.Context, binary string, env []string) (*Function, error) {
	path, err := filepath.Abs(binary)
	if err != nil {
		return nil, fmt.Errorf("find %s: %w", binary, err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen for %s: %w", binary, err)
	}
	variables := environment(path, listener.Addr().String(), env)
	f := &Function{
		name:    lookup(variables, "AWS_LAMBDA_FUNCTION_NAME"),
		command: exec.Command(path),
		output:  &output{},
		turn:    make(chan struct{}, 1),
		queue:   make(chan *invocation),
		ready:   make(chan struct{}),
		exited:  make(chan struct{}),
	}
	f.command.Dir = filepath.Dir(path)
	f.command.Env = variables
	f.command.Stdout, f.command.Stderr = f.output, f.output
	f.command.WaitDelay = outputGrace
	ownGroup(f.command)
	f.server = &http.Server{Handler: f.api(), ErrorLog: log.New(io.Discard, "", 0)}
	f.started = time.Now()
	go f.server.Serve(listener) // until Close
	if err := f.command.Start(); err != nil {
		f.server.Close()
		return nil, fmt.Errorf("start %s: %w", binary, err)
	}
	go f.wait()
	select {
	case <-f.ready:
		return f, nil
	case <-f.exited:
		err = f.exitError()
	case <-ctx.Done():
		err = fmt.Errorf("%s did not ask for an invocation: %w%s", f.name, ctx.Err(), f.output.quote())
	}
	f.Close()
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.init != nil {
		return nil, f.init
	}
	return nil, err
}

// outputGrace is how long Start waits for output after the end of a process, if a child of the process holds the
// output open.
const outputGrace = time.Second

// wait waits for the process, and ends what it left running.
func (f *Function) wait() {
	_ = f.command.Wait() // the state says the same, and also how a process ended whose output something holds open
	killGroup(f.command)
	f.mu.Lock()
	f.state = f.command.ProcessState.String()
	f.mu.Unlock()
	close(f.exited)
}

// maxTime is Lambda's longest run: the time limit of an invocation whose context has none.
const maxTime = 15 * time.Minute

// Invoke gives the process an event and returns its response. The context's deadline is the function's.
//
// A function's reported error is an *Error. If the process ends instead, this and every later invocation returns an
// *ExitError. If the context ends while the function works, Invoke returns the context's error and kills the process,
// as Lambda does: nobody knows what it would answer next.
func (f *Function) Invoke(ctx context.Context, payload []byte) ([]byte, error) {
	select {
	case f.turn <- struct{}{}:
		defer func() { <-f.turn }()
	case <-f.exited:
		return nil, f.exitError()
	case <-ctx.Done():
		return nil, fmt.Errorf("wait for %s: %w", f.name, ctx.Err())
	}
	deadline, limited := ctx.Deadline()
	if !limited {
		deadline = time.Now().Add(maxTime)
	}
	asked := &invocation{id: uuid.NewString(), payload: payload, deadline: deadline, ended: make(chan result, 1)}
	select {
	case f.queue <- asked:
	case <-f.exited:
		return nil, f.exitError()
	case <-ctx.Done():
		return nil, fmt.Errorf("wait for %s: %w", f.name, ctx.Err())
	}
	select {
	case answered := <-asked.ended:
		return answered.payload, answered.err
	case <-f.exited:
		if answered, ok := asked.result(); ok { // its last words
			return answered.payload, answered.err
		}
		return nil, f.exitError()
	case <-ctx.Done():
		if answered, ok := asked.result(); ok { // in the same moment
			return answered.payload, answered.err
		}
		killGroup(f.command)
		<-f.exited
		return nil, fmt.Errorf("%s did not answer: %w%s", f.name, ctx.Err(), f.output.quote())
	}
}

// Timing returns what has been measured until now.
func (f *Function) Timing() Timing {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.timing
}

// Output returns the end of what the process wrote to its standard output and error: at least the last mebibyte.
func (f *Function) Output() string { return f.output.String() }

// Close kills the process and those that it started, and returns when it has ended. It may be called again.
func (f *Function) Close() {
	select {
	case <-f.exited:
	default:
		killGroup(f.command)
		<-f.exited
	}
	f.server.Close()
}
