package setupstages_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"earshot/shared/keyword"
	"earshot/shared/proposal"
	"earshot/shared/proposal/candidate"
	"earshot/shared/proposal/measure"
	"earshot/shared/proposal/sampling"
	"earshot/shared/worldtest"
)

// A chance draws evidence: the same seed gives the same evidence.
type chance struct{ *rand.Rand }

func newChance(seed uint64) chance { return chance{rand.New(rand.NewPCG(seed, 17))} }

// once reports true in one of n draws.
func (c chance) once(n int) bool { return c.IntN(n) == 0 }

// between draws a whole number of a range, both ends included.
func (c chance) between(low, high int) int { return low + c.IntN(high-low+1) }

func pick[T any](c chance, of []T) T { return of[c.IntN(len(of))] }

// some draws at most n of a list, each once.
func some[T any](c chance, n int, of []T) []T {
	drawn := slices.Clone(of)
	c.Shuffle(len(drawn), func(i, j int) { drawn[i], drawn[j] = drawn[j], drawn[i] })
	return drawn[:min(c.between(0, n), len(drawn))]
}

var (
	madeUp = []string{"Acmely", "Quillora", "Tavolix", "Brontix", "Miravo", "Orlenza", "Zendrix", "Wexolo", "Pandrily",
		"Kestrova"}
	everyday = []string{"Box", "Orchard", "Notion", "Square", "Linear", "Bolt", "Empty", "Harbor", "Slack", "Ramp",
		"Hood", "Vivo", "App", "Signal"}
	composite = []string{"Acme Cloud", "Blue River", "Yahoo!", "Node.js", "monday.com", "R&D", "K2", "Søk", "東京テレコム",
		"O'Reilly", "Johnson & Co.", "A1"}
	areas = []string{"invoice matching", "accounts payable", "oil lamps", "team folders", "observability", "pricing",
		"boat repair", "night trains", "software", "field notes"}
	said = strings.Fields(
		"invoice ledger payments sync storage folders lantern wicks sailors harbour hiring salary cardboard gift office voucher deploys " +
			"registry outage alert météo rechnung 東京 tapes archive wagon bakery flour tickets")
	blurbs = []string{"", "", "It sells lanterns, wicks, oil and matches to sailors and miners.",
		"Invoice matching for finance teams that hate ledgers.",
		"A bakery with flour of its own mill.", "Software."}
	searched = []string{"hackernews", "reddit", "github", "youtube", "twitter", "bluesky", "stackoverflow", "news"}
)

// drawEvidence is evidence of any kind: stages that failed, sources that failed, any volume, any sample, any plan.
func drawEvidence(c chance) proposal.Evidence {
	company := pick(c, [][]string{madeUp, everyday, composite}[c.IntN(3)])
	label := strings.ToLower(strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, company))
	if len(label) < 2 {
		label = "quietharbor"
	}
	e := proposal.Evidence{
		DraftID: "draft_01KAF3Y3W2V4GZ9M6T8Q5X7B1C",
		Run:     1,
		Domain:  label + ".example",
		Tier:    pick(c, proposal.Tiers()),
		Now:     worldtest.Now,
		Profile: proposal.Profile{
			Company:       company,
			Description:   pick(c, blurbs),
			Language:      pick(c, []string{"english", "english", "portuguese", "undetermined"}),
			Competitors:   some(c, 8, slices.Concat(madeUp, everyday)),
			IndustryTerms: some(c, 6, areas),
			Products:      some(c, 4, []string{company + " Pro", "Wickmaster", "Cloud", "Spark", "Quietpager"}),
		},
	}
	for _, platform := range some(c, 2, []string{"twitter", "github", "linkedin"}) {
		e.Profile.Handles = append(e.Profile.Handles, proposal.Handle{Platform: platform, Handle: label, Linked: !c.once(3)})
	}
	e.Candidates = candidate.Of(e.Domain, e.Profile)
	if c.once(12) {
		e.Candidates = candidate.FromDomain(e.Domain)
	}
	e.Interrupted = c.once(12)
	if !c.once(10) {
		e.Measured = drawMeasured(c, e.Candidates)
	}
	if !c.once(10) {
		e.Sampled = drawSampled(c, e)
	}
	e.Plan = proposal.Room{
		Allowance: pick(c, []float64{10, 200, 1_000, 5_000, 5_000, 5_000, 25_000, 100_000, 2_000_000}),
		Keywords:  pick(c, []int{0, 1, 5, 5, 20, 24, 100}),
		Platforms: keyword.Platforms(),
	}
	if c.once(5) {
		e.Plan.Platforms = some(c, 8, searched)
	}
	if c.once(4) {
		for _, one := range e.Candidates.Candidates {
			if c.once(4) {
				e.Plan.Tracked = append(e.Plan.Tracked, one.Text)
				if c.once(2) {
					e.Plan.Bare = append(e.Plan.Bare, one.Text)
				}
			}
		}
	}
	return e
}

