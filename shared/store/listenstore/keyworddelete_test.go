package listenstore_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/feed"
	"earshot/shared/keyword"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/worldtest"
)

// named makes a keyword that as many feeds name, and nothing else.
func named(t *testing.T, w *worldtest.World, name string, feeds int) keyword.Keyword {
	t.Helper()
	k, err := w.Store.CreateKeyword(t.Context(), w.Main.ID, keyword.Keyword{Text: "northwind"}, 10)
	if err != nil {
		t.Fatal(err)
	}
	for n := range feeds {
		f := feed.Feed{Name: fmt.Sprint(name, n), SimpleFilters: fmt.Appendf(nil, `{"keyword":[%d]}`, k.ID)}
		if _, err := w.Store.CreateFeed(t.Context(), w.Main.ID, f, ""); err != nil {
			t.Fatal(err)
		}
	}
	return k
}

// However many feeds name a keyword, around what transactions hold, its deletion tells of each of them, and again when
// it is repeated.
func TestDeleteKeywordOfManyFeeds(t *testing.T) {
	const most = table.MaxTransaction
	for _, request := range []string{"", "a request"} {
		sizes := []int{0, most - 5, most - 4, most - 3, most, 2*most - 8, 2*most - 7}
		if request != "" {
			sizes = append(sizes, feed.MaxFeeds) // the most to be noted
		}
		for _, feeds := range sizes {
			w := worldtest.NewWorld(t)
			k := named(t, w, strings.Repeat("<", 90), feeds)
			told, err := w.Store.DeleteKeywordOnce(t.Context(), w.Main.ID, k.ID, request)
			if err != nil || len(told.Feeds) != feeds {
				t.Errorf("%d feeds: told %d, %v", feeds, len(told.Feeds), err)
			}
			for i, m := range told.Feeds {
				if m.ID != int64(i+1) || m.Change != feed.TextInstead || !strings.HasSuffix(m.Name, fmt.Sprint("<", i)) {
					t.Fatalf("%d feeds: %+v", feeds, m)
				}
			}
			again, err := w.Store.DeleteKeywordOnce(t.Context(), w.Main.ID, k.ID, request)
			if request == "" && !errors.Is(err, store.ErrNotFound) ||
				request != "" && (err != nil || !reflect.DeepEqual(again, told)) {
				t.Errorf("%d feeds, again: told %d, %v", feeds, len(again.Feeds), err)
			}
		}
	}
}

// A deletion that is killed at any of its writes, and sent again by the same request, mends every feed once and tells
// of all of them.
func TestDeleteKeyword_KilledAtEachWrite(t *testing.T) {
	faulttest.EachStep(t, 2, func(t *testing.T, step *faulttest.Step) {
		w := worldtest.NewWorld(t)
		k, err := w.Store.CreateKeyword(t.Context(), w.Main.ID, keyword.Keyword{Text: "northwind"}, 10)
		worldtest.Must(t, err)
		const feeds = 120
		for n := range feeds {
			f := feed.Feed{Name: fmt.Sprint(n), SimpleFilters: fmt.Appendf(nil, `{"keyword":[%d,99]}`, k.ID)}
			_, err := w.Store.CreateFeed(t.Context(), w.Main.ID, f, "")
			worldtest.Must(t, err)
		}
		_ = step.Die(t, w.Life, func() error {
			_, err := w.Store.DeleteKeywordOnce(t.Context(), w.Main.ID, k.ID, "request")
			return err
		})
		told, err := w.Store.DeleteKeywordOnce(t.Context(), w.Main.ID, k.ID, "request")
		if err != nil || len(told.Feeds) != feeds || told.Feeds[0].Name != "0" ||
			told.Feeds[feeds-1].Change != feed.KeywordRemoved {
			t.Errorf("DeleteKeywordOnce tells %d feeds, %v, want %d", len(told.Feeds), err, feeds)
		}
		all, err := w.Store.Feeds(t.Context(), w.Main.ID)
		worldtest.Must(t, err)
		for _, f := range all {
			if string(f.SimpleFilters) != `{"keyword":[99]}` || f.Revision != 2 {
				t.Fatalf("a feed has the filters %s in revision %d, want the keyword gone in revision 2", f.SimpleFilters, f.Revision)
			}
		}
		if _, err := w.Store.DeleteKeywordOnce(t.Context(), w.Main.ID, k.ID, "another"); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("DeleteKeywordOnce by another request = %v, want ErrNotFound", err)
		}
	})
}
