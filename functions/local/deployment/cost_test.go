package deployment_test

import (
	"cmp"
	"context"
	"log/slog"
	"maps"
	"net/http"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"earshot/functions/discovery"
	"earshot/functions/local/deployment"
	"earshot/shared/embedded/diskblob"
	"earshot/shared/embedded/foldersecret"
	"earshot/shared/embedded/outboxmail"
	"earshot/shared/embedded/sqliteidentity"
	"earshot/shared/embedded/sqlitequeue"
	"earshot/shared/outbound/slack"
	"earshot/shared/port/queue"
	"earshot/shared/web"
	"earshot/shared/web/contract"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

// Bounds of TestCostOfRequests. A cost is the number of bytes that a request allocates for each byte that the client sends.
// It does not show a loop that allocates nothing. fixedBytes is added to the size of a request, for what every request needs.
const (
	hostileBytes = 16 << 10
	fixedBytes   = 8 << 10
	timesMedian  = 5         // the dearest request of an operation, by the median of all operations' dearest
	timesLarger  = 3.0       // a request of twice the size
	largestError = 128 << 10 // of a response outside 2xx
)

// A cost is of the dearest request of an operation.
type cost struct {
	operation string
	request   worldtest.Request
	shape     string
	perByte   float64
}

// No operation can be made to work much harder for a byte than others are. Each is asked with the widest, longest and deepest
// bodies and queries within its limits, and beyond them. A body of twice the size costs about twice as much. None of them gets a
// 5xx or a long error.
func TestCostOfRequests(t *testing.T) {
	service := newCosted(t)
	var dearest []cost
	for _, operation := range service.document.Operations() {
		service.allocated(t, operation, worldtest.Request{Method: operation.Method, Target: operation.Path}) // it is made ready
		dear := cost{operation: operation.Method + " " + operation.Path}
		requests := service.requests(operation, hostileBytes)
		for _, shape := range slices.Sorted(maps.Keys(requests)) {
			request := requests[shape]()
			per := float64(service.allocated(t, operation, request)) / float64(sizeOf(request)+fixedBytes)
			if per > dear.perByte {
				dear = cost{dear.operation, request, shape, per}
			}
		}
		dearest = append(dearest, dear)
		half := service.requests(operation, hostileBytes/2)[dear.shape]()
		small, large := service.allocated(t, operation, half), service.allocated(t, operation, dear.request)
		if grown := float64(large) / float64(small); grown > timesLarger && sizeOf(half) < sizeOf(dear.request) {
			t.Errorf("%s, %s: %d bytes for a request of %d, and %d for one of %d, want at most %.1f times as many",
				dear.operation, dear.shape, small, sizeOf(half), large, sizeOf(dear.request), timesLarger)
		}
	}
	slices.SortFunc(dearest, func(a, b cost) int { return cmp.Compare(b.perByte, a.perByte) })
	median := dearest[len(dearest)/2].perByte
	for i, dear := range dearest {
		if dear.perByte > timesMedian*median {
			t.Errorf("%s, %s: %.0f bytes for each byte of the request, want at most %d times the median, %.0f",
				dear.operation, dear.shape, dear.perByte, timesMedian, median)
		}
		if i < 5 || i == len(dearest)/2 {
			t.Logf("%.0f for each byte: %s, %s", dear.perByte, dear.operation, dear.shape)
		}
	}
}

// costed is the whole API, for its operations to be asked.
type costed struct {
	world     *worldtest.World
	admin     string // the key of the requests
	document  *worldtest.Document
	schemas   schemas
	functions map[string]web.LambdaHandler
}

func newCosted(t *testing.T) *costed {
	t.Helper()
	world := worldtest.NewWorld(t)
	worldtest.Fill(t, world, world.Main.ID)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	document, err := worldtest.NewDocument(discovery.OpenAPI())
	must(err)
	folder := t.TempDir()
	queued, err := sqlitequeue.Open(filepath.Join(folder, "queue.db"),
		[]sqlitequeue.Definition{{Name: queue.Posts}, {Name: queue.Exports}, {Name: queue.Scans}, {Name: queue.Invitations},
			{Name: queue.Searches}},
		world.Clock)
	must(err)
	files, err := diskblob.Open(filepath.Join(folder, "files"), "http://127.0.0.1:8080", world.Clock)
	must(err)
	outbox, err := outboxmail.Open(filepath.Join(folder, "mail.db"), world.Clock)
	must(err)
	people, err := sqliteidentity.Open(filepath.Join(folder, "identity.db"), world.Clock)
	must(err)
	t.Cleanup(func() {
		must(queued.Close())
		must(outbox.Close())
		must(people.Close())
	})
	silent, secrets := slog.New(slog.DiscardHandler), foldersecret.New(filepath.Join(folder, "secrets"))
	service := &costed{
		world:     world,
		admin:     world.Key(t, workspace.Key{Scope: workspace.Admin, Workspace: &world.Main}), // Fill has revoked another
		document:  document,
		schemas:   newSchemas(t, discovery.OpenAPI()),
		functions: map[string]web.LambdaHandler{},
	}
	parts := deployment.Parts{
		Store:     world.Store,
		Queue:     queued,
		Blob:      files,
		Mail:      outbox,
		Identity:  people,
		SignUpURL: "https://accounts.earshot.example",
		Slack:     slack.New(slack.Options{Secrets: secrets, Writer: secrets, Clock: world.Clock}),
		Search:    deployment.Search{Pause: func(context.Context, time.Duration) error { return nil }},
		Clock:     world.Clock,
		Log:       silent,
		Quiet:     silent,
	}
	for name, handler := range deployment.Functions(parts) {
		service.functions[name] = web.LambdaHandler(handler)
	}
	return service
}

var pathParameter = regexp.MustCompile(`\{[^}]*\}`)

// requests are the requests of an operation that are made to be dear, by what is dear about them.
func (c *costed) requests(operation contract.Operation, size int) map[string]func() worldtest.Request {
	target := pathParameter.ReplaceAllString(operation.Path, "1")
	made := map[string]func() worldtest.Request{}
	for shape, query := range c.schemas.queries(operation.Described, min(size/2, 10_000)) {
		made["query: "+shape] = func() worldtest.Request {
			return worldtest.Request{Method: operation.Method, Target: target + "?" + query}
		}
	}
	for shape, body := range c.schemas.bodies(operation.Described, size) {
		made["body: "+shape] = func() worldtest.Request {
			header := []string{"Content-Type", "application/json"}
			return worldtest.Request{Method: operation.Method, Target: target, Body: body(), Header: header}
		}
	}
	return made
}

func sizeOf(request worldtest.Request) int { return len(request.Target) + len(request.Body) }

// allocated is how many bytes a request allocates.
func (c *costed) allocated(t *testing.T, operation contract.Operation, request worldtest.Request) uint64 {
	t.Helper()
	client := worldtest.Client{Token: c.admin}
	if operation.Described["x-master-key"] != nil {
		client.Token = c.world.Master
	}
	function, _ := operation.Described["x-function"].(string)
	event := client.Event(request)
	c.world.Clock.Freeze(c.world.Clock.Now().Add(time.Hour)) // of another hourly limit
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	response, err := c.functions[function](t.Context(), event)
	runtime.ReadMemStats(&after)
	if err != nil || response.StatusCode >= http.StatusInternalServerError {
		t.Errorf("%s %.100s %.200s: %d %.300s %v",
			request.Method, request.Target, request.Body, response.StatusCode, response.Body, err)
	}
	switch response.StatusCode {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests:
		t.Fatalf("%s %.100s: %d %.300s, so that nobody looks at the input",
			request.Method, request.Target, response.StatusCode, response.Body)
	}
	if response.StatusCode >= http.StatusBadRequest && len(response.Body) > largestError {
		t.Errorf("%s %.100s %.200s: a response of %d bytes", request.Method, request.Target, request.Body, len(response.Body))
	}
	return after.TotalAlloc - before.TotalAlloc
}

// Every array of a body has a bound.
func TestBodies_ArraysHaveBounds(t *testing.T) {
	described := newSchemas(t, discovery.OpenAPI())
	service, err := worldtest.NewDocument(discovery.OpenAPI())
	if err != nil {
		t.Fatal(err)
	}
	arrays := 0
	for _, operation := range service.Operations() {
		described.each(described.body(operation.Described), nil, func(path []string, schema map[string]any) {
			if schema["type"] != "array" {
				return
			}
			arrays++
			if schema["maxItems"] == nil {
				t.Errorf("%s %s: %s has no maxItems", operation.Method, operation.Path, strings.Join(path, "."))
			}
		})
	}
	if arrays == 0 {
		t.Error("no body has an array")
	}
}
