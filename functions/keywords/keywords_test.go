package keywords_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"earshot/functions/discovery"
	"earshot/functions/keywords"
	"earshot/functions/keywords/preview"
	"earshot/functions/keywords/suggestions"
	"earshot/shared/alert"
	"earshot/shared/feed"
	"earshot/shared/mention"
	"earshot/shared/web"
	"earshot/shared/worldtest"
)

const all = "/api/v2/keywords"

// serve answers a client that may write.
func serve(t testing.TB, w *worldtest.World) worldtest.Client {
	t.Helper()
	return worldtest.Serve(t, w, discovery.OpenAPI(), func(api *web.API) {
		keywords.Register(api, keywords.Options{Store: w.Store})
		suggestions.Register(api, suggestions.Options{Store: w.Store, Clock: w.Clock})
		preview.Register(api, preview.Options{Store: w.Store, Clock: w.Clock})
	})
}

func made(t testing.TB, c worldtest.Client, body string, header ...string) (k keywords.Keyword) {
	t.Helper()
	c.Post(t, all, body, header...).OK(t, &k)
	return k
}

func keywordPath(id int64) string { return fmt.Sprintf("%s/%d", all, id) }

func TestDoors(t *testing.T) {
	w := worldtest.NewWorld(t)
	got := serve(t, w).Doors(t, keywords.Group, w)
	want := []string{"acceptKeywordSuggestion", "backfillKeyword", "createKeyword", "deleteKeyword", "getKeyword",
		"getKeywordBackfill", "listKeywordSuggestions", "listKeywords", "pauseKeyword",
		"previewKeyword", "rejectKeywordSuggestion", "updateKeyword"}
	if !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
}

func TestCreateKeyword(t *testing.T) {
	w := worldtest.NewWorld(t)
	c := serve(t, w)
	answer := c.Post(t, all, `{"keyword":"  Northwind\t"}`)
	now := `"2026-11-20T10:15:00.000Z"`
	want := `{"id":1,"keyword":"Northwind","context":"","additionalTerms":[],"additionalTermsLogic":"any","exactMatch":true,"caseSensitive":false,` +
		`"platforms":null,"excludeWords":[],"wildcardExcludeWords":[],"excludeAuthors":[],"tag":null,"paused":false,"volume":{"last7d":0,"last30d":0},` +
		`"createdAt":` + now + `,"updatedAt":` + now + `}`
	if answer.OK(t, nil); strings.TrimSpace(string(answer.Body)) != want {
		t.Errorf("got  %s\nwant %s", answer.Body, want)
	}
	full := `{"keyword":"acme cloud","context":" Whose. ","additionalTerms":["a"," A ","ß","SS","b"],"additionalTermsLogic":"all","exactMatch":false,` +
		`"caseSensitive":false,"platforms":["reddit","dev"],"excludeWords":["road runner"],"wildcardExcludeWords":["beta*","Beta","be"],` +
		`"excludeAuthors":["@bot","u/Bot","other"],"tag":"competitor","paused":true}`
	k := made(t, c, full)
	got, _ := json.Marshal([]any{k.ID, k.Keyword, k.Context, k.AdditionalTerms, k.AdditionalTermsLogic, k.ExactMatch,
		k.Platforms, k.ExcludeWords,
		k.WildcardExcludeWords, k.ExcludeAuthors, k.Tag, k.Paused})
	if want := `[2,"acme cloud","Whose.",["a","ß","b"],"all",false,["reddit","dev"],["road runner"],["beta*","be"],["@bot","other"],"competitor",true]`; string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	// A keyword that minds case minds it in its terms.
	k = made(t, c, `{"keyword":"Apple","caseSensitive":true,"additionalTerms":["iOS","IOS","iOS "]}`)
	if fmt.Sprint(k.AdditionalTerms) != "[iOS IOS]" {
		t.Errorf("%q", k.AdditionalTerms)
	}
	var list keywords.KeywordList
	c.As(w.Read).Get(t, all).OK(t, &list)
	if len(list.Data) != 3 || list.Data[0].ID != 1 || list.Data[2].Keyword != "Apple" {
		t.Errorf("%+v", list)
	}
	c.As(w.OtherKey).Get(t, all).OK(t, &list)
	if len(list.Data) != 0 {
		t.Errorf("another workspace has %+v", list)
	}
}

