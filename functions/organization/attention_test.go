package organization_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"earshot/functions/organization"
	"earshot/shared/alert"
	"earshot/shared/delivery"
	"earshot/shared/embedded/fault"
	"earshot/shared/feed"
	"earshot/shared/keyword"
	"earshot/shared/mention"
	"earshot/shared/port/table"
	"earshot/shared/store/listenstore"
	"earshot/shared/store/rows"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

const attentionPath, recommendationsPath = "/api/v2/attention", "/api/v2/monitoring/recommendations"

// attentionOf lists what needs attention, by kind.
func attentionOf(t testing.TB, client worldtest.Client) map[string]organization.AttentionItem {
	t.Helper()
	var list organization.AttentionList
	client.Get(t, attentionPath).OK(t, &list)
	items := map[string]organization.AttentionItem{}
	for _, item := range list.Data {
		if _, twice := items[string(item.Kind)]; twice {
			t.Errorf("%s is there twice", item.Kind)
		}
		items[string(item.Kind)] = item
	}
	return items
}

// holds asks for these kinds and no others.
func holds(t testing.TB, client worldtest.Client, want ...string) map[string]organization.AttentionItem {
	t.Helper()
	items := attentionOf(t, client)
	for _, kind := range want {
		if _, there := items[kind]; !there {
			t.Errorf("%s does not need attention", kind)
		}
	}
	if len(items) != len(want) {
		t.Errorf("%v needs attention, want %v", items, want)
	}
	return items
}

func dismiss(t testing.TB, client worldtest.Client, id string) {
	t.Helper()
	var done organization.Dismissed
	client.Post(t, attentionPath+"/"+id+"/dismiss", ``).OK(t, &done)
	if !done.OK {
		t.Error("it is not ok")
	}
}

// What needs attention is what the workspace's own rows say, from none of it to all of it.
func TestAttention(t *testing.T) {
	w := worldtest.NewWorld(t)
	client := serve(t, w)
	reader := client.As(w.Read)
	holds(t, reader, "no_keywords", "no_company")
	check(t, w.Store.PutCompany(t.Context(), w.Main.ID, workspace.Company{Name: "Northwind"}))
	k := keyword.Keyword{ID: 7, Text: "northwind"}
	check(t, w.Store.RestoreKeyword(t.Context(), w.Main.ID, k))
	holds(t, reader)
	pause := func(paused bool) {
		t.Helper()
		_, err := w.Store.ChangeKeyword(t.Context(), w.Main.ID, 7,
			func(k *keyword.Keyword) error { k.Paused = paused; return nil })
		check(t, err)
	}
	pause(true)
	holds(t, reader, "keywords_paused")
	pause(false)
	w.Clock.Freeze(worldtest.Now.Add(7 * 24 * time.Hour))
	if items := holds(t, reader, "keyword_silent"); items["keyword_silent"].Action.Path.OrZero() != "/api/v2/keywords/7" {
		t.Errorf("%+v", items)
	}
	// A mention of today, and judgements of ten.
	for id := range int64(10) {
		m := worldtest.Mention(id+1, fmt.Sprint("post", id), w.Clock.Now())
		w.Put(t, w.Main.ID, m)
		_, err := w.Store.ChangeMention(t.Context(), w.Main.ID, m.SourceID, func(m *mention.Mention) (bool, error) {
			return m.Judge(mention.Judgement{KeywordID: 7, Relevant: id > 4, Source: mention.FromWeb}), nil
		})
		check(t, err)
		if id < 9 {
			holds(t, reader)
		}
	}
	holds(t, reader, "many_false_positives")
	// A source that fails, and what it said.
	task := listenstore.Task{WorkspaceID: w.Main.ID, KeywordID: 7, Source: "reddit", DueAt: worldtest.Now,
		Since: w.Clock.Now().Add(-time.Hour), Failures: 5, LastError: "<b>password</b>"}
	check(t, w.Store.AddTask(t.Context(), task))
	failing := holds(t, reader, "many_false_positives", "source_failing")["source_failing"]
	if text := failing.Title + failing.Message; strings.Contains(text, "password") || !strings.Contains(text, "reddit") ||
		failing.Action.Type != "none" {
		t.Errorf("%+v", failing)
	}
	check(t, w.Store.RemoveTask(t.Context(), task))
	// A key that ends soon is named, and nothing more of it is told.
	token := w.Key(t, workspace.Key{
		Name:      "CI",
		Scope:     workspace.Read,
		Workspace: &w.Main,
		ExpiresAt: w.Clock.Now().Add(6 * 24 * time.Hour),
	})
	expiring := holds(t, reader, "many_false_positives", "key_expires")["key_expires"]
	if !strings.Contains(expiring.Message, `"CI"`) ||
		strings.Contains(fmt.Sprint(expiring), strings.Split(token, "_")[2]) {
		t.Errorf("%+v", expiring)
	}
	// The month's mentions: here of a plan that is small.
	check(t, w.Store.ChangeWorkspace(t.Context(), w.Main.ID,
		func(w *workspace.Workspace) error { w.Plan = workspace.FreeTrial; return nil }))
	_, err := w.Table.Update(t.Context(), quotaOf(w, 4000))
	check(t, err)
	holds(t, reader, "many_false_positives", "key_expires", "quota_nearly_used")
	_, err = w.Table.Update(t.Context(), quotaOf(w, 1000))
	check(t, err)
	if used := holds(t, reader, "many_false_positives", "key_expires", "quota_used")["quota_used"]; used.Severity != "critical" {
		t.Errorf("%+v", used)
	}
	// None of it is the other workspace's.
	holds(t, client.As(w.OtherKey), "no_keywords", "no_company")
}

