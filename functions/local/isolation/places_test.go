package isolation_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

// An ask is a request that a workspace can make: what it answers is no error where each <kind> is the workspace's own. args are the
// parameters of the path and the query. An operation without parameters and body needs none.
type ask struct{ operation, args, body string }

// asks are in the order in which one workspace can make them all.
func asks() []ask {
	const (
		said  = `"timestamp":"2026-11-20 09:15:00.000"` // of the mentions that are named
		slack = `"destinations":[{"type":"SLACK","slackDestination":{"channels":["<channel>"]}}]`
	)
	all := []ask{
		{"getFeed", "id=<feed>", ""},
		{"getKeyword", "id=<keyword>", ""},
		{"getNotification", "id=<notification>", ""},
		{"getMention", "sourceId=<mention>", ""},
		{"getMention", "sourceId=<archived>", ""},
		{"getMention", "sourceId=<post>", ""},
		{"getMention", "sourceId=<archivedPost>", ""},
		{"getMentionById", "id=<mention>", ""},
		{"getMentionById", "id=<archived>", ""},
		{"getMentionById", "id=<post>&includeEngagementMetrics=true", ""},
		{"getMentionById", "id=<archivedPost>", ""},
		{"listMentionsByAuthor", "source=hackernews&handle=<author>", ""},
		{"listMentionsByAuthor", "profileUrl=<profile>", ""},
		{"listMentionsByAuthor", "source=hackernews&limit=1&cursor=<authorCursor>&handle=" + sharedAuthor, ""},
		{"listMentions", "", `{"view":<feed>}`},
		{"listMentions", "", `{"limit":1,"cursor":"<cursor>"}`},
		{"getExport", "exportId=<export>", ""},
		{"exportMentions", "", `{"format":"csv","view":<feed>}`},
		{"exportMentions", "", `{"limit":1,"cursor":"<unusedCursor>"}`},
		{"getSetupDraft", "id=<scanned>", ""},
		{"getSetupProposal", "id=<ready>", ""},

		{"submitFeedback", "", `{"sourceId":"<mention>","keywordId":<keyword>,"source":"hackernews","feedbackType":"NOT_RELEVANT",` + said + `}`},
		{"updateMention", "sourceId=<mention>", `{"action":"engage","postId":<post>,"engaged":true,` + said + `}`},
		{"updateMention", "sourceId=<mention>", `{"action":"relevance","postId":<post>,"relevance":2,` + said + `}`},
		{"updateMention", "sourceId=<mention>", `{"action":"sentiment","postId":<post>,"sentimentLabel":"Negative",` + said + `}`},
		{"updateMention", "sourceId=<archived>", `{"action":"sentiment","sentimentLabel":"Negative","timestamp":"2026-05-04 10:15:00.000"}`},
		{"createFeed", "", `{"name":"Another",` + slack + `}`},
		{"updateFeed", "id=<feed>", `{"name":"Another",` + slack + `}`},
		{"createNotification", "", `{"name":"Another","feedId":<feed>,` + slack + `}`},
		{"updateNotification", "id=<notification>", `{"feedId":<feed>,` + slack + `}`},
		{"testNotification", "id=<notification>", ""},
		{"createKeyword", "", `{"keyword":"<text>"}`},
		{"updateKeyword", "id=<rival>", `{"keyword":"<wording>"}`},
		{"acceptKeywordSuggestion", "id=<suggestion>", ""},
		{"rejectKeywordSuggestion", "id=<refused>", ""},
		{"pauseKeyword", "id=<keyword>", `{"paused":true}`},
		{"dismissAttention", "id=<attention>", ""},
		{"dismissAttention", "id=<dismissed>", ""},
		{"inviteMember", "", `{"email":"<address>","role":"org:admin"}`},
		{"inviteMember", "", `{"email":"<account>","role":"org:member"}`},
		{"inviteMember", "", `{"email":"` + sharedAddress + `","role":"org:admin"}`},
		{"createKey", "", `{"name":"Another","scope":"read","expiry":"90d"}`},
		{"updateOrganization", "", `{"name":"Another"}`},
		{"updateCompany", "", `{"domain":"<domain>"}`},
		{"updateGlobalFilters", "", `{"negativeKeywords":["storm"]}`},
		{"addGlobalFilters", "", `{"list":"negativeAuthors","values":["weatherbot"]}`},
		{"removeGlobalFilters", "", `{"list":"negativeAuthors","values":["weatherbot"]}`},
		{"runSetupCleanup", "", `{"keywordIds":[<cleanup>]}`},
		{"createSetupDraft", "", `{"domain":"<domain>"}`},
		{"updateSetupDraft", "id=<scanned>", `{"profile":{"audience":"engineers"}}`},
		{"proposeSetup", "", `{"draftId":"<scanned>"}`},
		{"applySetup", "id=<ready>", `{"keywordRefs":["<brandRef>"],"optionIds":["<optionRef>"],"feedRefs":["<feedRef>"]}`},
	}
	all = slices.Concat(all, filtered("listMentions", "", `{`, "filters", "simpleFilters", "advancedFilters"),
		filtered("exportMentions", "", `{"format":"json",`, "filters", "simpleFilters", "advancedFilters"),
		filtered("createFeed", "", `{"name":"Another",`, "simpleFilters", "advancedFilters"),
		filtered("updateFeed", "id=<feed>", `{`, "simpleFilters", "advancedFilters"))
	return append(all,
		ask{"withdrawFeedback", "sourceId=<mention>&keywordId=<keyword>", ""},
		ask{"deleteNotification", "id=<notification>", ""},
		ask{"deleteFeed", "id=<feed>", ""},
		ask{"deleteKeyword", "id=<keyword>", ""},
		ask{"removeMember", "id=<member>", ""},
		ask{"resendInvitation", "id=<invitation>", ""},
		ask{"removeMember", "id=<invitation>", ""},
		ask{"createAgencyWorkspace", "",
			`{"name":"Another","plan":"pro","domain":"<domain>","flex":{"enabled":true,"capMentions":1000,"budgetCents":150}}`},
		ask{"inviteAgencyMembers", "", `{"targetOrgIds":["<workspace>","<spare>"],"emails":["<person>"],"role":"org:member"}`},
		ask{"inviteAgencyMembers", "", `{"targetOrgIds":["<spare>"],"emails":["<account>"],"role":"org:admin"}`},
		ask{"inviteAgencyMembers", "",
			`{"targetOrgIds":"all","emails":["` + sharedAddress + `","` + queuedAddress + `","later@people.example"],"role":"org:member"}`},
		ask{"deleteAgencyWorkspace", "orgId=<spare>", ""},
		ask{"revokeKey", "id=<key>", ""},
	)
}

