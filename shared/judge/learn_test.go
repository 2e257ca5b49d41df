package judge_test

import (
	"fmt"
	"testing"

	"earshot/shared/judge"
	"earshot/shared/keyword"
	"earshot/shared/mention"
	"earshot/shared/post"
	"earshot/shared/workspace"
)

var pager = workspace.Company{
	Name: "Northwind", Description: "Northwind pages the right person when software breaks: alerting, on-call schedules, escalation, incident response.",
	Products: []string{"alerting", "on-call schedules"}, ExcludeTerms: []string{"storm", "weather"},
}

var onTopic = []string{
	"Northwind woke me up for the outage before the customers noticed. Love it.",
	"Northwind paged our on-call engineer during the incident",
	"We moved our alerting to northwind last month",
	"The northwind escalation policies page the wrong team",
}

var ofWeather = []string{
	"The cold northwind blew over the sea and the ship", "the icy northwind howled across the winter sea",
	"A northwind brings snow to the hills",
	"northwind and rain all week on the coast", "the sailors feared the northwind", "leaves fall when the northwind blows",
	"a bitter northwind froze the river", "the northwind and the sun argued about who was stronger",
}

func scoreOf(t *testing.T, j *judge.Judge, k keyword.Keyword, text string, feedback ...judge.Feedback) mention.Score {
	t.Helper()
	p := &post.Post{Source: "hackernews", Body: &text}
	return j.Judge(j.Read(p), p, []*judge.Subject{j.Subject(pager, k, feedback)}).Score
}

func feedback(j *judge.Judge, relevant bool, texts ...string) (all []judge.Feedback) {
	for _, text := range texts {
		p := &post.Post{Source: "hackernews", Body: &text}
		all = append(all, judge.Feedback{Relevant: relevant, Vector: j.Read(p).Vector()})
	}
	return all
}

// Even a few judgements draw in their own direction. A post like one marked as relevant does not become less relevant,
// and the other way round.
func TestJudge_FewLabels(t *testing.T) {
	j, err := judge.New()
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"northwind", "outage", "monitoring", "observability", "incident response"} {
		k := keyword.Keyword{ID: 1, Text: text, ExactMatch: true, Tag: keyword.IndustryTerm}
		for n := 1; n <= 6; n++ {
			for _, relevant := range []bool{true, false} {
				marked := make([]string, n)
				for i := range marked {
					marked[i] = fmt.Sprintf("Our %s paged the on-call engineer, incident %d", text, i)
				}
				learned := feedback(j, relevant, marked...)
				for _, like := range []string{"Our " + text + " paged the on-call engineer again",
					"the " + text + " tools of the on-call team"} {
					before, after := scoreOf(t, j, k, like), scoreOf(t, j, k, like, learned...)
					if relevant && after > before || !relevant && after < before {
						t.Errorf("%q: %d marked as relevant %v turn %q from %d to %d", text, n, relevant, like, before, after)
					}
				}
			}
		}
	}
}

// Posts like those that a team keeps marking as noise go, even for a distinctive name. Posts that it wants stay.
func TestJudge_LabelsOnDistinctiveName(t *testing.T) {
	j, err := judge.New()
	if err != nil {
		t.Fatal(err)
	}
	k := keyword.Keyword{
		ID:         1,
		Text:       "northwind",
		ExactMatch: true,
		Tag:        keyword.OwnBrand,
		Context:    "Northwind, the on-call and alerting product.",
	}
	learned := append(feedback(j, false, ofWeather...), feedback(j, true, onTopic[:2]...)...)
	for _, text := range []string{"the freezing northwind howled across the winter sea and the sailors shivered",
		"a northwind blew over the frozen mountains at night"} {
		if got := scoreOf(t, j, k, text, learned...); got != mention.Low {
			t.Errorf("%q is judged %d", text, got)
		}
	}
	for _, text := range onTopic[2:] {
		if got := scoreOf(t, j, k, text, learned...); !got.Relevant() {
			t.Errorf("%q is judged %d", text, got)
		}
	}
}
