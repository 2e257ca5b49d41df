package web_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"earshot/shared/embedded/fault"
	"earshot/shared/lambdalog"
	"earshot/shared/web"
	"earshot/shared/web/problem"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

// A bench is an API with one operation of each kind that the kit knows, over a World's store.
type bench struct {
	worldtest.Client
	*worldtest.World
	log  *bytes.Buffer
	ran  int           // how often createThing ran
	kept func()        // createThing calls it, when it is there: the claim is made and no answer kept
	hold chan struct{} // createThing sends and then receives here, when it is there
}

type thingInput struct {
	Page    int  `query:"page" minimum:"1" maximum:"10"`
	Verbose bool `query:"verbose"`
	Body    thing
}

type thing struct {
	Name   string   `json:"name" minLength:"2" maxLength:"5" pattern:"^[a-z]+$"`
	Kind   string   `json:"kind,omitempty" enum:"one,two"`
	Count  int64    `json:"count,omitempty" minimum:"1"`
	Emails []string `json:"emails,omitempty" maxItems:"3"`
	Parts  []part   `json:"parts,omitempty"`
	Ratio  float64  `json:"ratio,omitempty"`
}

// made is what most operations answer.
type made struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}

type part struct {
	Name string `json:"name"`
}

type numberedInput struct {
	ID   int64   `path:"id" minimum:"1" maximum:"9007199254740991"`
	Page int     `query:"page" minimum:"-5"`
	Of   []int64 `query:"of,explode"`
}

type thingPath struct {
	ID string `path:"id" maxLength:"8"`
}

func newBench(t testing.TB) *bench { return newBenchOf(t, "") }

// newBenchOf is a bench whose records are read in a stage.
func newBenchOf(t testing.TB, stage string) *bench {
	t.Helper()
	b := &bench{World: worldtest.NewWorld(t), log: &bytes.Buffer{}}
	register := func(document bool) *web.API {
		api := web.New(web.Options{Credentials: b.Store, Windows: b.Store, Replays: b.Store, Clock: b.Clock,
			Log: slog.New(lambdalog.Staged(slog.NewJSONHandler(b.log, nil), stage)), Document: document})
		things := func(op web.Operation) web.Operation { op.Group = "things"; return op }
		web.Register(api, things(web.Operation{ID: "getThing", Method: "GET", Path: "/api/v2/things/{id}", ETag: true}),
			func(ctx context.Context, in *thingPath) (*made, error) {
				switch in.ID {
				case "panic":
					panic("the secret of the cause")
				case "fail":
					return nil, errors.New("the secret of the cause")
				case "long":
					return &made{Name: strings.Repeat("x", web.MinCompressed)}, nil
				case "timed":
					web.Timing(ctx, "search", 1500*time.Microsecond)
				}
				return &made{Name: in.ID}, nil
			})
		web.Register(api, things(web.Operation{
			ID:     "createThing",
			Method: "POST",
			Path:   "/api/v2/things",
			Scope:  workspace.Write,
			Codes:  []problem.Code{problem.ItemExists, problem.FeedFilterWriteConflict},
		}),
			func(_ context.Context, in *thingInput) (*thing, error) {
				b.ran++
				if b.kept != nil {
					b.kept()
				}
				if b.hold != nil {
					b.hold <- struct{}{}
					<-b.hold
				}
				switch in.Body.Name {
				case "fail":
					return nil, errors.New("down")
				case "race":
					return nil, problem.New(problem.FeedFilterWriteConflict, "Another writer came first.")
				case "there":
					return nil, problem.New(problem.ItemExists, "It is there, seen %d times.", b.ran)
				}
				return &thing{Name: in.Body.Name, Count: int64(b.ran)}, nil
			})
		web.Register(api, things(web.Operation{
			ID:     "deleteThing",
			Method: "DELETE",
			Path:   "/api/v2/things/{id}",
			Scope:  workspace.Admin,
		}),
			func(context.Context, *thingPath) (*made, error) { return &made{}, nil })
		web.Register(api, things(web.Operation{ID: "largeThing", Method: "POST", Path: "/api/v2/large"}),
			func(context.Context, *struct{}) (*made, error) {
				return &made{Name: strings.Repeat("large", 300<<10)}, nil
			})
		web.Register(api, things(web.Operation{ID: "openThing", Method: "GET", Path: "/api/v2/open", Agents: true}),
			func(context.Context, *struct{}) (*made, error) { return &made{}, nil })
		web.Register(api, things(web.Operation{
			ID:     "betaThing",
			Method: "POST",
			Path:   "/api/v2/beta",
			Flag:   workspace.FlagSetupOnboarding,
		}),
			func(context.Context, *thingInput) (*made, error) { return &made{}, nil })
		web.Register(api, things(web.Operation{
			ID:     "agencyThing",
			Method: "GET",
			Path:   "/api/v2/agency",
			Agency: true,
			Scope:  workspace.Admin,
		}),
			func(ctx context.Context, _ *struct{}) (*made, error) {
				return &made{Name: web.CallerOf(ctx).Workspace.ID}, nil
			})
		web.Register(api, things(web.Operation{ID: "queryThings", Method: "POST", Path: "/api/v2/query", Reads: true}),
			func(_ context.Context, in *thingInput) (*made, error) {
				b.ran++
				return &made{Name: in.Body.Name, Count: b.ran}, nil
			})
		web.Register(api, things(web.Operation{ID: "numberedThing", Method: "GET", Path: "/api/v2/numbered/{id}"}),
			func(_ context.Context, in *numberedInput) (*made, error) {
				return &made{Count: int(in.ID) + in.Page}, nil
			})
		web.Register(api, things(web.Operation{ID: "whoThing", Method: "GET", Path: "/api/v2/who"}),
			func(ctx context.Context, _ *struct{}) (*made, error) {
				return &made{Name: web.CallerOf(ctx).Workspace.ID}, nil
			})
		web.Register(api, things(web.Operation{
			ID:           "publicThing",
			Method:       "GET",
			Path:         "/api/v2/public",
			Public:       true,
			ETag:         true,
			CacheControl: "public, max-age=60",
		}),
			func(context.Context, *struct{}) (*made, error) { return &made{}, nil })
		return api
	}
	openAPI, err := register(true).OpenAPI("A bench.", map[string]string{"things": "Things."})
	if err != nil {
		t.Fatal(err)
	}
	document, err := worldtest.NewDocument(openAPI)
	if err != nil {
		t.Fatal(err)
	}
	b.Client = worldtest.Client{Handler: register(false).LambdaHandler(), Document: document, Token: b.Admin}
	return b
}

func (b *bench) as(key string) worldtest.Client {
	client := b.Client
	client.Token = key
	return client
}

func (b *bench) fault(t testing.TB, injected fault.Fault) {
	t.Helper()
	if err := b.Faults.Add(injected); err != nil {
		t.Fatal(err)
	}
}
