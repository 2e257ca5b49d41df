package mentionstore_test

import (
	"fmt"
	"maps"
	"testing"

	"pgregory.net/rapid"

	"earshot/shared/mention"
	"earshot/shared/store/mentionstore"
	"earshot/shared/worldtest"
)

// Whatever is judged, imported, changed and taken back, the counts are those of the judgements that stand, and so are
// the lessons.
func TestFeedbackIsWhatStands(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		w := worldtest.NewWorld(t)
		stands := map[string]map[int64]bool{} // by mention
		mentions := map[string]mention.Mention{}
		for id := range int64(2) {
			m := worldtest.Mention(id+1, fmt.Sprint("post", id), worldtest.Now)
			m.Keywords = []mention.Keyword{{ID: 1, Text: "a"}, {ID: 2, Text: "b"}, {ID: 30, Text: "c"}}
			w.Put(t, w.Main.ID, m)
			mentions[m.SourceID], stands[m.SourceID] = m, map[int64]bool{}
		}
		for range rapid.IntRange(1, 8).Draw(r, "steps") {
			sourceID := rapid.SampledFrom([]string{"post0", "post1"}).Draw(r, "mention")
			id := rapid.SampledFrom([]int64{1, 2, 30}).Draw(r, "keyword")
			step := rapid.SampledFrom([]string{"up", "down", "away", "all up", "all down", "none", "engage", "import up",
				"import"}).Draw(r, "step")
			all := func(relevant bool) {
				for _, k := range mentions[sourceID].Keywords {
					stands[sourceID][k.ID] = relevant
				}
			}
			var err error
			change := func(do func(*mention.Mention) bool) {
				_, err = w.Store.ChangeMention(t.Context(), w.Main.ID, sourceID,
					func(m *mention.Mention) (bool, error) { return do(m), nil })
			}
			switch step {
			case "up", "down":
				stands[sourceID][id] = step == "up"
				change(func(m *mention.Mention) bool {
					return m.Judge(mention.Judgement{KeywordID: id, Relevant: step == "up"})
				})
			case "away":
				delete(stands[sourceID], id)
				change(func(m *mention.Mention) bool { return m.Unjudge(id) })
			case "all up":
				all(true)
				change(func(m *mention.Mention) bool { return m.Overrule(mention.Medium) })
			case "all down":
				all(false)
				change(func(m *mention.Mention) bool { return m.Overrule(mention.Low) })
			case "none":
				clear(stands[sourceID])
				change(func(m *mention.Mention) bool { return m.Uphold() })
			case "engage":
				change(func(m *mention.Mention) bool { m.Engaged = !m.Engaged; return true })
			case "import up":
				m, up := mentions[sourceID], 1
				m.FeedbackRelevant = &up
				agrees := false
				for _, relevant := range stands[sourceID] {
					agrees = agrees || relevant
				}
				if !agrees {
					all(true)
				}
				err = w.Store.PutMention(t.Context(), w.Main.ID, m)
			case "import":
				clear(stands[sourceID])
				err = w.Store.PutMention(t.Context(), w.Main.ID, mentions[sourceID])
			}
			if err != nil {
				r.Fatal(err)
			}
			compare(r, t, w, stands)
		}
	})
}

func compare(r *rapid.T, t *testing.T, w *worldtest.World, stands map[string]map[int64]bool) {
	want := mentionstore.FeedbackTotals{ByKeyword: map[int64]mentionstore.Tally{}}
	count := func(t *mentionstore.Tally, relevant bool) {
		if relevant {
			t.Relevant++
		} else {
			t.NotRelevant++
		}
	}
	lessons := 0
	for _, byKeyword := range stands {
		lessons += len(byKeyword)
		for id, relevant := range byKeyword {
			tally := want.ByKeyword[id]
			count(&tally, relevant)
			count(&want.All, relevant)
			want.ByKeyword[id] = tally
		}
	}
	got, err := w.Store.Feedback(t.Context(), w.Main.ID)
	if err != nil || got.All != want.All || !maps.Equal(got.ByKeyword, want.ByKeyword) {
		r.Fatalf("%+v stands, and is counted %+v, %v", stands, got, err)
	}
	taught, err := w.Store.Lessons(t.Context(), w.Main.ID, 10)
	if err != nil || len(taught) != lessons {
		r.Fatalf("%+v stands, and teaches %+v, %v", stands, taught, err)
	}
}

// Lessons are bounded by mentions, the newest first, whatever their number of keywords.
func TestLessonsOfTheNewest(t *testing.T) {
	w := worldtest.NewWorld(t)
	for id := range int64(5) {
		m := worldtest.Mention(id+1, fmt.Sprint("post", id), worldtest.Now)
		m.Keywords, m.Vector = []mention.Keyword{{ID: 7, Text: "a"}, {ID: 8, Text: "b"}}, []byte{byte(id + 1)}
		w.Put(t, w.Main.ID, m)
		_, err := w.Store.ChangeMention(t.Context(), w.Main.ID, m.SourceID,
			func(m *mention.Mention) (bool, error) { return m.Overrule(mention.Low), nil })
		if err != nil {
			t.Fatal(err)
		}
	}
	lessons, err := w.Store.Lessons(t.Context(), w.Main.ID, 2)
	got := ""
	for _, l := range lessons {
		got += fmt.Sprintf("%d of %d ", l.KeywordID, l.Vector[0])
	}
	if err != nil || got != "7 of 5 8 of 5 7 of 4 8 of 4 " {
		t.Errorf("%s %v", got, err)
	}
}
