package feeds_test

import (
	"fmt"
	"net/url"
	"reflect"
	"testing"

	"earshot/functions/feeds"
)

// feedPage reads a page, of any length with a limit of 0.
func (d desk) feedPage(t *testing.T, limit int, cursor string) (page feeds.FeedList) {
	t.Helper()
	query := url.Values{}
	if limit > 0 {
		query.Set("limit", fmt.Sprint(limit))
	}
	if cursor != "" {
		query.Set("cursor", cursor)
	}
	d.Get(t, "/api/v2/feeds?"+query.Encode()).OK(t, &page)
	return page
}

// Pages of every limit make up the list, of which one feed is the default. A cursor without a limit goes on to the end.
func TestListFeeds_Pages(t *testing.T) {
	d := newDesk(t)
	const n = 6
	for i := range n {
		d.Post(t, "/api/v2/feeds", fmt.Sprintf(`{"name":"feed %d","isDefault":%t}`, i, i == 4)).OK(t, nil)
	}
	d.Delete(t, feedPath(2)).OK(t, nil)
	whole := d.feedPage(t, 0, "")
	if next := whole.Pagination.NextCursor.OrZero(); len(whole.Data) != n-1 || next != "" {
		t.Fatalf("without a limit: %d feeds with the cursor %q, want %d with none", len(whole.Data), next, n-1)
	}
	for limit := 1; limit <= n; limit++ {
		var walked []feeds.Feed
		for cursor := ""; ; {
			page := d.feedPage(t, limit, cursor)
			if len(page.Data) > limit || len(page.Data) == 0 {
				t.Fatalf("limit %d: a page of %d", limit, len(page.Data))
			}
			walked = append(walked, page.Data...)
			if cursor = page.Pagination.NextCursor.OrZero(); cursor == "" {
				break
			}
			rest := d.feedPage(t, 0, cursor)
			if together := append(walked[:len(walked):len(walked)], rest.Data...); !reflect.DeepEqual(together, whole.Data) {
				t.Errorf("limit %d: a page and the rest are %+v, want %+v", limit, together, whole.Data)
			}
		}
		if !reflect.DeepEqual(walked, whole.Data) {
			t.Errorf("limit %d: the pages are %+v, want %+v", limit, walked, whole.Data)
		}
	}
}

// The feed at which a cursor stands may be deleted. A new feed comes at the end.
func TestListFeeds_ChangesBetweenPages(t *testing.T) {
	d := newDesk(t)
	for i := range 4 {
		d.Post(t, "/api/v2/feeds", fmt.Sprintf(`{"name":"feed %d"}`, i)).OK(t, nil)
	}
	first := d.feedPage(t, 2, "")
	d.Delete(t, feedPath(2)).OK(t, nil)
	d.Post(t, "/api/v2/feeds", `{"name":"new"}`).OK(t, nil)
	var ids []int64
	for _, f := range d.feedPage(t, 0, first.Pagination.NextCursor.OrZero()).Data {
		ids = append(ids, f.ID)
	}
	if want := []int64{3, 4, 5}; !reflect.DeepEqual(ids, want) {
		t.Errorf("the second page has the feeds %v, want %v", ids, want)
	}
}

func TestListFeeds_Refused(t *testing.T) {
	d := newDesk(t)
	for _, query := range []string{"limit=0", "limit=1001", "limit=x", "cursor=", "offset=1"} {
		d.Get(t, "/api/v2/feeds?"+query).Is(t, 400, "VALIDATION_ERROR")
	}
	for i := range 2 {
		d.Post(t, "/api/v2/feeds", fmt.Sprintf(`{"name":"feed %d"}`, i)).OK(t, nil)
	}
	cursor := d.feedPage(t, 1, "").Pagination.NextCursor.OrZero()
	d.Get(t, "/api/v2/feeds?cursor=x"+cursor).Is(t, 400, "INVALID_INPUT")
}
