package setupstages_test

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"earshot/shared/proposal"
	"earshot/shared/source/catalogue"
)

// A claim is a form of words with figures in it, and what the figures have to be.
type claim struct {
	form *regexp.Regexp
	want func(said []string) bool
}

// textFaults says which texts of a proposal do not say what its figures are. Each number of an explanation, a reason or
// a warning belongs to a claim that holds; what no claim accounts for is a fault too.
func textFaults(p proposal.Proposal, e proposal.Evidence) (found []string) {
	add := func(property, text string) { found = append(found, fmt.Sprintf("%s: %q", property, text)) }
	check := func(where, text string, masks []string, claims ...claim) {
		rest := text
		for _, mask := range masks {
			if mask != "" {
				rest = strings.ReplaceAll(rest, mask, "")
			}
		}
		for _, c := range claims {
			for _, said := range c.form.FindAllStringSubmatch(rest, -1) {
				if !c.want(said[1:]) {
					add("each figure of "+where+" is the proposal's", text)
				}
			}
			rest = c.form.ReplaceAllString(rest, "")
		}
		if digits.MatchString(rest) {
			add("each figure of "+where+" is accounted for", text)
		}
		if strings.Contains(rest, "every post") || strings.Contains(rest, "all sources") ||
			strings.Contains(rest, "everything") {
			add("nothing says every post", text)
		}
	}
	totals := []claim{
		{form(`room for ([\d,]+) posts? a month`), is(p.Totals.Allowance)},
		{form(`your plan's ([\d,]+) posts? a month`), is(p.Totals.Allowance)},
		{form(`room for ([\d,]+) more`), is(float64(e.Plan.Keywords))},
		{form(`more than ([\d,]+) posts? a month`), is(proposal.TopEnd)},
		{form(`saves about ([\d,]+) posts? a month`), func(said []string) bool {
			return slices.ContainsFunc(p.Totals.NarrowingApplied, func(n proposal.Narrowing) bool {
				return n.SavedMonthly != nil && plain(said[0]) == figure(*n.SavedMonthly)
			})
		}},
	}
	for _, k := range p.Keywords {
		masks := append([]string{k.Keyword}, k.AdditionalTerms...)
		check("an explanation", k.Explanation, masks, append(ofVolume(k, e), totals...)...)
		if !strings.Contains(k.Explanation, " posts a month") {
			add("an explanation says how much", k.Explanation)
		}
		said := k.Explanation
		for _, reason := range k.Reasons {
			check("a reason", reason.Text, masks, slices.Concat(ofEvidence(k, e), ofVolume(k, e), totals)...)
			said += reason.Text
		}
		for _, source := range k.Volume.UnverifiedSources {
			if !strings.Contains(said, titled(source)) {
				add("a source that failed is named", fmt.Sprint(source, " of ", said))
			}
		}
		if len(k.Volume.UnverifiedSources) > 0 && !strings.Contains(k.Explanation, "could not be measured") {
			add("what was not measured is said in words", k.Explanation)
		}
	}
	for _, n := range p.Totals.NarrowingApplied {
		check("a step of narrowing", n.Reason, nil,
			append(totals, claim{form(`“[^”]*”|(\d+) (strongest anchors|of its words)`), yes})...)
		if n.SavedMonthly != nil && !strings.Contains(n.Reason, "saves about "+commas(*n.SavedMonthly)+" post") {
			add("a step of narrowing says what it saved", n.Reason)
		}
	}
	for _, o := range p.Options {
		if p.AgentFallback && !strings.Contains(o.Description, "about "+commas(o.ProjectedMonthly)+" post") {
			add("an option says what it costs", o.Description)
		}
	}
	for _, w := range p.Warnings {
		if w.Code == "volume_confirm" || w.Code == "volume_blocked" {
			best, _ := p.BestFit()
			check("a warning of the total", w.Message, []string{best.Label},
				claim{form(`About ([\d,]+) posts a month are expected`), is(p.Totals.DedupedMonthly)},
				claim{form(`your allowance is ([\d,]+)`), is(p.Totals.Allowance)},
				claim{form(`by itself is about ([\d,]+) posts?`), is(best.ProjectedMonthly)})
		}
	}
	if brand := brandOf(p); brand != nil && brand.Route == proposal.Bare && brand.Platforms == nil {
		check("the archetype", p.ArchetypeReason, nil, append(ofVolume(*brand, e), totals...)...)
	}
	return found
}

