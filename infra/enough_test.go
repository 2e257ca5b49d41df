package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"earshot/functions/analyticsfiles"
	composed "earshot/functions/local/deployment"
	"earshot/functions/postshards"
	"earshot/functions/setupstages"
	"earshot/shared/alert"
	postarchive "earshot/shared/archive"
	"earshot/shared/archive/shards"
	"earshot/shared/delivery"
	"earshot/shared/embedded/diskblob"
	"earshot/shared/feed"
	oauth "earshot/shared/grant"
	"earshot/shared/judge"
	"earshot/shared/keyword"
	"earshot/shared/member"
	"earshot/shared/mention"
	"earshot/shared/port/model"
	"earshot/shared/port/queue"
	"earshot/shared/port/table"
	"earshot/shared/post"
	"earshot/shared/source"
	"earshot/shared/store/allstores"
	"earshot/shared/store/authstore"
	"earshot/shared/worker"
	"earshot/shared/worldtest"
)

// seldom are rights that a function needs in a race or an accident which the story below has not: each with when.
var seldom = map[string][]string{
	"setup":          {"ConditionCheckItem on core"},         // an option of a keyword that was applied before, and has the option's terms
	"agency":         {"AdminRemoveUserFromGroup on people"}, // somebody who is taken out while they are let in
	"accountcreated": {"AdminRemoveUserFromGroup on people"}, // the same
	"collect": {
		"GetItem on archive", "PutItem on archive", // a mention that moves while its counters are looked up
		"BatchGetItem on archive", "Query on archive/byTime", // an index that lags behind such a move
	},
	"ingest":                 {"GetItem on core"},                                      // news of a mention that users have judged
	"alerts":                 {"BatchGetItem on archive"},                              // a row that disagrees with its index, which lags
	"analytics":              {"GetObject on day files"},                               // Athena reads them in its name, and the play has none
	"suggestions":            {"DeleteItem on counters"},                               // a claim on an Idempotency-Key whose request failed with a 500
	"preview":                {"DeleteItem on counters"},                               // the same
	"mcp":                    {"ConditionCheckItem on core", "GetObject on day files"}, // as setup, and as analytics
	"receivers":              {"DeleteItem on counters"},                               // the same
	"setupstages/candidates": {"BatchGetItem on core"},                                 // two calls at once, of which one finds that the other was first
	"setupstages/measure":    {"BatchGetItem on core"},                                 // the same
	"setupstages/sample":     {"BatchGetItem on core"},                                 // the same
	"setupstages/validate":   {"ConditionCheckItem on core"},                           // a dead stage that is noted as failed
}

// A play is the deployment's functions, composed as on AWS, each held by its own police, on one set of tables.
type play struct {
	t       *testing.T
	world   *worldtest.World
	police  map[string]*police
	parts   map[string]composed.Parts
	sending sync.Mutex          // guards sent: a collector's sources send together
	sent    map[string][][]byte // bodies, by queue
	sources map[string]*platform
	signed  map[string]bool // addresses of people who have an account
	frozen  bool            // the directory's groups cannot be changed
	asked   int             // requests that were sent twice
	started [][]byte        // inputs of setup runs
	down    bool            // webhooks answer 500
}

func newPlay(t *testing.T) *play {
	t.Helper()
	world := worldtest.NewWorld(t)
	files, err := diskblob.Open(filepath.Join(t.TempDir(), "files"), "http://127.0.0.1:8080", world.Clock)
	if err != nil {
		t.Fatal(err)
	}
	j, err := judge.New()
	if err != nil {
		t.Fatal(err)
	}
	p := &play{
		t:       t,
		world:   world,
		police:  map[string]*police{},
		parts:   map[string]composed.Parts{},
		sent:    map[string][][]byte{},
		signed:  map[string]bool{},
		sources: map[string]*platform{"hackernews": {name: "hackernews"}, "firehose": {name: "firehose", stream: true}},
	}
	for _, function := range everyFunction() {
		guard := newPolice(function)
		log := slog.New(slog.NewTextHandler(&testLog{t}, &slog.HandlerOptions{Level: slog.LevelError}))
		p.police[function.Name] = guard
		p.parts[function.Name] = composed.Parts{
			Store:    allstores.New(table.Retrying(policedTable{world.Table, guard}), world.Clock),
			Judge:    j,
			Model:    babbler{},
			Clock:    world.Clock,
			Queue:    policedQueue{p, guard},
			Blob:     policedBlob{files, guard, exportsFolder},
			DayFiles: policedBlob{files, guard, dayFilesFolder},
			Log:      log,
			Quiet:    log,
			Sources:  []source.Source{p.sources["hackernews"], p.sources["firehose"]},
			Mail:     policedMail{guard},
			Identity: policedPeople{p, guard},
			Slack:    slackless{},
			Webhook:  p,
			Setup:    p.setupParts(guard),
		}
		p.archived(function.Name, policedBlob{files, guard, shardsFolder})
	}
	return p
}

