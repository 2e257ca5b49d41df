package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"earshot/shared/judge"
	"earshot/shared/match"
)

// looked shows how the proposal of one company listens for its brand, and what matcher and judge make of each post that
// has the name. The engine reads the year as a month.
func looked(ctx context.Context, to io.Writer, folder string, splits []split, domain string) error {
	posts, err := readArchive(folder)
	if err != nil {
		return err
	}
	b, err := newBench(splits)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(b.companies, func(c company) bool { return c.Domain == domain })
	if i < 0 {
		return fmt.Errorf("no company of the splits %v has the domain %s", splits, domain)
	}
	c := b.companies[i]
	if c.Posts == written {
		posts = spread(b.texts, posts)
	}
	a, err := openArchive(ctx, compressed(posts, yearInMonth))
	if err != nil {
		return err
	}
	defer a.close()
	m, err := propose(ctx, b.judge, a.sources(view{}), c, nil)
	if err != nil {
		return err
	}
	return b.show(to, m, a)
}

// show writes the proposal's keywords, and a line for each post that has the name: whether it is relevant, matched and
// let through by the judge, each as + or -, and its text.
func (r rater) show(to io.Writer, m made, a *archive) error {
	fmt.Fprintf(to, "%s: %s\n", m.name(), m.status)
	for _, k := range m.proposal.Keywords {
		fmt.Fprintf(to, "  %s %q %s selected=%v terms=%q excludes=%q authors=%q platforms=%q\n    %s\n", k.Tag, k.Keyword,
			k.Route, k.SelectedByDefault, k.AdditionalTerms, k.ExcludeWords, k.ExcludeAuthors, k.Platforms, k.Explanation)
	}
	found, err := named(m.company, a.posts)
	if err != nil {
		return err
	}
	matcher, err := match.Compile([]match.Workspace{{Keywords: m.brand()}})
	if err != nil {
		return err
	}
	subjects := map[int64]*judge.Subject{}
	for _, k := range m.brand() {
		subjects[k.ID] = r.judge.Subject(m.workspace(), k, nil)
	}
	sign := map[bool]string{true: "+", false: "-"}
	var hits match.Hits
	for i := range found {
		p := &found[i]
		relevant, known := r.labels.of(m.company, p.SourceID)
		if !known {
			continue
		}
		var about []*judge.Subject
		comment := ""
		if matcher.Match(p, &hits); len(hits.List) > 0 {
			for _, k := range hits.List[0].Keywords {
				about = append(about, subjects[k.ID])
			}
		}
		through := false
		if len(about) > 0 {
			verdict := r.judge.Judge(r.judge.Read(p), p, about)
			through, comment = verdict.Score.Relevant(), verdict.Comment
		}
		text := strings.Join(strings.Fields(p.Text()), " ")
		fmt.Fprintf(to, "%s%s%s %s\n      %s\n", sign[relevant], sign[len(about) > 0], sign[through], text, comment)
	}
	return nil
}