// ofVolume are the claims that a keyword's own figures account for.
func ofVolume(k proposal.Keyword, e proposal.Evidence) []claim {
	failed := []string{}
	for _, source := range k.Volume.UnverifiedSources {
		if !slices.Contains(failed, titled(source)) {
			failed = append(failed, titled(source))
		}
	}
	return []claim{
		{form(`([\d,]+) to ([\d,]+) posts a month`), func(said []string) bool {
			return plain(said[0]) == figure(k.Volume.Low) && plain(said[1]) == figure(k.Volume.High)
		}},
		{form(`(\d+) of (\d+) sampled ones`), func(said []string) bool {
			return k.Sample != nil && said[1] == strconv.Itoa(k.Sample.Scored) &&
				near(said[0], k.Sample.RelevanceRate*float64(k.Sample.Scored), k.Sample.Scored)
		}},
		{form(`one of (\d+) words`), is(float64(len(k.AdditionalTerms)))},
		{form(`on (\d+) platforms`), is(float64(len(k.Platforms)))},
		{form(`(\d+) words? of the noise`), is(float64(len(k.ExcludeWords)))},
		{form(`(\d+) authors?`), is(float64(len(k.ExcludeAuthors)))},
		{form(`and (\d+) more could not be measured`), is(float64(len(failed) - 3))},
	}
}

// ofEvidence are the claims of reasons that quote what was counted and sampled of the bare text.
func ofEvidence(k proposal.Keyword, e proposal.Evidence) []claim {
	s, v := e.Sampled.Sightings[k.Ref], e.Measured.Volumes[k.Ref]
	all, kept, good := len(s.Posts), 0, 0
	if k.Sample != nil {
		kept, good = k.Sample.Scored, int(math.Round(k.Sample.RelevanceRate*float64(k.Sample.Scored)))
	}
	return []claim{
		{form(`which is ([\d,]+) to ([\d,]+) posts a month|alone: ([\d,]+) to ([\d,]+) posts a month`),
			func(said []string) bool {
				return plain(said[0]+said[2]) == strconv.FormatFloat(math.Floor(v.Low), 'f', 0, 64) &&
					plain(said[1]+said[3]) == strconv.FormatFloat(math.Ceil(v.High), 'f', 0, 64)
			}},
		{form(`([\d,]+) in (30 days|7 days|a day) on ([^,]+)`), func(said []string) bool {
			return slices.ContainsFunc(v.PerSource, func(c proposal.SourceCount) bool {
				return plain(said[0]) == figure(c.Count) && strings.HasPrefix(said[2], titled(c.Source))
			})
		}},
		{form(`nothing in (30 days|7 days|a day) on (\d+) sources?`),
			func(said []string) bool { return said[1] == strconv.Itoa(len(v.PerSource)) }},
		{form(`(fewer on|nothing on) (\d+) (more|other)`), yes},
		{form(`(\d+) of (\d+) sampled posts[^(]*\((\d+)%\)`), func(said []string) bool {
			return said[0] == strconv.Itoa(s.Relevant) && said[1] == strconv.Itoa(all) &&
				said[2] == strconv.FormatFloat(100*s.Rate(), 'f', 0, 64)
		}},
		{form(`(\d+) of (\d+) sampled posts`),
			func(said []string) bool { return said[0] == strconv.Itoa(s.Relevant) && said[1] == strconv.Itoa(all) }},
		{form(`keeps (\d+) of the (\d+) relevant posts and (\d+) of the (\d+) others`), func(said []string) bool {
			return said[1] == strconv.Itoa(s.Relevant) && said[3] == strconv.Itoa(all-s.Relevant) &&
				near(said[0], float64(good), kept) && near(said[2], float64(kept-good), kept)
		}},
		{form(`keeps (\d+) of these (\d+) posts(, none of which is relevant)?`), func(said []string) bool {
			alike := s.Relevant == all && said[2] == "" || s.Relevant == 0 && said[2] != ""
			return alike && said[0] == strconv.Itoa(kept) && said[1] == strconv.Itoa(all)
		}},
		{form(`fewer than (\d+) could be proven`), is(proposal.MinAnchors)},
		{form(`it has (\d+) words`), yes},
		{form(`(\d+) (strongest anchors|of its words)`), is(float64(len(k.AdditionalTerms)))},
	}
}

func yes([]string) bool { return true }

func is(want float64) func([]string) bool {
	return func(said []string) bool { return plain(said[0]) == figure(want) }
}

// near reports whether a count is that of a share, which the proposal has in hundredths.
func near(said string, want float64, of int) bool {
	n, err := strconv.Atoi(said)
	return err == nil && math.Abs(float64(n)-want) <= 0.005*float64(of)+1e-9
}

var digits = regexp.MustCompile(`\d`)

// form is a regular expression, compiled once.
func form(pattern string) *regexp.Regexp {
	if compiled, ok := forms.Load(pattern); ok {
		return compiled.(*regexp.Regexp)
	}
	compiled := regexp.MustCompile(pattern)
	forms.Store(pattern, compiled)
	return compiled
}

var forms sync.Map // by pattern: evidences are drawn on all cores

func plain(number string) string { return strings.ReplaceAll(number, ",", "") }

// figure is a number as a table of whole posts shows it.
func figure(x float64) string { return strconv.FormatFloat(math.Round(x), 'f', 0, 64) }

// commas is figure with its thousands set apart.
func commas(x float64) string {
	text := figure(x)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

func titled(source string) string {
	if known, ok := catalogue.Find(source); ok {
		return known.Title
	}
	return source
}
