package mentionstore_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/mention"
	"earshot/shared/store/mentionstore"
	"earshot/shared/worldtest"
)

// edited returns the first of worldtest's mentions as its author changed it a number of hours after posting.
func edited(hours int, text string, keywords ...int64) mention.Mention {
	m := worldtest.Mentions(1)[0]
	m.EditedAt, m.Body = m.PostedAt.Add(time.Duration(hours)*time.Hour), &text
	m.Title, m.StoryID, m.Vector = nil, "00000000000000aa", []byte(text)
	m.Sentiment, m.Language, m.Tags = mention.Negative, "german", []mention.Tag{"bug_report"}
	low := mention.Low
	m.Relevant, m.RelevanceScore, m.RelevanceComment = false, &low, "Of "+text+"."
	m.Keywords = nil
	for _, id := range keywords {
		m.Keywords = append(m.Keywords, mention.Keyword{ID: id, Text: "changed"})
	}
	return m
}

// stored returns the mention that edited changes.
func stored(t *testing.T, w *worldtest.World) mention.Mention {
	t.Helper()
	m, err := w.Store.Mention(t.Context(), w.Main.ID, worldtest.Mentions(1)[0].SourceID)
	worldtest.Must(t, err)
	return m
}

func TestIngest_LaterEdit(t *testing.T) {
	w := worldtest.NewWorld(t)
	ingest(t, w, 1000, worldtest.Mentions(3))
	was := stored(t, w)
	second, first := edited(2, "second", 40), strings.Fields(*was.Body)[0]
	if got, want := ingest(t, w, 1000, []mention.Mention{second}),
		(mentionstore.Taken{Duplicate: 1, Refreshed: 1}); got != want {
		t.Errorf("Ingest(an edit) = %+v, want %+v", got, want)
	}
	counted(t, w, w.Main.ID)
	m := stored(t, w)
	if *m.Body != "second" || m.Title != nil || !m.EditedAt.Equal(second.EditedAt) || string(m.Vector) != "second" ||
		m.StoryID != second.StoryID {
		t.Errorf("the stored mention is %+v, want the texts of the edit", m)
	}
	if m.Sentiment != mention.Negative || m.Language != "german" || !slices.Equal(m.Tags, second.Tags) ||
		m.Relevant || m.RelevanceComment != "Of second." {
		t.Errorf("the stored mention is %+v, want the judgement of the edit", m)
	}
	if len(m.Keywords) != 1 || m.Keywords[0].ID != 40 {
		t.Errorf("the stored mention has the keywords %+v, want those of the edit", m.Keywords)
	}
	if m.ID != was.ID || !m.PostedAt.Equal(was.PostedAt) || !m.StoredAt.Equal(was.StoredAt) {
		t.Errorf("the stored mention is %+v, want the id and times of %+v", m, was)
	}
	// The words of the new text are found, and those of the old no more: two other mentions have them.
	for text, want := range map[string]int{"second": 1, first: 2} {
		page, err := w.Store.Mentions(t.Context(), mentionstore.MentionsQuery{WorkspaceID: w.Main.ID, All: true, Limit: 9,
			Filter: parsed(t, fmt.Sprintf(`{"text":[%q]}`, text))})
		if worldtest.Must(t, err); len(page.Mentions) != want {
			t.Errorf("Mentions(text %q) = %d mentions, want %d", text, len(page.Mentions), want)
		}
	}
	// Earlier texts change nothing any more: neither the first, nor an edit in between, nor the same again.
	for _, again := range []mention.Mention{second, edited(1, "between", 41), worldtest.Mentions(1)[0]} {
		if got, want := ingest(t, w, 1000, []mention.Mention{again}), (mentionstore.Taken{Duplicate: 1}); got != want {
			t.Errorf("Ingest(an earlier text) = %+v, want %+v", got, want)
		}
	}
	if got := stored(t, w); *got.Body != "second" || len(got.Keywords) != 1 {
		t.Errorf("after earlier texts the stored mention is %+v", got)
	}
	counted(t, w, w.Main.ID)
}

// Of several texts of a post that come together, the latest edit is stored, in any order.
func TestIngest_EditsTogether(t *testing.T) {
	for name, batch := range map[string][]mention.Mention{
		"in order":     {edited(0, "first", 1), edited(1, "between", 2), edited(2, "last", 3)},
		"out of order": {edited(2, "last", 3), edited(0, "first", 1), edited(1, "between", 2)},
	} {
		t.Run(name, func(t *testing.T) {
			w := worldtest.NewWorld(t)
			ingest(t, w, 1000, batch)
			if m := stored(t, w); *m.Body != "last" || len(m.Keywords) != 1 || m.Keywords[0].ID != 3 {
				t.Errorf("Ingest stored %+v, want the last edit", m)
			}
			counted(t, w, w.Main.ID)
		})
	}
}

