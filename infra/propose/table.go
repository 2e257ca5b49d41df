package propose

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"earshot/infra/terminal"
)

func progress(s step) string {
	sign := map[string]string{"running": "…", "ok": "✓", "skipped": "–", "failed": "✗"}[s.Status]
	took := ""
	if s.Ms != nil {
		took = fmt.Sprintf("%d ms", *s.Ms)
	}
	return fmt.Sprintf(
		"  %s %s %8s  %s",
		terminal.Pad(sign, 1),
		terminal.Pad(terminal.Safe(s.Stage), 10),
		took,
		terminal.Safe(s.Line),
	)
}

func writeProfile(to io.Writer, p profile, wide int) {
	terminal.Wrap(to, "  "+terminal.Short(p.Company, 40)+": ", p.Description, wide)
	accounts := make([]string, len(p.Handles))
	for i, h := range p.Handles {
		accounts[i] = "@" + h.Handle + " on " + h.Platform
	}
	for _, list := range []struct {
		name  string
		texts []string
	}{{"products", p.Products}, {"accounts", accounts}, {"competitors", p.Competitors}, {"industry", p.IndustryTerms}} {
		if len(list.texts) > 0 {
			terminal.Wrap(to, "  "+list.name+": ", strings.Join(list.texts, ", "), wide)
		}
	}
}

// selected returns the keywords that are applied by default.
func (s status) selected() (refs []string) {
	if s.Proposal == nil {
		return nil
	}
	for _, k := range s.Proposal.Keywords {
		if k.SelectedByDefault {
			refs = append(refs, k.Ref)
		}
	}
	return refs
}

// write writes a proposal for people, in lines of the given width.
func write(to io.Writer, s status, wide int) error {
	p := s.Proposal
	if p == nil {
		return fmt.Errorf("the run is %s and has no proposal", terminal.Safe(s.Status))
	}
	out := &writer{to: to}
	heading := map[string]string{"ready": "READY", "needs_narrowing": "NEEDS NARROWING"}[s.Status]
	fmt.Fprintln(out)
	terminal.Wrap(out, heading+": ", terminal.Safe(p.Archetype)+". "+p.ArchetypeReason, wide)
	terminal.Wrap(out, "", s.summary(), wide)
	if s.Status == "needs_narrowing" {
		terminal.Wrap(
			out, "",
			"It brings more than the plan allows, whatever code narrowed. Apply it with fewer keywordRefs, or with one of "+
				"the choices below in optionIds.", wide,
		)
	}
	fmt.Fprintln(out)
	keywords(out, p.Keywords, wide)
	fmt.Fprint(out, "\nWhy\n")
	for _, k := range p.Keywords {
		terminal.Wrap(out, "  "+terminal.Short(k.Keyword, 30)+": ", k.Explanation, wide)
		if len(k.AdditionalTerms) > 0 {
			terminal.Wrap(out, "    beside: ", strings.Join(k.AdditionalTerms, ", "), wide)
		}
		if len(k.ExcludeWords) > 0 {
			terminal.Wrap(out, "    without: ", strings.Join(k.ExcludeWords, ", "), wide)
		}
		for _, reason := range k.Reasons {
			terminal.Wrap(
				out,
				fmt.Sprintf("    [%s %s] ", terminal.Safe(reason.Basis), terminal.Safe(reason.Ref)),
				reason.Text,
				wide,
			)
		}
	}
	texts := map[string]string{}
	for _, k := range p.Keywords {
		texts[k.Ref] = k.Keyword
	}
	if len(p.Options) > 0 {
		fmt.Fprint(out, "\nChoices\n")
	}
	for _, o := range p.Options {
		terminal.Wrap(out, "  "+terminal.Short(o.Label, 30)+": ", o.Description+" ("+texts[o.KeywordRef]+", "+o.ID+")", wide)
	}
	fmt.Fprint(out, "\nFeeds\n")
	for _, f := range p.Feeds {
		hidden := ""
		if !f.Visible {
			hidden = " (hidden)"
		}
		names := make([]string, len(f.KeywordRefs))
		for i, ref := range f.KeywordRefs {
			if names[i] = texts[ref]; names[i] == "" {
				names[i] = ref
			}
		}
		terminal.Wrap(out, "  "+terminal.Short(f.Name, 40)+hidden+": ", strings.Join(names, ", "), wide)
	}
	fmt.Fprintln(out)
	terminal.Wrap(out, "Listening on ", strings.Join(p.Platforms.On, ", "), wide)
	for _, off := range p.Platforms.Off {
		terminal.Wrap(out, "  not on "+terminal.Safe(off.Source)+": ", off.Reason, wide)
	}
	for _, n := range p.Totals.NarrowingApplied {
		terminal.Wrap(out, "Narrowed "+terminal.Short(n.Target, 30)+": ", n.Reason, wide)
	}
	for _, w := range p.Warnings {
		about := "Mind: "
		if w.Keyword != "" {
			about = "Mind " + terminal.Short(w.Keyword, 30) + ": "
		}
		terminal.Wrap(out, about, w.Message, wide)
	}
	for _, d := range s.Degraded {
		terminal.Wrap(out, "Degraded ("+terminal.Safe(d.Code)+"): ", d.Message, wide)
	}
	return out.err
}