// archived gives a function the archive of posts, as the deployment does.
func (p *play) archived(function string, files policedBlob) {
	parts := p.parts[function]
	cache, err := shards.NewCache(shards.CacheOptions{Files: files})
	if err != nil {
		p.t.Fatal(err)
	}
	reader := shards.NewReader(parts.Store, cache)
	parts.Archive = func(ctx context.Context, posts []post.Post) error {
		return postarchive.Add(ctx, parts.Store, parts.Clock, posts)
	}
	parts.Archived, parts.Search.Archive = reader.Sources, reader.Sources
	live := func(context.Context) ([]source.Source, error) { return []source.Source{p.sources["hackernews"]}, nil }
	parts.Setup.Sources = setupstages.WithArchive(live, reader.Sources, parts.Log)
	parts.PostShards = &postshards.Options{
		Store: parts.Store, Files: files, Cache: cache, Clock: parts.Clock, Folder: p.t.TempDir(),
		Language: func(string) string { return "english" },
	}
	p.parts[function] = parts
}

// everyFunction lists the functions of a stage that has switched everything on.
func everyFunction() []Function { return everyOption().Functions() }

// A babbler is a model that answers nothing of use: what it is asked costs its budget all the same.
type babbler struct{}

func (babbler) Complete(context.Context, model.Request) (model.Answer, error) {
	return model.Answer{Text: "I see.", Complete: true}, nil
}

// Send is the queues' side of the play.
func (p *play) Send(_ context.Context, name string, messages ...queue.Message) error {
	p.sending.Lock()
	defer p.sending.Unlock()
	for _, m := range messages {
		p.sent[name] = append(p.sent[name], m.Body)
	}
	return nil
}

// Post is the webhooks' side of the play.
func (p *play) Post(context.Context, string, delivery.Message) (delivery.Outcome, error) {
	if p.down {
		return delivery.Outcome{At: p.world.Clock.Now(), Status: 500, Reason: "The webhook answered 500."}, nil
	}
	return delivery.Outcome{At: p.world.Clock.Now(), Status: 200}, nil
}

// listens makes a feed that tells a webhook and people, and a notification that tells people.
func (p *play) listens() {
	hook := feed.Destination{
		Type:         feed.Webhook,
		Frequency:    feed.Instant,
		DeliveryMode: feed.Individual,
		URL:          "https://hooks.example/",
	}
	mails := feed.Destination{
		Type:         feed.Email,
		Frequency:    feed.Instant,
		DeliveryMode: feed.Batch,
		Emails:       []string{"team@northwind.example"},
	}
	f := feed.Feed{ID: 2, Name: "Told", Destinations: []feed.Destination{hook, mails}}
	if err := p.world.Store.RestoreFeed(p.t.Context(), p.world.Main.ID, f); err != nil {
		p.t.Fatal(err)
	}
	weekly := hook
	weekly.Frequency, weekly.DeliveryMode = feed.Weekly, feed.Batch
	weekly.DayOfWeek, weekly.Time, weekly.Timezone, weekly.Summary = "saturday", "09:00", "UTC", true
	n := feed.Notification{
		Name:         "Also told",
		FeedID:       2,
		Enabled:      true,
		Destinations: []feed.Destination{mails, weekly.WithDefaults()},
	}
	if _, err := p.world.Store.CreateNotification(p.t.Context(), p.world.Main.ID, n, ""); err != nil {
		p.t.Fatal(err)
	}
}

// watches makes two alerts that fire: one that cells count, and one that rows are read for.
func (p *play) watches() {
	for _, metric := range []alert.Metric{alert.Mentions, alert.Reach} {
		_, err := p.world.Store.CreateAlert(p.t.Context(), p.world.Main.ID, alert.Alert{
			Name: "Watched", FeedID: 2, Enabled: true,
			Condition: alert.Condition{Metric: metric, Comparison: alert.Above, Value: -1, Window: alert.Week},
			Destinations: []feed.Destination{{
				Type:         feed.Email,
				Frequency:    feed.Instant,
				DeliveryMode: feed.Batch,
				Emails:       []string{"team@northwind.example"},
			}},
		}, "")
		if err != nil {
			p.t.Fatal(err)
		}
	}
}

