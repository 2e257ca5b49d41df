package main

import (
	"fmt"
	"slices"
	"time"

	"earshot/shared/judge"
	"earshot/shared/keyword"
	"earshot/shared/match"
	"earshot/shared/post"
	"earshot/shared/proposal"
	"earshot/shared/proposal/candidate"
	"earshot/shared/proposal/compose"
	"earshot/shared/proposal/measure"
	"earshot/shared/proposal/rule"
	"earshot/shared/proposal/sampling"
	"earshot/shared/workspace"
)

// now is when all cases take place.
var now = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

var sources = [2]string{"hackernews", "reddit"}

// caught counts posts that were let through, and those of them that are relevant.
type caught struct{ matched, caught int }

func (c *caught) add(relevant bool) {
	if c.matched++; relevant {
		c.caught++
	}
}

func (c caught) plus(o caught) caught { return caught{c.matched + o.matched, c.caught + o.caught} }

// Causes of a relevant post's loss, in the order in which a post meets them.
const (
	byNoKeyword = iota
	byAnchors
	byPlatforms
	byExclusions
	byJudge
	causes
)

// A rating is what a proposal makes of a case's posts.
type rating struct {
	posts, relevant        int
	sampled, right         int // posts of the brand's sample, and those that were judged right
	bare, proposed, judged caught
	lost                   [causes]int
}

func (r rating) plus(o rating) rating {
	for i, n := range o.lost {
		r.lost[i] += n
	}
	r.posts, r.relevant, r.sampled, r.right = r.posts+o.posts, r.relevant+o.relevant, r.sampled+o.sampled, r.right+o.right
	r.bare, r.proposed, r.judged = r.bare.plus(o.bare), r.proposed.plus(o.proposed), r.judged.plus(o.judged)
	return r
}

func (r rating) String() string {
	text := fmt.Sprintf("%d\t%d\t%.2f\t", r.posts, r.relevant, ratio(r.right, r.sampled))
	for _, c := range []caught{r.bare, r.proposed, r.judged} {
		text += fmt.Sprintf("%.2f\t%.2f\t", ratio(c.caught, r.relevant), ratio(c.caught, c.matched))
	}
	for _, n := range r.lost {
		text += fmt.Sprintf("%d\t", n)
	}
	return text
}

func ratio(part, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(part) / float64(of)
}

// rate proposes for a company from what is shown, and rates the keywords of its own brand.
func rate(j *judge.Judge, c made, shown, rated []labelled) (r rating, err error) {
	e, right := evidence(j, c, shown)
	studied := compose.Study(e)
	_, p := studied.Narrow(studied.Decide())
	if refused := rule.Refused(rule.Check(p, e)); len(refused) > 0 {
		return r, fmt.Errorf("%s: %s refuses: %s", c.name, refused[0].Rule, refused[0].Text)
	}
	r.sampled, r.right = len(e.Sampled.Sightings[candidate.RefBrand].Posts), right
	var own []keyword.Keyword
	for _, k := range p.Keywords {
		if k.Tag == keyword.OwnBrand && k.SelectedByDefault {
			tracked := k.Tracked()
			tracked.ID = int64(len(own) + 1)
			own = append(own, tracked)
		}
	}
	company := workspace.Company{
		Name:        c.profile.Company,
		Domain:      c.domain,
		Description: c.profile.Description,
		Products:    c.profile.Products,
		Audience:    c.profile.Audience,
	}
	name := keyword.Keyword{ID: 1, Text: c.profile.Company, ExactMatch: true, Tag: keyword.OwnBrand}
	bare := []*judge.Subject{j.Subject(company, name, nil)}
	subjects := map[int64]*judge.Subject{}
	for _, k := range own {
		subjects[k.ID] = j.Subject(company, k, nil)
	}
	named, listening, why := compiled([]keyword.Keyword{name}), compiled(own), newLosses(own, name.Text)
	for i := range rated {
		p := &rated[i]
		if len(matched(named, &p.Post)) == 0 {
			continue
		}
		if r.posts++; p.relevant {
			r.relevant++
		}
		reading := j.Read(&p.Post)
		if j.Judge(reading, &p.Post, bare).Score.Relevant() {
			r.bare.add(p.relevant)
		}
		var about []*judge.Subject
		for _, id := range matched(listening, &p.Post) {
			about = append(about, subjects[id])
		}
		if len(about) == 0 {
			if p.relevant {
				r.lost[why.of(&p.Post)]++
			}
			continue
		}
		r.proposed.add(p.relevant)
		if j.Judge(reading, &p.Post, about).Score.Relevant() {
			r.judged.add(p.relevant)
		} else if p.relevant {
			r.lost[byJudge]++
		}
	}
	return r, nil
}

