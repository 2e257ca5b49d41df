package mentionstore_test

import (
	"fmt"
	"testing"

	"earshot/shared/mention"
	"earshot/shared/store/mentionstore"
	"earshot/shared/worldtest"
)

// The largest change of a mention has room for its announcement: all its keywords are others, and so is its tone.
func TestChangeMention_LargestAnnounced(t *testing.T) {
	w := worldtest.NewWorld(t)
	m := worldtest.Mention(0, "hackernews_comment_1", worldtest.Now)
	m.Keywords, m.Relevant = worldtest.KeywordsOf(1, mention.MaxKeywords), false
	low := mention.Low
	m.RelevanceScore = &low
	_, err := w.Store.IngestBilled(t.Context(), w.Main.ID, mentionstore.Bill{Limit: 10}, []mention.Mention{m})
	worldtest.Must(t, err)
	_, err = w.Store.ChangeMention(t.Context(), w.Main.ID, m.SourceID, func(m *mention.Mention) (bool, error) {
		m.Keywords = worldtest.KeywordsOf(100, mention.MaxKeywords)
		m.Sentiment = mention.Negative
		m.Overrule(mention.High)
		m.Announce([]int64{1, 2})
		return true, nil
	})
	worldtest.Must(t, err)
	waiting, err := w.Store.Announcements(t.Context(), w.Main.ID, 10)
	worldtest.Must(t, err)
	if len(waiting) != 1 || fmt.Sprint(waiting[0].Told) != "[{hackernews_comment_1 [1 2]}]" {
		t.Errorf("%+v", waiting)
	}
}

// What is imported, or stored again with the same feeds, tells nobody.
func TestAnnouncements_OnlyNews(t *testing.T) {
	w := worldtest.NewWorld(t)
	m := worldtest.Mention(1, "hackernews_comment_1", worldtest.Now)
	m.Announced = []int64{1}
	w.Put(t, w.Main.ID, m)
	bill := mentionstore.Bill{Limit: 10, Shows: func(*mention.Mention) []int64 { return []int64{2, 3} }}
	other := worldtest.Mention(0, "hackernews_comment_2", worldtest.Now)
	for range 2 {
		_, err := w.Store.IngestBilled(t.Context(), w.Main.ID, bill, []mention.Mention{other})
		worldtest.Must(t, err)
	}
	// A further keyword is a change, and the feeds were told before.
	other.Keywords = append(other.Keywords, mention.Keyword{ID: 99, Text: "further"})
	taken, err := w.Store.IngestBilled(t.Context(), w.Main.ID, bill, []mention.Mention{other})
	worldtest.Must(t, err)
	waiting, err := w.Store.Announcements(t.Context(), w.Main.ID, 10)
	worldtest.Must(t, err)
	if taken.Refreshed != 1 || len(waiting) != 1 || fmt.Sprint(waiting[0].Told) != "[{hackernews_comment_2 [2 3]}]" {
		t.Errorf("%+v %+v", taken, waiting)
	}
}