// deliver has what was announced delivered, in part after a failure, and sent again once its mention is archived.
func (p *play) deliver() {
	drain := func() {
		for len(p.sent[queue.Deliveries]) > 0 {
			p.take("deliver", queue.Deliveries)
		}
	}
	p.down = true
	drain()
	p.down = false
	p.tick("deliveries", time.Hour)
	drain()
	p.watches()
	p.tick("deliveries", 24*time.Hour) // a digest, which waits for its summary, and alerts
	drain()
	p.take("summaries", queue.Summaries)
	p.tick("deliveries", time.Minute)
	drain()
	var list struct{ Data []struct{ ID, Status string } }
	if err := json.Unmarshal(p.askOf("receivers", 200, "GET", "deliveries", ""), &list); err != nil || len(list.Data) < 4 {
		p.t.Fatalf("%+v, %v", list, err)
	}
	for _, one := range list.Data {
		if one.Status != "delivered" {
			p.t.Errorf("%+v", one)
		}
		p.askOf("receivers", 200, "GET", "deliveries/"+one.ID, "")
		p.twice("receivers", "POST", "deliveries/"+one.ID+"/resend", "")
	}
	drain()
	ended := delivery.Subscription{
		WorkspaceID: p.world.Main.ID,
		Owner:       delivery.OfFeed(2),
		Address:     "team@northwind.example",
	}
	token, err := ended.Token(p.world.Main.Secret)
	if err != nil {
		p.t.Fatal(err)
	}
	if err := composed.Report(p.t.Context(), p.parts["bounces"], "permanent", p.world.Main.ID,
		"gone@northwind.example"); err != nil {
		p.t.Error(err)
	}
	for _, method := range []string{"GET", "POST"} {
		p.askOf("receivers", 200, method, "unsubscribe?token="+token, "")
	}
	for _, of := range []string{"feeds/2", "notifications/1"} {
		p.askOf("receivers", 200, "GET", "deliveries?"+strings.Replace(of, "s/", "Id=", 1), "")
		p.askOf("receivers", 200, "GET", of+"/signing-secret", "")
		p.twice("receivers", "POST", of+"/signing-secret/rotate", "")
		p.twice("receivers", "POST", of+"/enable", "")
		p.twice("receivers", "POST", of+"/recover", `{"since":"2026-01-01T00:00:00Z"}`)
	}
}

// take has a function take what was sent to its queue.
func (p *play) take(function, name string) {
	p.t.Helper()
	parts := p.parts[function]
	var batch []queue.Delivery
	for i, body := range p.sent[name] {
		batch = append(batch, queue.Delivery{ID: fmt.Sprint(i), Body: body, Receives: 1})
	}
	if len(batch) == 0 {
		p.t.Errorf("nothing was sent to %s", name)
	}
	p.sent[name] = nil
	failed, err := worker.Deliver(composed.Consumers(parts, composed.Intake(parts))[name], name)(p.t.Context(), batch)
	if err != nil || len(failed) > 0 {
		p.t.Errorf("%s: %v, %v", function, failed, err)
	}
}

// tick calls a scheduled function after a while.
func (p *play) tick(function string, after time.Duration) {
	p.t.Helper()
	p.world.Clock.Freeze(p.world.Clock.Now().Add(after))
	parts := p.parts[function]
	run := composed.Schedules(parts, parts.Store)[function].Run
	if function == analyticsfiles.Group { // in the times of a deployment, which are longer than those of one process
		run = analyticsfiles.Handler(worker.Options{Function: function, Log: parts.Log, Clock: parts.Clock}, analyticsfiles.Options{
			Store:  parts.Store,
			Files:  parts.DayFiles,
			Clock:  parts.Clock,
			Log:    parts.Log,
			Folder: p.t.TempDir(),
		})
	}
	if err := run(p.t.Context(), json.RawMessage("{}")); err != nil {
		p.t.Errorf("%s: %v", function, err)
	}
}

// ask calls the mentions function.
func (p *play) ask(status int, method, target, body string, header ...string) []byte {
	p.t.Helper()
	return p.askOf("mentions", status, method, target, body, header...)
}

