package isolation_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"earshot/events/message"
	"earshot/functions/discovery/asks"
	"earshot/shared/delivery"
	"earshot/shared/grant"
	"earshot/shared/keyword"
	"earshot/shared/member"
	"earshot/shared/mention"
	"earshot/shared/port/queue"
	"earshot/shared/port/table"
	"earshot/shared/proposal"
	"earshot/shared/search"
	"earshot/shared/store/authstore"
	"earshot/shared/store/deliverystore"
	"earshot/shared/store/mentionstore"
	"earshot/shared/store/rows"
	"earshot/shared/web/searchwire"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

// A kind is what an id is of.
type kind = asks.Kind

// A tenant is a workspace with one of everything.
type tenant struct {
	workspace.Workspace
	number int // numeric ids of one are between 1,000 times its number and the next thousand
	keys   map[string]string
	ids    map[kind]string
	drawn  int // how many ids were drawn that are like its own
}

// An agency has three workspaces, the first of them its anchor, and a master key.
type agency struct {
	workspace.Agency
	master  string
	tenants []*tenant
}

// A world is two agencies, as they are in the files of a folder.
type world struct {
	folder string
	a, b   *agency
	ids    map[string]bool // all that there are of the form of a ULID
}

// sharedMention is a mention that workspaces of both agencies have.
const sharedMention = "hackernews_story_77"

func newWorld(t testing.TB) world {
	t.Helper()
	w := world{folder: t.TempDir(), ids: map[string]bool{}}
	b := open(t, w.folder)
	w.a = b.agency(t, 1, "Harbour", "Lantern", "Beacon", "Compass")
	w.b = b.agency(t, 4, "Tidewater", "Quarry", "Orchard", "Meadow")
	for _, a := range []*agency{w.a, w.b} {
		for _, of := range a.tenants {
			b.fill(t, of)
		}
		b.run(t, a)
	}
	for _, a := range []*agency{w.a, w.b} {
		for _, row := range b.rows(t, a) {
			for _, id := range identifier.FindAllString(row, -1) {
				w.ids[id] = true
			}
		}
	}
	b.close()
	return w
}

func (b *bench) agency(t testing.TB, number int, name string, names ...string) *agency {
	t.Helper()
	now := b.clock.Now()
	a := &agency{Agency: workspace.Agency{
		ID:             workspace.NewID(workspace.PrefixAgency, now),
		Name:           name + " Agency",
		Active:         true,
		AnchorID:       workspace.NewID(workspace.PrefixWorkspace, now),
		WorkspaceLimit: workspace.DefaultWorkspaceLimit,
		FlexPrice:      150,
		CreatedAt:      now,
	}}
	must(t, b.Store.CreateAgency(t.Context(), a.Agency))
	for i, name := range names {
		org := workspace.Workspace{
			ID:        workspace.NewID(workspace.PrefixWorkspace, now),
			Name:      name,
			Plan:      workspace.Pro,
			AgencyID:  a.ID,
			Flags:     []string{workspace.FlagSetupOnboarding},
			CreatedAt: now,
		}
		if i == 0 {
			org.ID = a.AnchorID
		}
		must(t, b.Store.CreateWorkspace(t.Context(), org))
		must(t, b.people.CreateGroup(t.Context(), org.ID))
		of := &tenant{
			Workspace: org,
			number:    number + i,
			keys:      map[string]string{},
			ids:       map[kind]string{"workspace": org.ID},
		}
		for _, scope := range []workspace.Scope{workspace.Read, workspace.Write, workspace.Admin} {
			_, of.keys[scope.String()] = b.key(t,
				workspace.Key{Name: name + " " + scope.String(), Scope: scope, Workspace: &org})
		}
		a.tenants = append(a.tenants, of)
	}
	for _, of := range a.tenants {
		of.ids["spare"] = of.ID
	}
	_, a.master = b.key(t, workspace.Key{Name: name + " master", Scope: workspace.Admin, Agency: &a.Agency})
	return a
}

