package mentionstore_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"earshot/shared/embedded/fault"
	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/mention"
	"earshot/shared/port/table"
	"earshot/shared/store/allstores"
	"earshot/shared/store/mentionstore"
	"earshot/shared/worldtest"
)

// counted compares what is counted with the mentions that are there.
func counted(t *testing.T, w *worldtest.World, orgID string) {
	t.Helper()
	page := mentionstore.MentionsPage{}
	total, byKeyword := map[string]int64{}, map[int64]map[string]int64{}
	cell := func(day time.Time, source string, sentiment mention.Sentiment, score *mention.Score, language string,
		tags []mention.Tag) string {
		return fmt.Sprint(day.UTC().Format("2006-01-02"), source, sentiment, *score, language, tags)
	}
	ids := map[int64]string{}
	for {
		var err error
		if page, err = w.Store.Mentions(t.Context(),
			mentionstore.MentionsQuery{WorkspaceID: orgID, All: true, Limit: 100, After: page.Next}); err != nil {
			t.Fatal(err)
		}
		for _, m := range page.Mentions {
			if other := ids[m.ID]; other != "" {
				t.Errorf("%s and %s have the id %d", other, m.SourceID, m.ID)
			}
			ids[m.ID] = m.SourceID
			name := cell(m.PostedAt, m.Source, m.Sentiment, m.RelevanceScore, m.Language, m.Tags)
			total[name]++
			for _, keyword := range m.Keywords {
				if byKeyword[keyword.ID] == nil {
					byKeyword[keyword.ID] = map[string]int64{}
				}
				byKeyword[keyword.ID][name]++
			}
		}
		if page.Next == "" {
			break
		}
	}
	check := func(keyword int64, want map[string]int64) {
		volumes, err := w.Store.Volumes(t.Context(), orgID, keyword, time.Date(1990, 1, 1, 0, 0, 0, 0, time.UTC),
			worldtest.Now.AddDate(1, 0, 0))
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]int64{}
		for _, v := range volumes {
			got[cell(v.Day, v.Source, v.Sentiment, v.Score, v.Language, v.Tags)] += v.Mentions
			hours := int64(0)
			for _, n := range v.Hours {
				hours += n
			}
			if hours != v.Mentions {
				t.Errorf("the hours of %+v sum to %d", v, hours)
			}
		}
		if !maps.Equal(got, want) {
			t.Errorf("keyword %d: counted %v\nwant %v", keyword, got, want)
		}
	}
	check(0, total)
	for keyword, want := range byKeyword {
		check(keyword, want)
	}
}

func ingest(t *testing.T, w *worldtest.World, limit int, mentions []mention.Mention) mentionstore.Taken {
	t.Helper()
	taken, err := w.Store.Ingest(t.Context(), w.Main.ID, limit, mentions)
	if err != nil {
		t.Fatal(err)
	}
	return taken
}

func TestIngest(t *testing.T) {
	w := worldtest.NewWorld(t)
	if got, want := ingest(t, w, 1000, worldtest.Mentions(130)), (mentionstore.Taken{Stored: 130}); got != want {
		t.Errorf("got %+v", got)
	}
	counted(t, w, w.Main.ID)
	if got, want := ingest(t, w, 1000, worldtest.Mentions(130)), (mentionstore.Taken{Duplicate: 130}); got != want {
		t.Errorf("the same again: %+v", got)
	}
	if stored, reset, err := w.Store.Collected(t.Context(), w.Main.ID); err != nil || stored != 130 ||
		!reset.Equal(time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)) {
		t.Error(stored, reset, err)
	}
	counted(t, w, w.Main.ID)
}

