package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"golang.org/x/oauth2"

	"earshot/functions/mcp"
)

// An assistant is a Go program with the SDK's client, with a member who consents for it.
type assistant struct {
	t        *testing.T
	b        *bench
	session  *sdk.ClientSession
	clientID string
	tokens   *expiring
	consents []string // the scopes of each, sorted
	careful  bool     // the member consents to the smallest scope at first
	away     bool     // the member consents to nothing more
	renamed  bool     // the challenges arrive as a REST API of API Gateway passes them on
}

// expiring is a source of tokens whose token can be made to look expired.
type expiring struct {
	ctx    context.Context
	config *oauth2.Config
	token  *oauth2.Token
}

func (e *expiring) Token() (*oauth2.Token, error) {
	token, err := e.config.TokenSource(e.ctx, e.token).Token()
	if err == nil {
		e.token = token
	}
	return token, err
}

func connect(t *testing.T, b *bench, renamed bool) *assistant {
	t.Helper()
	a := &assistant{t: t, b: b, renamed: renamed, careful: !renamed}
	const back = "http://127.0.0.1:50123/callback"
	handler, err := auth.NewAuthorizationCodeHandler(&auth.AuthorizationCodeHandlerConfig{
		DynamicClientRegistrationConfig: &auth.DynamicClientRegistrationConfig{Metadata: &oauthex.ClientRegistrationMetadata{
			ClientName: "A Go program", RedirectURIs: []string{back}, TokenEndpointAuthMethod: "none",
		}},
		RedirectURL:              back,
		AuthorizationCodeFetcher: a.consent,
		Client:                   &http.Client{Transport: a},
		NewTokenSource: func(ctx context.Context, config *oauth2.Config, token *oauth2.Token) (oauth2.TokenSource, error) {
			a.clientID, a.tokens = config.ClientID, &expiring{ctx, config, token}
			return a.tokens, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	client := sdk.NewClient(&sdk.Implementation{Name: "a Go program", Version: "1"}, nil)
	a.session, err = client.Connect(t.Context(), &sdk.StreamableClientTransport{
		Endpoint: b.url + mcp.Path, OAuthHandler: handler, HTTPClient: &http.Client{Transport: a}, DisableStandaloneSSE: true,
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.session.Close() })
	return a
}

// RoundTrip sends a request and logs it.
func (a *assistant) RoundTrip(r *http.Request) (*http.Response, error) {
	about := ""
	if r.URL.Path == "/oauth/token" {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		form, _ := url.ParseQuery(string(body))
		about = " (" + form.Get("grant_type") + ")"
	}
	response, err := http.DefaultTransport.RoundTrip(r)
	if err == nil {
		_, challenge, _ := strings.Cut(response.Header.Get("WWW-Authenticate"), "Bearer ")
		a.t.Logf("%s %s%s = %d %s", r.Method, r.URL.Path, about, response.StatusCode, challenge)
		if a.renamed && challenge != "" {
			response.Header.Del("WWW-Authenticate")
			response.Header.Set("X-Amzn-Remapped-Www-Authenticate", "Bearer "+challenge)
		}
	}
	return response, err
}

var errAway = errors.New("the member is away")

// consent is the member at the browser.
func (a *assistant) consent(_ context.Context, args *auth.AuthorizationArgs) (*auth.AuthorizationResult, error) {
	if a.away {
		return nil, errAway
	}
	asked, err := url.Parse(args.URL)
	if err != nil {
		return nil, err
	}
	names := slices.Sorted(strings.FieldsSeq(asked.Query().Get("scope"))) // the client has them in any order
	if a.careful && len(a.consents) == 0 {
		names = names[:1]
	}
	scopes, err := json.Marshal(names)
	if err != nil {
		return nil, err
	}
	var sent struct{ RedirectTo string }
	a.b.ask(a.t, "POST", "/_local/consent", fmt.Sprintf(
		`{"authorizeUrl":%q,"email":"support@northwind.example","workspace":%q,"scopes":%s}`,
		args.URL, a.b.demo.Workspaces["northwind"], scopes,
	)).ok(a.t, &sent)
	back, err := url.Parse(sent.RedirectTo)
	if err != nil {
		return nil, err
	}
	a.consents = append(a.consents, strings.Join(names, " "))
	a.t.Logf("the member consents to: %s", strings.Join(names, " "))
	q := back.Query()
	return &auth.AuthorizationResult{Code: q.Get("code"), State: q.Get("state"), Iss: q.Get("iss")}, nil
}

// call calls a tool that must succeed.
func (a *assistant) call(name, arguments string, into any) {
	a.t.Helper()
	a.t.Logf("%s(%s)", name, arguments)
	got, err := a.session.CallTool(a.t.Context(), &sdk.CallToolParams{Name: name, Arguments: json.RawMessage(arguments)})
	if err != nil || got.IsError {
		a.t.Fatalf("%s(%s) = %+v, %v", name, arguments, got, err)
	}
	structured, err := json.Marshal(got.StructuredContent)
	if err != nil {
		a.t.Fatal(err)
	}
	if err := json.Unmarshal(structured, into); err != nil {
		a.t.Fatal(err)
	}
}

// A Go program with the SDK's client answers a question as an assistant would. It signs in, searches, adds a keyword after
// a wider consent, and has a feed alert a webhook. It refreshes its tokens, and revokes them. Nobody clicks.
func TestMCP_GoClient(t *testing.T) {
	onBoth(t, func(t *testing.T, settings ...string) {
		b := begin(t, settings...)
		a := connect(t, b, false)
		if got := a.session.InitializeResult().ProtocolVersion; got != mcp.Revisions[0] {
			t.Errorf("the client speaks %s, want %s", got, mcp.Revisions[0])
		}
		var found struct {
			SearchID, Status string
			Mentions         []json.RawMessage
		}
		a.call("search", `{"query":"northwind","maxResults":5,"timeWindow":"30d"}`, &found)
		for deadline := time.Now().Add(patience); found.Status != "completed" && time.Now().Before(deadline); {
			a.call("search", fmt.Sprintf(`{"searchId":%q}`, found.SearchID), &found)
		}
		if len(found.Mentions) != 5 {
			t.Errorf("search = %s with %d results, want 5", found.Status, len(found.Mentions))
		}
		var keyword, feed struct{ ID int64 }
		a.call("add_keyword", `{"keyword":"Tidewater gauge"}`, &keyword)
		if got := strings.Join(a.consents, ", then "); got != "read, then read write" {
			t.Errorf("the member consented to %s, want read, then read write", got)
		}
		a.call("create_feed", fmt.Sprintf(`{"name":"Gauges","simpleFilters":{"keyword":[%d]}}`, keyword.ID), &feed)
		a.call("add_feed_destination", fmt.Sprintf(
			`{"id":%d,"destination":{"type":"WEBHOOK","webhookDestination":{"url":%q}}}`, feed.ID,
			b.url+"/_local/hooks/assistant",
		), &feed)
		b.ask(t, "POST", "/_local/posts", fmt.Sprintf(`{"source":"hackernews","sourceId":"hackernews_comment_8800001",`+
			`"url":"https://posts.example/gauge","author":"quietharbor","timestamp":%q,`+
			`"body":"The Tidewater gauge told me to move the boat before the flood. I love it."}`,
			time.Now().UTC().Format(time.RFC3339Nano))).ok(t, nil)
		a.alerted("hackernews_comment_8800001")

		was := *a.tokens.token
		a.tokens.token.Expiry = time.Now().Add(-time.Minute)
		a.call("list_keywords", `{}`, &struct{}{})
		if now := a.tokens.token; now.AccessToken == was.AccessToken || now.RefreshToken == was.RefreshToken {
			t.Error("the tokens were not refreshed")
		}
		if len(a.consents) != 2 {
			t.Errorf("a refresh asked the member for %s", a.consents[2:])
		}

		a.away = true
		b.ask(t, "POST", "/oauth/revoke", url.Values{
			"token": {a.tokens.token.RefreshToken}, "client_id": {a.clientID},
		}.Encode(), "Content-Type", "application/x-www-form-urlencoded").ok(t, nil)
		if _, err := a.session.CallTool(t.Context(), &sdk.CallToolParams{Name: "list_keywords"}); !errors.Is(err, errAway) {
			t.Errorf("list_keywords after the revocation = %v, want %v", err, errAway)
		}
	})
}

// Behind a REST API of API Gateway, no client sees a challenge. It finds the metadata at the well-known path and asks for
// every scope there, so that the member chooses at once.
func TestMCP_ChallengesRenamed(t *testing.T) {
	b := begin(t)
	a := connect(t, b, true)
	var keyword struct{ ID int64 }
	a.call("add_keyword", `{"keyword":"Tidewater gauge"}`, &keyword)
	if got := strings.Join(a.consents, ", then "); got != "admin read write" {
		t.Errorf("the member consented to %s, want admin read write", got)
	}
	a.away = true
	b.ask(t, "POST", "/oauth/revoke", url.Values{"token": {a.tokens.token.AccessToken}}.Encode(),
		"Content-Type", "application/x-www-form-urlencoded").ok(t, nil)
	if _, err := a.session.CallTool(t.Context(), &sdk.CallToolParams{Name: "list_keywords"}); !errors.Is(err, errAway) {
		t.Errorf("list_keywords after the revocation = %v, want %v", err, errAway)
	}
}

// alerted waits until the webhook has a mention.
func (a *assistant) alerted(sourceID string) {
	a.t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		var got struct{ Requests []struct{ Body string } }
		a.b.ask(a.t, "GET", "/_local/hooks/assistant", "").ok(a.t, &got)
		for _, request := range got.Requests {
			if strings.Contains(request.Body, sourceID) && strings.Contains(request.Body, `"mention.created"`) {
				a.t.Log("the webhook is alerted: mention.created")
				return
			}
		}
	}
	a.t.Errorf("the webhook was not alerted of %s", sourceID)
}
