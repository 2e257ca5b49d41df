package discovery_test

import (
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/events"

	"earshot/functions/discovery"
	"earshot/shared/web"
	"earshot/shared/worldtest"
)

const root = "https://" + worldtest.Domain + "/dev" // as the events of worldtest have it

func serve(t *testing.T, options discovery.Options) worldtest.Client {
	t.Helper()
	document, err := worldtest.NewDocument(discovery.OpenAPI())
	if err != nil {
		t.Fatal(err)
	}
	api := web.New(web.Options{})
	discovery.Register(api, options)
	return worldtest.Client{Handler: api.LambdaHandler(), Document: document}
}

// It is public, may be cached, and is revalidated.
func TestPublicAndCacheable(t *testing.T) {
	client := serve(t, discovery.Options{})
	for target, contentType := range map[string]string{
		"/api/v2/openapi.json":                             "application/json",
		"/api/v2/docs":                                     "text/html",
		"/api/v2/docs/page.js":                             "text/javascript",
		"/api/v2/docs/page.css":                            "text/css",
		"/api/v2/docs/icon.svg":                            "image/svg+xml",
		"/api/v2/docs/swagger-ui-bundle.js":                "text/javascript",
		"/api/v2/docs/swagger-ui.css":                      "text/css",
		"/llms.txt":                                        "text/plain",
		"/.well-known/oauth-protected-resource":            "application/json",
		"/.well-known/oauth-protected-resource/api/v2":     "application/json",
		"/.well-known/oauth-protected-resource/api/mcp/v2": "application/json",
	} {
		answer := client.Get(t, target)
		if answer.Status != 200 || !strings.HasPrefix(answer.Header.Get("Content-Type"), contentType) {
			t.Errorf("%s: %d %s", target, answer.Status, answer.Header.Get("Content-Type"))
			continue
		}
		if strings.Contains(string(answer.Body), web.ServerPlaceholder) {
			t.Errorf("%s names the placeholder", target)
		}
		if !strings.HasPrefix(answer.Header.Get("Cache-Control"), "public, ") ||
			answer.Header.Get("X-RateLimit-Limit") != "" ||
			!strings.HasPrefix(answer.Header.Get("Server-Timing"), "auth;dur=0, ") {
			t.Errorf("%s: %v", target, answer.Header)
		}
		again := client.Get(t, target, "If-None-Match", answer.Header.Get("ETag"))
		if again.Status != 304 || len(again.Body) != 0 {
			t.Errorf("%s again: %d", target, again.Status)
		}
	}
	client.Get(t, "/api/v2/openapi.json?x=1").Is(t, 400, "VALIDATION_ERROR")
}

// llms.txt has the form of llmstxt.org: a title, a quoted summary, text without headings, then sections of links alone.
func TestLLMs_Form(t *testing.T) {
	client := serve(t, discovery.Options{})
	text := strings.TrimSpace(string(client.Get(t, "/llms.txt").Body))
	head, lists, _ := strings.Cut(text, "\n## ")
	if !regexp.MustCompile(`^# [^\n]+\n\n> [^\n]+\n\n`).MatchString(head) {
		t.Errorf("it begins with %.200q", head)
	}
	if strings.Count("\n"+head, "\n#") != 1 {
		t.Errorf("its text has headings: %s", head)
	}
	entry := regexp.MustCompile(`^- \[[^\]]+\]\((` + regexp.QuoteMeta(root) + `[^\s()]*)\): \S.*$`)
	documented := map[string]bool{}
	for section := range strings.SplitSeq(lists, "\n## ") {
		title, list, _ := strings.Cut(section, "\n\n")
		if title == "" || strings.Contains(title, "\n") {
			t.Errorf("a section is titled %q", title)
		}
		for line := range strings.SplitSeq(strings.TrimSpace(list), "\n") {
			found := entry.FindStringSubmatch(line)
			if found == nil {
				t.Errorf("%s: %q is no link with a note", title, line)
				continue
			}
			target, fragment, _ := strings.Cut(strings.TrimPrefix(found[1], root), "#")
			if documented[fragment] = true; client.Get(t, target).Status != 200 {
				t.Errorf("%s: %s is not served", title, target)
			}
		}
	}
	for _, fragment := range []string{"", "/mentions", "/mentions/listMentions", "/agency/inviteAgencyMembers"} {
		if !documented[fragment] {
			t.Errorf("nothing links to the page's #%s", fragment)
		}
	}
}

