package web_test

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"

	"earshot/shared/web"
)

// size and parcel stand for types of the domain, which know nothing of the kit.
type size string

func (size) Values() []size { return []size{"small", "large"} }

type parcel struct {
	Size  size    `json:"size"`
	Sizes []size  `json:"sizes"`
	Other *parcel `json:"other,omitempty"`
}

// Package is a parcel's name in the document.
type Package parcel

type parcelInput struct{ Body parcel }

// A described type is checked by the values that it lists, and has the name in the document that it was given.
func TestDescribe(t *testing.T) {
	for _, document := range []bool{false, true} {
		api := web.New(web.Options{Document: document})
		web.DescribeEnum[size](api)
		web.Describe[parcel, Package](api)
		web.Register(api, web.Operation{ID: "send", Method: "POST", Path: "/api/v2/parcels", Group: "parcels", Public: true},
			func(_ context.Context, in *parcelInput) (*parcel, error) { return &in.Body, nil })
		for body, want := range map[string]int{
			`{"size":"small","sizes":["large"]}`:                                 200,
			`{"size":"huge","sizes":[]}`:                                         400,
			`{"size":"small","sizes":["huge"]}`:                                  400,
			`{"size":"small","sizes":[],"other":{"size":"","sizes":[]}}`:         400,
			`{"size":"small","sizes":[],"other":{"size":"large","sizes":[]}}`:    200,
			`{"size":"small","sizes":[],"other":{"size":"large","sizes":["x"]}}`: 400,
		} {
			answer := httptest.NewRecorder()
			api.ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), "POST", "/api/v2/parcels", strings.NewReader(body)))
			if answer.Code != want {
				t.Errorf("with document %t, POST %s = %d, want %d: %s", document, body, answer.Code, want, answer.Body)
			}
		}
		if !document {
			continue
		}
		written, err := api.OpenAPI("", map[string]string{"parcels": "Parcels."})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(written), `"#/components/schemas/Package"`) {
			t.Error("the document does not name the type Package")
		}
	}
}
