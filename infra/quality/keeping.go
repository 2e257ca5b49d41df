package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"earshot/shared/keyword"
	"earshot/shared/match"
	"earshot/shared/proposal"
	"earshot/shared/proposal/candidate"
)

// Goals that a customer's stay depends on.
const (
	goalPrecision   = 0.85 // of proposal and judge together, for common words that are mostly noise
	goalCatch       = 0.80 // beside that precision
	goalDistinctive = 0.97 // of posts with a distinctive name, kept by the judge
	goalCommon      = 0.88 // F1 of "is this name a common word"

	// enough is from how many relevant posts on a company's figures say something about it.
	enough = 10
)

// An estimate is a share with its sampling error.
type estimate struct{ share, half float64 }

func (e estimate) String() string { return fmt.Sprintf("%.2f ± %.2f", e.share, e.half) }

// pooled returns a share of all posts of some rows together, with half of its 95 % interval. The interval is the
// jackknife's over companies (Efron and Stein 1981), because posts of one company are alike. With fewer than two
// companies it is 1.
func pooled(rows []row, of func(outcome) (float64, bool)) estimate {
	sum := func(without int) outcome {
		var all outcome
		for i, r := range rows {
			if i != without {
				all = all.plus(r.engine)
			}
		}
		return all
	}
	share, _ := of(sum(-1))
	var each []float64
	mean := 0.0
	for i := range rows {
		if left, ok := of(sum(i)); ok {
			each = append(each, left)
			mean += left
		}
	}
	n := float64(len(each))
	if n < 2 {
		return estimate{share, 1}
	}
	mean /= n
	variance := 0.0
	for _, left := range each {
		variance += (left - mean) * (left - mean)
	}
	return estimate{share, 1.96 * math.Sqrt((n-1)/n*variance)}
}

func judgedCatch(o outcome) (float64, bool)     { return o.judged.catch() }
func judgedPrecision(o outcome) (float64, bool) { return o.judged.precision() }

// noisy reports whether most posts with a company's common name mean something else.
func noisy(r row) bool { p, _ := r.baseline.precision(); return r.Common && p < 0.5 }

// telling reports whether a company is noisy and has enough relevant posts.
func telling(r row) bool { return noisy(r) && r.baseline.relevant >= enough }

func only(rows []row, in func(row) bool) []row {
	return slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return !in(r) })
}

// goals compares rows with the goals of proposal and judge together.
func goals(rows []row) []verdict {
	hard, distinctive := only(rows, telling), only(rows, func(r row) bool { return !r.Common })
	catch, precision := pooled(hard, judgedCatch), pooled(hard, judgedPrecision)
	kept := pooled(distinctive, judgedCatch)
	lists, proposals := confusions(rows)
	dropped := drops(rows)
	return []verdict{
		{
			fmt.Sprintf("common words, mostly noise, %d relevant posts or more: precision %.2f at catch %.2f, judged",
				enough, goalPrecision, goalCatch),
			len(hard) > 0 && precision.share >= goalPrecision && catch.share >= goalCatch,
			fmt.Sprintf("precision %v, catch %v, of %d companies", precision, catch, len(hard)),
		},
		{
			fmt.Sprintf("distinctive names: catch %.2f, judged", goalDistinctive),
			len(distinctive) > 0 && kept.share >= goalDistinctive,
			fmt.Sprintf("catch %v, of %d companies", kept, len(distinctive)),
		},
		{
			fmt.Sprintf("is this name a common word: F1 %.2f", goalCommon),
			lists.f1() >= goalCommon,
			fmt.Sprintf("by the name %v; with the sample, in the proposal %v", lists, proposals),
		},
		{"no proposal drops the brand", len(dropped) == 0, fmt.Sprintf("%d of %d drop it", len(dropped), len(rows))},
	}
}

// A confusion counts verdicts on names: which are common words.
type confusion struct{ hits, missed, wrong int }

func (c *confusion) add(common, said bool) {
	switch {
	case common && said:
		c.hits++
	case common:
		c.missed++
	case said:
		c.wrong++
	}
}

func (c confusion) f1() float64 {
	if c.hits == 0 {
		return 0
	}
	return 2 * float64(c.hits) / float64(2*c.hits+c.missed+c.wrong)
}

func (c confusion) String() string {
	return fmt.Sprintf("%.2f (%d found, %d missed, %d wrong)", c.f1(), c.hits, c.missed, c.wrong)
}

// confusions compares a person's verdict on names with the engine's by the name alone, and with the proposal's.
func confusions(rows []row) (byName, byProposal confusion) {
	for _, r := range rows {
		for _, c := range r.candidates.Candidates {
			if c.Ref == candidate.RefBrand {
				byName.add(r.Common, c.Common)
			}
		}
		byProposal.add(r.Common, r.route() != strings.ReplaceAll(string(proposal.Bare), "_", " "))
	}
	return byName, byProposal
}

