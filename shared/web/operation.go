package web

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"earshot/shared/web/problem"
	"earshot/shared/workspace"
)

// An Operation is one method of one path, with the conditions for its callers. The zero value of each bool is the
// strict one.
type Operation struct {
	ID          string // operationId: verb and noun, "getMention"
	Method      string
	Path        string // in full: "/api/v2/mentions/{sourceId}"
	Group       string // its tag in the document, and the folder of its function
	Summary     string // one line
	Description string // Markdown

	Public bool            // no key: no credential, plan or rate check
	Scope  workspace.Scope // the least scope; 0 is read
	Agency bool            // for an agency's master key, and counted against the agency's anchor workspace
	Agents bool            // open to the restricted Agents plan
	Flag   string          // beta: the workspace flag that it is behind

	// ETag gives responses a validator. A read with If-None-Match can then get a 304. Revision says what a write can be
	// sent with.
	ETag bool
	// IfMatch says that the operation honours If-Match, by calling Expects.
	IfMatch bool
	// Reads says that a POST changes nothing. Its Idempotency-Key is validated and otherwise ignored: the operation
	// runs each time, and no response is stored.
	Reads bool
	// Uncounted says that some of its requests do not count against the hourly limit. Their responses lack its headers.
	Uncounted bool
	// Form says that a body is accepted and ignored, such as that of a form, by an operation that reads none.
	Form bool
	// Secret says that the response holds a secret that is shown once. A response stored for an Idempotency-Key is then
	// sealed with the caller's own token, so nobody else can read it.
	Secret bool
	// CacheControl replaces the default: no-store, or private and revalidated with ETag.
	CacheControl string

	// Codes are the operation's own error codes, in addition to those of every operation of its kind.
	Codes []problem.Code
	// ContentType is the response's type if it is not JSON.
	ContentType string
	// Answers are the forms of the response if there are several. They replace the form that the types imply. The
	// operation chooses one by SetStatus and by the value it returns.
	Answers []Answer
	// Headers are the response's own headers, in addition to those of every response. They are names of the document's
	// shared headers.
	Headers []string
	// Example is a JSON response for the document.
	Example any
	// Unlisted leaves the operation out of the document.
	Unlisted bool
	// Takes is an example of the JSON body of an operation of RegisterForm; its type gives the schema. Nil: a form.
	Takes any

	ownErrors bool // registered by RegisterForm
}

// An Answer is one form of a response, for the document.
type Answer struct {
	Status      int    // 2xx or 3xx; 4xx where a person reads it as a page, and with RegisterForm
	ContentType string // without parameters, "text/csv"; empty if there is no body
	Meaning     string
	// Body is an example of the JSON body; its type gives the schema. A string is a body of another type.
	Body    any
	Headers []string // as in Operation, shared by all forms of this status
}

// needs returns the least scope of a key.
func (o Operation) needs() workspace.Scope { return max(o.Scope, workspace.Read) }

// takes reports whether a request's method is the operation's. Methods are case-sensitive (RFC 9110, section 9.1).
func (o Operation) takes(method string) bool {
	return method == o.Method || method == http.MethodHead && o.Method == http.MethodGet
}

// mutates reports whether the method changes things, and so takes an Idempotency-Key.
func (o Operation) mutates() bool {
	return o.Method == http.MethodPost || o.Method == http.MethodPatch || o.Method == http.MethodDelete
}

// replays reports whether the operation's responses are stored for an Idempotency-Key.
func (o Operation) replays() bool { return o.mutates() && !o.Reads && !o.Public }

// route is an operation and its handler.
type route struct {
	Operation
	// made at the first request, so that an operation that a process never serves costs its start nothing
	prepared func() prepared
	// form calls an operation of RegisterForm, which has no prepared; nil for others
	form func(context.Context, *FormRequest) (*Bytes, error)
	raw  RawHandler // if it reads and writes by itself
}

// prepared is what the kit needs to serve an operation.
type prepared struct {
	serve    http.Handler         // huma's: reads the input, calls the operation, writes the response
	query    map[string]parameter // its query parameters
	path     map[string]parameter // its path parameters
	body     *huma.Schema         // schema of its body; nil if it takes none
	registry huma.Registry        // resolves references in the body's schema
}

func (p prepared) hasBody() bool { return p.body != nil }

// parameter says how the kit checks a path or query parameter.
type parameter struct {
	boolean bool
	integer bool // also a list of integers
	list    bool // may be given more than once
	least   *float64
	most    *float64 // inclusive bounds of an integer; nil for none
}

// answer is the form in which huma marshals an operation's result.
type answer[O any] struct{ Body O }

// raw is a response of another type than JSON.
type raw struct {
	ContentType string `header:"Content-Type"`
	Body        []byte
}

