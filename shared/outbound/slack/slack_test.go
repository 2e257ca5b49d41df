package slack_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"earshot/shared/feed"
	"earshot/shared/outbound"
	"earshot/shared/outbound/slack"
	"earshot/shared/port/clock"
	"earshot/shared/port/secret"
)

const (
	org   = "org_01JDVKQ3T8ZJ9Y5M6N7P8QRSTV"
	named = "slack/01jdvkq3t8zj9y5m6n7p8qrstv"
	token = "xoxb-a-bot-s-token"
)

// vault holds secrets, and counts who asks.
type vault struct {
	secrets map[string]string
	fails   error
	asked   int
}

func (v *vault) Get(_ context.Context, names ...string) (map[string]string, error) {
	v.asked++
	found := map[string]string{}
	for _, name := range names {
		if value := v.secrets[name]; value != "" {
			found[name] = value
		}
	}
	return found, errors.Join(v.fails, secret.CheckNames(names...))
}

// bench is a Slack over a server of the test's own.
type bench struct {
	*slack.Slack
	vault *vault
	clock *clock.Adjustable

	mu    sync.Mutex
	calls []call
}

type call struct {
	method string
	form   url.Values
	body   string
	header http.Header
	gone   <-chan struct{} // when who called no longer waits
}

func newBench(t *testing.T, answer func(w http.ResponseWriter, call call)) *bench {
	t.Helper()
	return newBenchWithin(t, 0, answer)
}

// newBenchWithin waits so long for an answer; 0: as long as it does.
func newBenchWithin(t *testing.T, whole time.Duration, answer func(w http.ResponseWriter, call call)) *bench {
	t.Helper()
	b := &bench{vault: &vault{secrets: map[string]string{named: token}}, clock: &clock.Adjustable{}}
	b.clock.Freeze(time.Date(2026, 11, 20, 10, 15, 0, 0, time.UTC))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		arguments, _ := url.ParseQuery(string(body))
		one := call{strings.TrimPrefix(r.URL.Path, "/api/"), arguments, string(body), r.Header, r.Context().Done()}
		b.mu.Lock()
		b.calls = append(b.calls, one)
		b.mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		answer(w, one)
	}))
	t.Cleanup(server.Close)
	b.Slack = slack.New(slack.Options{
		Client:  outbound.New(outbound.Options{AnyHost: true, Whole: whole}),
		Secrets: b.vault,
		Clock:   b.clock,
		BaseURL: server.URL + "/api",
	})
	return b
}

func says(text string) func(http.ResponseWriter, call) {
	return func(w http.ResponseWriter, _ call) { fmt.Fprint(w, text) }
}

func TestTeam(t *testing.T) {
	b := newBench(t, says(`{"ok":true,"url":"https://northwind.slack.example/","team":"Northwind","team_id":"T024BE7LH","user":"earshot"}`))
	team, err := b.Team(t.Context(), org)
	if err != nil || team != (feed.Team{ID: "T024BE7LH", Name: "Northwind"}) {
		t.Fatalf("%+v %v", team, err)
	}
	if got := b.calls[0]; got.method != "auth.test" || got.header.Get("Authorization") != "Bearer "+token ||
		len(got.form) != 0 {
		t.Errorf("%+v", got)
	}
}

func TestChannels(t *testing.T) {
	pages := map[string]string{
		"":          `{"ok":true,"channels":[{"id":"C3","name":"zebra"},{"id":"C1","name":"mentions"}],"response_metadata":{"next_cursor":"dGVhbTpD="}}`,
		"2":         `{"ok":true,"channels":[],"response_metadata":{"next_cursor":"3"}}`,
		"3":         `{"ok":true,"channels":[{"id":"G2","name":"alerts"},{"id":"C1","name":"renamed"},{"name":"without an id"}],"response_metadata":{"next_cursor":""}}`,
		"dGVhbTpD=": `{"ok":true,"channels":null,"response_metadata":{"next_cursor":"2"}}`,
	}
	b := newBench(t, func(w http.ResponseWriter, c call) { fmt.Fprint(w, pages[c.form.Get("cursor")]) })
	channels, err := b.Channels(t.Context(), org)
	want := []feed.Channel{{ID: "G2", Name: "alerts"}, {ID: "C1", Name: "mentions"}, {ID: "C3", Name: "zebra"}}
	if err != nil || !slices.Equal(channels, want) {
		t.Fatalf("%+v %v", channels, err)
	}
	if len(b.calls) != 4 {
		t.Errorf("%d calls", len(b.calls))
	}
	for _, c := range b.calls {
		if c.method != "conversations.list" || c.form.Get("types") != "public_channel,private_channel" ||
			c.form.Get("exclude_archived") != "true" {
			t.Errorf("%+v", c)
		}
	}
	if b.vault.asked != 1 {
		t.Errorf("the token was read %d times", b.vault.asked)
	}
}