// run does what an agency does by its master key: it makes a workspace that can be deleted, and invites somebody into all.
func (b *bench) run(t testing.TB, a *agency) {
	t.Helper()
	send := func(path, body string) answer {
		return b.send(t, request{method: "POST", target: "/api/v2/agency" + path, body: body, token: a.master})
	}
	var made struct{ ID string }
	send("/workspaces", `{"name":"Spare"}`).into(t, &made)
	a.tenants[2].ids["spare"] = made.ID
	send("/members/invite", `{"targetOrgIds":"all","emails":["`+asks.QueuedAddress+`"],"role":"org:member"}`).into(t, nil)
}

// key stores a key and answers its id, and it as a client sends it.
func (b *bench) key(t testing.TB, key workspace.Key) (id, token string) {
	t.Helper()
	made := workspace.NewToken(b.clock.Now())
	key.ID, key.Digest, key.CreatedAt = made.KeyID, made.Digest(), b.clock.Now()
	must(t, b.Store.CreateKey(t.Context(), key))
	return made.KeyID, made.Reveal()
}

// domain is that of the tenant's company and people.
func (of *tenant) domain() string { return strings.ToLower(of.Name) + ".example" }

// when is the time of the mentions that are asked for by it, and before that of those that are archived.
var (
	when   = worldtest.Now.Add(-time.Hour)
	before = worldtest.Now.Add(-200 * 24 * time.Hour)
)

// do sends a request with the workspace's admin key and answers the id in its answer.
func (b *bench) do(t testing.TB, of *tenant, method, path, body string, values ...any) string {
	t.Helper()
	var made struct{ ID json.Number }
	b.send(t, request{
		method: method,
		target: "/api/v2" + path,
		body:   fmt.Sprintf(body, values...),
		token:  of.keys["admin"],
	}).into(t, &made)
	return made.ID.String()
}

// fill gives a workspace one of everything: what the API can make, by the API.
func (b *bench) fill(t testing.TB, of *tenant) {
	t.Helper()
	for _, sequence := range []string{"keywords", "mentions", "feeds", "notifications", "alerts"} { // see shared/store/sequences.go
		_, err := b.table.Update(t.Context(),
			table.Update{Table: rows.CountersTable, Key: table.Key{Partition: of.ID, Sort: "ids#" + sequence},
				Set: map[string]any{"last": int64(1000 * of.number)}})
		must(t, err)
	}
	b.clock.Freeze(worldtest.Now.Add(-2 * time.Hour))
	b.listen(t, of)
	b.mentions(t, of)
	b.clock.Freeze(worldtest.Now)
	b.archive(t, of)
	b.invite(t, of)
	b.export(t, of)
	b.search(t, of)
	b.summary(t, of)

	b.deliver(t, of)
	b.setup(t, of)
	b.look(t, of)
}

// listen makes what a workspace listens for, and where it goes.
func (b *bench) listen(t testing.TB, of *tenant) {
	t.Helper()
	of.ids["domain"], of.ids["channel"] = of.domain(), channelOf(of.ID)
	b.do(t, of, "PATCH", "/org/company", `{"name":%q,"domain":%q,"description":"Pages the right person."}`, of.Name, of.domain())
	b.do(t, of, "PATCH", "/filters/global", `{"negativeAuthors":["%s_bot"]}`, of.Name)
	of.ids["text"], of.ids["wording"] = of.Name+" outage", of.Name+" outages"
	for _, text := range []kind{"text", "wording"} {
		b.do(t, of, "POST", "/keywords", `{"keyword":%q}`, of.ids[text])
	}
	of.ids["keyword"] = b.do(t, of, "POST", "/keywords", `{"keyword":"seal"}`)
	of.ids["rival"] = b.do(t, of, "POST", "/keywords", `{"keyword":"otter"}`)
	of.ids["feed"] = b.do(t, of, "POST", "/feeds", `{"name":"Feed of %s","simpleFilters":{"keyword":[%s]},"destinations":[
		{"type":"EMAIL","emailDestination":{"emails":["team@%s"]}},{"type":"WEBHOOK","webhookDestination":{"url":"https://hooks.%[3]s/in"}}]}`,
		of.Name, of.ids["keyword"], of.domain())
	of.ids["notification"] = b.do(t, of, "POST", "/notifications", `{"name":"News of %s","feedId":%s,"destinations":[
		{"type":"SLACK","slackDestination":{"channels":[%q]}}]}`, of.Name, of.ids["feed"], of.ids["channel"])
	of.ids["alert"] = b.do(t, of, "POST", "/alerts", `{"name":"Peak of %s","feedId":%s,"destinations":[
		{"type":"SLACK","slackDestination":{"channels":[%q]}}],
		"condition":{"metric":"mentions","comparison":"above","value":100,"window":"24h"}}`, of.Name, of.ids["feed"],
		of.ids["channel"])
}