// A destination that was given up is told of until somebody enables or removes it.
func TestDisabledDestination(t *testing.T) {
	w := worldtest.NewWorld(t)
	client := serve(t, w)
	hooks := []feed.Destination{{Type: feed.Webhook, URL: "https://a.example/"}}
	of, err := w.Store.CreateFeed(t.Context(), w.Main.ID, feed.Feed{Name: "Launch", Destinations: hooks}, "")
	check(t, err)
	n, err := w.Store.CreateNotification(
		t.Context(), w.Main.ID, feed.Notification{Name: "Alerts", FeedID: of.ID, Destinations: hooks}, "",
	)
	check(t, err)
	watched, err := w.Store.CreateAlert(
		t.Context(), w.Main.ID, alert.Alert{Name: "Complaints", FeedID: of.ID, Destinations: hooks}, "",
	)
	check(t, err)
	for owner, status := range map[delivery.Owner]int{
		delivery.OfFeed(of.ID): 410, delivery.OfNotification(n.ID): 500, delivery.OfFeed(999): 410,
		delivery.OfAlert(watched.ID): 410,
	} {
		to := delivery.Endpoint{Owner: owner, Kind: "WEBHOOK"}
		check(t, w.Store.WakeEndpoint(t.Context(), w.Main.ID, to))
		e, mine, err := w.Store.ClaimEndpoint(t.Context(), w.Main.ID, to, time.Minute)
		check(t, err)
		for _, age := range []time.Duration{delivery.GivenUpAfter, 0} {
			e.Health = e.Health.After(delivery.Outcome{At: worldtest.Now.Add(-age), Status: status})
		}
		if ok, err := w.Store.ReleaseEndpoint(t.Context(), e, time.Time{}); err != nil || !ok || !mine {
			t.Fatal(ok, mine, err)
		}
	}
	var list struct {
		Data []struct {
			ID, Kind, Title string
			Action          struct{ Type, Path string }
		}
	}
	client.Get(t, attentionPath).OK(t, &list)
	broken, other := map[string]string{}, ""
	for _, item := range list.Data {
		if item.Kind != "delivery_broken" {
			other = attentionPath + "/" + item.ID + "/apply"
			continue
		}
		if broken[item.Title] = item.Action.Path; item.Action.Type != "apply" ||
			item.Action.Path != attentionPath+"/"+item.ID+"/apply" {
			t.Errorf("%+v", item)
		}
	}
	feedSaid, notificationSaid, alertSaid := `The webhook of "Launch" gets nothing`,
		`The webhook of "Alerts" gets nothing`, `The webhook of "Complaints" gets nothing`
	if len(broken) != 3 || broken[feedSaid] == "" || broken[notificationSaid] == "" || broken[alertSaid] == "" {
		t.Errorf("%v", broken)
	}
	client.As(w.Read).Post(t, broken[feedSaid], "").Is(t, 403, "FORBIDDEN")
	client.Post(t, other, "").Is(t, 400, "ATTENTION_ACTION_NOT_APPLY")
	client.Post(t, attentionPath+"/att_00/apply", "").Is(t, 404, "ATTENTION_ITEM_NOT_FOUND")
	for _, title := range []string{feedSaid, alertSaid} {
		client.Post(t, broken[title], "").OK(t, nil)
		client.Post(t, broken[title], "").Is(t, 404, "ATTENTION_ITEM_NOT_FOUND")
	}
	holds(t, client, "no_keywords", "no_company", "delivery_broken")
	replace := func(with ...feed.Destination) {
		t.Helper()
		_, err := w.Store.ChangeNotification(t.Context(), w.Main.ID, n.ID, "", func(n *feed.Notification) error {
			n.Destinations = with
			return nil
		})
		check(t, err)
	}
	replace(feed.Destination{Type: feed.Email, Emails: []string{"a@northwind.example"}})
	holds(t, client, "no_keywords", "no_company")
	replace(hooks...)
	holds(t, client, "no_keywords", "no_company", "delivery_broken")
	check(t, w.Store.DeleteFeed(t.Context(), w.Main.ID, of.ID, ""))
	holds(t, client, "no_keywords", "no_company")
}