// What Slack did instead of an answer is for people, with the wait that it asks for.
func TestTeam_Failures(t *testing.T) {
	b := newBench(t, func(w http.ResponseWriter, _ call) {
		w.Header().Set("Retry-After", "30")
		w.WriteHeader(http.StatusTooManyRequests)
	})
	want := feed.Undelivered{Reason: "Slack asks to wait 30 seconds.", After: 30 * time.Second}
	for name, ask := range map[string]func() error{
		"Team":     func() error { _, err := b.Team(t.Context(), org); return err },
		"Channels": func() error { _, err := b.Channels(t.Context(), org); return err },
	} {
		var got *feed.Undelivered
		if err := ask(); !errors.As(err, &got) || *got != want {
			t.Errorf("%s = %v, want %v", name, err, &want)
		}
	}
}

// A Slack that never ends, or has more channels than anyone can choose from, is left off.
func TestChannels_Endless(t *testing.T) {
	empty := newBench(t, says(`{"ok":true,"channels":[],"response_metadata":{"next_cursor":"again"}}`))
	channels, err := empty.Channels(t.Context(), org)
	if err != nil || channels == nil || len(channels) != 0 || len(empty.calls) != 20 {
		t.Errorf("%v %v after %d calls", channels, err, len(empty.calls))
	}
	n := 0
	many := newBench(t, func(w http.ResponseWriter, _ call) {
		page := []map[string]string{}
		for range 999 {
			n++
			page = append(page, map[string]string{"id": fmt.Sprintf("C%05d", n), "name": fmt.Sprintf("c%05d", n)})
		}
		json.NewEncoder(w).Encode(map[string]any{"ok": true, "channels": page,
			"response_metadata": map[string]any{"next_cursor": "on"}})
	})
	channels, err = many.Channels(t.Context(), org)
	if err != nil || len(channels) != 5000 || len(many.calls) != 6 {
		t.Errorf("%d channels %v after %d calls", len(channels), err, len(many.calls))
	}
}

var hello = feed.SlackMessage{Text: "hello &amp; <goodbye>", Blocks: json.RawMessage(`[{"type":"header"}]`)}

func TestPost(t *testing.T) {
	b := newBench(t, says(`{"ok":true,"channel":"C1","ts":"1"}`))
	if err := b.Post(t.Context(), org, "C1", hello); err != nil {
		t.Fatal(err)
	}
	var sent map[string]any
	err := json.Unmarshal([]byte(b.calls[0].body), &sent)
	want := map[string]any{
		"channel": "C1", "text": hello.Text, "blocks": []any{map[string]any{"type": "header"}}, "unfurl_links": false,
		"unfurl_media": false,
	}
	if err != nil || !reflect.DeepEqual(sent, want) {
		t.Errorf("Post sent %s, %v, want %v", b.calls[0].body, err, want)
	}
	if got := b.calls[0]; got.method != "chat.postMessage" ||
		got.header.Get("Content-Type") != "application/json; charset=utf-8" {
		t.Errorf("%+v", got)
	}
}