// mentions brings mentions of the keywords, one of which every workspace has, and one of which is old.
func (b *bench) mentions(t testing.TB, of *tenant) {
	t.Helper()
	var both []mention.Keyword
	for i, text := range []string{"seal", "otter"} {
		id, err := strconv.ParseInt(of.ids[[]kind{"keyword", "rival"}[i]], 10, 64)
		must(t, err)
		both = append(both, mention.Keyword{ID: id, Text: text})
	}
	found := func(sourceID, author, body string, posted time.Time, score mention.Score) mention.Mention {
		m := worldtest.Mention(0, sourceID, posted)
		m.Title, m.Body, m.Author, m.Keywords, m.RelevanceScore, m.Relevant = nil, &body, &author, both, &score,
			score.Relevant()
		return m
	}
	id := func(n int) string { return fmt.Sprint("hackernews_story_", 1000*of.number+n) }
	of.ids["mention"], of.ids["archived"] = id(0), id(900)
	of.ids["author"] = of.Name + "_reader"
	of.ids["profile"] = "https://news.ycombinator.com/user?id=" + of.ids["author"]
	all := []mention.Mention{
		found(sharedMention, asks.SharedAuthor, "The seal and the otter.", when.Add(time.Minute), mention.High),
		found(of.ids["mention"], of.ids["author"], "The seal and the otter of "+of.Name, when, mention.High),
		found(of.ids["archived"], of.ids["author"], "An old seal of "+of.Name, before, mention.High),
	}
	for i := range 36 {
		text, score := "The seal and the otter of the ship", mention.High
		if i%2 == 0 {
			text, score = "A navy seal and a navy otter", mention.Low
		}
		author := []string{asks.SharedAuthor, fmt.Sprint("reader_", i)}[min(i, 1)] // what one person says suggests nothing
		all = append(all, found(id(1+i), author, fmt.Sprint(text, " ", i), when.Add(-time.Duration(i+1)*time.Hour), score))
	}
	taken, err := b.Store.Ingest(t.Context(), of.ID, 1000, all)
	if err != nil || taken.Stored != len(all) {
		t.Fatal(taken, err)
	}
	for kind, sourceID := range map[kind]string{"post": of.ids["mention"], "archivedPost": of.ids["archived"]} {
		m, err := b.Store.Mention(t.Context(), of.ID, sourceID)
		must(t, err)
		of.ids[kind] = fmt.Sprint(m.ID)
	}
	b.do(t, of, "POST", "/feedback",
		`{"sourceId":%q,"timestamp":%q,"keywordId":%s,"source":"hackernews","feedbackType":"RELEVANT"}`,
		of.ids["mention"], mention.Timestamp(when), of.ids["keyword"])
	_, _, err = b.Store.Archive(t.Context(), of.ID, 0) // copies; see archive
	must(t, err)
}

// archive ends what mentions has begun, two hours later: what is old is in the archive alone.
func (b *bench) archive(t testing.TB, of *tenant) {
	t.Helper()
	if done, _, err := b.Store.Archive(t.Context(), of.ID, 0); err != nil || done.Moved != 1 {
		t.Fatal(done, err)
	}
}

