// Package bridge passes messages of the Model Context Protocol from standard input to a deployment's MCP server, and
// its responses to standard output, for programs that start a server themselves (the protocol's stdio transport).
//
// A message is one line in each direction. The bridge passes it on as it is, so a client speaks any revision that the
// server speaks. The SDK's client transport is not used: it holds a session, and one malformed line would end it.
//
// The words of the program import it.
package bridge

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"earshot/infra/exit"
	"earshot/infra/terminal"
)

// Bounds of what a client may ask for.
const (
	maxLine    = 1 << 20  // bytes of a message, as the server's bound of a body
	maxRead    = 16 << 20 // bytes of a response
	maxAtOnce  = 8        // requests to the server at the same time
	maxWaiting = 256      // requests that wait or are under way
	askTime    = 2 * time.Minute
)

// A Server is where messages go, and the credential to send with them.
type Server struct {
	URL       string // of the MCP server
	Token     string // an API key, or an access token
	Workspace string // the workspace that an agency's key acts in; empty for others
}

// Options configure Run.
type Options struct {
	// Server returns the server to send the next message to. refused is empty, or the token that the server has just
	// refused: another one is worth another try. Its error's text is for the person, and names the remedy.
	Server func(ctx context.Context, refused string) (Server, error)
	From   io.Reader // the client's messages
	To     io.Writer // responses, and nothing else
	Log    io.Writer // what went wrong with messages that get no response
	// Remedy is the sentence of a 401: how the person gets another credential.
	Remedy string
}

// bridge is one run.
type bridge struct {
	Options
	http    http.Client
	tickets chan struct{} // maxAtOnce

	writing sync.Mutex
	broken  chan error // gets the first failure to write

	mutex    sync.Mutex
	requests map[string]context.CancelFunc // those under way, by their ids
	waiting  int                           // how many messages are under way
	revision string                        // what initialize agreed on; empty before
	running  sync.WaitGroup
}

// Run passes messages on until the input ends, and returns nil after the last response. It returns the context's error
// if the context ends first, and an error if the output can no longer be written.
func Run(ctx context.Context, o Options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	b := &bridge{
		Options: o,
		http: http.Client{Timeout: askTime, CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse // it could lead the credential elsewhere
		}},
		tickets:  make(chan struct{}, maxAtOnce),
		broken:   make(chan error, 1),
		requests: map[string]context.CancelFunc{},
	}
	ended := make(chan error, 1)
	go func() {
		err := b.read(ctx)
		b.running.Wait()
		ended <- err
	}()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case err := <-b.broken:
		return err
	case err := <-ended:
		return errors.Join(err, b.failed())
	}
}

// failed returns the failure to write, or nil.
func (b *bridge) failed() error {
	select {
	case err := <-b.broken:
		return err
	default:
		return nil
	}
}

// read takes each line of the input until its end.
func (b *bridge) read(ctx context.Context) error {
	lines := bufio.NewReaderSize(b.From, 64<<10)
	for ctx.Err() == nil {
		line, whole, err := readLine(lines)
		switch line = bytes.TrimSpace(line); {
		case !whole:
			b.fail(nil, codeInvalidRequest, fmt.Sprintf("The message has more than %d bytes. Send a shorter one.", maxLine))
		case len(line) > 0:
			b.take(ctx, line)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return exit.Failing(exit.Other, "standard input cannot be read: %w", err)
		}
	}
	return ctx.Err()
}

// readLine reads a line. whole is false if it has more than maxLine bytes, which are then skipped.
func readLine(from *bufio.Reader) (line []byte, whole bool, err error) {
	whole = true
	for {
		part, err := from.ReadSlice('\n')
		if whole = whole && len(line)+len(bytes.TrimRight(part, "\r\n")) <= maxLine; whole {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, whole, err
		}
	}
}

// take responds to a line, or begins to.
func (b *bridge) take(ctx context.Context, line []byte) {
	m, reason := readMessage(line)
	switch {
	case reason != "":
		b.fail(m.ID, codeOf(line), reason)
	case m.Method == "":
		fmt.Fprintln(b.Log, "earshot: a response of the client was ignored: the server sends no requests")
	case m.Method == methodCancelled:
		b.cancel(m.Params.RequestID)
	case m.Method == methodInitialize: // the messages after it need the revision that it agrees on
		b.initialize(ctx, m, line)
	case len(m.ID) > 0 && !b.ready(m):
		b.fail(m.ID, codeInvalidRequest, "No revision of the protocol is agreed on. Send initialize first, or name the "+
			"revision in each message's params._meta.")
	default:
		b.start(ctx, m, line)
	}
}

// ready reports whether the server can serve a request: all but ping need a revision, of their own or agreed on.
func (b *bridge) ready(m message) bool {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return m.Method == methodPing || b.revision != "" || m.revision() != ""
}

// initialize passes on the first message of an older client, and learns the revision from the response.
func (b *bridge) initialize(ctx context.Context, m message, line []byte) {
	response := b.ask(ctx, m, line)
	var agreed struct {
		Result struct {
			Revision string `json:"protocolVersion"`
		} `json:"result"`
	}
	if json.Unmarshal(response, &agreed) == nil && agreed.Result.Revision != "" {
		b.mutex.Lock()
		b.revision = agreed.Result.Revision
		b.mutex.Unlock()
	}
	b.write(response)
}

// start passes a message on in the background, unless too many are under way.
func (b *bridge) start(ctx context.Context, m message, line []byte) {
	id := string(m.ID)
	ctx, cancel := context.WithCancel(ctx)
	if code, reason := b.admit(id, cancel); reason != "" {
		cancel()
		if id == "" {
			fmt.Fprintf(b.Log, "earshot: %s was lost. %s\n", terminal.Safe(m.Method), reason)
			return
		}
		b.fail(m.ID, code, reason)
		return
	}
	b.running.Go(func() {
		defer cancel()
		defer b.done(id)
		select {
		case b.tickets <- struct{}{}:
			defer func() { <-b.tickets }()
		case <-ctx.Done():
			return
		}
		if response := b.ask(ctx, m, line); id != "" && ctx.Err() == nil { // a canceled request gets no response
			b.write(response)
		}
	})
}

// admit enters a message among those under way. reason is why it cannot; empty if it did.
func (b *bridge) admit(id string, cancel context.CancelFunc) (code int, reason string) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	switch _, twice := b.requests[id]; {
	case id != "" && twice:
		return codeInvalidRequest, "A request with this id is under way. Give each request an id of its own."
	case b.waiting == maxWaiting:
		return codeServer, fmt.Sprintf("%d messages are under way. Wait for responses first.", maxWaiting)
	}
	if id != "" {
		b.requests[id] = cancel
	}
	b.waiting++
	return 0, ""
}

// done forgets a message that start began with.
func (b *bridge) done(id string) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	delete(b.requests, id)
	b.waiting--
}

// cancel ends a request that is under way. Another id has no effect, as the protocol asks.
func (b *bridge) cancel(id json.RawMessage) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if end := b.requests[string(id)]; end != nil {
		end()
	}
}

// fail writes a JSON-RPC error.
func (b *bridge) fail(id json.RawMessage, code int, message string) {
	b.write(failure(id, code, message))
}

// write writes a message as one line.
func (b *bridge) write(message []byte) {
	b.writing.Lock()
	defer b.writing.Unlock()
	if _, err := b.To.Write(append(message, '\n')); err != nil {
		select {
		case b.broken <- exit.Failing(exit.Other, "standard output cannot be written: %w", err):
		default:
		}
	}
}
