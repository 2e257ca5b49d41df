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
// What is relevant was labelled by reading. Relevant is a post that the company's marketing would want to see: "google
// it" is the product, "a Tinder for colours" is not Tinder. Of the first 43 companies, every title and comment that has a
// common-word name was read, and of the distinctive names every one of Uber, Tesla and Docker and every second comment
// of the others, whose titles were taken as meant. Of the later companies up to 60 posts each were read. A label names
// its post by an id or a digest: texts are not in the project. `-unlabelled` lists what lacks a label.
//
// Companies whose names are words of another language have posts that were written for the benchmark (written). Their
// shares of relevant posts are made up, so that their figures say how well senses are told apart, and nothing of how
// much noise there is.
//
// Profiles were written after the posts were seen, and not changed for them. Until September 2026 it was decided with
// the figures of the first 43 companies in view which words of a sample may anchor or exclude (sampling).
//
// Companies are split in two by their domains (split), for all tables alike. Change the engine with the figures of dev
// in view only: SPLIT=dev prints no others.
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
	"runtime"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"earshot/shared/judge"
	"earshot/shared/post"
)

// yearInMonth is the divisor of ages.
const yearInMonth = 12

func main() {
	folder := flag.String("data", cmp.Or(os.Getenv("DATA_DIR"), "../shared/data"), "the folder with the data")
	unlabelled := flag.Bool("unlabelled", false, "list the posts that lack a label, to be read, and measure nothing")
	domain := flag.String("company", "",
		"show one company's proposal and what it makes of each labelled post, and no tables")
	agents := flag.Bool("agents", false, "compare proposals by agents with those by rules, and measure nothing else")
	part := flag.String("split", os.Getenv("SPLIT"), "dev or test; by default both, apart")
	flag.Parse()
	splits, err := readSplits(*part)
	if err != nil {
		fmt.Fprintln(os.Stderr, "quality:", err)
		os.Exit(1)
	}
	if _, err := os.Stat(*folder); err != nil {
		fmt.Printf(
			"quality: there is no archive to measure with in %s: name its folder by -data or DATA_DIR\n", *folder,
		)
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	work := measured
	switch {
	case *agents:
		work = compared
	case *unlabelled:
		work = listed
	case *domain != "":
		work = func(ctx context.Context, to io.Writer, folder string, splits []split) error {
			return looked(ctx, to, folder, splits, *domain)
		}
	}
	if err := work(ctx, os.Stdout, *folder, splits); err != nil {
		fmt.Fprintln(os.Stderr, "quality:", err)
		stop()
		os.Exit(1)
	}
}

// measured measures everything over the archive of a folder, and reports on splits.
func measured(ctx context.Context, to io.Writer, folder string, splits []split) error {
	posts, err := readArchive(folder)
	if err != nil {
		return err
	}
	b, err := newBench(splits)
	if err != nil {
		return err
	}
	return b.run(ctx, to, corpora{collected: posts, written: spread(b.texts, posts)})
}

// compared compares proposals by agents with those by rules, and reports on splits.
func compared(ctx context.Context, to io.Writer, folder string, splits []split) error {
	posts, err := readArchive(folder)
	if err != nil {
		return err
	}
	b, err := newBench(splits)
	if err != nil {
		return err
	}
	busy := corpora{collected: posts, written: spread(b.texts, posts)}.each(func(of []post.Post) []post.Post {
		return compressed(of, yearInMonth)
	})
	as, err := openArchives(ctx, busy)
	if err != nil {
		return err
	}
	defer as.close()
	rows, err := b.rated(ctx, as, busy, runtime.GOMAXPROCS(0))
	if err != nil {
		return err
	}
	agents, err := b.byAgents(ctx, rows, as, busy)
	if err != nil {
		return err
	}
	for _, s := range b.splits {
		fmt.Fprintf(to, "\n======== %s ========\n\n", s)
		writeAgents(to, agentsIn(agents, s))
	}
	return nil
}

// listed lists the posts that a person has to label: domain, source, id and text of each.
func listed(_ context.Context, to io.Writer, folder string, splits []split) error {
	posts, err := readArchive(folder)
	if err != nil {
		return err
	}
	b, err := newBench(splits)
	if err != nil {
		return err
	}
	for _, c := range b.companies {
		if c.Posts != collected {
			continue
		}
		found, err := named(c, posts)
		if err != nil {
			return err
		}
		for _, p := range c.sampled(found) {
			if _, known := b.labels.of(c, p.SourceID); !known && len(b.labels[c.Domain]) != mostLabelled {
				source, id := idOf(p.SourceID)
				fmt.Fprintf(to, "%s\t%s\t%s\t%s\n", c.Domain, source, id, p.Text())
			}
		}
	}
	return nil
}

// A bench is what proposals are measured with.
type bench struct {
	companies []company
	splits    []split  // to report on
	texts     []string // of the written posts
	rater
}

func newBench(splits []split) (b bench, err error) {
	b.splits = splits
	if b.judge, err = judge.New(); err != nil {
		return b, err
	}
	if b.companies, err = readCompanies(companiesFile); err != nil {
		return b, err
	}
	b.companies = among(b.companies, splits)
	if b.labels, err = readLabels(labelsFile); err != nil {
		return b, err
	}
	b.texts, err = readWritten(writtenFile, b.companies, b.labels)
	return b, err
}

// run measures over posts with their true dates, and writes the figures of each split.
func (b bench) run(ctx context.Context, to io.Writer, posts corpora) error {
	oldest, newest := ends(posts[collected])
	fmt.Fprintf(
		to,
		"%d posts and %d written ones, from %s to %s, %d companies: %s.\n",
		len(
			posts[collected],
		),
		len(posts[written]),
		oldest.Format(time.DateOnly),
		newest.Format(time.DateOnly),
		len(b.companies),
		howSplit,
	)
	m, err := b.measure(ctx, posts)
	if err != nil {
		return err
	}
	for _, s := range b.splits {
		part := m.in(s)
		fmt.Fprintf(to, "\n======== %s: %d companies ========\n\n", s, len(part.rows))
		if len(part.rows) > 0 {
			part.write(to)
		}
	}
	return nil
}

// measurements are what was found about companies.
type measurements struct {
	rows      []row // the engine reads the year as a month, and is rated on all of it
	crossed   []row // it reads one half, and is rated on the other
	dated     []row // it reads the archive by its true dates
	coverages []coverage
	agents    []composed // of the first rows' companies, by rules and by each agent
}

// measure proposes for all companies in every way. Only the first proposals are timed, so they are made one after the
// other.
func (b bench) measure(ctx context.Context, posts corpora) (m measurements, err error) {
	busy := posts.each(func(of []post.Post) []post.Post { return compressed(of, yearInMonth) })
	as, err := openArchives(ctx, busy)
	if err != nil {
		return m, err
	}
	defer as.close()
	dated, err := openArchives(ctx, posts)
	if err != nil {
		return m, err
	}
	defer dated.close()
	if m.rows, err = b.rated(ctx, as, busy, 1); err != nil {
		return m, err
	}
	if m.agents, err = b.byAgents(ctx, m.rows, as, busy); err != nil {
		return m, err
	}
	if m.crossed, err = b.crossed(ctx, busy); err != nil {
		return m, err
	}
	if m.dated, err = b.rated(ctx, dated, posts, runtime.GOMAXPROCS(0)); err != nil {
		return m, err
	}
	m.coverages, err = b.coverages(ctx, dated[collected], as[collected])
	return m, err
}

// in keeps what was found about the companies of a split.
func (m measurements) in(s split) measurements {
	kept := measurements{rows: inSplit(m.rows, s), crossed: inSplit(m.crossed, s), dated: inSplit(m.dated, s)}
	kept.agents = agentsIn(m.agents, s)
	for _, c := range m.coverages {
		kept.coverages = append(kept.coverages, c.in(s))
	}
	return kept
}

// write writes all tables.
func (m measurements) write(to io.Writer) {
	fmt.Fprintln(to, "The engine reads the year as a month, and is rated on all of it:")
	writeRows(to, m.rows)
	groups := kinds(m.rows)
	fmt.Fprintln(to)
	writeGroups(to, slices.Concat(groups, languages(m.rows)))

	fmt.Fprintln(to, "\nProposal and judge together, ± half of the 95 % interval over companies:")
	writeJudged(to, m.rows)

	fmt.Fprintln(to, "\nThe proposals themselves:")
	writeDrafts(to, m.rows)

	fmt.Fprintln(to, "\nRules and agents, with what the gate lets through; tokens, calls and read units are of one run:")
	writeAgents(to, m.agents)

	fmt.Fprintln(to, "\nThe engine reads one half of the posts and is rated on the other, either way:")
	writeGroups(to, kinds(m.crossed))

	fmt.Fprintln(to, "\nThe engine reads the archive by its true dates, and is rated on all of it:")
	writeGroups(to, kinds(m.dated))

	fmt.Fprintln(
		to,
		"\nVolume ranges, of texts alone and of keywords as they are scoped, that have a post in the 30 days that are surveyed:",
	)
	writeCoverage(to, m.coverages)

	costs := make([]cost, len(m.rows))
	for i, r := range m.rows {
		costs[i] = r.cost
	}
	fmt.Fprintf(
		to,
		"\nWhat it costs: the %d proposals that were rated first, one after the other, each in an empty store with nothing cached\n",
		len(costs),
	)
	writeCosts(to, costs)
	fmt.Fprintln(to)
	writeVerdicts(to, slices.Concat(goals(m.rows), verdicts(groups, m.coverages, costs)))
}

// rated makes a proposal for every company from what the engine is shown, and rates it on posts. It works on some
// companies at a time.
func (b bench) rated(ctx context.Context, shown archives, posts corpora, atATime int) ([]row, error) {
	rows := make([]row, len(b.companies))
	return rows, each(ctx, len(rows), atATime, func(ctx context.Context, i int) (err error) {
		c := b.companies[i]
		if rows[i].made, err = propose(ctx, b.judge, shown[c.Posts].sources(view{}), c, nil); err != nil {
			return err
		}
		found, err := named(c, posts[c.Posts])
		if err != nil {
			return err
		}
		if rows[i].engine, err = b.rate(c, rows[i].brand(), posts[c.Posts], found); err != nil {
			return err
		}
		rows[i].baseline, err = b.rate(c, bare(c), found, found)
		return err
	})
}

// each calls a function with 0 to n-1, some at a time, and returns its first error.
func each(ctx context.Context, n, atATime int, do func(context.Context, int) error) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(atATime)
	for i := range n {
		group.Go(func() error { return do(ctx, i) })
	}
	return group.Wait()
}

