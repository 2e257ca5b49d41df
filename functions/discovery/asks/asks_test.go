package asks_test

import (
	"slices"
	"strings"
	"testing"

	"earshot/functions/discovery"
	"earshot/functions/discovery/asks"
)

// plain are places where no id of a workspace's stands, by how they end.
var plain = []string{
	"If-Match", "If-None-Match", // versions of what the path names
	"query.token", // of the pages that people open: the token is the credential itself
	// of OAuth, where codes, tokens and the browser's own request are the credentials
	"client_id", "redirect_uri", "response_type", "response_mode", "code_challenge", "code_challenge_method", "resource",
	"query.request", "body.request", "csrf", "decision", "body.workspace", "grant_type", "body.code", "code_verifier",
	"refresh_token", "body.token",
	"token_type_hint", "client_name", "redirect_uris", "grant_types", "response_types", "token_endpoint_auth_method",
	"path.file",                                                           // of the documentation
	"query.code", "query.state", "query.error", "query.error_description", // with which signing in returns, and which nobody reads
	"limit", "since", "query.status", "collapse", "format", "includeAll", "includeEngagementMetrics", "startDate",
	"endDate", "operator", "metric", "value", "timestamp",
	"source", "sentiment", "language", "tag", "relevance", "postType", "reviewRating", "engaged", "text", "minXFollowers",
	"maxXFollowers",
	"simpleFilters.author", "filters.author", "conditions[].author", // whose mentions, of one's own
	"action", "sentimentLabel", "feedbackType", "feedbackReason", "feedbackSource",
	"name", "icon", "isDefault", "feedDestinationIndex", "destinations[].type", "frequency", "deliveryMode", "time",
	"timezone",
	"dayOfWeek", "emailDestination.emails", "url", "destinations[].summary",
	"comparison", "window", "baseline", "minimum", "remind",
	"additionalTerms", "additionalTermsLogic", "caseSensitive", "exactMatch", "context", "excludeAuthors", "excludeWords",
	"wildcardExcludeWords", "paused", "platforms", "negativeAuthors", "negativeKeywords", "negativeRepos",
	"negativeSubreddits",
	"positiveSubreddits", "list", "values",
	"days", "dryRun",
	"body.query", "timeWindow", "sources", "maxResults", "minRelevance", "waitMs",
	"granularity", "fill", "aggregates", "dimensions", "compareTo",
	// Of a JSON-RPC message: the operations that its tools call are asked by themselves.
	"body.id", "body.jsonrpc", "body.method", "body.params",
	"role", "scope", "expiry", "plan", "enabled", "flex.capMentions", "flex.budgetCents",
	"description", "products", "audience", "relevanceGuidelines", "excludeTerms",
	"company", "competitors", "industryTerms", "otherNames", "handles[].handle", "handles[].linked", "handles[].platform",
	"tier",
}

// everywhere are places that are tried on all operations that have them: see functions/local/isolation.
var everywhere = []string{"header." + asks.OrganizationHeader, "header.Idempotency-Key"}

func operations(t *testing.T) map[string]asks.Operation {
	t.Helper()
	all, err := asks.Operations(discovery.OpenAPI())
	if err != nil {
		t.Fatal(err)
	}
	by := map[string]asks.Operation{}
	for _, o := range all {
		by[o.ID] = o
	}
	return by
}

func TestAll_EachOperationAndNothingElse(t *testing.T) {
	operations, asked := operations(t), map[string]bool{}
	for _, a := range asks.All() {
		if _, there := operations[a.Operation]; !there {
			t.Errorf("the document has no operation %s: take its asks out", a.Operation)
		}
		asked[a.Operation] = true
	}
	for id := range operations {
		if !asked[id] {
			t.Errorf("the catalogue has no ask of %s", id)
		}
	}
}

// Every place of an operation has an id in some ask, or is plain.
func TestAll_EachPlace(t *testing.T) {
	operations, tried, used := operations(t), map[string]bool{}, map[string]bool{}
	for _, a := range asks.All() {
		places, err := a.Places(operations[a.Operation])
		if err != nil {
			t.Error(err)
		}
		for _, place := range places {
			if !slices.Contains(operations[a.Operation].Places, place) {
				t.Errorf("%s has no place %s: %+v", a.Operation, place, a)
			}
			tried[a.Operation+" "+strings.TrimSuffix(place, "[]")] = true // one or all of a list
		}
	}
	for id, o := range operations {
		for _, place := range o.Places {
			bare := strings.TrimSuffix(strings.ReplaceAll(place, "!", ""), "[]")
			at := slices.IndexFunc(plain, func(end string) bool { return bare == end || strings.HasSuffix(bare, "."+end) })
			switch {
			case at >= 0:
				used[plain[at]] = true
			case !tried[id+" "+strings.TrimSuffix(place, "[]")] && !slices.Contains(everywhere, place):
				t.Errorf("nobody has said what stands at %s of %s: add an ask where ids do, or a line to plain where none does", place, id)
			}
		}
	}
	for _, end := range plain {
		if !used[end] {
			t.Errorf("no place ends in %q any more: take it out of plain", end)
		}
	}
}