// letIn lets a program in, and takes its tokens back, by the store of the function that does so.
func (p *play) letIn() {
	p.t.Helper()
	s, ctx, now := p.parts["authorize"].Store, p.t.Context(), p.world.Clock.Now()
	must := func(err error) {
		p.t.Helper()
		if err != nil {
			p.t.Fatal(err)
		}
	}
	_, err := p.world.Store.AddMember(ctx, p.world.Main.ID,
		member.Member{Email: "grants@northwind.example", Role: member.Admin})
	must(err)
	p.askOf("authorize", 201, "POST", "/oauth/register", `{"redirect_uris":["http://127.0.0.1/"]}`)
	must(s.PutClient(ctx, oauth.Client{ID: "client", ExpiresAt: now.Add(time.Hour)}))
	_, err = s.Client(ctx, "client")
	must(err)
	must(s.KeepClient(ctx, "client", now.Add(2*time.Hour)))
	for _, secret := range []string{"approved", "denied"} {
		must(s.PutRequest(ctx, secret, authstore.Request{ClientID: "client", ExpiresAt: now.Add(time.Hour)}))
		must(s.SignIn(ctx, secret, "account", "grants@northwind.example"))
	}
	must(s.Deny(ctx, "denied"))
	seats, err := s.Seats(ctx, "account", "grants@northwind.example")
	must(err)
	g := oauth.Grant{
		ID:          oauth.NewID(now),
		WorkspaceID: seats[0].Workspace.ID,
		MemberID:    seats[0].Member.ID,
		ClientID:    "client",
	}
	code := oauth.NewToken(oauth.AuthorizationCode, g)
	must(s.Approve(ctx, "approved", g, oauth.Code{ExpiresAt: now.Add(time.Hour)}, code))
	tokens, err := s.Exchange(ctx, code, func(oauth.Grant, oauth.Code) error { return nil })
	must(err)
	tokens, err = s.Refresh(ctx, tokens.Refresh, func(oauth.Grant) error { return nil })
	must(err)
	p.askOf("organization", 200, "GET", "org/grants", "")
	must(s.Revoke(ctx, tokens.Access, "client"))
}

// askOf calls a function.
func (p *play) askOf(function string, status int, method, target, body string, header ...string) []byte {
	p.t.Helper()
	client := worldtest.Client{Token: p.world.Admin}
	event := client.Event(worldtest.Request{Method: method, Target: at(target), Body: body,
		Header: append(header, "Content-Type", "application/json")})
	answer, err := composed.Functions(p.parts[function])[function](p.t.Context(), event)
	if err != nil || answer.StatusCode != status {
		p.t.Errorf("%s: %s %s: %d %.300s, %v", function, method, target, answer.StatusCode, answer.Body, err)
	}
	return []byte(answer.Body)
}

// at is the path of a target; one with a slash before it is not of the API.
func at(target string) string {
	if strings.HasPrefix(target, "/") {
		return target
	}
	return "/api/v2/" + target
}

// A platform answers what it is told to.
type platform struct {
	name   string
	stream bool
	posts  []post.Post
	fails  error
	looked int64 // how often its counters were looked up; they grow
}

func (p *platform) About() source.About {
	return source.About{Name: p.name, Stream: p.stream, Max: 100, Observes: 10}
}

func (p *platform) Search(context.Context, source.Query) (source.Page, error) {
	return source.Page{Posts: slices.Clone(p.posts)}, p.fails
}

func (p *platform) Engagement(_ context.Context, ids []string) (map[string]map[string]int64, error) {
	found := map[string]map[string]int64{}
	p.looked++
	for _, id := range ids {
		found[id] = map[string]int64{"points": 100 + p.looked}
	}
	return found, nil
}

type testLog struct{ t *testing.T }

func (l *testLog) Write(line []byte) (int, error) {
	l.t.Logf("%s", bytes.TrimSpace(line))
	return len(line), nil
}

