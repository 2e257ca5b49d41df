package mention_test

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"earshot/shared/mention"
)

// reference is what judgements come to, said in the plainest way.
func reference(judged *mention.Score, wasRelevant bool, stands map[int64]bool) (relevant bool, score *mention.Score) {
	if len(stands) == 0 {
		return wasRelevant, judged
	}
	result := mention.Low
	for _, says := range stands {
		if says && judged != nil && *judged == mention.Medium {
			result = mention.Medium
		} else if says {
			result = mention.High
		}
	}
	return result.Relevant(), &result
}

// Whatever is judged and taken back in whatever order, the relevance is what stands, and nothing of it stays when nothing stands.
func TestRelevanceIsWhatStands(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := mention.Mention{RelevanceComment: "Names the product.", Keywords: []mention.Keyword{{ID: 3}, {ID: 1}, {ID: 2}}}
		if rapid.Bool().Draw(t, "scored") {
			score := rapid.SampledFrom([]mention.Score{mention.High, mention.Medium, mention.Low}).Draw(t, "judged")
			m.RelevanceScore, m.Relevant = &score, score.Relevant()
		} else {
			m.Relevant = rapid.Bool().Draw(t, "relevant")
		}
		before, stands := m, map[int64]bool{}
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			id := rapid.Int64Range(1, 3).Draw(t, "keyword")
			was, stood := stands[id]
			switch says := rapid.SampledFrom([]string{"up", "down", "away"}).Draw(t, "says"); says {
			case "away":
				if m.Unjudge(id) != stood {
					t.Fatalf("taking back of %d changes something: %v", id, !stood)
				}
				delete(stands, id)
			default:
				changed := m.Judge(mention.Judgement{KeywordID: id, Relevant: says == "up", Source: mention.FromAPI})
				if changed != (!stood || was != (says == "up")) {
					t.Fatalf("%s of %d changes something: %v", says, id, changed)
				}
				stands[id] = says == "up"
			}
			relevant, score := reference(before.RelevanceScore, before.Relevant, stands)
			if m.Relevant != relevant || !reflect.DeepEqual(m.RelevanceScore, score) {
				t.Fatalf("%v stands: relevant %v, score %v", stands, m.Relevant, m.RelevanceScore)
			}
			for i, j := range m.Judgements {
				if j.Relevant != stands[j.KeywordID] || len(m.Judgements) != len(stands) ||
					i > 0 && m.Judgements[i-1].KeywordID >= j.KeywordID {
					t.Fatalf("%+v, and %v stands", m.Judgements, stands)
				}
			}
			// What stands agrees with the thumb: nothing is adopted.
			adopted := m
			if adopted.Adopt(); len(m.Judgements) > 0 && !reflect.DeepEqual(adopted, m) {
				t.Fatalf("%+v is made %+v", m, adopted)
			}
		}
		m.Uphold()
		if !reflect.DeepEqual(m, before) {
			t.Fatalf("it was %+v and is %+v", before, m)
		}
	})
}

// A copy of a mention keeps its judgements when the mention is judged.
func TestJudgingChangesNoCopy(t *testing.T) {
	m := mention.Mention{Keywords: []mention.Keyword{{ID: 1}, {ID: 2}}}
	m.Judge(mention.Judgement{KeywordID: 1, Relevant: true})
	m.Judge(mention.Judgement{KeywordID: 2, Relevant: true})
	before := m
	m.Judge(mention.Judgement{KeywordID: 1, Relevant: false})
	m.Unjudge(2)
	if j, _ := before.Judgement(1); !j.Relevant || len(before.Judgements) != 2 {
		t.Errorf("%+v", before.Judgements)
	}
}

func TestAdopt(t *testing.T) {
	up, down, none := 1, -1, 0
	seven := func(relevant bool) []mention.Judgement {
		return []mention.Judgement{{KeywordID: 7, Relevant: relevant}}
	}
	for _, c := range []struct {
		feedback *int
		stands   []mention.Judgement
		want     string
	}{
		{nil, seven(true), ""}, {&none, seven(true), ""}, {&up, seven(true), "7+"}, {&down, seven(false), "7-"},
		{&down, seven(true), "7- 8-"}, {&up, nil, "7+ 8+"},
		{&up, []mention.Judgement{{KeywordID: 9, Relevant: true}}, "7+ 8+"},
		{&up, []mention.Judgement{{KeywordID: 7}, {KeywordID: 8, Relevant: true}}, "7- 8+"},
	} {
		m := mention.Mention{
			FeedbackRelevant: c.feedback,
			Judgements:       c.stands,
			Keywords:         []mention.Keyword{{ID: 8}, {ID: 7}, {ID: 8}},
		}
		m.Adopt()
		got := ""
		for i, j := range m.Judgements {
			if i > 0 {
				got += " "
			}
			got += string(rune('0'+j.KeywordID)) + map[bool]string{true: "+", false: "-"}[j.Relevant]
		}
		if got != c.want {
			t.Errorf("%v over %+v comes to %q, want %q", c.feedback, c.stands, got, c.want)
		}
	}
}
