package web_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"earshot/shared/embedded/fault"
	"earshot/shared/store/storetest"
	"earshot/shared/web"
	"earshot/shared/web/problem"
	"earshot/shared/web/webtest"
	"earshot/shared/workspace"
)

// A bench is an API with one operation of each kind that the kit knows, over a World's store.
type bench struct {
	webtest.Client
	*storetest.World
	log  *bytes.Buffer
	ran  int           // how often createThing ran
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

type thingPath struct {
	ID string `path:"id" maxLength:"8"`
}

func newBench(t testing.TB) *bench {
	t.Helper()
	b := &bench{World: storetest.NewWorld(t), log: &bytes.Buffer{}}
	register := func(document bool) *web.API {
		api := web.New(web.Options{Credentials: b.Store, Windows: b.Store, Replays: b.Store, Clock: b.Clock,
			Log: slog.New(slog.NewJSONHandler(b.log, nil)), Document: document})
		things := func(op web.Operation) web.Operation { op.Group = "things"; return op }
		web.Register(api, things(web.Operation{ID: "getThing", Method: "GET", Path: "/api/v2/things/{id}", ETag: true}),
			func(ctx context.Context, in *thingPath) (*made, error) {
				switch in.ID {
				case "panic":
					panic("the secret of the cause")
				case "fail":
					return nil, errors.New("the secret of the cause")
				case "timed":
					web.Timing(ctx, "search", 1500*time.Microsecond)
				}
				return &made{Name: in.ID}, nil
			})
		web.Register(api, things(web.Operation{ID: "createThing", Method: "POST", Path: "/api/v2/things", Scope: workspace.Write, Codes: []problem.Code{problem.ItemExists}}),
			func(_ context.Context, in *thingInput) (*thing, error) {
				b.ran++
				if b.hold != nil {
					b.hold <- struct{}{}
					<-b.hold
				}
				switch in.Body.Name {
				case "fail":
					return nil, errors.New("down")
				case "there":
					return nil, problem.New(problem.ItemExists, "It is there, seen %d times.", b.ran)
				}
				return &thing{Name: in.Body.Name, Count: int64(b.ran)}, nil
			})
		web.Register(api, things(web.Operation{ID: "deleteThing", Method: "DELETE", Path: "/api/v2/things/{id}", Scope: workspace.Admin}),
			func(context.Context, *thingPath) (*made, error) { return &made{}, nil })
		web.Register(api, things(web.Operation{ID: "largeThing", Method: "POST", Path: "/api/v2/large"}),
			func(context.Context, *struct{}) (*made, error) {
				return &made{Name: strings.Repeat("large", 300<<10)}, nil
			})
		web.Register(api, things(web.Operation{ID: "openThing", Method: "GET", Path: "/api/v2/open", Agents: true}),
			func(context.Context, *struct{}) (*made, error) { return &made{}, nil })
		web.Register(api, things(web.Operation{ID: "betaThing", Method: "POST", Path: "/api/v2/beta", Flag: workspace.FlagSetupOnboarding}),
			func(context.Context, *thingInput) (*made, error) { return &made{}, nil })
		web.Register(api, things(web.Operation{ID: "agencyThing", Method: "GET", Path: "/api/v2/agency", Agency: true, Scope: workspace.Admin}),
			func(ctx context.Context, _ *struct{}) (*made, error) {
				return &made{Name: web.CallerOf(ctx).Workspace.ID}, nil
			})
		web.Register(api, things(web.Operation{ID: "whoThing", Method: "GET", Path: "/api/v2/who"}),
			func(ctx context.Context, _ *struct{}) (*made, error) {
				return &made{Name: web.CallerOf(ctx).Workspace.ID}, nil
			})
		web.Register(api, things(web.Operation{ID: "publicThing", Method: "GET", Path: "/api/v2/public", Public: true, ETag: true, CacheControl: "public, max-age=60"}),
			func(context.Context, *struct{}) (*made, error) { return &made{}, nil })
		return api
	}
	openAPI, err := register(true).OpenAPI("A bench.", map[string]string{"things": "Things."})
	if err != nil {
		t.Fatal(err)
	}
	document, err := webtest.NewDocument(openAPI)
	if err != nil {
		t.Fatal(err)
	}
	b.Client = webtest.Client{Handler: register(false).LambdaHandler(), Document: document, Token: b.Admin}
	return b
}

func (b *bench) as(key string) webtest.Client {
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

// Each case fails several checks at once; the one that comes first in the contract's order answers.
func TestOrderOfChecks(t *testing.T) {
	b := newBench(t)
	expired := b.Key(t, workspace.Key{Scope: workspace.Admin, Workspace: &b.Main, ExpiresAt: storetest.Now.Add(-time.Millisecond)})
	lasting := b.Key(t, workspace.Key{Scope: workspace.Admin, Workspace: &b.Main, ExpiresAt: storetest.Now.Add(time.Millisecond)})
	agentsRead := b.Key(t, workspace.Key{Scope: workspace.Read, Workspace: &b.Agents})
	masterRead := b.Key(t, workspace.Key{Scope: workspace.Read, Agency: &b.Agency})
	const org = "x-earshot-organization-id"
	for _, c := range []struct {
		name   string
		key    string
		header []string
		method string
		target string
		body   string
		status int
		code   string
	}{
		{"no key, no scope, bad input", "-", nil, "POST", "/api/v2/things", "{", 401, "UNAUTHORIZED"},
		{"expired a millisecond ago", expired, nil, "GET", "/api/v2/who", "", 401, "UNAUTHORIZED"},
		{"expires in a millisecond", lasting, nil, "GET", "/api/v2/who", "", 200, ""},
		{"scope before plan and input", agentsRead, nil, "POST", "/api/v2/things", "{", 403, "FORBIDDEN"},
		{"scope before workspace", masterRead, nil, "POST", "/api/v2/things", "{", 403, "FORBIDDEN"},
		{"workspace before input", b.Master, nil, "POST", "/api/v2/things", "{", 400, "ORGANIZATION_REQUIRED"},
		{"workspace outside the agency", b.Master, []string{org, b.Main.ID}, "POST", "/api/v2/things", "{", 403, "FORBIDDEN_ORGANIZATION"},
		{"workspace that is none", b.Master, []string{org, "org_01"}, "POST", "/api/v2/things", "{", 403, "FORBIDDEN_ORGANIZATION"},
		{"workspace twice", b.Master, []string{org, b.Member.ID, org, b.Anchor.ID}, "GET", "/api/v2/who", "", 403, "FORBIDDEN_ORGANIZATION"},
		{"another's workspace by an ordinary key", b.Admin, []string{org, b.Other.ID}, "GET", "/api/v2/who", "", 403, "FORBIDDEN_ORGANIZATION"},
		{"its own workspace by an ordinary key", b.Admin, []string{org, b.Main.ID}, "GET", "/api/v2/who", "", 200, ""},
		{"a workspace of the agency", b.Master, []string{org, b.Member.ID}, "GET", "/api/v2/who", "", 200, ""},
		{"plan gate before input", b.AgentsKey, nil, "POST", "/api/v2/things", "{", 403, "UPGRADE_REQUIRED"},
		{"plan gate before flag", b.AgentsKey, nil, "POST", "/api/v2/beta", "{", 403, "UPGRADE_REQUIRED"},
		{"open to the Agents plan", b.AgentsKey, nil, "GET", "/api/v2/open", "", 200, ""},
		{"flag before input", b.Admin, nil, "POST", "/api/v2/beta", "{", 404, "FEATURE_DISABLED"},
		{"agency operation, ordinary key", b.Admin, nil, "GET", "/api/v2/agency", "", 403, "MASTER_KEY_REQUIRED"},
		{"agency operation, small scope", masterRead, nil, "GET", "/api/v2/agency", "", 403, "FORBIDDEN"},
		{"agency operation", b.Master, nil, "GET", "/api/v2/agency", "", 200, ""},
		{"input last", b.Admin, nil, "POST", "/api/v2/things", "{", 400, "VALIDATION_ERROR"},
	} {
		t.Run(c.name, func(t *testing.T) {
			client := b.as(c.key)
			if c.key == "-" {
				client.Token = ""
			}
			answer := client.Do(t, webtest.Request{Method: c.method, Target: c.target, Body: c.body, Header: c.header})
			if c.code == "" {
				answer.OK(t, nil)
				return
			}
			found := answer.Is(t, c.status, c.code)
			if strings.Contains(answer.Header.Get("Server-Timing"), "handler") { // each is turned away before the endpoint
				t.Errorf("Server-Timing is %s", answer.Header.Get("Server-Timing"))
			}
			if c.status == 401 && !strings.HasPrefix(answer.Header.Get("WWW-Authenticate"), `Bearer resource_metadata="https://`+webtest.Domain+`/dev/.well-known/`) {
				t.Errorf("WWW-Authenticate is %s", answer.Header.Get("WWW-Authenticate"))
			}
			if c.code == "UPGRADE_REQUIRED" && (found.UpgradeCommand != "earshot upgrade" || !strings.HasSuffix(found.UpgradeURL, "/upgrade")) {
				t.Errorf("%+v", found)
			}
		})
	}
}

func TestMalformedAuthorization(t *testing.T) {
	b := newBench(t)
	token := b.Admin
	for _, value := range []string{"", "Bearer", "Bearer ", "Basic " + token, token, "Bearer  " + token, "Bearer " + token + " ",
		"Bearer " + token[:len(token)-1], "Bearer " + token + "a", "Bearer " + strings.ToUpper(token), "Bearer es_key_x_y",
		"Bearer " + strings.Repeat("x", 8000), "Bearer \x00\xff", "Bearer " + strings.Replace(token, "es_", "ES_", 1)} {
		b.as("").Get(t, "/api/v2/who", "Authorization", value).Is(t, 401, "UNAUTHORIZED")
	}
	b.as("").Get(t, "/api/v2/who", "Authorization", "Bearer "+token, "Authorization", "Bearer "+token).Is(t, 401, "UNAUTHORIZED")
	b.as("").Get(t, "/api/v2/who", "authorization", "bEARER "+token).OK(t, nil)
}

func TestKeysEndAtOnce(t *testing.T) {
	b := newBench(t)
	b.Get(t, "/api/v2/who").OK(t, nil)
	token, _ := workspace.ParseToken(b.Read)
	if err := b.Store.RevokeKey(t.Context(), token.KeyID); err != nil {
		t.Fatal(err)
	}
	b.as(b.Read).Get(t, "/api/v2/who").Is(t, 401, "UNAUTHORIZED")
	if err := b.Store.DeleteWorkspace(t.Context(), b.Main.ID); err != nil {
		t.Fatal(err)
	}
	b.Get(t, "/api/v2/who").Is(t, 401, "UNAUTHORIZED")
	if err := b.Store.DeleteWorkspace(t.Context(), b.Member.ID); err != nil {
		t.Fatal(err)
	}
	b.as(b.Master).Get(t, "/api/v2/who", "x-earshot-organization-id", b.Member.ID).Is(t, 403, "FORBIDDEN_ORGANIZATION")
	if err := b.Store.ChangeAgency(t.Context(), b.Agency.ID, func(a *workspace.Agency) error { a.Active = false; return nil }); err != nil {
		t.Fatal(err)
	}
	b.as(b.Master).Get(t, "/api/v2/agency").Is(t, 403, "AGENCY_INACTIVE")
}

func TestFlagsAndPlansChangeAtOnce(t *testing.T) {
	b := newBench(t)
	change := func(id string, change func(*workspace.Workspace)) {
		t.Helper()
		if err := b.Store.ChangeWorkspace(t.Context(), id, func(w *workspace.Workspace) error { change(w); return nil }); err != nil {
			t.Fatal(err)
		}
	}
	b.Post(t, "/api/v2/beta", `{"name":"abc"}`).Is(t, 404, "FEATURE_DISABLED")
	change(b.Main.ID, func(w *workspace.Workspace) { w.Flags = []string{workspace.FlagSetupOnboarding} })
	b.Post(t, "/api/v2/beta", `{"name":"abc"}`).OK(t, nil)
	change(b.Main.ID, func(w *workspace.Workspace) { w.Plan = workspace.Agents })
	b.Post(t, "/api/v2/beta", `{"name":"abc"}`).Is(t, 403, "UPGRADE_REQUIRED")
}

// All faults of a request come back together, each with its place as the client wrote it. To add a case, write the request
// and what its details are, "path code", in the order of their paths.
func TestFaultsOfInput(t *testing.T) {
	b := newBench(t)
	deep := strings.Repeat("[", 40) + strings.Repeat("]", 40)
	for _, c := range []struct {
		name, query, body string
		header            []string
		want              []string
	}{
		{"three at once", "?page=0&verbos=true", `{"name":"A","nmae":1}`, nil,
			[]string{"name min_length", "nmae unknown", "query.page minimum", "query.verbos unknown"}},
		{"nested", "", `{"name":"abc","parts":[{"name":1},{"nam":"x"}],"emails":["a",2,"c","d"]}`, nil,
			[]string{"emails max_items", "emails[1] type", "parts[0].name type", "parts[1].nam unknown", "parts[1].name required"}},
		{"required", "", `{}`, nil, []string{"name required"}},
		{"null is no value", "", `{"name":"abc","kind":null,"count":null}`, nil, []string{"count type", "kind type"}},
		{"enum and pattern", "", `{"name":"ABC","kind":"three"}`, nil, []string{"kind enum", "name pattern"}},
		{"another casing", "", `{"Name":"abc"}`, nil, []string{"Name unknown", "name required"}},
		{"no body", "", ``, nil, []string{"body required"}},
		{"not JSON", "?page=99", `name=abc`, nil, []string{"body syntax", "query.page maximum"}},
		{"ends early", "", `{"name":"abc"`, nil, []string{"body syntax"}},
		{"more after it", "", `{"name":"abc"}{}`, nil, []string{"body syntax"}},
		{"a name twice", "", `{"name":"abc","name":"abd","parts":[{"name":"x","name":"y"}]}`, nil, []string{"name duplicate", "parts[0].name duplicate"}},
		{"an escaped name twice", "", `{"name":"abc","\u006eame":"abd"}`, nil, []string{"name duplicate"}},
		{"invalid UTF-8", "", "{\"name\":\"a\xffb\"}", nil, []string{"body encoding"}},
		{"half a surrogate", "", `{"name":"\ud800"}`, nil, []string{"body syntax"}},
		{"too deep", "", `{"name":"abc","parts":` + deep + `}`, nil, []string{"parts" + strings.Repeat("[0]", 31) + " too_deep"}},
		{"an array", "", `[]`, nil, []string{"body type"}},
		{"beyond 2^53", "", `{"name":"abc","count":9007199254740992}`, nil, []string{"count range"}},
		{"far beyond", "", `{"name":"abc","ratio":1e400}`, nil, []string{"ratio range"}},
		{"a fraction", "", `{"name":"abc","count":1.5}`, nil, []string{"count type"}},
		{"10 MB", "", `{"name":"` + strings.Repeat("a", 10<<20) + `"}`, nil, []string{"body too_large"}},
		{"a form", "", `name=abc`, []string{"Content-Type", "application/x-www-form-urlencoded"}, []string{"body content_type"}},
		{"another charset", "", `{"name":"abc"}`, []string{"Content-Type", "application/json; charset=utf-16"}, []string{"body content_type"}},
		{"parameter twice", "?page=1&page=2", `{"name":"abc"}`, nil, []string{"query.page duplicate"}},
		{"parameter empty", "?page=&verbose=", `{"name":"abc"}`, nil, []string{"query.page required", "query.verbose required"}},
		{"boolean spelled otherwise", "?verbose=1", `{"name":"abc"}`, nil, []string{"query.verbose type"}},
		{"boolean in capitals", "?verbose=TRUE", `{"name":"abc"}`, nil, []string{"query.verbose type"}},
		{"not an integer", "?page=1.0", `{"name":"abc"}`, nil, []string{"query.page type"}},
		{"bad UTF-8 in the query", "?page=%ff", `{"name":"abc"}`, nil, []string{"query.page encoding"}},
		{"parameter in another casing", "?Page=1", `{"name":"abc"}`, nil, []string{"query.Page unknown"}},
		{"no Idempotency-Key", "", `{"name":"abc"}`, []string{"Idempotency-Key", ""}, []string{"header.Idempotency-Key format"}},
		{"two Idempotency-Keys", "?page=0", `{"name":"abc"}`, []string{"Idempotency-Key", "a", "Idempotency-Key", "b"}, []string{"header.Idempotency-Key format", "query.page minimum"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			found := b.Do(t, webtest.Request{Method: "POST", Target: "/api/v2/things" + c.query, Body: c.body, Header: c.header, Binary: strings.Contains(c.body, "\xff")}).
				Is(t, 400, "VALIDATION_ERROR")
			var got []string
			for _, detail := range found.Details {
				got = append(got, detail.Path+" "+detail.Code)
				if detail.Message == "" || strings.ContainsAny(detail.Message, "\x00") {
					t.Errorf("%s has the message %q", detail.Path, detail.Message)
				}
			}
			if fmt.Sprint(got) != fmt.Sprint(c.want) {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
	if b.ran != 0 {
		t.Errorf("the operation ran %d times", b.ran)
	}
}

func TestInputThatIsTaken(t *testing.T) {
	b := newBench(t)
	for _, body := range []string{`{"name":"abc"}`, ` {"name":"abc"} ` + "\n", `{"name":"abc","count":1.0}`, `{"name":"abc","count":1e2}`,
		`{"name":"abc","count":9007199254740991,"ratio":0.5}`, `{"name":"\u0061bc","parts":[]}`} {
		b.Do(t, webtest.Request{Method: "POST", Target: "/api/v2/things?page=1&verbose=true", Body: body,
			Header: []string{"Content-Type", "application/json; charset=UTF-8"}}).OK(t, nil)
	}
	b.Do(t, webtest.Request{Method: "POST", Target: "/api/v2/things", Body: `{"name":"abc"}`, Binary: true}).OK(t, nil)
	found := b.Get(t, "/api/v2/things/"+strings.Repeat("x", 9)).Is(t, 400, "VALIDATION_ERROR")
	if found.Details[0].Path != "path.id" || found.Details[0].Code != "max_length" {
		t.Errorf("%+v", found.Details)
	}
}

// A fault list is cut before the answer grows beyond reason.
func TestVeryManyFaults(t *testing.T) {
	b := newBench(t)
	var body strings.Builder
	body.WriteString(`{"name":"abc"`)
	for i := range 5000 {
		fmt.Fprintf(&body, `,"x%d":1`, i)
	}
	body.WriteString("}")
	found := b.Post(t, "/api/v2/things", body.String()).Is(t, 400, "VALIDATION_ERROR")
	if len(found.Details) != 100 || !strings.Contains(found.Message, "5000") {
		t.Errorf("%d details, %s", len(found.Details), found.Message)
	}
}

func TestUnknownPathsAndMethods(t *testing.T) {
	b := newBench(t)
	for _, c := range []struct{ method, target, allow string }{
		{"GET", "/api/v2", ""}, {"GET", "/api/v2/", ""}, {"GET", "/api/v2/nothing", ""}, {"GET", "/", ""}, {"GET", "", ""},
		{"GET", "/api/v2/who/", ""}, {"GET", "/api/v2//who", ""}, {"GET", "/API/v2/who", ""}, {"GET", "/api/v2/Who", ""},
		{"GET", "/api/v2/things/", ""}, {"GET", "/api/v2/things/a/b", ""}, {"GET", "/api/v2/../v2/who", ""}, {"GET", "/api/v2/./who", ""},
		{"GET", "/api/v2/who%3Fx", ""}, {"GET", "/api/v2/who?x#y", ""}, {"GET", "/%zz", ""}, {"GET", "/\x00\xff", ""},
		{"DELETE", "/api/v2/who", "GET"}, {"HEAD", "/api/v2/who", "GET"}, {"PUT", "/api/v2/things/1", "DELETE, GET"},
		{"GET", "/api/v2/things", "POST"}, {"TRACE", "/api/v2/who", "GET"}, {"PROPFIND", "/api/v2/who", "GET"}, {"OPTIONS", "/api/v2/who", "GET"},
		{"BAD METHOD", "/api/v2/who", ""}, {"CONNECT", "/api/v2/who", "GET"},
	} {
		t.Run(c.method+" "+c.target, func(t *testing.T) {
			if c.target == "/api/v2/who?x#y" {
				b.Get(t, c.target).Is(t, 400, "VALIDATION_ERROR")
				return
			}
			answer := b.Do(t, webtest.Request{Method: c.method, Target: c.target})
			answer.Is(t, 404, "NOT_FOUND")
			if got := answer.Header.Get("Allow"); got != c.allow {
				t.Errorf("Allow is %q, want %q", got, c.allow)
			}
		})
	}
	for _, target := range []string{"/api/v1", "/api/v1/", "/api/v1/mentions"} {
		b.Get(t, target).Is(t, 404, "not_found")
	}
}

func TestPreflight(t *testing.T) {
	b := newBench(t)
	answer := b.as("").Do(t, webtest.Request{Method: "OPTIONS", Target: "/api/v2/things/1",
		Header: []string{"Origin", "https://shop.example", "Access-Control-Request-Method", "DELETE"}})
	if answer.Status != 204 || len(answer.Body) != 0 || answer.Header.Get("Access-Control-Allow-Methods") != "DELETE, GET" {
		t.Errorf("%d %s %v", answer.Status, answer.Body, answer.Header)
	}
	for _, name := range []string{"Authorization", "Idempotency-Key", "x-earshot-organization-id", "Content-Type", "If-None-Match", "If-Match"} {
		if !strings.Contains(answer.Header.Get("Access-Control-Allow-Headers"), name) {
			t.Errorf("%s is not allowed", name)
		}
	}
	if answer.Header.Get("Access-Control-Allow-Credentials") != "" {
		t.Error("credentials are allowed")
	}
}

func TestEveryRequestOfAWindow(t *testing.T) {
	b := newBench(t)
	for i := range web.HourlyLimit {
		answer := b.Get(t, "/api/v2/who")
		answer.OK(t, nil)
		if got, want := answer.Header.Get("X-RateLimit-Remaining"), fmt.Sprint(web.HourlyLimit-1-i); got != want {
			t.Fatalf("remaining is %s after %d requests", got, i+1)
		}
	}
	b.Get(t, "/api/v2/who").Is(t, 429, "RATE_LIMITED")
}

// rest uses the window up to a count by the store alone.
func rest(t *testing.T, b *bench, until int) {
	t.Helper()
	for {
		taken, ok, err := b.Store.Take(t.Context(), b.Main.ID, storetest.Now.Truncate(time.Hour), web.HourlyLimit)
		if err != nil || !ok {
			t.Fatal(taken, ok, err)
		}
		if taken == until {
			return
		}
	}
}

func TestWindowIsSpentAndTurns(t *testing.T) {
	b := newBench(t)
	rest(t, b, web.HourlyLimit-1)
	last := b.Get(t, "/api/v2/who")
	last.OK(t, nil)
	reset := storetest.Now.Truncate(time.Hour).Add(time.Hour)
	for name, want := range map[string]string{
		"X-RateLimit-Limit": "500", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": fmt.Sprint(reset.Unix()),
		"RateLimit-Policy": `"hour";q=500;w=3600`, "RateLimit": `"hour";r=0;t=2700`, "Retry-After": "",
	} {
		if got := last.Header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	turned := b.Get(t, "/api/v2/who")
	turned.Is(t, 429, "RATE_LIMITED")
	if turned.Header.Get("Retry-After") != "2700" || turned.Header.Get("X-RateLimit-Remaining") != "0" || turned.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("%v", turned.Header)
	}
	b.as(b.Write).Get(t, "/api/v2/who").Is(t, 429, "RATE_LIMITED") // all keys of the workspace share it
	b.as(b.OtherKey).Get(t, "/api/v2/who").OK(t, nil)
	b.Clock.Freeze(reset.Add(-time.Nanosecond))
	if got := b.Get(t, "/api/v2/who").Header.Get("Retry-After"); got != "1" {
		t.Errorf("Retry-After is %s a moment before the hour turns", got)
	}
	b.Clock.Freeze(reset)
	b.Get(t, "/api/v2/who").OK(t, nil)
}

// A master key counts against the workspace that it names, an agency operation against the anchor.
func TestWhoseWindowAMasterKeySpends(t *testing.T) {
	b := newBench(t)
	master := b.as(b.Master)
	remaining := func(answer webtest.Answer) string {
		answer.OK(t, nil)
		return answer.Header.Get("X-RateLimit-Remaining")
	}
	got := []string{
		remaining(master.Get(t, "/api/v2/who", "x-earshot-organization-id", b.Member.ID)),
		remaining(master.Get(t, "/api/v2/agency")),
		remaining(master.Get(t, "/api/v2/who", "x-earshot-organization-id", b.Anchor.ID)),
		remaining(master.Get(t, "/api/v2/who", "x-earshot-organization-id", b.Member.ID)),
	}
	if fmt.Sprint(got) != "[499 499 498 498]" {
		t.Errorf("remaining: %v", got)
	}
}

func TestServerTiming(t *testing.T) {
	b := newBench(t)
	timing := b.Get(t, "/api/v2/things/timed").Header.Get("Server-Timing")
	var names []string
	for part := range strings.SplitSeq(timing, ", ") {
		name, value, _ := strings.Cut(part, ";dur=")
		var number float64
		if json.Unmarshal([]byte(value), &number) != nil || number < 0 {
			t.Errorf("%s is no metric", part)
		}
		names = append(names, name)
	}
	if fmt.Sprint(names) != "[auth handler search total]" || !strings.Contains(timing, "search;dur=1.5") {
		t.Errorf("Server-Timing is %s", timing)
	}
	if timing := b.as("").Get(t, "/api/v2/public").Header.Get("Server-Timing"); !strings.HasPrefix(timing, "auth;dur=0, handler;dur=") {
		t.Errorf("Server-Timing of a public operation is %s", timing)
	}
}

func TestETag(t *testing.T) {
	b := newBench(t)
	first := b.Get(t, "/api/v2/things/a")
	tag := first.Header.Get("ETag")
	if first.Header.Get("Cache-Control") != "private, no-cache" || tag == "" {
		t.Fatalf("%v", first.Header)
	}
	for value, status := range map[string]int{tag: 304, "W/" + tag: 304, `"x", ` + tag: 304, "*": 304, `"x"`: 200, tag + "x": 200, "": 200} {
		answer := b.Get(t, "/api/v2/things/a", "If-None-Match", value)
		if answer.Status != status || answer.Header.Get("ETag") != tag || status == 304 && len(answer.Body) != 0 {
			t.Errorf("If-None-Match %s: %d %s", value, answer.Status, answer.Body)
		}
	}
	if b.Get(t, "/api/v2/things/b").Header.Get("ETag") == tag {
		t.Error("two things have one ETag")
	}
	if got := b.as("").Get(t, "/api/v2/public").Header.Get("Cache-Control"); got != "public, max-age=60" {
		t.Errorf("Cache-Control is %s", got)
	}
	if got := b.Get(t, "/api/v2/who").Header.Get("Cache-Control"); got != "no-store" {
		t.Errorf("Cache-Control is %s", got)
	}
}

func TestFailuresSayNothingOfTheirCause(t *testing.T) {
	b := newBench(t)
	for _, id := range []string{"fail", "panic"} {
		b.log.Reset()
		answer := b.Get(t, "/api/v2/things/"+id)
		answer.Is(t, 500, "INTERNAL_ERROR")
		if strings.Contains(string(answer.Body), "secret") {
			t.Errorf("%s: %s", id, answer.Body)
		}
		records := strings.Split(strings.TrimSpace(b.log.String()), "\n")
		if len(records) != 1 || !strings.Contains(records[0], "the secret of the cause") || !strings.Contains(records[0], answer.Header.Get("X-Request-Id")) {
			t.Errorf("%s: logged %s", id, b.log)
		}
	}
}

func TestOneRecordARequestWithoutSecretsOrPersons(t *testing.T) {
	b := newBench(t)
	b.Get(t, "/api/v2/things/alice?verbose=true", "X-Forwarded-For", "192.0.2.7")
	b.Post(t, "/api/v2/things?email=alice@example.com", `{"name":"alice"}`)
	text := b.log.String()
	if records := strings.Count(text, "\n"); records != 2 {
		t.Errorf("%d records: %s", records, text)
	}
	for _, secret := range []string{"alice", "192.0.2.7", b.Admin, b.Admin[len(b.Admin)-52:]} {
		if strings.Contains(text, secret) {
			t.Errorf("the log holds %q: %s", secret, text)
		}
	}
	for _, wanted := range []string{`"workspace":"` + b.Main.ID, `"operation":"getThing"`, `"reads":1`, `"writes":1`, `"readUnits":1`} {
		if !strings.Contains(text, wanted) {
			t.Errorf("the log lacks %s: %s", wanted, text)
		}
	}
}

// The concurrency of one instance: never one too many.
func TestConcurrentRequestsShareTheWindow(t *testing.T) {
	b := newBench(t)
	rest(t, b, web.HourlyLimit-50)
	var mu sync.Mutex
	var wait sync.WaitGroup
	counts := map[int]int{}
	for range 120 {
		wait.Go(func() {
			answer := b.Get(t, "/api/v2/who")
			mu.Lock()
			defer mu.Unlock()
			counts[answer.Status]++
		})
	}
	wait.Wait()
	if counts[http.StatusOK] != 50 || counts[http.StatusTooManyRequests] != 70 {
		t.Errorf("%v", counts)
	}
}

// Whatever event comes, the answer is the contract's: a status, JSON, the envelope when it is not 2xx, and never an error,
// which a client would see as a 502.
func FuzzEvent(f *testing.F) {
	b := newBench(f)
	f.Add("GET", "/api/v2/who", "a=b", "", "Bearer x", "k", false)
	f.Add("POST", "/api/v2/things", "page=1", `{"name":"abc"}`, "", "", true)
	f.Add("\x00", "//%zz?#", "%=&;", "\xff", "\n", "\r", true)
	f.Fuzz(func(t *testing.T, method, path, query, body, authorization, key string, encoded bool) {
		event := b.Event(webtest.Request{Method: method, Target: path + "?" + query, Body: body, Header: []string{"Idempotency-Key", key}})
		event.IsBase64Encoded = encoded
		if authorization != "" {
			event.MultiValueHeaders["Authorization"] = []string{authorization}
		}
		b.Clock.Freeze(b.Clock.Now().Add(time.Minute)) // the window turns often enough
		response, err := b.Handler(t.Context(), event)
		if err != nil || response.StatusCode < 200 || response.StatusCode > 599 {
			t.Fatalf("%d, %v", response.StatusCode, err)
		}
		var envelope struct{ Error struct{ Status int } }
		if response.StatusCode >= 400 && (json.Unmarshal([]byte(response.Body), &envelope) != nil || envelope.Error.Status != response.StatusCode) {
			t.Errorf("%d %s", response.StatusCode, response.Body)
		}
	})
}