// drawMeasured counts each candidate in some sources: from nothing to 100,000 posts a month, most of them in a few.
func drawMeasured(c chance, of proposal.Candidates) proposal.Measured {
	monthly := map[string]float64{}
	for _, one := range of.Candidates {
		monthly[one.Ref] = math.Floor(math.Pow(10, 5*c.Float64())) - 1
		if c.once(6) {
			monthly[one.Ref] = 0
		}
	}
	if c.once(3) {
		monthly[candidate.RefBrand] = float64(c.between(1_500, 4_000)) // about as much as one keyword may bring
	}
	var counts []proposal.Counts
	for _, source := range searched {
		counted := proposal.Counts{
			Source:    source,
			State:     proposal.SourceAnswered,
			Counts:    map[string]proposal.Count{},
			CountedAt: worldtest.Now,
			Requests:  1,
		}
		if c.once(4) {
			counted.State = pick(c, []proposal.SourceState{proposal.SourceFailed, proposal.SourceSpent,
				proposal.SourceUnmeasured})
			counted.Reason = "it did not answer"
		}
		for _, one := range of.Candidates {
			if counted.State != proposal.SourceAnswered && !c.once(8) {
				continue
			}
			part := pick(c, []float64{0, 0, 0.02, 0.2, 0.6, 1})
			n := proposal.Count{Posts: int64(part * monthly[one.Ref]), Window: proposal.Month}
			for _, window := range []proposal.Window{proposal.Week, proposal.Day} {
				if n.Posts > 1_000 {
					n.Posts, n.Window = int64(part*monthly[one.Ref]*window.Days()/30), window
				}
			}
			if n.Posts > 1_000 {
				n.Posts, n.Capped = 1_000, true
			}
			counted.Counts[one.Ref] = n
		}
		counts = append(counts, counted)
	}
	return measure.Join(of, counts, nil, append(slices.Clone(searched), "newsletter", "linkedin"), worldtest.Now)
}

// drawSampled reads posts of each candidate: none, mostly meant, mostly noise, of one subject, author or language.
func drawSampled(c chance, e proposal.Evidence) proposal.Sampled {
	out := proposal.Sampled{Sightings: map[string]proposal.Sighting{}}
	for _, one := range e.Candidates.Candidates {
		out.Sightings[one.Ref] = drawSighting(c, one)
	}
	return out
}

func drawSighting(c chance, of proposal.Candidate) proposal.Sighting {
	s := proposal.Sighting{
		Posts:     []proposal.SampledPost{},
		Languages: map[string]int{},
		Sources:   map[string]proposal.SourceSample{},
	}
	size := pick(c, []int{0, 1, 3, 5, 9, 12, 30, 30})
	meant := pick(c, []float64{0, 0.1, 0.3, 0.5, 0.8, 0.95, 1, 1, 1})
	author, subject, language, bare := c.once(6), c.once(4), c.once(6), c.once(8)
	on := append(some(c, 4, searched), pick(c, searched))
	for i := range size {
		p := proposal.SampledPost{
			ID:       fmt.Sprintf("%s_%d", of.Ref, i),
			Source:   pick(c, on),
			Author:   fmt.Sprint("author", c.IntN(9)),
			Language: "english",
			PostedAt: worldtest.Now.Add(-time.Duration(i) * 11 * time.Hour),
			Relevant: c.Float64() < meant,
			Job:      c.once(9),
			Body:     of.Text,
		}
		words := said[:14]
		if !p.Relevant {
			words = said[10:]
		}
		if !bare {
			p.Body += " and " + strings.Join(some(c, 4, words), " or ")
		}
		if author && !p.Relevant {
			p.Author = "dealbot"
		}
		if language {
			p.Language = "german"
		}
		s.Posts = append(s.Posts, p)
		s.Languages[p.Language]++
		source := s.Sources[p.Source]
		source.Scored++
		if p.Relevant {
			s.Relevant++
			source.Relevant++
		}
		s.Sources[p.Source] = source
	}
	if size == 0 {
		return s
	}
	if language {
		s.Foreign = 1
	}
	figures := func(terms []string, make func(k *keyword.Keyword, term string), kept bool) (all []proposal.TermFigure) {
		var keywords []keyword.Keyword
		for _, term := range terms {
			k := sampling.Bare(of)
			make(&k, term)
			keywords = append(keywords, k)
		}
		for i, places := range sampling.KeepsEach(keywords, s.Posts) {
			f := proposal.TermFigure{Term: terms[i]}
			for at, p := range s.Posts {
				if slices.Contains(places, at) != kept {
					continue
				}
				if p.Relevant {
					f.Relevant++
				} else {
					f.Noise++
				}
			}
			if f.Relevant+f.Noise > 0 {
				all = append(all, f)
			}
		}
		return all
	}
	beside := func(k *keyword.Keyword, term string) { k.AdditionalTerms = []string{term} }
	s.Anchors = figures(some(c, 12, said[:14]), beside, true)
	s.Excludes = figures(some(c, 5, said[10:]), func(k *keyword.Keyword, term string) { k.ExcludeWords = []string{term} }, false)
	s.Authors = figures([]string{"dealbot"}, func(k *keyword.Keyword, term string) { k.ExcludeAuthors = []string{term} }, false)
	cluster := proposal.SightedCluster{Cluster: proposal.Cluster{Label: "subject"}}
	for at := range s.Posts {
		if subject || c.once(3) {
			cluster.Posts = append(cluster.Posts, at)
		}
	}
	if len(cluster.Posts) >= sampling.LeastCluster {
		cluster.Share = float64(len(cluster.Posts)) / float64(size)
		s.Clusters = append(s.Clusters, cluster)
	}
	return s
}