// losses tells why keywords do not find a post.
type losses struct {
	named              bool // a keyword is the name
	anchored, narrowed *match.Matcher
}

func newLosses(own []keyword.Keyword, name string) (l losses) {
	anchored, narrowed := slices.Clone(own), slices.Clone(own)
	for i := range own {
		l.named = l.named || own[i].Text == name
		narrowed[i].ExcludeWords, narrowed[i].WildcardExcludeWords, narrowed[i].ExcludeAuthors = nil, nil, nil
		anchored[i] = narrowed[i]
		anchored[i].Platforms = nil
	}
	l.anchored, l.narrowed = compiled(anchored), compiled(narrowed)
	return l
}

func (l losses) of(p *post.Post) int {
	switch {
	case len(matched(l.anchored, p)) == 0 && !l.named:
		return byNoKeyword
	case len(matched(l.anchored, p)) == 0:
		return byAnchors
	case len(matched(l.narrowed, p)) == 0:
		return byPlatforms
	}
	return byExclusions
}

// evidence is what the stages find out from posts, and how many posts of the brand's sample were judged right.
func evidence(j *judge.Judge, c made, shown []labelled) (e proposal.Evidence, right int) {
	e = proposal.Evidence{
		DraftID:    "draft_1",
		Run:        1,
		Domain:     c.domain,
		Profile:    c.profile,
		Tier:       proposal.Balanced,
		Candidates: candidate.Of(c.domain, c.profile),
		Sampled:    proposal.Sampled{Sightings: map[string]proposal.Sighting{}},
		Plan:       proposal.Room{Allowance: 20_000, Keywords: proposal.MaxKeywords, Platforms: keyword.Platforms()},
		Now:        now,
	}
	var posts []post.Post
	means := map[string]bool{}
	for _, p := range shown {
		posts = append(posts, p.Post)
		means[p.SourceID] = p.relevant
	}
	counts := make([]proposal.Counts, len(sources))
	for i, source := range sources {
		counts[i] = proposal.Counts{Source: source, State: proposal.SourceAnswered, Counts: map[string]proposal.Count{}}
	}
	sampler := sampling.New(j, c.profile, c.domain)
	for _, one := range e.Candidates.Candidates {
		for i, source := range sources {
			count := proposal.Count{Window: proposal.Month}
			for _, p := range found(posts, sampling.Bare(one)) {
				if p.Source == source {
					count.Posts++
				}
			}
			counts[i].Counts[one.Ref] = count
		}
		e.Sampled.Sightings[one.Ref] = sampler.Look(one, posts, e.Tier.Depth().Posts)
	}
	e.Measured = measure.Join(e.Candidates, counts, nil, sources[:], now)
	for _, p := range e.Sampled.Sightings[candidate.RefBrand].Posts {
		if means[p.ID] == p.Relevant {
			right++
		}
	}
	return e, right
}

// compiled returns nil for keywords that cannot be compiled; nothing matches these.
func compiled(keywords []keyword.Keyword) *match.Matcher {
	matcher, err := match.Compile([]match.Workspace{{Keywords: keywords}})
	if err != nil {
		return nil
	}
	return matcher
}

// matched returns the ids of the keywords that a post matches.
func matched(m *match.Matcher, p *post.Post) (ids []int64) {
	if m == nil {
		return nil
	}
	var hits match.Hits
	m.Match(p, &hits)
	for _, hit := range hits.List {
		for _, k := range hit.Keywords {
			ids = append(ids, k.ID)
		}
	}
	return ids
}

// found returns the posts that a keyword matches.
func found(posts []post.Post, k keyword.Keyword) (out []post.Post) {
	m := compiled([]keyword.Keyword{k})
	for i := range posts {
		if len(matched(m, &posts[i])) > 0 {
			out = append(out, posts[i])
		}
	}
	return out
}