// invite brings people: an owner, a member who has an account, and three who are invited.
func (b *bench) invite(t testing.TB, of *tenant) {
	t.Helper()
	_, err := b.Store.AddMember(t.Context(), of.ID, member.Member{Email: "owner@" + of.domain(), Superadmin: true})
	must(t, err)
	of.ids["account"], of.ids["address"], of.ids["person"] = "first@"+of.domain(), "invited@"+of.domain(),
		"guest@"+of.domain()
	_, _, err = b.people.SignUp(t.Context(), of.ids["account"], "")
	must(t, err)
	for _, email := range []string{of.ids["account"], of.ids["address"], of.ids["person"], asks.SharedAddress} {
		var done struct{ Member, Invitation struct{ ID string } }
		b.send(t, request{method: "POST", target: "/api/v2/org/members/invite", token: of.keys["admin"],
			body: fmt.Sprintf(`{"email":%q,"role":"org:member"}`, email)}).into(t, &done)
		of.ids["member"], of.ids["invitation"] = cmp.Or(of.ids["member"], done.Member.ID),
			cmp.Or(of.ids["invitation"], done.Invitation.ID)
	}
}

// export writes a file of mentions, as a worker does for one that is too large to be answered at once.
func (b *bench) export(t testing.TB, of *tenant) {
	t.Helper()
	now := b.clock.Now()
	of.ids["export"] = workspace.NewID("exp_", now)
	_, err := b.Store.PutExport(t.Context(),
		mentionstore.Export{ID: of.ids["export"], WorkspaceID: of.ID, Status: mentionstore.ExportQueued, Format: "csv",
			Request: []byte(`{"query":{}}`), CreatedAt: now, ExpiresAt: now.Add(mentionstore.ExportKept)})
	must(t, err)
	body, err := queue.JSON(message.Export{WorkspaceID: of.ID, ExportID: of.ids["export"]})
	must(t, err)
	must(t, b.Queue.Send(t.Context(), queue.Exports, queue.Message{Body: body}))
	b.work(t)
}

// search asks for posts twice, and ends both searches as a worker does that found one post.
func (b *bench) search(t testing.TB, of *tenant) {
	t.Helper()
	var begun struct{ SearchID string }
	var page struct{ Pagination struct{ NextCursor string } }
	for range 2 {
		b.send(t, request{method: "POST", target: "/api/v2/search", token: of.keys["read"],
			body: fmt.Sprintf(`{"query":%q,"waitMs":0}`, of.Name)}).into(t, &begun)
		of.ids["search"] = begun.SearchID
		s, err := b.Store.Search(t.Context(), of.ID, begun.SearchID)
		must(t, err)
		m := worldtest.Mention(1, "hackernews_story_"+of.Name, b.clock.Now())
		content, err := json.Marshal(searchwire.FromResult(search.Result{Mention: m}))
		must(t, err)
		s.Attempt = "attempt"
		s.Parts, err = b.Store.PutSearchResults(t.Context(), s, s.Attempt, []json.RawMessage{content})
		must(t, err)
		_, err = b.Store.CompleteSearch(t.Context(), s, of.MentionLimit(), []string{m.SourceID})
		must(t, err)
	}
	b.work(t)
	b.send(t, request{method: "GET", target: "/api/v2/search?limit=1", token: of.keys["read"]}).into(t, &page)
	of.ids["searchCursor"] = page.Pagination.NextCursor
}

// summary has two summaries written, as a worker does.
func (b *bench) summary(t testing.TB, of *tenant) {
	t.Helper()
	var begun struct{ SummaryID string }
	var page struct{ Pagination struct{ NextCursor string } }
	for range 2 {
		b.send(t, request{method: "POST", target: "/api/v2/ai/summaries", token: of.keys["write"], body: `{}`}).
			into(t, &begun)
		of.ids["summary"] = begun.SummaryID
	}
	b.work(t)
	b.send(t, request{method: "GET", target: "/api/v2/ai/summaries?limit=1", token: of.keys["read"]}).into(t, &page)
	of.ids["summaryCursor"] = page.Pagination.NextCursor
}

