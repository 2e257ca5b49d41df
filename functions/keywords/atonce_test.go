package keywords_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"earshot/functions/keywords"
	"earshot/shared/embedded/fault"
	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/feed"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

// However many create at once, the plan's cap is exact, and those that find it reached are told so.
func TestCapAtOnce(t *testing.T) {
	w := worldtest.NewWorld(t)
	c := serve(t, w)
	var mu sync.Mutex
	codes := map[string]int{}
	faulttest.AtOnce(50, func(n int) {
		answer := c.Post(t, all, fmt.Sprintf(`{"keyword":"keyword %d"}`, n))
		code := "OK"
		if answer.Status != 200 {
			code = answer.Problem(t).Code
		}
		mu.Lock()
		defer mu.Unlock()
		codes[code]++
	})
	if len(codes) != 2 || codes["OK"] != 20 || codes["KEYWORD_LIMIT_EXCEEDED"] != 30 {
		t.Errorf("%v", codes)
	}
	var list keywords.KeywordList
	c.Get(t, all).OK(t, &list)
	if len(list.Data) != 20 {
		t.Errorf("%d keywords", len(list.Data))
	}
	// What is there already is said to be, also where there is no room; and a deletion makes room.
	c.Post(t, all, fmt.Sprintf(`{"keyword":%q}`, strings.ToUpper(list.Data[0].Keyword))).Is(t, 400, "ITEM_EXISTS")
	c.Delete(t, keywordPath(list.Data[0].ID)).OK(t, nil)
	made(t, c, `{"keyword":"another"}`)
	c.Post(t, all, `{"keyword":"and another"}`).Is(t, 400, "KEYWORD_LIMIT_EXCEEDED")
}

// After a move to a smaller plan, no single deletion makes room.
func TestCreate_PlanBecameSmaller(t *testing.T) {
	w := worldtest.NewWorld(t)
	c := serve(t, w)
	for n := range 8 {
		made(t, c, fmt.Sprintf(`{"keyword":"keyword %d"}`, n))
	}
	err := w.Store.ChangeWorkspace(t.Context(), w.Main.ID,
		func(w *workspace.Workspace) error { w.Plan = workspace.FreeTrial; return nil })
	if err != nil {
		t.Fatal(err)
	}
	p := c.Post(t, all, `{"keyword":"another"}`).Is(t, 400, "KEYWORD_LIMIT_EXCEEDED")
	if strings.Contains(p.Message, "Delete a keyword") || !strings.Contains(p.Message, "room for 5 keywords") {
		t.Errorf("with 8 keywords it says %q", p.Message)
	}
}

// Of many that create the same keyword at once one does.
func TestSameAtOnce(t *testing.T) {
	w := worldtest.NewWorld(t)
	c := serve(t, w)
	var mu sync.Mutex
	codes := map[string]int{}
	faulttest.AtOnce(20, func(n int) {
		answer := c.Post(t, all, fmt.Sprintf(`{"keyword":%q}`, []string{"acme", "Acme", "ACME"}[n%3]))
		mu.Lock()
		defer mu.Unlock()
		if answer.Status == 200 {
			codes["OK"]++
		} else {
			codes[answer.Problem(t).Code]++
		}
	})
	if codes["OK"] != 1 || codes["ITEM_EXISTS"] != 19 {
		t.Errorf("%v", codes)
	}
}

