package feeds_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"earshot/functions/discovery"
	"earshot/functions/feeds"
	"earshot/shared/delivery"
	"earshot/shared/feed"
	"earshot/shared/port/mail"
	"earshot/shared/port/table"
	"earshot/shared/store/rows"
	"earshot/shared/web"
	"earshot/shared/worldtest"
)

// outside is all that the function reaches beyond the store: it keeps what is sent.
type outside struct {
	mu       sync.Mutex
	team     feed.Team
	channels []feed.Channel
	slackErr error                     // of all that Slack is asked
	postErr  map[string]error          // by channel
	mailErr  map[string]error          // by address
	hookErr  error                     // of the webhook
	hookSays string                    // why it took no event; empty: it did
	posts    []string                  // "channel text blocks"
	mails    []mail.Message            //
	hooks    map[string][]string       // bodies by URL
	orgs     map[string]bool           // who was asked for
	during   func(ctx context.Context) // while a mail is sent
}

func (o *outside) Team(_ context.Context, orgID string) (feed.Team, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.orgs[orgID] = true
	return o.team, o.slackErr
}

func (o *outside) Channels(_ context.Context, orgID string) ([]feed.Channel, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.orgs[orgID] = true
	return o.channels, o.slackErr
}

// slackPosts is the outside's Slack, and webhooks its webhooks: both have a Post.
type slackPosts struct{ *outside }

func (o slackPosts) Post(_ context.Context, orgID, channelID string, m feed.SlackMessage) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if err := errors.Join(o.slackErr, o.postErr[channelID]); err != nil {
		return err
	}
	o.orgs[orgID] = true
	o.posts = append(o.posts, channelID+" "+m.Text+" "+string(m.Blocks))
	return nil
}

func (o *outside) Authorize(_ context.Context, redirect, state string) (string, error) {
	return "https://slack.example/?redirect_uri=" + redirect + "&state=" + state, o.slackErr
}

func (o *outside) Connect(context.Context, string, string, string) (feed.Team, error) {
	return o.team, o.slackErr
}

func (o *outside) Disconnect(context.Context, string) error { return o.slackErr }

type webhooks struct{ *outside }

func (o webhooks) Post(_ context.Context, url string, m delivery.Message) (delivery.Outcome, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.hookErr != nil {
		return delivery.Outcome{}, o.hookErr
	}
	o.hooks[url] = append(o.hooks[url], string(m.Body))
	if o.hookSays != "" {
		return delivery.Outcome{Status: 500, Reason: o.hookSays}, nil
	}
	return delivery.Outcome{Status: 200}, nil
}

