package feeds_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"earshot/functions/discovery"
	"earshot/functions/feeds"
	"earshot/shared/embedded/environmentsecret"
	"earshot/shared/embedded/foldersecret"
	"earshot/shared/outbound"
	"earshot/shared/outbound/slack"
	"earshot/shared/web"
	"earshot/shared/worldtest"
)

const (
	connectTarget  = "/api/v2/integrations/slack/connect"
	callbackTarget = "/api/v2/integrations/slack/callback"
	slackTarget    = "/api/v2/integrations/slack"
	botToken       = "xoxb-the-new-token"
	appSecret      = "the-apps-secret"
	granted        = `{"ok":true,"access_token":"` + botToken +
		`","token_type":"bot","team":{"id":"T1","name":"<b>North</b>"}}`
)

// office is the function of feeds over a Slack of the test's own, with secrets in a folder.
type office struct {
	worldtest.Client // with an admin's key
	world            *worldtest.World
	secrets          *vault
	log              *bytes.Buffer
	env              map[string]string

	mu     sync.Mutex
	calls  []string // "method authorization body"
	answer map[string]string
}

// vault is a folder of secrets that can fail to store.
type vault struct {
	foldersecret.Store
	fails error
}

func (v *vault) Put(ctx context.Context, name, value string) error {
	if v.fails != nil {
		return v.fails
	}
	return v.Store.Put(ctx, name, value)
}

