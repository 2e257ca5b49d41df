// Package asks is the catalogue of requests: for each operation of the API, requests that a client can make. What
// drives every operation derives from it: the proofs of functions/local/isolation and the soak. Its test holds the
// catalogue and the OpenAPI document to each other, so that a new operation, or a new place in an old one, fails it.
//
// Only tests and tools of infra import it. It never runs in a Lambda.
package asks

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// An Ask is a request that a workspace can make. It succeeds where each <kind> is the workspace's own. Args are the
// parameters of the path and of the query.
type Ask struct{ Operation, Args, Body string }

// A Kind is what an id belongs to, such as keyword. All that a Kind stands for is in the world that makes the ask.
type Kind string

// What several workspaces have: an author of mentions, and people whom all of them invited, by themselves or by their
// agency.
const (
	SharedAuthor  = "quietharbor"
	SharedAddress = "newcomer@people.example"
	QueuedAddress = "everybody@people.example"
)

// All returns the asks in an order in which one workspace can make them all. The public operations come first.
func All() []Ask {
	const (
		said  = `"timestamp":"2026-11-20 09:15:00.000"` // of the mentions that are named
		peak  = `"condition":{"metric":"mentions","comparison":"above","value":100,"window":"24h"}`
		slack = `"destinations":[{"type":"SLACK","slackDestination":{"channels":["<channel>"]}}]`
	)
	all := []Ask{
		{"getMcpMetadata", "", ""},
		{"getMcpResourceMetadata", "", ""},
		{"getApiMetadata", "", ""},
		{"getAuthorizationServer", "", ""},
		{"authorizeClient", "client_id=nobody&redirect_uri=https://client.example/back", ""},
		{"decideAuthorization", "", ""},
		{"finishSignIn", "state=nothing&code=nothing", ""},
		{"issueTokens", "", ""},
		{"revokeToken", "", ""},
		{"registerClient", "", `{"redirect_uris":["http://127.0.0.1/back"]}`},
		{"getOpenApi", "", ""},
		{"getLlmsTxt", "", ""},
		{"getDocs", "", ""},
		{"getDocsFile", "file=swagger-ui.css", ""},
		{"finishSlackConnection", "code=nothing&state=nothing", ""},
		{"getUpgradePage", "token=nothing&plan=scale", ""},
		{"requestUpgrade", "token=nothing&plan=scale", ""},
		{"getUnsubscribePage", "token=nothing", ""},
		{"unsubscribe", "token=nothing", ""},

		{"callMcp", "", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",
			"capabilities":{},"clientInfo":{"name":"ask","version":"1"}}}`},
		{"getAuth", "", ""},
		{"getOrganization", "", ""},
		{"getUsage", "", ""},
		{"getCompany", "", ""},
		{"listKeys", "", ""},
		{"listGrants", "", ""},
		{"listMembers", "", ""},
		{"listInvitations", "", ""},
		{"listAttention", "", ""},
		{"listMonitoringRecommendations", "", ""},
		{"listKeywords", "", ""},
		{"listKeywordSuggestions", "", ""},
		{"getGlobalFilters", "", ""},
		{"listFeeds", "", ""},
		{"listNotifications", "", ""},
		{"listAlerts", "", ""},
		{"getSlackIntegration", "", ""},
		{"listSlackChannels", "", ""},
		{"connectSlack", "", ""},
		{"getFeedbackStats", "", ""},
		{"listTags", "", ""},
		{"getVolume", "keywordIds=<keyword>&fill=true", ""},
		{"getSentiment", "keywordIds=<keyword>", ""},
		{"getSources", "keywordIds=<keyword>&timezone=Asia/Kolkata", ""},
		{"getKeywordCounts", "keywordIds=<keyword>", ""},
		{"getTagCounts", "keywordIds=<keyword>&tag=none", ""},
		{"getLanguages", "keywordIds=<keyword>", ""},
		{"getAuthors", "keywordIds=<keyword>", ""},
		{"getShareOfVoice", "keywordIds=<keyword>", ""},
		{"getDashboard", "keywordIds=<keyword>", ""},
		{"queryAnalytics", "", `{"aggregates":["count"],"dimensions":["author"],"filters":{"keyword":[<keyword>]}}`},
		{"queryAnalytics", "", `{"aggregates":["authors"],"filters":{"!keyword":[<keyword>]}}`},
		{
			"queryAnalytics", "",
			`{"aggregates":["count"],"filters":{"operator":"OR","groups":[{"operator":"AND","conditions":[{"keyword":[<keyword>]}]},` +
				`{"operator":"AND","conditions":[{"!keyword":[<keyword>]}]}]}}`,
		},
		{"listThemes", "", `{"filters":{"keyword":[<keyword>]}}`},
		{"listThemes", "", `{"filters":{"!keyword":[<keyword>]}}`},
		{
			"listThemes", "",
			`{"filters":{"operator":"OR","groups":[{"operator":"AND","conditions":[{"keyword":[<keyword>]}]},` +
				`{"operator":"AND","conditions":[{"!keyword":[<keyword>]}]}]}}`,
		},
		{"runFilterWizard", "", `{"query":"negative posts on reddit since monday"}`},
		{"getSetupCleanup", "", ""},
		{"getAgency", "", ""},
		{"listAgencyWorkspaces", "", ""},
		{"createUpgradeLink", "", ""},

		{"listKeywords", "limit=1&cursor=<keywordCursor>", ""},
		{"listFeeds", "limit=1&cursor=<feedCursor>", ""},
		{"getFeed", "id=<feed>", ""},
		{"getKeyword", "id=<keyword>", ""},
		{"getNotification", "id=<notification>", ""},
		{"getAlert", "id=<alert>", ""},
		{"previewAlert", "", `{"feedId":<feed>,` + peak + `}`},
		{"getNotificationSigningSecret", "id=<notification>", ""},
		{"getFeedSigningSecret", "id=<feed>", ""},
		{"getAlertSigningSecret", "id=<alert>", ""},
		{"listDeliveries", "limit=1", ""},
		{"listDeliveries", "feedId=<feed>&notificationId=<notification>&status=delivered", ""},
		{"listDeliveries", "alertId=<alert>", ""},
		{"listDeliveries", "limit=1&cursor=<deliveriesCursor>", ""},
		{"getDelivery", "id=<delivery>", ""},
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
		{"listMentionsByAuthor", "source=hackernews&limit=1&cursor=<authorCursor>&handle=" + SharedAuthor, ""},
		{"listMentions", "", `{"view":<feed>}`},
		{"listMentions", "", `{"limit":1,"cursor":"<cursor>"}`},
		{"getExport", "exportId=<export>", ""},
		{"exportMentions", "", `{"format":"csv","view":<feed>}`},
		{"exportMentions", "", `{"limit":1,"cursor":"<unusedCursor>"}`},
		{"getSearch", "searchId=<search>", ""},
		{"listSearches", "limit=1&cursor=<searchCursor>", ""},
		{"getSummary", "summaryId=<summary>", ""},
		{"listSummaries", "limit=1&cursor=<summaryCursor>", ""},
		{"createSummary", "", `{"feedId":<feed>,"startDate":"2026-11-14","endDate":"2026-11-21"}`},
		{"createSummary", "", `{"filters":{"keyword":[<keyword>]}}`},
		{"createSummary", "", `{"filters":{"!keyword":[<keyword>]}}`},
		{
			"createSummary", "",
			`{"filters":{"operator":"OR","groups":[{"operator":"AND","conditions":[{"keyword":[<keyword>]}]},` +
				`{"operator":"AND","conditions":[{"!keyword":[<keyword>]}]}]}}`,
		},
		{"createSearch", "", `{"query":"northwind OR pager","waitMs":0}`},
		{"getSetupDraft", "id=<scanned>", ""},
		{"getSetupProposal", "id=<ready>", ""},

		{
			"submitFeedback", "",
			`{"sourceId":"<mention>","keywordId":<keyword>,"source":"hackernews","feedbackType":"NOT_RELEVANT",` + said + `}`,
		},
		{"updateMention", "sourceId=<mention>", `{"action":"engage","postId":<post>,"engaged":true,` + said + `}`},
		{"updateMention", "sourceId=<mention>", `{"action":"relevance","postId":<post>,"relevance":2,` + said + `}`},
		{
			"updateMention", "sourceId=<mention>",
			`{"action":"sentiment","postId":<post>,"sentimentLabel":"Negative",` + said + `}`,
		},
		{
			"updateMention", "sourceId=<archived>",
			`{"action":"sentiment","sentimentLabel":"Negative","timestamp":"2026-05-04 10:15:00.000"}`,
		},
		{"createFeed", "", `{"name":"Another",` + slack + `}`},
		{"updateFeed", "id=<feed>", `{"name":"Another",` + slack + `}`},
		{"createNotification", "", `{"name":"Another","feedId":<feed>,` + slack + `}`},
		{"updateNotification", "id=<notification>", `{"feedId":<feed>,` + slack + `}`},
		{"createAlert", "", `{"name":"Another","feedId":<feed>,` + peak + `,` + slack + `}`},
		{"updateAlert", "id=<alert>", `{"feedId":<feed>,` + slack + `}`},
		{"testNotification", "id=<notification>", ""},
		{"rotateNotificationSigningSecret", "id=<notification>", ""},
		{"rotateFeedSigningSecret", "id=<feed>", ""},
		{"rotateAlertSigningSecret", "id=<alert>", ""},
		{"resendDelivery", "id=<delivery>", ""},
		{"applyAttention", "id=<broken>", ""},
		{"enableNotification", "id=<notification>", ""},
		{"enableFeed", "id=<feed>", ""},
		{"enableAlert", "id=<alert>", ""},
		{"recoverNotification", "id=<notification>", `{"since":"2026-11-01T00:00:00Z"}`},
		{"recoverFeed", "id=<feed>", `{"since":"2026-11-01T00:00:00Z"}`},
		{"recoverAlert", "id=<alert>", `{"since":"2026-11-01T00:00:00Z"}`},
		{"previewKeyword", "", `{"keyword":"<text>"}`},
		{"getKeywordBackfill", "id=<keyword>", ""},
		{"backfillKeyword", "id=<keyword>", `{"days":30,"dryRun":true}`},
		{"backfillKeyword", "id=<keyword>", `{"days":30}`},
		{"createKeyword", "", `{"keyword":"<text>"}`},
		{"updateKeyword", "id=<rival>", `{"keyword":"<wording>"}`},
		{"acceptKeywordSuggestion", "id=<suggestion>", ""},
		{"rejectKeywordSuggestion", "id=<refused>", ""},
		{"pauseKeyword", "id=<keyword>", `{"paused":true}`},
		{"dismissAttention", "id=<attention>", ""},
		{"dismissAttention", "id=<dismissed>", ""},
		{"inviteMember", "", `{"email":"<address>","role":"org:admin"}`},
		{"inviteMember", "", `{"email":"<account>","role":"org:member"}`},
		{"inviteMember", "", `{"email":"` + SharedAddress + `","role":"org:admin"}`},
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
		{
			"applySetup", "id=<ready>",
			`{"keywordRefs":["<brandRef>"],"optionIds":["<optionRef>"],"feedRefs":["<feedRef>"]}`,
		},
	}
	all = slices.Concat(all, filtered("listMentions", "", `{`, "filters", "simpleFilters", "advancedFilters"),
		filtered("exportMentions", "", `{"format":"json",`, "filters", "simpleFilters", "advancedFilters"),
		filtered("createFeed", "", `{"name":"Another",`, "simpleFilters", "advancedFilters"),
		filtered("updateFeed", "id=<feed>", `{`, "simpleFilters", "advancedFilters"),
		filtered("previewAlert", "", `{`+peak+`,`, "filters"),
		filtered("createAlert", "", `{"name":"Another",`+peak+`,`, "filters"),
		filtered("updateAlert", "id=<alert>", `{`, "filters"))
	return append(
		all,
		Ask{"withdrawFeedback", "sourceId=<mention>&keywordId=<keyword>", ""},
		Ask{"deleteNotification", "id=<notification>", ""},
		Ask{"deleteAlert", "id=<alert>", ""},
		Ask{"deleteFeed", "id=<feed>", ""},
		Ask{"disconnectSlack", "", ""},
		Ask{"deleteKeyword", "id=<keyword>", ""},
		Ask{"endGrant", "id=<grant>", ""},
		Ask{"removeMember", "id=<member>", ""},
		Ask{"resendInvitation", "id=<invitation>", ""},
		Ask{"removeMember", "id=<invitation>", ""},
		Ask{
			"createAgencyWorkspace", "",
			`{"name":"Another","plan":"pro","domain":"<domain>","flex":{"enabled":true,"capMentions":1000,"budgetCents":150}}`,
		},
		Ask{
			"inviteAgencyMembers", "",
			`{"targetOrgIds":["<workspace>","<spare>"],"emails":["<person>"],"role":"org:member"}`,
		},
		Ask{"inviteAgencyMembers", "", `{"targetOrgIds":["<spare>"],"emails":["<account>"],"role":"org:admin"}`},
		Ask{
			"inviteAgencyMembers", "",
			`{"targetOrgIds":"all","emails":["` + SharedAddress + `","` + QueuedAddress +
				`","later@people.example"],"role":"org:member"}`,
		},
		Ask{"deleteAgencyWorkspace", "orgId=<spare>", ""},
		Ask{"revokeKey", "id=<key>", ""},
	)
}

// filtered returns asks with a keyword in every place of filters.
func filtered(operation, args, begins string, in ...string) (all []Ask) {
	for _, name := range in {
		for _, key := range []string{"keyword", "!keyword"} {
			condition := fmt.Sprintf(`{%q:[<rival>]}`, key)
			if name != "advancedFilters" {
				all = append(all, Ask{operation, args, fmt.Sprintf(`%s%q:%s}`, begins, name, condition)})
			}
			if name != "simpleFilters" {
				all = append(all, Ask{
					operation,
					args,
					fmt.Sprintf(
						`%s%q:{"operator":"AND","groups":[{"operator":"OR","conditions":[%s]}]}}`, begins, name,
						condition,
					),
				})
			}
		}
	}
	return all
}

var placeholder = regexp.MustCompile(`<([A-Za-z]+)>`)

// Kinds returns the kinds of the ask's ids, in order.
func (a Ask) Kinds() (kinds []Kind) {
	for _, found := range placeholder.FindAllStringSubmatch(a.Args+a.Body, -1) {
		kinds = append(kinds, Kind(found[1]))
	}
	return kinds
}

// With returns the ask with ids in their places, which are counted as Kinds lists them.
func (a Ask) With(id func(place int, of Kind) string) Ask {
	place := -1
	put := func(found string) string {
		place++
		return id(place, Kind(strings.Trim(found, "<>")))
	}
	// In this order: Kinds counts in it.
	a.Args = placeholder.ReplaceAllStringFunc(a.Args, func(found string) string { return url.QueryEscape(put(found)) })
	a.Body = placeholder.ReplaceAllStringFunc(a.Body, put)
	return a
}

// Target returns the path and the query of an ask without placeholders.
func (a Ask) Target(o Operation) string {
	args, _ := url.ParseQuery(a.Args)
	target := o.Path
	for name := range args {
		if variable := "{" + name + "}"; strings.Contains(target, variable) {
			target = strings.ReplaceAll(target, variable, url.PathEscape(args.Get(name)))
			args.Del(name)
		}
	}
	if len(args) > 0 {
		target += "?" + args.Encode()
	}
	return target
}

// Places returns where the ask has ids, as the document names places. Its body must be JSON.
func (a Ask) Places(o Operation) (places []string, err error) {
	for wanted := range a.Kinds() {
		const mark = 777
		asked := a.With(func(place int, _ Kind) string { return strconv.Itoa(mark + place - wanted) })
		args, err := url.ParseQuery(asked.Args)
		if err != nil {
			return nil, err
		}
		for name := range args {
			switch {
			case args.Get(name) != strconv.Itoa(mark):
			case strings.Contains(o.Path, "{"+name+"}"):
				places = append(places, "path."+name)
			default:
				places = append(places, "query."+name)
			}
		}
		var body any
		if a.Body != "" {
			if err := json.Unmarshal([]byte(asked.Body), &body); err != nil {
				return nil, fmt.Errorf("asks: read the body of %s: %w", a.Operation, err)
			}
		}
		places = append(places, find(body, "body", strconv.Itoa(mark))...)
	}
	return places, nil
}

// find returns the places of a value in a body.
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