func TestMetadata(t *testing.T) {
	const wellKnown = "/.well-known/oauth-protected-resource"
	for issuer, base := range map[string]string{"": root, "https://issuer.example": "https://issuer.example"} {
		client := serve(t, discovery.Options{Issuer: issuer})
		for path, resource := range map[string]string{"/api/v2": "/api/v2", "": "/api/mcp/v2", "/api/mcp/v2": "/api/mcp/v2"} {
			var got discovery.ResourceMetadata
			client.Get(t, wellKnown+path).OK(t, &got)
			if got.Resource != base+resource || !slices.Equal(got.Scopes, []string{"read", "write", "admin"}) ||
				!slices.Equal(got.AuthorizationServers, []string{base}) {
				t.Errorf("%s%s with the issuer %q = %+v", wellKnown, path, issuer, got)
			}
		}
	}
}

func TestFilesOfThePage(t *testing.T) {
	client := serve(t, discovery.Options{})
	for _, name := range []string{"nothing.js", "..", "%2e%2e", "..%2fopenapi.json", "%2fetc%2fpasswd", "docs", "index.html%00"} {
		answer := client.Get(t, "/api/v2/docs/"+name)
		answer.Is(t, 404, "NOT_FOUND")
	}
	page := client.Get(t, "/api/v2/docs")
	if policy := page.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "default-src 'none'") ||
		!strings.Contains(policy, "script-src 'self';") {
		t.Errorf("the page's policy is %s", policy)
	}
	// What the page names is there, and it names nothing elsewhere.
	for _, reference := range regexp.MustCompile(`(?:src|href)="([^"]+)"`).FindAllStringSubmatch(string(page.Body), -1) {
		target := reference[1]
		if strings.Contains(target, "//") {
			t.Errorf("the page leans on %s", target)
		}
		if strings.HasPrefix(target, "docs/") && client.Get(t, "/api/v2/"+target).Status != 200 {
			t.Errorf("the page names %s, which is not there", target)
		}
	}
}

// The hosted sign-in sends people back to the page with a code, or with the reason why there is none.
func TestThePageTakesWhatTheSignInHandsOn(t *testing.T) {
	client := serve(t, discovery.Options{})
	for _, query := range []string{"code=0c2d-91&state=xyz%3D", "code=0c2d",
		"error=access_denied&error_description=User+cancelled&state=xyz"} {
		if page := client.Get(t, "/api/v2/docs?"+query); page.Status != 200 {
			t.Errorf("%s: %d %s", query, page.Status, page.Body)
		}
	}
	client.Get(t, "/api/v2/docs?kode=1").Is(t, 400, "VALIDATION_ERROR")
}

// On a name of its own, mapped at its root, the API's stage is in no path: neither in the event's nor in what the
// client asked for.
func TestAddressesOnANameOfTheAPIsOwn(t *testing.T) {
	client := serve(t, discovery.Options{})
	handler := client.Handler
	client.Handler = func(ctx context.Context, event events.APIGatewayProxyRequest) (events.APIGatewayProxyResponse, error) {
		event.RequestContext.Path = event.Path // its Stage is still there
		return handler(ctx, event)
	}
	var api discovery.ResourceMetadata
	client.Get(t, "/.well-known/oauth-protected-resource/api/v2").OK(t, &api)
	if want := "https://" + worldtest.Domain; api.Resource != want+"/api/v2" || api.Documentation != want+"/api/v2/docs" {
		t.Errorf("%+v, want them at %s", api, want)
	}
}

