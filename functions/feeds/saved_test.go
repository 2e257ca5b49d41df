package feeds_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"earshot/functions/discovery"
	"earshot/functions/feeds"
	"earshot/functions/feeds/receivers"
	"earshot/functions/mentions"
	"earshot/shared/embedded/fault"
	"earshot/shared/feed"
	"earshot/shared/keyword"
	"earshot/shared/web"
	"earshot/shared/worldtest"
)

// desk is the function of feeds over a World, with mentions beside it.
type desk struct {
	worldtest.Desk
	team *team
	dns  map[string][]string // names to addresses; others do not resolve
}

// team is a workspace's Slack as far as feeds ask it.
type team struct {
	feeds.Slack
	channels []feed.Channel
	err      error
	asked    int
}

func (s *team) Channels(context.Context, string) ([]feed.Channel, error) {
	s.asked++
	return s.channels, s.err
}

func newDesk(t testing.TB) desk {
	t.Helper()
	w := worldtest.NewWorld(t)
	return newDeskOver(t, w, w.Store)
}

// newDeskOver is a desk whose function has another view of the World's store.
func newDeskOver(t testing.TB, w *worldtest.World, stored feeds.Store) desk {
	t.Helper()
	d := desk{
		team: &team{channels: []feed.Channel{{ID: "C1", Name: "one"}, {ID: "C2", Name: "two"}}},
		dns:  map[string][]string{},
	}
	d.Desk = worldtest.Desk{World: w, Client: worldtest.Serve(t, w, discovery.OpenAPI(), func(api *web.API) {
		feeds.Register(api, feeds.Options{Store: stored, Clock: w.Clock, Slack: d.team, Lookup: d.lookup})
		mentions.Register(api, mentions.Options{Store: w.Store, Clock: w.Clock})
	})}
	for _, id := range []int64{7, 8} {
		k := keyword.Keyword{ID: id, Text: fmt.Sprintf("northwind %d", id)}
		worldtest.Must(t, w.Store.RestoreKeyword(t.Context(), w.Main.ID, k))
	}
	return d
}

func (d desk) lookup(ctx context.Context, host string) (addresses []netip.Addr, err error) {
	if _, bounded := ctx.Deadline(); !bounded {
		return nil, errors.New("the lookup has no end")
	}
	for _, address := range d.dns[host] {
		addresses = append(addresses, netip.MustParseAddr(address))
	}
	if addresses == nil {
		err = errors.New("no such host")
	}
	return addresses, err
}

// create makes a feed of a body.
func (d desk) create(t testing.TB, body string) (f shown) {
	t.Helper()
	d.Post(t, "/api/v2/feeds", body).OK(t, &f)
	return f
}

// shown is a feed as a client reads it.
type shown struct {
	ID                             int64
	Name                           string
	Icon                           *string
	SimpleFilters, AdvancedFilters json.RawMessage
	IsDefault                      bool
	Destinations                   []json.RawMessage
	CreatedAt, UpdatedAt           string
}

func feedPath(id int64) string { return fmt.Sprintf("/api/v2/feeds/%d", id) }

func (d desk) read(t testing.TB, id int64) (f shown) {
	t.Helper()
	d.Get(t, feedPath(id)).OK(t, &f)
	return f
}

// listed is the ids of all feeds, the default's with an asterisk.
func (d desk) listed(t testing.TB) string {
	t.Helper()
	var all struct{ Data []shown }
	d.Get(t, "/api/v2/feeds").OK(t, &all)
	var ids []string
	for _, f := range all.Data {
		if id := fmt.Sprint(f.ID); f.IsDefault {
			ids = append(ids, id+"*")
		} else {
			ids = append(ids, id)
		}
	}
	return strings.Join(ids, " ")
}

