package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"earshot/shared/proposal"
)

// Targets ("Figures to reach" of the setup engine).
const (
	targetCatch    = 0.8 // of the relevant posts with a common word, beside which precision is
	targetFactor   = 2.0 // times the baseline's
	targetCoverage = 0.9 // of ranges
	targetTook     = 3 * time.Second
)

// percent writes a share, or a dash if there is none.
func percent(share float64, ok bool) string {
	if !ok {
		return "-"
	}
	return fmt.Sprintf("%.0f%%", 100*share)
}

// figureTitles are of figures.
const figureTitles = "bare: precision\tjudged: catch\tprecision\tproposal: catch\tprecision\tjudged: catch\tprecision"

// figures are those of the bare name and of the proposal.
func figures(bare, proposed outcome) string {
	return strings.Join([]string{
		percent(bare.precision()), percent(bare.judged.catch()), percent(bare.judged.precision()),
		percent(proposed.catch()), percent(proposed.precision()), percent(proposed.judged.catch()),
		percent(proposed.judged.precision()),
	}, "\t")
}

func of(part, all int) string {
	share, ok := ratio(part, all)
	return fmt.Sprintf("%d of %d (%s)", part, all, percent(share, ok))
}

func tabled(to io.Writer, write func(io.Writer)) {
	out := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	write(out)
	out.Flush()
}

// writeRows writes a line a company: the bare name, then the proposal, each without and with the judge of live
// mentions.
func writeRows(to io.Writer, rows []row) {
	tabled(to, func(w io.Writer) {
		fmt.Fprintln(w, "company\tname is\ttracked\tposts\trelevant\t"+figureTitles+"\tfurther\t")
		for _, r := range rows {
			kind := "distinctive"
			if r.Common {
				kind = "common"
			}
			b, e := r.baseline, r.engine
			fmt.Fprintf(
				w, "%s\t%s\t%s\t%d\t%d\t%s\t%d\t\n", r.name(), kind, r.route(), b.matched, b.relevant, figures(b, e),
				e.further,
			)
		}
	})
}

// A named group is a group with its name.
type namedGroup struct {
	name string
	group
}

// kinds are the groups of the targets.
func kinds(rows []row) []namedGroup {
	common := func(r row) bool { return r.Common }
	return []namedGroup{
		{"common words", groupOf(rows, common)},
		{"  of them mostly noise", groupOf(rows, noisy)},
		{fmt.Sprintf("    with %d relevant or more", enough), groupOf(rows, telling)},
		{"  of them mostly meant", groupOf(rows, func(r row) bool { return common(r) && !noisy(r) })},
		{"distinctive names", groupOf(rows, func(r row) bool { return !r.Common })},
	}
}

func writeGroups(to io.Writer, groups []namedGroup) {
	tabled(to, func(w io.Writer) {
		fmt.Fprintln(
			w,
			"names\tcompanies\tposts\trelevant\t"+figureTitles+
				"\tmacro: bare precision\tcatch\tprecision\tjudged: catch\tprecision\t",
		)
		for _, g := range groups {
			b, e := g.baseline, g.engine
			fmt.Fprintf(
				w, "%s\t%d\t%d\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t\n", g.name, g.companies, b.matched, b.relevant,
				figures(b, e), percent(g.baselinePrecision.value()), percent(g.catch.value()),
				percent(g.precision.value()), percent(g.judgedCatch.value()), percent(g.judgedPrecision.value()),
			)
		}
	})
}

func writeCoverage(to io.Writer, all []coverage) {
	tabled(to, func(w io.Writer) {
		fmt.Fprintln(
			w,
			"surveyed with\tranges of texts\thold the month\thold the next\tof them by less than 30d\thold the month\thold the next\t"+
				"ranges of keywords\thold the month\thold the next\t",
		)
		for _, c := range all {
			r := c.sum()
			fmt.Fprintf(w, "%s%s%s%s\n", c.view, shares(r.bare), shares(r.shrunk), shares(r.scoped)+"\t")
		}
	})
}

func shares(c contained) string {
	return fmt.Sprintf("\t%d\t%s\t%s", c.ranges, share(c.now, c.ranges), share(c.next, c.later))
}

func share(part, of int) string {
	value, ok := ratio(part, of)
	return percent(value, ok)
}