// Register adds an operation. I holds its parameters and, in a field Body, its body, with huma's tags. O is the JSON of
// its response. The handler returns a *problem.Problem to tell the client what is wrong. Any other error becomes a 500
// that does not show its cause.
//
// A malformed operation panics here with Options.Document, and otherwise at its first request, which gets a 500. The
// document holds all operations, so its check (`make check`) finds a malformed one.
func Register[I, O any](api *API, op Operation, handle func(context.Context, *I) (*O, error)) {
	if api.document {
		register(api, op, guarded(handle, func(out *O) *answer[O] { return &answer[O]{Body: *out} }))
		return
	}
	// Responses are not validated at run time, so their schemas need not be built. That takes a third off the start.
	register(api, op, guarded(handle, func(out *O) *answer[any] { return &answer[any]{Body: out} }))
}

// guarded wraps an operation's handler. It returns the faults that only the kit has found without calling the handler,
// and turns the handler's error into a problem.
func guarded[I, O, A any](
	handle func(context.Context, *I) (*O, error), wrap func(*O) *A,
) func(context.Context, *I) (*A, error) {
	return func(ctx context.Context, in *I) (*A, error) {
		record := recordOf(ctx)
		if err := record.faulty(); err != nil {
			return nil, err
		}
		record.entered = time.Now()
		out, err := handle(ctx, in)
		if err != nil {
			return nil, failed(ctx, err)
		}
		return wrap(out), nil
	}
}

// Bytes is a response of another type than JSON.
type Bytes struct {
	ContentType string
	Body        []byte
}

// JSON returns a JSON response from an operation that also returns other types.
func JSON(value any) (*Bytes, error) {
	var body bytes.Buffer
	if err := jsonFormat().Marshal(&body, value); err != nil {
		return nil, fmt.Errorf("write an answer: %w", err)
	}
	return &Bytes{ContentType: "application/json", Body: body.Bytes()}, nil
}

// RegisterBytes adds an operation whose responses have op.ContentType, or the type of one of op.Answers.
func RegisterBytes[I any](api *API, op Operation, handle func(context.Context, *I) (*Bytes, error)) {
	register(api, op, guarded(handle, func(out *Bytes) *raw { return &raw{out.ContentType, out.Body} }))
}

func register[I, O any](api *API, op Operation, handle func(context.Context, *I) (*O, error)) {
	described := huma.Operation{
		OperationID:  op.ID,
		Method:       op.Method,
		Path:         op.Path,
		Tags:         []string{op.Group},
		Summary:      op.Summary,
		Description:  op.Description,
		Hidden:       op.Unlisted,
		MaxBodyBytes: -1, // the kit has measured it

		SkipValidateBody: true, // the kit has validated it
	}
	added := &route{Operation: op}
	if api.document {
		ready := api.all.prepare(func(all huma.API) { huma.Register(all, described, handle) })
		added.prepared = func() prepared { return ready }
	} else {
		added.prepared = sync.OnceValue(func() prepared {
			return newOperations(
				api.described,
			).prepare(func(alone huma.API) { huma.Register(alone, described, handle) })
		})
	}
	api.routes = append(api.routes, added)
	api.mux.Handle(op.Method+" "+op.Path, added)
	if api.document && !op.Unlisted {
		api.describe(added)
	}
}

// prepare registers an operation with huma and collects what the route needs.
func (o *operations) prepare(register func(huma.API)) prepared {
	register(o.huma)
	made := prepared{
		serve:    o.adapter.last,
		query:    map[string]parameter{},
		path:     map[string]parameter{},
		registry: o.huma.OpenAPI().Components.Schemas,
	}
	if body := o.adapter.lastOp.RequestBody; body != nil {
		made.body = body.Content["application/json"].Schema
		if keyword := beyond(made.registry, made.body, map[string]bool{}); keyword != "" {
			panic(fmt.Sprintf("web: the schema of the body of %s has %s, which is not validated",
				o.adapter.lastOp.OperationID, keyword))
		}
	}
	for _, p := range o.adapter.lastOp.Parameters {
		switch p.In {
		case "query":
			made.query[p.Name] = parameterOf(p.Schema)
		case "path":
			made.path[p.Name] = parameterOf(p.Schema)
		}
	}
	return made
}

func parameterOf(schema *huma.Schema) parameter {
	if schema == nil {
		return parameter{}
	}
	list := schema.Type == huma.TypeArray
	if list && schema.Items != nil {
		schema = schema.Items
	}
	return parameter{
		boolean: schema.Type == huma.TypeBoolean,
		integer: schema.Type == huma.TypeInteger,
		list:    list,
		least:   schema.Minimum,
		most:    schema.Maximum,
	}
}