func (o *outside) Send(ctx context.Context, message mail.Message) error {
	if o.during != nil {
		o.during(ctx)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if err := o.mailErr[message.To]; err != nil {
		return err
	}
	o.mails = append(o.mails, message)
	return ctx.Err()
}

// room is a World with a feed in its main workspace, and the outside.
type room struct {
	worldtest.Desk
	*outside
	feed int64
}

func newRoom(t *testing.T) *room {
	t.Helper()
	r := &room{outside: &outside{
		team:     feed.Team{ID: "T1", Name: "Northwind"},
		channels: []feed.Channel{{ID: "C1", Name: "alerts"}, {ID: "C2", Name: "mentions"}},
		postErr:  map[string]error{},
		mailErr:  map[string]error{},
		hooks:    map[string][]string{},
		orgs:     map[string]bool{},
	}}
	r.Desk = worldtest.NewDesk(t, discovery.OpenAPI(), func(api *web.API, w *worldtest.World) {
		feeds.Register(api, feeds.Options{
			Store:   w.Store,
			Clock:   w.Clock,
			Slack:   slackPosts{r.outside},
			Webhook: webhooks{r.outside},
			Mail:    r.outside,
		})
	})
	r.feed = r.newFeed(t, feed.Feed{Name: "Launch"})
	return r
}

func (r *room) newFeed(t *testing.T, f feed.Feed) int64 {
	t.Helper()
	made, err := r.Store.CreateFeed(t.Context(), r.Main.ID, f, "")
	if err != nil {
		t.Fatal(err)
	}
	return made.ID
}

// create makes a notification; rest are members of the body beside name and feedId.
func (r *room) create(t *testing.T, rest string, header ...string) worldtest.Answer {
	t.Helper()
	return r.Post(t, "/api/v2/notifications", fmt.Sprintf(`{"name":"Alerts","feedId":%d%s}`, r.feed, rest), header...)
}

func (r *room) made(t *testing.T, rest string) (n seen) {
	t.Helper()
	r.create(t, rest).OK(t, &n)
	return n
}

// seen is a notification as a client reads it.
type seen struct {
	ID                   int64
	Name                 string
	FeedID               int64
	Destinations         []map[string]any
	FeedDestinationIndex *int
	Enabled              bool
	CreatedAt, UpdatedAt time.Time
}

func path(id int64, more ...string) string {
	return "/api/v2/notifications/" + strconv.FormatInt(id, 10) + strings.Join(more, "")
}

const (
	byMail    = `{"type":"EMAIL","emailDestination":{"emails":["a@northwind.example","b@northwind.example"]}}`
	bySlack   = `{"type":"SLACK","slackDestination":{"channels":["C1","C2"]}}`
	byWebhook = `{"type":"WEBHOOK","webhookDestination":{"url":"https://hooks.example/mentions"}}`
)

func TestNotificationIsCreatedReadAndDeleted(t *testing.T) {
	r := newRoom(t)
	r.Get(t, "/api/v2/notifications").OK(t, &struct{}{})
	if got := string(r.Get(t, "/api/v2/notifications").Body); strings.TrimSpace(got) != `{"data":[]}` {
		t.Errorf("at first: %s", got)
	}
	answer := r.create(t, `,"destinations":[`+byMail+`,`+bySlack+`,`+byWebhook+
		`],"feedDestinationIndex":null,"enabled":false`)
	var n, again seen
	answer.OK(t, &n)
	if n.ID != 1 || n.Name != "Alerts" || n.FeedID != r.feed || len(n.Destinations) != 3 ||
		n.FeedDestinationIndex != nil || n.Enabled ||
		!n.CreatedAt.Equal(worldtest.Now) || !n.UpdatedAt.Equal(worldtest.Now) {
		t.Errorf("%+v", n)
	}
	read := r.As(r.Read).Get(t, path(n.ID))
	read.OK(t, &again)
	if !bytes.Equal(read.Body, answer.Body) || read.Header.Get("ETag") == "" ||
		read.Header.Get("ETag") != answer.Header.Get("ETag") {
		t.Errorf("read %s %s, created %s %s", read.Body, read.Header.Get("ETag"), answer.Body, answer.Header.Get("ETag"))
	}
	if r.As(r.Read).Get(t, path(n.ID), "If-None-Match", read.Header.Get("ETag")).Status != 304 {
		t.Error("what has not changed is sent again")
	}
	if plain := r.made(t, `,"destinations":[],"name":"x"`[:18]); !plain.Enabled || plain.Destinations == nil ||
		len(plain.Destinations) != 0 || plain.ID != 2 {
		t.Errorf("%+v", plain)
	}
	var list struct{ Data []seen }
	r.As(r.Read).Get(t, "/api/v2/notifications").OK(t, &list)
	if len(list.Data) != 2 || list.Data[0].ID != 1 || list.Data[1].ID != 2 {
		t.Errorf("%+v", list)
	}
	var done struct{ OK bool }
	if r.Delete(t, path(1)).OK(t, &done); !done.OK {
		t.Error("it is not ok")
	}
	r.Delete(t, path(1)).Is(t, 404, "NOTIFICATION_NOT_FOUND")
	r.Get(t, path(1)).Is(t, 404, "NOTIFICATION_NOT_FOUND")
}

// Another workspace's notification is as one that never was, to the byte.
func TestNotificationOfAnotherWorkspace(t *testing.T) {
	r := newRoom(t)
	n := r.made(t, "")
	other := r.As(r.OtherKey)
	for name, ask := range map[string]func(id int64) worldtest.Answer{
		"read":   func(id int64) worldtest.Answer { return other.Get(t, path(id)) },
		"change": func(id int64) worldtest.Answer { return other.Patch(t, path(id), `{"name":"mine"}`) },
		"places": func(id int64) worldtest.Answer { return other.Patch(t, path(id), `{"destinations":[`+byMail+`]}`) },
		"delete": func(id int64) worldtest.Answer { return other.Delete(t, path(id)) },
		"test":   func(id int64) worldtest.Answer { return other.Post(t, path(id, "/test"), "") },
	} {
		there, unused := ask(n.ID), ask(n.ID+1000)
		there.Is(t, 404, "NOTIFICATION_NOT_FOUND")
		if !bytes.Equal(there.Body, unused.Body) {
			t.Errorf("%s: %s and %s", name, there.Body, unused.Body)
		}
	}
	r.Get(t, path(n.ID)).OK(t, &n)
	var list struct{ Data []seen }
	other.Get(t, "/api/v2/notifications").OK(t, &list)
	if len(list.Data) != 0 || n.Name != "Alerts" {
		t.Errorf("%+v %+v", list, n)
	}
	theirs := other.Post(t, "/api/v2/notifications", fmt.Sprintf(`{"name":"x","feedId":%d}`, r.feed))
	none := other.Post(t, "/api/v2/notifications", fmt.Sprintf(`{"name":"x","feedId":%d}`, r.feed+1000))
	theirs.Is(t, 404, "FEED_NOT_FOUND")
	if !bytes.Equal(theirs.Body, none.Body) {
		t.Errorf("another's feed: %s and %s", theirs.Body, none.Body)
	}
}

func TestNotificationFaults(t *testing.T) {
	r := newRoom(t)
	n := r.made(t, "")
	for body, want := range map[string]string{
		`{}`:                                                      "feedId name",
		`{"name":"","feedId":0}`:                                  "feedId name",
		`{"name":"   ","feedId":1}`:                               "name",
		`{"name":"a\u0000b","feedId":1}`:                          "name",
		`{"name":"a\nb","feedId":1.5}`:                            "feedId name",
		`{"name":null,"feedId":null}`:                             "feedId name",
		`{"name":"x","feedId":1,"unknown":2}`:                     "unknown",
		`{"name":"x","feedId":1,"enabled":null}`:                  "enabled",
		`{"name":"x","feedId":1,"enabled":"yes"}`:                 "enabled",
		`{"name":"x","feedId":1,"destinations":null}`:             "destinations",
		`{"name":"x","feedId":1,"destinations":[{"type":"FAX"}]}`: "destinations[0].type",
		`{"name":"x","feedId":1,"destinations":[{"type":"EMAIL","emailDestination":{"emails":["a","b@x"]}}]}`:    "destinations[0].emailDestination.emails[0] destinations[0].emailDestination.emails[1]",
		`{"name":"","feedId":1,"destinations":[{"type":"WEBHOOK","webhookDestination":{"url":7,"extra":true}}]}`: "destinations[0].webhookDestination.extra destinations[0].webhookDestination.url name",
		`{"name":"x","feedId":1,"feedDestinationIndex":-1}`:                                                      "feedDestinationIndex",
		`{"name":"x","feedId":1,"feedDestinationIndex":0.5}`:                                                     "feedDestinationIndex",
		`{"name":"x","feedId":1,"feedDestinationIndex":"0"}`:                                                     "feedDestinationIndex",
		`{"name":"x","feedId":1,"feedDestinationIndex":9007199254740992}`:                                        "feedDestinationIndex",
		`{"name":"` + strings.Repeat("é", 101) + `","feedId":1}`:                                                 "name",
	} {
		problem := r.Post(t, "/api/v2/notifications", body).Is(t, 400, "VALIDATION_ERROR")
		if got := paths(problem); got != want {
			t.Errorf("%s: faults at %s, want %s", body, got, want)
		}
		if !strings.Contains(want, "feedId") && !strings.Contains(body, `"name":""`) {
			changed := strings.Replace(body, `"feedId":1,`, "", 1)
			if got := paths(r.Patch(t, path(n.ID), changed).Is(t, 400, "VALIDATION_ERROR")); got != want {
				t.Errorf("a change by %s: faults at %s, want %s", changed, got, want)
			}
		}
	}
	for _, id := range []string{"0", "-1", "x", "1.5", "9007199254740992", "01x", "%20"} {
		if got := paths(r.Get(t, "/api/v2/notifications/"+id).Is(t, 400, "VALIDATION_ERROR")); got != "path.id" {
			t.Errorf("the id %s: %s", id, got)
		}
	}
	long := strings.Repeat("é", 100)
	var made seen
	r.Post(t, "/api/v2/notifications", fmt.Sprintf(`{"name":%q,"feedId":%d}`, long, r.feed)).OK(t, &made)
	if made.Name != long {
		t.Errorf("%q", made.Name)
	}
	r.Patch(t, path(made.ID), `{"name":"  spaced  "}`).OK(t, &made)
	if made.Name != "spaced" {
		t.Errorf("%q", made.Name)
	}
}

func paths(p worldtest.Problem) string {
	var found []string
	for _, detail := range p.Details {
		found = append(found, detail.Path)
	}
	return strings.Join(found, " ")
}

func TestNotificationIsRefused(t *testing.T) {
	r := newRoom(t)
	withPlaces := r.newFeed(t, feed.Feed{Name: "With places", Destinations: []feed.Destination{
		{Type: feed.Email, Frequency: feed.Instant, DeliveryMode: feed.Batch, Emails: []string{"a@northwind.example"}},
	}})
	n := r.made(t, "")
	body := func(id int64, rest string) string { return fmt.Sprintf(`{"name":"x","feedId":%d%s}`, id, rest) }
	for _, c := range []struct {
		body   string
		status int
		code   string
	}{
		{body(999, ""), 404, "FEED_NOT_FOUND"},
		{body(999, `,"feedDestinationIndex":0`), 404, "FEED_NOT_FOUND"},
		{body(r.feed, `,"feedDestinationIndex":0`), 400, "DESTINATION_INDEX_OUT_OF_RANGE"},
		{body(withPlaces, `,"feedDestinationIndex":1`), 400, "DESTINATION_INDEX_OUT_OF_RANGE"},
		{body(withPlaces, `,"feedDestinationIndex":9007199254740991`), 400, "DESTINATION_INDEX_OUT_OF_RANGE"},
		{body(withPlaces, `,"feedDestinationIndex":0,"destinations":[`+byMail+`]`), 400, "INVALID_INPUT"},
		{body(r.feed, `,"destinations":[{"type":"EMAIL"}]`), 400, "INVALID_DESTINATION"},
		{body(r.feed, `,"destinations":[`+byMail+`,`+byMail+`]`), 400, "INVALID_DESTINATION"},
		{body(r.feed, `,"destinations":[{"type":"SLACK","slackDestination":{}}]`), 400, "SLACK_CHANNEL_REQUIRED"},
		{body(r.feed, `,"destinations":[{"type":"SLACK","slackDestination":{"channels":["C9"]}}]`), 400,
			"SLACK_CHANNEL_NOT_FOUND"},
		{body(r.feed, `,"destinations":[{"type":"WEBHOOK","webhookDestination":{"url":"https://127.0.0.1/"}}]`), 400,
			"WEBHOOK_URL_INVALID"},
		{body(r.feed, `,"destinations":[{"type":"EMAIL","frequency":"daily","timezone":"Mars/Base","emailDestination":{"emails":["a@northwind.example"]}}]`), 400, "INVALID_TIMEZONE"},
	} {
		r.Post(t, "/api/v2/notifications", c.body).Is(t, c.status, c.code)
		r.Patch(t, path(n.ID), c.body).Is(t, c.status, c.code)
		r.Patch(t, path(n.ID+500), c.body).Is(t, 404, "NOTIFICATION_NOT_FOUND")
	}
	r.slackErr = feed.ErrSlackNotConnected
	r.create(t, `,"destinations":[`+bySlack+`]`).Is(t, 400, "SLACK_NOT_CONNECTED")
	r.Patch(t, path(n.ID), `{"destinations":[`+bySlack+`]}`).Is(t, 400, "SLACK_NOT_CONNECTED")
	r.slackErr = errors.New("Slack is away")
	r.create(t, `,"destinations":[`+bySlack+`]`).Is(t, 500, "INTERNAL_ERROR")
	r.Get(t, path(n.ID)).OK(t, &n)
	if n.Name != "Alerts" || len(n.Destinations) != 0 || n.FeedDestinationIndex != nil {
		t.Errorf("a refused change was made: %+v", n)
	}
}

func TestNotification_UnchangedKeepsItsRevision(t *testing.T) {
	r := newRoom(t)
	n := r.made(t, "")
	tag := r.Get(t, path(n.ID)).Header.Get("ETag")
	for _, change := range []string{`{}`, `{"name":"Alerts"}`} {
		if got := r.Patch(t, path(n.ID), change).Header.Get("ETag"); got != tag {
			t.Errorf("%s: the ETag is %s, want %s", change, got, tag)
		}
	}
}

func TestNotificationChanges(t *testing.T) {
	r := newRoom(t)
	withPlaces := r.newFeed(t, feed.Feed{Name: "With places", Destinations: []feed.Destination{
		{Type: feed.Email, Frequency: feed.Instant, DeliveryMode: feed.Batch, Emails: []string{"a@northwind.example"}},
	}})
	n := r.made(t, `,"destinations":[`+byMail+`]`)
	change := func(body string) seen {
		t.Helper()
		var changed seen
		r.Patch(t, path(n.ID), body).OK(t, &changed)
		return changed
	}
	if got := change(`{}`); got.Name != "Alerts" || len(got.Destinations) != 1 || !got.Enabled {
		t.Errorf("%+v", got)
	}
	r.Clock.Freeze(worldtest.Now.Add(time.Minute))
	if got := change(`{"enabled":false,"name":"Other"}`); got.Enabled || got.Name != "Other" ||
		len(got.Destinations) != 1 || !got.CreatedAt.Equal(worldtest.Now) ||
		!got.UpdatedAt.Equal(worldtest.Now.Add(time.Minute)) {
		t.Errorf("%+v", got)
	}
	// From places of its own to one of the feed's, and back.
	r.Patch(t, path(n.ID), fmt.Sprintf(`{"feedId":%d,"feedDestinationIndex":0}`, withPlaces)).Is(t, 400, "INVALID_INPUT")
	if got := change(fmt.Sprintf(`{"feedId":%d,"feedDestinationIndex":0,"destinations":[]}`,
		withPlaces)); got.FeedDestinationIndex == nil ||
		*got.FeedDestinationIndex != 0 || len(got.Destinations) != 0 || got.FeedID != withPlaces {
		t.Errorf("%+v", got)
	}
	r.Patch(t, path(n.ID), fmt.Sprintf(`{"feedId":%d}`, r.feed)).Is(t, 400, "DESTINATION_INDEX_OUT_OF_RANGE")
	r.Patch(t, path(n.ID), `{"destinations":[`+bySlack+`]}`).Is(t, 400, "INVALID_INPUT")
	if got := change(`{"destinations":[` + bySlack + `],"feedDestinationIndex":null}`); got.FeedDestinationIndex != nil ||
		len(got.Destinations) != 1 {
		t.Errorf("%+v", got)
	}
	if got := change(`{"feedDestinationIndex":null}`); len(got.Destinations) != 1 {
		t.Errorf("%+v", got)
	}
}

// What an answer shows can be sent back as it is, whatever has become of the Slack, the host and the feed that it names: so it is
// switched off.
func TestNotificationIsSentBack(t *testing.T) {
	r := newRoom(t)
	withPlaces := r.newFeed(t, feed.Feed{Name: "With places", Destinations: []feed.Destination{
		{Type: feed.Email, Frequency: feed.Instant, DeliveryMode: feed.Batch, Emails: []string{"a@northwind.example"}},
	}})
	ids := []int64{r.made(t, `,"destinations":[`+bySlack+`,`+byMail+`]`).ID}
	var n seen
	r.Post(t, "/api/v2/notifications", fmt.Sprintf(`{"name":"x","feedId":%d,"feedDestinationIndex":0}`, withPlaces)).
		OK(t, &n)
	ids = append(ids, n.ID)
	r.slackErr = feed.ErrSlackNotConnected
	r.lose(t, r.feed)
	r.lose(t, withPlaces)
	for _, id := range ids {
		shown := decode(t, string(r.Get(t, path(id)).Body))
		for _, readOnly := range []string{"id", "createdAt", "updatedAt"} {
			delete(shown, readOnly)
		}
		shown["enabled"] = false
		body, err := json.Marshal(shown)
		if err != nil {
			t.Fatal(err)
		}
		var back seen
		if r.Patch(t, path(id), string(body)).OK(t, &back); back.Enabled {
			t.Errorf("%+v", back)
		}
	}
	// What it did not name before is looked at, and an index that its feed has no more.
	shrunk := r.newFeed(t, feed.Feed{Name: "Shrunk", Destinations: []feed.Destination{
		{Type: feed.Email, Frequency: feed.Instant, DeliveryMode: feed.Batch, Emails: []string{"a@northwind.example"}},
	}})
	r.Post(t, "/api/v2/notifications", fmt.Sprintf(`{"name":"x","feedId":%d,"feedDestinationIndex":0}`, shrunk)).OK(t, &n)
	if _, err := r.Store.ChangeFeed(t.Context(), r.Main.ID, shrunk, "",
		func(f *feed.Feed) error { f.Destinations = nil; return nil }); err != nil {
		t.Fatal(err)
	}
	r.Patch(t, path(n.ID), `{"feedDestinationIndex":0}`).Is(t, 400, "DESTINATION_INDEX_OUT_OF_RANGE")
	r.Patch(t, path(ids[0]), `{"destinations":[{"type":"SLACK","slackDestination":{"channels":["C1"]}}]}`).
		Is(t, 400, "SLACK_NOT_CONNECTED")
	r.Patch(t, path(ids[1]), `{"feedDestinationIndex":1}`).Is(t, 404, "FEED_NOT_FOUND")
}

// lose takes a feed from under its notifications, as it was deleted once.
func (r *room) lose(t *testing.T, id int64) {
	t.Helper()
	key := table.Key{Partition: r.Main.ID, Sort: fmt.Sprintf("feed#%016d", id)}
	err := r.Table.Delete(t.Context(), table.Delete{Table: rows.CoreTable, Key: key, If: table.Present()})
	if err != nil {
		t.Fatal(err)
	}
}

func decode(t *testing.T, text string) (tree map[string]any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &tree); err != nil {
		t.Fatal(err)
	}
	return tree
}