func writeCosts(to io.Writer, costs []cost) {
	took, asked := make([]time.Duration, len(costs)), make([]time.Duration, len(costs))
	n := len(costs)
	bytes, rows, reads, writes, calls := make([]int, n), make([]int, n), make([]int, n), make([]int, n), make([]int, n)
	readUnits, writeUnits := make([]float64, n), make([]float64, n)
	cpu := map[proposal.Stage][]time.Duration{}
	for i, c := range costs {
		took[i], asked[i], bytes[i], rows[i], calls[i] = c.took, c.asked, c.bytes, c.rows, c.calls
		reads[i], writes[i], readUnits[i], writeUnits[i] = c.usage.Reads, c.usage.Writes, c.usage.ReadUnits,
			c.usage.WriteUnits
		for _, stage := range proposal.Stages() {
			cpu[stage] = append(cpu[stage], c.cpu[stage])
		}
	}
	tabled(to, func(w io.Writer) {
		fmt.Fprintln(w, "a proposal\tmedian\tmost\t")
		line := func(name, format string, median, most any) {
			fmt.Fprintf(w, "%s\t"+format+"\t"+format+"\t\n", name, median, most)
		}
		durations := func(name string, values []time.Duration) {
			median, most := middle(values)
			line(name, "%v", median.Round(100*time.Microsecond), most.Round(100*time.Microsecond))
		}
		durations("propose to ready, without a model", took)
		for _, stage := range proposal.Stages() {
			durations("processor time, "+string(stage), cpu[stage])
		}
		durations("waiting for the archive's searches, of all that", asked)
		for _, each := range []struct {
			name   string
			values []int
		}{{"stored bytes", bytes}, {"stored rows", rows}, {"round trips that read", reads}, {"round trips that write", writes},
			{"calls of stages", calls}} {
			median, most := middle(each.values)
			line(each.name, "%d", median, most)
		}
		median, most := middle(readUnits)
		line("read capacity units", "%.1f", median, most)
		median, most = middle(writeUnits)
		line("write capacity units", "%.1f", median, most)
	})
}

// A verdict says whether a target is reached.
type verdict struct {
	target  string
	reached bool
	figures string
}

// verdicts compares groups (kinds), coverages and costs with the targets.
func verdicts(groups []namedGroup, coverages []coverage, costs []cost) []verdict {
	doubled := func(g namedGroup) verdict {
		catch, _ := g.engine.catch()
		precision, _ := g.engine.precision()
		bare, _ := g.baseline.precision()
		most := ""
		if targetFactor*bare > 1 {
			most = fmt.Sprintf(" (more than %.1f times is impossible)", 1/bare)
		}
		return verdict{
			fmt.Sprintf(
				"%s: precision doubled, %.0f %% of the relevant kept", strings.TrimSpace(g.name), 100*targetCatch,
			),
			precision >= targetFactor*bare && catch >= targetCatch,
			fmt.Sprintf(
				"precision %.0f%% for %.0f%%%s; kept %s; noise %d for %d", 100*precision, 100*bare, most,
				of(g.engine.caught, g.engine.relevant), g.engine.matched-g.engine.caught,
				g.baseline.matched-g.baseline.caught,
			),
		}
	}
	distinctive := groups[len(groups)-1].group
	lost := distinctive.baseline.caught - distinctive.engine.caught
	all := []verdict{
		doubled(groups[0]),
		doubled(groups[1]),
		{
			"distinctive names: no relevant post lost", lost == 0,
			fmt.Sprintf("%d lost of %d", lost, distinctive.baseline.caught),
		},
	}
	var total ranges
	for _, c := range coverages {
		total = total.plus(c.sum())
	}
	for _, each := range []struct {
		of string
		contained
	}{{"texts", total.bare}, {"texts, by windows under 30d,", total.shrunk}, {"keywords", total.scoped}} {
		held, _ := ratio(each.now, each.ranges)
		all = append(
			all,
			verdict{fmt.Sprintf("%.0f %% of the ranges of %s hold the month's true count", 100*targetCoverage, each.of),
				held >= targetCoverage, of(each.now, each.ranges)},
		)
	}
	if len(costs) > 0 {
		slowest := slices.MaxFunc(costs, func(a, b cost) int { return int(a.took - b.took) }).took
		all = append(all, verdict{fmt.Sprintf("propose to ready within %v", targetTook), slowest <= targetTook,
			fmt.Sprintf("the slowest took %v", slowest.Round(time.Millisecond))})
	}
	return all
}

func writeVerdicts(to io.Writer, all []verdict) {
	tabled(to, func(w io.Writer) {
		for _, v := range all {
			said := "MISSED "
			if v.reached {
				said = "reached"
			}
			fmt.Fprintf(w, "%s\t%s\t%s\t\n", said, v.target, v.figures)
		}
	})
}
