// Package controls serves /_local/ of the workbench. There a developer or a test controls the program from outside:
// puts mentions in, turns the clock, or makes the table fail. It answers as the API does: JSON, the same error
// envelope, 404 for unknown paths and wrong methods, and an error for unknown names.
//
// It asks for no key. So it serves no request that a web page could have sent: neither one whose Host is not this
// machine (a name that was rebound to it), nor one that comes from another site's page.
//
// Only the workbench imports it; it never runs in a Lambda.
package controls

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"earshot/shared/embedded/diskblob"
	"earshot/shared/embedded/fault"
	"earshot/shared/mention"
	"earshot/shared/port/clock"
	"earshot/shared/port/identity"
	"earshot/shared/web/problem"
	"earshot/shared/workspace"
)

// Prefix is the path that everything here is under.
const Prefix = "/_local"

// Store is what the controls need of the store.
type Store interface {
	// Workspace and ChangeWorkspace return store.ErrNotFound.
	Workspace(ctx context.Context, id string) (workspace.Workspace, error)
	ChangeWorkspace(ctx context.Context, id string, change func(*workspace.Workspace) error) error
	// PutMentions returns an error for each mention, among them mentionstore.ErrIDTaken and table.ErrTooLarge. It stores
	// up to mentionstore.MaxPut mentions best.
	PutMentions(ctx context.Context, orgID string, mentions []mention.Mention) []error
}

// Options holds the parts that the controls work on.
type Options struct {
	Store      Store
	Intake     Intake
	Workers    Workers
	Schedules  []string // that Workers has
	Queues     Queues
	QueueNames []string
	Files      Files
	Sources    Sources
	Pages      Sites
	Outbox     Outbox
	// Verified reports whether a request to a receiver is signed by a secret of a webhook that leads there.
	Verified func(ctx context.Context, name string, header http.Header, body []byte) (bool, error)
	// Bounce reports on a mail of a workspace, as SES does. kind is one of BounceKinds.
	Bounce      func(ctx context.Context, kind, workspaceID, to string) error
	BounceKinds []string
	Accounts    Accounts
	// Arrived does what the deployment does after a sign-up, and returns the workspaces that the person joined.
	Arrived func(context.Context, identity.Account) (granted []string, err error)
	// SignIn is told who the person on the sign-in page is, and Members lists whom they can be.
	SignIn  SignIn
	Members func(context.Context) (emails []string, err error)
	API     string // the workbench's root
	Faults  *fault.Set
	Clock   *clock.Adjustable
	Log     *slog.Logger
}

type controls struct {
	Options
	hooks hooks
	paths map[string]map[string]operation // by path and method
}

// A sent is an answer that writes itself.
type sent interface {
	send(w http.ResponseWriter, r *http.Request)
}

// An operation answers a request. Its result is written as JSON, a *problem.Problem as itself, and another error as a
// 500.
type operation func(*http.Request) (any, error)

// New returns the handler of everything under Prefix.
func New(options Options) http.Handler {
	c := &controls{Options: options}
	c.paths = map[string]map[string]operation{
		Prefix + "/mentions": {http.MethodPost: c.importMentions},
		Prefix + "/posts":    {http.MethodPost: c.takePosts},
		Prefix + "/sites":    {http.MethodPost: c.putSite},
		Prefix + "/queues":   {http.MethodGet: c.listQueues},
		Prefix + "/sources":  {http.MethodGet: c.listSources},
		Prefix + "/flags":    {http.MethodPost: c.setFlag},
		Prefix + "/clock":    {http.MethodPost: c.setClock},
		Prefix + "/accounts": {http.MethodGet: c.listAccounts, http.MethodPost: c.signUp},
		Prefix + "/consent":  {http.MethodPost: c.consent},
		Prefix + "/process":  {http.MethodGet: c.showProcess},
		pathSignIn:           {http.MethodGet: c.showSignIn, http.MethodPost: c.signIn},
		Prefix + "/outbox":   {http.MethodGet: c.listOutbox, http.MethodDelete: c.emptyOutbox},
		Prefix + "/bounces":  {http.MethodPost: c.bounce},
		Prefix + "/faults": {
			http.MethodGet:    c.listFaults,
			http.MethodPost:   c.addFault,
			http.MethodDelete: c.clearFaults,
		},
	}
	for _, name := range options.Schedules {
		c.paths[Prefix+"/schedules/"+name] = map[string]operation{http.MethodPost: c.tick(name)}
	}
	for _, name := range options.QueueNames {
		c.paths[Prefix+"/queues/"+name+"/redrive"] = map[string]operation{http.MethodPost: c.redrive(name)}
	}
	return c
}

// ServeHTTP serves one request, and logs it.
func (c *controls) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	started, id := time.Now(), uuid.NewString()
	answer, err := c.serve(w, r)
	status := http.StatusOK
	if file, found := answer.(sent); found && err == nil {
		w.Header().Set("X-Request-Id", id)
		file.send(w, r)
	} else {
		status = write(w, id, answer, err)
	}
	attrs := []slog.Attr{slog.String("requestId", id), slog.String("method", r.Method), slog.Int("status", status),
		slog.Duration("took", time.Since(started))}
	if _, known := c.paths[r.URL.EscapedPath()]; known {
		attrs = append(attrs, slog.String("route", r.URL.EscapedPath()))
	}
	level := slog.LevelInfo
	if status >= http.StatusInternalServerError {
		level, attrs = slog.LevelError, append(attrs, slog.Any("cause", err))
	}
	c.Log.LogAttrs(r.Context(), level, "local request", attrs...)
}

func (c *controls) serve(w http.ResponseWriter, r *http.Request) (answer any, err error) {
	defer func() {
		if caught := recover(); caught != nil {
			answer, err = nil, fmt.Errorf("panic: %v\n%s", caught, debug.Stack())
		}
	}()
	if err := fromHere(r); err != nil {
		return nil, err
	}
	methods, known := c.paths[r.URL.EscapedPath()]
	if strings.HasPrefix(r.URL.EscapedPath(), diskblob.LinkPath) {
		methods, known = map[string]operation{http.MethodGet: c.fetchFile}, true
	}
	if name, rest, ofHook := hookOf(r.URL.EscapedPath()); ofHook {
		methods, known = c.hookMethods(name, rest), true
	}
	if !known {
		return nil, problem.New(problem.NotFound, problem.MessageNoOperation+" The paths are %s.",
			strings.Join(slices.Sorted(maps.Keys(c.paths)), ", "))
	}
	run, allowed := methods[r.Method]
	if !allowed {
		w.Header().Set("Allow", strings.Join(slices.Sorted(maps.Keys(methods)), ", "))
		return nil, problem.New(
			problem.NotFound, "This path does not take this method. The header Allow names its methods.",
		)
	}
	return run(r)
}