// The item says of each type of destination why it was given up, as the mail to the admins does.
func TestDisabledDestination_SaysWhy(t *testing.T) {
	w := worldtest.NewWorld(t)
	client := serve(t, w)
	of, err := w.Store.CreateFeed(t.Context(), w.Main.ID, feed.Feed{Name: "Launch", Destinations: []feed.Destination{
		{Type: feed.Webhook}, {Type: feed.Email}, {Type: feed.Slack},
	}}, "")
	check(t, err)
	for kind, want := range map[feed.DestinationType]string{
		feed.Webhook: "wants no more", feed.Email: "bounced for good", feed.Slack: "its channels or the connection are gone",
	} {
		to := delivery.Endpoint{Owner: delivery.OfFeed(of.ID), Kind: string(kind)}
		check(t, w.Store.WakeEndpoint(t.Context(), w.Main.ID, to))
		e, _, err := w.Store.ClaimEndpoint(t.Context(), w.Main.ID, to, time.Minute)
		check(t, err)
		e.Health = e.Health.After(delivery.Outcome{At: worldtest.Now, Ended: true})
		_, err = w.Store.ReleaseEndpoint(t.Context(), e, time.Time{})
		check(t, err)
		said := holds(t, client, "no_keywords", "no_company", "delivery_broken")["delivery_broken"].Message
		if !strings.Contains(said, want) {
			t.Errorf("%s: the item says %q, want %q", kind, said, want)
		}
		check(t, w.Store.EnableEndpoint(t.Context(), w.Main.ID, to))
	}
}

// Applying the item of a mail destination forgets its bounces. Otherwise the next mail would disable it again. Who
// unsubscribed or complained stays out.
func TestDisabledDestination_Bounced(t *testing.T) {
	w := worldtest.NewWorld(t)
	client := serve(t, w)
	const bounced, complained, unsubscribed = "a@northwind.example", "b@northwind.example", "c@northwind.example"
	addresses := []string{bounced, complained, unsubscribed}
	mails := feed.Destination{Type: feed.Email, Emails: addresses}.WithDefaults()
	of, err := w.Store.CreateFeed(t.Context(), w.Main.ID,
		feed.Feed{Name: "Launch", Destinations: []feed.Destination{mails}}, "")
	check(t, err)
	to := delivery.Endpoint{Owner: delivery.OfFeed(of.ID), Kind: "EMAIL"}
	check(t, w.Store.Bounce(t.Context(), w.Main.ID, bounced, delivery.Bounced))
	check(t, w.Store.Bounce(t.Context(), w.Main.ID, complained, delivery.Complained))
	check(t, w.Store.Unsubscribe(t.Context(), w.Main.ID, to.Owner, unsubscribed))
	check(t, w.Store.WakeEndpoint(t.Context(), w.Main.ID, to))
	e, _, err := w.Store.ClaimEndpoint(t.Context(), w.Main.ID, to, time.Minute)
	check(t, err)
	e.Health = e.Health.After(delivery.Outcome{At: worldtest.Now, Status: 410})
	_, err = w.Store.ReleaseEndpoint(t.Context(), e, time.Time{})
	check(t, err)
	item := holds(t, client, "no_keywords", "no_company", "delivery_broken")["delivery_broken"]
	client.Post(t, attentionPath+"/"+item.ID+"/apply", "").OK(t, nil)
	silenced, err := w.Store.Silenced(t.Context(), w.Main.ID, to.Owner, addresses)
	check(t, err)
	if silenced[bounced] != "" || silenced[complained] == "" || silenced[unsubscribed] == "" {
		t.Errorf("after it is applied, silenced are %v, want those who complained or unsubscribed", silenced)
	}
}

