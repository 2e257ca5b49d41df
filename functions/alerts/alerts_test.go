package alerts_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"earshot/functions/alerts"
	"earshot/functions/discovery"
	"earshot/shared/alert"
	"earshot/shared/feed"
	"earshot/shared/keyword"
	"earshot/shared/web"
	"earshot/shared/worldtest"
)

// A room is a World with feed 1 and keyword 7 in its main workspace, and a Slack.
type room struct {
	worldtest.Desk
	slackErr error
}

func (r *room) Channels(context.Context, string) ([]feed.Channel, error) {
	return []feed.Channel{{ID: "C1", Name: "alerts"}}, r.slackErr
}

func newRoom(t *testing.T) *room {
	t.Helper()
	r := &room{}
	r.Desk = worldtest.NewDesk(t, discovery.OpenAPI(), func(api *web.API, w *worldtest.World) {
		alerts.Register(api, alerts.Options{Store: w.Store, Clock: w.Clock, Slack: r})
	})
	worldtest.Must(t, r.Store.RestoreFeed(t.Context(), r.Main.ID, feed.Feed{ID: 1, Name: "Launch"}))
	worldtest.Must(t, r.Store.RestoreKeyword(t.Context(), r.Main.ID, keyword.Keyword{ID: 7, Text: "northwind"}))
	return r
}

// shown is an alert as a client reads it.
type shown struct {
	ID           int64
	Name         string
	FeedID       *int64
	Filters      json.RawMessage
	Condition    map[string]any
	Destinations []map[string]any
	Remind       string
	Enabled      bool
	UpdatedAt    time.Time
	State        struct {
		Firing             bool
		PausedBecause      *string
		Since, EvaluatedAt *time.Time
		Value, Baseline    *float64
	}
}

const (
	list      = "/api/v2/alerts"
	peak      = `{"metric":"mentions","comparison":"above","value":100,"window":"24h"}`
	rise      = `{"metric":"negative_share","comparison":"rises_by","value":12.5,"window":"6h","baseline":"weekday","minimum":0}`
	byMail    = `{"type":"EMAIL","emailDestination":{"emails":["team@northwind.example"]}}`
	bySlack   = `{"type":"SLACK","slackDestination":{"channels":["C1"]}}`
	byWebhook = `{"type":"WEBHOOK","webhookDestination":{"url":"https://hooks.northwind.example/alerts"}}`
)

func path(id int64) string { return list + "/" + strconv.FormatInt(id, 10) }

// body is that of an alert on feed 1; more are further members.
func body(more string) string { return `{"name":"Peak","feedId":1,"condition":` + peak + more + `}` }

func (r *room) made(t *testing.T, body string) (a shown) {
	t.Helper()
	r.Post(t, list, body).OK(t, &a)
	return a
}

func TestAlert_CreatedReadAndDeleted(t *testing.T) {
	r := newRoom(t)
	if got := strings.TrimSpace(string(r.As(r.Read).Get(t, list).Body)); got != `{"data":[]}` {
		t.Errorf("at first: %s", got)
	}
	answer := r.Post(t, list, `{"name":" Complaints ","feedId":null,"filters":{"keyword":[7]},"condition":`+rise+
		`,"destinations":[`+byMail+`,`+bySlack+`,`+byWebhook+`],"remind":"daily","enabled":false}`)
	var a shown
	answer.OK(t, &a)
	if a.ID != 1 || a.Name != "Complaints" || a.FeedID != nil || string(a.Filters) != `{"keyword":[7]}` ||
		len(a.Destinations) != 3 || a.Remind != "daily" || a.Enabled {
		t.Errorf("%+v", a)
	}
	if c := a.Condition; c["value"] != 12.5 || c["baseline"] != "weekday" || c["minimum"] != 0.0 {
		t.Errorf("condition %v, want %s", c, rise)
	}
	if s := a.State; s.Firing || s.Since != nil || s.Value != nil || s.Baseline != nil || s.EvaluatedAt != nil {
		t.Errorf("state %+v, want that of a new alert", s)
	}
	read := r.As(r.Read).Get(t, path(1))
	if !bytes.Equal(read.Body, answer.Body) || read.Header.Get("ETag") != answer.Header.Get("ETag") {
		t.Errorf("read %s, created %s", read.Body, answer.Body)
	}
	if got := r.As(r.Read).Get(t, path(1), "If-None-Match", read.Header.Get("ETag")).Status; got != 304 {
		t.Errorf("an unchanged alert has the status %d, want 304", got)
	}
	plain := r.made(t, body(""))
	if plain.ID != 2 || *plain.FeedID != 1 || string(plain.Filters) != "null" || plain.Destinations == nil ||
		!plain.Enabled ||
		plain.Remind != "never" || plain.Condition["baseline"] != nil || plain.Condition["minimum"] != nil {
		t.Errorf("defaults: %+v", plain)
	}
	var all struct{ Data []shown }
	if r.As(r.Read).Get(t, list).OK(t, &all); len(all.Data) != 2 || all.Data[0].ID != 1 || all.Data[1].ID != 2 {
		t.Errorf("list: %+v", all)
	}
	var done struct{ OK bool }
	if r.Delete(t, path(1)).OK(t, &done); !done.OK {
		t.Error("the deletion is not ok")
	}
	r.Delete(t, path(1)).Is(t, 404, "ALERT_NOT_FOUND")
	r.Get(t, path(1)).Is(t, 404, "ALERT_NOT_FOUND")
	r.Patch(t, path(1), `{}`).Is(t, 404, "ALERT_NOT_FOUND")
}

