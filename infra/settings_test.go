package main

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"time"

	"earshot/shared/mention"
	"earshot/shared/port/queue"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

// settings runs a workspace by all of its operations, and judges a mention that is stored.
func (p *play) settings(sourceID string, posted time.Time) {
	p.t.Helper()
	p.keywords()
	p.feeds()
	p.alerts()
	p.filters()
	p.feedback(sourceID, posted)
	p.organization()
	p.members()
	p.kit()
}

// kit makes requests of which the kit of the functions has work: one of a master key, and one whose key for repeats is
// given back, because the schema takes its body and the operation does not.
func (p *play) kit() {
	const peak = `{"metric":"mentions","comparison":"above","value":2,"window":"7d"}`
	for function, request := range map[string][3]string{
		"keywords": {"GET", "keywords", `POST keywords {"keyword":"+"}`},
		"feeds":    {"GET", "feeds", "POST feeds {\"name\":\"\u200b\"}"},
		"alerts":   {"GET", "alerts", "POST alerts {\"name\":\"\u200b\",\"feedId\":1,\"condition\":" + peak + "}"},
		"filters":  {"GET", "filters/global", "PATCH filters/global {\"negativeKeywords\":[\"\u00a0\"]}"}, "feedback": {"GET", "feedback/stats", `POST feedback {"sourceId":"hackernews_story_1","timestamp":"2026-02-30 00:00:00.000",
			"keywordId":1,"source":"hackernews","feedbackType":"RELEVANT"}`},
		"organization": {"GET", "org", "PATCH org {\"name\":\"\u200b\"}"},
		"members": {"GET", "org/members", `POST org/members/invite {"email":"` + strings.Repeat("a", 65) +
			`@bakery.example","role":"org:member"}`},
	} {
		p.askOf(function, 200, request[0], request[1], "", "Authorization", "Bearer "+p.world.Master,
			"x-earshot-organization-id", p.world.Member.ID)
		parts := strings.SplitN(request[2], " ", 3)
		p.askOf(function, 400, parts[0], parts[1], parts[2], "Idempotency-Key", "malformed")
	}
}

// made is the id of what an answer holds.
func (p *play) made(answer []byte) string {
	p.t.Helper()
	var made struct{ ID json.RawMessage }
	if err := json.Unmarshal(answer, &made); err != nil || len(made.ID) == 0 {
		p.t.Errorf("%s: %v", answer, err)
	}
	return strings.Trim(string(made.ID), `"`)
}

// twice sends a request again with its Idempotency-Key.
func (p *play) twice(function, method, target, body string) []byte {
	p.t.Helper()
	p.asked++
	key := fmt.Sprint("request ", p.asked)
	p.askOf(function, 200, method, target, body, "Idempotency-Key", key)
	return p.askOf(function, 200, method, target, body, "Idempotency-Key", key)
}

func (p *play) keywords() {
	const f = "keywords"
	id := p.made(p.twice(f, "POST", "keywords", `{"keyword":"tidewater"}`))
	p.askOf(f, 400, "POST", "keywords", `{"keyword":"Tidewater"}`)
	p.askOf(f, 200, "GET", "keywords", "")
	p.askOf(f, 200, "GET", "keywords/"+id, "")
	p.askOf("preview", 200, "POST", "keywords/preview", `{"keyword":"tidewater"}`)
	p.askOf("preview", 200, "POST", "keywords/preview", `{"keyword":"tidewater"}`, "Authorization", "Bearer "+p.world.Master,
		"x-earshot-organization-id", p.world.Member.ID)
	p.askOf("ai", 200, "POST", "ai/filter-wizard", `{"query":"negative posts about tidewater"}`)
	p.askOf("ai", 200, "POST", "ai/filter-wizard", `{"query":"negative posts"}`, "Authorization", "Bearer "+p.world.Master,
		"x-earshot-organization-id", p.world.Member.ID)
	p.backfill(id)
	p.twice(f, "PATCH", "keywords/"+id, `{"keyword":"tidewaters","context":"x"}`)
	p.twice(f, "POST", "keywords/"+id+"/pause", `{"paused":true}`)
	p.askOf(f, 200, "POST", "keywords/"+id+"/pause", `{"paused":false}`)
	p.noise(id)
	var list struct{ Data []struct{ ID string } }
	if err := json.Unmarshal(p.askOf("suggestions", 200, "GET", "keywords/suggestions", ""), &list); err != nil ||
		len(list.Data) < 2 {
		p.t.Fatalf("%+v, %v", list, err)
	}
	p.askOf("suggestions", 200, "GET", "keywords/suggestions", "", "Authorization", "Bearer "+p.world.Master,
		"x-earshot-organization-id", p.world.Member.ID)
	p.twice("suggestions", "POST", "keywords/suggestions/"+list.Data[0].ID+"/accept", "")
	p.twice("suggestions", "POST", "keywords/suggestions/"+list.Data[1].ID+"/reject", "")
	p.askOf("suggestions", 200, "GET", "keywords/suggestions", "")
	feed := p.made(p.askOf("feeds", 200, "POST", "feeds", `{"name":"Tides","simpleFilters":{"keyword":[`+id+`]}}`))
	p.twice(f, "DELETE", "keywords/"+id, "")
	p.askOf("feeds", 200, "DELETE", "feeds/"+feed, "")
}

