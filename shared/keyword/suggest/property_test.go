package suggest_test

import (
	"fmt"
	"slices"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"earshot/shared/keyword"
	"earshot/shared/keyword/suggest"
	"earshot/shared/match"
	"earshot/shared/mention"
	"earshot/shared/post"
)

// vocabulary is what drawn texts are made of: the keywords, words like them, terms, and what is hostile.
var vocabulary = []string{"seal", "Seals", "sealant", "navy", "Navy", "door", "gasket", "zoo", "rose", "kiss", "the",
	"die", "2024", "sea-l", "@seal",
	"seal.com", "<b>", "\u202e", "\x00", "\xff", "naïve", "İstanbul", "ﬁne", "ＮＡＶＹ", "е́", "\u200b", "वर्ष", "日本", "'s",
	`"quoted"`, "zoo*"}

// kinds of mentions: their words are drawn around one of these, so that some say something.
var leanings = []string{"navy", "zoo", "door", "kiss", "sealant"}

func drawMentions(t *rapid.T, keywords []keyword.Keyword) (all []mention.Mention) {
	sources := []string{"hackernews", "reddit", "REDDIT", "bluesky", "firehose", "twitter", "lobsters", ""}
	high, low := mention.High, mention.Low
	for n := range rapid.IntRange(2, 6).Draw(t, "groups") {
		leaning, source := rapid.SampledFrom(leanings).Draw(t, "leaning"), rapid.SampledFrom(sources).Draw(t, "source")
		kind, writers := rapid.IntRange(0, 2).Draw(t, "kind"), rapid.SampledFrom([]int{1, 5, 30}).Draw(t, "writers")
		if n < 2 {
			kind = n // there is something of either
		}
		thumbs := rapid.SampledFrom([]int{-1, 0, 0, 0, 1}).Draw(t, "thumbs")
		extra := rapid.SliceOfN(rapid.SampledFrom(vocabulary), 0, 4).Draw(t, "words")
		for i := range rapid.IntRange(1, 20).Draw(t, "mentions") * (1 + 3*rapid.IntRange(0, 1).Draw(t, "many")) {
			id := len(all) + 1
			body := "seal " + leaning
			if len(extra) > 0 {
				body += " " + extra[i%len(extra)]
			}
			author := fmt.Sprintf("%s%d", leaning, i%writers)
			m := mention.Mention{
				ID:       int64(id),
				SourceID: fmt.Sprint("m_", id),
				Source:   source,
				Body:     &body,
				IsReply:  i%3 == 0,
				Language: "english",
				PostedAt: now.Add(-time.Duration(id) * time.Second),
			}
			if i%7 != 0 {
				m.Author = &author
			}
			if i%5 == 0 {
				title := extra
				if len(title) > 0 {
					m.Title = &title[0]
				}
			}
			switch kind {
			case 0:
				m.Relevant, m.RelevanceScore = true, &high
			case 1:
				m.RelevanceScore = &low
			}
			if i%4 == 0 && thumbs != 0 {
				thumb := thumbs
				m.FeedbackRelevant = &thumb
			}
			for _, k := range keywords {
				if (id+int(k.ID))%4 != 0 {
					m.Keywords = append(m.Keywords, mention.Keyword{ID: k.ID, Text: k.Text})
				}
			}
			all = append(all, m)
		}
	}
	return all
}

func drawKeyword(t *rapid.T, id int64) keyword.Keyword {
	terms := func(name string, most int) []string {
		return rapid.SliceOfN(rapid.SampledFrom(vocabulary), 0, most).Draw(t, name)
	}
	k := keyword.Keyword{
		ID:                   id,
		Text:                 rapid.SampledFrom([]string{"seal", "seal", "Seal", "sea"}).Draw(t, "text"),
		ExactMatch:           rapid.Bool().Draw(t, "exact"),
		CaseSensitive:        rapid.Bool().Draw(t, "cased"),
		AdditionalTermsLogic: rapid.SampledFrom([]keyword.Logic{keyword.Any, keyword.All}).Draw(t, "logic"),
		Paused:               rapid.IntRange(0, 29).Draw(t, "paused") == 0,
	}
	if rapid.IntRange(0, 3).Draw(t, "narrowed") == 0 {
		k.AdditionalTerms, k.ExcludeWords, k.ExcludeAuthors, k.WildcardExcludeWords = terms("terms", 2), terms("words", 2),
			terms("authors", 1), terms("stems", 1)
	}
	if rapid.IntRange(0, 3).Draw(t, "platforms") == 0 {
		k.Platforms = rapid.SliceOfNDistinct(rapid.SampledFrom(keyword.Platforms()), 1, 6, rapid.ID).Draw(t, "of")
	}
	return k
}

