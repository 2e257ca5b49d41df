package web_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"earshot/shared/lambdalog"
	"earshot/shared/lambdalog/emftest"
	"earshot/shared/web"
	"earshot/shared/web/problem"
	"earshot/shared/worldtest"
)

// A request that performs operations has one line of log, with all that they took. What they say of limits and repeats is
// in its response. An operation that fails has a line of its own too.
func TestPerform(t *testing.T) {
	for _, c := range []struct {
		name, performs string // ids of things, separated by spaces
		limited        bool   // the hourly allowance is used up
		lines          int
		want           map[string]any // members of the last line; nil: missing
		metrics        string         // of failed and limited, those that are sent
		headers        string         // those of the response, of the ones that are looked at
	}{
		{"done", "abc", false, 1, map[string]any{"performed": "getThing", "reads": 1.0, "writes": 1.0, "code": nil}, "",
			"RateLimit X-Earshot-Thing X-RateLimit-Limit"},
		{"done twice", "abc abd", false, 1, map[string]any{"performed": "getThing getThing", "reads": 1.0, "writes": 2.0}, "",
			"RateLimit X-Earshot-Thing X-RateLimit-Limit"},
		{"refused", "none", false, 1, map[string]any{"performed": "getThing", "code": "MENTION_NOT_FOUND"}, "", ""},
		{"failed", "fail", false, 2, map[string]any{"performed": "getThing", "code": "INTERNAL_ERROR", "status": 200.0},
			"failed", ""},
		{"a panic", "panic", false, 2, map[string]any{"performed": "getThing", "code": "INTERNAL_ERROR"}, "failed", ""},
		{"limited", "abc", true, 1, map[string]any{"performed": "getThing", "code": "RATE_LIMITED"}, "limited",
			"RateLimit Retry-After X-RateLimit-Limit"},
		{"no operation", "", false, 1, map[string]any{"performed": nil, "reads": 1.0, "writes": 0.0}, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			world, log := worldtest.NewWorld(t), &bytes.Buffer{}
			client := worldtest.Client{Handler: performing(world, log).LambdaHandler(), Token: world.Read}
			if c.limited {
				for range web.HourlyLimit {
					_, _, err := world.Store.Take(t.Context(), world.Main.ID, worldtest.Now.Truncate(time.Hour), web.HourlyLimit)
					if err != nil {
						t.Fatal(err)
					}
				}
			}
			answer := client.Do(t, worldtest.Request{Method: "POST", Target: "/api/v2/call?" + c.performs, Body: "{}"})
			lines := bytes.Split(bytes.TrimSpace(log.Bytes()), []byte("\n"))
			if answer.Status != 200 || len(lines) != c.lines {
				t.Fatalf("%d, %d lines, want %d: %s", answer.Status, len(lines), c.lines, log)
			}
			var last map[string]any
			if err := json.Unmarshal(lines[len(lines)-1], &last); err != nil {
				t.Fatal(err)
			}
			for name, want := range c.want {
				if last[name] != want {
					t.Errorf("%s is %v, want %v: %s", name, last[name], want, lines[len(lines)-1])
				}
			}
			metrics, _ := emftest.Read(t, lines[len(lines)-1], lambdalog.Requests())
			if metrics["authMicros"] <= 0 || last["workspace"] != world.Main.ID {
				t.Errorf("the line does not say who sent the request, and when that was known: %v", last)
			}
			var sent []string
			for _, name := range []string{"failed", "limited"} {
				if metrics[name] > 0 {
					sent = append(sent, name)
				}
			}
			if got := strings.Join(sent, " "); got != c.metrics || metrics["requests"] != 1 {
				t.Errorf("metrics %q of %v requests, want %q", got, metrics["requests"], c.metrics)
			}
			var headers []string
			for _, name := range []string{"RateLimit", "Retry-After", "X-Earshot-Thing", "X-RateLimit-Limit"} {
				if answer.Header.Get(name) != "" {
					headers = append(headers, name)
				}
			}
			if got := strings.Join(headers, " "); got != c.headers {
				t.Errorf("headers %q, want %q", got, c.headers)
			}
			if c.lines == 2 {
				emftest.None(t, lines[0]) // the request is counted once
				if !bytes.Contains(lines[0], []byte(`"status":500`)) || !bytes.Contains(lines[0], []byte(`"level":"ERROR"`)) {
					t.Errorf("the operation's own line is %s", lines[0])
				}
			}
		})
	}
}

// performing is an API with an operation that performs another, for each word of its query.
func performing(world *worldtest.World, log *bytes.Buffer) *web.API {
	api := web.New(web.Options{
		Credentials: world.Store, Windows: world.Store, Replays: world.Store, Clock: world.Clock,
		Log: slog.New(lambdalog.Staged(slog.NewJSONHandler(log, nil), "staging")),
	})
	web.Register(api, web.Operation{ID: "getThing", Method: "GET", Path: "/api/v2/things/{id}"},
		func(ctx context.Context, in *thingPath) (*made, error) {
			switch in.ID {
			case "panic":
				panic("the cause")
			case "fail":
				return nil, errors.New("the cause")
			case "none":
				return nil, problem.New(problem.MentionNotFound, "There is none.")
			}
			web.SetHeader(ctx, "X-Earshot-Thing", in.ID)
			return &made{Name: in.ID}, nil
		})
	web.HandleRaw[map[string]any, made](api, web.Operation{ID: "callThing", Method: "POST", Path: "/api/v2/call"},
		func(w http.ResponseWriter, r *http.Request) error {
			caller, err := api.Verify(r)
			if err != nil {
				return err
			}
			if err := web.Enter(r, caller); err != nil {
				return err
			}
			for id := range strings.FieldsSeq(strings.TrimSuffix(strings.ReplaceAll(r.URL.RawQuery, "+", " "), "=")) {
				inner, err := http.NewRequestWithContext(r.Context(), "GET", "http://x/api/v2/things/"+id, nil)
				if err != nil {
					return err
				}
				api.Perform(caller, inner)
			}
			w.WriteHeader(http.StatusOK)
			return nil
		})
	return api
}