func newOffice(t *testing.T) *office {
	t.Helper()
	w := worldtest.NewWorld(t)
	o := &office{
		world: w, secrets: &vault{Store: foldersecret.New(t.TempDir())}, log: &bytes.Buffer{},
		env:    map[string]string{"SOURCE_SLACK_CLIENT_ID": "12.34", "SOURCE_SLACK_CLIENT_SECRET": appSecret},
		answer: map[string]string{"oauth.v2.access": granted, "auth.test": `{"ok":true,"team_id":"T1","team":"North"}`},
	}
	server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, in *http.Request) {
		body, _ := io.ReadAll(in.Body)
		method := strings.TrimPrefix(in.URL.Path, "/")
		o.mu.Lock()
		defer o.mu.Unlock()
		o.calls = append(o.calls, method+" "+in.Header.Get("Authorization")+" "+string(body))
		if o.answer[method] == "" {
			panic(http.ErrAbortHandler)
		}
		io.WriteString(out, o.answer[method])
	}))
	t.Cleanup(server.Close)
	document, err := worldtest.NewDocument(discovery.OpenAPI())
	worldtest.Must(t, err)
	api := web.New(web.Options{
		Credentials: w.Store, Windows: w.Store, Replays: w.Store, Clock: w.Clock,
		Log: slog.New(slog.NewJSONHandler(o.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
	feeds.Register(api, feeds.Options{Store: w.Store, Clock: w.Clock, Slack: slack.New(slack.Options{
		Client: outbound.New(outbound.Options{AnyHost: true}), Secrets: o.secrets, Writer: o.secrets,
		App: environmentsecret.New(func(name string) string { return o.env[name] }), Clock: w.Clock, BaseURL: server.URL,
	})})
	o.Client = worldtest.Client{Handler: api.LambdaHandler(), Document: document, Token: w.Admin}
	t.Cleanup(func() {
		for _, hidden := range []string{botToken, "xoxb-old", appSecret, "the-code", "state="} {
			if strings.Contains(o.log.String(), hidden) {
				t.Errorf("the log has %s: %s", hidden, o.log)
			}
		}
	})
	return o
}

// says has Slack answer a method so from now on, or break off if the answer is empty, and forgets the calls.
func (o *office) says(method, answer string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.answer[method], o.calls = answer, nil
}

// called returns the calls.
func (o *office) called() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.calls)
}

// link asks for an address, and returns it and its state.
func (o *office) link(t *testing.T) (url.Values, string) {
	t.Helper()
	var got struct{ URL, ExpiresAt string }
	o.Get(t, connectTarget).OK(t, &got)
	address, err := url.Parse(got.URL)
	worldtest.Must(t, err)
	if want := web.FormatTime(o.world.Clock.Now().Add(10 * time.Minute)); got.ExpiresAt != want {
		t.Errorf("it ends at %s, want %s", got.ExpiresAt, want)
	}
	if !strings.HasPrefix(got.URL, "https://slack.com/oauth/v2/authorize?") {
		t.Errorf("the address is %s", got.URL)
	}
	return address.Query(), address.Query().Get("state")
}

// callback opens the page as Slack sends a browser there. The page must say a text, and no secret.
func (o *office) callback(t *testing.T, query, says string) {
	t.Helper()
	page := o.As("").Get(t, callbackTarget+"?"+query)
	isPage := page.Status == 200 && strings.HasPrefix(page.Header.Get("Content-Type"), "text/html")
	if !isPage || !strings.Contains(string(page.Body), says) {
		t.Errorf("%s: %d %s, want a page that says %q", query, page.Status, page.Body, says)
	}
	for _, hidden := range []string{botToken, appSecret, "the-code", "<script", "<b>"} {
		if strings.Contains(string(page.Body), hidden) {
			t.Errorf("the page has %s: %s", hidden, page.Body)
		}
	}
	policy := page.Header.Get("Content-Security-Policy")
	referrer := page.Header.Get("Referrer-Policy")
	if !strings.HasPrefix(policy, "default-src 'none'; ") || strings.Contains(policy, "script") ||
		referrer != "no-referrer" {
		t.Errorf("the page has the headers %v", page.Header)
	}
	// The policy allows the page's own style, which breaks long names.
	_, rest, _ := strings.Cut(string(page.Body), "<style>")
	style, _, _ := strings.Cut(rest, "</style>")
	digest := sha256.Sum256([]byte(style))
	if !strings.Contains(style, "overflow-wrap: anywhere") ||
		!strings.Contains(policy, "style-src 'sha256-"+base64.StdEncoding.EncodeToString(digest[:])+"'") {
		t.Errorf("the page has the style %q and the policy %s", style, policy)
	}
}

// stored is the token of the workspace; empty if there is none.
func (o *office) stored(t *testing.T) string {
	t.Helper()
	name := slack.SecretName(o.world.Main.ID)
	found, err := o.secrets.Get(t.Context(), name)
	worldtest.Must(t, err)
	return found[name]
}

func TestConnectSlack(t *testing.T) {
	o := newOffice(t)
	asked, state := o.link(t)
	redirect := asked.Get("redirect_uri")
	if asked.Get("client_id") != "12.34" || asked.Get("scope") != "channels:read,groups:read,chat:write" ||
		!strings.HasSuffix(redirect, callbackTarget) {
		t.Errorf("Slack is asked %v", asked)
	}
	o.callback(t, "code=the-code&state="+url.QueryEscape(state), "can now write to &lt;b&gt;North&lt;/b&gt; in Slack")
	sent := url.Values{"code": {"the-code"}, "redirect_uri": {redirect}}
	want := "oauth.v2.access Basic MTIuMzQ6dGhlLWFwcHMtc2VjcmV0 " + sent.Encode()
	if o.stored(t) != botToken || len(o.called()) != 1 || o.called()[0] != want {
		t.Errorf("stored %q after %q, want %q", o.stored(t), o.called(), want)
	}
	// A repeat changes nothing.
	o.callback(t, "code=another&state="+url.QueryEscape(state), "used, or older than ten minutes")
	// A browser that loads the page again is not told that Slack is not connected.
	again := o.As("").Get(t, "/api/v2/integrations/slack/callback?code=the-code&state="+url.QueryEscape(state))
	if strings.Contains(string(again.Body), "<h1>Slack is not connected") {
		t.Errorf("the page that is loaded again says %s", again.Body)
	}
	if len(o.called()) != 1 {
		t.Errorf("a used state reached Slack: %q", o.called())
	}
	if got := o.As(o.world.Read).Get(t, slackTarget); !strings.Contains(string(got.Body), `"connected":true`) {
		t.Errorf("%s", got.Body)
	}
}

// A state that is not good reaches neither Slack nor the secrets.
func TestConnectSlack_BadState(t *testing.T) {
	o := newOffice(t)
	_, state := o.link(t)
	parts := strings.Split(state, ".")
	later := strings.Join([]string{parts[0], parts[1] + "0", parts[2], parts[3]}, ".")
	others := strings.Join([]string{o.world.Other.ID, parts[1], parts[2], parts[3]}, ".")
	nobodys := strings.Join([]string{"org_01JZZZZZZZZZZZZZZZZZZZZZZZ", parts[1], parts[2], parts[3]}, ".")
	for _, bad := range []string{
		"x", later, others, nobodys, state + "A", state[:len(state)-1], state + ".", strings.ToLower(state),
		strings.Join(parts[:3], ".") + ".", strings.Repeat(".", 3), parts[0] + ".-1." + parts[2] + "." + parts[3],
	} {
		o.callback(t, "code=the-code&state="+url.QueryEscape(bad), "unknown, used, or older than ten minutes")
	}
	o.callback(t, "", "unknown, used, or older than ten minutes")
	o.world.Clock.Freeze(o.world.Clock.Now().Add(10 * time.Minute))
	o.callback(t, "code=the-code&state="+url.QueryEscape(state), "older than ten minutes")
	if len(o.called()) > 0 || o.stored(t) != "" {
		t.Errorf("stored %q after %q", o.stored(t), o.called())
	}
}

// Whatever fails on the way, the old token stays, and the page says what to do.
func TestConnectSlack_Refused(t *testing.T) {
	o := newOffice(t)
	worldtest.Must(t, o.secrets.Put(t.Context(), slack.SecretName(o.world.Main.ID), "xoxb-old"))
	for _, c := range []struct{ query, answer, says string }{
		{"error=access_denied", granted, "The request was declined in Slack."},
		{"error=%3Cscript%3E&error_description=x", granted, "Slack reported an error instead of an approval. Start again."},
		{"", granted, "Slack reported an error instead of an approval."},
		{"code=the-code", `{"ok":false,"error":"invalid_code"}`, "does not accept this answer any more. Start again."},
		{"code=the-code", `{"ok":false,"error":"bad_client_secret"}`, "Its operator corrects it."},
		{"code=the-code", `{"ok":false,"error":"bad_redirect_uri"}`, "adds the redirect URL."},
		{"code=the-code", `{"ok":false,"error":"fatal_error"}`, "Slack answered the error fatal_error. Start again."},
		{"code=the-code", `{"ok":false,"error":"` + botToken + `"}`, "an error without a name"},
		{"code=the-code", "", "Slack broke off the connection. Start again."},
		{"code=the-code", `{"ok":true}`, "Start again"},
		{"code=the-code", strings.Replace(granted, `"bot"`, `"user"`, 1), "no token of a bot"},
		{"code=the-code", strings.Replace(granted, "xoxb", `two\nwords`, 1), "no token of a bot"},
		{"code=the-code", strings.Replace(granted, `{"ok"`, `{"expires_in":43200,"ok"`, 1), "without token rotation"},
	} {
		_, state := o.link(t)
		o.says("oauth.v2.access", c.answer)
		query := strings.TrimPrefix(c.query+"&state="+url.QueryEscape(state), "&")
		o.callback(t, query, c.says)
		o.callback(t, query, "used, or older than ten minutes")
	}
	o.says("oauth.v2.access", granted)
	o.secrets.fails = errors.New("the secrets are away")
	_, state := o.link(t)
	o.As("").Get(t, callbackTarget+"?code=the-code&state="+url.QueryEscape(state)).Is(t, 500, "INTERNAL_ERROR")
	_, state = o.link(t)
	o.env = nil
	o.callback(t, "code=the-code&state="+url.QueryEscape(state), "has no app at Slack any more")
	if got := o.stored(t); got != "xoxb-old" {
		t.Errorf("the token is %q, want the old one", got)
	}
	if problem := o.Get(t, connectTarget).Is(t, 400, "INVALID_INPUT"); !strings.Contains(problem.Message, "slack/client-id") {
		t.Errorf("without an app: %s", problem.Message)
	}
}

func TestDisconnectSlack(t *testing.T) {
	o := newOffice(t)
	for _, revokes := range []string{`{"ok":true,"revoked":true}`, `{"ok":false,"error":"token_revoked"}`, ""} {
		worldtest.Must(t, o.secrets.Put(t.Context(), slack.SecretName(o.world.Main.ID), "xoxb-old"))
		o.says("auth.revoke", revokes)
		for range 2 {
			var done struct{ OK bool }
			if o.Delete(t, slackTarget).OK(t, &done); !done.OK || o.stored(t) != "" {
				t.Errorf("revoke answers %q: %+v, stored %q", revokes, done, o.stored(t))
			}
		}
		if want := "auth.revoke Bearer xoxb-old "; len(o.called()) != 1 || o.called()[0] != want {
			t.Errorf("revoke answers %q: called %q, want %q", revokes, o.called(), want)
		}
		if got := o.Get(t, slackTarget); !strings.Contains(string(got.Body), `"connected":false`) {
			t.Errorf("%s", got.Body)
		}
	}
	for _, key := range []string{o.world.Read, o.world.Write} {
		o.As(key).Get(t, connectTarget).Is(t, 403, "FORBIDDEN")
		o.As(key).Delete(t, slackTarget).Is(t, 403, "FORBIDDEN")
	}
}

// Of many callbacks at once with one state, one connects.
func TestConnectSlack_AtOnce(t *testing.T) {
	o := newOffice(t)
	_, state := o.link(t)
	pages := make([]string, 8)
	var all sync.WaitGroup
	for i := range pages {
		all.Go(func() {
			pages[i] = string(o.As("").Get(t,
				fmt.Sprintf("%s?code=c%d&state=%s", callbackTarget, i, url.QueryEscape(state))).Body)
		})
	}
	all.Wait()
	if n := strings.Count(strings.Join(pages, ""), "Slack is connected"); n != 1 || len(o.called()) != 1 {
		t.Errorf("%d pages say connected after %d exchanges, want 1", n, len(o.called()))
	}
}