func TestLifeOfAFeed(t *testing.T) {
	d := newDesk(t)
	if got := string(d.Get(t, "/api/v2/feeds").Body); got != "{\"data\":[],\"pagination\":{\"nextCursor\":null}}\n" {
		t.Errorf("%s", got)
	}
	bare := d.Post(t, "/api/v2/feeds", `{"name":" Bare "}`)
	want := `{"id":1,"name":"Bare","icon":null,"simpleFilters":null,"advancedFilters":null,"isDefault":false,"destinations":[],` +
		`"createdAt":"2026-11-20T10:15:00.000Z","updatedAt":"2026-11-20T10:15:00.000Z"}` + "\n"
	if bare.Status != 200 || string(bare.Body) != want {
		t.Errorf("%d %s", bare.Status, bare.Body)
	}
	read := d.As(d.Read).Get(t, "/api/v2/feeds/1")
	if string(read.Body) != want || read.Header.Get("ETag") != bare.Header.Get("ETag") ||
		read.Header.Get("Cache-Control") != "private, no-cache" {
		t.Errorf("%s %v", read.Body, read.Header)
	}
	if again := d.Get(t, "/api/v2/feeds/1", "If-None-Match", read.Header.Get("ETag")); again.Status != 304 {
		t.Errorf("%d", again.Status)
	}

	// What a client wrote comes back as it was.
	simple := `{"sentiment":["negative"],"keyword":[8,7],"!source":["REDDIT"],"text":["<b>\u00e9"]}`
	advanced := `{"operator":"OR","groups":[{"conditions":[{"engaged":true}],"operator":"AND"}]}`
	full := d.create(t, `{"name":"Full","icon":" 🔥 ","isDefault":true,"simpleFilters": `+simple+` ,"advancedFilters":`+
		advanced+`}`)
	if full.ID != 2 || *full.Icon != "🔥" || string(full.SimpleFilters) != simple ||
		string(full.AdvancedFilters) != advanced || !full.IsDefault {
		t.Errorf("%+v %s %s", full, full.SimpleFilters, full.AdvancedFilters)
	}

	d.Clock.Freeze(worldtest.Now.Add(time.Minute))
	var changed shown
	d.Patch(t, feedPath(2), `{"name":"Renamed"}`).OK(t, &changed)
	if changed.Name != "Renamed" || *changed.Icon != "🔥" || string(changed.AdvancedFilters) != advanced ||
		!changed.IsDefault ||
		changed.CreatedAt != "2026-11-20T10:15:00.000Z" || changed.UpdatedAt != "2026-11-20T10:16:00.000Z" {
		t.Errorf("%+v", changed)
	}
	d.Patch(t, feedPath(2), `{"icon":null,"simpleFilters":null,"advancedFilters":null,"isDefault":false,"destinations":[]}`).OK(t, &changed)
	if changed.Icon != nil || string(changed.SimpleFilters) != "null" || string(changed.AdvancedFilters) != "null" ||
		changed.IsDefault || changed.Name != "Renamed" {
		t.Errorf("%+v", changed)
	}
	d.Patch(t, feedPath(2), `{"simpleFilters":{}}`).OK(t, &changed)
	if string(changed.SimpleFilters) != "{}" {
		t.Errorf("%s", changed.SimpleFilters)
	}
	if got := d.listed(t); got != "1 2" {
		t.Errorf("%s", got)
	}
	if got := string(d.Delete(t, feedPath(1)).Body); got != "{\"ok\":true}\n" {
		t.Errorf("%s", got)
	}
	d.Get(t, feedPath(1)).Is(t, 404, "FEED_NOT_FOUND")
	d.Patch(t, feedPath(1), `{"name":"x"}`).Is(t, 404, "FEED_NOT_FOUND")
	d.Delete(t, feedPath(1)).Is(t, 404, "FEED_NOT_FOUND")
	d.Post(t, "/api/v2/mentions", `{"view":1}`).Is(t, 404, "VIEW_NOT_FOUND")
	d.Post(t, "/api/v2/mentions", `{"view":2}`).OK(t, nil)
	if next := d.create(t, `{"name":"Renamed"}`); next.ID != 3 {
		t.Errorf("an id came again: %d", next.ID)
	}
}

