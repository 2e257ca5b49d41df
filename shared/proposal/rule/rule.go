// Package rule is the catalogue of the rules that a setup proposal must meet. A rule is a pure function from a proposal
// and its evidence to findings. Schema checks the bounds that the description of the objects states. The other rules
// check what makes a proposal good. The same input gives the same findings in the same order, and no input makes a rule
// panic. The ids are stable, because reasons in stored proposals refer to them.
//
// The packages and stages that compose, validate or explain proposals import it.
package rule

import (
	"fmt"
	"strings"

	"earshot/shared/proposal"
)

// A Rule is one entry of the catalogue.
type Rule struct {
	ID    string
	Title string
	Says  string // one sentence, for documentation and for the model's instructions
	Check func(proposal.Proposal, proposal.Evidence) []Finding
}

// A Finding is a place where a proposal does not hold to a rule.
type Finding struct {
	Rule  string // a Rule's id, or InSchema
	Place string // a path in the proposal's JSON: "keywords[2].additionalTerms"
	Ref   string // of the keyword or feed, or id of the option, that the place is in; else empty
	Text  string // what is wrong, and the remedy; a model reads it
}

// InSchema is the Rule of Schema's findings.
const InSchema = "schema"

// Narrowing is the rule of the one finding that refuses nothing: a proposal that is blocked after narrowing is shown as
// needs_narrowing.
const Narrowing = "T3"

// Catalogue lists the rules in the order of their ids' families.
func Catalogue() []Rule {
	return []Rule{
		{
			"K1",
			"The brand is tracked",
			"The own_brand keyword of the company's name is selected by default; its domain alone does not stand for it.",
			ownBrand,
		},
		{
			"K2",
			"No common word is tracked bare",
			"A common word, by the word list or because less than half of its bare sample is relevant, " +
				"is anchored by terms that are written at apply, or is the brand and told by its capital.",
			commonWord,
		},
		{
			"K3", "No two keywords find the same posts",
			"No selected keyword finds every post that another selected one finds, and no text is there twice.",
			samePosts,
		},
		{
			"K4", "An unlinked handle is confirmed",
			"A handle that the site does not link carries the flag confirm_handle and is not selected by default.",
			unlinkedHandle,
		},
		{
			"K5", "Keywords are plain text",
			"A keyword, its terms and its excluded words have no quotation marks, leading + or -, AND, OR or asterisk in the middle.",
			plainText,
		},
		{
			"K6", "The context names the company",
			"A context is one sentence of at most 200 characters that names the company and says what the keyword catches.",
			contextSentence,
		},
		{
			"K7", "Industry terms are specific",
			"An industry term has two words or more, or at least half of its sample is relevant.", specificTerm,
		},
		{
			"A1", "No generic anchor", "No additional term is a generic word such as app, tool, software or platform.",
			genericAnchor,
		},
		{
			"A2",
			"Three to twelve anchors that work",
			"An anchored keyword has 3 to 12 different additional terms with the logic any, " +
				"each of which a relevant post has that was read, or the profile has and no post.",
			workingAnchors,
		},
		{
			"X1", "Exclusions remove noise",
			"No exclusion removes more relevant sample posts than noise, nor the brand itself.", harmlessExclusion,
		},
		{
			"X2", "The brand's exclusions wait", "Every exclusion of an own_brand keyword is approved as cleanup.",
			waitingExclusion,
		},
		{
			"V1", "Volume is a range with a basis",
			"A volume's high is above its low, its band is the range's, and its basis is what was measured.",
			volumeRange,
		},
		{
			"V2", "Top volume is split or anchored",
			"A keyword whose volume is top_end carries must_split or is anchored, and a selected one is anchored, was split " +
				"or is the brand itself.",
			topEnd,
		},
		{
			"V3",
			"What was not measured is named",
			"A volume names the sources that failed or cannot be searched, and the keyword is flagged unverified when " +
				"they are the majority.",
			unverified,
		},
		{"F1", "No feed of a tag", "No feed has the purpose tag.", tagFeed},
		{
			"F2", "Every keyword has its feed",
			"Every selected keyword is in exactly one feed, which its feedRef names; every feed has a keyword; every ref resolves.",
			feedOfEach,
		},
		{
			"F3",
			"Visible feeds pass their gate",
			"A feed is visible exactly when its gate passes: weeklySample at least 3, relevanceRate at least 0.5, " +
				"dominantClusterShare at most 0.8, no duplicateOf; otherwise it is hidden or merged into another, " +
				"except that the brand's feed is visible unless it is mostly noise and another is visible.",
			feedGate,
		},
		{"E8", "Topic feeds have content terms", "A feed whose source is mentions has contentTerms.", contentTerms},
		{
			"P1", "Platforms are on for a reason",
			"A platform is on when the plan allows it and its sample is not mostly noise; one that is off says why.",
			platforms,
		},
		{
			"T1",
			"Totals follow from the keywords",
			"projectedMonthly is the sum of the middles of the selected keywords' volumes, dedupedMonthly is at most that, " +
				"and the band follows from the allowance.",
			totals,
		},
		{
			"T2",
			"Narrowing goes in order",
			"Narrowing goes drop_industry_anchor_set, tighten_anchors, source_off, split; each step names its target and what it " +
				"saved; no keyword of the own brand is dropped.",
			narrowing,
		},
		{
			"T3", "What stays blocked needs narrowing",
			"A total above the allowance after narrowing is for a person to narrow.", blocked,
		},
		{
			"W1", "Explanations speak to the reader",
			"An explanation has 1 to 3 sentences in the second person and names no rule's id.", explanations,
		},
	}
}

// Check is everything that a proposal does not hold to: Schema's findings, then the rules' in the catalogue's order.
func Check(p proposal.Proposal, e proposal.Evidence) []Finding {
	found := Schema(p)
	for _, r := range Catalogue() {
		found = append(found, r.Check(p, e)...)
	}
	return found
}

// Refused are the findings for which a proposal may not be shown: all but that it needs narrowing.
func Refused(found []Finding) []Finding {
	refused := []Finding{}
	for _, f := range found {
		if f.Rule != Narrowing {
			refused = append(refused, f)
		}
	}
	return refused
}

// A report is findings being made.
type report []Finding

func (r *report) add(rule, place, ref, format string, args ...any) {
	*r = append(*r, Finding{rule, place, ref, fmt.Sprintf(format, args...)})
}

// at is a place of the nth keyword.
func at(n int, field string) string { return path("keywords", n, field) }

func path(list string, n int, field string) string {
	if field == "" {
		return fmt.Sprintf("%s[%d]", list, n)
	}
	return fmt.Sprintf("%s[%d].%s", list, n, field)
}

// maxQuoted is how much of a text a finding quotes, in characters: a keyword or a term, and no post.
const maxQuoted = 60

// quote shows a text in a finding, cut, on one line and in quotation marks.
func quote(text string) string {
	runes := []rune(text[:min(len(text), 4*maxQuoted)])
	if len(runes) > maxQuoted || len(text) > 4*maxQuoted {
		return fmt.Sprintf("%q", string(runes[:min(len(runes), maxQuoted)])+"…")
	}
	return fmt.Sprintf("%q", text)
}

func blank(text string) bool { return strings.TrimSpace(text) == "" }