// deliver makes deliveries of what the workspace heard.
func (b *bench) deliver(t testing.TB, of *tenant) {
	t.Helper()
	id, err := strconv.ParseInt(of.ids["notification"], 10, 64)
	must(t, err)
	feedID, err := strconv.ParseInt(of.ids["feed"], 10, 64)
	must(t, err)
	to := delivery.Endpoint{Owner: delivery.OfNotification(id), Kind: "SLACK"}
	for n := range 2 {
		of.ids["delivery"] = delivery.ID(b.clock.Now(), of.ID, to.String(), delivery.MentionCreated, fmt.Sprint(of.Name, n))
		must(t, b.Store.AddDeliveries(t.Context(), []deliverystore.Delivery{{
			WorkspaceID: of.ID, ID: of.ids["delivery"], Endpoint: to, Type: delivery.MentionCreated, FeedID: feedID, Sequence: 1,
			SourceIDs: []string{of.ids["mention"]}, CreatedAt: b.clock.Now(), State: delivery.First(b.clock.Now()),
		}}))
	}
	must(t, b.Store.WakeEndpoint(t.Context(), of.ID, to))
	alertID, err := strconv.ParseInt(of.ids["alert"], 10, 64)
	must(t, err)
	given := delivery.Endpoint{Owner: delivery.OfAlert(alertID), Kind: "SLACK"} // up
	must(t, b.Store.WakeEndpoint(t.Context(), of.ID, given))
	e, _, err := b.Store.ClaimEndpoint(t.Context(), of.ID, given, time.Minute)
	must(t, err)
	e.Health = e.Health.After(delivery.Outcome{At: b.clock.Now(), Status: 410})
	_, err = b.Store.ReleaseEndpoint(t.Context(), e, time.Time{})
	must(t, err)
	var page struct{ Pagination struct{ NextCursor string } }
	b.send(t, request{method: "GET", target: "/api/v2/deliveries?limit=1", token: of.keys["read"]}).into(t, &page)
	of.ids["deliveriesCursor"] = page.Pagination.NextCursor
}

// setup makes drafts: one that was scanned, one whose proposal is ready, and one that is applied and has something left
// to clean up.
func (b *bench) setup(t testing.TB, of *tenant) {
	t.Helper()
	refs := func(n int) (brand, option, feed string) {
		return fmt.Sprint(of.Name, "_brand_", n), fmt.Sprint(of.Name, "_wider_", n), fmt.Sprint(of.Name, "_feed_", n)
	}
	for n, kind := range []kind{"scanned", "ready", "applied"} {
		draft, err := b.Store.CreateDraftOnce(t.Context(), of.ID, of.domain(), "")
		must(t, err)
		of.ids[kind] = draft.ID
		must(t, b.Store.ScanDone(t.Context(), of.ID, draft.ID, &proposal.Profile{Company: of.Name, Language: "english"}, ""))
		if kind == "scanned" {
			continue
		}
		key, _, err := b.Store.StartRun(t.Context(), of.ID, draft.ID, proposal.Balanced, "", time.Hour)
		must(t, err)
		brand, option, feed := refs(n)
		must(t, b.Store.FinishRun(t.Context(), key, proposal.End{Status: proposal.Ready, Proposal: &proposal.Proposal{
			ID: "prop_1", DraftID: draft.ID, Domain: of.domain(), SkillVersion: proposal.SkillVersion, Model: proposal.NoModel,
			Archetype: proposal.Standard,
			Keywords: []proposal.Keyword{{
				Ref:                  brand,
				Keyword:              fmt.Sprint(of.Name, " pager ", n),
				Tag:                  keyword.OwnBrand,
				Route:                proposal.Bare,
				FeedRef:              feed,
				ExactMatch:           true,
				AdditionalTerms:      []string{"alert"},
				AdditionalTermsLogic: keyword.Any,
				SelectedByDefault:    true,
				Volume: proposal.Volume{
					High:   1,
					Band:   proposal.BandQuiet,
					Basis:  proposal.BasisPrior,
					Window: proposal.Month,
				},
			}},
			Options: []proposal.Option{{
				ID:              option,
				KeywordRef:      brand,
				Label:           "Wider",
				AdditionalTerms: []string{"alert", "outage"},
			}},
			Feeds: []proposal.Feed{{
				Ref:         feed,
				Name:        of.Name,
				Purpose:     proposal.ForBrand,
				KeywordRefs: []string{brand},
				Visible:     true,
				Source:      proposal.FromSetup,
			}},
			Totals:      proposal.Totals{Allowance: 5000, Band: proposal.Pass},
			Measurement: proposal.Measurement{MeasuredAt: worldtest.Now},
		}}))
	}
	var applied struct{ Keywords []struct{ ID json.Number } }
	apply := request{
		method: "POST",
		target: "/api/v2/setup/proposals/" + of.ids["applied"] + "/apply",
		body:   `{}`,
		token:  of.keys["admin"],
	}
	b.send(t, apply).into(t, &applied)
	of.ids["cleanup"] = applied.Keywords[0].ID.String()
	of.ids["brandRef"], of.ids["optionRef"], of.ids["feedRef"] = refs(1)
}

