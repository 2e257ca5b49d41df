package propose

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"unicode"
)

// most is how many characters of a text stand in a cell.
const most = 48

// shown is a text of strangers as a terminal may have it: nothing in it moves the cursor or turns the direction of writing.
func shown(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsGraphic(r) || unicode.Is(unicode.Bidi_Control, r) {
			return ' '
		}
		return r
	}, text)
}

func short(text string) string {
	characters := []rune(shown(text))
	if len(characters) <= most {
		return string(characters)
	}
	return string(characters[:most-1]) + "…"
}

func ended(sentence string) string {
	if strings.HasSuffix(sentence, ".") {
		return sentence
	}
	return sentence + "."
}

func progress(s step) string {
	sign := map[string]string{"running": "…", "ok": "✓", "skipped": "–", "failed": "✗"}[s.Status]
	took := ""
	if s.Ms != nil {
		took = fmt.Sprintf("%d ms", *s.Ms)
	}
	return fmt.Sprintf("  %s %-10s %8s  %s", sign, s.Stage, took, shown(s.Line))
}

func writeProfile(to io.Writer, p profile) {
	fmt.Fprintf(to, "  %s: %s\n", shown(p.Company), short(p.Description))
	for _, list := range []struct {
		name  string
		texts []string
	}{{"products", p.Products}, {"competitors", p.Competitors}, {"industry", p.IndustryTerms}} {
		if len(list.texts) > 0 {
			fmt.Fprintf(to, "  %s: %s\n", list.name, short(strings.Join(list.texts, ", ")))
		}
	}
}

// write writes a proposal for people.
func write(to io.Writer, s status) error {
	p := s.Proposal
	if p == nil {
		return fmt.Errorf("the run is %s and has no proposal", shown(s.Status))
	}
	fmt.Fprintf(to, "\n%s: %s %s\n", strings.ToUpper(shown(s.Status)), shown(p.Archetype), shown(p.ArchetypeReason))
	by := "rules alone"
	if !s.AgentFallback && s.Model != nil {
		by = shown(*s.Model)
	}
	fmt.Fprintf(to, "About %.0f mentions a month of %.0f allowed (%s); composed by %s; confidence %.2f", p.Totals.DedupedMonthly, p.Totals.Allowance,
		shown(p.Totals.Band), by, p.Confidence)
	if s.StartedAt != nil && s.FinishedAt != nil {
		fmt.Fprintf(to, "; in %s", s.FinishedAt.Sub(*s.StartedAt))
	}
	fmt.Fprint(to, "\n\n")
	table := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "\tKEYWORD\tTAG\tROUTE\tA MONTH\tBASIS\tRELEVANT\tBESIDE\tFLAGS")
	for _, k := range p.Keywords {
		sign := "-"
		if k.SelectedByDefault {
			sign = "+"
		}
		relevant := "?"
		if k.Sample != nil && k.Sample.Scored > 0 {
			relevant = fmt.Sprintf("%.0f %% of %d", 100*k.Sample.RelevanceRate, k.Sample.Scored)
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%.4g–%.4g\t%s\t%s\t%s\t%s\n", sign, short(k.Keyword), k.Tag, k.Route, k.Volume.Low, k.Volume.High,
			k.Volume.Basis, relevant, short(strings.Join(k.AdditionalTerms, ", ")), strings.Join(k.Flags, ", "))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Fprint(to, "\nWhy\n")
	for _, k := range p.Keywords {
		fmt.Fprintf(to, "  %s: %s\n", short(k.Keyword), shown(k.Explanation))
		for _, reason := range k.Reasons {
			fmt.Fprintf(to, "      [%s %s] %s\n", shown(reason.Basis), shown(reason.Ref), shown(reason.Text))
		}
	}
	fmt.Fprint(to, "\nFeeds\n")
	for _, f := range p.Feeds {
		hidden := ""
		if !f.Visible {
			hidden = " (hidden)"
		}
		fmt.Fprintf(to, "  %s: %s%s\n", shown(f.Name), shown(strings.Join(f.KeywordRefs, ", ")), hidden)
	}
	fmt.Fprintf(to, "\nListening on %s\n", shown(strings.Join(p.Platforms.On, ", ")))
	for _, off := range p.Platforms.Off {
		fmt.Fprintf(to, "  not on %s: %s\n", shown(off.Source), shown(off.Reason))
	}
	for _, n := range p.Totals.NarrowingApplied {
		fmt.Fprintf(to, "Narrowed %s: %s\n", shown(n.Target), shown(n.Reason))
	}
	for _, w := range p.Warnings {
		about := ""
		if w.Keyword != "" {
			about = " (" + short(w.Keyword) + ")"
		}
		fmt.Fprintf(to, "Mind%s: %s\n", about, shown(w.Message))
	}
	for _, d := range s.Degraded {
		fmt.Fprintf(to, "Degraded (%s): %s\n", shown(d.Code), shown(d.Message))
	}
	return nil
}

func writeApplied(to io.Writer, made applied) error {
	fmt.Fprint(to, "\nApplied\n")
	for _, k := range made.Keywords {
		fmt.Fprintf(to, "  keyword %d: %s\n", k.ID, shown(k.Keyword))
	}
	for _, f := range made.Feeds {
		fmt.Fprintf(to, "  feed %d: %s\n", f.ID, shown(f.Name))
	}
	return nil
}
