// Generate writes what the discovery function serves, the OpenAPI document and llms.txt, from the registrations of
// every function. With -check it writes nothing and fails when a file is not what it would write.
package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"earshot/functions/agency"
	"earshot/functions/ai"
	"earshot/functions/alerts"
	"earshot/functions/analytics"
	"earshot/functions/authorize"
	"earshot/functions/discovery"
	"earshot/functions/feedback"
	"earshot/functions/feeds"
	"earshot/functions/feeds/receivers"
	"earshot/functions/filters"
	"earshot/functions/keywords"
	"earshot/functions/keywords/preview"
	"earshot/functions/keywords/suggestions"
	"earshot/functions/mcp"
	"earshot/functions/members"
	"earshot/functions/mentions"
	"earshot/functions/organization"
	"earshot/functions/search"
	"earshot/functions/setup"
	"earshot/shared/web"
)

func main() {
	check := flag.Bool("check", false, "fail when a file is stale instead of writing it")
	folder := flag.String("folder", "functions/discovery", "where the files are")
	flag.Parse()
	if err := run(*folder, *check); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(folder string, check bool) error {
	api := web.New(web.Options{Document: true})
	mentions.Register(api, mentions.Options{})
	analytics.Register(api, analytics.Options{})
	ai.Register(api, ai.Options{})
	feedback.Register(api, feedback.Options{})
	feeds.Register(api, feeds.Options{})
	receivers.Register(api, receivers.Options{})
	alerts.Register(api, alerts.Options{})
	filters.Register(api, filters.Options{})
	keywords.Register(api, keywords.Options{})
	suggestions.Register(api, suggestions.Options{})
	preview.Register(api, preview.Options{})
	members.Register(api, members.Options{})
	organization.Register(api, organization.Options{})
	search.Register(api, search.Options{})
	setup.Register(api, setup.Options{})
	agency.Register(api, agency.Options{})
	authorize.Register(api, authorize.Options{})
	mcp.Register(api, mcp.Options{})
	discovery.Register(api, discovery.Options{})
	document, err := api.OpenAPI(description, groups)
	if err != nil {
		return err
	}
	llms, err := summary(document)
	if err != nil {
		return err
	}
	for name, content := range map[string][]byte{"openapi.json": document, "llms.txt": llms} {
		file := filepath.Join(folder, name)
		if !check {
			if err := os.WriteFile(file, content, 0o644); err != nil {
				return err
			}
			continue
		}
		if found, err := os.ReadFile(file); err != nil || !bytes.Equal(found, content) {
			return fmt.Errorf("%s is stale: run make generate", file)
		}
	}
	return nil
}

// groups says what each function is, for the document.
var groups = map[string]string{
	mentions.Group: "Mentions are posts that matched the workspace's keywords, judged for relevance and sentiment. " +
		"Filter, read, correct and export them.",
	analytics.Group: "Figures about mentions: volume, sentiment, platforms, keywords, topics, languages, authors and share of " +
		"voice, and queries by any two dimensions. Every response says whether its figures are exact, and every row has the " +
		"filters that open its mentions.",
	ai.Group: "Requests in plain words. The filter wizard turns one into a filter for the list of mentions or a feed, or says " +
		"what it did not understand.",
	feedback.Group: "Users' judgements of mentions, one for each mention and keyword, and the false-positive rate.",
	feeds.Group:    "Feeds are saved filters with destinations. Also notifications and the workspace's Slack connection.",
	alerts.Group: "An alert tells when the figures of a feed or a filter cross a threshold, and when they have returned. A preview " +
		"says what it would have done in the last 30 days.",
	filters.Group: "Words, authors, subreddits and repositories to exclude or require for all keywords of the workspace.",
	keywords.Group: "Keywords are what the workspace listens for, with their scoping and volumes. Suggestions for them are " +
		"computed from collected and judged mentions.",
	members.Group:      "The people of the workspace: members and invitations.",
	organization.Group: "The workspace: the present key, plan and usage, company profile, API keys, and what needs attention.",
	search.Group: "An answer now, over what the platforms and the archive have, without tracking anything. Searches and their " +
		"results are kept for 30 days. Every response says how many searches and mentions are left.",
	setup.Group: "From a company's domain to a proposed configuration with measured reasons. Create a draft and poll it until " +
		"it is scanned. Correct its profile. Propose, and poll until the proposal is ready. Apply it. After the first " +
		"collection, clean up. This is a beta: where it is off, every operation responds with FEATURE_DISABLED.",
	agency.Group: "For an agency's master key. List, create and delete the agency's workspaces, and invite people into them. " +
		"They need no x-earshot-organization-id. Requests count against the agency's anchor workspace.",
	authorize.Group: "OAuth 2.1 for programs that act for a person: the person signs in, and chooses a workspace and a scope. " +
		"Errors have the form of RFC 6749. These operations take no API key.",
	mcp.Group:       "The MCP server, for language models: tools that call the operations of this API.",
	discovery.Group: "What the API is. These operations are public and cacheable, and have no rate limit.",
}

// mcpURL is the address that people add to programs.
const mcpURL = web.ServerPlaceholder + mcp.Path

// description introduces the API on the documentation page and in llms.txt, which has room for no headings.
const description = `Earshot watches the places where people talk for the keywords of a workspace. It judges every mention for
relevance and sentiment, and serves the mentions here.

**Credentials.** Send an API key of the workspace as ` + "`Authorization: Bearer <API_KEY>`" + `. Each operation names the
least scope that it needs in ` + "`x-required-scope`" + `: read, write (implies read), admin (implies write). An agency's master
key also names the workspace, in ` + "`x-earshot-organization-id`" + `. An operation with ` + "`x-master-key`" + ` is the agency's
own: it needs no workspace and takes no other key.

**Limits.** A workspace has 500 requests in each hour of UTC, over all its keys. The headers of every 2xx response say how
many are left. A body has at most 1 MiB, 32 levels and 50,000 values.

**HEAD.** Every path that takes GET takes HEAD too. It has the same checks, status and headers, and no body.

**Errors.** Every response outside 2xx, except 304, is ` + "`{\"error\": {code, message, status}}`" + `. Branch on the code. Each
operation lists its codes.

**MCP.** Language models call these operations as tools at ` + "`" + mcpURL + "`" + `. Add that URL to a program, sign in
when it opens a browser, and choose a workspace and a scope:

- Claude: Settings, Connectors, Add custom connector.
- Claude Code: ` + "`claude mcp add --transport http earshot " + mcpURL + "`" + `, then ` + "`/mcp`" + `.
- ChatGPT: switch on developer mode in the settings, and create an app (or connector) with OAuth.
- Cursor: ` + "`{\"mcpServers\": {\"earshot\": {\"url\": \"" + mcpURL + "\"}}}`" + ` in ` + "`mcp.json`" + `.
- VS Code: ` + "`{\"servers\": {\"earshot\": {\"type\": \"http\", \"url\": \"" + mcpURL + "\"}}}`" + ` in ` + "`.vscode/mcp.json`" + `.
- Editors that start a program: ` + "`{\"command\": \"earshot\", \"args\": [\"mcp\"]}`" + `, after ` +
	"`earshot login --mcp --base-url " + web.ServerPlaceholder + "`" + `.

` + "`GET /api/v2/org/grants`" + ` lists what people allowed, and ` + "`DELETE /api/v2/org/grants/{id}`" + ` ends a grant.

**Mentions are written by strangers.** Their texts are returned as they are. Escape them when you show them. Bind them as
parameters when you store them. Give them to a language model as delimited data, never as instructions.
`

// summary writes llms.txt from the document, as llmstxt.org has it: a title, a quoted summary, text without headings,
// and sections of links with notes: the documentation, then each group's operations.
func summary(document []byte) ([]byte, error) {
	var doc struct {
		Paths map[string]map[string]struct {
			ID      string   `json:"operationId"`
			Summary string   `json:"summary"`
			Tags    []string `json:"tags"`
			Scope   string   `json:"x-required-scope"`
		} `json:"paths"`
	}
	if err := json.Unmarshal(document, &doc); err != nil {
		return nil, fmt.Errorf("read the document back: %w", err)
	}
	const page = web.ServerPlaceholder + "/api/v2/docs"
	listed := map[string][]string{}
	for path, operations := range doc.Paths {
		for method, op := range operations {
			scope, group := cmp.Or(op.Scope, "public"), op.Tags[0]
			// The page opens at an operation by its group and operationId.
			listed[group] = append(listed[group], fmt.Sprintf("- [%s %s](%s#/%s/%s): %s (%s, %s)",
				strings.ToUpper(method), path, page, group, op.ID, op.Summary, op.ID, scope))
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# Earshot\n\n> %s\n\n%s\n## Documentation\n\n", short, description)
	fmt.Fprintf(&b, "- [OpenAPI document](%s/api/v2/openapi.json): %s\n", web.ServerPlaceholder,
		"Every operation with its schemas, scopes and error codes")
	fmt.Fprintf(&b, "- [Reference](%s): A page to read the document and to try its operations\n", page)
	for _, name := range slices.Sorted(maps.Keys(listed)) {
		slices.Sort(listed[name])
		fmt.Fprintf(&b, "\n## %s\n\n- [About %s](%s#/%s): %s\n%s\n",
			name, name, page, name, groups[name], strings.Join(listed[name], "\n"))
	}
	return []byte(b.String()), nil
}

// short is the summary of llms.txt.
const short = "A social-listening API: it collects what people post about a workspace's keywords, " +
	"judges each mention for relevance and sentiment, and serves, filters and exports the mentions."
