package modeltest

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"earshot/shared/port/model"
)

// The names of the setup agent's tools.
const (
	Measure = "measure_keyword"
	Sample  = "sample_keyword"
	Check   = "check_proposal"
	Submit  = "submit_proposal"
)

// Good follows its task. It looks at what is uncertain, checks its proposal, removes what the checks complain about,
// and submits.
func Good() *Script {
	return Scripted(func(_ context.Context, c model.Conversation, n int) (model.Reply, error) {
		b, ok := readBrief(c)
		if !ok {
			return Say("There is nothing to propose."), nil
		}
		proposed := propose(b)
		found, ok := readChecks(c)
		proposed = proposed.without(found)
		switch {
		case strings.Contains(lastWords(c), "last turn"), ok || checks(c) == 4:
			return Use(n, Call{Submit, encoded(proposed)}), nil
		case len(c.Messages) == 1:
			return Use(n, Call{Measure, encoded(map[string]string{"text": b.Candidates[0].Text + " alternative"})},
				Call{Sample, encoded(map[string]string{"ref": b.Candidates[0].Ref})}), nil
		}
		return Use(n, Call{Check, encoded(proposed)}), nil
	})
}

// checks counts the requests of the gate.
func checks(c model.Conversation) (n int) {
	for _, m := range c.Messages {
		for _, b := range m.Blocks {
			if b.Use != nil && b.Use.Name == Check {
				n++
			}
		}
	}
	return n
}

// Proposed are decisions as an agent writes them.
type Proposed struct {
	Keywords []Keyword `json:"keywords"`
	Feeds    []Feed    `json:"feeds"`
}

// A Keyword is a decision about one.
type Keyword struct {
	Ref               string              `json:"ref"`
	Route             string              `json:"route"`
	AdditionalTerms   []string            `json:"additionalTerms"`
	Explanation       string              `json:"explanation"`
	Reasons           []map[string]string `json:"reasons"`
	Confidence        float64             `json:"confidence"`
	SelectedByDefault bool                `json:"selectedByDefault"`
	Approvals         []map[string]any    `json:"approvals"`
}

// A Feed is a decision about one.
type Feed struct {
	Ref         string   `json:"ref"`
	Name        string   `json:"name"`
	Purpose     string   `json:"purpose"`
	KeywordRefs []string `json:"keywordRefs"`
}

// feedOf maps a kind of keyword to its feed.
var feedOf = map[string]Feed{
	"own_brand":     {Ref: "feed_brand", Name: "Brand", Purpose: "brand"},
	"competitor":    {Ref: "feed_competitors", Name: "Competitors", Purpose: "competitors"},
	"industry_term": {Ref: "feed_topic", Name: "Topic", Purpose: "topic"},
}

// propose decides by the content of the first message.
func propose(b brief) Proposed {
	p := Proposed{Keywords: []Keyword{}, Feeds: []Feed{}}
	for _, c := range b.Candidates {
		k := Keyword{
			Ref:               c.Ref,
			Route:             c.Route,
			AdditionalTerms:   []string{},
			Confidence:        0.7,
			SelectedByDefault: !c.Confirm,
			Explanation:       fmt.Sprintf("You hear when people write about %s.", c.Text),
			Reasons: []map[string]string{
				{"basis": "judgement", "ref": "fit", "text": "It belongs to what the company does."},
			},
			Approvals: []map[string]any{},
		}
		unclear := c.Common || c.Sample != nil && c.Sample.Posts >= 5 && c.Sample.Relevance < 0.5 ||
			c.Volume != nil && c.Volume.Band == "top_end"
		if named := c.Route == "bare" || c.Route == "anchored"; c.Route == "anchored" || named && unclear {
			k.Route, k.AdditionalTerms = "anchored", c.terms()
			if len(k.AdditionalTerms) < 3 {
				continue
			}
			k.Approvals = append(
				k.Approvals,
				map[string]any{"setting": "additionalTerms", "terms": k.AdditionalTerms, "approval": "quiet"},
			)
		}
		p.Keywords = append(p.Keywords, k)
		p.feed(c.Tag, c.Ref)
	}
	return p
}

// terms returns anchors that keep some relevant post, or the profile's if there is no sample.
func (c candidate) terms() []string {
	terms := []string{}
	if c.Sample != nil {
		for _, anchor := range c.Sample.Anchors {
			if anchor.Relevant > 0 && anchor.Relevant >= anchor.Noise {
				terms = append(terms, anchor.Term)
			}
		}
	} else {
		terms = append(terms, c.Anchors...)
	}
	return terms[:min(len(terms), 12)]
}

func (p *Proposed) feed(tag, ref string) {
	for i := range p.Feeds {
		if p.Feeds[i].Ref == feedOf[tag].Ref {
			p.Feeds[i].KeywordRefs = append(p.Feeds[i].KeywordRefs, ref)
			return
		}
	}
	f := feedOf[tag]
	f.KeywordRefs = []string{ref}
	p.Feeds = append(p.Feeds, f)
}

// without takes out the terms that the gate found fault with, and the keywords of which it did not like something else.
func (p Proposed) without(found []finding) Proposed {
	mended := Proposed{Keywords: []Keyword{}, Feeds: []Feed{}}
	for _, k := range p.Keywords {
		if k.mend(found) {
			mended.Keywords = append(mended.Keywords, k)
		}
	}
	for _, f := range p.Feeds {
		f.KeywordRefs = slices.DeleteFunc(slices.Clone(f.KeywordRefs), func(ref string) bool {
			return !slices.ContainsFunc(mended.Keywords, func(k Keyword) bool { return k.Ref == ref })
		})
		if len(f.KeywordRefs) > 0 {
			mended.Feeds = append(mended.Feeds, f)
		}
	}
	return mended
}

// mend removes what the findings complain about. It reports whether a valid keyword is left.
func (k *Keyword) mend(found []finding) bool {
	for _, f := range found {
		if f.Ref != k.Ref || f.Rule == "T3" {
			continue
		}
		terms := slices.DeleteFunc(
			slices.Clone(k.AdditionalTerms),
			func(term string) bool { return strings.Contains(f.Text, strconv.Quote(term)) },
		)
		if len(terms) == len(k.AdditionalTerms) || len(terms) < 3 {
			return false
		}
		k.AdditionalTerms = terms
		for _, approval := range k.Approvals {
			approval["terms"] = terms
		}
	}
	return true
}