// granted lets a program into a workspace, and returns the grant's id.
func (b *bench) granted(t testing.TB, of *tenant) string {
	t.Helper()
	ctx := context.Background()
	people, _, err := b.Store.Members(ctx, of.Workspace.ID)
	must(t, err)
	g := grant.Grant{
		ID:          grant.NewID(worldtest.Now),
		WorkspaceID: of.Workspace.ID,
		MemberID:    people[0].ID,
		ClientID:    "https://client.example/id",
		Scope:       workspace.Read,
		Resource:    grant.ResourceAPI,
		Email:       people[0].Email,
		CreatedAt:   worldtest.Now,
	}
	code := grant.NewToken(grant.AuthorizationCode, g)
	until := worldtest.Now.Add(time.Hour)
	must(t, b.Store.PutRequest(ctx, g.ID, authstore.Request{ExpiresAt: until}))
	must(t, b.Store.Approve(ctx, g.ID, g, grant.Code{ExpiresAt: until}, code))
	_, err = b.Store.Exchange(ctx, code, func(grant.Grant, grant.Code) error { return nil })
	must(t, err)
	return g.ID
}

// look reads what is found in a workspace, and where its lists go on.
func (b *bench) look(t testing.TB, of *tenant) {
	t.Helper()
	for n := range 2 { // so that there are two things that need attention, one of them put away
		of.ids["key"], _ = b.key(t,
			workspace.Key{Name: fmt.Sprint(of.Name, " soon over ", n), Scope: workspace.Read, Workspace: &of.Workspace,
				ExpiresAt: worldtest.Now.Add(72 * time.Hour)})
	}
	of.ids["grant"] = b.granted(t, of)
	var items struct{ Data []struct{ ID, Kind string } }
	var page struct{ Pagination struct{ NextCursor string } }
	read := func(method, path, body string, into any) {
		t.Helper()
		b.send(t, request{method: method, target: "/api/v2" + path, body: body, token: of.keys["read"]}).into(t, into)
	}
	read("GET", "/attention", "", &items)
	for _, item := range items.Data {
		if item.Kind == "key_expires" {
			of.ids["attention"], of.ids["dismissed"] = item.ID, of.ids["attention"]
		}
		if item.Kind == "delivery_broken" {
			of.ids["broken"] = item.ID
		}
	}
	b.do(t, of, "POST", "/attention/"+of.ids["dismissed"]+"/dismiss", "")
	read("GET", "/keywords/suggestions", "", &items)
	of.ids["suggestion"], of.ids["refused"] = items.Data[0].ID, items.Data[1].ID
	read("POST", "/mentions", `{"limit":1}`, &page)
	of.ids["cursor"] = page.Pagination.NextCursor
	of.ids["unusedCursor"] = page.Pagination.NextCursor // where a cursor has no effect
	read("GET", "/mentions/by-author?source=hackernews&limit=1&handle="+asks.SharedAuthor, "", &page)
	of.ids["authorCursor"] = page.Pagination.NextCursor
	read("GET", "/keywords?limit=1", "", &page)
	of.ids["keywordCursor"] = page.Pagination.NextCursor
	read("GET", "/feeds?limit=1", "", &page)
	of.ids["feedCursor"] = page.Pagination.NextCursor
}
