package keywords_test

import (
	"fmt"
	"net/url"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"earshot/functions/keywords"
	"earshot/shared/mention"
	"earshot/shared/port/table"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

// pageOf reads a page, of any length with a limit of 0.
func pageOf(t testing.TB, c worldtest.Client, limit int, cursor string) (page keywords.KeywordList) {
	t.Helper()
	query := url.Values{}
	if limit > 0 {
		query.Set("limit", fmt.Sprint(limit))
	}
	if cursor != "" {
		query.Set("cursor", cursor)
	}
	c.Get(t, all+"?"+query.Encode()).OK(t, &page)
	return page
}

// Pages of every limit make up the list, each keyword with its volume.
func TestListKeywords_Pages(t *testing.T) {
	w := worldtest.NewWorld(t)
	c := serve(t, w)
	const n = 7
	var batch []mention.Mention
	for i := range n {
		id := made(t, c, fmt.Sprintf(`{"keyword":"keyword %d"}`, i)).ID
		for post := range i { // the first has no mention
			batch = append(batch, mentionOf(0, fmt.Sprint("post", i, post), worldtest.Now.AddDate(0, 0, -5*post), id))
		}
	}
	if _, err := w.Store.Ingest(t.Context(), w.Main.ID, 1_000, batch); err != nil {
		t.Fatal(err)
	}
	c.Delete(t, keywordPath(3)).OK(t, nil)
	whole := pageOf(t, c, 0, "")
	if len(whole.Data) != n-1 || whole.Pagination.NextCursor.Value != nil {
		t.Fatalf("without a limit: %d keywords with the cursor %v, want %d with none",
			len(whole.Data), whole.Pagination.NextCursor, n-1)
	}
	for limit := 1; limit <= n; limit++ {
		var walked []keywords.Keyword
		for cursor := ""; ; {
			page := pageOf(t, c, limit, cursor)
			if len(page.Data) > limit || len(page.Data) == 0 {
				t.Fatalf("limit %d: a page of %d", limit, len(page.Data))
			}
			walked = append(walked, page.Data...)
			if cursor = page.Pagination.NextCursor.OrZero(); cursor == "" {
				break
			}
			rest := pageOf(t, c, 0, cursor) // a cursor without a limit goes on to the end
			if together := append(walked[:len(walked):len(walked)], rest.Data...); !reflect.DeepEqual(together, whole.Data) {
				t.Errorf("limit %d: a page and the rest are %+v, want %+v", limit, together, whole.Data)
			}
		}
		if !reflect.DeepEqual(walked, whole.Data) {
			t.Errorf("limit %d: the pages are %+v, want %+v", limit, walked, whole.Data)
		}
	}
}

// While others create and delete, a walk has every keyword once that was there all the time, in the list's order.
func TestListKeywords_ChangesBetweenPages(t *testing.T) {
	w := worldtest.NewWorld(t)
	c, texts := serve(t, w), 0
	rapid.Check(t, func(r *rapid.T) {
		w.Clock.Freeze(w.Clock.Now().Add(time.Hour)) // of another hourly limit
		create := func() int64 {
			texts++
			return made(t, c, fmt.Sprintf(`{"keyword":"text %d"}`, texts)).ID
		}
		for _, k := range pageOf(t, c, 0, "").Data {
			c.Delete(t, keywordPath(k.ID)).OK(t, nil)
		}
		stays := map[int64]bool{}
		for range rapid.IntRange(0, 4).Draw(r, "keywords") {
			stays[create()] = true
		}
		limit, last := rapid.IntRange(1, 3).Draw(r, "limit"), int64(0)
		for cursor := ""; ; {
			page := pageOf(t, c, limit, cursor)
			for _, k := range page.Data {
				if k.ID <= last {
					r.Fatalf("keyword %d follows %d", k.ID, last)
				}
				last = k.ID
				delete(stays, k.ID)
			}
			for id := range stays {
				if id <= last {
					r.Fatalf("the walk has passed keyword %d without it", id)
				}
			}
			if cursor = page.Pagination.NextCursor.OrZero(); cursor == "" {
				break
			}
			switch rapid.IntRange(0, 2).Draw(r, "change") {
			case 1: // also the keyword that the cursor stands at
				gone := page.Data[rapid.IntRange(0, len(page.Data)-1).Draw(r, "gone")].ID
				c.Delete(t, keywordPath(gone)).OK(t, nil)
			case 2:
				if len(pageOf(t, c, 0, "").Data) < 5 { // the plan's room
					create()
				}
			}
		}
		if len(stays) > 0 {
			r.Fatalf("the walk lacks the keywords %v", stays)
		}
	})
}

func TestListKeywords_Refused(t *testing.T) {
	w := worldtest.NewWorld(t)
	c := serve(t, w)
	for i := range 2 {
		made(t, c, fmt.Sprintf(`{"keyword":"keyword %d"}`, i))
	}
	cursor := pageOf(t, c, 1, "").Pagination.NextCursor.OrZero()
	for _, target := range []string{"?limit=0", "?limit=1001", "?limit=-1", "?limit=x", "?limit=", "?cursor=",
		"?limit=1&limit=2", "?offset=1"} {
		c.Get(t, all+target).Is(t, 400, "VALIDATION_ERROR")
	}
	for _, target := range []string{"?cursor=x", "?cursor=" + cursor + "x", "?limit=1&cursor=" + cursor[1:]} {
		c.Get(t, all+target).Is(t, 400, "INVALID_INPUT")
	}
	other := c
	other.Token = w.Key(t, workspace.Key{Scope: workspace.Read, Workspace: &w.Other})
	other.Get(t, all+"?cursor="+cursor).Is(t, 400, "INVALID_INPUT")
}

// A page costs round trips and read units by its own length, not by that of the list.
func TestListKeywords_PageCost(t *testing.T) {
	w := worldtest.NewWorld(t)
	c := serve(t, w)
	var ids []int64
	for i := range 5 {
		ids = append(ids, made(t, c, fmt.Sprintf(`{"keyword":"keyword %d"}`, i)).ID)
	}
	ctx, meter := table.WithMeter(t.Context())
	if _, _, err := w.Store.KeywordsAfter(ctx, w.Main.ID, ids[1], 2); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Store.KeywordVolumesBetween(ctx, w.Main.ID, ids[2], ids[3]); err != nil {
		t.Fatal(err)
	}
	if used := meter.Total(); used.Reads != 3 || used.Writes != 0 {
		t.Errorf("a page takes %d reads and %d writes, want 3 and none", used.Reads, used.Writes)
	}
}
