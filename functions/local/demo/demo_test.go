package demo_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"earshot/events"
	"earshot/functions/discovery"
	"earshot/functions/local/demo"
	"earshot/functions/mentions"
	"earshot/shared/embedded/fault"
	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/mention"
	"earshot/shared/store/allstores"
	"earshot/shared/web"
	"earshot/shared/web/mentionwire"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

func prepare(t *testing.T, w *worldtest.World, folder string) demo.Demo {
	t.Helper()
	made, err := demo.Prepare(t.Context(), w.Store, worldtest.Now, folder, "http://127.0.0.1:8080")
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// all reads every mention that a key sees, each page held against the OpenAPI document.
func all(t *testing.T, w *worldtest.World, token string) []mentionwire.Mention {
	t.Helper()
	document, err := worldtest.NewDocument(discovery.OpenAPI())
	if err != nil {
		t.Fatal(err)
	}
	api := web.New(web.Options{
		Credentials: w.Store,
		Windows:     w.Store,
		Replays:     w.Store,
		Clock:       w.Clock,
		Log:         slog.New(slog.DiscardHandler),
	})
	mentions.Register(api, mentions.Options{Store: w.Store, Clock: w.Clock})
	client := worldtest.Client{Handler: api.LambdaHandler(), Document: document, Token: token}
	var page mentions.MentionList
	client.Post(t, "/api/v2/mentions", `{"limit":100,"includeAll":true,"includeEngagementMetrics":true}`).OK(t, &page)
	if page.Pagination.NextCursor.Value != nil {
		t.Fatal("there are more than a page of them")
	}
	return page.Data
}

// The posts show what there is: a change of the files keeps the variety that the README promises.
func TestPosts(t *testing.T) {
	w := worldtest.NewWorld(t)
	made := prepare(t, w, t.TempDir())
	main := all(t, w, made.Keys.Read)
	if len(main) != 72 || len(all(t, w, made.Keys.OtherWorkspace)) != 12 {
		t.Errorf("%d posts", len(main))
	}
	seen := map[string]int{}
	for _, m := range main {
		seen["source "+strings.ToLower(m.Source)]++
		seen["language "+m.Language]++
		if m.Sentiment == nil {
			m.Sentiment = new(mentionwire.Sentiment)
		}
		seen["sentiment "+string(*m.Sentiment)]++
		seen["relevance "+string(m.Relevance)]++
		for _, tag := range m.Tags {
			seen["tag "+string(tag)]++
		}
		for _, keyword := range m.Keywords {
			seen["keyword "+keyword.Keyword]++
		}
		for kind, is := range map[string]bool{
			"reply": m.IsReply, "review": m.Review != nil, "answered": m.Review != nil && m.Review.ResponseAt != "",
			"counters": m.EngagementMetrics != nil, "no title": m.Title == nil, "no body": m.Body == nil,
			"no author": m.Author == nil, "engaged": m.Engaged, "picture": m.ImageURL != "",
			"feedback":    m.FeedbackRelevant != nil,
			"emoji":       m.Body != nil && strings.Contains(*m.Body, "🔥"),
			"HTML":        m.Body != nil && strings.Contains(*m.Body, "<script>"),
			"slash in id": strings.Contains(m.SourceID, "/"), "percent in id": strings.Contains(m.SourceID, "%"),
			"shouted source": m.Source == strings.ToUpper(m.Source),
		} {
			if is {
				seen[kind]++
			}
		}
		posted, err := mention.ParseTimestamp(m.Timestamp)
		if age := worldtest.Now.Sub(posted); err != nil || age <= 0 || age > 14*24*time.Hour {
			t.Errorf("%s is %s old", m.SourceID, age)
		}
	}
	for prefix, least := range map[string]int{"source ": 15, "language ": 9, "sentiment ": 4, "relevance ": 2,
		"tag ": len(mention.Tags()), "keyword ": 3} {
		kinds := 0
		for kind := range seen {
			if strings.HasPrefix(kind, prefix) {
				kinds++
			}
		}
		if kinds < least {
			t.Errorf("%d kinds of %s, fewer than %d", kinds, prefix, least)
		}
	}
	for _, kind := range []string{"reply", "review", "answered", "counters", "no title", "no body", "no author", "engaged",
		"picture", "feedback",
		"emoji", "HTML", "slash in id", "percent in id", "shouted source", "language arabic", "language hebrew"} {
		if seen[kind] == 0 {
			t.Errorf("there is none with %s", kind)
		}
	}
}

// What the sample events ask for is there.
func TestSampleEventsFindTheirMention(t *testing.T) {
	w := worldtest.NewWorld(t)
	made := prepare(t, w, t.TempDir())
	event, err := events.Sample("mentions", "get")
	if err != nil {
		t.Fatal(err)
	}
	found, err := w.Store.Mention(t.Context(), made.Workspaces["northwind"], event.PathParameters["sourceId"])
	if err != nil || found.ID != 1042 {
		t.Errorf("%+v, %v", found, err)
	}
}

func TestKeys(t *testing.T) {
	w := worldtest.NewWorld(t)
	made := prepare(t, w, t.TempDir())
	for _, c := range []struct {
		token, name string
		scope       workspace.Scope
		plan        workspace.Plan
	}{
		{made.Keys.Read, "northwind", workspace.Read, workspace.Pro},
		{made.Keys.Write, "northwind", workspace.Write, workspace.Pro},
		{made.Keys.Admin, "northwind", workspace.Admin, workspace.Pro},
		{made.Keys.OtherWorkspace, "harbour", workspace.Admin, workspace.Scale},
		{made.Keys.AgentsPlan, "robots", workspace.Admin, workspace.Agents},
	} {
		token, _ := workspace.ParseToken(c.token)
		key, _, err := w.Store.Credentials(t.Context(), token.KeyID, "")
		if err != nil || key == nil || !token.Opens(*key) || key.Scope != c.scope || key.Workspace.Plan != c.plan ||
			key.Workspace.ID != made.Workspaces[c.name] {
			t.Errorf("%s %s: %+v, %v", c.name, c.scope, key, err)
		}
	}
	token, _ := workspace.ParseToken(made.Keys.AgencyMaster)
	key, _, err := w.Store.Credentials(t.Context(), token.KeyID, "")
	if err != nil || !token.Opens(*key) || !key.Master() || !key.Agency.Active ||
		key.Agency.AnchorID != made.Workspaces["harbour"] {
		t.Errorf("master: %+v, %v", key, err)
	}
}

func TestFile(t *testing.T) {
	w, folder := worldtest.NewWorld(t), t.TempDir()
	made := prepare(t, w, folder)
	content, err := os.ReadFile(demo.Path(folder))
	if err != nil {
		t.Fatal(err)
	}
	var shape map[string]any
	if err := json.Unmarshal(content, &shape); err != nil {
		t.Fatal(err)
	}
	if len(shape) != 3 || shape["baseUrl"] != "http://127.0.0.1:8080" || len(shape["keys"].(map[string]any)) != 6 ||
		len(shape["workspaces"].(map[string]any)) != 3 {
		t.Errorf("%s", content)
	}
	if info, err := os.Stat(demo.Path(folder)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	moved, err := made.ServedAt(folder, "http://127.0.0.1:9090")
	if err != nil {
		t.Fatal(err)
	}
	if again := prepare(t, w, folder); fmt.Sprint(again) != fmt.Sprint(moved) ||
		again.BaseURL != "http://127.0.0.1:9090" || again.Keys != made.Keys {
		t.Errorf("%+v", again)
	}
	if left, err := filepath.Glob(filepath.Join(folder, ".*")); err != nil || left != nil {
		t.Errorf("it leaves %v, %v", left, err)
	}
	for name, damaged := range map[string]string{
		"empty": "", "half": string(content[:200]), "keys.read": strings.Replace(string(content), made.Keys.Read, "x", 1),
		"workspaces.harbour": strings.Replace(string(content), made.Workspaces["harbour"], "", 1), "unknown": `{"more":1}`,
	} {
		if err := os.WriteFile(demo.Path(folder), []byte(damaged), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := demo.Prepare(t.Context(), w.Store, worldtest.Now, folder, "")
		if err == nil || !strings.Contains(err.Error(), "is damaged") ||
			strings.Contains(name, ".") && !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

var errDead = errors.New("dead")

// A start that dies anywhere is completed by the next one, which makes nothing twice.
func TestKilledMidway(t *testing.T) {
	w := worldtest.NewWorld(t) // for its clock
	for writes := 0; ; writes += 23 {
		rows, closed, err := worldtest.NewPlace(t).Open(w.Clock)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { closed() })
		folder := t.TempDir()
		life := &fault.Life{Counts: fault.IsWrite, Err: errDead}
		life.DieAt(writes+1, false)
		mortal := allstores.New(fault.Table(rows, life.Set()), w.Clock)
		_, died := demo.Prepare(t.Context(), mortal, worldtest.Now, folder, "")
		if died != nil && !errors.Is(died, errDead) {
			t.Fatal(died)
		}
		w.Store = allstores.New(rows, w.Clock)
		// The next start comes later: a post that is there already is stored again with its new age, not beside the old one.
		made, err := demo.Prepare(t.Context(), w.Store, worldtest.Now.Add(time.Minute), folder, "")
		if err != nil {
			t.Fatal(err)
		}
		ids, err := w.Store.AgencyWorkspaces(t.Context(), "agc_"+strings.TrimPrefix(made.Workspaces["harbour"], "org_"))
		if err != nil || len(ids) != 3 {
			t.Errorf("after %d writes: %v, %v", writes, ids, err)
		}
		for token, want := range map[string]int{made.Keys.Read: 72, made.Keys.OtherWorkspace: 12} {
			if found := all(t, w, token); len(found) != want {
				t.Errorf("after %d writes: %d posts, want %d", writes, len(found), want)
			}
		}
		if died == nil {
			return
		}
	}
}

// Of programs that start at once on an empty folder, all find one demo.
func TestStartedAtOnce(t *testing.T) {
	w, folder := worldtest.NewWorld(t), t.TempDir()
	var made [6]demo.Demo
	faulttest.AtOnce(len(made), func(i int) {
		var err error
		if made[i], err = demo.Prepare(context.Background(), w.Store, worldtest.Now, folder, ""); err != nil {
			t.Error(err)
		}
	})
	for _, other := range made {
		if fmt.Sprint(other) != fmt.Sprint(made[0]) {
			t.Errorf("%+v\n%+v", made[0], other)
		}
	}
	if found := all(t, w, made[0].Keys.Read); len(found) != 72 {
		t.Errorf("%d posts", len(found))
	}
}
