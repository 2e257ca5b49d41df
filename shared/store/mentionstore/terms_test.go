package mentionstore_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/embedded/sqlitetable"
	"earshot/shared/mention"
	"earshot/shared/store/allstores"
	"earshot/shared/store/mentionstore"
	"earshot/shared/worldtest"
)

// plain returns mentions that lack the words of tests, 150 a day, from the day of Now back.
func plain(days int) (batch []mention.Mention) {
	for i := range days * 150 {
		batch = append(batch, worded(int64(i+1), i*24*60/150, fmt.Sprintf("Disk %d was full, and nobody had looked", i)))
	}
	return batch
}

// ofSettledDay returns mentions that lack the words of tests, of one day that is over, the newest first.
func ofSettledDay(n int) (batch []mention.Mention) {
	for i := range n {
		m := worded(int64(i+1), 0, fmt.Sprintf("Disk %d was full, and nobody had looked", i))
		m.PostedAt = dayBefore.Add(23*time.Hour - time.Duration(i)*time.Minute)
		batch = append(batch, m)
	}
	return batch
}

// inSettledDay returns a mention near the start of that day.
func inSettledDay(id int64, body string) mention.Mention {
	m := worded(id, 0, body)
	m.PostedAt = dayBefore.Add(time.Hour)
	return m
}

func putAll(t testing.TB, s *allstores.Store, orgID string, mentions []mention.Mention) {
	t.Helper()
	for some := range slices.Chunk(mentions, mentionstore.MaxPut) {
		for _, err := range s.PutMentions(t.Context(), orgID, some) {
			worldtest.Must(t, err)
		}
	}
}

func gather(t testing.TB, s *allstores.Store, orgID string) mentionstore.GatheredTerms {
	t.Helper()
	done, finished, err := s.GatherTerms(t.Context(), orgID, 0)
	if worldtest.Must(t, err); !finished {
		t.Fatal("GatherTerms did not finish without a deadline")
	}
	return done
}

// another returns a second process's store over the same tables.
func another(w *worldtest.World) *allstores.Store { return allstores.New(w.Table, w.Clock) }

// finds fails the test unless a list by a text finds exactly these mentions. It returns the read units.
func finds(t *testing.T, w *worldtest.World, text string, want ...string) float64 {
	t.Helper()
	q := mentionstore.MentionsQuery{
		WorkspaceID: w.Main.ID,
		All:         true,
		Filter:      parsed(t, fmt.Sprintf(`{"text":[%q]}`, text)),
		Limit:       20,
	}
	got, _, used := units(t, w, q)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("a list by %q finds %v, want %v", text, got, want)
	}
	return used.ReadUnits
}

// The first list after mentions were put in reads few of their rows, and so does one after the terms of ingested days
// were gathered. Verdicts and late mentions do not change that.
func TestTerms_FirstList(t *testing.T) {
	const days = 20
	for name, fill := range map[string]func(w *worldtest.World){
		"put": func(w *worldtest.World) { putAll(t, w.Store, w.Main.ID, plain(days)) },
		"put mixed": func(w *worldtest.World) {
			batch := plain(days)
			rand.New(rand.NewPCG(1, 1)).Shuffle(len(batch), func(i, j int) { batch[i], batch[j] = batch[j], batch[i] })
			putAll(t, w.Store, w.Main.ID, batch)
		},
		"gathered": func(w *worldtest.World) {
			ingest(t, w, 1<<20, plain(days))
			if done := gather(t, w.Store, w.Main.ID); done.Days != days-2 || done.Mentions != (days-2)*150 {
				t.Errorf("GatherTerms stored %+v, want the days that are over", done)
			}
			if done := gather(t, another(w), w.Main.ID); done != (mentionstore.GatheredTerms{}) {
				t.Errorf("GatherTerms again stored %+v, want nothing", done)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := worldtest.NewWorld(t)
			fill(w)
			const rowsOfADay = 8 // units
			first := finds(t, w, "zeppelin")
			if most := 5.0 * rowsOfADay; first > most {
				t.Errorf("the first list read %v units, want at most %v", first, most)
			}
			unlike := func(m *mention.Mention) (bool, error) {
				score := mention.Low
				m.RelevanceScore, m.Relevant = &score, false
				return true, nil
			}
			_, err := w.Store.ChangeMention(t.Context(), w.Main.ID, "hackernews_comment_2000", unlike)
			worldtest.Must(t, err)
			if after := finds(t, w, "zeppelin"); after > first+1 {
				t.Errorf("after a verdict a list reads %v units, want about the %v of before", after, first)
			}
			late := worded(9_000, 8*24*60+5, "a late zeppelin")
			ingest(t, w, 1<<20, []mention.Mention{late})
			after := finds(t, w, "zeppelin", late.SourceID)
			if most := first + 2*rowsOfADay; after > most {
				t.Errorf("after a late mention a list reads %v units, want at most %v", after, most)
			}
		})
	}
}