// What is not there, and what is another workspace's, answer the same.
func TestKeywordNotFound(t *testing.T) {
	w := worldtest.NewWorld(t)
	c := serve(t, w)
	theirs := made(t, c.As(w.OtherKey), `{"keyword":"northwind"}`)
	gone := made(t, c, `{"keyword":"gone"}`)
	made(t, c.As(w.OtherKey), `{"keyword":"second"}`)
	c.Delete(t, keywordPath(gone.ID)).OK(t, nil)
	for name, ask := range map[string]func(id int64) worldtest.Answer{
		"get":    func(id int64) worldtest.Answer { return c.Get(t, keywordPath(id)) },
		"patch":  func(id int64) worldtest.Answer { return c.Patch(t, keywordPath(id), `{"paused":true}`) },
		"delete": func(id int64) worldtest.Answer { return c.Delete(t, keywordPath(id)) },
		"pause":  func(id int64) worldtest.Answer { return c.Post(t, keywordPath(id)+"/pause", `{"paused":true}`) },
	} {
		unused := ask(4711)
		unused.Is(t, 404, "KEYWORD_NOT_FOUND")
		for _, id := range []int64{2, gone.ID} { // 2 is theirs alone
			if other := ask(id); other.Status != 404 || string(other.Body) != string(unused.Body) {
				t.Errorf("%s: %s and %s differ", name, other.Body, unused.Body)
			}
		}
	}
	c.As(w.OtherKey).Get(t, keywordPath(theirs.ID)).OK(t, nil)
}

func TestReadOnlyKeys(t *testing.T) {
	w := worldtest.NewWorld(t)
	c := serve(t, w)
	k := made(t, c, `{"keyword":"northwind"}`)
	c = c.As(w.Read)
	c.Get(t, keywordPath(k.ID)).OK(t, nil)
	c.Post(t, all, `{"keyword":"x"}`).Is(t, 403, "FORBIDDEN")
	c.Patch(t, keywordPath(k.ID), `{}`).Is(t, 403, "FORBIDDEN")
	c.Delete(t, keywordPath(k.ID)).Is(t, 403, "FORBIDDEN")
	c.Post(t, keywordPath(k.ID)+"/pause", `{"paused":true}`).Is(t, 403, "FORBIDDEN")
}

func TestUpdateKeyword(t *testing.T) {
	w := worldtest.NewWorld(t)
	c := serve(t, w)
	k := made(t, c, `{"keyword":"northwind","additionalTerms":["a"],"platforms":["dev"],"tag":"own_brand","context":"c","excludeAuthors":["x"]}`)
	w.Clock.Freeze(worldtest.Now.Add(time.Minute))
	for _, body := range []string{`{}`, `{"keyword":"northwind"}`,
		`{"additionalTerms":[" a ","A"],"platforms":["dev"],"tag":"own_brand","paused":false,"excludeWords":[]}`} {
		var same keywords.Keyword
		c.Patch(t, keywordPath(k.ID), body).OK(t, &same)
		if same.UpdatedAt != k.UpdatedAt {
			t.Errorf("%s changed it", body)
		}
	}
	if stored, _ := w.Store.Keyword(t.Context(), w.Main.ID, k.ID); stored.Revision != 1 {
		t.Errorf("revision %d", stored.Revision)
	}
	var changed keywords.Keyword
	c.Patch(t, keywordPath(k.ID),
		`{"keyword":" Southwind ","context":"","additionalTerms":[],"additionalTermsLogic":"all","exactMatch":false,"caseSensitive":true,`+
			`"platforms":null,"excludeWords":["w"],"wildcardExcludeWords":["v*"],"excludeAuthors":[],"tag":null,"paused":true}`).OK(t, &changed)
	got, _ := json.Marshal(changed)
	want := `{"id":1,"keyword":"Southwind","context":"","additionalTerms":[],"additionalTermsLogic":"all","exactMatch":false,"caseSensitive":true,` +
		`"platforms":null,"excludeWords":["w"],"wildcardExcludeWords":["v*"],"excludeAuthors":[],"tag":null,"paused":true,"volume":{"last7d":0,"last30d":0},` +
		`"createdAt":"2026-11-20T10:15:00.000Z","updatedAt":"2026-11-20T10:16:00.000Z"}`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	c.Post(t, keywordPath(k.ID)+"/pause", `{"paused":false}`).OK(t, &changed)
	if changed.Paused {
		t.Error("still paused")
	}
	tag := c.Get(t, keywordPath(k.ID)).Header.Get("ETag")
	c.Post(t, keywordPath(k.ID)+"/pause", `{"paused":false}`).OK(t, nil)
	if again := c.Get(t, keywordPath(k.ID)); again.Header.Get("ETag") != tag {
		t.Error("a pause of nothing changed something")
	}
	// Terms that were two are one when case no longer counts.
	c.Patch(t, keywordPath(k.ID), `{"excludeWords":["A","a"]}`).OK(t, &changed)
	if len(changed.ExcludeWords) != 2 {
		t.Errorf("%q", changed.ExcludeWords)
	}
	c.Patch(t, keywordPath(k.ID), `{"caseSensitive":false}`).OK(t, &changed)
	if len(changed.ExcludeWords) != 1 {
		t.Errorf("%q", changed.ExcludeWords)
	}
}

