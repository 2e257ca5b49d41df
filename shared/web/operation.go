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

// An Operation is one method of one path, with what a caller needs to be let in. The zero value of each bool is the
// strict one.
type Operation struct {
	ID          string // operationId: verb and noun, "getMention"
	Method      string
	Path        string // in full, "/api/v2/mentions/{sourceId}"
	Group       string // its tag in the document, and the folder of its function
	Summary     string // a line
	Description string // Markdown

	Public bool            // no key: no credential, plan or rate check
	Scope  workspace.Scope // the least scope; 0: read
	Agency bool            // for an agency's master key, and counted against the agency's anchor workspace
	Agents bool            // open to the restricted Agents plan
	Flag   string          // beta: the workspace flag that it is behind

	// ETag gives answers a validator. A read can then be asked with If-None-Match and be answered 304; see Revision for what a write
	// can be asked with.
	ETag bool
	// IfMatch says that the operation heeds If-Match, by Expects.
	IfMatch bool
	// Reads says of a POST that it changes nothing. Its Idempotency-Key is checked and not heeded: sent twice, such a
	// request is answered twice, and no answer is stored.
	Reads bool
	// Secret says that the answer holds what is shown once: where it is kept for an Idempotency-Key, it is sealed with the caller's
	// own token, and so unreadable to all others.
	Secret bool
	// CacheControl is sent in place of the default (no-store, or private and revalidated where there is an ETag).
	CacheControl string

	// Codes are what the operation itself can answer beside what every operation of its kind can.
	Codes []problem.Code
	// ContentType is that of the answer where it is not JSON.
	ContentType string
	// Answers are the forms of the answer where there are several: in place of what the types say. The operation chooses one by
	// SetStatus and by what it answers.
	Answers []Answer
	// Headers are those of the answer beside what every answer has, by the names of the document's shared headers.
	Headers []string
	// Example is a JSON answer for the document.
	Example any
	// Unlisted leaves it out of the document.
	Unlisted bool
}

// An Answer is one form of an answer, for the document.
type Answer struct {
	Status      int    // 2xx, or 3xx
	ContentType string // without parameters: "text/csv"; empty: there is no body
	Meaning     string
	// Body is an example of the JSON that it holds, whose type gives the schema; a string is text of another type.
	Body    any
	Headers []string // as Operation's, for all forms of this status alike
}

// needs is the least scope of a key.
func (o Operation) needs() workspace.Scope { return max(o.Scope, workspace.Read) }

// takes reports whether a request of the method is for the operation. Methods are case-sensitive
// (RFC 9110, section 9.1).
func (o Operation) takes(method string) bool {
	return method == o.Method || method == http.MethodHead && o.Method == http.MethodGet
}

// mutates reports whether the method is one that changes things, and takes an Idempotency-Key.
func (o Operation) mutates() bool {
	return o.Method == http.MethodPost || o.Method == http.MethodPatch || o.Method == http.MethodDelete
}

// replays reports whether the operation's answers are stored for an Idempotency-Key.
func (o Operation) replays() bool { return o.mutates() && !o.Reads && !o.Public }

// route is an operation in its place.
type route struct {
	Operation
	prepared func() prepared // at its first request: what a process is never asked for costs its start nothing
}

// prepared is what the kit knows of an operation that can be called.
type prepared struct {
	serve    http.Handler         // huma's: reads the input, calls the operation, writes the answer
	query    map[string]parameter // the query parameters that it takes
	path     map[string]parameter // its path parameters
	body     *huma.Schema         // of its body; nil: it takes none
	registry huma.Registry        // of what the body's schema refers to
}

func (p prepared) hasBody() bool { return p.body != nil }

// parameter is a path or query parameter as far as the kit checks it itself.
type parameter struct {
	boolean bool
	integer bool // or a list of integers
	list    bool // may be given more than once
}

// answer is what huma marshals of an operation's result.
type answer[O any] struct{ Body O }

// raw is an answer that is bytes of some other type than JSON.
type raw struct {
	ContentType string `header:"Content-Type"`
	Body        []byte
}

// Register adds an operation. I holds its parameters and, in a field Body, its body, with huma's tags; O is the JSON that
// it answers. The handler returns a *problem.Problem for what the client can be told; any other error is a 500 that says
// nothing of its cause. A malformed operation panics here with Options.Document, and otherwise at its first request, which is a 500:
// the document is made of all operations, so its check (`make check`) finds it.
func Register[I, O any](api *API, op Operation, handle func(context.Context, *I) (*O, error)) {
	if api.document {
		register(api, op, guarded(handle, func(out *O) *answer[O] { return &answer[O]{Body: *out} }))
		return
	}
	// Answers are not validated at run time, so their schemas need not be built: a third of the time to start.
	register(api, op, guarded(handle, func(out *O) *answer[any] { return &answer[any]{Body: out} }))
}

// guarded calls the operation unless the kit has found faults that huma has not, and turns its error into a problem.
func guarded[I, O, A any](handle func(context.Context, *I) (*O, error), wrap func(*O) *A) func(context.Context, *I) (*A, error) {
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

// Bytes is an answer of another type than JSON.
type Bytes struct {
	ContentType string
	Body        []byte
}

// JSON is an answer of JSON, for an operation that answers bytes of other types too.
func JSON(value any) (*Bytes, error) {
	var body bytes.Buffer
	if err := jsonFormat().Marshal(&body, value); err != nil {
		return nil, fmt.Errorf("write an answer: %w", err)
	}
	return &Bytes{ContentType: "application/json", Body: body.Bytes()}, nil
}

// RegisterBytes adds an operation that answers op.ContentType, or one of op.Answers.
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
			return newOperations().prepare(func(alone huma.API) { huma.Register(alone, described, handle) })
		})
	}
	api.routes = append(api.routes, added)
	api.mux.Handle(op.Method+" "+op.Path, added)
	if api.document && !op.Unlisted {
		api.describe(added)
	}
}

// prepare registers an operation and takes down what huma makes of it.
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
	}
}
