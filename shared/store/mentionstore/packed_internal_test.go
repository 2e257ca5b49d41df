package mentionstore

import (
	"encoding/base64"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"earshot/shared/filter"
	"earshot/shared/mention"
	"earshot/shared/port/table"
	"earshot/shared/store/rows"
)

// drawMention draws a mention of any facts.
func drawMention(t *rapid.T) mention.Mention {
	text := rapid.OneOf(rapid.SampledFrom([]string{"", "english", "hackernews", "own_brand_mention"}), rapid.String())
	long := rapid.OneOf(text, rapid.StringN(0, 6000, -1))
	maybe := func(name string, of *rapid.Generator[string]) *string {
		return rapid.Ptr(of, true).Draw(t, name)
	}
	number := rapid.Int64Range(-mention.MaxID, mention.MaxID)
	at := func(name string) time.Time {
		millis := rapid.Int64Range(1, time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli()).Draw(t, name)
		return rapid.SampledFrom([]time.Time{{}, time.UnixMilli(millis).UTC()}).Draw(t, name)
	}
	m := mention.Mention{
		ID: rapid.Int64Range(1, mention.MaxID).Draw(t, "id"), SourceID: "hackernews_comment_1",
		URL: text.Draw(t, "url"), Title: maybe("title", text), Body: maybe("body", long),
		Source: text.Draw(t, "source"), StoryID: rapid.SampledFrom([]string{"", "ab682a27a9523cb4"}).Draw(t, "story"),
		PostedAt: time.UnixMilli(rapid.Int64Range(0, 1<<42).Draw(t, "posted")).UTC(),
		Author:   maybe("author", text), AuthorName: text.Draw(t, "name"), AuthorAvatar: maybe("avatar", text),
		AuthorURL: maybe("profile", text), AuthorFollowers: rapid.Ptr(number, true).Draw(t, "followers"),
		Relevant: rapid.Bool().Draw(t, "relevant"), RelevanceComment: text.Draw(t, "comment"),
		Sentiment: mention.Sentiment(rapid.SampledFrom([]string{"", "Positive", "Negative", "odd"}).Draw(t, "tone")),
		Language:  text.Draw(t, "language"), Engaged: rapid.Bool().Draw(t, "engaged"),
		IsReply: rapid.Bool().Draw(t, "reply"), ImageURL: text.Draw(t, "image"),
		JudgedComment: text.Draw(t, "judged"), StoredAt: at("stored"), EngagementObservedAt: at("observed"),
	}
	score := rapid.Map(rapid.IntRange(0, 2), func(n int) mention.Score { return mention.Score(n) })
	m.RelevanceScore = rapid.Ptr(score, true).Draw(t, "score")
	m.JudgedScore = rapid.Ptr(score, true).Draw(t, "judged score")
	m.FeedbackRelevant = rapid.Ptr(rapid.IntRange(-1, 1), true).Draw(t, "feedback")
	for range rapid.IntRange(0, 3).Draw(t, "tags") {
		m.Tags = append(m.Tags, mention.Tag(text.Draw(t, "tag")))
	}
	for range rapid.IntRange(0, 3).Draw(t, "keywords") {
		m.Keywords = append(m.Keywords, mention.Keyword{ID: number.Draw(t, "keyword"), Text: text.Draw(t, "text")})
	}
	for range rapid.IntRange(0, 3).Draw(t, "announced") {
		m.Announced = append(m.Announced, number.Draw(t, "feed"))
	}
	if rapid.Bool().Draw(t, "counters") {
		m.Engagement = rapid.MapOfN(text, number, 0, 5).Draw(t, "engagement")
	}
	if vector := rapid.SliceOfN(rapid.Byte(), 0, mention.MaxVector).Draw(t, "vector"); len(vector) > 0 {
		m.Vector = vector
	}
	if rapid.Bool().Draw(t, "review") {
		m.Review = &mention.Review{
			Rating: rapid.Float64Range(0, 5).Draw(t, "rating"), RatingMax: rapid.Float64Range(0, 10).Draw(t, "most"),
			Verified: rapid.Ptr(rapid.Bool(), true).Draw(t, "verified"), Response: text.Draw(t, "response"),
			ResponseAt: at("responded"), TargetName: text.Draw(t, "target"),
		}
	}
	return m
}