// summary describes a proposal in a sentence.
func (s status) summary() string {
	p, by := s.Proposal, "rules alone"
	if !s.AgentFallback && s.Model != nil {
		by = terminal.Safe(*s.Model)
	}
	took := ""
	if s.StartedAt != nil && s.FinishedAt != nil {
		took = " in " + s.FinishedAt.Sub(*s.StartedAt).Round(10*time.Millisecond).String()
	}
	return fmt.Sprintf(
		"About %s mentions a month of %s allowed (%s). Composed by %s%s, confidence %.2f.",
		number(p.Totals.DedupedMonthly), number(p.Totals.Allowance), terminal.Safe(p.Totals.Band), by, took, p.Confidence,
	)
}

// keywords writes the table. A column is as wide as it needs, and the column of texts gets the rest. If the rest is
// too little, each keyword has two lines.
func keywords(to io.Writer, all []proposedKeyword, wide int) {
	const least, most = 12, 36
	rows := [][]string{{"", "KEYWORD", "TAG", "ROUTE", "A MONTH", "RELEVANT", "FLAGS"}}
	for _, k := range all {
		sign, relevant := "-", "?"
		if k.SelectedByDefault {
			sign = "+"
		}
		if k.Sample != nil && k.Sample.Scored > 0 {
			relevant = fmt.Sprintf("%.0f %%", 100*k.Sample.RelevanceRate)
		}
		rows = append(
			rows,
			[]string{
				sign,
				terminal.Short(k.Keyword, most),
				terminal.Safe(k.Tag),
				terminal.Safe(k.Route),
				volume(k),
				relevant,
				flags(k),
			},
		)
	}
	widths := make([]int, len(rows[0])-1) // the last one ends its line
	for _, row := range rows {
		for i := range widths {
			widths[i] = max(widths[i], terminal.Width(row[i]))
		}
	}
	others := 0
	for i, w := range widths {
		if i != 1 {
			others += w + 2
		}
	}
	last := 0
	for _, row := range rows {
		last = max(last, terminal.Width(row[len(row)-1]))
	}
	if others+least+2 > wide {
		for _, row := range rows[1:] {
			terminal.Wrap(to, row[0]+" ", row[1], wide)
			terminal.Wrap(
				to, "    ",
				strings.Trim(strings.Join([]string{row[2], row[3], row[4] + " a month", row[5], row[6]}, "; "), "; "),
				wide,
			)
		}
		return
	}
	// The flags stand in the line if there is room, and otherwise in a line of their own.
	beside := others+widths[1]+2+last <= wide
	widths[1] = max(least, min(widths[1], wide-others-2))
	for i, row := range rows {
		line := ""
		for column, w := range widths {
			line += terminal.Pad(terminal.Short(row[column], w), w) + "  "
		}
		flagged := row[len(row)-1]
		if beside {
			line += flagged
		}
		fmt.Fprintln(to, strings.TrimRight(line, " "))
		if !beside && i > 0 && flagged != "" {
			terminal.Wrap(to, "     ", flagged, wide)
		}
	}
}

// flags returns the flags that the volume's basis does not state already.
func flags(k proposedKeyword) string {
	return terminal.Safe(
		strings.Join(
			slices.DeleteFunc(slices.Clone(k.Flags), func(flag string) bool { return flag == k.Volume.Basis }), ", ",
		),
	)
}

func volume(k proposedKeyword) string {
	figure := number(k.Volume.Low)
	if high := number(k.Volume.High); high != figure {
		figure += "–" + high
	}
	return figure + " " + terminal.Safe(k.Volume.Basis)
}

// number writes a figure for people, without fractions of mentions.
func number(n float64) string {
	if n > 0 && n < 1 {
		return "<1"
	}
	return fmt.Sprintf("%.0f", math.Round(n))
}

func writeApplied(to io.Writer, made applied, wide int) error {
	out := &writer{to: to}
	there := map[bool]string{true: "", false: " (was there)"}
	fmt.Fprint(out, "\nApplied\n")
	for _, k := range made.Keywords {
		terminal.Wrap(out, fmt.Sprintf("  keyword %d: ", k.ID), k.Keyword+there[k.Created], wide)
	}
	for _, f := range made.Feeds {
		terminal.Wrap(out, fmt.Sprintf("  feed %d: ", f.ID), f.Name+there[f.Created], wide)
	}
	for _, s := range made.Skipped {
		terminal.Wrap(out, "  not "+terminal.Short(s.Ref, 40)+": ", s.Message, wide)
	}
	if len(made.Keywords)+len(made.Feeds)+len(made.Skipped) == 0 {
		fmt.Fprintln(out, "  nothing: nothing is selected")
	}
	return out.err
}

// A writer remembers its first error, so that not every line need check.
type writer struct {
	to  io.Writer
	err error
}

func (w *writer) Write(text []byte) (int, error) {
	if w.err == nil {
		_, w.err = w.to.Write(text)
	}
	return len(text), nil
}