// What every operation of the document has.
func TestDocument(t *testing.T) {
	var document struct {
		OpenAPI string
		Servers []struct{ URL string }
		Tags    []struct{ Name, Description string }
		Paths   map[string]map[string]struct {
			OperationID string
			Summary     string
			Function    string `json:"x-function"`
			Scope       string `json:"x-required-scope"`
			Security    []any
			Responses   map[string]struct {
				Description string
				Content     map[string]struct {
					Example  any
					Examples map[string]any
				}
			}
		}
	}
	answer := serve(t, discovery.Options{}).Get(t, "/api/v2/openapi.json")
	answer.OK(t, &document)
	if document.OpenAPI != "3.1.0" || len(document.Servers) != 1 || document.Servers[0].URL != root {
		t.Errorf("openapi %s, servers %v", document.OpenAPI, document.Servers)
	}
	for _, tag := range document.Tags {
		if tag.Description == "" {
			t.Errorf("the group %s says nothing of itself", tag.Name)
		}
	}
	ids := map[string]bool{}
	for path, operations := range document.Paths {
		for method, op := range operations {
			name := strings.ToUpper(method) + " " + path
			if op.OperationID == "" || ids[op.OperationID] || op.Summary == "" || op.Function == "" {
				t.Errorf("%s: %+v", name, op)
			}
			ids[op.OperationID] = true
			if (op.Scope == "") != (len(op.Security) == 0) {
				t.Errorf("%s: scope %q, security %v", name, op.Scope, op.Security)
			}
			for _, status := range []string{"400", "403", "429", "500"} {
				if len(op.Responses[status].Content["application/json"].Examples) == 0 {
					t.Errorf("%s: %s has no codes", name, status)
				}
			}
			if keyed := op.Scope != ""; keyed && len(op.Responses["401"].Content) == 0 {
				t.Errorf("%s has no 401", name)
			}
			if content, ok := op.Responses["200"].Content["application/json"]; ok && op.Function != discovery.Group &&
				content.Example == nil {
				t.Errorf("%s has no example", name)
			}
			if op.Responses["422"].Description != "" && method == "get" {
				t.Errorf("%s has huma's own 422", name)
			}
		}
	}
	for _, id := range []string{"getMention", "getMentionById", "listMentions", "getOpenApi", "getDocs"} {
		if !ids[id] {
			t.Errorf("the document has no %s", id)
		}
	}
	short := serve(t, discovery.Options{}).Get(t, "/llms.txt")
	for id := range ids {
		if !strings.Contains(string(short.Body), id) {
			t.Errorf("llms.txt does not name %s", id)
		}
	}
	if !json.Valid(answer.Body) {
		t.Error("the document is not JSON")
	}
}

// The page and llms.txt say how people add the MCP server to their programs, with this deployment's address.
func TestMCP_HowToAdd(t *testing.T) {
	client := serve(t, discovery.Options{})
	var document struct{ Info struct{ Description string } }
	if err := json.Unmarshal(client.Get(t, "/api/v2/openapi.json").Body, &document); err != nil {
		t.Fatal(err)
	}
	for where, text := range map[string]string{
		"the page": document.Info.Description, "llms.txt": string(client.Get(t, "/llms.txt").Body),
	} {
		for _, want := range []string{
			"claude mcp add --transport http earshot " + root + "/api/mcp/v2`", "ChatGPT",
			`{"mcpServers": {"earshot": {"url": "` + root,
			`{"servers": {"earshot": {"type": "http", "url": "` + root, `{"command": "earshot", "args": ["mcp"]}`,
			"DELETE /api/v2/org/grants/{id}",
		} {
			if !strings.Contains(text, want) {
				t.Errorf("%s does not say %q", where, want)
			}
		}
	}
}
