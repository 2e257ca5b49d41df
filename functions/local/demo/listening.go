package demo

import (
	"context"
	"time"

	"earshot/shared/alert"
	"earshot/shared/feed"
	"earshot/shared/keyword"
	"earshot/shared/store/allstores"
	"earshot/shared/workspace"
)

// What the workspaces listen for. robots is on the Agents plan, which has no keywords. The industry terms are
// everyday words, so that a network brings live posts within minutes.
var keywords = map[string][]keyword.Keyword{
	northwind: {
		{ID: 7, Text: "northwind", ExactMatch: true, Tag: keyword.OwnBrand, AdditionalTermsLogic: keyword.Any,
			ExcludeWords: []string{"northwind database", "northwind traders"},
			Context:      "Northwind, the on-call and alerting product: customers, prices, problems, praise."},
		{
			ID:      8,
			Text:    "lanternpage",
			Tag:     keyword.Competitor,
			Context: "Lanternpage, a competitor of Northwind: moves to it or from it.",
		},
		{ID: 9, Text: "on-call fatigue", Tag: keyword.IndustryTerm, Context: "How people cope with being on call."},
		{ID: 10, Text: "incident response", ExactMatch: true, Tag: keyword.IndustryTerm,
			Context: "How teams answer incidents of their software: on-call, alerting, runbooks, postmortems."},
		{ID: 11, Text: "observability", ExactMatch: true, Tag: keyword.IndustryTerm,
			Context: "Observability of software: monitoring, metrics, logs, traces, alerts."},
		{ID: 12, Text: "outage", ExactMatch: true, Tag: keyword.IndustryTerm,
			Context: "Outages of online services and cloud providers: what broke, how it was noticed and answered."},
		{ID: 13, Text: "monitoring", ExactMatch: true, Tag: keyword.IndustryTerm,
			Context: "Monitoring of servers, networks, databases and applications."},
		{ID: 14, Text: "kubernetes", ExactMatch: true, Tag: keyword.IndustryTerm,
			Context: "Running software on Kubernetes: clusters, containers, deployments, failures."},
		{ID: 15, Text: "aws", ExactMatch: true, Tag: keyword.IndustryTerm, ExcludeAuthors: []string{"awsnewsbot"},
			Context: "Amazon Web Services: running software in its cloud, its incidents and prices."},
	},
	harbour: {
		{
			ID:         3,
			Text:       "harbour agency",
			ExactMatch: true,
			Tag:        keyword.OwnBrand,
			Context:    "Harbour Agency, which reports on its clients' marketing.",
		},
		{
			ID:         4,
			Text:       "client reporting",
			ExactMatch: true,
			Tag:        keyword.IndustryTerm,
			Context:    "How marketing agencies report to their clients.",
		},
	},
}

var companies = map[string]workspace.Company{
	northwind: {
		Name:   "Northwind",
		Domain: "northwind.example",
		Description: "Northwind pages the right person when software breaks: alerting, on-call schedules, escalation, incident response, " +
			"monitoring and status pages for engineering teams.",
		Products:            []string{"alerting", "on-call schedules", "incident response", "status pages"},
		Audience:            "site reliability engineers, DevOps teams, developers",
		RelevanceGuidelines: "Software and cloud services that break, and how their teams notice and answer it.",
		ExcludeTerms:        []string{"electricity", "storm", "power grid", "weather"},
	},
	harbour: {
		Name: "Harbour Agency", Domain: "harbour.example",
		Description: "Harbour Agency runs marketing campaigns and reports on them to its clients.",
		Products:    []string{"marketing reports", "dashboards"}, Audience: "marketing teams",
	},
}

var feeds = map[string][]feed.Feed{
	northwind: {{ID: 1, Name: "Unhappy", SimpleFilters: []byte(`{"sentiment":["negative"],"relevance":[0,1]}`)}},
}

// alerts are made once for a workspace that has none.
var alerts = map[string][]alert.Alert{
	northwind: {{
		Name: "Complaints", FeedID: 1, Remind: alert.Never, Enabled: true,
		Condition: alert.Condition{Metric: alert.Mentions, Comparison: alert.Above, Value: 2, Window: alert.Hour},
		Destinations: []feed.Destination{
			feed.Destination{Type: feed.Email, Emails: []string{"support@northwind.example"}}.WithDefaults(),
		},
	}},
}

// listenedFor is for how long the demo's keywords have been there: longer than since the first of its mentions. A newer
// keyword would look back.
const listenedFor = 30 * 24 * time.Hour

// listen stores what a workspace listens for.
func listen(ctx context.Context, stored *allstores.Store, name, orgID string, now time.Time) error {
	for _, k := range keywords[name] {
		k.CreatedAt = now.Add(-listenedFor).Truncate(time.Millisecond)
		if err := there(stored.RestoreKeyword(ctx, orgID, k)); err != nil {
			return err
		}
	}
	if company, known := companies[name]; known {
		if err := stored.PutCompany(ctx, orgID, company); err != nil {
			return err
		}
	}
	for _, f := range feeds[name] {
		if err := there(stored.RestoreFeed(ctx, orgID, f)); err != nil {
			return err
		}
	}
	made, err := stored.Alerts(ctx, orgID)
	if err != nil {
		return err
	}
	for _, a := range alerts[name][min(len(made), len(alerts[name])):] {
		if _, err := stored.CreateAlert(ctx, orgID, a, ""); err != nil {
			return err
		}
	}
	return settle(ctx, stored, name, orgID)
}
