package feeds_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"earshot/functions/discovery"
	"earshot/functions/feeds"
	"earshot/shared/embedded/environmentsecret"
	"earshot/shared/embedded/fault"
	"earshot/shared/feed"
	"earshot/shared/mention"
	"earshot/shared/outbound"
	"earshot/shared/outbound/slack"
	"earshot/shared/outbound/webhook"
	"earshot/shared/port/mail"
	"earshot/shared/web"
	"earshot/shared/worldtest"
)

type tried struct {
	OK        bool
	Delivered []struct {
		Type, Error string
		Success     bool
	}
}

func (r *room) try(t *testing.T, id int64, header ...string) (got tried) {
	t.Helper()
	r.Do(t, worldtest.Request{Method: http.MethodPost, Target: path(id, "/test"), Header: header}).OK(t, &got)
	return got
}

func TestNotificationIsTried(t *testing.T) {
	r := newRoom(t)
	older, newest := worldtest.Mention(41, "hackernews_comment_41", worldtest.Now.Add(-time.Hour)),
		worldtest.Mention(42, "hackernews_comment_42", worldtest.Now)
	r.Put(t, r.Main.ID, older, newest)
	r.Put(t, r.Other.ID, worldtest.Mention(43, "hackernews_comment_43", worldtest.Now.Add(time.Minute)))
	n := r.made(t, `,"enabled":false,"destinations":[`+bySlack+`,`+byWebhook+`,`+byMail+`]`)
	got := r.try(t, n.ID)
	if !got.OK || len(got.Delivered) != 3 || got.Delivered[0].Type != "SLACK" || got.Delivered[1].Type != "WEBHOOK" ||
		got.Delivered[2].Type != "EMAIL" {
		t.Fatalf("%+v", got)
	}
	for _, one := range got.Delivered {
		if !one.Success || one.Error != "" {
			t.Errorf("%+v", one)
		}
	}
	if len(r.posts) != 2 || !strings.HasPrefix(r.posts[0], "C1 Test of the notification “Alerts”") ||
		!strings.HasPrefix(r.posts[1], "C2 ") ||
		!strings.Contains(r.posts[0], newest.URL) {
		t.Errorf("%q", r.posts)
	}
	if len(r.orgs) != 1 || !r.orgs[r.Main.ID] {
		t.Errorf("Slack was asked for %v", r.orgs)
	}
	to := map[string]bool{}
	for _, message := range r.mails {
		to[message.To] = true
		if message.Subject != "Test of Alerts: A title" || !strings.Contains(message.Text, newest.URL) ||
			!strings.Contains(message.HTML, `<a href="`+newest.URL+`"`) {
			t.Errorf("%+v", message)
		}
	}
	if len(r.mails) != 2 || !to["a@northwind.example"] || !to["b@northwind.example"] {
		t.Errorf("%v", to)
	}
	bodies := r.hooks["https://hooks.example/mentions"]
	if len(bodies) != 1 {
		t.Fatalf("%q", r.hooks)
	}
	sent := decode(t, bodies[0])
	data, _ := sent["data"].(map[string]any)
	wire, _ := data["mention"].(map[string]any)
	of, _ := data["feed"].(map[string]any)
	if len(sent) != 3 || len(data) != 3 || sent["type"] != "test" || data["notificationId"] != float64(n.ID) ||
		of["id"] != float64(r.feed) || of["name"] == "" || sent["timestamp"] != "2026-11-20T10:15:00.000Z" ||
		wire["sourceId"] != "hackernews_comment_42" || wire["id"] != 42.0 || wire["timestamp"] != "2026-11-20 10:15:00.000" {
		t.Errorf("%s", bodies[0])
	}
}