// Both forms of a row read as the mention that was stored, and as the same row of a filter, from the table and from the
// index by time. A packed row is never longer.
func TestRows_BothForms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawMention(t)
		const org = "org_01M7W77J509CW50WXNDEDFQTS8"
		var read [2]filter.Row
		var sizes [2]int
		for form, packs := range []bool{false, true} {
			item := fromMention(org, m, packs)
			if sizes[form] = table.Size(item); packed(item) != packs {
				t.Fatalf("packed() = %t, want %t", packed(item), packs)
			}
			if got := toMention(item); !reflect.DeepEqual(got, m) {
				t.Fatalf("toMention(packs: %t) = %+v\nwant %+v", packs, got, m)
			}
			if got, want := digestIn(item), filter.Digest(m.Title, m.Body); !slices.Equal(got, want) {
				t.Fatalf("digestIn(packs: %t) = %v, want %v", packs, got, want)
			}
			index := rows.Schemas()[1].Indexes[0]
			if index.Name != rows.MentionsByTime {
				t.Fatalf("the first index is %s", index.Name)
			}
			for _, row := range []table.Item{index.Row(item), item} {
				read[form].Reset()
				toRow(row, &read[form])
				slices.SortFunc(read[form].Engagement, func(a, b filter.Counter) int {
					if a.Metric < b.Metric {
						return -1
					}
					return 1
				})
			}
		}
		if !equalRows(read[0], read[1]) {
			t.Fatalf("toRow(packed) = %+v\nwant %+v", read[1], read[0])
		}
		if sizes[1] > sizes[0] {
			t.Fatalf("packed, a row has %d bytes, and %d in the form of before", sizes[1], sizes[0])
		}
	})
}

// equalRows reports whether two rows are the same, where a list of nothing may be nil.
func equalRows(a, b filter.Row) bool {
	same := slices.Equal(a.Tags, b.Tags) && slices.Equal(a.KeywordIDs, b.KeywordIDs) &&
		slices.Equal(a.Engagement, b.Engagement) && slices.Equal(a.Words, b.Words)
	a.Tags, a.KeywordIDs, a.Engagement, a.Words = nil, nil, nil, nil
	b.Tags, b.KeywordIDs, b.Engagement, b.Words = nil, nil, nil, nil
	return same && reflect.DeepEqual(a, b)
}

// Facts that are cut or damaged read as something, and never fail.
func TestUnpackFacts_Damaged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawMention(t)
		facts := factsOf(&m)
		facts = facts[:rapid.IntRange(1, len(facts)).Draw(t, "cut")]
		for range rapid.IntRange(0, 3).Draw(t, "damages") {
			facts[rapid.IntRange(0, len(facts)-1).Draw(t, "place")] = rapid.Byte().Draw(t, "byte")
		}
		var row filter.Row
		unpackFacts(facts, &row)
		if len(row.Tags)+len(row.KeywordIDs)+len(row.Engagement) > len(facts) {
			t.Fatal("it reads more values than there are bytes")
		}
	})
}

// Details that are cut or damaged read as something, and never fail. Fields of later versions are passed over.
func TestUnpackDetails_Damaged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawMention(t)
		content := detailsOf(&m)
		content = content[:rapid.IntRange(0, len(content)).Draw(t, "cut")]
		for range rapid.IntRange(0, 3).Draw(t, "damages") {
			if len(content) > 0 {
				content[rapid.IntRange(0, len(content)-1).Draw(t, "place")] = rapid.Byte().Draw(t, "byte")
			}
		}
		var read mention.Mention
		if keywords := unpackDetails(content, &read); len(keywords) > len(content) {
			t.Fatal("it reads more keywords than there are bytes")
		}
	})
	var read mention.Mention
	unpackDetails([]byte{detailsForm, 7, 200, 2, 'x', 'y', fieldURL, 1, 'u'}, &read)
	if want := (mention.Mention{URL: "u"}); !reflect.DeepEqual(read, want) {
		t.Errorf("behind a field of a later version, it reads %+v, want %+v", read, want)
	}
}