func TestDoorsOfFeeds(t *testing.T) {
	d := worldtest.NewDesk(t, discovery.OpenAPI(), func(api *web.API, w *worldtest.World) {
		feeds.Register(api, feeds.Options{Store: w.Store, Clock: w.Clock})
		receivers.Register(api, receivers.Options{Store: w.Store, Clock: w.Clock, Queue: w.Queue()})
	})
	got := d.Doors(t, feeds.Group, d.World)
	want := []string{"connectSlack", "createFeed", "createNotification", "deleteFeed", "deleteNotification",
		"disconnectSlack", "enableAlert", "enableFeed", "enableNotification", "getAlertSigningSecret", "getDelivery",
		"getFeed", "getFeedSigningSecret", "getNotification", "getNotificationSigningSecret", "getSlackIntegration",
		"listDeliveries", "listFeeds",
		"listNotifications", "listSlackChannels", "recoverAlert", "recoverFeed", "recoverNotification", "resendDelivery",
		"rotateAlertSigningSecret", "rotateFeedSigningSecret",
		"rotateNotificationSigningSecret", "testNotification", "updateFeed", "updateNotification"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// Another workspace's feed is one that there is not, to the byte.
func TestAnotherWorkspacesFeed(t *testing.T) {
	d := newDesk(t)
	if err := d.Store.RestoreFeed(t.Context(), d.Other.ID, feed.Feed{ID: 5, Name: "theirs"}); err != nil {
		t.Fatal(err)
	}
	for _, ask := range []func(id int64) worldtest.Answer{
		func(id int64) worldtest.Answer { return d.Get(t, feedPath(id)) },
		func(id int64) worldtest.Answer { return d.Patch(t, feedPath(id), `{"name":"mine"}`) },
		func(id int64) worldtest.Answer { return d.Patch(t, feedPath(id), `{}`) },
		func(id int64) worldtest.Answer {
			return d.Patch(t, feedPath(id), `{"name":"mine"}`, "If-Match", `"1.x"`)
		},
		func(id int64) worldtest.Answer { return d.Delete(t, feedPath(id)) },
	} {
		theirs, unused := ask(5), ask(6)
		theirs.Is(t, 404, "FEED_NOT_FOUND")
		for _, answer := range []worldtest.Answer{theirs, unused} {
			for _, name := range []string{"X-Request-Id", "Server-Timing", "X-Ratelimit-Remaining", "Ratelimit"} {
				answer.Header.Del(name)
			}
		}
		if string(theirs.Body) != string(unused.Body) || fmt.Sprint(theirs.Header) != fmt.Sprint(unused.Header) {
			t.Errorf("%s %v\n%s %v", theirs.Body, theirs.Header, unused.Body, unused.Header)
		}
	}
	theirs := d
	theirs.Token = d.OtherKey
	if got := theirs.read(t, 5); got.Name != "theirs" {
		t.Errorf("%+v", got)
	}
}

// To add a fault, write a body and what is told of it.
func TestFaultsOfABody(t *testing.T) {
	d := newDesk(t)
	d.create(t, `{"name":"a feed"}`)
	long := strings.Repeat("ü", 101)
	for _, c := range []struct{ body, want string }{
		{`{}`, "[name required]"},
		{`[]`, "[body type]"},
		{`{"name":null}`, "[name type]"},
		{`{"name":""}`, "[name pattern]"},
		{`{"name":" \u2003 "}`, "[name pattern]"},
		{`{"name":"a\u0007b"}`, "[name pattern]"},
		{`{"name":"a\nb"}`, "[name pattern]"},
		{`{"name":"` + long + `","icon":"` + long[:66] + `"}`, "[icon max_length name max_length]"},
		{`{"name":"a","icon":"","isDefault":"yes","destinations":null}`, "[destinations type icon pattern isDefault type]"},
		{`{"name":"a","icon":5}`, "[icon type]"},
		{`{"name":"a","icon":" \u2003"}`, "[icon pattern]"},
		{`{"name":"a","id":5,"createdAt":"x"}`, "[createdAt unknown id unknown]"},
		{`{"name":"a","simpleFilters":{"sentiment":["sad"],"startDate":"2026-11-01"},"advancedFilters":{"operator":"NOT","groups":[]}}`,
			"[advancedFilters.groups min_items advancedFilters.operator enum simpleFilters.sentiment[0] enum]"},
		{`{"name":"a","simpleFilters":[],"advancedFilters":7}`, "[advancedFilters type simpleFilters type]"},
		{`{"name":"a","destinations":[{}]}`, "[destinations[0].type required]"},
		{`{"name":"a","destinations":[{"type":"email","frequency":"never","deliveryMode":null,"time":"9:00","timezone":5,"dayOfWeek":"Monday","x":1}]}`,
			"[destinations[0].dayOfWeek enum destinations[0].deliveryMode type destinations[0].frequency enum destinations[0].time pattern " +
				"destinations[0].timezone type destinations[0].type enum destinations[0].x unknown]"},
		{`{"name":"a","destinations":[{"type":"EMAIL","emailDestination":{"emails":[]}},{"type":"SLACK","slackDestination":{"channels":[null],"y":1}},` +
			`{"type":"WEBHOOK","webhookDestination":{}}]}`,
			"[destinations[0].emailDestination.emails min_items destinations[1].slackDestination.channels[0] type destinations[1].slackDestination.y unknown " +
				"destinations[2].webhookDestination.url required]"},
		{`{"name":"a","destinations":[{"type":"EMAIL","emailDestination":{"emails":["a@b.co",".a@b.co","a..b@b.co","a.@b.co","a@b","a@b.c","a b@c.de","a@-b.co","A <a@b.co>"]}}]}`,
			"[" + strings.Join(numbered("destinations[0].emailDestination.emails[%d] pattern", 1, 8), " ") + "]"},
		{`{"name":"a","destinations":[{"type":"SLACK","slackDestination":[]}]}`, "[destinations[0].slackDestination type]"},
		{`{"name":"a","destinations":[{"type":"SLACK","slackDestination":{"channels":null}}]}`,
			"[destinations[0].slackDestination.channels type]"},
		{`{"name":"a","destinations":[{"type":"EMAIL","emailDestination":{"emails":[` + strings.Repeat(`"a@b.co",`, 20) +
			`"a@b.co"]}}]}`,
			"[destinations[0].emailDestination.emails max_items]"},
	} {
		for _, patch := range []bool{false, true} {
			answer := worldtest.Answer{}
			if patch && c.body == `{}` {
				continue
			}
			if patch {
				answer = d.Patch(t, feedPath(1), c.body)
			} else {
				answer = d.Post(t, "/api/v2/feeds", c.body)
			}
			var got []string
			for _, detail := range answer.Is(t, 400, "VALIDATION_ERROR").Details {
				got = append(got, detail.Path+" "+detail.Code)
			}
			if fmt.Sprint(got) != c.want {
				t.Errorf("%s:\ngot  %v\nwant %s", c.body, got, c.want)
			}
		}
	}
	for _, path := range []string{"0", "-1", "x", "9007199254740992", "1.5"} {
		d.Get(t, "/api/v2/feeds/"+path).Is(t, 400, "VALIDATION_ERROR")
	}
	d.Get(t, "/api/v2/feeds/1?view=1").Is(t, 400, "VALIDATION_ERROR")
	d.Patch(t, feedPath(1), `{"name":"x"}`, "If-Match", "1").Is(t, 400, "VALIDATION_ERROR")
	if got := d.listed(t); got != "1" {
		t.Errorf("%s", got)
	}
}

func numbered(format string, from, to int) (texts []string) {
	for i := from; i <= to; i++ {
		texts = append(texts, fmt.Sprintf(format, i))
	}
	return texts
}

// conditions are an advanced filter of so many.
func conditions(n int, one string) string {
	return `{"operator":"AND","groups":[{"operator":"OR","conditions":[` +
		strings.TrimSuffix(strings.Repeat(one+",", n), ",") + `]}]}`
}

func TestConditionsOfAFeed(t *testing.T) {
	d := newDesk(t)
	engaged := `{"engaged":true}`
	d.Post(t, "/api/v2/feeds",
		`{"name":"a","simpleFilters":{"engaged":true},"advancedFilters":`+conditions(50, engaged)+
			`}`).Is(t, 400, "FILTER_CONDITION_LIMIT_EXCEEDED")
	d.Post(t, "/api/v2/feeds", `{"name":"a","advancedFilters":`+conditions(51, engaged)+`}`).
		Is(t, 400, "FILTER_CONDITION_LIMIT_EXCEEDED")
	f := d.create(t, `{"name":"a","simpleFilters":{"engaged":true,"startDate":"2026-11-01","endDate":"2026-11-02"},"advancedFilters":`+conditions(49, engaged)+`}`)
	d.Patch(t, feedPath(f.ID), `{"simpleFilters":{"engaged":true,"relevance":[0]}}`).
		Is(t, 400, "FILTER_CONDITION_LIMIT_EXCEEDED")
	d.Patch(t, feedPath(f.ID), `{"simpleFilters":null,"advancedFilters":`+conditions(50, engaged)+`}`).OK(t, nil)
	d.Patch(t, feedPath(f.ID), `{"simpleFilters":{"engaged":true}}`).Is(t, 400, "FILTER_CONDITION_LIMIT_EXCEEDED")
	d.Patch(t, feedPath(f.ID), `{"simpleFilters":{}}`).OK(t, nil)
}

// A side may name the keywords of the workspace, and those that it named before.
func TestKeywordsOfAFeed(t *testing.T) {
	d := newDesk(t)
	if err := d.Store.RestoreKeyword(t.Context(), d.Other.ID, keyword.Keyword{ID: 99, Text: "theirs"}); err != nil {
		t.Fatal(err)
	}
	if err := d.Store.RestoreFeed(t.Context(), d.Main.ID,
		feed.Feed{ID: 4, Name: "old", SimpleFilters: []byte(`{"keyword":[7,50]}`)}); err != nil {
		t.Fatal(err)
	}
	for _, filters := range []string{`"simpleFilters":{"keyword":[7,99]}`, `"simpleFilters":{"!keyword":[50]}`,
		`"advancedFilters":` + conditions(1, `{"keyword":[50]}`)} {
		d.Post(t, "/api/v2/feeds", `{"name":"a",`+filters+`}`).Is(t, 400, "MENTION_KEYWORD_UNKNOWN")
	}
	d.create(t, `{"name":"a","simpleFilters":{"keyword":[8,7,8]},"advancedFilters":`+conditions(2, `{"!keyword":[8]}`)+`}`)
	d.Patch(t, feedPath(4), `{"name":"renamed"}`).OK(t, nil)
	d.Patch(t, feedPath(4), `{"simpleFilters":{"keyword":[8],"!keyword":[50]}}`).OK(t, nil)
	d.Patch(t, feedPath(4), `{"advancedFilters":`+conditions(1, `{"keyword":[50]}`)+`}`).
		Is(t, 400, "MENTION_KEYWORD_UNKNOWN")
	d.Patch(t, feedPath(4), `{"simpleFilters":{"keyword":[99,50]}}`).Is(t, 400, "MENTION_KEYWORD_UNKNOWN")
	d.Patch(t, feedPath(4), `{"simpleFilters":null}`).OK(t, nil)
	d.Patch(t, feedPath(4), `{"simpleFilters":{"keyword":[50]}}`).Is(t, 400, "MENTION_KEYWORD_UNKNOWN")
}

func TestDefaultFeed(t *testing.T) {
	d := newDesk(t)
	expect := func(want string) {
		t.Helper()
		if got := d.listed(t); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	d.create(t, `{"name":"a","isDefault":true}`)
	d.create(t, `{"name":"b"}`)
	expect("1* 2")
	d.create(t, `{"name":"c","isDefault":true}`)
	expect("1 2 3*")
	first := d.Get(t, feedPath(1))
	d.Patch(t, feedPath(2), `{"isDefault":true}`).OK(t, nil)
	expect("1 2* 3")
	// That it was taken from 3 is no change of 3, and that 1 is none any more stays so.
	d.Patch(t, feedPath(1), `{"isDefault":false}`, "If-Match", first.Header.Get("ETag")).OK(t, nil)
	expect("1 2* 3")
	d.Patch(t, feedPath(2), `{"name":"renamed"}`).OK(t, nil)
	expect("1 2* 3")
	d.Patch(t, feedPath(2), `{"isDefault":true}`).OK(t, nil)
	expect("1 2* 3")
	d.Patch(t, feedPath(2), `{"isDefault":false}`).OK(t, nil)
	expect("1 2 3")
	d.Patch(t, feedPath(3), `{"isDefault":true}`).OK(t, nil)
	three := d.Get(t, feedPath(3))
	d.Patch(t, feedPath(1), `{"isDefault":true}`).OK(t, nil)
	if lost := d.Get(t, feedPath(3), "If-None-Match", three.Header.Get("ETag")); lost.Status != 200 {
		t.Errorf("a feed that is the default no more is still as it was: %d", lost.Status)
	}
	d.Patch(t, feedPath(3), `{"name":"c"}`, "If-Match", three.Header.Get("ETag")).OK(t, nil)
	d.Delete(t, feedPath(1)).OK(t, nil)
	expect("2 3")
}

// A request that died before it answered made one feed, and the repeat answers it.
func TestRepeatsOfAnswersThatWereLost(t *testing.T) {
	d := newDesk(t)
	d.CrashOnce("transact")
	d.Post(t, "/api/v2/feeds", `{"name":"once"}`, "Idempotency-Key", "a").Is(t, 500, "INTERNAL_ERROR")
	var f shown
	d.Post(t, "/api/v2/feeds", `{"name":"once"}`, "Idempotency-Key", "a").OK(t, &f)
	if f.ID != 1 || d.listed(t) != "1" {
		t.Errorf("%+v, %s", f, d.listed(t))
	}
	tag := d.Get(t, feedPath(1)).Header.Get("ETag")
	d.CrashOnce("transact")
	d.Patch(t, feedPath(1), `{"name":"twice"}`, "If-Match", tag, "Idempotency-Key", "b").Is(t, 500, "INTERNAL_ERROR")
	d.Patch(t, feedPath(1), `{"name":"twice"}`, "If-Match", tag, "Idempotency-Key", "b").OK(t, &f)
	if f.Name != "twice" {
		t.Errorf("%+v", f)
	}
	d.CrashOnce("transact")
	d.Delete(t, feedPath(1), "Idempotency-Key", "c").Is(t, 500, "INTERNAL_ERROR")
	d.Delete(t, feedPath(1), "Idempotency-Key", "c").OK(t, nil)
	if d.listed(t) != "" {
		t.Error(d.listed(t))
	}
	// A feed that was made, and deleted before the repeat, is not made again.
	d.CrashOnce("transact")
	d.Post(t, "/api/v2/feeds", `{"name":"gone"}`, "Idempotency-Key", "d").Is(t, 500, "INTERNAL_ERROR")
	d.Delete(t, feedPath(2)).OK(t, nil)
	d.Post(t, "/api/v2/feeds", `{"name":"gone"}`, "Idempotency-Key", "d").Is(t, 404, "FEED_NOT_FOUND")
	if d.listed(t) != "" {
		t.Error(d.listed(t))
	}
}

// An answer that got lost between the store and the function is no lost race.
func TestTransportIsNoRace(t *testing.T) {
	d := newDesk(t)
	d.create(t, `{"name":"a"}`)
	for _, kind := range []fault.Kind{fault.Throttle, fault.Error} {
		d.Fault(fault.Fault{Port: "table", Operation: "transact", Fault: kind, Times: 2})
		d.Patch(t, feedPath(1), `{"name":"`+string(kind)+`"}`).OK(t, nil)
	}
	d.Fault(fault.Fault{Port: "table", Operation: "transact", Fault: fault.Error})
	d.Patch(t, feedPath(1), `{"name":"never"}`).Is(t, 500, "INTERNAL_ERROR")
	d.Delete(t, feedPath(1)).Is(t, 500, "INTERNAL_ERROR")
	d.Post(t, "/api/v2/feeds", `{"name":"never"}`).Is(t, 500, "INTERNAL_ERROR")
	d.Faults.Clear()
	if f := d.read(t, 1); f.Name != string(fault.Error) {
		t.Errorf("%+v", f)
	}
}

func TestLargeFeeds(t *testing.T) {
	d := newDesk(t)
	values := func(n int) string {
		return strings.TrimSuffix(strings.Repeat(`"`+strings.Repeat("<", 200)+`",`, n), ",")
	}
	d.Post(t, "/api/v2/feeds", `{"name":"a","simpleFilters":{"text":[`+values(100)+`],"!text":[`+values(100)+`]}}`).
		Is(t, 400, "INVALID_INPUT")
	first := d.create(t, `{"name":"a","simpleFilters":{"text":[`+values(100)+`]}}`).ID
	d.Patch(t, feedPath(first), `{"advancedFilters":`+conditions(1, `{"text":[`+values(100)+`]}`)+`}`).
		Is(t, 400, "INVALID_INPUT")
	made := 1
	for ; made < 100; made++ {
		answer := d.Post(t, "/api/v2/feeds", `{"name":"a","simpleFilters":{"text":[`+values(100)+`]}}`)
		if answer.Status != 200 {
			answer.Is(t, 400, "INVALID_INPUT")
			break
		}
	}
	list := d.Get(t, "/api/v2/feeds")
	list.OK(t, nil)
	if sent := web.Sent(list.Body); made < 20 || sent > web.MaxSent || sent < web.MaxSent/2 {
		t.Errorf("%d feeds, and a list of %d bytes", made, sent)
	}
	d.Patch(t, feedPath(first), `{"simpleFilters":{}}`).OK(t, nil)
	second := d.create(t, `{"name":"a","simpleFilters":{"text":[`+values(50)+`]}}`).ID
	d.Patch(t, feedPath(first), `{"simpleFilters":{"text":[`+values(100)+`]}}`).Is(t, 400, "INVALID_INPUT")
	d.Delete(t, feedPath(second)).OK(t, nil)
	d.Patch(t, feedPath(first), `{"simpleFilters":{"text":[`+values(100)+`]}}`).OK(t, nil)
}

// The fault of a blank name says what is missing, and not that a control character is there.
func TestCreateFeed_BlankName(t *testing.T) {
	r := newDesk(t)
	for _, body := range []string{`{"name":""}`, `{"name":"  "}`} {
		var refused struct {
			Error struct{ Message string }
		}
		got := r.Post(t, "/api/v2/feeds", body)
		got.Is(t, 400, "VALIDATION_ERROR")
		worldtest.Must(t, json.Unmarshal(got.Body, &refused))
		if want := "at least one visible character"; !strings.Contains(refused.Error.Message, want) {
			t.Errorf("POST %s = %q, want it to say %q", body, refused.Error.Message, want)
		}
	}
}

func TestFeed_UnchangedKeepsItsRevision(t *testing.T) {
	r := newRoom(t)
	id := r.newFeed(t, feed.Feed{Name: "Launches", SimpleFilters: []byte(`{"source":["github"]}`)})
	at := fmt.Sprintf("/api/v2/feeds/%d", id)
	tag := r.Get(t, at).Header.Get("ETag")
	for _, change := range []string{`{}`, `{"name":"Launches"}`, `{"simpleFilters":{"source":["github"]}}`} {
		if got := r.Patch(t, at, change).Header.Get("ETag"); got != tag {
			t.Errorf("%s: the ETag is %s, want %s", change, got, tag)
		}
	}
}