// Every function may do what it does, and nothing that it does not: IAM's answer is known before anything is deployed.
func TestFunctionsNeedWhatTheyAreGranted(t *testing.T) {
	p := newPlay(t)
	w, ctx, org := p.world, t.Context(), p.world.Main.ID
	p.workspaces()
	k, err := w.Store.CreateKeyword(ctx, org,
		keyword.Keyword{Text: "northwind", ExactMatch: true, AdditionalTermsLogic: keyword.Any}, 10)
	if err != nil {
		t.Fatal(err)
	}
	other, err := w.Store.CreateKeyword(ctx, org, keyword.Keyword{Text: "lanternpage", AdditionalTermsLogic: keyword.Any}, 10)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Store.RestoreFeed(ctx, org,
		feed.Feed{ID: 1, Name: "All", SimpleFilters: []byte(`{"relevance":[0,1,2]}`)}); err != nil {
		t.Fatal(err)
	}

	p.listens()

	// What is found is stored, looked at again, and archived once it is old.
	young, old := w.Clock.Now().Add(-time.Hour), w.Clock.Now().Add(-200*24*time.Hour)
	hackernews := p.sources["hackernews"]
	hackernews.posts = []post.Post{found("hackernews_story_1", young, 3), found("hackernews_story_2", old, 3)}
	p.tick("collect", 0)
	p.take("ingest", queue.Posts)
	p.tick("postshards", time.Hour)
	p.tick("archive", 0)
	hackernews.posts[0], hackernews.posts[1] = found("hackernews_story_1", young, 4), found("hackernews_story_2", old, 4)
	p.tick("collect", 2*time.Hour)
	p.take("ingest", queue.Posts)
	for range 3 { // it is copied, copied again when it has changed, and moved
		p.tick("archive", 2*time.Hour)
	}
	hackernews.posts[1] = found("hackernews_story_2", old, 5)
	p.tick("collect", 2*time.Hour)
	p.take("ingest", queue.Posts)
	p.file(hackernews)
	if err := w.Store.DeleteKeyword(ctx, org, other.ID); err != nil {
		t.Fatal(err)
	}
	hackernews.posts, hackernews.fails = nil,
		&source.Unavailable{Source: "hackernews", Reason: "answered 401", Refused: true}
	p.tick("collect", 2*time.Hour)

	p.deliver()
	p.read(k.ID)
	p.count(k.ID)
	p.summarize(k.ID)
	p.change("hackernews_story_1", young)
	p.change("hackernews_story_2", old)
	p.export()
	p.search()
	p.settings("hackernews_story_1", young)
	p.settings("hackernews_story_2", old)
	p.keep("lobsters")
	p.setup()
	p.mcp()
	p.people()
	p.letIn()
	p.merge()
	p.gather()

	for _, function := range everyFunction() {
		denied, idle := p.police[function.Name].report()
		if len(denied) > 0 {
			t.Errorf("%s needs %s", function.Name, strings.Join(denied, ", "))
		}
		idle = slices.DeleteFunc(idle, func(action string) bool { return slices.Contains(seldom[function.Name], action) })
		if len(idle) > 0 {
			t.Errorf("%s is granted %s and had no use for it", function.Name, strings.Join(idle, ", "))
		}
		for _, action := range seldom[function.Name] {
			if guard := p.police[function.Name]; guard.used[action] || !guard.allowed[action] {
				t.Errorf("%s: %s is not granted, or not seldom", function.Name, action)
			}
		}
	}
}

func found(id string, posted time.Time, points int64) post.Post {
	title, author := "We moved our customer records to northwind", "tidewatcher"
	return post.Post{
		Source:               "hackernews",
		SourceID:             id,
		PostedAt:             posted,
		Title:                &title,
		Author:               &author,
		Engagement:           map[string]int64{"points": points},
		EngagementObservedAt: worldtest.Now.Add(time.Duration(points) * time.Hour),
	}
}

// keep adds posts of a platform that cannot be asked to the archive, and has a shard made of them.
func (p *play) keep(platform string) {
	var posts []post.Post
	for i := range 20 {
		each := found(fmt.Sprintf("%s_%d", platform, i), p.world.Clock.Now().Add(-time.Duration(i)*time.Hour), 3)
		each.Source = platform
		posts = append(posts, each)
	}
	if err := p.parts["ingest"].Archive(p.t.Context(), posts); err != nil {
		p.t.Fatal(err)
	}
	p.tick("postshards", time.Hour)
}

// gather has the terms gathered of an archived day with as many mentions as that takes, in the workspace's hour.
func (p *play) gather() {
	var mentions []mention.Mention
	for i := range 100 {
		at := p.world.Clock.Now().AddDate(0, 0, -200).Truncate(24 * time.Hour).Add(time.Duration(i) * time.Minute)
		mentions = append(mentions, worldtest.Mention(0, fmt.Sprint("hackernews_comment_", i), at))
	}
	if _, err := p.world.Store.Ingest(p.t.Context(), p.world.Main.ID, 1_000_000, mentions); err != nil {
		p.t.Fatal(err)
	}
	for range 24 {
		p.tick("archive", time.Hour)
	}
}