func TestPost_Failures(t *testing.T) {
	long := `{"ok":true,"channels":["` + strings.Repeat("x", 5<<20) + `"]}`
	for _, c := range []struct {
		answer func(http.ResponseWriter, call)
		reason string // of a message
	}{
		{says(`{"ok":false,"error":"channel_not_found"}`),
			"Slack has no such channel, or Earshot's bot cannot see it. Check the channel and invite the bot."},
		{says(`{"ok":false,"error":"not_in_channel"}`), "Earshot's bot is not in the channel. Invite it there."},
		{says(`{"ok":false,"error":"is_archived"}`), "The channel is archived. Choose another one."},
		{says(`{"ok":false,"error":"missing_scope","needed":"chat:write"}`),
			"Earshot's bot may not write in Slack. Grant it the scope chat:write."},
		{says(`{"ok":false,"error":"msg_too_long"}`), "Slack answered the error msg_too_long."},
		{says(`{"ok":false,"error":"<!channel> ` + token + `"}`), "Slack answered an error without a name."},
		{says(`{"ok":false}`), "Slack answered an error without a name."},
		{says(`{}`), "Slack answered an error without a name."},
		{says(`<html>`), "Slack sent an answer that its documentation does not have."},
		{says(``), "Slack sent an answer that its documentation does not have."},
		{says(`[]`), "Slack sent an answer that its documentation does not have."},
		{says(long), "Slack did not send a complete answer, or sent too much."},
		{func(w http.ResponseWriter, _ call) { w.Header().Set("Retry-After", "30"); w.WriteHeader(429) },
			"Slack asks to wait 30 seconds."},
		{func(w http.ResponseWriter, _ call) { w.Header().Set("Retry-After", "soon"); w.WriteHeader(429) },
			"Slack asks to wait."},
		{func(w http.ResponseWriter, _ call) { w.WriteHeader(503) }, "Slack answered 503."},
		{func(w http.ResponseWriter, _ call) {
			w.Header().Set("Location", "https://evil.example")
			w.WriteHeader(302)
		}, "Slack answered 302."},
		{func(http.ResponseWriter, call) { panic(http.ErrAbortHandler) }, "Slack broke off the connection."},
	} {
		b := newBench(t, c.answer)
		err := b.Post(t.Context(), org, "C1", hello)
		var undelivered *feed.Undelivered
		if !errors.As(err, &undelivered) || undelivered.Reason != c.reason {
			t.Fatalf("%v, want %q", err, c.reason)
		}
		if asks := strings.Contains(c.reason, "30 seconds"); (undelivered.After == 30*time.Second) != asks {
			t.Errorf("%s: it waits %v", c.reason, undelivered.After)
		}
		if final := strings.Contains(c.reason, "channel"); undelivered.Final != final &&
			!strings.Contains(c.reason, "scope") {
			t.Errorf("%s: final is %t", c.reason, undelivered.Final)
		}
		if _, err := b.Channels(t.Context(), org); err == nil || errors.Is(err, feed.ErrSlackNotConnected) ||
			strings.Contains(err.Error(), token) {
			t.Errorf("%s: the channels: %v", c.reason, err)
		}
	}
}

func TestPost_Slow(t *testing.T) {
	b := newBenchWithin(t, 50*time.Millisecond, func(_ http.ResponseWriter, c call) { <-c.gone })
	err := b.Post(t.Context(), org, "C1", hello)
	var undelivered *feed.Undelivered
	if !errors.As(err, &undelivered) || undelivered.Reason != "Slack did not answer within 50ms." {
		t.Error(err)
	}
}