func TestAlert_Scopes(t *testing.T) {
	r := newRoom(t)
	r.made(t, body(""))
	reader := r.As(r.Read)
	reader.Post(t, list, body("")).Is(t, 403, "FORBIDDEN")
	reader.Patch(t, path(1), `{}`).Is(t, 403, "FORBIDDEN")
	reader.Delete(t, path(1)).Is(t, 403, "FORBIDDEN")
	reader.Post(t, list+"/preview", `{"feedId":1,"condition":`+peak+`}`).OK(t, &struct{}{})
}

// Another workspace's alert is as one that never was, to the byte.
func TestAlert_OfAnotherWorkspace(t *testing.T) {
	r := newRoom(t)
	r.made(t, body(""))
	other := r.As(r.OtherKey)
	for name, ask := range map[string]func(id int64) worldtest.Answer{
		"read":         func(id int64) worldtest.Answer { return other.Get(t, path(id)) },
		"change":       func(id int64) worldtest.Answer { return other.Patch(t, path(id), `{"name":"mine"}`) },
		"destinations": func(id int64) worldtest.Answer { return other.Patch(t, path(id), `{"destinations":[`+byMail+`]}`) },
		"delete":       func(id int64) worldtest.Answer { return other.Delete(t, path(id)) },
	} {
		there, unused := ask(1), ask(1001)
		there.Is(t, 404, "ALERT_NOT_FOUND")
		if !bytes.Equal(there.Body, unused.Body) {
			t.Errorf("%s: %s and %s", name, there.Body, unused.Body)
		}
	}
	other.Post(t, list, body("")).Is(t, 404, "FEED_NOT_FOUND")
}

func paths(p worldtest.Problem) string {
	var found []string
	for _, detail := range p.Details {
		found = append(found, detail.Path)
	}
	return strings.Join(found, " ")
}