// A text that is changed is found, also if it has too many words for the digest in its row, before and after.
func TestTerms_ChangedText(t *testing.T) {
	for _, how := range []string{"put", "gathered", "put, then gathered"} {
		for name, body := range map[string]string{"short": "few words", "long": many(700)} {
			t.Run(how+" "+name, func(t *testing.T) {
				w := worldtest.NewWorld(t)
				batch := plain(4)
				changed := worded(5_000, 3*24*60+7, body)
				batch = append(batch, changed)
				if how == "gathered" {
					ingest(t, w, 1<<20, batch)
					changed, _ = w.Store.Mention(t.Context(), w.Main.ID, changed.SourceID)
				} else {
					putAll(t, w.Store, w.Main.ID, batch)
				}
				finds(t, w, "zeppelin")
				if how != "put" {
					gather(t, w.Store, w.Main.ID)
				}
				finds(t, w, "zeppelin")
				corrected := body + " zeppelin"
				changed.Body = &corrected
				for _, err := range another(w).PutMentions(t.Context(), w.Main.ID, []mention.Mention{changed}) {
					worldtest.Must(t, err)
				}
				finds(t, w, "zeppelin", changed.SourceID)
				gather(t, w.Store, w.Main.ID)
				finds(t, w, "zeppelin", changed.SourceID)
			})
		}
	}
}

// many returns words.
func many(n int) (text string) {
	for i := range n {
		text += fmt.Sprint(" w", i)
	}
	return text
}

