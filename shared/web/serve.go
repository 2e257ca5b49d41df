package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"earshot/shared/lambdalog"
	"earshot/shared/port/table"
	"earshot/shared/web/problem"
	"earshot/shared/workspace"
)

// answerMargin is how long before a deadline the kit stops working on a request. It leaves time to respond with the
// timeout.
const answerMargin = 500 * time.Millisecond

// ServeHTTP serves one request, from its record's start to its log line. The response follows the contract whatever
// fails inside.
func (api *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	out := &buffer{header: w.Header(), status: http.StatusOK}
	api.respond(out, r)
	w.WriteHeader(out.status)
	if out.body.Len() > 0 {
		w.Write(out.body.Bytes())
	}
}

// respond serves one request into an empty buffer.
func (api *API) respond(out *buffer, r *http.Request) {
	ctx, meter := table.WithMeter(r.Context())
	record := &record{started: time.Now(), meter: meter}
	if deadline, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, deadline.Add(-answerMargin))
		defer cancel()
		record.settleBy = deadline.Add(-answerMargin / 5)
	}
	record.id, record.base = located(r)
	record.acceptsGzip = AcceptsGzip(r.Header)
	record.ifNoneMatch = strings.Join(r.Header.Values("If-None-Match"), ",")
	r = r.WithContext(context.WithValue(ctx, recordKey{}, record))

	api.guard(out, r, record)

	total := time.Since(record.started)
	maps.Copy(out.header, record.header)
	api.finish(out.header, out, record, total)
	record.log(ctx, api.log, api.metering, r.Method, out.status, total)
}

// guard serves a request and turns a panic into a 500.
func (api *API) guard(out *buffer, r *http.Request, record *record) {
	defer func() {
		caught := recover()
		if !record.entered.IsZero() {
			record.handler = time.Since(record.entered)
		}
		if caught != nil {
			record.panicked = fmt.Sprintf("%s\n%s", lambdalog.PanicText(caught), debug.Stack())
			record.problem = problem.Internal(errors.New("panic"))
			record.header = nil
			out.put(record.problem)
		}
	}()
	if err := api.serve(out, r, record); err != nil {
		record.problem = problem.From(err)
		out.put(record.problem)
	}
}

// serve takes a request through the checks, in the contract's order, to its operation.
func (api *API) serve(out *buffer, r *http.Request, record *record) error {
	if path := r.URL.Path; path == "/api/v1" || strings.HasPrefix(path, "/api/v1/") {
		out.set(http.StatusNotFound, []byte(LegacyNotFound))
		return nil
	}
	route := api.find(r)
	if route == nil {
		allowed := api.allowed(r)
		if len(allowed) == 0 {
			return problem.New(problem.NotFound, noOperation)
		}
		if r.Method == http.MethodOptions && r.Header.Get("Origin") != "" &&
			r.Header.Get("Access-Control-Request-Method") != "" {
			record.entered = time.Now()
			preflight(out, allowed)
			return nil
		}
		record.setHeader("Allow", strings.Join(allowed, ", "))
		if api.rawAt(r, allowed) {
			return problem.New(
				problem.MethodNotAllowed, "This path has no %s. Send a POST.", methodName(r.Method),
			)
		}
		return problem.New(
			problem.NotFound, "There is no %s at this path. The header Allow names its methods.", methodName(r.Method),
		)
	}
	record.route = route
	if route.raw != nil {
		record.entered = time.Now()
		return route.raw(out, r)
	}
	if !route.Public {
		err := api.admit(r, &route.Operation, record)
		record.auth = time.Since(record.started)
		if err != nil {
			return err
		}
	}
	if route.form != nil {
		return route.runForm(out, r, record)
	}

	body, err := readBody(r)
	if err != nil {
		return fmt.Errorf("read the body: %w", err)
	}
	record.faults = append(route.inspectPath(r), route.inspectQuery(r.URL.RawQuery)...)
	input, faults, err := route.inspectBody(r.Context(), body, r.Header.Get("Content-Type"))
	if err != nil {
		return fmt.Errorf("read the body: %w", err)
	}
	record.faults = append(record.faults, faults...)
	record.faults = append(record.faults, route.expected(r.Header, record)...)
	claim, faults := api.claimOf(r, route, record, body)
	record.faults = append(record.faults, faults...)
	if route.prepared().hasBody() {
		r.Body = io.NopCloser(bytes.NewReader(input))
		r.Header.Set("Content-Type", "application/json") // huma compares the type letter by letter
	}
	if claim == nil || len(record.faults) > 0 {
		route.run(out, r, record)
		return nil
	}
	record.repeated = nameOf(*claim)
	return api.once(out, r, route, record, *claim)
}

