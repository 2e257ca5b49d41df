package sourcetest

import (
	"testing"

	"earshot/shared/source"
	"earshot/shared/source/fetch"
)

func counts(t *testing.T, o Options) {
	counter, ok := open(t, o, "http://127.0.0.1:1", fetch.Options{}).(source.Counter)
	if ok != (len(o.Counts) > 0) {
		t.Errorf("being a Counter is %v, but Options.Counts has %d", ok, len(o.Counts))
	}
	if !ok {
		return
	}
	for _, c := range o.Counts {
		t.Run("count/"+c.Name, func(t *testing.T) {
			server := serve(t, o)
			counter = open(t, o, server.URL, fetch.Options{}).(source.Counter)
			got, err := counter.Count(t.Context(), c.Query)
			if err != nil || got != c.Want {
				t.Errorf("Count() = %+v, %v, want %+v", got, err, c.Want)
			}
			golden(t, o.Golden+"count-"+c.Name, pretty(t, struct {
				Requests []asked
				Count    source.Count
			}{server.requests(), got}))
		})
	}
}

func engagement(t *testing.T, o Options) {
	opened := open(t, o, "http://127.0.0.1:1", fetch.Options{})
	_, ok := opened.(source.Observer)
	if ok != (len(o.Observed) > 1) {
		t.Errorf("being an Observer is %v, but Options.Observed has %d", ok, len(o.Observed))
	}
	if !ok {
		return
	}
	t.Run("engagement", func(t *testing.T) {
		server := serve(t, o)
		observer := open(t, o, server.URL, fetch.Options{}).(source.Observer)
		got, err := observer.Engagement(t.Context(), o.Observed)
		if err != nil {
			t.Fatal(err)
		}
		known, gone := o.Observed[:len(o.Observed)-1], o.Observed[len(o.Observed)-1]
		for _, id := range known {
			if len(got[id]) == 0 {
				t.Errorf("Engagement() lacks %s", id)
			}
		}
		if _, there := got[gone]; there || len(got) != len(known) {
			t.Errorf("Engagement() = %d posts, want %d without %s: %v", len(got), len(known), gone, got)
		}
		golden(t, o.Golden+"engagement", pretty(t, struct {
			Requests   []asked
			Engagement map[string]map[string]int64
		}{server.requests(), got}))
	})
	t.Run("engagement of what is not its own", func(t *testing.T) {
		server := serve(t, o)
		observer := open(t, o, server.URL, fetch.Options{}).(source.Observer)
		for _, ids := range [][]string{nil, {""}, {"elsewhere_post_1"}, {opened.About().Name}, {opened.About().Name + "_"},
			{opened.About().Name + "_kind_"}} {
			if got, err := observer.Engagement(t.Context(), ids); err != nil || len(got) != 0 {
				t.Errorf("Engagement(%q) = %v, %v, want none", ids, got, err)
			}
		}
		if asked := server.requests(); len(asked) > 0 {
			t.Errorf("Engagement of foreign ids sends requests: %+v", asked)
		}
	})
}
