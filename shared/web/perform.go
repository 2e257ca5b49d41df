package web

import (
	"context"
	"maps"
	"net/http"
	"strings"
	"time"
)

// A Performed is the response of an operation that Perform called.
type Performed struct {
	Status int
	Header http.Header // what the operation said, and the ETag of a resource that has revisions
	Body   []byte
}

// Failed reports whether the operation refused the request or failed.
func (p Performed) Failed() bool { return p.Status >= http.StatusBadRequest }

// Perform calls an operation of the API for a verified caller, in the request that the context of r belongs to: the outer
// one. It takes r through all checks of a request of REST. What the operation says of limits and repeats goes into the
// outer response. Its id, its round trips and its error code go into the outer request's log line; an operation that
// gives a 5xx has a line of its own too. No operation on an agency may be called: it reads other rows.
func (api *API) Perform(caller Verified, r *http.Request) Performed {
	outer := recordOf(r.Context())
	inner := &record{
		started: time.Now(), settleBy: outer.settleBy, meter: outer.meter, id: outer.id, base: outer.base, verified: &caller,
	}
	ctx := context.WithValue(r.Context(), recordKey{}, inner)
	out := &buffer{header: http.Header{}, status: http.StatusOK}
	api.guard(out, r.WithContext(ctx), inner)

	maps.Copy(out.header, inner.header)
	ok, limited := out.status >= 200 && out.status < 300, out.status == http.StatusTooManyRequests
	if ok && inner.revision != 0 && out.header.Get("ETag") == "" {
		out.header.Set("ETag", inner.tag(out.body.Bytes()))
	}
	if inner.allowance != nil && (ok || limited) {
		outer.allowance, outer.limited = inner.allowance, limited
	}
	for name, values := range out.header {
		if name == "Retry-After" || name == "Idempotent-Replayed" || strings.HasPrefix(name, "X-Earshot-") {
			outer.setHeader(name, values[0])
		}
	}
	outer.note(inner)
	if out.status >= 500 {
		outer.failed = true
		inner.log(ctx, api.log, metering{}, r.Method, out.status, time.Since(inner.started)) // the outer request is counted
	}
	return Performed{out.status, out.header, out.body.Bytes()}
}

// note puts an operation that Perform called into the outer request's log line.
func (r *record) note(inner *record) {
	if inner.route != nil {
		r.performed = append(r.performed, inner.route.ID)
	}
	r.replayed = r.replayed || inner.replayed
	if inner.problem != nil {
		r.code = string(inner.problem.Code)
	}
}