// backfill has a keyword's mentions of the past brought in, and another one end by the deletion of its keyword.
func (p *play) backfill(id string) {
	path := "keywords/" + id + "/backfill"
	p.askOf("preview", 200, "POST", path, `{"days":30,"dryRun":true}`)
	p.twiceAt("preview", 202, "POST", path, `{"days":30}`)
	// A new post, and two that are mentions already: one of them is archived.
	hackernews := p.sources["hackernews"]
	before := *hackernews
	defer func() { *hackernews = before }()
	hackernews.fails, hackernews.posts = nil, nil
	now := p.world.Clock.Now()
	for n, posted := range []time.Time{now.Add(-time.Hour), now.Add(-2 * time.Hour), now.Add(-24 * time.Hour)} {
		p := found(fmt.Sprintf("hackernews_story_%d", n+1), posted, 9)
		text := "northwind at tidewater"
		p.Title = &text
		hackernews.posts = append(hackernews.posts, p)
	}
	p.tick("collect", 0)
	p.take("backfills", queue.Backfills)
	p.askOf("preview", 200, "GET", path, "")
	gone := p.made(p.askOf("keywords", 200, "POST", "keywords", `{"keyword":"ebb"}`))
	p.askOf("preview", 202, "POST", "keywords/"+gone+"/backfill", `{"days":30}`)
	p.askOf("keywords", 200, "DELETE", "keywords/"+gone, "")
}

// noise stores what is to be said about a keyword: half of its mentions are of something else.
func (p *play) noise(id string) {
	var keywordID int64
	fmt.Sscan(id, &keywordID)
	low := mention.Low
	for i := range 60 {
		m := worldtest.Mention(keywordID*1000+int64(i)+10_000, fmt.Sprintf("hackernews_tide_%s_%d", id, i),
			p.world.Clock.Now().Add(-time.Duration(i)*time.Hour))
		body, author := "We moved our alerts to tidewaters last month.", fmt.Sprintf("author%d", i%20)
		if i%2 == 0 {
			body, m.Relevant, m.RelevanceScore, author = "The moon and the tidewaters of the coast.", false, &low,
				fmt.Sprintf("sailor%d", i%20)
			if i%4 == 0 {
				body, author = "A bot on tidewaters.", "tidebot"
			}
		}
		m.Body, m.Author, m.Keywords = &body, &author, []mention.Keyword{{ID: keywordID, Text: "tidewaters"}}
		p.world.Put(p.t, p.world.Main.ID, m)
	}
}

// alerts watches a feed and words, and previews counts of cells and of rows, old ones too.
func (p *play) alerts() {
	const f, peak = "alerts", `"condition":{"metric":"mentions","comparison":"above","value":2,"window":"7d"}`
	id := p.made(p.twice(f, "POST", "alerts", `{"name":"Peak","feedId":1,`+peak+`}`))
	p.askOf(f, 200, "GET", "alerts", "")
	p.askOf(f, 200, "GET", "alerts/"+id, "")
	p.twice(f, "PATCH", "alerts/"+id, `{"filters":{"keyword":[1],"text":["northwind"]}}`)
	p.askOf(f, 200, "POST", "alerts/preview", `{"feedId":1,`+peak+`}`)
	p.askOf(f, 200, "POST", "alerts/preview",
		`{"filters":{"text":["moved"]},"condition":{"metric":"reach","comparison":"rises_by","value":50,"window":"7d","baseline":"weekday"}}`)
	p.twice(f, "DELETE", "alerts/"+id, "")
}

