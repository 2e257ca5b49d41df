package controls_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"earshot/functions/collect"
	"earshot/functions/ingest"
	"earshot/functions/local/controls"
	"earshot/functions/members/accountcreated"
	"earshot/shared/embedded/sqlitequeue"
	"earshot/shared/judge"
	"earshot/shared/listening"
	"earshot/shared/port/identity"
	"earshot/shared/port/queue"
	"earshot/shared/source"
	"earshot/shared/store/allstores"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

// A desk is the controls over a World.
type desk struct {
	*worldtest.World
	handler http.Handler
	queue   *sqlitequeue.Queue
	ticks   *ticks
}

// ticks are schedules that note that they were called.
type ticks struct {
	called  []string
	bounced []string
	err     error
}

func (t *ticks) bounce(_ context.Context, kind, workspaceID, to string) error {
	t.bounced = append(t.bounced, kind+" "+workspaceID+" "+to)
	return t.err
}

func (t *ticks) Working() int { return 2 }

func (t *ticks) Tick(_ context.Context, name string) error {
	t.called = append(t.called, name)
	return t.err
}

// judge is read once: its tables are large, and do not change.
var j = sync.OnceValue(func() *judge.Judge {
	j, err := judge.New()
	if err != nil {
		panic(err)
	}
	return j
})

func newDesk(t testing.TB) desk {
	d := desk{World: worldtest.NewWorld(t), ticks: &ticks{}}
	var err error
	d.queue, err = sqlitequeue.Open(filepath.Join(t.TempDir(), "queue.db"),
		[]sqlitequeue.Definition{{Name: queue.Posts}, {Name: queue.Invitations}}, d.Clock)
	worldtest.Must(t, err)
	t.Cleanup(func() { d.queue.Close() })
	log := slog.New(slog.DiscardHandler)
	d.handler = controls.New(controls.Options{
		Store: d.Store, Faults: d.Faults, Clock: d.Clock, Log: log, Workers: d.ticks, Schedules: []string{"collect"},
		Sources: controls.Sources{
			Open: []source.About{{Name: "hackernews"}, {Name: "news"}},
			Last: func(name string) (collect.Fetch, bool) {
				return collect.Fetch{Posts: 2, Err: &source.Unavailable{Source: name, Reason: "answered 503"}}, name == "news"
			},
			Lacking: []source.About{{
				Name:        "reddit",
				Credentials: []source.Credential{{Name: "reddit/client-id"}, {Name: "reddit/client-secret"}},
			}},
		},
		Outbox: d.Outbox(), Accounts: d.People(), Bounce: d.ticks.bounce, BounceKinds: []string{"permanent", "complaint"},
		Verified: func(_ context.Context, name string, header http.Header, body []byte) (bool, error) {
			return name == "signed" && header.Get("Webhook-Id") == "evt_1" && string(body) == `{"n":1}`, nil
		},
		Arrived: func(ctx context.Context, account identity.Account) ([]string, error) {
			return accountcreated.Run(ctx, accountcreated.Options{
				Store: d.Store, Directory: d.Directory(), Queue: d.queue, Clock: d.Clock, Log: log}, account)
		},
		Queues: d.queue, QueueNames: []string{queue.Posts}, Files: d.Files(),
		Intake: ingest.New(ingest.Options{Mentions: d.Store, Judge: j(), Clock: d.Clock,
			Listening: listening.New(listening.Options{Settings: d.Store, Clock: d.Clock, Judging: true})}),
	})
	return d
}

type answer struct {
	*httptest.ResponseRecorder
}

// do sends a request, as curl on this machine does but for the header's pairs.
func (d desk) do(method, target string, body io.Reader, header ...string) answer {
	request := httptest.NewRequest(method, target, body)
	request.Host = "127.0.0.1:8080"
	for pair := range slices.Chunk(header, 2) {
		if pair[0] == "Host" {
			request.Host = pair[1]
		}
		request.Header.Set(pair[0], pair[1])
	}
	recorder := httptest.NewRecorder()
	d.handler.ServeHTTP(recorder, request)
	return answer{recorder}
}

func (d desk) post(path, body string) answer {
	return d.do("POST", path, strings.NewReader(body))
}

