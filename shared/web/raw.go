package web

import (
	"context"
	"errors"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"
)

// A RawHandler reads a request and writes its response itself. Its error becomes a response with the envelope, as that
// of any operation.
type RawHandler func(http.ResponseWriter, *http.Request) error

// rawBody shows the body of an operation with a protocol of its own to the document.
type rawBody[B any] struct {
	Body B
}

// HandleRaw adds an operation with a protocol of its own in its body, such as JSON-RPC. The kit gives it a record, the
// headers of every response and a place in the document. It neither admits the caller nor reads the body. Another
// method at the path is METHOD_NOT_ALLOWED, because clients of such protocols look for a 405.
//
// B is the protocol's message, for the document. R is its own error, which a response of 4xx may have in place of the
// envelope.
func HandleRaw[B, R any](api *API, op Operation, handle RawHandler) {
	register(api, op, func(context.Context, *rawBody[B]) (*answer[map[string]any], error) {
		return nil, errors.New("web: a raw operation has no typed handler")
	})
	api.routes[len(api.routes)-1].raw = handle
	if !api.document {
		return
	}
	own := api.all.huma.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[R](), true, "")
	for status, response := range api.all.adapter.lastOp.Responses {
		if media := response.Content["application/json"]; status[0] == '4' && media != nil {
			media.Schema = &huma.Schema{OneOf: []*huma.Schema{media.Schema, own}}
			if status == "403" {
				response.Headers["WWW-Authenticate"] = headers("WWW-Authenticate")["WWW-Authenticate"]
			}
		}
	}
}

// rawAt reports whether an operation with a protocol of its own is at the path of a request.
func (api *API) rawAt(r *http.Request, allowed []string) bool {
	for _, method := range allowed {
		probe := r.Clone(r.Context())
		probe.Method = method
		if found := api.find(probe); found != nil && found.raw != nil {
			return true
		}
	}
	return false
}