func TestAlert_Faults(t *testing.T) {
	r := newRoom(t)
	r.made(t, body(""))
	condition := func(members string) string { return `{"name":"x","feedId":1,"condition":` + members + `}` }
	long := `{"text":["` + strings.Join(slices.Repeat([]string{strings.Repeat("é", 190)}, 100), `","`) + `"]}`
	for _, c := range []struct{ body, want string }{
		{`{}`, "condition feedId name"},
		{`{"name":"x","feedId":1}`, "condition"},
		{condition(`{}`), "condition.comparison condition.metric condition.value condition.window"},
		{condition(`{"metric":"views","comparison":"near","value":"x","window":"2h"}`),
			"condition.comparison condition.metric condition.value condition.window"},
		{condition(`{"metric":"negative_share","comparison":"above","value":40,"window":"1h"}`), "condition.value"},
		{condition(`{"metric":"mentions","comparison":"falls_by","value":101,"window":"1h"}`), "condition.value"},
		{condition(`{"metric":"mentions","comparison":"below","value":0,"window":"1h"}`), "condition.value"},
		{condition(`{"metric":"mentions","comparison":"above","value":1,"window":"1h","baseline":"previous"}`),
			"condition.baseline"},
		{condition(`{"metric":"mentions","comparison":"rises_by","value":1,"window":"1h","baseline":"median"}`),
			"condition.baseline"},
		{condition(`{"metric":"mentions","comparison":"above","value":1,"window":"1h","minimum":-1}`), "condition.minimum"},
		{condition(`{"metric":"mentions","comparison":"above","value":1,"window":"1h","minimum":0.5}`), "condition.minimum"},
		{condition(`{"metric":"mentions","comparison":"below","value":5,"window":"1h","minimum":5}`), "condition.minimum"},
		{condition(`{"metric":"mentions","comparison":"above","value":1,"window":"1h","unit":"%"}`), "condition.unit"},
		{`{"name":"x","condition":` + peak + `}`, "feedId"},
		{`{"name":"x","feedId":null,"filters":null,"condition":` + peak + `}`, "feedId"},
		{`{"name":"x","feedId":0,"condition":` + peak + `}`, "feedId"},
		{`{"name":"x","feedId":1,"filters":{},"condition":` + peak + `}`, "filters"},
		{`{"name":"x","filters":{"source":[],"mood":1},"condition":` + peak + `}`, "filters.mood filters.source"},
		{`{"name":"x","filters":` + long + `,"condition":` + peak + `}`, "filters"},
		{`{"name":"  ","feedId":1,"condition":` + peak + `}`, "name"},
		{body(`,"remind":"weekly"`), "remind"},
		{body(`,"enabled":null`), "enabled"},
		{body(`,"unknown":1`), "unknown"},
		{body(`,"destinations":[` + byMail + `,{"type":"WEBHOOK","frequency":"daily","webhookDestination":{"url":"x"}}]`),
			"destinations[1].frequency"},
		{body(`,"destinations":[{"type":"FAX"}]`), "destinations[0].type"},
	} {
		if got := paths(r.Post(t, list, c.body).Is(t, 400, "VALIDATION_ERROR")); got != c.want {
			t.Errorf("%.300s: faults at %s, want %s", c.body, got, c.want)
		}
		if c.want == "feedId" || strings.Contains(c.want, "name") || c.want == "condition" {
			continue // these may be left out of a change
		}
		if got := paths(r.Patch(t, path(1), c.body).Is(t, 400, "VALIDATION_ERROR")); got != c.want {
			t.Errorf("a change by %.300s: faults at %s, want %s", c.body, got, c.want)
		}
	}
	if got := paths(r.Get(t, list+"/0").Is(t, 400, "VALIDATION_ERROR")); got != "path.id" {
		t.Errorf("the id 0: faults at %s", got)
	}
}

// many is a filter of 51 conditions.
var many = `{"operator":"AND","groups":[{"operator":"OR","conditions":[` + strings.Repeat(`{"engaged":true},`, 50) +
	`{"engaged":true}]}]}`

func TestAlert_Refused(t *testing.T) {
	r := newRoom(t)
	r.made(t, body(""))
	filters := func(text string) string { return `{"name":"x","filters":` + text + `,"condition":` + peak + `}` }
	for _, c := range []struct {
		body   string
		status int
		code   string
	}{
		{`{"name":"x","feedId":999,"condition":` + peak + `}`, 404, "FEED_NOT_FOUND"},
		{filters(`{"keyword":[7,8]}`), 400, "MENTION_KEYWORD_UNKNOWN"},
		{filters(many), 400, "FILTER_CONDITION_LIMIT_EXCEEDED"},
		{body(`,"destinations":[{"type":"EMAIL"}]`), 400, "INVALID_DESTINATION"},
		{body(`,"destinations":[` + byMail + `,` + byMail + `]`), 400, "INVALID_DESTINATION"},
		{body(`,"destinations":[{"type":"SLACK","slackDestination":{"channels":["C9"]}}]`), 400, "SLACK_CHANNEL_NOT_FOUND"},
		{body(`,"destinations":[{"type":"WEBHOOK","webhookDestination":{"url":"https://127.0.0.1/"}}]`), 400,
			"WEBHOOK_URL_INVALID"},
	} {
		r.Post(t, list, c.body).Is(t, c.status, c.code)
		r.Patch(t, path(1), c.body).Is(t, c.status, c.code)
		r.Patch(t, path(501), c.body).Is(t, 404, "ALERT_NOT_FOUND")
	}
	r.slackErr = feed.ErrSlackNotConnected
	r.Post(t, list, body(`,"destinations":[`+bySlack+`]`)).Is(t, 400, "SLACK_NOT_CONNECTED")
	var a shown
	if r.Get(t, path(1)).OK(t, &a); a.Name != "Peak" || len(a.Destinations) != 0 {
		t.Errorf("a refused change was made: %+v", a)
	}
}