func TestETags(t *testing.T) {
	w := worldtest.NewWorld(t)
	c := serve(t, w)
	answer := c.Post(t, all, `{"keyword":"northwind"}`)
	tag := answer.Header.Get("ETag")
	read := c.Get(t, keywordPath(1))
	if tag == "" || read.Header.Get("ETag") != tag {
		t.Errorf("%q and %q", tag, read.Header.Get("ETag"))
	}
	if same := c.Get(t, keywordPath(1), "If-None-Match", tag); same.Status != 304 {
		t.Errorf("%d", same.Status)
	}
	// A mention more makes another answer, and no other keyword.
	w.Put(t, w.Main.ID, mentionOf(1, "one", worldtest.Now, 1))
	counted := c.Get(t, keywordPath(1), "If-None-Match", tag)
	if counted.Status != 200 || counted.Header.Get("ETag") == tag {
		t.Errorf("%d %s", counted.Status, counted.Header.Get("ETag"))
	}
	changed := c.Patch(t, keywordPath(1), `{"context":"first"}`, "If-Match", tag)
	changed.OK(t, nil)
	lost := c.Patch(t, keywordPath(1), `{"context":"second"}`, "If-Match", tag)
	if told := lost.Is(t, 409, "FEED_FILTER_WRITE_CONFLICT"); !strings.Contains(told.Message, "ead it again") {
		t.Error(told.Message)
	}
	c.Patch(t, keywordPath(1), `{}`, "If-Match", tag).Is(t, 409, "FEED_FILTER_WRITE_CONFLICT")
	c.Patch(t, keywordPath(1), `{"context":"third"}`, "If-Match", changed.Header.Get("ETag")).OK(t, nil)
	c.Patch(t, keywordPath(1), `{"context":"fourth"}`, "If-Match", "*").OK(t, nil)
	c.Patch(t, keywordPath(99), `{"context":"fourth"}`, "If-Match", tag).Is(t, 404, "KEYWORD_NOT_FOUND")
}

// mentionOf is a mention of keywords.
func mentionOf(id int64, sourceID string, posted time.Time, keywords ...int64) mention.Mention {
	m := worldtest.Mention(id, sourceID, posted)
	m.Keywords = nil
	for _, id := range keywords {
		m.Keywords = append(m.Keywords, mention.Keyword{ID: id, Text: "northwind"})
	}
	return m
}

// A deleted keyword leaves its mentions, and the filters of feeds and alerts.
func TestDeleteKeyword(t *testing.T) {
	w := worldtest.NewWorld(t)
	c := serve(t, w)
	one, two := made(t, c, `{"keyword":"northwind"}`), made(t, c, `{"keyword":"southwind"}`)
	w.Put(t, w.Main.ID, mentionOf(1, "found", worldtest.Now, one.ID))
	for _, f := range []feed.Feed{
		{Name: "both", SimpleFilters: fmt.Appendf(nil, `{"keyword":[%d,%d]}`, one.ID, two.ID)},
		{Name: "one", SimpleFilters: fmt.Appendf(nil, `{"keyword":[%d]}`, one.ID)},
		{Name: "two", SimpleFilters: fmt.Appendf(nil, `{"keyword":[%d]}`, two.ID)},
	} {
		if _, err := w.Store.CreateFeed(t.Context(), w.Main.ID, f, ""); err != nil {
			t.Fatal(err)
		}
	}
	for _, filters := range []string{`{"keyword":[1,2]}`, `{"keyword":[1]}`, `{"!keyword":[1]}`, `{"keyword":[2]}`} {
		_, err := w.Store.CreateAlert(t.Context(), w.Main.ID,
			alert.Alert{Name: filters, Filters: []byte(filters), Enabled: true}, "")
		worldtest.Must(t, err)
	}
	answer := c.Delete(t, keywordPath(one.ID), "Idempotency-Key", "k")
	want := `{"ok":true,"feeds":[{"id":1,"name":"both","change":"keyword_removed"},{"id":2,"name":"one","change":"text_instead"}],` +
		`"alerts":[{"id":1,"name":"{\"keyword\":[1,2]}","change":"keyword_removed"},{"id":2,"name":"{\"keyword\":[1]}","change":"paused"},` +
		`{"id":3,"name":"{\"!keyword\":[1]}","change":"text_instead"}]}`
	if answer.OK(t, nil); strings.TrimSpace(string(answer.Body)) != want {
		t.Errorf("%s", answer.Body)
	}
	if again := c.Delete(t, keywordPath(one.ID), "Idempotency-Key", "k"); !bytes.Equal(again.Body, answer.Body) {
		t.Errorf("a repeat is answered %s, want %s", again.Body, answer.Body)
	}
	feeds, err := w.Store.Feeds(t.Context(), w.Main.ID)
	if err != nil || string(feeds[0].SimpleFilters) != `{"keyword":[2]}` ||
		string(feeds[1].SimpleFilters) != `{"text":["northwind"]}` {
		t.Errorf("%+v %v", feeds, err)
	}
	if m, err := w.Store.Mention(t.Context(), w.Main.ID, "found"); err != nil || len(m.Keywords) != 1 {
		t.Errorf("%+v %v", m, err)
	}
	c.Delete(t, keywordPath(one.ID)).Is(t, 404, "KEYWORD_NOT_FOUND")
	if answer := c.Delete(t, keywordPath(two.ID)); !strings.Contains(string(answer.Body), `"two"`) {
		t.Errorf("%s", answer.Body)
	}
}