// What a user set stands against an edit, and what the judge says of the edit stands when the user takes it back.
func TestIngest_EditOfCorrected(t *testing.T) {
	w := worldtest.NewWorld(t)
	ingest(t, w, 1000, worldtest.Mentions(1))
	kept := stored(t, w).Keywords[0].ID
	change := func(do func(m *mention.Mention)) {
		_, err := w.Store.ChangeMention(t.Context(), w.Main.ID, "post0", func(m *mention.Mention) (bool, error) {
			do(m)
			return true, nil
		})
		worldtest.Must(t, err)
	}
	change(func(m *mention.Mention) {
		m.Overrule(mention.Medium)
		m.Sentiment, m.SentimentSet, m.Engaged = mention.Neutral, true, true
	})
	ingest(t, w, 1000, []mention.Mention{edited(1, "later", 40)})
	counted(t, w, w.Main.ID)
	m := stored(t, w)
	if *m.Body != "later" || m.Sentiment != mention.Neutral || !m.Engaged {
		t.Errorf("after the edit the mention is %+v, want the new text and the user's sentiment and mark", m)
	}
	if !m.Relevant || *m.RelevanceScore != mention.Medium || *m.FeedbackRelevant != 1 {
		t.Errorf("after the edit the mention is %+v, want the user's relevance", m)
	}
	if !m.Matched(40) || !m.Matched(kept) {
		t.Errorf("after the edit the keywords are %+v, want the new one and the judged one", m.Keywords)
	}
	change(func(m *mention.Mention) { m.Uphold() })
	if m := stored(t, w); m.Relevant || m.RelevanceComment != "Of later." {
		t.Errorf("without the user's judgement the mention is %+v, want the judge's of the edit", m)
	}
	counted(t, w, w.Main.ID)
}

// An edit tells a feed that begins to show the mention, and no feed that was told before.
func TestIngest_EditTellsOnce(t *testing.T) {
	w := worldtest.NewWorld(t)
	bill := mentionstore.Bill{Limit: 1000, Shows: func(m *mention.Mention) []int64 {
		if m.Language == "german" {
			return []int64{1, 2}
		}
		return []int64{1}
	}}
	for _, m := range []mention.Mention{worldtest.Mentions(1)[0], edited(1, "a", 40), edited(2, "b", 40), edited(2, "b", 40)} {
		_, err := w.Store.IngestBilled(t.Context(), w.Main.ID, bill, []mention.Mention{m})
		worldtest.Must(t, err)
	}
	waiting, err := w.Store.Announcements(t.Context(), w.Main.ID, 10)
	worldtest.Must(t, err)
	told := map[int64]int{}
	for _, announcement := range waiting {
		for _, one := range announcement.Told {
			for _, id := range one.Feeds {
				told[id]++
			}
		}
	}
	if told[1] != 1 || told[2] != 1 {
		t.Errorf("feeds were told %v times, want each once", told)
	}
}

// Two who bring edits at the same moment, one at each step of the other: the later edit is stored and counted once.
func TestIngest_EditMeetsEdit(t *testing.T) {
	faulttest.EachStep(t, 2, func(t *testing.T, step *faulttest.Step) {
		w := worldtest.NewWorld(t)
		ingest(t, w, 1000, worldtest.Mentions(2))
		w.Life.Counts = nil
		take := func(m mention.Mention) func() error {
			return func() error {
				_, err := w.Store.Ingest(t.Context(), w.Main.ID, 1000, []mention.Mention{m})
				return err
			}
		}
		err, other := step.Come(w.Life, take(edited(1, "between", 40)), take(edited(2, "last", 41)))
		if errors.Join(err, other) != nil {
			t.Fatal(err, other)
		}
		if m := stored(t, w); *m.Body != "last" || len(m.Keywords) != 1 || m.Keywords[0].ID != 41 {
			t.Errorf("Ingest stored %+v, want the last edit", m)
		}
		counted(t, w, w.Main.ID)
	})
}

// Killed at any step and sent again, an edit is stored and counted once.
func TestIngest_EditKilledMidway(t *testing.T) {
	faulttest.EachStep(t, 2, func(t *testing.T, step *faulttest.Step) {
		w := worldtest.NewWorld(t)
		ingest(t, w, 1000, worldtest.Mentions(2))
		w.Life.Counts = nil
		_ = step.Die(t, w.Life, func() error {
			_, err := w.Store.Ingest(context.Background(), w.Main.ID, 1000, []mention.Mention{edited(1, "later", 40)})
			return err
		})
		ingest(t, w, 1000, []mention.Mention{edited(1, "later", 40)})
		if m := stored(t, w); *m.Body != "later" {
			t.Errorf("Ingest stored %+v, want the edit", m)
		}
		counted(t, w, w.Main.ID)
	})
}
