package setup_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"testing"

	"earshot/functions/discovery"
	"earshot/functions/setup"
	"earshot/shared/embedded/fault"
	"earshot/shared/keyword"
	"earshot/shared/port/table"
	"earshot/shared/proposal"
	"earshot/shared/store/allstores"
	"earshot/shared/store/listenstore"
	"earshot/shared/web"
	"earshot/shared/worldtest"
)

// mortal is the desk with a function whose store dies; everything around it lives.
func (d desk) mortal(t testing.TB) (worldtest.Client, *fault.Life) {
	t.Helper()
	life := &fault.Life{Counts: fault.IsWrite}
	rows := fault.Table(d.Table, life.Set())
	return worldtest.Serve(t, d.World, discovery.OpenAPI(), func(api *web.API) {
		setup.Register(api, setup.Options{Store: allstores.New(table.Retrying(rows), d.Clock), Queue: d.sent, Flow: d.runs})
	}), life
}

// Whichever write it dies after, the same request again has the effect, and the answer, of one.
func TestApplyDiesAfterEachWrite(t *testing.T) {
	for _, named := range []bool{true, false} {
		for at, more := 1, true; more; at++ {
			d := newDesk(t)
			id := d.ready(t, tailored)
			client, life := d.mortal(t)
			var headers []string
			if named {
				headers = []string{"Idempotency-Key", "k"}
			}
			body := `{"optionIds":["wider_product_1"]}`
			life.DieAt(at, true)
			answer := client.Post(t, applyPath(id), body, headers...)
			if more = life.Revive(); !more {
				if at != 4 {
					t.Errorf("%d writes: two draw ids, and one applies", at-1)
				}
				break
			}
			answer.Is(t, 500, "INTERNAL_ERROR")
			var done setup.SetupApplied
			client.Post(t, applyPath(id), body, headers...).OK(t, &done)
			last := at == 3 // then all was there when it died
			if len(done.Keywords) != 3 || len(done.Options) != 1 || len(done.Feeds) != 2 || len(done.Skipped) != 0 {
				t.Errorf("%+v", done)
			}
			for _, k := range done.Keywords {
				if k.Created != (named || !last) {
					t.Errorf("write %d, named %v: %+v", at, named, k)
				}
			}
			if n := len(d.keywords(t)); n != 3 || len(d.feeds(t)) != 2 || len(d.waiting(t)) != 2 {
				t.Errorf("%d keywords, feeds %q", n, d.feeds(t))
			}
		}
	}
}

// However many apply at once, each ref makes one thing.
func TestApplyAtOnce(t *testing.T) {
	d := newDesk(t)
	id := d.ready(t, tailored)
	bodies := []string{`{}`, `{"keywordRefs":["brand"]}`, `{"keywordRefs":["product_1","term_1"],"feedRefs":["feed_brand"]}`, `{"keywordRefs":["competitor_1"]}`}
	var mu sync.Mutex
	created, ids := map[string]int{}, map[string]int64{}
	var group sync.WaitGroup
	for n := range 20 {
		group.Go(func() {
			answer := d.Client.Post(t, applyPath(id), bodies[n%len(bodies)])
			var done setup.SetupApplied
			answer.OK(t, &done)
			mu.Lock()
			defer mu.Unlock()
			note := func(ref string, id int64, fresh bool) {
				if fresh {
					created[ref]++
				}
				if ids[ref] != 0 && ids[ref] != id {
					t.Errorf("%s is %d and %d", ref, ids[ref], id)
				}
				ids[ref] = id
			}
			for _, k := range done.Keywords {
				note(k.Ref, k.ID, k.Created)
			}
			for _, f := range done.Feeds {
				note(f.Ref, f.ID, f.Created)
			}
		})
	}
	group.Wait()
	if !reflect.DeepEqual(created, map[string]int{"brand": 1, "product_1": 1, "term_1": 1, "competitor_1": 1, "feed_brand": 1, "feed_competitors": 1}) {
		t.Errorf("%v", created)
	}
	shown := map[string]string{}
	for _, f := range d.feeds(t) {
		var id int64
		var name string
		if _, err := fmt.Sscan(f, &id, &name); err != nil {
			t.Fatal(err)
		}
		shown[name] = f
	}
	if len(d.keywords(t)) != 4 || len(shown) != 2 {
		t.Errorf("%v", shown)
	}
	d.balanced(t)
	final := d.apply(t, id, `{}`)
	if slices.ContainsFunc(final.Keywords, func(k setup.SetupKeywordMade) bool { return k.Created }) || len(final.Skipped) != 0 {
		t.Errorf("%+v", final)
	}
}

// Others who create the same texts meanwhile, or take the room, leave no half.
func TestApplyAgainstOthers(t *testing.T) {
	d := newDesk(t)
	id := d.ready(t, largest)
	var group sync.WaitGroup
	for n := range 6 {
		group.Go(func() {
			_, err := d.Store.CreateKeyword(t.Context(), d.Main.ID, keyword.Keyword{Text: fmt.Sprint("Keyword ", n)}, 20)
			if err != nil && !errors.Is(err, listenstore.ErrKeywordTaken) {
				t.Error(err)
			}
		})
	}
	refs := `{"keywordRefs":["k0","k1","k2","k3","k4","k5","k6","k7"]}`
	var done setup.SetupApplied
	group.Go(func() { d.Client.Post(t, applyPath(id), refs) })
	group.Wait()
	d.Client.Post(t, applyPath(id), refs).OK(t, &done)
	if n := len(d.keywords(t)); n != 8 || len(done.Keywords) != 8 || len(done.Feeds) != 8 {
		t.Errorf("%d keywords, %+v", n, done)
	}
}

// A run that begins while a proposal is applied, or an edit, comes before or after: never in between.
func TestApplyAgainstRuns(t *testing.T) {
	for range 5 {
		d := newDesk(t)
		id := d.ready(t, tailored)
		var group sync.WaitGroup
		group.Go(func() {
			if answer := d.Client.Post(t, applyPath(id), `{}`); answer.Status != 200 {
				answer.Is(t, 400, "INVALID_INPUT")
				if len(d.keywords(t))+len(d.feeds(t)) != 0 {
					t.Error("it was refused and wrote")
				}
			}
		})
		group.Go(func() { d.Client.Post(t, "/api/v2/setup/proposals", `{"draftId":"`+id+`"}`) })
		group.Wait()
		if found, err := d.Store.Draft(t.Context(), d.Main.ID, id); err != nil || found.Status != proposal.Proposing {
			t.Errorf("%+v %v", found, err)
		}
	}
}

// With an Idempotency-Key the first answer is given again, whatever happened since.
func TestApplyRepeated(t *testing.T) {
	d := newDesk(t)
	id := d.ready(t, tailored)
	first := d.apply(t, id, `{}`, "Idempotency-Key", "k")
	if err := d.Store.DeleteKeyword(t.Context(), d.Main.ID, 1); err != nil {
		t.Fatal(err)
	}
	if again := d.apply(t, id, `{}`, "Idempotency-Key", "k"); !reflect.DeepEqual(first, again) {
		t.Errorf("%+v %+v", first, again)
	}
	d.Client.Post(t, applyPath(id), `{"feedRefs":[]}`, "Idempotency-Key", "k").Is(t, 422, "IDEMPOTENCY_KEY_REUSED")
}
