package setupstore_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"earshot/shared/keyword"
	"earshot/shared/mention"
	"earshot/shared/port/table"
	"earshot/shared/proposal"
	"earshot/shared/store/rows"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

// A text that somebody tracks bare brings what was found of it on whole days, and of nobody else is anything told.
func TestAnalog(t *testing.T) {
	day := 24 * time.Hour
	bare := keyword.Keyword{Text: "Northwind", ExactMatch: true}
	for name, c := range map[string]struct {
		change func(*keyword.Keyword)
		do     func(*worldtest.World, keyword.Keyword) error
		age    time.Duration // of the keyword when it is asked for
		want   *proposal.Analog
	}{
		"a month":           {age: 40 * day, want: &proposal.Analog{Posts: 30, Days: 30}},
		"thirty whole days": {age: 31 * day, want: &proposal.Analog{Posts: 30, Days: 30}},
		"a day less":        {age: 30 * day, want: &proposal.Analog{Posts: 7, Days: 7}},
		"a week":            {age: 8 * day, want: &proposal.Analog{Posts: 7, Days: 7}},
		"less than a week":  {age: 7 * day},
		"another case": {
			age:    40 * day,
			change: func(k *keyword.Keyword) { k.Text = "NORTHWIND" },
			want:   &proposal.Analog{Posts: 30, Days: 30},
		},
		"another text":      {age: 40 * day, change: func(k *keyword.Keyword) { k.Text = "northwinds" }},
		"anchored":          {age: 40 * day, change: func(k *keyword.Keyword) { k.AdditionalTerms = []string{"x"} }},
		"excluding":         {age: 40 * day, change: func(k *keyword.Keyword) { k.ExcludeWords = []string{"x"} }},
		"excluding stems":   {age: 40 * day, change: func(k *keyword.Keyword) { k.WildcardExcludeWords = []string{"x"} }},
		"excluding authors": {age: 40 * day, change: func(k *keyword.Keyword) { k.ExcludeAuthors = []string{"x"} }},
		"narrowed":          {age: 40 * day, change: func(k *keyword.Keyword) { k.Platforms = []string{"reddit"} }},
		"paused":            {age: 40 * day, change: func(k *keyword.Keyword) { k.Paused = true }},
		"parts of words":    {age: 40 * day, change: func(k *keyword.Keyword) { k.ExactMatch = false }},
		"case counts":       {age: 40 * day, change: func(k *keyword.Keyword) { k.CaseSensitive = true }},
		"filtered": {age: 40 * day, do: func(w *worldtest.World, _ keyword.Keyword) error {
			return w.Store.PutFilters(t.Context(), w.Other.ID, keyword.Filters{NegativeKeywords: []string{"x"}})
		}},
		"filtered of late": {age: 40 * day, do: func(w *worldtest.World, _ keyword.Keyword) error {
			w.Clock.Freeze(worldtest.Now.Add(35 * day))
			return w.Store.PutFilters(t.Context(), w.Other.ID, keyword.Filters{})
		}},
		"anchored until now": {age: 40 * day, change: func(k *keyword.Keyword) { k.AdditionalTerms = []string{"x"} },
			do: func(w *worldtest.World, k keyword.Keyword) error {
				w.Clock.Freeze(worldtest.Now.Add(35 * day))
				_, err := w.Store.ChangeKeyword(t.Context(), w.Other.ID, k.ID,
					func(k *keyword.Keyword) error { k.AdditionalTerms = nil; return nil })
				return err
			}},
		"used up": {age: 40 * day, do: func(w *worldtest.World, _ keyword.Keyword) error {
			month := worldtest.Now.Add(38 * day).Format("2006-01")
			return w.Table.Put(t.Context(),
				table.Put{Table: rows.CountersTable, Item: table.Item{"pk": w.Other.ID, "sk": "quota#" + month,
					"stored": int64(w.Other.Plan.Limits().Mentions)}})
		}},
		"deleted": {age: 40 * day, do: func(w *worldtest.World, k keyword.Keyword) error {
			_, err := w.Store.DeleteKeywordOnce(t.Context(), w.Other.ID, k.ID, "")
			return err
		}},
	} {
		t.Run(name, func(t *testing.T) {
			w := worldtest.NewWorld(t)
			k := bare
			if c.change != nil {
				c.change(&k)
			}
			k, err := w.Store.CreateKeyword(t.Context(), w.Other.ID, k, 5)
			if err != nil {
				t.Fatal(err)
			}
			for i := range int(c.age/day) + 1 { // one a day, today and the day it was made included
				m := worldtest.Mention(int64(i+1), fmt.Sprintf("hackernews_story_%d", i), worldtest.Now.Add(time.Duration(i)*day))
				m.Keywords = []mention.Keyword{{ID: k.ID, Text: k.Text}}
				w.Put(t, w.Other.ID, m)
			}
			if c.do != nil {
				if err := c.do(w, k); err != nil {
					t.Fatal(err)
				}
			}
			w.Clock.Freeze(worldtest.Now.Add(c.age))
			want := map[string]proposal.Analog{}
			if c.want != nil {
				want["northwind"] = *c.want
			}
			found, err := w.Store.Analog(t.Context(), []string{"northwind", "nobody's", "", "\u200b"})
			if err != nil || !reflect.DeepEqual(found, want) {
				t.Errorf("%+v %v", found, err)
			}
		})
	}
}