// filtered are asks with a keyword in every place of filters.
func filtered(operation, args, begins string, in ...string) (all []ask) {
	for _, name := range in {
		for _, key := range []string{"keyword", "!keyword"} {
			condition := fmt.Sprintf(`{%q:[<rival>]}`, key)
			if name != "advancedFilters" {
				all = append(all, ask{operation, args, fmt.Sprintf(`%s%q:%s}`, begins, name, condition)})
			}
			if name != "simpleFilters" {
				all = append(all, ask{operation, args,
					fmt.Sprintf(`%s%q:{"operator":"AND","groups":[{"operator":"OR","conditions":[%s]}]}}`, begins, name, condition)})
			}
		}
	}
	return all
}

// plain are places where no id of a workspace's stands, by how they end.
var plain = []string{
	"If-Match", "If-None-Match", // versions of what the path names
	"query.token",                                                         // of the upgrade page: the token is the credential itself
	"path.file",                                                           // of the documentation
	"query.code", "query.state", "query.error", "query.error_description", // with which signing in returns, and which nobody reads
	"limit", "format", "includeAll", "includeEngagementMetrics", "startDate", "endDate", "operator", "metric", "value", "timestamp",
	"source", "sentiment", "language", "tag", "relevance", "postType", "reviewRating", "engaged", "text", "minXFollowers", "maxXFollowers",
	"simpleFilters.author", "filters.author", "conditions[].author", // whose mentions, of one's own
	"action", "sentimentLabel", "feedbackType", "feedbackReason", "feedbackSource",
	"name", "icon", "isDefault", "feedDestinationIndex", "destinations[].type", "frequency", "deliveryMode", "time", "timezone",
	"dayOfWeek", "emailDestination.emails", "url",
	"additionalTerms", "additionalTermsLogic", "caseSensitive", "exactMatch", "context", "excludeAuthors", "excludeWords",
	"wildcardExcludeWords", "paused", "platforms", "negativeAuthors", "negativeKeywords", "negativeRepos", "negativeSubreddits",
	"positiveSubreddits", "list", "values",
	"role", "scope", "expiry", "plan", "enabled", "flex.capMentions", "flex.budgetCents",
	"description", "products", "audience", "relevanceGuidelines", "excludeTerms",
	"company", "competitors", "industryTerms", "otherNames", "handles[].handle", "handles[].linked", "handles[].platform", "tier",
}

// everywhere are places that are tried on all operations that have them: see foreignWorkspace and nothingIsCounted.
var everywhere = []string{"header." + organizationHeader, "header.Idempotency-Key"}

// named are kinds of what need not be there to be named: nothing is refused where it is another's, and nothing is told of it.
var named = map[kind]bool{"author": true, "profile": true, "text": true, "wording": true, "account": true, "address": true, "person": true,
	"domain": true, "cleanup": true, "unusedCursor": true}

// anew are those of them that a workspace can only name while it has them not.
var anew = map[kind]bool{"text": true, "wording": true, "account": true, "address": true, "person": true}

var placeholder = regexp.MustCompile(`<([A-Za-z]+)>`)

// kinds are the kinds of the ask's ids, in order.
func (a ask) kinds() (kinds []kind) {
	for _, found := range placeholder.FindAllStringSubmatch(a.args+a.body, -1) {
		kinds = append(kinds, kind(found[1]))
	}
	return kinds
}

