package compose_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"earshot/shared/keyword"
	"earshot/shared/proposal"
	"earshot/shared/proposal/candidate"
	"earshot/shared/proposal/measure"
	"earshot/shared/proposal/rule"
	"earshot/shared/proposal/sampling"
)

var now = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// A world is evidence being made up: what people say of a company called Acmely, of which a test changes what it is about.
type world struct{ proposal.Evidence }

func newWorld() *world {
	return &world{proposal.Evidence{
		DraftID: "draft_1", Run: 3, Domain: "acmely.example", Tier: proposal.Balanced, Now: now,
		Profile: proposal.Profile{Company: "Acmely", Language: "english"},
		Measured: proposal.Measured{
			At:      now,
			Sources: []string{"hackernews", "reddit"},
			Reasons: map[string]string{},
			Volumes: map[string]proposal.Volume{},
		},
		Sampled: proposal.Sampled{Sightings: map[string]proposal.Sighting{}},
		Plan:    proposal.Room{Allowance: 5_000, Keywords: 24, Platforms: keyword.Platforms()},
	}}
}

// add makes a candidate with its counts on Hacker News and Reddit (negative: not measured).
func (w *world) add(c proposal.Candidate, hackernews, reddit int64) {
	c.Exact = true
	c.Class = candidate.Class(c.Text)
	c.Common = candidate.Common(c.Text)
	if c.Context == "" {
		c.Context = w.Profile.Company + ": posts about " + strings.ToLower(strings.Trim(c.Text, ".!?")) + "."
	}
	w.Candidates.Candidates = append(w.Candidates.Candidates, c)
	if hackernews >= 0 {
		w.measure()
		w.Measured.Volumes[c.Ref] = volume(c, map[string]int64{"hackernews": hackernews, "reddit": reddit}, w.Measured)
	}
}

func (w *world) measure() {
	if w.Measured.Volumes == nil {
		w.Measured.Volumes = map[string]proposal.Volume{}
	}
}

// volume is what the stage measure makes of counts of 30 days.
func volume(c proposal.Candidate, counts map[string]int64, m proposal.Measured) proposal.Volume {
	var answers []proposal.Counts
	for _, source := range m.Sources {
		posts, window, capped := counts[source], proposal.Month, false
		if posts >= 1_000 {
			posts, window = posts/30, proposal.Day
		}
		if posts >= 1_000 {
			posts, capped = 1_000, true
		}
		answers = append(answers, proposal.Counts{Source: source, State: proposal.SourceAnswered,
			Counts: map[string]proposal.Count{c.Ref: {Posts: posts, Window: window, Capped: capped}}})
	}
	for _, source := range m.Failed {
		answers = append(answers, proposal.Counts{Source: source, State: proposal.SourceFailed})
	}
	joined := measure.Join(proposal.Candidates{Candidates: []proposal.Candidate{c}}, answers, nil,
		slices.Concat(m.Sources, m.Failed, m.Unmeasured), now)
	return joined.Volumes[c.Ref]
}

// post is one of the sample; the text says the rest.
func post(n int, source, author, text string, relevant bool) proposal.SampledPost {
	return proposal.SampledPost{
		ID:       fmt.Sprintf("%s_post_%d", source, n),
		Source:   source,
		Author:   author,
		Body:     text,
		Language: "english",
		PostedAt: now.Add(-time.Duration(n) * time.Hour),
		Relevant: relevant,
	}
}

// clustered puts posts together by their relevance, and a third of all into no cluster.
func clustered(posts []proposal.SampledPost) (clusters []proposal.SightedCluster) {
	for relevant, label := range map[bool]string{true: "meant", false: "noise"} {
		cluster := proposal.SightedCluster{Cluster: proposal.Cluster{Label: label}}
		for i, p := range posts {
			if p.Relevant == relevant && i%3 > 0 {
				cluster.Posts = append(cluster.Posts, i)
			}
		}
		if len(cluster.Posts) >= sampling.LeastCluster {
			cluster.Share = float64(len(cluster.Posts)) / float64(len(posts))
			clusters = append(clusters, cluster)
		}
	}
	slices.SortFunc(clusters, func(a, b proposal.SightedCluster) int {
		return cmp.Or(len(b.Posts)-len(a.Posts), strings.Compare(a.Label, b.Label))
	})
	return clusters
}

// sees has the sample of a candidate show these posts, with the figures of terms that the stage sample would find.
func (w *world) sees(ref string, posts []proposal.SampledPost, anchors, excludes, authors []string) {
	c, _ := w.Candidates.Of(ref)
	s := proposal.Sighting{Posts: posts, Clusters: clustered(posts)}
	figure := func(term string, k keyword.Keyword, without bool) proposal.TermFigure {
		f := proposal.TermFigure{Term: term}
		kept := map[int]bool{}
		for _, at := range sampling.Keeps(k, posts) {
			kept[at] = true
		}
		for at, p := range posts {
			switch {
			case kept[at] == without:
			case p.Relevant:
				f.Relevant++
			default:
				f.Noise++
			}
		}
		return f
	}
	for _, term := range anchors {
		k := sampling.Bare(c)
		k.AdditionalTerms = []string{term}
		s.Anchors = append(s.Anchors, figure(term, k, false))
	}
	for _, term := range excludes {
		k := sampling.Bare(c)
		k.ExcludeWords = []string{term}
		s.Excludes = append(s.Excludes, figure(term, k, true))
	}
	for _, term := range authors {
		k := sampling.Bare(c)
		k.ExcludeAuthors = []string{term}
		s.Authors = append(s.Authors, figure(term, k, true))
	}
	for _, p := range posts {
		if p.Relevant {
			s.Relevant++
		}
	}
	w.Sampled.Sightings[ref] = s
}