// The item of a paused alert names what was deleted: a keyword or a feed.
func TestPausedAlert_SaysWhy(t *testing.T) {
	w := worldtest.NewWorld(t)
	client := serve(t, w)
	watched, err := w.Store.CreateAlert(t.Context(), w.Main.ID, alert.Alert{Name: "Outages", FeedID: 7}, "")
	check(t, err)
	for why, want := range map[alert.Pause]string{
		alert.KeywordDeleted: `The keyword that the alert "Outages" watched was deleted.`,
		alert.FeedDeleted:    `The feed that the alert "Outages" watched was deleted.`,
	} {
		_, err := w.Store.ChangeAlert(t.Context(), w.Main.ID, watched.ID, "", func(a *alert.Alert) error {
			a.Paused = why
			return nil
		})
		check(t, err)
		said := holds(t, client, "no_keywords", "no_company", "alert_paused")["alert_paused"].Message
		if !strings.HasPrefix(said, want) {
			t.Errorf("%s: the item says %q, want %q", why, said, want)
		}
	}
}

// An alert that lost its keyword is named until somebody changes it.
func TestPausedAlert(t *testing.T) {
	w := worldtest.NewWorld(t)
	client := serve(t, w)
	watched, err := w.Store.CreateAlert(t.Context(), w.Main.ID,
		alert.Alert{Name: "Outages", Filters: []byte(`{"keyword":[7]}`), Enabled: true}, "")
	check(t, err)
	holds(t, client, "no_keywords", "no_company")
	change := func(enabled bool, why alert.Pause) {
		t.Helper()
		_, err := w.Store.ChangeAlert(t.Context(), w.Main.ID, watched.ID, "", func(a *alert.Alert) error {
			a.Enabled, a.Paused = enabled, why
			return nil
		})
		check(t, err)
	}
	change(false, "")
	holds(t, client, "no_keywords", "no_company")
	change(false, alert.KeywordDeleted)
	holds(t, client, "no_keywords", "no_company", "alert_paused")
	change(true, alert.KeywordDeleted)
	holds(t, client, "no_keywords", "no_company")
}

// A new name leaves the pause of an alert as it is: a dismissed item stays dismissed. Another pause is news.
func TestPausedAlert_Renamed(t *testing.T) {
	w := worldtest.NewWorld(t)
	client := serve(t, w)
	watched, err := w.Store.CreateAlert(t.Context(), w.Main.ID, alert.Alert{
		Name: "Outages", Filters: []byte(`{"keyword":[7]}`), Enabled: true,
	}, "")
	check(t, err)
	changed := func(change func(*alert.Alert)) {
		t.Helper()
		w.Clock.Freeze(w.Clock.Now().Add(time.Minute))
		_, err := w.Store.ChangeAlert(t.Context(), w.Main.ID, watched.ID, "", func(a *alert.Alert) error {
			change(a)
			return nil
		})
		check(t, err)
	}
	later := func(change func(*alert.Alert)) organization.AttentionItem {
		t.Helper()
		changed(change)
		return holds(t, client, "no_keywords", "no_company", "alert_paused")["alert_paused"]
	}
	pause := func(a *alert.Alert) { a.Enabled, a.Paused = false, alert.KeywordDeleted }
	first := later(pause)
	renamed := later(func(a *alert.Alert) { a.Name = "Downtimes" })
	if renamed.ID != first.ID || renamed.CreatedAt != first.CreatedAt {
		t.Errorf(
			"after a new name the item is %s of %v, want %s of %v", renamed.ID, renamed.CreatedAt, first.ID, first.CreatedAt,
		)
	}
	changed(func(a *alert.Alert) { a.Enabled = true })
	if again := later(pause); again.ID == first.ID {
		t.Errorf("the item of another pause is %s too", again.ID)
	}
}