// The sample is what the feed shows: by both sides of its filter, relevant mentions alone.
func TestSampleIsOfTheFeed(t *testing.T) {
	r := newRoom(t)
	german, english := worldtest.Mention(1, "german", worldtest.Now.Add(-3*time.Hour)),
		worldtest.Mention(2, "english", worldtest.Now.Add(-2*time.Hour))
	german.Language = "german"
	negative := worldtest.Mention(3, "negative", worldtest.Now.Add(-time.Hour))
	negative.Language, negative.Sentiment = "german", mention.Negative
	low := mention.Low
	off := worldtest.Mention(4, "off", worldtest.Now)
	off.Language, off.Relevant, off.RelevanceScore = "german", false, &low
	r.Put(t, r.Main.ID, german, english, negative, off)
	id := r.newFeed(t, feed.Feed{Name: "German praise", SimpleFilters: []byte(`{"language":["german"]}`),
		AdvancedFilters: []byte(
			`{"operator":"AND","groups":[{"operator":"AND","conditions":[{"sentiment":["positive"]}]}]}`)})
	n := r.made(t, `,"destinations":[`+byWebhook+`]`)
	r.Patch(t, path(n.ID), fmt.Sprintf(`{"feedId":%d}`, id)).OK(t, &struct{}{})
	r.try(t, n.ID)
	if got := r.hooks["https://hooks.example/mentions"]; len(got) != 1 ||
		!strings.Contains(got[0], `"sourceId":"german"`) {
		t.Errorf("%q", got)
	}
}