// is fails the test unless the answer is this problem; it answers the places of the faults.
func (a answer) is(t *testing.T, status int, code string) (places []string) {
	t.Helper()
	var envelope struct {
		Error struct {
			Code, Message string
			Status        int
			Details       []struct{ Path, Code, Message string }
		}
	}
	if err := json.Unmarshal(a.Body.Bytes(), &envelope); err != nil || a.Code != status || envelope.Error.Code != code ||
		envelope.Error.Status != status || envelope.Error.Message == "" {
		t.Errorf("%d %s, want %d %s", a.Code, a.Body, status, code)
	}
	for _, detail := range envelope.Error.Details {
		places = append(places, detail.Path+" "+detail.Code)
	}
	return places
}

func (a answer) ok(t testing.TB, into any) {
	t.Helper()
	if a.Code != http.StatusOK {
		t.Fatalf("%d %s", a.Code, a.Body)
	}
	if into != nil {
		if err := json.Unmarshal(a.Body.Bytes(), into); err != nil {
			t.Fatal(err)
		}
	}
}

func TestOnlyFromHere(t *testing.T) {
	d := newDesk(t)
	for _, header := range [][]string{
		{"Host", "rebound.example:8080"}, {"Host", "192.0.2.1:8080"}, {"Host", ""}, {"Host", "127.0.0.1.rebound.example"},
		{"Origin", "https://page.example"}, {"Origin", "null"}, {"Origin", "http://127.0.0.1:3000"},
		{"Origin", "https://127.0.0.1:8080"},
		{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"},
	} {
		refused := d.do("POST", "/_local/clock", strings.NewReader(`{"now":"2030-01-01T00:00:00Z"}`), header...)
		refused.is(t, 403, "FORBIDDEN")
		if refused.Header().Get("Access-Control-Allow-Origin") != "" {
			t.Error("another site may read the answer")
		}
	}
	if !d.Clock.Now().Equal(worldtest.Now) {
		t.Error("the clock was set all the same")
	}
	for _, header := range [][]string{{"Host", "localhost"}, {"Host", "[::1]:8080"}, {"Host", "[::1]"}, {"Host", "127.0.0.2:1"},
		{"Origin", "http://127.0.0.1:8080"}, {"Sec-Fetch-Site", "same-origin"}, {"Sec-Fetch-Site", "none"}} {
		d.do("GET", "/_local/faults", nil, header...).ok(t, nil)
	}
}

func TestUnknownPathsAndMethods(t *testing.T) {
	d := newDesk(t)
	for _, path := range []string{"/_local", "/_local/", "/_local/clock/", "/_local//clock", "/_local/Clock", "/_local/%63lock",
		"/_local/outbox/", "/_local/accounts/1", "/_local/posts", "/_local/sites", "/_local/schedules/collect"} {
		d.do("GET", path, nil).is(t, 404, "NOT_FOUND")
	}
	for target, allow := range map[string]string{"/_local/clock": "POST", "/_local/faults": "DELETE, GET, POST",
		"/_local/outbox": "DELETE, GET", "/_local/accounts": "GET, POST"} {
		for _, method := range []string{"PUT", "HEAD", "OPTIONS"} {
			refused := d.do(method, target, nil)
			refused.is(t, 404, "NOT_FOUND")
			if refused.Header().Get("Allow") != allow {
				t.Errorf("Allow is %q", refused.Header().Get("Allow"))
			}
		}
	}
}

func TestClock(t *testing.T) {
	d := newDesk(t)
	var shown struct{ Now string }
	d.post("/_local/clock", `{"now":"2031-02-03T04:05:06+01:00"}`).ok(t, &shown)
	if !strings.HasPrefix(shown.Now, "2031-02-03T03:05:0") ||
		d.Clock.Now().Sub(time.Date(2031, 2, 3, 3, 5, 6, 0, time.UTC)) > time.Minute {
		t.Errorf("%s %s", shown.Now, d.Clock.Now())
	}
	for body, want := range map[string]string{
		``: "body syntax", `{`: "body syntax", `{}`: "now required", `{"now":1}`: "now required",
		`{"now":"tomorrow"}`:             "now format",
		`{"now":"1969-12-31T23:59:59Z"}`: "now format", `{"now":"2201-01-01T00:00:00Z"}`: "now format",
		`{"now":null,"zone":"UTC"}`: "zone unknown",
		`{"now":null,"now":null}`:   "now duplicate", `{"Now":null}`: "Now unknown", `[]`: "body type",
		`{"now":null} {}`:    "body syntax",
		"{\"now\":\"\xff\"}": "body syntax", `{"x":"` + strings.Repeat("x", 1<<20) + `"}`: "body too_large",
	} {
		if got := fmt.Sprint(d.post("/_local/clock", body).is(t, 400, "VALIDATION_ERROR")); got != "["+want+"]" {
			t.Errorf("%.40s: %s, want %s", body, got, want)
		}
	}
	if got := d.post("/_local/clock?now=1", `{"now":null}`).is(t, 400, "VALIDATION_ERROR"); got[0] != "query.now unknown" {
		t.Error(got)
	}
	d.post("/_local/clock", `{"now":null}`).ok(t, &shown)
	if time.Since(d.Clock.Now()).Abs() > time.Minute {
		t.Errorf("%s after null", shown.Now)
	}
}

func TestFlags(t *testing.T) {
	d := newDesk(t)
	flag := func(on string) string {
		return fmt.Sprintf(`{"workspace":%q,"flag":"setup_onboarding","on":%s}`, d.Main.ID, on)
	}
	for _, step := range []struct{ on, want string }{{"true", "[setup_onboarding]"}, {"true",
		"[setup_onboarding]"}, {"false", "[]"}, {"false", "[]"}} {
		var shown struct{ Flags []string }
		d.post("/_local/flags", flag(step.on)).ok(t, &shown)
		found, err := d.Store.Workspace(t.Context(), d.Main.ID)
		if err != nil || fmt.Sprint(shown.Flags) != step.want || fmt.Sprint(found.Flags) != step.want || shown.Flags == nil {
			t.Errorf("%s: %v, %v, %v", step.on, shown.Flags, found.Flags, err)
		}
	}
	d.post("/_local/flags", strings.Replace(flag("true"), d.Main.ID, workspace.NewID("org_", worldtest.Now), 1)).
		is(t, 404, "ORG_NOT_FOUND")
	if got := d.post("/_local/flags", `{"flag":"typo"}`).is(t, 400,
		"VALIDATION_ERROR"); fmt.Sprint(got) != "[workspace required flag enum on required]" {
		t.Error(got)
	}
	if got := d.post("/_local/flags", flag(`"yes"`)).is(t, 400, "VALIDATION_ERROR"); got[0] != "on type" {
		t.Error(got)
	}
}

func TestFaults(t *testing.T) {
	d := newDesk(t)
	var shown struct {
		Faults []struct {
			Port, Operation, Fault string
			Times                  int
		}
	}
	d.post("/_local/faults", `{"port":"table","operation":"put","fault":"slow","times":2}`).ok(t, &shown)
	d.post("/_local/faults", `{"port":"table","operation":"*","fault":"crash","times":1}`).ok(t, nil)
	d.do("GET", "/_local/faults", nil).ok(t, &shown)
	if fmt.Sprint(shown.Faults) != "[{table put slow 2} {table  crash 1}]" {
		t.Errorf("%v", shown.Faults)
	}
	for body, want := range map[string]string{
		`{"port":"tabel","fault":"slow"}`:                    "port enum",
		`{"port":"table","operation":"read","fault":"slow"}`: "operation enum",
		`{"port":"table","fault":"explode"}`:                 "fault enum",
		`{"port":"table","fault":"slow","times":-1}`:         "times enum",
		`{"port":"table","fault":"slow","time":1}`:           "time unknown",
		`{"port":"table","fault":"slow","times":"a"}`:        "times type",
	} {
		if got := fmt.Sprint(d.post("/_local/faults", body).is(t, 400, "VALIDATION_ERROR")); got != "["+want+"]" {
			t.Errorf("%s: %s", body, got)
		}
	}
	d.do("DELETE", "/_local/faults", nil).ok(t, &shown)
	if len(shown.Faults) != 0 || len(d.Faults.List()) != 0 {
		t.Errorf("%v", shown.Faults)
	}
}

// A request that crashes answers, and the next one is well.
func TestCrash(t *testing.T) {
	d := newDesk(t)
	d.post("/_local/faults", `{"port":"table","operation":"get","fault":"crash","times":1}`).ok(t, nil)
	d.post("/_local/mentions?workspace="+d.Main.ID, "").is(t, 500, "INTERNAL_ERROR")
	d.post("/_local/mentions?workspace="+d.Main.ID, "").ok(t, nil)
}

var _ controls.Store = (*allstores.Store)(nil)