// Of several trackers the one that found most a day counts, and a text of any length can be asked for. A text costs one query.
func TestAnalogOfSeveral(t *testing.T) {
	w := worldtest.NewWorld(t)
	long := strings.Repeat("\U0001D11E", 100)
	for i, orgID := range []string{w.Main.ID, w.Other.ID, w.Member.ID} {
		k, err := w.Store.CreateKeyword(t.Context(), orgID, keyword.Keyword{Text: "northwind", ExactMatch: true}, 5)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Store.CreateKeyword(t.Context(), orgID, keyword.Keyword{Text: long, ExactMatch: true}, 5); err != nil {
			t.Fatal(err)
		}
		for j := range []int{2, 5, 3}[i] {
			m := worldtest.Mention(int64(j+1), fmt.Sprintf("hackernews_story_%d", j), worldtest.Now.Add(39*24*time.Hour))
			m.Keywords = []mention.Keyword{{ID: k.ID, Text: k.Text}}
			w.Put(t, orgID, m)
		}
	}
	w.Clock.Freeze(worldtest.Now.Add(40 * 24 * time.Hour))
	found, err := w.Store.Analog(t.Context(), []string{"northwind", long})
	if err != nil || !reflect.DeepEqual(found, map[string]proposal.Analog{"northwind": {Posts: 5, Days: 30}, long: {Days: 30}}) {
		t.Errorf("%+v %v", found, err)
	}
	ctx, meter := table.WithMeter(t.Context())
	texts := make([]string, 20)
	for i := range texts {
		texts[i] = fmt.Sprintf("text %d", i)
	}
	if _, err := w.Store.Analog(ctx, texts); err != nil {
		t.Fatal(err)
	}
	if used := meter.Total(); used.Reads != 20 || used.ReadUnits > 10 || used.Writes != 0 {
		t.Errorf("20 texts that nobody tracks: %+v", used)
	}
	ctx, meter = table.WithMeter(t.Context())
	if _, err := w.Store.Analog(ctx, []string{"northwind"}); err != nil {
		t.Fatal(err)
	}
	if used := meter.Total(); used.Reads != 4 || used.ReadUnits > 14 {
		t.Errorf("one that three track: %+v", used)
	}
}

func TestRoom(t *testing.T) {
	w := worldtest.NewWorld(t)
	for _, text := range []string{"northwind", "southwind"} {
		if _, err := w.Store.CreateKeyword(t.Context(), w.Main.ID,
			keyword.Keyword{Text: text, Paused: text == "southwind", ExactMatch: true}, 5); err != nil {
			t.Fatal(err)
		}
	}
	want := proposal.Room{
		Allowance: 25_000,
		Keywords:  18,
		Tracked:   []string{"northwind", "southwind"},
		Paused:    []string{"southwind"},
		Bare:      []string{"northwind"},
		Platforms: keyword.Platforms(),
	}
	roomOf := func(workspaceID string) (proposal.Room, error) {
		_, room, err := w.Store.OutcomesAndRoom(t.Context(), proposal.Key{WorkspaceID: workspaceID}, proposal.Run{})
		return room, err
	}
	if room, err := roomOf(w.Main.ID); err != nil || !reflect.DeepEqual(room, want) {
		t.Errorf("%+v %v", room, err)
	}
	if room, err := roomOf(w.Other.ID); err != nil || room.Keywords != 20 || room.Tracked == nil {
		t.Errorf("%+v %v", room, err)
	}
	if err := w.Store.ChangeWorkspace(t.Context(), w.Main.ID,
		func(w *workspace.Workspace) error { w.Plan = workspace.Agents; return nil }); err != nil {
		t.Fatal(err)
	}
	if room, err := roomOf(w.Main.ID); err != nil || room.Keywords != 0 {
		t.Errorf("a smaller plan: %+v %v", room, err)
	}
	if _, err := roomOf("org_0"); err == nil {
		t.Error("a workspace that is not there has room")
	}
}
