package main

import (
	"fmt"

	"earshot/shared/judge"
	"earshot/shared/keyword"
	"earshot/shared/match"
	"earshot/shared/post"
)

// A tally counts posts that have a company's name.
type tally struct {
	relevant int // that mean the company
	matched  int // that the keywords match
	caught   int // both
}

func (t tally) plus(o tally) tally {
	return tally{t.relevant + o.relevant, t.matched + o.matched, t.caught + o.caught}
}

// catch is the share of the relevant posts that were matched. precision is the share of the matched posts that are
// relevant. ok is false if there are no posts to count.
func (t tally) catch() (share float64, ok bool)     { return ratio(t.caught, t.relevant) }
func (t tally) precision() (share float64, ok bool) { return ratio(t.caught, t.matched) }

func ratio(part, of int) (float64, bool) {
	if of == 0 {
		return 0, false
	}
	return float64(part) / float64(of), true
}

// An outcome is what keywords make of the posts that have a company's name.
type outcome struct {
	tally         // of all that match
	judged  tally // of those that the judge of live mentions lets through
	further int   // matched posts that lack the name: nobody labelled them
}

func (o outcome) plus(p outcome) outcome {
	return outcome{o.tally.plus(p.tally), o.judged.plus(p.judged), o.further + p.further}
}

// A rater rates keywords on labelled posts.
type rater struct {
	judge  *judge.Judge
	labels labels
}

// rate matches keywords as live posts are matched, and judges matches as mentions are judged. found are the posts that
// have the company's name: see named. One of them without a label is an error, because the labels are for this archive.
func (r rater) rate(c company, keywords []keyword.Keyword, posts, found []post.Post) (outcome, error) {
	has := map[string]bool{}
	for i := range found {
		has[found[i].SourceID] = true
	}
	listening, err := match.Compile([]match.Workspace{{Keywords: keywords}})
	if err != nil {
		return outcome{}, err
	}
	subjects := map[int64]*judge.Subject{}
	for _, k := range keywords {
		subjects[k.ID] = r.judge.Subject(c.workspace(), k, nil)
	}
	var out outcome
	var hits match.Hits
	for i := range posts {
		p := &posts[i]
		if !c.counts(p) {
			continue
		}
		listening.Match(p, &hits)
		if !has[p.SourceID] {
			out.further += len(hits.List)
			continue
		}
		relevant, known := r.labels.of(c, p.SourceID)
		if !known && len(r.labels[c.Domain]) == mostLabelled {
			continue
		}
		if !known {
			return outcome{}, fmt.Errorf("%s: the post %s has the name and no label", c.name(), p.SourceID)
		}
		if relevant {
			out.relevant++
			out.judged.relevant++
		}
		if len(hits.List) == 0 {
			continue
		}
		out.matched++
		if relevant {
			out.caught++
		}
		var about []*judge.Subject
		for _, k := range hits.List[0].Keywords {
			about = append(about, subjects[k.ID])
		}
		if verdict := r.judge.Judge(r.judge.Read(p), p, about); verdict.Score.Relevant() {
			out.judged.matched++
			if relevant {
				out.judged.caught++
			}
		}
	}
	return out, nil
}

// named returns the posts that have a company's name, of those that count.
func named(c company, posts []post.Post) (found []post.Post, err error) {
	matcher, err := match.Compile([]match.Workspace{{Keywords: []keyword.Keyword{c.baseline()}}})
	if err != nil {
		return nil, err
	}
	var hits match.Hits
	for i := range posts {
		if !c.counts(&posts[i]) {
			continue
		}
		if matcher.Match(&posts[i], &hits); len(hits.List) > 0 {
			found = append(found, posts[i])
		}
	}
	return found, nil
}

// A row is a company's line.
type row struct {
	made
	engine, baseline outcome
}

// A mean averages the shares that exist.
type mean struct {
	sum float64
	n   int
}

func (m *mean) add(share float64, ok bool) {
	if ok {
		m.sum, m.n = m.sum+share, m.n+1
	}
}

func (m mean) value() (float64, bool) {
	if m.n == 0 {
		return 0, false
	}
	return m.sum / float64(m.n), true
}

// A group is rows together: micro weighs every post alike, macro every company.
type group struct {
	engine, baseline                                 outcome
	catch, precision, baselinePrecision              mean
	judgedCatch, judgedPrecision, baselineJudgedMean mean
	companies                                        int
}

func groupOf(rows []row, in func(row) bool) group {
	var g group
	for _, r := range rows {
		if !in(r) {
			continue
		}
		g.companies++
		g.engine, g.baseline = g.engine.plus(r.engine), g.baseline.plus(r.baseline)
		g.catch.add(r.engine.catch())
		g.precision.add(r.engine.precision())
		g.baselinePrecision.add(r.baseline.precision())
		g.judgedCatch.add(r.engine.judged.catch())
		g.judgedPrecision.add(r.engine.judged.precision())
		g.baselineJudgedMean.add(r.baseline.judged.precision())
	}
	return g
}