// with is the ask with ids in their places.
func (a ask) with(id func(place int, of kind) string) ask {
	place := -1
	put := func(found string) string {
		place++
		return id(place, kind(strings.Trim(found, "<>")))
	}
	// In this order: kinds counts in it.
	a.args = placeholder.ReplaceAllStringFunc(a.args, func(found string) string { return url.QueryEscape(put(found)) })
	a.body = placeholder.ReplaceAllStringFunc(a.body, put)
	return a
}

// own is the ask as a workspace makes it of what it has.
func (a ask) own(t testing.TB, of *tenant) ask {
	return a.with(func(_ int, k kind) string {
		if anew[k] {
			return of.unlike(t, k)
		}
		return of.ids[k]
	})
}

// to is the request that an ask without placeholders is.
func (a ask) to(o operation) request {
	args, _ := url.ParseQuery(a.args)
	target := o.path
	for name := range args {
		if variable := "{" + name + "}"; strings.Contains(target, variable) {
			target = strings.ReplaceAll(target, variable, url.PathEscape(args.Get(name)))
			args.Del(name)
		}
	}
	if len(args) > 0 {
		target += "?" + args.Encode()
	}
	return request{method: o.method, target: target, body: a.body}
}

// places are where the ask has ids, as the document names places.
func (a ask) places(t testing.TB, o operation) (places []string) {
	t.Helper()
	for wanted := range a.kinds() {
		const mark = 777
		asked := a.with(func(place int, _ kind) string { return strconv.Itoa(mark + place - wanted) })
		args, _ := url.ParseQuery(asked.args)
		for name := range args {
			if args.Get(name) == strconv.Itoa(mark) {
				places = append(places, map[bool]string{true: "path.", false: "query."}[strings.Contains(o.path, "{"+name+"}")]+name)
			}
		}
		var body any
		if a.body != "" {
			must(t, json.Unmarshal([]byte(asked.body), &body))
		}
		places = append(places, find(body, "body", strconv.Itoa(mark))...)
	}
	return places
}

// find are the places of a value in a body.
func find(in any, at, value string) (places []string) {
	switch in := in.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(in)) {
			places = append(places, find(in[name], at+"."+name, value)...)
		}
	case []any:
		for _, one := range in {
			places = append(places, find(one, at+"[]", value)...)
		}
	default:
		if fmt.Sprint(in) == value {
			return []string{at}
		}
	}
	return places
}

// known holds the asks and the document to each other: every operation is asked, and every place of one is tried or said to be plain.
func known(t *testing.T, all []operation, asked []ask) {
	tried, by := map[string]bool{}, map[string]operation{}
	for _, o := range all {
		by[o.id] = o
	}
	for _, a := range asked {
		o, there := by[a.operation]
		if !there {
			t.Errorf("the document has no operation %s: take its asks out", a.operation)
			continue
		}
		for _, place := range a.places(t, o) {
			if !slices.Contains(o.places, place) {
				t.Errorf("%s has no place %s: %+v", a.operation, place, a)
			}
			tried[a.operation+" "+strings.TrimSuffix(place, "[]")] = true // one or all of a list
		}
	}
	used := map[string]bool{}
	for _, o := range all {
		for _, place := range o.places {
			bare := strings.TrimSuffix(strings.ReplaceAll(place, "!", ""), "[]")
			at := slices.IndexFunc(plain, func(end string) bool { return bare == end || strings.HasSuffix(bare, "."+end) })
			switch {
			case at >= 0:
				used[plain[at]] = true
			case !tried[o.id+" "+strings.TrimSuffix(place, "[]")] && !slices.Contains(everywhere, place):
				t.Errorf("nobody has said what stands at %s of %s: add an ask to asks where ids do, or a line to plain where none does", place, o.id)
			}
		}
	}
	for _, end := range plain {
		if !used[end] {
			t.Errorf("no place ends in %q any more: take it out of plain", end)
		}
	}
}

// unlike is an id of the same form as the tenant's that is nobody's.
func (of *tenant) unlike(t testing.TB, k kind) string {
	t.Helper()
	id, has := of.ids[k]
	if !has {
		t.Fatalf("%s has no %s", of.Name, k)
	}
	of.drawn++
	for _, name := range []string{of.Name, strings.ToLower(of.Name)} {
		if strings.Contains(id, name) {
			return strings.ReplaceAll(id, name, fmt.Sprintf("nobody%d%03d", of.number, of.drawn))
		}
	}
	begins, rest := id[:1], id[1:]
	if at := strings.LastIndex(id, "_"); at > 0 && !strings.HasSuffix(strings.ToLower(string(k)), "cursor") {
		begins, rest = id[:at+1], id[at+1:]
	}
	switch {
	case regexp.MustCompile(`^\d+$`).MatchString(rest): // numbers of tenants begin with 1 to 6
		return strings.TrimRight(begins, "123456") + strconv.Itoa(9000+of.drawn%1000)
	case workspace.ValidID(begins, id):
		return workspace.NewID(begins, worldtest.Now)
	}
	letters := []byte(rest)
	rand.Shuffle(len(letters), func(i, j int) { letters[i], letters[j] = letters[j], letters[i] })
	return begins + string(letters)
}