// takes says which of the mentions a keyword takes: one matcher for one keyword, asked by itself.
func takes(k keyword.Keyword, mentions []mention.Mention) map[int64]bool {
	matcher, _ := match.Compile([]match.Workspace{{ID: "w", Keywords: []keyword.Keyword{k}}})
	taken := map[int64]bool{}
	for i := range mentions {
		m := &mentions[i]
		of := slices.ContainsFunc(m.Keywords, func(other mention.Keyword) bool { return other.ID == k.ID })
		var hits match.Hits
		matcher.Match(&post.Post{
			Source:  m.Source,
			Title:   m.Title,
			Body:    m.Body,
			Author:  m.Author,
			URL:     m.URL,
			IsReply: m.IsReply,
		}, &hits)
		taken[m.ID] = of && len(hits.List) > 0
	}
	return taken
}

// Whatever the mentions are: a suggestion that is accepted leaves out exactly what it says, by the matcher that listens
// for posts, and nothing that a user marked as relevant; it keeps within the bounds of a keyword, and its values are
// plain words.
func TestFind_Properties(t *testing.T) {
	types := map[suggest.Type]int{}
	rapid.Check(t, func(t *rapid.T) {
		keywords := []keyword.Keyword{drawKeyword(t, 1), drawKeyword(t, 2)}
		mentions := drawMentions(t, keywords)
		found := suggest.Find(keywords, mentions, nil)
		ids := map[string]bool{}
		for _, s := range found {
			types[s.Type]++
			k := keywords[s.KeywordID-1]
			before := takes(k, mentions)
			changed := k
			if k.Paused || !s.Open(k) || !s.Apply(&changed) || ids[s.ID] || s.ID != suggest.NewID(k.ID, s.Type, s.Values) {
				t.Fatalf("%+v for %+v", s, k)
			}
			ids[s.ID] = true
			after := takes(changed, mentions)
			removed, lost := 0, 0
			for i := range mentions {
				m := &mentions[i]
				if before[m.ID] == after[m.ID] {
					continue
				}
				if !before[m.ID] {
					t.Fatalf("%+v lets %s in", s, m.SourceID)
				}
				up, down := m.FeedbackRelevant != nil && *m.FeedbackRelevant > 0,
					m.FeedbackRelevant != nil && *m.FeedbackRelevant < 0
				if up {
					t.Fatalf("%+v leaves out what a user marked as relevant", s)
				}
				removed++
				if m.Relevant && !down {
					lost++
				}
			}
			if e := s.Evidence; removed != e.WouldRemove || lost != e.WouldRemoveRelevant || removed < 5 ||
				e.Relevant+e.NotRelevant > e.Mentions {
				t.Fatalf("%+v: %d are left out, %d of them relevant", s, removed, lost)
			}
			if len(s.Values) == 0 || len(s.Values) > suggest.MaxValues || len(changed.ExcludeWords) > keyword.MaxTerms {
				t.Fatalf("%+v", s)
			}
			for _, value := range s.Values {
				if n := utf8.RuneCountInString(value); !utf8.ValidString(value) || n < 2 || n > keyword.MaxText ||
					!slices.Contains([]suggest.Type{suggest.DisableSource, suggest.AddExcludeAuthors}, s.Type) && !plain(value) {
					t.Fatalf("%q is proposed", value)
				}
			}
			for _, id := range s.Examples {
				if !slices.ContainsFunc(mentions, func(m mention.Mention) bool { return m.SourceID == id && before[m.ID] && !after[m.ID] }) {
					t.Fatalf("%s is an example of %+v", id, s)
				}
			}
		}
		if again := suggest.Find(keywords, mentions, nil); shown(again) != shown(found) {
			t.Fatalf("%s, then %s", shown(found), shown(again))
		}
	})
	if t.Log(types); types[suggest.AddExcludeWords] == 0 {
		t.Error("no draw brought a suggestion about: the property says nothing")
	}
}

func plain(word string) bool {
	for _, r := range word {
		if !unicode.In(r, unicode.L, unicode.M, unicode.Nd) {
			return false
		}
	}
	return true
}