// A post that is found again tells its newer counters and the keywords that were not there before, and a better verdict
// with them.
func TestIngestRefreshes(t *testing.T) {
	w := worldtest.NewWorld(t)
	first := worldtest.Mentions(3)
	ingest(t, w, 1000, worldtest.Mentions(3))
	again := first[2] // judged 2: not relevant
	again.Engagement, again.EngagementObservedAt = map[string]int64{"comments": 3},
		again.EngagementObservedAt.Add(time.Hour)
	high := mention.High
	again.Keywords = append(slices.Clone(again.Keywords), mention.Keyword{ID: 30, Text: "new"})
	again.RelevanceScore, again.Relevant, again.RelevanceComment = &high, true, "For the new keyword."
	if got, want := ingest(t, w, 1000, []mention.Mention{again, again}),
		(mentionstore.Taken{Duplicate: 2, Refreshed: 1}); got != want {
		t.Errorf("got %+v", got)
	}
	m, err := w.Store.Mention(t.Context(), w.Main.ID, again.SourceID)
	if err != nil || m.Engagement["points"] != 12 || m.Engagement["comments"] != 3 || len(m.Keywords) != 2 ||
		!m.Relevant || m.RelevanceComment != "For the new keyword." {
		t.Errorf("%+v %v", m, err)
	}
	counted(t, w, w.Main.ID)
	// A user's judgement stands, whatever another keyword says.
	_, err = w.Store.ChangeMention(t.Context(), w.Main.ID, "post0", func(m *mention.Mention) (bool, error) {
		low, down := mention.Low, -1
		m.JudgedScore, m.RelevanceScore, m.Relevant, m.FeedbackRelevant = m.RelevanceScore, &low, false, &down
		return true, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	judged := worldtest.Mentions(1)
	judged[0].Keywords = append(judged[0].Keywords, mention.Keyword{ID: 31, Text: "newer"})
	ingest(t, w, 1000, judged)
	if m, err := w.Store.Mention(t.Context(), w.Main.ID, "post0"); err != nil || m.Relevant || len(m.Keywords) != 2 {
		t.Errorf("%+v %v", m, err)
	}
	counted(t, w, w.Main.ID)
}

// Two that take the same posts in meet, one at every operation of the other: each post is stored once.
func TestIngest_MeetsIngest(t *testing.T) {
	faulttest.EachStep(t, 3, func(t *testing.T, step *faulttest.Step) {
		w := worldtest.NewWorld(t)
		w.Life.Counts = nil
		var sum mentionstore.Taken
		take := func() error {
			taken, err := w.Store.Ingest(t.Context(), w.Main.ID, 1000, worldtest.Mentions(30))
			sum.Add(taken)
			return err
		}
		err, otherErr := step.Come(w.Life, take, take)
		if want := (mentionstore.Taken{Stored: 30, Duplicate: 30}); err != nil || otherErr != nil || sum != want {
			t.Errorf("Ingest, twice = %+v, %v, %v, want %+v", sum, err, otherErr, want)
		}
		counted(t, w, w.Main.ID)
	})
}

// However many take the same posts in at once, each is stored once.
func TestIngestAtOnce(t *testing.T) {
	w := worldtest.NewWorld(t)
	var mu sync.Mutex
	var sum mentionstore.Taken
	faulttest.AtOnce(6, func(worker int) {
		mentions := worldtest.Mentions(60)
		rand.New(rand.NewPCG(1, uint64(worker))).
			Shuffle(len(mentions), func(i, j int) { mentions[i], mentions[j] = mentions[j], mentions[i] })
		for chunk := range slices.Chunk(mentions, 20) {
			for {
				taken, err := w.Store.Ingest(context.Background(), w.Main.ID, 1000, slices.Clone(chunk))
				mu.Lock()
				sum.Add(taken)
				mu.Unlock()
				if err == nil {
					break
				}
			}
		}
	})
	if sum.Stored != 60 {
		t.Errorf("%+v", sum)
	}
	if stored, _, err := w.Store.Collected(t.Context(), w.Main.ID); err != nil || stored != 60 {
		t.Error(stored, err)
	}
	counted(t, w, w.Main.ID)
}

// The month's quota is exact, and the next month has its own.
func TestIngest_Quota(t *testing.T) {
	w := worldtest.NewWorld(t)
	for _, c := range []struct {
		limit, mentions int
		want            mentionstore.Taken
	}{
		{49, 50, mentionstore.Taken{Stored: 49, OverQuota: 1}}, // of one transaction the last is too many
		{70, 50, mentionstore.Taken{Stored: 1, Duplicate: 49}},
		{70, 130, mentionstore.Taken{Stored: 20, Duplicate: 50, OverQuota: 60}},
		{70, 130, mentionstore.Taken{Duplicate: 70, OverQuota: 60}},
	} {
		if got := ingest(t, w, c.limit, worldtest.Mentions(c.mentions)); got != c.want {
			t.Errorf("Ingest(%d of a quota of %d) = %+v, want %+v", c.mentions, c.limit, got, c.want)
		}
	}
	counted(t, w, w.Main.ID)
	w.Clock.Freeze(time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC))
	if got, want := ingest(t, w, 70, worldtest.Mentions(130)),
		(mentionstore.Taken{Stored: 60, Duplicate: 70}); got != want {
		t.Errorf("the next month: %+v", got)
	}
	counted(t, w, w.Main.ID)
}

// A batch that is killed at any of its writes, and sent again, is stored once and counted once.
func TestIngest_KilledAtEachWrite(t *testing.T) {
	faulttest.EachStep(t, 4, func(t *testing.T, step *faulttest.Step) {
		w := worldtest.NewWorld(t)
		ingest(t, w, 1000, worldtest.Mentions(20)) // to be refreshed
		batch := worldtest.Mentions(60)
		for i := range batch {
			batch[i].Engagement, batch[i].EngagementObservedAt = map[string]int64{"points": 99}, worldtest.Now
		}
		_ = step.Die(t, w.Life, func() error {
			_, err := w.Store.Ingest(t.Context(), w.Main.ID, 1000, slices.Clone(batch))
			return err
		})
		ingest(t, w, 1000, slices.Clone(batch))
		if stored, _, err := w.Store.Collected(t.Context(), w.Main.ID); err != nil || stored != 60 {
			t.Errorf("Collected = %d, %v, want 60", stored, err)
		}
		counted(t, w, w.Main.ID)
	})
}

// What a user decides moves the mention and what is counted of it in one step, and teaches the judge.
func TestChangeMention(t *testing.T) {
	w := worldtest.NewWorld(t)
	batch := worldtest.Mentions(10)
	batch[3].Vector = []byte{1, 2, 3}
	ingest(t, w, 1000, batch)
	set := func(feedback int, score mention.Score) {
		t.Helper()
		if _, err := w.Store.ChangeMention(t.Context(), w.Main.ID, "post3", func(m *mention.Mention) (bool, error) {
			m.RelevanceScore, m.Relevant, m.FeedbackRelevant = &score, score.Relevant(), &feedback
			return true, nil
		}); err != nil {
			t.Fatal(err)
		}
		counted(t, w, w.Main.ID)
	}
	set(-1, mention.Low)
	lessons, err := w.Store.Lessons(t.Context(), w.Main.ID, 10)
	if err != nil || len(lessons) != 2 || lessons[0].Relevant || string(lessons[0].Vector) != "\x01\x02\x03" {
		t.Errorf("%+v %v", lessons, err)
	}
	set(0, mention.High)
	if lessons, err = w.Store.Lessons(t.Context(), w.Main.ID, 10); err != nil || len(lessons) != 0 {
		t.Errorf("%+v %v", lessons, err)
	}
	listeners, err := w.Store.Listeners(t.Context())
	if err != nil || len(listeners) != 1 || listeners[0].Lessons != 2 {
		t.Errorf("%+v %v", listeners, err)
	}
	faulttest.AtOnce(8, func(int) {
		for {
			_, err := w.Store.ChangeMention(t.Context(), w.Main.ID, "post4", func(m *mention.Mention) (bool, error) {
				m.Engagement = maps.Clone(m.Engagement)
				m.Engagement["points"]++
				return true, nil
			})
			if err == nil {
				return
			}
		}
	})
	if m, err := w.Store.Mention(t.Context(), w.Main.ID, "post4"); err != nil || m.Engagement["points"] != 20 {
		t.Errorf("an update was lost: %v %v", m.Engagement, err)
	}
	counted(t, w, w.Main.ID)
}

// Several that store for one workspace meet in its counters, and wait for each other.
func TestIngestWhileTransactionsConflict(t *testing.T) {
	w := worldtest.NewWorld(t)
	crowded := allstores.New(table.Retrying(&fault.Contended{Table: w.Table}), w.Clock)
	faulttest.AtOnce(5, func(worker int) {
		mentions := worldtest.Mentions(120)
		for i := range mentions {
			mentions[i].SourceID = fmt.Sprint(worker, "#", i)
		}
		if taken, err := crowded.Ingest(context.Background(), w.Main.ID, 1000, mentions); err != nil || taken.Stored != 120 {
			t.Errorf("%+v %v", taken, err)
		}
	})
	counted(t, w, w.Main.ID)
}