// crossed rates on each half of the posts what is proposed from the other half.
func (b bench) crossed(ctx context.Context, posts corpora) ([]row, error) {
	one := posts.each(func(of []post.Post) []post.Post { first, _ := halves(of); return first })
	other := posts.each(func(of []post.Post) []post.Post { _, second := halves(of); return second })
	first, err := openArchives(ctx, one)
	if err != nil {
		return nil, err
	}
	defer first.close()
	second, err := openArchives(ctx, other)
	if err != nil {
		return nil, err
	}
	defer second.close()
	rows, err := b.rated(ctx, first, other, runtime.GOMAXPROCS(0))
	if err != nil {
		return nil, err
	}
	turned, err := b.rated(ctx, second, one, runtime.GOMAXPROCS(0))
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
func (b bench) coverages(ctx context.Context, dated, busy *archive) (all []coverage, err error) {
	companies := slices.DeleteFunc(slices.Clone(b.companies), func(c company) bool { return c.Posts != collected })
	_, newest := ends(dated.posts)
	asOf := func(months int) time.Time { return newest.AddDate(0, 0, -30*months) }
	for _, part := range []struct {
		*archive
		views []view
	}{
		{busy, []view{{}, {most: 50}, {most: 20}}},
		{dated, []view{{until: asOf(1)}, {until: asOf(8)}, {until: asOf(1), most: 5}, {until: asOf(8), most: 5}}},
	} {
		for _, v := range part.views {
			one, err := covered(ctx, b.judge, part.archive, v, companies)
			if err != nil {
				return nil, err
			}
			all = append(all, one)
		}
	}
	return all, nil
}