// named reports whether a keyword of a proposal is the company's name, bare or anchored.
func (m made) named(k proposal.Keyword) bool {
	return k.Tag == keyword.OwnBrand && (k.Route == proposal.Bare || k.Route == proposal.Anchored) &&
		match.Form(k.Keyword) == match.Form(m.baseline().Text)
}

// selected reports whether a proposal selects the company's name. Its domain or a handle alone is not the brand.
func (m made) selected() bool {
	return slices.ContainsFunc(m.proposal.Keywords, func(k proposal.Keyword) bool {
		return k.SelectedByDefault && m.named(k)
	})
}

// fits reports whether a proposal offers a person an option for the name.
func (m made) fits() bool {
	return slices.ContainsFunc(m.proposal.Options, func(o proposal.Option) bool {
		return slices.ContainsFunc(m.proposal.Keywords, func(k proposal.Keyword) bool {
			return k.Ref == o.KeywordRef && m.named(k)
		})
	})
}

// drops returns the rows whose proposal neither selects the brand's name nor waits for a person to choose how to
// narrow it.
func drops(rows []row) []row {
	return only(rows, func(r row) bool {
		return !r.selected() && (r.status != proposal.NeedsNarrowing || !r.fits())
	})
}

// shown returns whether a visible feed has the brand's name, as words.
func (m made) shown() string {
	for _, f := range m.proposal.Feeds {
		for _, k := range m.proposal.Keywords {
			if m.named(k) && slices.Contains(f.KeywordRefs, k.Ref) {
				if f.Visible {
					return "yes"
				}
				return "hidden"
			}
		}
	}
	return "none"
}

// tracksProducts returns how many of the profile's products are keywords of the proposal, and how many of these are
// selected.
func (m made) tracksProducts() (found, selected int) {
	for _, product := range m.Profile.Products {
		for _, k := range m.proposal.Keywords {
			if match.Form(k.Keyword) == match.Form(product) {
				found++
				if k.SelectedByDefault {
					selected++
				}
				break
			}
		}
	}
	return found, selected
}

// writeDrafts writes a line a company on the proposal itself, and which proposals drop the brand.
func writeDrafts(to io.Writer, rows []row) {
	tabled(to, func(w io.Writer) {
		fmt.Fprintln(w, "company\tstatus\tbrand selected\tbrand's feed shown\tproducts\tas keywords\tselected\toptions\t")
		for _, r := range rows {
			selected := "no"
			if r.selected() {
				selected = r.route()
			}
			found, chosen := r.tracksProducts()
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%d\t%d\t%d\t%d\t\n", r.name(), r.status, selected, r.shown(),
				len(r.Profile.Products), found, chosen, len(r.proposal.Options))
		}
	})
	names := []string{}
	for _, r := range drops(rows) {
		names = append(names, r.name())
	}
	said := "none"
	if len(names) > 0 {
		said = strings.Join(names, ", ")
	}
	fmt.Fprintf(to, "Proposals that drop the brand: %s\n", said)
}

// languagesOf returns the languages of companies with common names.
func languagesOf(rows []row) (names []string) {
	for _, r := range rows {
		if r.Common && !slices.Contains(names, r.Profile.Language) {
			names = append(names, r.Profile.Language)
		}
	}
	slices.Sort(names)
	return names
}

// languages returns the common words of each language as a group.
func languages(rows []row) (groups []namedGroup) {
	for _, name := range languagesOf(rows) {
		in := func(r row) bool { return r.Common && r.Profile.Language == name }
		groups = append(groups, namedGroup{"common words, " + name, groupOf(rows, in)})
	}
	return groups
}

// writeJudged writes precision and catch of proposal and judge together, with their sampling errors, of the groups that
// have goals and of each language.
func writeJudged(to io.Writer, rows []row) {
	tabled(to, func(w io.Writer) {
		fmt.Fprintln(w, "names\tcompanies\trelevant\tprecision\tcatch\t")
		line := func(name string, part []row) {
			relevant := 0
			for _, r := range part {
				relevant += r.baseline.relevant
			}
			if relevant > 0 {
				fmt.Fprintf(w, "%s\t%d\t%d\t%v\t%v\t\n", name, len(part), relevant, pooled(part, judgedPrecision),
					pooled(part, judgedCatch))
			}
		}
		line(fmt.Sprintf("common, mostly noise, %d relevant or more", enough), only(rows, telling))
		line("common, mostly meant", only(rows, func(r row) bool { return r.Common && !noisy(r) }))
		line("distinctive", only(rows, func(r row) bool { return !r.Common }))
		for _, language := range languagesOf(rows) {
			line("common, "+language, only(rows, func(r row) bool { return r.Common && r.Profile.Language == language }))
		}
	})
}
