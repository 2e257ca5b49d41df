package web_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"earshot/shared/web"
	"earshot/shared/web/problem"
	"earshot/shared/worldtest"
)

type order struct {
	Kind string `json:"kind" enum:"file,queued,busy,fail"`
}

type queued struct {
	Name string `json:"name"`
}

// shape is a body of one of two forms.
type shape struct {
	written []byte
	body    any
}

type circle struct {
	Kind   string `json:"kind" enum:"circle"`
	Radius int    `json:"radius" minimum:"1"`
}

type square struct {
	Kind  string   `json:"kind" enum:"square"`
	Side  int      `json:"side" minimum:"1"`
	Names []string `json:"names,omitempty" maxItems:"2"`
}

var shapes = web.Union{
	Property: "kind",
	Meaning:  "A shape.",
	Forms:    []web.Form{{Name: "circle", Body: circle{}}, {Name: "square", Body: square{}}},
}

func (shape) Schema(registry huma.Registry) *huma.Schema { return shapes.Schema(registry) }

func (s *shape) UnmarshalJSON(data []byte) error {
	s.written = append([]byte(nil), data...)
	return nil
}

func (s *shape) Resolve(_ huma.Context, at *huma.PathBuffer) (faults []error) {
	s.body, faults = shapes.Read(at, s.written)
	return faults
}

// newOrders is an API with an operation of several answers and one of a union, and its document.
func newOrders(t *testing.T) (worldtest.Client, []byte) {
	t.Helper()
	w := worldtest.NewWorld(t)
	register := func(document bool) *web.API {
		api := web.New(web.Options{
			Credentials: w.Store,
			Windows:     w.Store,
			Replays:     w.Store,
			Clock:       w.Clock,
			Document:    document,
		})
		web.RegisterBytes(api, web.Operation{
			ID:     "order",
			Method: "POST",
			Path:   "/api/v2/orders",
			Group:  "orders",
			Answers: []web.Answer{
				{Status: 200, ContentType: "text/csv", Meaning: "A file.", Body: "a,b", Headers: []string{"X-Total-Count"}},
				{
					Status:      200,
					ContentType: "application/json",
					Meaning:     "The same as JSON.",
					Body:        []queued{{"x"}},
					Headers:     []string{"X-Total-Count"},
				},
				{
					Status:      202,
					ContentType: "application/json",
					Meaning:     "It is queued.",
					Body:        queued{"x"},
					Headers:     []string{"Location", "Retry-After"},
				},
			},
		}, func(ctx context.Context, in *struct{ Body order }) (*web.Bytes, error) {
			switch in.Body.Kind {
			case "busy":
				web.SetStatus(ctx, 202)
				web.SetHeader(ctx, "Retry-After", "7")
				return nil, problem.New(problem.RateLimited, "Busy.")
			case "fail":
				web.SetStatus(ctx, 202)
				return nil, fmt.Errorf("down")
			case "queued":
				web.SetStatus(ctx, http.StatusAccepted)
				web.SetHeader(ctx, "Location", "/x")
				web.SetHeader(ctx, "Retry-After", "5")
				return web.JSON(queued{web.Repeated(ctx)})
			}
			web.SetHeader(ctx, "X-Total-Count", "1")
			return &web.Bytes{ContentType: "text/csv; charset=utf-8", Body: []byte("a,b\r\n")}, nil
		})
		web.Register(api, web.Operation{ID: "draw", Method: "POST", Path: "/api/v2/shapes", Group: "orders"},
			func(_ context.Context, in *struct{ Body shape }) (*queued, error) {
				return &queued{fmt.Sprintf("%+v", in.Body.body)}, nil
			})
		return api
	}
	openAPI, err := register(true).OpenAPI("Orders.", map[string]string{"orders": "Orders."})
	if err != nil {
		t.Fatal(err)
	}
	document, err := worldtest.NewDocument(openAPI)
	if err != nil {
		t.Fatal(err)
	}
	return worldtest.Client{Handler: register(false).LambdaHandler(), Document: document, Token: w.Admin}, openAPI
}

