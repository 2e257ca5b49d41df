package mcp_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"earshot/functions/discovery"
	"earshot/functions/local/apigateway"
	"earshot/functions/local/deployment"
	"earshot/functions/mcp"
	"earshot/shared/embedded/chosensignin"
	"earshot/shared/member"
	"earshot/shared/port/identity"
	"earshot/shared/worldtest"
)

const (
	documentURL = "https://client.example/id.json"
	redirectURL = "http://127.0.0.1:50123/back"
)

// oneDocument is the metadata document of one client.
type oneDocument string

func (d oneDocument) Read(_ context.Context, url string) ([]byte, time.Duration, error) {
	if url != documentURL {
		return nil, 0, errors.New("the server responded with 404, want 200")
	}
	return []byte(d), time.Hour, nil
}

var hiddenField = regexp.MustCompile(`name="(request|csrf)" value="([^"]*)"`)

// The SDK's client signs in with the URL of its metadata document, and registers nowhere. A wider consent follows when a
// tool needs one.
func TestSignIn_ClientDocument(t *testing.T) {
	world, silent := worldtest.NewWorld(t), slog.New(slog.DiscardHandler)
	person, err := world.Store.AddMember(t.Context(), world.Main.ID, member.Member{
		Email: "quiet@northwind.example", Role: member.Ordinary,
	})
	worldtest.Must(t, err)
	var registers atomic.Bool
	listening := httptest.NewUnstartedServer(nil)
	root := "http://" + listening.Listener.Addr().String()
	pages := chosensignin.New(root+"/choose", world.Clock)
	routes, err := deployment.Routes(discovery.OpenAPI(), deployment.Functions(deployment.Parts{
		Store:   world.Store,
		Queue:   world.Queue(),
		Clock:   world.Clock,
		Log:     silent,
		Quiet:   silent,
		BaseURL: root,
		SignIn:  pages,
		Documents: oneDocument(`{"client_id":"` + documentURL + `","client_name":"A Go program",` +
			`"redirect_uris":["http://127.0.0.1/back"],"token_endpoint_auth_method":"none"}`),
	}))
	worldtest.Must(t, err)
	gateway := apigateway.New(routes, apigateway.Options{Clock: world.Clock, Log: silent})
	listening.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/oauth/register" {
			registers.Store(true)
		}
		gateway.ServeHTTP(w, r)
	})
	listening.Start()
	t.Cleanup(listening.Close)

	var clients, scopes []string
	handler, err := auth.NewAuthorizationCodeHandler(&auth.AuthorizationCodeHandlerConfig{
		ClientIDMetadataDocumentConfig: &auth.ClientIDMetadataDocumentConfig{URL: documentURL},
		RedirectURL:                    redirectURL,
		AuthorizationCodeFetcher: func(_ context.Context, args *auth.AuthorizationArgs) (*auth.AuthorizationResult, error) {
			asked, err := url.Parse(args.URL)
			if err != nil {
				return nil, err
			}
			clients = append(clients, asked.Query().Get("client_id"))
			names := slices.Sorted(strings.FieldsSeq(asked.Query().Get("scope"))) // the client has them in any order
			scopes = append(scopes, strings.Join(names, " "))
			chosen := "read" // the person is careful at first
			if len(scopes) > 1 {
				chosen = "write"
			}
			back := approve(t, args.URL, root, world.Main.ID, chosen, func(state string) string {
				return pages.Choose(identity.Account{ID: "account", Email: person.Email}, state)
			})
			q := back.Query()
			return &auth.AuthorizationResult{Code: q.Get("code"), State: q.Get("state"), Iss: q.Get("iss")}, nil
		},
	})
	worldtest.Must(t, err)
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(),
		&sdk.StreamableClientTransport{Endpoint: root + mcp.Path, OAuthHandler: handler, DisableStandaloneSSE: true}, nil)
	worldtest.Must(t, err)
	t.Cleanup(func() { session.Close() })
	call(t, session, "list_keywords", `{}`, &struct{}{})
	call(t, session, "add_keyword", `{"keyword":"Tidewater"}`, &struct{}{})
	if got := strings.Join(clients, " "); got != documentURL+" "+documentURL {
		t.Errorf("the client signs in as %s, want its document's URL, twice", got)
	}
	if !slices.Equal(scopes, []string{"read write", "read write"}) {
		t.Errorf("the client asks for the scopes %q, want read write, twice", scopes)
	}
	if registers.Load() {
		t.Error("the client registers, want its document to be enough")
	}
}

// approve does what a member does in a browser, and returns the address that the browser is sent to at last.
func approve(t *testing.T, link, root, workspaceID, scope string, choose func(state string) (code string)) *url.URL {
	t.Helper()
	jar, err := cookiejar.New(nil)
	worldtest.Must(t, err)
	browser := &http.Client{
		Jar:           jar,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	read := func(response *http.Response, err error) (*url.URL, string) {
		worldtest.Must(t, err)
		defer response.Body.Close()
		page, err := io.ReadAll(response.Body)
		worldtest.Must(t, err)
		to, err := url.Parse(response.Header.Get("Location"))
		worldtest.Must(t, err)
		return to, string(page)
	}
	chosen, _ := read(browser.Get(link))
	state := chosen.Query().Get("state")
	consent, _ := read(browser.Get(root + "/oauth/callback?" +
		url.Values{"state": {state}, "code": {choose(state)}}.Encode()))
	_, page := read(browser.Get(consent.String()))
	form := url.Values{"decision": {"approve"}, "workspace": {workspaceID}, "scope": {scope}}
	for _, field := range hiddenField.FindAllStringSubmatch(page, -1) {
		form.Set(field[1], field[2])
	}
	back, _ := read(browser.PostForm(root+"/oauth/authorize", form))
	if !strings.HasPrefix(back.String(), redirectURL+"?") {
		t.Fatalf("the browser is sent to %s, want %s", back, redirectURL)
	}
	return back
}