// Changes of different properties at once are all made.
func TestChangesAtOnce(t *testing.T) {
	w := worldtest.NewWorld(t)
	c := serve(t, w)
	k := made(t, c, `{"keyword":"northwind"}`)
	bodies := []string{`{"context":"kept"}`, `{"tag":"competitor"}`, `{"excludeWords":["a"]}`, `{"excludeAuthors":["b"]}`,
		`{"paused":true}`,
		`{"additionalTerms":["c"]}`, `{"exactMatch":false}`, `{"platforms":["dev"]}`, `{"keyword":"southwind"}`,
		`{"caseSensitive":true}`}
	faulttest.AtOnce(len(bodies), func(n int) {
		if answer := c.Patch(t, keywordPath(k.ID), bodies[n]); answer.Status != 200 {
			t.Errorf("PATCH %s = %d %s, want 200", bodies[n], answer.Status, answer.Body)
		}
	})
	c.Get(t, keywordPath(k.ID)).OK(t, &k)
	if k.Context != "kept" || k.Tag.OrZero() != "competitor" || len(k.ExcludeWords) != 1 || len(k.ExcludeAuthors) != 1 ||
		!k.Paused || len(k.AdditionalTerms) != 1 ||
		k.ExactMatch || len(k.Platforms.Names) != 1 || k.Keyword != "southwind" || !k.CaseSensitive {
		t.Errorf("a change was lost: %+v", k)
	}
	if stored, err := w.Store.Keyword(t.Context(), w.Main.ID, k.ID); err != nil || stored.Revision != 11 {
		t.Error(stored.Revision, err)
	}
}

// Of two that change what they both have read, one is told.
func TestIfMatchAtOnce(t *testing.T) {
	w := worldtest.NewWorld(t)
	c := serve(t, w)
	tag := c.Post(t, all, `{"keyword":"northwind"}`).Header.Get("ETag")
	var mu sync.Mutex
	won := 0
	faulttest.AtOnce(10, func(n int) {
		answer := c.Patch(t, keywordPath(1), fmt.Sprintf(`{"context":"of %d"}`, n), "If-Match", tag)
		mu.Lock()
		defer mu.Unlock()
		if answer.Status == 200 {
			won++
		} else {
			answer.Is(t, 409, "FEED_FILTER_WRITE_CONFLICT")
		}
	})
	if won != 1 {
		t.Errorf("%d won", won)
	}
}

