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
	"earshot/shared/embedded/fault/faulttest"
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

// Whichever write it dies before or after, the same request again has the effect, and the response, of one. Two writes draw
// ids, and one applies everything.
func TestApply_Killed(t *testing.T) {
	for _, headers := range [][]string{nil, {"Idempotency-Key", "k"}} {
		named := headers != nil
		trials := 0
		faulttest.EachStep(t, 3, func(t *testing.T, step *faulttest.Step) {
			trials++
			d := newDesk(t)
			id := d.ready(t, tailored)
			client, life := d.mortal(t)
			apply := func() worldtest.Answer {
				return client.Post(t, applyPath(id), `{"optionIds":["wider_product_1"]}`, headers...)
			}
			killed := step.Die(t, life, func() error {
				if answer := apply(); answer.Status != 200 {
					answer.Is(t, 500, "INTERNAL_ERROR")
					return errors.New("it was killed")
				}
				return nil
			})
			before := len(d.keywords(t))
			if before != 0 && before != 3 || killed == nil && before != 3 {
				t.Errorf("it leaves %d keywords, want all or none", before)
			}
			var done setup.SetupApplied
			apply().OK(t, &done)
			if len(done.Keywords) != 3 || len(done.Options) != 1 || len(done.Feeds) != 2 || len(done.Skipped) != 0 {
				t.Errorf("%+v", done)
			}
			for _, k := range done.Keywords {
				if k.Created != (named || before == 0) {
					t.Errorf("with a key %t, after %d keywords: %+v", named, before, k)
				}
			}
			if n := len(d.keywords(t)); n != 3 || len(d.feeds(t)) != 2 || len(d.waiting(t)) != 2 {
				t.Errorf("%d keywords, feeds %q", n, d.feeds(t))
			}
		})
		if trials != 2*4 {
			t.Errorf("%d trials, want 3 writes and none before and after", trials)
		}
	}
}

// However many apply at once, each ref makes one thing.
func TestApplyAtOnce(t *testing.T) {
	d := newDesk(t)
	id := d.ready(t, tailored)
	bodies := []string{`{}`, `{"keywordRefs":["brand"]}`,
		`{"keywordRefs":["product_1","term_1"],"feedRefs":["feed_brand"]}`, `{"keywordRefs":["competitor_1"]}`}
	var mu sync.Mutex
	created, ids := map[string]int{}, map[string]int64{}
	faulttest.AtOnce(20, func(n int) {
		var done setup.SetupApplied
		d.Client.Post(t, applyPath(id), bodies[n%len(bodies)]).OK(t, &done)
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
	if !reflect.DeepEqual(created,
		map[string]int{"brand": 1, "product_1": 1, "term_1": 1, "competitor_1": 1, "feed_brand": 1, "feed_competitors": 1}) {
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
	if slices.ContainsFunc(final.Keywords, func(k setup.SetupKeywordMade) bool { return k.Created }) ||
		len(final.Skipped) != 0 {
		t.Errorf("%+v", final)
	}
}

// Others who create the same texts meanwhile, or take the room, leave no half.
func TestApplyAgainstOthers(t *testing.T) {
	d := newDesk(t)
	id := d.ready(t, largest)
	refs := `{"keywordRefs":["k0","k1","k2","k3","k4","k5","k6","k7"]}`
	faulttest.AtOnce(6, func(n int) {
		_, err := d.Store.CreateKeyword(t.Context(), d.Main.ID, keyword.Keyword{Text: fmt.Sprint("Keyword ", n)}, 20)
		if err != nil && !errors.Is(err, listenstore.ErrKeywordTaken) {
			t.Error(err)
		}
	}, func(n int) {
		if n == 0 {
			d.Client.Post(t, applyPath(id), refs)
		}
	})
	var done setup.SetupApplied
	d.Client.Post(t, applyPath(id), refs).OK(t, &done)
	if n := len(d.keywords(t)); n != 8 || len(done.Keywords) != 8 || len(done.Feeds) != 8 {
		t.Errorf("%d keywords, %+v", n, done)
	}
}

// A run that begins while a proposal is applied comes before or after: never in between.
func TestApply_RunBegins(t *testing.T) {
	statuses := map[int]int{}
	faulttest.EachStep(t, 3, func(t *testing.T, step *faulttest.Step) {
		d := newDesk(t)
		id := d.ready(t, tailored)
		client, life := d.mortal(t)
		var answer worldtest.Answer
		apply := func() error { answer = client.Post(t, applyPath(id), `{}`); return nil }
		propose := func() error {
			if begun := d.Client.Post(t, "/api/v2/setup/proposals", `{"draftId":"`+id+`"}`); begun.Status != 202 {
				t.Errorf("propose = %d, want 202: %s", begun.Status, begun.Body)
			}
			return nil
		}
		if err, other := step.Come(life, apply, propose); err != nil || other != nil {
			t.Fatal(err, other)
		}
		statuses[answer.Status]++
		if answer.Status != 200 {
			answer.Is(t, 400, "INVALID_INPUT")
			if len(d.keywords(t))+len(d.feeds(t)) != 0 {
				t.Error("it was refused and wrote")
			}
		}
		if found, err := d.Store.Draft(t.Context(), d.Main.ID, id); err != nil || found.Status != proposal.Proposing {
			t.Errorf("%+v %v", found, err)
		}
	})
	if statuses[200] == 0 || statuses[400] == 0 {
		t.Errorf("the run never came before or never after: %v", statuses)
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