// A changed mention reads as it is, whether it takes over the details of its row or not. It does if none of them changes.
func TestDetailsIn(t *testing.T) {
	const org = "org_01M7W77J509CW50WXNDEDFQTS8"
	rapid.Check(t, func(t *rapid.T) {
		old, changed := drawMention(t), drawMention(t)
		same := rapid.Bool().Draw(t, "same details")
		if same {
			engaged := changed.Engaged
			changed = old
			changed.Engaged = engaged
		}
		row := fromMention(org, old, true)
		known := detailsIn(row, &old, &changed)
		if same && !slices.Equal(known, rows.Bytes(row, rows.AttrDetails)) {
			t.Fatalf("detailsIn = %v, want those of the row", known)
		}
		if got := toMention(rowOf(org, changed, true, known)); !reflect.DeepEqual(got, changed) {
			t.Fatalf("the changed mention reads as %+v\nwant %+v", got, changed)
		}
	})
	m := everyday()
	if detailsIn(fromMention(org, m, false), &m, &m) != nil || detailsIn(nil, nil, &m) != nil {
		t.Error("detailsIn finds details where there are none")
	}
}

// everyday is a mention with a body of 111 bytes.
func everyday() mention.Mention {
	at := time.UnixMilli(1795169640000).UTC()
	return mention.Mention{
		ID: 77, SourceID: "hackernews_comment_48111222", URL: "https://news.ycombinator.com/item?id=48111222",
		Body: new("We moved our shop to northwind last year and the new checkout is fast; support took 2 days " +
			"to respond, however."),
		Source: "hackernews", StoryID: "ab682a27a9523cb4", PostedAt: at,
		Author: new("quietharbor"), AuthorURL: new("https://news.ycombinator.com/user?id=quietharbor"),
		Relevant: true, RelevanceScore: new(mention.High), Sentiment: mention.Positive, Language: "english",
		RelevanceComment: "“northwind” is a distinctive name, with few words around it.",
		Tags:             []mention.Tag{"own_brand_mention", "hiring"},
		Keywords:         []mention.Keyword{{ID: 1, Text: "northwind"}},
		Engagement:       map[string]int64{"comments": 2, "arabic": -1}, EngagementObservedAt: at, StoredAt: at,
		Vector: []byte{1, 2, 3},
	}
}

// A stored row stays readable: its names, its fields and the dictionary never change.
func TestPackedRow_Stored(t *testing.T) {
	const (
		facts = "/0wLBwEAC3F1aWV0aGFyYm9yAjU5AQICfwFLBAEAOwYSByQKYRFmGoAeQSPWJBsyrUR7SO6aI5zZu/i+iMEtzY/j" +
			"Y/Pu"
		content = "AQUQAwECA2LOD09VyM0vS01RAEV9cUZ+ASjK8vKLSjLKM/NSFHISi0sUKkHFCjTTKuSlliskZ6QmZ4PKx8xihbTE" +
			"4hJrheLSgoL8IlB852crGCmkgBJXSb5CUWpxQX5eio5CRn55allqkR6jLlGON7EwNDQ0MjJiMyDKG4WlmaklGYlF" +
			"SflFfJxwx7M7PGqYA+fhyRo48ycnW8PPae37M7igNCAAAP//"
	)
	want := everyday()
	item := fromMention("org", want, true)
	for name, text := range map[string]string{rows.AttrWords: facts, rows.AttrDetails: content} {
		stored, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			t.Fatalf("%s is %q", name, base64.StdEncoding.EncodeToString(rows.Bytes(item, name)))
		}
		item[name] = stored
	}
	if got := toMention(item); !reflect.DeepEqual(got, want) {
		t.Errorf("a stored row reads as %+v\nwant %+v", got, want)
	}
	first, last := names[0], names[len(names)-1]
	if first != "Positive" || last != "arabic" || len(names) != 64 {
		t.Errorf("the names are %d, from %s to %s", len(names), first, last)
	}
}

// A page bounds its mentions by the bytes of their rows. A long text takes its own bytes, however well it compresses.
func TestPackedRow_LongText(t *testing.T) {
	for _, length := range []int{1_000, mostDeflated, 100_000} {
		m := everyday()
		m.Body = new(strings.Repeat("x", length))
		item := fromMention("org", m, true)
		if bound := bytesOf(item); length > bound {
			t.Errorf("a body of %d bytes has a row that says %d", length, bound)
		}
		if got := toMention(item); !reflect.DeepEqual(got, m) {
			t.Errorf("a body of %d bytes does not read as it was stored", length)
		}
	}
}