// What is new in the figures is read from the mentions themselves.
func TestAttention_Figures(t *testing.T) {
	w := worldtest.NewWorld(t)
	reader := serve(t, w).As(w.Read)
	id := int64(0)
	put := func(daysAgo, n int, sentiment mention.Sentiment) {
		for range n {
			id++
			m := worldtest.Mention(id, fmt.Sprint("post", id), w.Clock.Now().Add(-time.Duration(24*daysAgo+3)*time.Hour))
			m.Sentiment = sentiment
			w.Put(t, w.Main.ID, m)
		}
	}
	for week := range 4 {
		put(7*(week+1), 10, mention.Positive)
	}
	put(9, 10, mention.Negative)
	put(0, 15, mention.Negative)
	holds(t, reader, "no_keywords", "no_company")
	put(0, 10, mention.Negative)
	put(3, 20, mention.Negative)
	spiked := holds(t, reader, "no_keywords", "no_company", "mention_spike", "negative_rising")
	for kind, want := range map[string]string{"mention_spike": "25 relevant mentions came in 24 hours, against 10",
		"negative_rising": "are negative, against 50 %"} {
		if !strings.Contains(spiked[kind].Message, want) {
			t.Errorf("%s: %s", kind, spiked[kind].Message)
		}
	}
	famous := worldtest.Mention(id+1, "famous", w.Clock.Now())
	famous.Author, famous.AuthorFollowers = new("so<b>me"), new(int64(10_000))
	w.Put(t, w.Main.ID, famous)
	if loud := holds(t, reader, "no_keywords", "no_company", "mention_spike", "negative_rising",
		"high_reach_unanswered")["high_reach_unanswered"]; loud.Action.Path.OrZero() != "/api/v2/mentions/by-id?id=famous" {
		t.Errorf("%+v", loud)
	}
	_, err := w.Store.ChangeMention(t.Context(), w.Main.ID, "famous",
		func(m *mention.Mention) (bool, error) { m.Engaged = true; return true, nil })
	check(t, err)
	holds(t, reader, "no_keywords", "no_company", "mention_spike", "negative_rising")
}

func TestDismiss(t *testing.T) {
	w := worldtest.NewWorld(t)
	client := serve(t, w)
	items := holds(t, client, "no_keywords", "no_company")
	theirs := holds(t, client.As(w.OtherKey), "no_keywords", "no_company")["no_company"].ID
	foreign := client.Post(t, attentionPath+"/"+theirs+"/dismiss", ``)
	foreign.Is(t, 404, "ATTENTION_ITEM_NOT_FOUND")
	for _, unused := range []string{"att_" + strings.Repeat("0a", 16), "att_", "x", strings.Repeat("long", 400), "%00"} {
		answer := client.Post(t, attentionPath+"/"+unused+"/dismiss", ``)
		answer.Is(t, 404, "ATTENTION_ITEM_NOT_FOUND")
		if string(answer.Body) != string(foreign.Body) {
			t.Errorf("%s and %s differ", answer.Body, foreign.Body)
		}
	}
	w.CrashOnce("put")
	path := attentionPath + "/" + items["no_keywords"].ID + "/dismiss"
	if answer := client.Post(t, path, ``, "Idempotency-Key", "k"); answer.Status == 200 {
		t.Fatal("it did not die")
	}
	dismiss(t, client, items["no_keywords"].ID)
	dismiss(t, client, items["no_keywords"].ID)
	holds(t, client.As(w.Read), "no_company")
	holds(t, client.As(w.OtherKey), "no_keywords", "no_company")
	// A keyword comes and goes: that is another time without one. What is gone can be dismissed again, for it was.
	k, err := w.Store.CreateKeyword(t.Context(), w.Main.ID, keyword.Keyword{Text: "northwind"}, 20)
	check(t, err)
	holds(t, client, "no_company")
	dismiss(t, client, items["no_keywords"].ID)
	check(t, w.Store.DeleteKeyword(t.Context(), w.Main.ID, k.ID))
	if anew := holds(t, client, "no_company", "no_keywords"); anew["no_keywords"].ID == items["no_keywords"].ID {
		t.Error("it is the same")
	}
	// After 90 days it is told again.
	dismiss(t, client, items["no_company"].ID)
	holds(t, client, "no_keywords")
	w.Clock.Freeze(worldtest.Now.Add(91 * 24 * time.Hour))
	holds(t, client, "no_keywords", "no_company")
	w.Fault(fault.Fault{Port: fault.TablePort, Operation: "query", Fault: fault.Error})
	client.Get(t, attentionPath).Is(t, 500, "INTERNAL_ERROR")
}

