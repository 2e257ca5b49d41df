// Senses measures proposals and judgements for companies that are called by a common word, where four of five posts
// mean something else. It has cases with enough posts of known meaning, which the benchmark quality lacks:
//
//   - companies whose posts are known by a distinctive name, renamed to a common word in profile and posts, amid posts
//     of others that have the word;
//   - sentences with an ambiguous word, for a company that is meant by one of its senses.
//
// The engine reads one half of a case's posts and is rated on the other, either way. Companies are divided into dev and
// test by their domains, sentences by sense. Tune on dev. The data is in the folder of -data and not in the project;
// companies and labels are those of the benchmark quality. Run it from the project's root.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"earshot/shared/judge"
)

func main() {
	folder := flag.String("data", cmp.Or(os.Getenv("DATA_DIR"), "../shared/data"), "the folder with the data")
	of := flag.String("of", "infra/quality", "the folder with companies.json and labels.tsv")
	test := flag.Bool("test", false, "rate the test part instead of dev")
	share := flag.Float64("share", 0.2, "of the posts that are relevant")
	flag.Parse()
	if _, err := os.Stat(*folder); err != nil {
		fmt.Printf("senses: there is no data to measure with in %s: name its folder by -data or DATA_DIR\n", *folder)
		return
	}
	if err := measured(os.Stdout, *folder, *of, *share, *test); err != nil {
		fmt.Fprintln(os.Stderr, "senses:", err)
		os.Exit(1)
	}
}

// measured writes a line a case, and the means of each kind.
func measured(to io.Writer, folder, of string, share float64, test bool) error {
	j, err := judge.New()
	if err != nil {
		return err
	}
	archive, err := readArchive(folder)
	if err != nil {
		return err
	}
	companies, labels, err := readCompanies(of)
	if err != nil {
		return err
	}
	cases, err := sentences(folder, share)
	if err != nil {
		return err
	}
	kinds := map[string][]rating{}
	out := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "case\tposts\trelevant\tsample judged right\tbare, judged: catch\tprecision\t"+
		"proposal: catch\tprecision\tjudged: catch\tprecision\tlost to: no keyword\tanchors\tplatforms\texclusions\tjudge\t")
	for _, c := range append(renamed(archive, companies, labels, share), cases...) {
		if c.test != test {
			continue
		}
		var r rating
		for turn := range byte(2) {
			var shown, rated []labelled
			for _, p := range c.posts {
				if digest("half" + p.SourceID)[1]%2 == turn {
					shown = append(shown, p)
				} else {
					rated = append(rated, p)
				}
			}
			one, err := rate(j, c, shown, rated)
			if err != nil {
				return err
			}
			r = r.plus(one)
		}
		kind, _, _ := strings.Cut(c.name, ":")
		kinds[kind] = append(kinds[kind], r)
		fmt.Fprintf(out, "%s\t%s\n", c.name, r)
	}
	for _, kind := range []string{"renamed", "sentence"} {
		catch, precision, judgedCatch, judgedPrecision := 0.0, 0.0, 0.0, 0.0
		for _, r := range kinds[kind] {
			catch, precision = catch+ratio(r.proposed.caught, r.relevant), precision+ratio(r.proposed.caught, r.proposed.matched)
			judgedCatch += ratio(r.judged.caught, r.relevant)
			judgedPrecision += ratio(r.judged.caught, r.judged.matched)
		}
		n := float64(len(kinds[kind]))
		fmt.Fprintf(out, "mean of %s\t\t\t\t\t\t%.2f\t%.2f\t%.2f\t%.2f\t\t\t\t\t\t\n",
			kind, catch/n, precision/n, judgedCatch/n, judgedPrecision/n)
	}
	return out.Flush()
}
