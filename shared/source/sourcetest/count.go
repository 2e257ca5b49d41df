package sourcetest

import (
	"testing"

	"earshot/shared/source"
	"earshot/shared/source/fetch"
)

func counts(t *testing.T, o Options) {
	counter, ok := open(t, o, "http://127.0.0.1:1", fetch.Options{}).(source.Counter)
	if ok != (len(o.Counts) > 0) {
		t.Errorf("it being a Counter is %v, and there are %d Counts to try it on", ok, len(o.Counts))
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
				t.Errorf("counts %+v (%v), there are %+v", got, err, c.Want)
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
		t.Errorf("it being an Observer is %v, and there are %d sourceIds to try it on", ok, len(o.Observed))
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
				t.Errorf("%s has no counters", id)
			}
		}
		if _, there := got[gone]; there || len(got) != len(known) {
			t.Errorf("%d have counters, %d were asked for; %s is gone: %v", len(got), len(known), gone, got)
		}
		golden(t, o.Golden+"engagement", pretty(t, struct {
			Requests   []asked
			Engagement map[string]map[string]int64
		}{server.requests(), got}))
	})
	t.Run("engagement of what is not its own", func(t *testing.T) {
		server := serve(t, o)
		observer := open(t, o, server.URL, fetch.Options{}).(source.Observer)
		for _, ids := range [][]string{nil, {""}, {"elsewhere_post_1"}, {opened.About().Name}, {opened.About().Name + "_"}, {opened.About().Name + "_kind_"}} {
			if got, err := observer.Engagement(t.Context(), ids); err != nil || len(got) != 0 {
				t.Errorf("%q: %v, %v", ids, got, err)
			}
		}
		if asked := server.requests(); len(asked) > 0 {
			t.Errorf("it asks its platform for them: %+v", asked)
		}
	})
}
