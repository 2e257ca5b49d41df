package rule

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"earshot/shared/proposal"
)

// Bounds of what a gate says: a model that has twenty things to mend mends none of the others first, and reads less of each.
const (
	MaxShown = 20  // findings
	ofEach   = 4   // of one rule, while others wait
	maxLine  = 400 // bytes of a finding
)

// Gate is what refuses a proposal, as text for whoever made it: at most MaxShown findings a line, the worst first, and how many more there
// are. Texts of keywords and terms are quoted and cut, and nothing of a post is in it. ok says that nothing refuses it; that it is over its
// allowance is narrowed later and does not.
func Gate(p proposal.Proposal, e proposal.Evidence) (said string, ok bool) {
	refused := Refused(Check(p, e))
	if len(refused) == 0 {
		return "Nothing to mend: every rule holds.", true
	}
	shown := worst(refused)
	var out strings.Builder
	fmt.Fprintf(&out, "%d findings; mend each:\n", len(refused))
	for _, f := range shown {
		line := fmt.Sprintf("%s at %s", f.Rule, f.Place)
		if f.Ref != "" {
			line += " (" + quote(f.Ref) + ")"
		}
		line += ": " + f.Text
		fmt.Fprintf(&out, "- %s\n", strings.ToValidUTF8(line[:min(len(line), maxLine)], ""))
	}
	if more := len(refused) - len(shown); more > 0 {
		fmt.Fprintf(&out, "and %d more.\n", more)
	}
	return out.String(), false
}

// worst are the findings to show, in the order of the catalogue (what is not even readable, then what is listened for, then how it is shown
// and said), of each rule a few before more of any.
func worst(found []Finding) []Finding {
	order := map[string]int{InSchema: -1}
	for n, r := range Catalogue() {
		order[r.ID] = n
	}
	sorted := slices.Clone(found)
	slices.SortStableFunc(sorted, func(a, b Finding) int { return cmp.Compare(order[a.Rule], order[b.Rule]) })
	var first, later []Finding
	seen := map[string]int{}
	for _, f := range sorted {
		if seen[f.Rule]++; seen[f.Rule] <= ofEach {
			first = append(first, f)
		} else {
			later = append(later, f)
		}
	}
	all := slices.Concat(first, later)
	all = all[:min(len(all), MaxShown)]
	slices.SortStableFunc(all, func(a, b Finding) int { return cmp.Compare(order[a.Rule], order[b.Rule]) })
	return all
}
