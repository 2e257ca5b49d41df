package worldtest

import (
	"fmt"
	"testing"
	"time"

	"earshot/shared/feed"
	"earshot/shared/mention"
	"earshot/shared/proposal"
	"earshot/shared/workspace"
)

// NewKey returns a read key of owner that is not stored.
func NewKey(w *World, owner *workspace.Workspace) workspace.Key {
	token := workspace.NewToken(w.Clock.Now())
	return workspace.Key{
		ID:        token.KeyID,
		Name:      "k",
		Digest:    token.Digest(),
		Scope:     workspace.Read,
		CreatedAt: w.Clock.Now(),
		Workspace: owner,
	}
}

// Notification returns an enabled notification of feed 1 that is not stored.
func Notification(name string) feed.Notification {
	return feed.Notification{Name: name, FeedID: 1, Enabled: true}
}

// WithFeeds stores feeds of these ids in Main and Other; without ids, feed 1.
func (w *World) WithFeeds(t testing.TB, ids ...int64) {
	t.Helper()
	if len(ids) == 0 {
		ids = []int64{1}
	}
	for _, org := range []string{w.Main.ID, w.Other.ID} {
		for _, id := range ids {
			Must(t, w.Store.RestoreFeed(t.Context(), org, feed.Feed{ID: id, Name: "a feed"}))
		}
	}
}

// BegunRun stores a scanned draft of Main with a run under way, and returns the run's key.
func (w *World) BegunRun(t testing.TB) proposal.Key {
	t.Helper()
	d, err := w.Store.CreateDraftOnce(t.Context(), w.Main.ID, "northwind.example", "")
	Must(t, err)
	profile := proposal.Profile{Company: "Northwind", Language: "english"}
	Must(t, w.Store.ScanDone(t.Context(), w.Main.ID, d.ID, &profile, ""))
	key, _, err := w.Store.StartRun(t.Context(), w.Main.ID, d.ID, proposal.Balanced, "", proposal.RunLimit)
	Must(t, err)
	return key
}

// Mentions returns n mentions that are not stored, an hour times seven apart, of several sources, keywords and scores.
func Mentions(n int) []mention.Mention {
	list := make([]mention.Mention, n)
	for i := range list {
		m := Mention(0, fmt.Sprint("post", i), Now.Add(-time.Duration(i*7)*time.Hour))
		score := mention.Score(i % 3)
		m.RelevanceScore, m.Relevant = &score, score.Relevant()
		m.Source = []string{"hackernews", "reddit"}[i%2]
		m.Sentiment = mention.Sentiments()[i%3]
		m.Keywords = []mention.Keyword{{ID: 7, Text: "northwind"}, {ID: int64(8 + i%2), Text: "other"}}[:1+i%2]
		list[i] = m
	}
	return list
}

// KeywordsOf returns n keywords of a mention, by ids from from on.
func KeywordsOf(from, n int) (keywords []mention.Keyword) {
	for i := range n {
		keywords = append(keywords, mention.Keyword{ID: int64(from + i), Text: "northwind"})
	}
	return keywords
}