func TestRecommendations(t *testing.T) {
	w := worldtest.NewWorld(t)
	client := serve(t, w)
	recommended := func(token string) (list organization.RecommendationList, keywords string) {
		t.Helper()
		client.As(token).Get(t, recommendationsPath).OK(t, &list)
		for _, r := range list.Data {
			keywords += fmt.Sprintf("%s %v; ", r.Keyword, r.AdditionalTerms)
		}
		return list, keywords
	}
	list, keywords := recommended(w.Read)
	if keywords != "" || list.Data == nil || list.Plan != "pro" || !list.CanTrack ||
		list.Keywords != (organization.KeywordRoom{Count: 0, Limit: 20}) {
		t.Errorf("%+v", list)
	}
	company := workspace.Company{
		Name:        "Mercury",
		Domain:      "mercury.example",
		Description: "Banking for startups.",
		Products:    []string{"Mercury Treasury", "zorbtrak"},
	}
	check(t, w.Store.PutCompany(t.Context(), w.Main.ID, company))
	check(t, w.Store.PutCompany(t.Context(), w.Agents.ID, company))
	if _, keywords = recommended(
		w.Read); keywords != "Mercury [mercury.example Mercury Treasury zorbtrak banking startups]; mercury.example []; Mercury Treasury []; zorbtrak []; " {
		t.Errorf("%s", keywords)
	}
	check(t, w.Store.RestoreKeyword(t.Context(), w.Main.ID, keyword.Keyword{ID: 7, Text: "MERCURY"}))
	if list, keywords = recommended(w.Read); keywords != "mercury.example []; Mercury Treasury []; zorbtrak []; " ||
		list.Keywords.Count != 1 {
		t.Errorf("%s", keywords)
	}
	// The Agents plan may ask, and cannot track.
	if list, keywords = recommended(w.AgentsKey); !strings.HasPrefix(keywords, "Mercury [") || list.CanTrack ||
		list.Plan != "agents" || list.Keywords.Limit != 0 {
		t.Errorf("%+v", list)
	}
	if _, keywords = recommended(w.OtherKey); keywords != "" {
		t.Errorf("%s", keywords)
	}
	// A plan that is full.
	check(t, w.Store.ChangeWorkspace(t.Context(), w.Main.ID,
		func(w *workspace.Workspace) error { w.Plan = workspace.FreeTrial; return nil }))
	for n := range 4 {
		_, err := w.Store.CreateKeyword(t.Context(), w.Main.ID, keyword.Keyword{Text: fmt.Sprint("word ", n)}, 5)
		check(t, err)
	}
	if list, _ = recommended(w.Read); list.CanTrack || list.Keywords != (organization.KeywordRoom{Count: 5, Limit: 5}) {
		t.Errorf("%+v", list)
	}
}

// quotaOf is the write by which the workspace has had that many mentions more this month.
func quotaOf(w *worldtest.World, n int64) table.Update {
	return table.Update{
		Table: rows.CountersTable,
		Key:   table.Key{Partition: w.Main.ID, Sort: "quota#" + w.Clock.Now().Format("2006-01")},
		Add:   map[string]int64{"stored": n},
	}
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
