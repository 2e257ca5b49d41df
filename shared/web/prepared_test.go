package web_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"earshot/shared/web"
)

type malformed struct {
	Count int `query:"count" minimum:"three"`
}

// An operation is made ready at its first request, however many come first and whatever else is made ready meanwhile.
// One that cannot be made ready keeps answering 500, and the others answer; the document finds it before.
func TestOperation_PreparedAtFirstRequest(t *testing.T) {
	register := func(document bool) *web.API {
		api := web.New(web.Options{Document: document})
		for i := range 8 {
			web.Register(api, web.Operation{
				ID:     fmt.Sprint("get", i),
				Method: "POST",
				Path:   fmt.Sprint("/api/v2/", i),
				Group:  "things",
				Public: true,
			},
				func(_ context.Context, in *thingInput) (*made, error) { return &made{Count: i}, nil })
		}
		web.Register(api, web.Operation{
			ID:     "malformed",
			Method: "GET",
			Path:   "/api/v2/malformed",
			Group:  "things",
			Public: true,
		},
			func(context.Context, *malformed) (*made, error) { return &made{}, nil })
		return api
	}
	api := register(false)
	status := func(method, path, body string) int {
		answer := httptest.NewRecorder()
		api.ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body)))
		return answer.Code
	}
	var all sync.WaitGroup
	for i := range 64 {
		all.Go(func() {
			if got := status("POST", fmt.Sprint("/api/v2/", i%8), `{"name":"ab"}`); got != http.StatusOK {
				t.Errorf("operation %d: %d", i%8, got)
			}
		})
		all.Go(func() {
			if got := status("GET", "/api/v2/malformed", ""); got != http.StatusInternalServerError {
				t.Errorf("the malformed one: %d", got)
			}
		})
	}
	all.Wait()
	defer func() {
		if recover() == nil {
			t.Error("the document has a malformed operation")
		}
	}()
	register(true)
}