// distinctive is a company whose name nobody else has.
func distinctive() *world {
	w := newWorld()
	w.add(proposal.Candidate{Ref: "brand", Text: "Acmely", Tag: keyword.OwnBrand, Route: proposal.Bare}, 12, 9)
	w.add(proposal.Candidate{
		Ref:   "brand_domain",
		Text:  "acmely.example",
		Tag:   keyword.OwnBrand,
		Route: proposal.DomainVariant,
	}, 3, 1)
	w.add(proposal.Candidate{Ref: "competitor_1", Text: "Zendrix", Tag: keyword.Competitor, Route: proposal.Bare}, 60, 50)
	w.add(proposal.Candidate{Ref: "industry_1", Text: "invoice matching", Tag: keyword.IndustryTerm, Route: proposal.Bare}, 40, 20)
	var brand, competitor, industry []proposal.SampledPost
	for i := range 10 {
		brand = append(brand, post(i, "hackernews", "ann", fmt.Sprintf("we moved to Acmely last week, number %d", i), true))
		competitor = append(competitor,
			post(100+i, "reddit", "bob", fmt.Sprintf("Zendrix raised its prices %d times", i), i != 0))
		industry = append(industry, post(200+i, "reddit", "cy", fmt.Sprintf("our invoice matching takes %d days", i), i > 1))
	}
	w.sees("brand", brand, nil, nil, nil)
	w.sees("competitor_1", competitor, nil, nil, nil)
	w.sees("industry_1", industry, nil, nil, nil)
	return w
}

// commonWord is a company called Box: a third of the posts mean it.
func commonWord(hackernews, reddit int64) *world {
	w := newWorld()
	w.Domain, w.Profile.Company = "box.example", "Box"
	w.add(proposal.Candidate{Ref: "brand", Text: "Box", Tag: keyword.OwnBrand, Route: proposal.Bare,
		Anchors: []string{"OneDrive", "Dropbox", "box.example", "enterprise"}, RejectedAnchors: []string{"app"}}, hackernews,
		reddit)
	w.add(proposal.Candidate{
		Ref:   "brand_domain",
		Text:  "box.example",
		Tag:   keyword.OwnBrand,
		Route: proposal.DomainVariant,
	}, 5, 5)
	w.sees("brand", boxPosts(), []string{"Dropbox", "file sharing", "storage", "OneDrive", "sync", "SSO"},
		[]string{"cardboard", "gift", "storage"}, []string{"dealbot"})
	return w
}

// boxPosts are posts of a forum whose titles write every Box with a capital, so that the capital tells nothing.
func boxPosts() []proposal.SampledPost { return boxesWritten("Box") }

// boxesWritten are posts whose noise writes the word so.
func boxesWritten(word string) (posts []proposal.SampledPost) {
	meant := []string{"Box or Dropbox for a team", "SSO with Box broke", "Box storage is cheaper than OneDrive",
		"OneDrive lost files, Box did not",
		"sync in Box is slow", "Box permissions and sync", "Dropbox beats Box at SSO", "Box lost my folder",
		"moved our storage to Box, storage grew",
		"Box sync fails without SSO"}
	for i, text := range meant {
		posts = append(posts, post(i, []string{"hackernews", "reddit"}[i%2], "ann", text, true))
	}
	noise := []string{"a cardboard box full of books", "the cardboard box got wet", "gift box ideas", "a gift box for mum",
		"box of storage tapes",
		"think outside the box", "black box model", "box office this week", "cardboard box fort", "the box set is out"}
	for i := range 20 {
		author := "eve"
		if i%4 == 0 {
			author = "dealbot"
		}
		posts = append(posts, post(50+i, []string{"hackernews", "reddit"}[i%2], author,
			fmt.Sprintf("%s %d", strings.ReplaceAll(noise[i%len(noise)], "box", word), i), false))
	}
	return posts
}

// holds checks that a proposal keeps to every rule.
func holds(t interface {
	Helper()
	Errorf(string, ...any)
}, p proposal.Proposal, e proposal.Evidence) {
	t.Helper()
	for _, f := range rule.Refused(rule.Check(p, e)) {
		t.Errorf("%s at %s (%s): %s", f.Rule, f.Place, f.Ref, f.Text)
	}
}

func keywordOf(t *testing.T, p proposal.Proposal, ref string) proposal.Keyword {
	t.Helper()
	for _, k := range p.Keywords {
		if k.Ref == ref {
			return k
		}
	}
	t.Fatalf("no keyword %s is proposed", ref)
	return proposal.Keyword{}
}

func proposes(p proposal.Proposal, ref string) bool {
	return slices.ContainsFunc(p.Keywords, func(k proposal.Keyword) bool { return k.Ref == ref })
}

func feedOf(t *testing.T, p proposal.Proposal, purpose proposal.Purpose) proposal.Feed {
	t.Helper()
	for _, f := range p.Feeds {
		if f.Purpose == purpose {
			return f
		}
	}
	t.Fatalf("no feed is for %s", purpose)
	return proposal.Feed{}
}

func warns(p proposal.Proposal, code string) bool {
	return slices.ContainsFunc(p.Warnings, func(w proposal.Warning) bool { return w.Code == code })
}