// A workspace whose token Slack refuses is not connected. Another token counts at once.
func TestPost_NotConnected(t *testing.T) {
	for _, code := range []string{"invalid_auth", "account_inactive", "token_revoked", "not_authed", "token_expired"} {
		good := false
		b := newBench(t, func(w http.ResponseWriter, _ call) {
			if good {
				fmt.Fprint(w, `{"ok":true,"team":"Northwind","team_id":"T1"}`)
				return
			}
			fmt.Fprintf(w, `{"ok":false,"error":%q}`, code)
		})
		if _, err := b.Team(t.Context(), org); !errors.Is(err, feed.ErrSlackNotConnected) {
			t.Errorf("%s: %v", code, err)
		}
		if _, err := b.Channels(t.Context(), org); !errors.Is(err, feed.ErrSlackNotConnected) {
			t.Errorf("%s: %v", code, err)
		}
		var undelivered *feed.Undelivered
		if err := b.Post(t.Context(), org, "C1", hello); !errors.As(err, &undelivered) || !undelivered.Final {
			t.Errorf("%s: %v is not final", code, err)
		}
		if len(b.calls) != 1 {
			t.Errorf("%s: %d calls with a token that is refused", code, len(b.calls))
		}
		good, b.vault.secrets[named] = true, "xoxb-another"
		if _, err := b.Team(t.Context(), org); err != nil || b.calls[1].header.Get("Authorization") != "Bearer xoxb-another" {
			t.Errorf("%s: with a token of today: %v", code, err)
		}
	}
}

// A post whose token is replaced on the way is tried again.
func TestPost_TokenReplaced(t *testing.T) {
	var b *bench
	b = newBench(t, func(w http.ResponseWriter, _ call) {
		b.vault.secrets[named] = "xoxb-another"
		fmt.Fprint(w, `{"ok":false,"error":"token_revoked"}`)
	})
	var undelivered *feed.Undelivered
	if err := b.Post(t.Context(), org, "C1", hello); !errors.As(err, &undelivered) || undelivered.Final {
		t.Errorf("Post() = %v, want an error that is not final", err)
	}
}

// A token that is replaced or deleted elsewhere is noticed within a minute.
func TestTokens_Changed(t *testing.T) {
	b := newBench(t, says(`{"ok":true,"team":"Northwind","team_id":"T1"}`))
	for _, value := range []string{token, "xoxb-another", ""} {
		b.vault.secrets[named] = value
		b.clock.Freeze(b.clock.Now().Add(time.Minute))
		_, err := b.Team(t.Context(), org)
		switch last := b.calls[len(b.calls)-1].header.Get("Authorization"); {
		case value == "" && !errors.Is(err, feed.ErrSlackNotConnected):
			t.Errorf("without a token: %v", err)
		case value != "" && (err != nil || last != "Bearer "+value):
			t.Errorf("with %s: asked with %s, %v", value, last, err)
		}
	}
}

func TestTokens(t *testing.T) {
	b := newBench(t, says(`{"ok":true,"team":"Northwind","team_id":"T1"}`))
	b.vault.secrets = map[string]string{"slack/another": "xoxb-of-another"}
	ask := func(want error) {
		t.Helper()
		if _, err := b.Team(t.Context(), org); !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
	}
	ask(feed.ErrSlackNotConnected)
	b.vault.secrets[named] = "  " + token + "\n"
	ask(feed.ErrSlackNotConnected)
	if len(b.calls) != 0 || b.vault.asked != 1 {
		t.Errorf("%d calls, %d reads", len(b.calls), b.vault.asked)
	}
	b.clock.Freeze(b.clock.Now().Add(time.Minute))
	for range 3 {
		ask(nil)
	}
	if b.vault.asked != 2 || b.calls[0].header.Get("Authorization") != "Bearer "+token {
		t.Errorf("%d reads, %v", b.vault.asked, b.calls[0].header)
	}
	broken := newBench(t, says(`{}`))
	broken.vault.secrets[named] = "two words\r\nX-Injected: 1"
	if _, err := broken.Team(t.Context(), org); !errors.Is(err, feed.ErrSlackNotConnected) || len(broken.calls) > 0 {
		t.Errorf("a token that is none: %v", err)
	}
	// What the store of secrets does not answer is no verdict.
	broken.vault.fails, broken.vault.secrets[named] = errors.New("throttled"), token
	broken.clock.Freeze(broken.clock.Now().Add(time.Minute))
	if _, err := broken.Team(t.Context(), org); err == nil || errors.Is(err, feed.ErrSlackNotConnected) ||
		strings.Contains(err.Error(), token) {
		t.Errorf("the store of secrets fails: %v", err)
	}
}

func TestPost_ContextEnds(t *testing.T) {
	b := newBench(t, says(`{"ok":true}`))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := b.Post(ctx, org, "C1", hello); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
