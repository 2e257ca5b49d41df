package agent

import (
	"fmt"
	"strings"

	"earshot/shared/proposal"
	"earshot/shared/proposal/rule"
	"earshot/shared/text"
)

// spoken finds what a model's sentences must not hold. Figures are the engine's, so that nobody can claim one: a number
// stands only in a name that the run knows. Links and markup, which a post may have asked for, stand in none.
func spoken(d proposal.Decisions, e proposal.Evidence) []rule.Finding {
	names := numbersOf(e)
	var findings []rule.Finding
	check := func(place, ref, text string) {
		for _, number := range numerals.FindAllString(text, -1) {
			if !names[number] {
				findings = append(findings, rule.Finding{Rule: "V1", Place: place, Ref: ref,
					Text: "It states a figure. Figures are filled in from what was measured: leave the number out."})
				break
			}
		}
		if linked.MatchString(text) {
			findings = append(
				findings,
				rule.Finding{
					Rule:  "W1",
					Place: place,
					Ref:   ref,
					Text:  "It holds a link or markup: write plain sentences.",
				},
			)
		}
	}
	for i, k := range d.Keywords {
		at := fmt.Sprintf("keywords[%d].", i)
		check(at+"explanation", k.Ref, k.Explanation)
		check(at+"context", k.Ref, k.Context)
		for j, reason := range k.Reasons {
			check(fmt.Sprintf("%sreasons[%d].text", at, j), k.Ref, reason.Text)
		}
	}
	for i, o := range d.Options {
		at := fmt.Sprintf("options[%d].", i)
		check(at+"label", o.ID, o.Label)
		check(at+"description", o.ID, o.Description)
		check(at+"explanation", o.ID, o.Explanation)
	}
	for i, f := range d.Feeds {
		check(fmt.Sprintf("feeds[%d].name", i), f.Ref, f.Name)
	}
	return findings
}

// numerals are runs of digits with the separators within them.
var numerals = text.NewPattern(`\p{Nd}+(?:[.,\x{a0} ]\p{Nd}+)*`)

var linked = text.NewPattern("(?i)https?:|://|www\\.|[<>`]|\\]\\(")

// numbersOf are the numbers in names that the run knows.
func numbersOf(e proposal.Evidence) map[string]bool {
	texts := []string{e.Domain, e.Profile.Company, e.Profile.Description}
	texts = append(texts, e.Profile.Products...)
	texts = append(texts, e.Profile.OtherNames...)
	for _, c := range e.Candidates.Candidates {
		texts = append(texts, c.Text, c.Context)
		texts = append(texts, c.Anchors...)
	}
	numbers := map[string]bool{}
	for _, number := range numerals.FindAllString(strings.Join(texts, "\n"), -1) {
		numbers[number] = true
	}
	return numbers
}