// Whatever step of a writer another writer comes at, and wherever one dies, lists find all that is stored.
func TestTerms_AtEachStep(t *testing.T) {
	late := inSettledDay(9_000, "a late zeppelin")
	putLate := func(t *testing.T, s *allstores.Store, w *worldtest.World) error {
		return s.PutMentions(t.Context(), w.Main.ID, []mention.Mention{late})[0]
	}
	changeText := func(t *testing.T, s *allstores.Store, w *worldtest.World) error {
		correct := func(m *mention.Mention) (bool, error) {
			body := "now it has a zeppelin"
			m.Body = &body
			return true, nil
		}
		_, err := s.ChangeMention(t.Context(), w.Main.ID, "hackernews_comment_140", correct)
		return err
	}
	gathering := func(t *testing.T, s *allstores.Store, w *worldtest.World) error {
		_, _, err := s.GatherTerms(t.Context(), w.Main.ID, 0)
		return err
	}
	putting := func(t *testing.T, s *allstores.Store, w *worldtest.World) error {
		w.Clock.Freeze(w.Clock.Now().Add(time.Minute)) // so that terms are stored
		return s.PutMentions(t.Context(), w.Main.ID, []mention.Mention{inSettledDay(9_001, "one more")})[0]
	}
	listing := func(t *testing.T, s *allstores.Store, w *worldtest.World) error {
		airship := parsed(t, `{"text":["airship"]}`)
		q := mentionstore.MentionsQuery{WorkspaceID: w.Main.ID, All: true, Filter: airship, Limit: 20}
		for {
			page, err := s.Mentions(t.Context(), q)
			if q.After = page.Next; err != nil || q.After == "" {
				return err
			}
		}
	}
	world := func(t *testing.T, lost bool) *worldtest.World {
		w := worldtest.NewWorld(t)
		batch := ofSettledDay(150)
		if lost {
			putAll(t, another(w), w.Main.ID, batch[:50]) // in a process that ends before it stores terms
			batch = batch[50:]
		}
		putAll(t, w.Store, w.Main.ID, batch)
		w.Life.Counts = nil // reads too
		return w
	}
	type call = func(t *testing.T, s *allstores.Store, w *worldtest.World) error
	for name, c := range map[string]struct {
		steps       int
		first, then call
		want        string
	}{
		"gathering, a late mention":    {4, gathering, putLate, late.SourceID},
		"gathering, another text":      {4, gathering, changeText, "hackernews_comment_140"},
		"gathering, gathering":         {4, gathering, gathering, ""},
		"putting, a late mention":      {4, putting, putLate, late.SourceID},
		"putting, another text":        {4, putting, changeText, "hackernews_comment_140"},
		"a late mention, gathering":    {3, putLate, gathering, late.SourceID},
		"another text, gathering":      {2, changeText, gathering, "hackernews_comment_140"},
		"a list, another text":         {3, listing, changeText, "hackernews_comment_140"},
		"a late mention, another late": {3, putLate, putting, late.SourceID},
	} {
		if testing.Short() && name != "putting, a late mention" {
			continue // the steps of one pair tell enough of another table
		}
		check := func(t *testing.T, w *worldtest.World, want ...string) {
			t.Helper()
			for range 2 {
				finds(t, w, "zeppelin", want...)
				gather(t, w.Store, w.Main.ID)
			}
			finds(t, w, "zeppelin", want...)
		}
		t.Run("at once: "+name, func(t *testing.T) {
			n := 0
			faulttest.EachStep(t, c.steps, func(t *testing.T, step *faulttest.Step) {
				w := world(t, n%2 == 0)
				n++
				other := another(w)
				first, then := func() error { return c.first(t, w.Store, w) }, func() error { return c.then(t, other, w) }
				err, otherErr := step.Come(w.Life, first, then)
				if worldtest.Must(t, err); step.Met {
					worldtest.Must(t, otherErr)
				}
				if c.want == "" {
					check(t, w)
				} else {
					check(t, w, c.want)
				}
			})
		})
		t.Run("killed: "+name, func(t *testing.T) {
			n := 0
			faulttest.EachStep(t, c.steps, func(t *testing.T, step *faulttest.Step) {
				w := world(t, n%2 == 0)
				n++
				_ = step.Die(t, w.Life, func() error { return c.first(t, w.Store, w) })
				worldtest.Must(t, c.first(t, another(w), w)) // it is sent again
				worldtest.Must(t, c.then(t, another(w), w))
				if c.want == "" {
					check(t, w)
				} else {
					check(t, w, c.want)
				}
			})
		})
	}
}

// A list does not take terms for all of a day that another writer stores while it reads: one mention is in none of
// them.
func TestTerms_StoredWhileListed(t *testing.T) {
	faulttest.EachStep(t, 3, func(t *testing.T, step *faulttest.Step) {
		w := worldtest.NewWorld(t)
		other := another(w)
		batch := ofSettledDay(150)
		putAll(t, other, w.Main.ID, batch)
		lost := inSettledDay(9_000, "a zeppelin")
		putAll(t, another(w), w.Main.ID, []mention.Mention{lost})
		w.Life.Counts = nil // reads too
		var found []string
		err, otherErr := step.Come(w.Life, func() error {
			q := mentionstore.MentionsQuery{WorkspaceID: w.Main.ID, Filter: parsed(t, `{"text":["zeppelin"]}`), Limit: 20}
			for {
				page, err := w.Store.Mentions(t.Context(), q)
				for _, m := range page.Mentions {
					found = append(found, m.SourceID)
				}
				if q.After = page.Next; err != nil || q.After == "" {
					return err
				}
			}
		}, func() error {
			w.Clock.Freeze(w.Clock.Now().Add(time.Minute)) // so that terms are stored
			return other.PutMentions(t.Context(), w.Main.ID, []mention.Mention{inSettledDay(9_001, "one more")})[0]
		})
		worldtest.Must(t, err)
		worldtest.Must(t, otherErr)
		if !slices.Equal(found, []string{lost.SourceID}) {
			t.Errorf("%v: found %v, want %s", step, found, lost.SourceID)
		}
	})
}

