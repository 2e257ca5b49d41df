// Quality measures how good the setup engine's proposals are: for real companies, over an archive of real posts that is
// not part of the project, compared with tracking the bare name. It prints a line a company, the groups of the engine's
// targets, how many volume ranges contain the true count, what a proposal costs, and a verdict for each target. Its
// status is 0 whatever the figures are, and 1 if it could not measure.
//
// The archive is 12,000 titles of Hacker News from September 2015 to September 2016 and 47,667 comments of Reddit,
// which have no dates and are spread evenly over the same year. Where proposals are rated, ages are divided by twelve,
// so that the year is a month of a network as busy as a company's real sources; ranges are counted on the true year as
// well.
//
// What is relevant was labelled by reading: every title and comment that has a common-word name, and of the distinctive
// names every one of Uber, Tesla and Docker and every second comment of the others, whose titles were taken as meant;
// "google it" is the product. A label names its post by an id or a digest: texts are not in the project. Profiles were
// written after the posts were seen, and not changed for them. No constant of the engine was fitted to the labels, but
// which words of a sample may anchor or exclude (sampling) was decided with these figures in view: no company is held
// out.
//
// The data is in the folder of -data, by default DATA_DIR of the environment or ../shared/data.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"

	"earshot/shared/judge"
	"earshot/shared/post"
)

// yearInMonth is the divisor of ages.
const yearInMonth = 12

func main() {
	folder := flag.String("data", cmp.Or(os.Getenv("DATA_DIR"), "../shared/data"), "the folder with the data")
	flag.Parse()
	if _, err := os.Stat(*folder); err != nil {
		fmt.Printf(
			"quality: there is no archive to measure with in %s: name its folder by -data or DATA_DIR\n", *folder,
		)
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := measured(ctx, os.Stdout, *folder); err != nil {
		fmt.Fprintln(os.Stderr, "quality:", err)
		stop()
		os.Exit(1)
	}
}

// measured measures everything over the archive of a folder.
func measured(ctx context.Context, to io.Writer, folder string) error {
	posts, err := readArchive(folder)
	if err != nil {
		return err
	}
	b, err := newBench()
	if err != nil {
		return err
	}
	return b.run(ctx, to, posts)
}

// A bench is what proposals are measured with.
type bench struct {
	companies []company
	rater
}

func newBench() (b bench, err error) {
	if b.judge, err = judge.New(); err != nil {
		return b, err
	}
	if b.companies, err = readCompanies(companiesFile); err != nil {
		return b, err
	}
	b.labels, err = readLabels(labelsFile)
	return b, err
}

// run measures over posts with their true dates, and writes the figures.
func (b bench) run(ctx context.Context, to io.Writer, posts []post.Post) error {
	oldest, newest := ends(posts)
	fmt.Fprintf(to, "%d posts from %s to %s, %d companies\n\n",
		len(posts), oldest.Format(time.DateOnly), newest.Format(time.DateOnly), len(b.companies))
	busy := compressed(posts, yearInMonth)
	rows, err := b.rated(ctx, busy, busy)
	if err != nil {
		return err
	}
	fmt.Fprintln(to, "The engine reads the year as a month, and is rated on all of it:")
	writeRows(to, rows)
	groups := kinds(rows)
	fmt.Fprintln(to)
	writeGroups(to, groups)

	crossed, err := b.crossed(ctx, busy)
	if err != nil {
		return err
	}
	fmt.Fprintln(to, "\nThe engine reads one half of the posts and is rated on the other, either way:")
	writeGroups(to, kinds(crossed))

	true30, err := b.rated(ctx, posts, posts)
	if err != nil {
		return err
	}
	fmt.Fprintln(to, "\nThe engine reads the archive by its true dates, and is rated on all of it:")
	writeGroups(to, kinds(true30))

	coverages, err := b.coverages(ctx, posts, busy)
	if err != nil {
		return err
	}
	fmt.Fprintln(
		to,
		"\nVolume ranges, of texts alone and of keywords as they are scoped, that have a post in the 30 days that are surveyed:",
	)
	writeCoverage(to, coverages)

	costs := make([]cost, len(rows))
	for i, r := range rows {
		costs[i] = r.cost
	}
	fmt.Fprintf(
		to,
		"\nWhat it costs: the %d proposals that were rated first, one after the other, each in an empty store with nothing cached\n",
		len(costs),
	)
	writeCosts(to, costs)
	fmt.Fprintln(to)
	writeVerdicts(to, verdicts(groups, coverages, costs))
	return nil
}

// rated makes a proposal for every company from what the engine is shown, and rates it on posts.
func (b bench) rated(ctx context.Context, shown, posts []post.Post) ([]row, error) {
	a, err := openArchive(ctx, shown)
	if err != nil {
		return nil, err
	}
	defer a.close()
	rows := make([]row, len(b.companies))
	for i, c := range b.companies {
		if rows[i].made, err = propose(ctx, b.judge, a.sources(view{}), c); err != nil {
			return nil, err
		}
		if rows[i].engine, err = b.rate(c, rows[i].brand(), posts); err != nil {
			return nil, err
		}
		if rows[i].baseline, err = b.rate(c, bare(c), posts); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// crossed rates on each half of the posts what is proposed from the other half.
func (b bench) crossed(ctx context.Context, posts []post.Post) ([]row, error) {
	one, other := halves(posts)
	rows, err := b.rated(ctx, one, other)
	if err != nil {
		return nil, err
	}
	turned, err := b.rated(ctx, other, one)
	if err != nil {
		return nil, err
	}
	for i := range rows {
		rows[i].engine, rows[i].baseline = rows[i].engine.plus(turned[i].engine), rows[i].baseline.plus(
			turned[i].baseline,
		)
	}
	return rows, nil
}

// coverages surveys the archive by views that show the engine ever less: shorter pages, which shrink its windows, and
// earlier dates.
func (b bench) coverages(ctx context.Context, posts, busy []post.Post) (all []coverage, err error) {
	_, newest := ends(posts)
	asOf := func(months int) time.Time { return newest.AddDate(0, 0, -30*months) }
	for _, part := range []struct {
		posts []post.Post
		views []view
	}{
		{busy, []view{{}, {most: 100}, {most: 50}, {most: 20}}},
		{posts, []view{{until: asOf(1)}, {until: asOf(4)}, {until: asOf(8)},
			{until: asOf(1), most: 5}, {until: asOf(4), most: 5}, {until: asOf(8), most: 5}}},
	} {
		a, err := openArchive(ctx, part.posts)
		if err != nil {
			return nil, err
		}
		for _, v := range part.views {
			one, err := covered(ctx, b.judge, a, v, b.companies)
			if err != nil {
				a.close()
				return nil, err
			}
			all = append(all, one)
		}
		a.close()
	}
	return all, nil
}