func TestNotificationByIndexIsTried(t *testing.T) {
	r := newRoom(t)
	r.Put(t, r.Main.ID, worldtest.Mention(42, "a", worldtest.Now))
	r.feed = r.newFeed(t, feed.Feed{Name: "With places", Destinations: []feed.Destination{
		{Type: feed.Email, Frequency: feed.Instant, DeliveryMode: feed.Batch, Emails: []string{"feed@northwind.example"}},
		{Type: feed.Webhook, Frequency: feed.Instant, DeliveryMode: feed.Batch, URL: "https://hooks.example/feed"},
	}})
	n := r.made(t, `,"feedDestinationIndex":1`)
	if got := r.try(t, n.ID); len(got.Delivered) != 1 || got.Delivered[0].Type != "WEBHOOK" ||
		len(r.hooks["https://hooks.example/feed"]) != 1 || len(r.mails) != 0 {
		t.Errorf("%+v %v", got, r.hooks)
	}
	// The feed's destination is taken away.
	if _, err := r.Store.ChangeFeed(t.Context(), r.Main.ID, r.feed, "", func(f *feed.Feed) error {
		f.Destinations = f.Destinations[:1]
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	test := func() worldtest.Answer { return r.Post(t, path(n.ID, "/test"), "") }
	test().Is(t, 400, "DESTINATION_INDEX_OUT_OF_RANGE")
	r.Patch(t, path(n.ID), `{"name":"still","enabled":false}`).OK(t, &n)
	r.lose(t, r.feed)
	test().Is(t, 404, "FEED_NOT_FOUND")
	r.Patch(t, path(n.ID), `{"feedDestinationIndex":0}`).Is(t, 404, "FEED_NOT_FOUND")
	r.Patch(t, path(n.ID), `{"name":"without its feed"}`).OK(t, &n)
	if n.FeedID != r.feed || n.Name != "without its feed" || *n.FeedDestinationIndex != 1 {
		t.Errorf("%+v", n)
	}
}

func TestNotificationThatCannotBeTried(t *testing.T) {
	r := newRoom(t)
	test := func(n seen) worldtest.Answer { return r.Post(t, path(n.ID, "/test"), "") }
	bare, full := r.made(t, ""), r.made(t, `,"destinations":[`+byMail+`]`)
	test(bare).Is(t, 400, "NO_DESTINATIONS")
	test(full).Is(t, 400, "NO_SAMPLE_MENTION")
	low := mention.Low
	off := worldtest.Mention(4, "off", worldtest.Now)
	off.Relevant, off.RelevanceScore = false, &low
	r.Put(t, r.Main.ID, off)
	test(full).Is(t, 400, "NO_SAMPLE_MENTION")
	r.Post(t, path(999, "/test"), "").Is(t, 404, "NOTIFICATION_NOT_FOUND")
	if len(r.mails) != 0 {
		t.Errorf("%+v", r.mails)
	}
}

// A product's webhook gets a message of the product's own.
func TestChatIsTried(t *testing.T) {
	r := newRoom(t)
	r.Put(t, r.Main.ID, worldtest.Mention(42, "a", worldtest.Now))
	const url = "https://hooks.example/chat"
	n := r.made(t, `,"destinations":[{"type":"WEBHOOK","webhookDestination":{"url":"`+url+`","format":"discord"}}]`)
	if got := r.try(t, n.ID); len(got.Delivered) != 1 || !got.Delivered[0].Success {
		t.Errorf("%+v", got)
	}
	if got := r.hooks[url]; len(got) != 1 || !strings.Contains(got[0], `"content":"**Test of the notification “Alerts”`) {
		t.Errorf("%q", got)
	}
}

// What fails is told by place, in words of our own, and the rest is sent all the same.
func TestPlacesThatFail(t *testing.T) {
	r := newRoom(t)
	r.Put(t, r.Main.ID, worldtest.Mention(42, "a", worldtest.Now))
	n := r.made(t, `,"destinations":[`+byMail+`,`+bySlack+`,`+byWebhook+`]`)
	foreign := errors.New("<!channel> xoxb-secret https://hooks.example")
	r.mailErr["a@northwind.example"] = fmt.Errorf("%w: a@northwind.example is on the list", mail.ErrRefused)
	r.postErr["C2"] = &feed.Undelivered{Reason: "The channel is archived."}
	r.hookErr = foreign
	errorsOf := func() []string {
		t.Helper()
		got := r.try(t, n.ID)
		var said []string
		for _, one := range got.Delivered {
			if one.Success == (one.Error != "") {
				t.Errorf("%+v", one)
			}
			said = append(said, one.Error)
		}
		return said
	}
	for _, c := range []struct {
		change func()
		want   string
	}{
		{func() {}, "emails[0]: The mail service refuses to send to this address.|channels[1]: The channel is archived.|It could not be sent."},
		{func() {
			r.mailErr["b@northwind.example"] = mail.ErrInvalid
			r.mailErr["a@northwind.example"] = foreign
			r.postErr["C1"] = foreign
			r.hookErr, r.hookSays = nil, "The webhook answered 500."
		}, "emails[0]: It could not be sent. emails[1]: No mail can be sent to this address.|channels[0]: It could not be sent. channels[1]: The channel is archived.|The webhook answered 500."},
		{func() {
			r.mailErr = map[string]error{"a@northwind.example": context.DeadlineExceeded}
			r.slackErr, r.postErr = feed.ErrSlackNotConnected, map[string]error{}
			r.hookSays = ""
		}, "emails[0]: There was no time left to send it.|channels[0]: Slack is not connected to this workspace. channels[1]: Slack is not connected to this workspace.|"},
	} {
		c.change()
		if got := strings.Join(errorsOf(), "|"); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

// A function that dies while it sends is one that fails: what it is asked beside that goes on.
func TestDiesWhileItSends(t *testing.T) {
	r := newRoom(t)
	r.Put(t, r.Main.ID, worldtest.Mention(42, "a", worldtest.Now))
	n := r.made(t, `,"destinations":[`+byMail+`,`+byWebhook+`]`)
	r.during = func(context.Context) { panic(fault.Crashed{Port: fault.MailPort, Operation: "send"}) }
	r.Do(t, worldtest.Request{Method: http.MethodPost, Target: path(n.ID, "/test")}).Is(t, 500, "INTERNAL_ERROR")
	r.during = nil
	if got := r.try(t, n.ID); !got.OK || !got.Delivered[0].Success {
		t.Errorf("%+v", got)
	}
}

// A repeat of a request that was answered sends nothing; one without a key sends again.
func TestNotificationIsTriedOnce(t *testing.T) {
	r := newRoom(t)
	r.Put(t, r.Main.ID, worldtest.Mention(42, "a", worldtest.Now))
	n := r.made(t, `,"destinations":[`+byWebhook+`]`)
	for range 3 {
		r.try(t, n.ID, "Idempotency-Key", "k")
	}
	if got := len(r.hooks["https://hooks.example/mentions"]); got != 1 {
		t.Errorf("sent %d times", got)
	}
	r.try(t, n.ID)
	if got := len(r.hooks["https://hooks.example/mentions"]); got != 2 {
		t.Errorf("sent %d times", got)
	}
}

// The whole way, over the adapters, with a post that tries what it can.
func TestHostilePostOnItsWay(t *testing.T) {
	w := worldtest.NewWorld(t)
	var slackBody, hook string
	server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, in *http.Request) {
		out.Header().Set("Content-Type", "application/json")
		switch in.URL.Path {
		case "/slack/conversations.list":
			io.WriteString(out, `{"ok":true,"channels":[{"id":"C1","name":"alerts"}]}`)
		case "/slack/chat.postMessage":
			body, _ := io.ReadAll(in.Body)
			slackBody = string(body)
			io.WriteString(out, `{"ok":true}`)
		case "/hook":
			body, _ := io.ReadAll(in.Body)
			hook = string(body)
		}
	}))
	defer server.Close()
	client := outbound.New(outbound.Options{AnyHost: true})
	variable := environmentsecret.Variable(slack.SecretName(w.Main.ID))
	secrets := environmentsecret.New(func(name string) string { return map[string]string{variable: "xoxb-1"}[name] })
	box := &outside{}
	api := worldtest.Serve(t, w, discovery.OpenAPI(), func(api *web.API) {
		feeds.Register(api, feeds.Options{Store: w.Store, Clock: w.Clock, Mail: box, Webhook: webhook.New(client, w.Clock),
			Slack: slack.New(slack.Options{Client: client, Secrets: secrets, Clock: w.Clock, BaseURL: server.URL + "/slack"})})
	})
	title, body := "Sale\r\nBcc: victim@mail.example", "<!channel> <https://evil.example|bank> & <script>alert(1)</script>"
	m := worldtest.Mention(42, "a", worldtest.Now)
	m.Title, m.Body, m.URL = &title, &body, "javascript:alert(1)"
	w.Put(t, w.Main.ID, m)
	of, err := w.Store.CreateFeed(t.Context(), w.Main.ID, feed.Feed{Name: "Launch"}, "")
	if err != nil {
		t.Fatal(err)
	}
	// An address of this machine is none that the API takes.
	n, err := w.Store.CreateNotification(t.Context(), w.Main.ID,
		feed.Notification{Name: "Alerts", FeedID: of.ID, Destinations: []feed.Destination{
			{Type: feed.Email, Emails: []string{"a@northwind.example"}}, {Type: feed.Slack, Channels: []string{"C1"}},
			{Type: feed.Webhook, URL: server.URL + "/hook"},
		}}, "")
	if err != nil {
		t.Fatal(err)
	}
	var got tried
	api.Post(t, path(n.ID, "/test"), "").OK(t, &got)
	for _, one := range got.Delivered {
		if !one.Success {
			t.Errorf("%+v", one)
		}
	}
	posted := decode(t, slackBody)
	blocks := fmt.Sprint(posted["blocks"])
	if strings.ContainsAny(posted["text"].(string), "<>") || !strings.Contains(blocks, "type:text") ||
		strings.Contains(blocks, "mrkdwn") ||
		!strings.Contains(blocks, "<!channel> <https://evil.example|bank> & ") || strings.Contains(blocks, "javascript:") {
		t.Errorf("Slack gets %s", slackBody)
	}
	if wire := decode(t, hook)["data"].(map[string]any)["mention"].(map[string]any); wire["body"] != body ||
		wire["title"] != title {
		t.Errorf("the webhook gets %s", hook)
	}
	message := box.mails[0]
	if strings.ContainsAny(message.Subject, "\r\n") || strings.Contains(message.HTML, "<script") ||
		strings.Contains(message.HTML, "javascript:") ||
		!strings.Contains(message.HTML, "&lt;script&gt;") || strings.Contains(message.Text, "javascript:") {
		t.Errorf("the mail is %+v", message)
	}
}