// Writers in several processes, gathering and lists at the same moment lose no mention.
func TestTerms_AtOnce(t *testing.T) {
	w := worldtest.NewWorld(t)
	putAll(t, w.Store, w.Main.ID, plain(4))
	processes := []*allstores.Store{w.Store, w.Store, another(w), another(w)}
	var want []string
	for i := range 4 * 30 {
		want = append(want, fmt.Sprint("hackernews_comment_", 20_000+i))
	}
	faulttest.AtOnce(len(processes), func(n int) {
		for i := range 30 {
			m := worded(int64(20_000+n*30+i), 24*60*(1+i%3)+i, "one of many zeppelins, a zeppelin")
			if err := processes[n].PutMentions(t.Context(), w.Main.ID, []mention.Mention{m})[0]; err != nil {
				t.Error(err)
			}
		}
	}, func(n int) {
		for range 3 {
			if _, _, err := processes[n].GatherTerms(t.Context(), w.Main.ID, 0); err != nil {
				t.Error(err)
			}
			q := mentionstore.MentionsQuery{WorkspaceID: w.Main.ID, Filter: parsed(t, `{"text":["airship"]}`), Limit: 20}
			if page, err := processes[n].Mentions(t.Context(), q); err != nil || len(page.Mentions) > 0 {
				t.Error(len(page.Mentions), err)
			}
		}
	})
	finds(t, w, "zeppelin", want...)
	gather(t, w.Store, w.Main.ID)
	finds(t, w, "zeppelin", want...)
}

// Terms that an index did not have when they were gathered are not missing.
func TestGatherTerms_IndexLags(t *testing.T) {
	w := worldtest.NewWorld(t)
	embedded, ok := w.Table.(*sqlitetable.Table)
	if !ok {
		t.Skip("the embedded table lags on request")
	}
	ingest(t, w, 1<<20, plain(4))
	worldtest.Must(t, embedded.Misbehave(sqlitetable.Misbehave{IndexLag: true}))
	late := worded(9_000, 3*24*60, "a late zeppelin")
	ingest(t, w, 1<<20, []mention.Mention{late})
	gather(t, w.Store, w.Main.ID)
	worldtest.Must(t, embedded.Misbehave(sqlitetable.Misbehave{}))
	finds(t, w, "zeppelin", late.SourceID)
	if done := gather(t, w.Store, w.Main.ID); done.Days != 1 {
		t.Errorf("GatherTerms stored %+v after the index caught up, want the day of the late mention", done)
	}
	finds(t, w, "zeppelin", late.SourceID)
}

// GatherTerms stops before its deadline, and goes on later.
func TestGatherTerms_Deadline(t *testing.T) {
	w := worldtest.NewWorld(t)
	ingest(t, w, 1<<20, plain(4))
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	done, finished, err := w.Store.GatherTerms(ctx, w.Main.ID, time.Hour)
	if err != nil || finished || done.Days != 0 {
		t.Errorf("GatherTerms(a minute, an hour enough) = %+v, %v, %v, want nothing done and unfinished", done, finished, err)
	}
	if done := gather(t, w.Store, w.Main.ID); done.Days != 2 {
		t.Errorf("GatherTerms stored %+v, want two days", done)
	}
}