// A request that dies after what it wrote, and is sent again with its Idempotency-Key, has one effect.
func TestCrashes(t *testing.T) {
	w := worldtest.NewWorld(t)
	c := serve(t, w)
	crash := func(times int) {
		t.Helper()
		w.Fault(fault.Fault{Port: "table", Operation: "transact", Fault: fault.Crash, Times: times})
	}
	body, key := `{"keyword":"northwind","tag":"own_brand"}`, []string{"Idempotency-Key", "create"}
	crash(1)
	c.Post(t, all, body, key...).Is(t, 500, "INTERNAL_ERROR")
	k := made(t, c, body, key...)
	if again := c.Post(t, all, body, key...); again.Header.Get("Idempotent-Replayed") != "true" {
		t.Error("the answer was not kept")
	}
	c.Post(t, all, `{"keyword":"southwind"}`, key...).Is(t, 422, "IDEMPOTENCY_KEY_REUSED")
	var list keywords.KeywordList
	c.Get(t, all).OK(t, &list)
	if len(list.Data) != 1 || list.Data[0].ID != k.ID {
		t.Errorf("%+v", list.Data)
	}
	// Without a key the client learns that it is there.
	crash(1)
	c.Post(t, all, `{"keyword":"eastwind"}`).Is(t, 500, "INTERNAL_ERROR")
	c.Post(t, all, `{"keyword":"eastwind"}`).Is(t, 400, "ITEM_EXISTS")

	crash(1)
	c.Patch(t, keywordPath(k.ID), `{"context":"kept"}`, "Idempotency-Key", "change").Is(t, 500, "INTERNAL_ERROR")
	c.Patch(t, keywordPath(k.ID), `{"context":"kept"}`, "Idempotency-Key", "change").OK(t, &k)
	if stored, _ := w.Store.Keyword(t.Context(), w.Main.ID, k.ID); k.Context != "kept" || stored.Revision != 2 {
		t.Errorf("%+v", stored)
	}

	// What it is sent again for is done, though If-Match does not hold any more. Without the key it is another request.
	tag := c.Get(t, keywordPath(k.ID)).Header.Get("ETag")
	crash(1)
	c.Patch(t, keywordPath(k.ID), `{"context":"once"}`, "If-Match", tag, "Idempotency-Key", "expecting").
		Is(t, 500, "INTERNAL_ERROR")
	c.Patch(t, keywordPath(k.ID), `{"context":"once"}`, "If-Match", tag).Is(t, 409, "FEED_FILTER_WRITE_CONFLICT")
	c.Patch(t, keywordPath(k.ID), `{"context":"twice"}`, "If-Match", tag, "Idempotency-Key", "other").
		Is(t, 409, "FEED_FILTER_WRITE_CONFLICT")
	c.Patch(t, keywordPath(k.ID), `{"context":"once"}`, "If-Match", tag, "Idempotency-Key", "expecting").OK(t, &k)
	if stored, _ := w.Store.Keyword(t.Context(), w.Main.ID, k.ID); k.Context != "once" || stored.Revision != 3 {
		t.Errorf("%+v", stored)
	}

	if _, err := w.Store.CreateFeed(t.Context(), w.Main.ID,
		feed.Feed{Name: "one", SimpleFilters: fmt.Appendf(nil, `{"keyword":[%d]}`, k.ID)}, ""); err != nil {
		t.Fatal(err)
	}
	crash(1)
	c.Delete(t, keywordPath(k.ID), "Idempotency-Key", "delete").Is(t, 500, "INTERNAL_ERROR")
	answer := c.Delete(t, keywordPath(k.ID), "Idempotency-Key", "delete")
	if answer.OK(t, nil); strings.TrimSpace(
		string(answer.Body)) != `{"ok":true,"feeds":[{"id":1,"name":"one","change":"text_instead"}],"alerts":[]}` {
		t.Errorf("%s", answer.Body)
	}
	c.Delete(t, keywordPath(k.ID), "Idempotency-Key", "another").Is(t, 404, "KEYWORD_NOT_FOUND")
	// What a request made and somebody deleted is not made again.
	crash(1)
	c.Post(t, all, `{"keyword":"westwind"}`, "Idempotency-Key", "west").Is(t, 500, "INTERNAL_ERROR")
	c.Get(t, all).OK(t, &list)
	c.Delete(t, keywordPath(list.Data[len(list.Data)-1].ID)).OK(t, nil)
	c.Post(t, all, `{"keyword":"westwind"}`, "Idempotency-Key", "west").Is(t, 404, "KEYWORD_NOT_FOUND")
}

// A deletion that mends more feeds than a transaction holds, and dies anywhere, is finished by sending it again.
func TestDeleteMendsManyFeeds(t *testing.T) {
	w := worldtest.NewWorld(t)
	c := serve(t, w)
	k := made(t, c, `{"keyword":"northwind"}`)
	const feeds = 230
	for n := range feeds {
		if _, err := w.Store.CreateFeed(t.Context(), w.Main.ID,
			feed.Feed{Name: fmt.Sprint("feed ", n), SimpleFilters: fmt.Appendf(nil, `{"keyword":[%d]}`, k.ID)}, ""); err != nil {
			t.Fatal(err)
		}
	}
	told := map[int64]bool{}
	for range 2 { // after the first hundred, and after the second
		w.CrashOnce("transact")
		c.Delete(t, keywordPath(k.ID), "Idempotency-Key", "d").Is(t, 500, "INTERNAL_ERROR")
		c.Get(t, keywordPath(k.ID)).OK(t, nil)
	}
	var answer keywords.DeletedKeyword
	c.Delete(t, keywordPath(k.ID), "Idempotency-Key", "d").OK(t, &answer)
	for _, f := range answer.Feeds {
		told[f.ID] = true
	}
	if len(told) != feeds {
		t.Errorf("%d feeds are told", len(told))
	}
	all, err := w.Store.Feeds(t.Context(), w.Main.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range all {
		if string(f.SimpleFilters) != `{"text":["northwind"]}` || f.Revision != 2 {
			t.Fatalf("%+v", f)
		}
	}
	c.Get(t, keywordPath(k.ID)).Is(t, 404, "KEYWORD_NOT_FOUND")
}