func TestAlert_Changes(t *testing.T) {
	r := newRoom(t)
	r.made(t, body(`,"destinations":[`+bySlack+`]`))
	at := worldtest.Now.Add(time.Hour)
	fire := func() {
		t.Helper()
		found, err := r.Store.Alert(t.Context(), r.Main.ID, 1)
		worldtest.Must(t, err)
		at = at.Add(time.Hour)
		worldtest.Must(t, r.Store.Evaluated(t.Context(), r.Main.ID, 1, found.Revision, alert.State{
			Firing: true, Since: at, LastSaid: at, EvaluatedAt: at, Value: 130,
		}))
	}
	fire()
	var a shown
	r.Get(t, path(1)).OK(t, &a)
	if s := a.State; !s.Firing || !s.Since.Equal(at) || *s.Value != 130 || s.Baseline != nil || !s.EvaluatedAt.Equal(at) {
		t.Errorf("state %+v, want a firing one", s)
	}
	for _, c := range []struct {
		change string
		firing bool
		want   func(shown) bool
	}{
		{`{}`, true, func(a shown) bool { return a.Name == "Peak" && len(a.Destinations) == 1 }},
		{
			`{"name":"Other","enabled":true,"remind":"hourly"}`, true,
			func(a shown) bool { return a.Name == "Other" && a.Enabled && a.Remind == "hourly" },
		},
		{`{"enabled":false}`, false, func(a shown) bool { return !a.Enabled }},
		{`{"destinations":[]}`, true, func(a shown) bool { return len(a.Destinations) == 0 }},
		{`{"condition":` + rise + `}`, false, func(a shown) bool { return a.Condition["window"] == "6h" }},
		{
			`{"condition":` + peak + `}`, false,
			func(a shown) bool { return a.Condition["baseline"] == nil && a.Condition["minimum"] == nil },
		},
		{`{"filters":{"keyword":[7]}}`, false,
			func(a shown) bool { return a.FeedID == nil && string(a.Filters) == `{"keyword":[7]}` }},
		{`{"feedId":null}`, true, func(a shown) bool { return string(a.Filters) == `{"keyword":[7]}` }},
		{`{"feedId":1,"filters":null}`, false, func(a shown) bool { return *a.FeedID == 1 && string(a.Filters) == "null" }},
	} {
		fire()
		var a shown
		if r.Patch(t, path(1), c.change).OK(t, &a); a.State.Firing != c.firing || !c.want(a) {
			t.Errorf("%s makes %+v", c.change, a)
		}
	}
	if got := paths(r.Patch(t, path(1), `{"feedId":null}`).Is(t, 400, "VALIDATION_ERROR")); got != "feedId" {
		t.Errorf("an alert that watches nothing: faults at %s", got)
	}
}

// What a response shows can be sent back, whatever has become of the Slack, the feed and the keyword that it names.
func TestAlert_SentBack(t *testing.T) {
	r := newRoom(t)
	r.made(t, body(`,"destinations":[`+bySlack+`]`))
	r.made(t, `{"name":"x","filters":{"keyword":[7]},"condition":`+rise+`}`)
	r.slackErr = feed.ErrSlackNotConnected
	worldtest.Must(t, r.Store.DeleteFeed(t.Context(), r.Main.ID, 1, ""))
	worldtest.Must(t, r.Store.DeleteKeyword(t.Context(), r.Main.ID, 7))
	for _, id := range []int64{1, 2} {
		var tree map[string]any
		worldtest.Must(t, json.Unmarshal(r.Get(t, path(id)).Body, &tree))
		for _, readOnly := range []string{"id", "createdAt", "updatedAt", "state"} {
			delete(tree, readOnly)
		}
		tree["enabled"] = false
		text, err := json.Marshal(tree)
		worldtest.Must(t, err)
		var back shown
		if r.Patch(t, path(id), string(text)).OK(t, &back); back.Enabled {
			t.Errorf("%+v", back)
		}
	}
	r.Post(t, list+"/preview", `{"feedId":1,"condition":`+peak+`}`).Is(t, 404, "FEED_NOT_FOUND")
}

