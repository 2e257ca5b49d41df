package feeds_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/feed"
	"earshot/shared/store/allstores"
	"earshot/shared/worldtest"
)

// meeting is a store whose changes wait, after they have read, until all have.
type meeting struct {
	*allstores.Store
	read *sync.WaitGroup
}

func (m meeting) ChangeFeed(ctx context.Context, orgID string, id int64, request string,
	change func(*feed.Feed) error) (feed.Feed, error) {
	return m.Store.ChangeFeed(ctx, orgID, id, request, func(f *feed.Feed) error {
		m.read.Done()
		m.read.Wait()
		return change(f)
	})
}

func meet(t testing.TB, changes int) desk {
	w := worldtest.NewWorld(t)
	m := meeting{w.Store, &sync.WaitGroup{}}
	m.read.Add(changes)
	return newDeskOver(t, w, m)
}

// statuses counts the answers of requests that are made at once.
func statuses(asks ...func() worldtest.Answer) map[int]int {
	answers := make([]worldtest.Answer, len(asks))
	faulttest.AtOnce(len(asks), func(i int) { answers[i] = asks[i]() })
	counted := map[int]int{}
	for _, answer := range answers {
		counted[answer.Status]++
	}
	return counted
}

// Of two that have read the same feed, one is taken and the other told, with or without If-Match.
func TestOneOfTwoWritersWins(t *testing.T) {
	for _, matched := range []bool{false, true} {
		d := meet(t, 2)
		d.create(t, `{"name":"a"}`)
		var header []string
		if matched {
			header = []string{"If-Match", d.Get(t, feedPath(1)).Header.Get("ETag")}
		}
		var lost atomic.Value
		write := func(body string) func() worldtest.Answer {
			return func() worldtest.Answer {
				answer := d.Patch(t, feedPath(1), body, header...)
				if answer.Status != 200 {
					lost.Store(answer)
				}
				return answer
			}
		}
		got := statuses(write(`{"simpleFilters":{"engaged":true}}`), write(`{"name":"b"}`))
		if fmt.Sprint(got) != "map[200:1 409:1]" {
			t.Fatal(got)
		}
		lost.Load().(worldtest.Answer).Is(t, 409, "FEED_FILTER_WRITE_CONFLICT")
		f := d.read(t, 1)
		if renamed, filtered := f.Name == "b", string(f.SimpleFilters) == `{"engaged":true}`; renamed == filtered {
			t.Errorf("%+v", f)
		}
	}
}

func TestIfMatchOfAFeed(t *testing.T) {
	d := newDesk(t)
	first := d.Post(t, "/api/v2/feeds", `{"name":"a"}`).Header.Get("ETag")
	second := d.Patch(t, feedPath(1), `{"name":"b"}`, "If-Match", first)
	second.OK(t, nil)
	for _, body := range []string{`{"name":"c"}`, `{}`, `{"name":"c","simpleFilters":{"keyword":[99]}}`} {
		d.Patch(t, feedPath(1), body, "If-Match", first).Is(t, 409, "FEED_FILTER_WRITE_CONFLICT")
		d.Patch(t, feedPath(1), body, "If-Match", `W/`+second.Header.Get("ETag")).Is(t, 409, "FEED_FILTER_WRITE_CONFLICT")
	}
	if got := d.Get(t, feedPath(1)).Header.Get("ETag"); got != second.Header.Get("ETag") {
		t.Errorf("%s, and %s by the write", got, second.Header.Get("ETag"))
	}
	// What asks for nothing changes nothing.
	nothing := d.Patch(t, feedPath(1), `{}`, "If-Match", second.Header.Get("ETag"))
	nothing.OK(t, nil)
	if nothing.Header.Get("ETag") != second.Header.Get("ETag") {
		t.Error("it is another revision")
	}
	d.Patch(t, feedPath(1), `{"name":"c"}`, "If-Match", first+", "+second.Header.Get("ETag")).OK(t, nil)
	d.Patch(t, feedPath(1), `{"name":"d"}`, "If-Match", "*").OK(t, nil)
}