// merge has shards of two days merged, and the files of before deleted.
func (p *play) merge() {
	for day := range 3 {
		hackernews := p.sources["hackernews"]
		hackernews.fails = nil
		hackernews.posts = []post.Post{found(fmt.Sprintf("hackernews_story_30%d", day), p.world.Clock.Now(), 3)}
		p.tick("collect", 2*time.Hour)
		p.take("ingest", queue.Posts)
		p.tick("postshards", 25*time.Hour)
	}
	p.tick("postshards", 2*time.Hour)
}

// file has files written of days that are over. Counters of a mention grow after that, which marks its day. The day's
// file is written anew, and the one of before is deleted.
func (p *play) file(from *platform) {
	for range 3 { // files are announced, days are opened, files are written
		p.tick("analyticsfiles", 9*time.Hour)
	}
	from.posts = nil
	p.tick("collect", 2*time.Hour)
	for range 3 {
		p.tick("analyticsfiles", 2*time.Hour)
	}
}

// read asks for mentions in every way, those in the archive too.
func (p *play) read(keywordID int64) {
	p.ask(200, "POST", "mentions", fmt.Sprintf(`{"view":1,"includeAll":true,"simpleFilters":{"keyword":[%d]}}`, keywordID))
	p.ask(200, "POST", "mentions", `{"view":1,"includeAll":true,"collapse":"story"}`)
	p.ask(200, "GET", "mentions/hackernews_story_2", "")
	p.ask(200, "GET", fmt.Sprintf("mentions/by-id?id=%d", p.idOf("hackernews_story_2")), "")
	p.ask(200, "GET", "mentions/by-author?source=hackernews&handle=tidewatcher", "")
	p.ask(200, "GET", "tags", "")
}

// count asks for figures: those of cells, and those that need rows, old ones too.
func (p *play) count(keywordID int64) {
	from := p.world.Clock.Now().Add(-300 * 24 * time.Hour).Format(time.DateOnly)
	p.askOf("analytics", 200, "GET", fmt.Sprintf("analytics/volume?keywordIds=%d", keywordID), "")
	p.askOf("analytics", 200, "GET", "analytics/dashboard", "")
	p.askOf("analytics", 200, "GET", "analytics/authors?startDate="+from, "")
	p.askOf("analytics", 200, "POST", "analytics/query",
		fmt.Sprintf(`{"startDate":%q,"aggregates":["reach"],"filters":{"text":["moved"]}}`, from))
}

func (p *play) idOf(sourceID string) int64 {
	var m struct{ ID int64 }
	if err := json.Unmarshal(p.ask(200, "GET", "mentions/"+sourceID, ""), &m); err != nil {
		p.t.Error(err)
	}
	return m.ID
}

// change judges a mention and takes it back, twice with one Idempotency-Key.
func (p *play) change(sourceID string, posted time.Time) {
	id := p.idOf(sourceID)
	for _, change := range []string{`"action":"engage","engaged":true`, `"action":"relevance","relevance":2`,
		`"action":"relevance","relevance":3`} {
		for range 2 {
			body := fmt.Sprintf(`{%s,"postId":%d,"timestamp":%q}`, change, id, mention.Timestamp(posted))
			p.ask(200, "PATCH", "mentions/"+sourceID, body, "Idempotency-Key", sourceID+change)
		}
	}
}

// export exports what can be answered at once, twice with one Idempotency-Key, and what cannot.
func (p *play) export() {
	long := strings.Repeat("All about northwind. ", 4000)
	for i := range 60 {
		m := worldtest.Mention(int64(5000+i), fmt.Sprintf("hackernews_long_%d", i),
			p.world.Clock.Now().Add(-time.Duration(i)*time.Minute))
		m.Body = &long
		if i == 20 {
			for range 2 {
				p.ask(200, "POST", "mentions/export", `{"format":"csv"}`, "Idempotency-Key", "at-once")
			}
		}
		p.world.Put(p.t, p.world.Main.ID, m)
	}
	var begun struct{ ExportID string }
	if err := json.Unmarshal(p.ask(202, "POST", "mentions/export", `{"format":"json","includeAll":true}`), &begun); err != nil {
		p.t.Error(err)
	}
	p.take("exports", queue.Exports)
	var export struct{ Status, URL string }
	if err := json.Unmarshal(p.ask(200, "GET", "mentions/exports/"+begun.ExportID, ""), &export); err != nil ||
		export.URL == "" {
		p.t.Errorf("%+v %v", export, err)
	}
}