func (p *play) feeds() {
	const f = "feeds"
	id := p.made(p.twice(f, "POST", "feeds",
		`{"name":"All","isDefault":true,"destinations":[{"type":"EMAIL","emailDestination":{"emails":["a@b.example"]}}]}`))
	p.askOf(f, 200, "GET", "feeds", "")
	p.askOf(f, 200, "GET", "feeds/"+id, "")
	p.twice(f, "PATCH", "feeds/"+id, `{"name":"All of it","simpleFilters":{"keyword":[1]}}`)
	p.askOf(f, 200, "PATCH", "feeds/"+id, `{"isDefault":false}`)
	notification := p.made(p.twice(f, "POST", "notifications",
		`{"name":"Tell","feedId":1,"destinations":[{"type":"EMAIL","emailDestination":{"emails":["a@b.example"]}}]}`))
	p.askOf(f, 200, "GET", "notifications", "")
	p.askOf(f, 200, "GET", "notifications/"+notification, "")
	p.twice(f, "PATCH", "notifications/"+notification, `{"name":"Tell me"}`)
	p.twice(f, "POST", "notifications/"+notification+"/test", "")
	long := p.world.Clock.Now().AddDate(-1, 0, 0)
	old := p.made(p.askOf(f, 200, "POST", "feeds",
		fmt.Sprintf(`{"name":"Old","simpleFilters":{"startDate":%q,"endDate":%q}}`,
			long.Format(time.RFC3339), long.AddDate(0, 6, 0).Format(time.RFC3339))))
	p.askOf(f, 200, "PATCH", "notifications/"+notification, `{"feedId":`+old+`}`)
	p.askOf(f, 200, "POST", "notifications/"+notification+"/test", "")
	p.askOf(f, 200, "POST", "notifications", `{"name":"Goes with its feed","feedId":`+old+`}`)
	p.twice(f, "DELETE", "notifications/"+notification, "")
	p.twice(f, "DELETE", "feeds/"+old, "")
	p.twice(f, "DELETE", "feeds/"+id, "")
	p.askOf(f, 200, "GET", "integrations/slack", "")
	p.askOf(f, 400, "GET", "integrations/slack/channels", "")
	var link struct{ URL string }
	if err := json.Unmarshal(p.askOf(f, 200, "GET", "integrations/slack/connect", ""), &link); err != nil {
		p.t.Fatal(err)
	}
	for range 2 { // the second time the state is used
		p.askOf(f, 200, "GET", "integrations/slack/callback?code=a&state="+link.URL, "")
	}
	p.twice(f, "DELETE", "integrations/slack", "")
}

func (p *play) filters() {
	const f = "filters"
	p.twice(f, "PATCH", "filters/global", `{"negativeKeywords":["a"]}`)
	p.twice(f, "POST", "filters/global/add", `{"list":"negativeAuthors","values":["b"]}`)
	p.twice(f, "POST", "filters/global/remove", `{"list":"negativeAuthors","values":["b"]}`)
	p.askOf(f, 200, "GET", "filters/global", "")
}

func (p *play) feedback(sourceID string, posted time.Time) {
	const f = "feedback"
	judgement := fmt.Sprintf(
		`{"sourceId":%q,"keywordId":1,"source":"hackernews","timestamp":%q,"feedbackType":"NOT_RELEVANT"}`, sourceID,
		mention.Timestamp(posted))
	p.twice(f, "POST", "feedback", judgement)
	p.askOf(f, 200, "GET", "feedback/stats", "")
	p.twice(f, "DELETE", "feedback?keywordId=1&sourceId="+url.QueryEscape(sourceID), "")
}

func (p *play) organization() {
	const f = "organization"
	for _, target := range []string{"auth", "org", "org/usage", "org/keys", "attention", "monitoring/recommendations"} {
		p.askOf(f, 200, "GET", target, "")
	}
	p.twice(f, "PATCH", "org", fmt.Sprintf(`{"name":"No. %d"}`, p.asked))
	p.twice(f, "PATCH", "org/company", fmt.Sprintf(`{"name":"No. %d"}`, p.asked))
	p.askOf(f, 200, "GET", "org/company", "")
	key := p.made(p.twice(f, "POST", "org/keys", `{"name":"k","scope":"read","expiry":"30d"}`))
	p.twice(f, "DELETE", "org/keys/"+key, "")
	p.world.Key(p.t, workspace.Key{
		Name:      "ends soon",
		Scope:     workspace.Read,
		Workspace: &p.world.Main,
		ExpiresAt: p.world.Clock.Now().Add(3 * 24 * time.Hour),
	})
	var attention struct{ Data []struct{ ID string } }
	if err := json.Unmarshal(p.askOf(f, 200, "GET", "attention", ""), &attention); err != nil || len(attention.Data) == 0 {
		p.t.Fatalf("nothing needs attention: %v", err)
	}
	p.twice(f, "POST", "attention/"+attention.Data[0].ID+"/dismiss", "")
	var link struct{ URL string }
	if err := json.Unmarshal(p.askOf(f, 200, "POST", "org/upgrade-link", ""), &link); err != nil {
		p.t.Fatal(err)
	}
	page := link.URL[strings.Index(link.URL, "/upgrade?"):]
	p.askOf(f, 200, "GET", page, "")
	p.askOf(f, 200, "POST", page+"&plan=scale", "")
}

func (p *play) members() {
	const f = "members"
	known, unknown := fmt.Sprintf("known%d@x.example", len(p.signed)), fmt.Sprintf("unknown%d@x.example", len(p.signed))
	p.signed[known] = true
	var granted struct{ Member struct{ ID string } }
	if err := json.Unmarshal(p.twice(f, "POST", "org/members/invite", `{"email":"`+known+`","role":"org:member"}`),
		&granted); err != nil {
		p.t.Fatal(err)
	}
	p.twice(f, "POST", "org/members/invite", `{"email":"`+unknown+`","role":"org:member"}`)
	p.askOf(f, 200, "POST", "org/members/invite", `{"email":"`+unknown+`","role":"org:admin"}`)
	p.askOf(f, 200, "GET", "org/members", "")
	p.askOf(f, 200, "GET", "org/members/invitations", "")
	p.twice(f, "DELETE", "org/members/"+granted.Member.ID, "")
}