// As many changes are in the feed as were taken: each adds to what the feed was when it was read.
func TestNoUpdateIsLost(t *testing.T) {
	d := newDesk(t)
	d.create(t, `{"name":"0"}`)
	var asks []func() worldtest.Answer
	for range 20 {
		asks = append(asks, func() worldtest.Answer {
			read := d.Get(t, feedPath(1))
			var f shown
			read.OK(t, &f)
			return d.Patch(t, feedPath(1), `{"name":"`+f.Name+`I"}`, "If-Match", read.Header.Get("ETag"))
		})
	}
	got := statuses(asks...)
	kept, err := d.Store.Feed(t.Context(), d.Main.ID, 1)
	if err != nil || got[200]+got[409] != 20 || got[200] < 1 || len(kept.Name) != 1+got[200] ||
		kept.Revision != 1+int64(got[200]) {
		t.Errorf("%v, %q, revision %d", got, kept.Name, kept.Revision)
	}
	asks = asks[:0]
	for i := range 20 {
		asks = append(asks, func() worldtest.Answer { return d.Patch(t, feedPath(1), fmt.Sprintf(`{"icon":"%d"}`, i)) })
	}
	got = statuses(asks...)
	again, err := d.Store.Feed(t.Context(), d.Main.ID, 1)
	if err != nil || got[200]+got[409] != 20 || again.Revision != kept.Revision+int64(got[200]) {
		t.Errorf("%v, revision %d after %d", got, again.Revision, kept.Revision)
	}
}

// A feed that is deleted while it is changed stays deleted, at whichever operation of the change the deletion comes.
func TestChangeFeed_Deleted(t *testing.T) {
	faulttest.EachStep(t, 4, func(t *testing.T, step *faulttest.Step) {
		d := newDesk(t)
		d.Life.Counts = nil
		d.create(t, `{"name":"a","isDefault":true}`)
		var patched worldtest.Answer
		_, err := step.Come(d.Life, func() error {
			patched = d.Patch(t, feedPath(1), `{"name":"b","isDefault":true,"simpleFilters":{"engaged":true}}`)
			return nil
		}, func() error { return d.Store.DeleteFeed(t.Context(), d.Main.ID, 1, "") }) // by another process
		worldtest.Must(t, err)
		if patched.Status != 200 {
			patched.Is(t, 404, "FEED_NOT_FOUND")
		}
		if got := d.listed(t); got != "" {
			t.Errorf("the feeds %s are left", got)
		}
	})
	for range 5 {
		f := newDesk(t)
		f.create(t, `{"name":"a"}`)
		got := statuses(
			func() worldtest.Answer { return f.Delete(t, feedPath(1)) },
			func() worldtest.Answer { return f.Patch(t, feedPath(1), `{"name":"b"}`) },
			func() worldtest.Answer { return f.Patch(t, feedPath(1), `{"name":"c"}`) },
		)
		if f.listed(t) != "" || got[500] > 0 {
			t.Errorf("%v: %s", got, f.listed(t))
		}
	}
}

// One feed at most is the default, however many become it at once, and none of the changes stands in another's way.
func TestDefaultsAtOnce(t *testing.T) {
	d := meet(t, 6)
	var asks []func() worldtest.Answer
	for id := int64(1); id <= 6; id++ {
		d.create(t, `{"name":"a","isDefault":true}`)
		asks = append(asks, func() worldtest.Answer {
			return d.Patch(t, feedPath(id), fmt.Sprintf(`{"isDefault":%v}`, id < 6))
		})
	}
	if got := statuses(asks...); fmt.Sprint(got) != "map[200:6]" {
		t.Fatal(got)
	}
	defaults := 0
	all, err := d.Store.Feeds(t.Context(), d.Main.ID)
	for _, f := range all {
		if f.Default {
			defaults++
		}
	}
	if err != nil || defaults != 1 {
		t.Errorf("%d are the default, %v", defaults, err)
	}
}