// An alert that watched only a keyword that is deleted is disabled, and says why. It comes back with something to watch.
func TestAlert_KeywordDeleted(t *testing.T) {
	r := newRoom(t)
	worldtest.Must(t, r.Store.RestoreKeyword(t.Context(), r.Main.ID, keyword.Keyword{ID: 8, Text: "tidewater"}))
	for range 2 {
		a := r.made(t, `{"name":"x","filters":{"keyword":[7]},"condition":`+peak+`}`)
		if a.State.PausedBecause != nil {
			t.Errorf("a new alert is paused because of %s", *a.State.PausedBecause)
		}
	}
	worldtest.Must(t, r.Store.DeleteKeyword(t.Context(), r.Main.ID, 7))
	paused := func(id int64, enabled bool, because string) {
		t.Helper()
		var a shown
		r.Get(t, path(id)).OK(t, &a)
		got := ""
		if a.State.PausedBecause != nil {
			got = *a.State.PausedBecause
		}
		if a.Enabled != enabled || got != because {
			t.Errorf("alert %d is enabled %t and paused because of %q, want %t and %q", id, a.Enabled, got, enabled, because)
		}
	}
	paused(1, false, "keyword_deleted")
	r.Patch(t, path(1), `{"enabled":true}`).Is(t, 400, "MENTION_KEYWORD_UNKNOWN")
	r.Patch(t, path(1), `{"enabled":true,"filters":{"keyword":[7]}}`).Is(t, 400, "MENTION_KEYWORD_UNKNOWN")
	r.Patch(t, path(1), `{"name":"still"}`).OK(t, &shown{})
	paused(1, false, "keyword_deleted")
	r.Patch(t, path(1), `{"enabled":true,"filters":{"keyword":[8]}}`).OK(t, &shown{})
	paused(1, true, "")
	r.Patch(t, path(2), `{"feedId":1}`).OK(t, &shown{})
	paused(2, false, "")
	r.Patch(t, path(2), `{"enabled":true}`).OK(t, &shown{})
	paused(2, true, "")
}

// An alert that was disabled with its feed comes back with another.
func TestAlert_FeedDeleted(t *testing.T) {
	r := newRoom(t)
	a := r.made(t, `{"name":"x","feedId":1,"condition":`+peak+`}`)
	worldtest.Must(t, r.Store.DeleteFeed(t.Context(), r.Main.ID, 1, ""))
	_, err := r.Store.ChangeAlert(t.Context(), r.Main.ID, a.ID, "", func(a *alert.Alert) error {
		a.Enabled, a.Paused = false, alert.FeedDeleted
		return nil
	})
	worldtest.Must(t, err)
	var got shown
	r.Get(t, path(a.ID)).OK(t, &got)
	if got.State.PausedBecause == nil || *got.State.PausedBecause != "feed_deleted" {
		t.Errorf("the alert is paused because of %v, want feed_deleted", got.State.PausedBecause)
	}
	r.Patch(t, path(a.ID), `{"enabled":true}`).Is(t, 404, "FEED_NOT_FOUND")
	r.Patch(t, path(a.ID), `{"name":"still"}`).OK(t, &shown{})
	r.Patch(t, path(a.ID), `{"enabled":true,"filters":{"source":["reddit"]}}`).OK(t, &got)
	if !got.Enabled {
		t.Error("the alert stays disabled")
	}
}