func TestOperation_SeveralResponses(t *testing.T) {
	client, openAPI := newOrders(t)
	file := client.Post(t, "/api/v2/orders", `{"kind":"file"}`)
	if file.Status != 200 || file.Header.Get("Content-Type") != "text/csv; charset=utf-8" ||
		string(file.Body) != "a,b\r\n" {
		t.Errorf("%d %s", file.Status, file.Body)
	}
	var first, again queued
	accepted := client.Post(t, "/api/v2/orders", `{"kind":"queued"}`, "Idempotency-Key", "k")
	if accepted.JSON(t, &first); accepted.Status != 202 || accepted.Header.Get("Content-Type") != "application/json" ||
		first.Name == "" {
		t.Errorf("%d %s", accepted.Status, accepted.Body)
	}
	replayed := client.Post(t, "/api/v2/orders", `{"kind":"queued"}`, "Idempotency-Key", "k")
	if replayed.JSON(t, &again); replayed.Status != 202 || replayed.Header.Get("Idempotent-Replayed") != "true" ||
		again != first || replayed.Header.Get("Location") != "/x" {
		t.Errorf("%d %s", replayed.Status, replayed.Body)
	}
	if plain := client.Post(t, "/api/v2/orders", `{"kind":"queued"}`); plain.Status != 202 ||
		string(plain.Body) != `{"name":""}`+"\n" {
		t.Errorf("%d %s", plain.Status, plain.Body)
	}
	// A failure has its own status, and a limit of the operation's own its own Retry-After; neither uses the key up.
	for range 2 {
		busy := client.Post(t, "/api/v2/orders", `{"kind":"busy"}`, "Idempotency-Key", "b")
		busy.Is(t, 429, "RATE_LIMITED")
		if busy.Header.Get("Retry-After") != "7" || busy.Header.Get("Idempotent-Replayed") != "" {
			t.Errorf("%v", busy.Header)
		}
	}
	client.Post(t, "/api/v2/orders", `{"kind":"fail"}`).Is(t, 500, "INTERNAL_ERROR")

	var document struct {
		Paths map[string]map[string]struct {
			Responses map[string]struct {
				Content map[string]struct{ Schema map[string]any }
				Headers map[string]any
			}
			RequestBody struct {
				Content map[string]struct {
					Schema struct {
						OneOf         []map[string]string
						Discriminator struct{ PropertyName string }
					}
				}
			}
		}
	}
	if err := json.Unmarshal(openAPI, &document); err != nil {
		t.Fatal(err)
	}
	responses := document.Paths["/api/v2/orders"]["post"].Responses
	if len(responses["200"].Content) != 2 || responses["200"].Content["text/csv"].Schema["type"] != "string" ||
		responses["202"].Headers["Location"] == nil ||
		responses["200"].Headers["X-Total-Count"] == nil || responses["202"].Headers["X-Total-Count"] != nil {
		t.Errorf("%+v", responses)
	}
	union := document.Paths["/api/v2/shapes"]["post"].RequestBody.Content["application/json"].Schema
	if len(union.OneOf) != 2 || union.OneOf[0]["$ref"] != "#/components/schemas/Circle" ||
		union.Discriminator.PropertyName != "kind" {
		t.Errorf("%+v", union)
	}
}

func TestUnions(t *testing.T) {
	client, _ := newOrders(t)
	for _, c := range []struct{ body, want string }{
		{`{"kind":"circle","radius":2.0}`, "{Kind:circle Radius:2}"},
		{`{"kind":"square","side":1,"names":["a"]}`, "{Kind:square Side:1 Names:[a]}"},
		{`{}`, "[kind required]"},
		{`{"kind":7}`, "[kind type]"},
		{`{"kind":"Circle"}`, "[kind enum]"},
		{`"circle"`, "[body type]"},
		{`null`, "[body type]"},
		{`{"kind":"circle","side":1}`, "[radius required side unknown]"},
		{`{"kind":"square","side":0,"names":["a",1,"c"]}`, "[names max_items names[1] type side minimum]"},
		{`{"kind":"square","side":1,"side":2}`, "[side duplicate]"},
	} {
		answer := client.Post(t, "/api/v2/shapes", c.body)
		if c.want[0] == '{' {
			var got queued
			if answer.OK(t, &got); got.Name != c.want {
				t.Errorf("%s is read as %s", c.body, got.Name)
			}
			continue
		}
		var got []string
		for _, detail := range answer.Is(t, 400, "VALIDATION_ERROR").Details {
			got = append(got, detail.Path+" "+detail.Code)
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("%s: %v, want %s", c.body, got, c.want)
		}
	}
}