// run calls the operation and sets the status that it chose, if any.
func (r *route) run(out *buffer, request *http.Request, record *record) {
	r.prepared().serve.ServeHTTP(out, request)
	if out.status == http.StatusOK && record.status != 0 {
		out.status = record.status
	}
}

// finder is the writer that the mux gets, to learn which route it found. Only the mux fills in a request's path values,
// and only while it serves.
type finder struct {
	buffer
	route *route
}

// ServeHTTP tells the finder that the mux has found this route.
func (r *route) ServeHTTP(w http.ResponseWriter, _ *http.Request) { w.(*finder).route = r }

// find returns the route of a path and method; nil if there is none. The path must match exactly: find ignores what the
// mux would redirect. HEAD finds the route of GET. Its response keeps the body, from which the gateway takes the
// length; a gateway never sends the body of a HEAD.
func (api *API) find(r *http.Request) *route {
	found := &finder{}
	api.mux.ServeHTTP(found, r)
	if found.route == nil || !found.route.takes(r.Method) {
		return nil
	}
	return found.route
}

// allowed lists the methods of the path.
func (api *API) allowed(r *http.Request) (methods []string) {
	for _, route := range api.routes {
		if slices.Contains(methods, route.Method) {
			continue
		}
		probe := r.Clone(r.Context())
		probe.Method = route.Method
		if api.find(probe) != nil {
			methods = append(methods, route.Method)
		}
	}
	if slices.Contains(methods, http.MethodGet) {
		methods = append(methods, http.MethodHead)
	}
	slices.Sort(methods)
	return methods
}

func preflight(out *buffer, allowed []string) {
	out.status = http.StatusNoContent
	out.Header().Set("Access-Control-Allow-Methods", strings.Join(allowed, ", "))
	out.Header().
		Set("Access-Control-Allow-Headers", "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, "+
			"Mcp-Method, Mcp-Name, MCP-Protocol-Version, "+headerOrganization) // those of MCP are also sent for metadata
	out.Header().Set("Access-Control-Max-Age", "86400")
}

// methodName returns a method for a message or a record. It repeats only methods that people use.
func methodName(method string) string {
	known := []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
	if slices.Contains(known, method) {
		return method
	}
	return "method of this name"
}

// finish adds the headers of every response.
func (api *API) finish(header http.Header, out *buffer, record *record, total time.Duration) {
	ok := out.status >= 200 && out.status < 300
	keyed := record.route != nil && !record.route.Public
	set := setter(header)
	if ok && record.route != nil && record.route.ETag {
		revalidate(header, out, record)
	}
	if header.Get("Cache-Control") == "" {
		set("Cache-Control", "no-store")
	} else {
		set("Vary", "Accept-Encoding") // for caches: API Gateway compresses by it, and does not say so
	}
	set("X-Request-Id", record.id)
	set("Server-Timing", record.timing(total))
	set("Strict-Transport-Security", StrictTransportSecurity)
	set("X-Content-Type-Options", "nosniff")
	set("Access-Control-Allow-Origin", "*")
	set("Access-Control-Expose-Headers", ExposedHeaders)
	limited := out.status == http.StatusTooManyRequests || record.limited
	if keyed && record.allowance != nil && (ok || limited) {
		record.allowance.write(set, limited && header.Get("Retry-After") == "") // an operation's own limit sets its own
	}
	if out.status == http.StatusUnauthorized && header.Get("WWW-Authenticate") == "" {
		set("WWW-Authenticate", api.challenge(record, ""))
	}
}

// setter returns a function that writes headers under their names as given. All values share one array: a response has
// a dozen.
func setter(header http.Header) func(name, value string) {
	values := make([]string, 0, 16)
	return func(name, value string) {
		values = append(values, value)
		header[name] = values[len(values)-1 : len(values) : len(values)]
	}
}

// located returns the request id and the service root. Both are API Gateway's, or made here for a request that did not
// come through it.
func located(r *http.Request) (id, base string) {
	from := originOf(r.Context())
	if from == nil || from.id == "" {
		return workspace.NewID("", time.Now()), "http://" + r.Host
	}
	// Without a custom domain, the gateway's path begins with the stage: /dev/api/v2/… for /api/v2/….
	prefix, _ := strings.CutSuffix(from.path, r.URL.EscapedPath())
	if prefix == from.path {
		prefix = ""
	}
	scheme := "https"
	if from.stage == LocalStage {
		scheme = "http"
	}
	return from.id, scheme + "://" + from.host + prefix
}

// LocalStage is the stage name of the gateway on a laptop, which speaks plain HTTP.
const LocalStage = "local"