// An alert that a person had disabled before its feed or its keyword was deleted is not enabled without another.
func TestAlert_DeletedWhileDisabled(t *testing.T) {
	r := newRoom(t)
	onFeed := r.made(t, `{"name":"x","feedId":1,"enabled":false,"condition":`+peak+`}`)
	onKeyword := r.made(t, `{"name":"x","filters":{"keyword":[7]},"enabled":false,"condition":`+peak+`}`)
	worldtest.Must(t, r.Store.DeleteFeed(t.Context(), r.Main.ID, 1, ""))
	worldtest.Must(t, r.Store.DeleteKeyword(t.Context(), r.Main.ID, 7))
	r.Patch(t, path(onFeed.ID), `{"enabled":true}`).Is(t, 404, "FEED_NOT_FOUND")
	r.Patch(t, path(onKeyword.ID), `{"enabled":true}`).Is(t, 400, "MENTION_KEYWORD_UNKNOWN")
	r.Patch(t, path(onFeed.ID), `{"name":"still","feedId":1,"enabled":false}`).OK(t, &shown{})
}

func TestAlert_Limit(t *testing.T) {
	r := newRoom(t)
	for range alert.MaxAlerts {
		_, err := r.Store.CreateAlert(t.Context(), r.Main.ID, alert.Alert{Name: "x", FeedID: 1}, "")
		worldtest.Must(t, err)
	}
	r.Post(t, list, body("")).Is(t, 400, "INVALID_INPUT")
	r.Delete(t, path(1)).OK(t, &struct{}{})
	r.made(t, body(""))
}

func TestAlert_Repeated(t *testing.T) {
	r := newRoom(t)
	first := r.Post(t, list, body(""), "Idempotency-Key", "one")
	again := r.Post(t, list, body(""), "Idempotency-Key", "one")
	if !bytes.Equal(first.Body, again.Body) || again.Header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("%s and then %s", first.Body, again.Body)
	}
	r.Post(t, list, body(`,"enabled":false`), "Idempotency-Key", "one").Is(t, 422, "IDEMPOTENCY_KEY_REUSED")
	for range 2 {
		r.Delete(t, path(1), "Idempotency-Key", "two").OK(t, &struct{}{})
	}
	if got := r.made(t, body("")).ID; got != 2 {
		t.Errorf("the next alert has the id %d, want 2", got)
	}
}

func TestAlert_IfMatch(t *testing.T) {
	r := newRoom(t)
	tag := r.Post(t, list, body("")).Header.Get("ETag")
	// An evaluation is no change of the alert.
	worldtest.Must(t, r.Store.Evaluated(t.Context(), r.Main.ID, 1, 1, alert.State{EvaluatedAt: worldtest.Now}))
	r.Patch(t, path(1), `{"name":"First"}`, "If-Match", tag).OK(t, &struct{}{})
	r.Patch(t, path(1), `{"name":"Second"}`, "If-Match", tag).Is(t, 409, "FEED_FILTER_WRITE_CONFLICT")
}

func TestAlert_UnchangedKeepsItsRevision(t *testing.T) {
	r := newRoom(t)
	tag := r.Post(t, list, body("")).Header.Get("ETag")
	for _, change := range []string{`{}`, `{"name":"Peak"}`} {
		if got := r.Patch(t, path(1), change).Header.Get("ETag"); got != tag {
			t.Errorf("%s: the ETag is %s, want %s", change, got, tag)
		}
	}
	r.Patch(t, path(1), `{"name":"First"}`, "If-Match", tag).OK(t, &struct{}{})
	r.Patch(t, path(1), `{}`, "If-Match", tag).Is(t, 409, "FEED_FILTER_WRITE_CONFLICT")
}

// Of changes of different properties at the same time, none is lost.
func TestAlert_Races(t *testing.T) {
	r := newRoom(t)
	r.made(t, body(""))
	var group sync.WaitGroup
	for i, change := range []string{`{"name":"Raced"}`, `{"enabled":false}`, `{"remind":"daily"}`, `{"condition":` + rise + `}`} {
		group.Go(func() {
			if got := r.Patch(t, path(1), change, "Idempotency-Key", fmt.Sprint("race", i)).Status; got != 200 {
				t.Errorf("%s: status %d", change, got)
			}
		})
	}
	group.Wait()
	var a shown
	if r.Get(t, path(1)).OK(t, &a); a.Name != "Raced" || a.Enabled || a.Remind != "daily" ||
		a.Condition["window"] != "6h" {
		t.Errorf("%+v", a)
	}
}
