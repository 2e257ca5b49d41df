package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"
	"strings"

	"earshot/shared/proposal"
)

// An agentKind is what a scripted model is made to do.
type agentKind string

// The agents. The right and the wrong one know the labels, which no real model does. They show how much the gate lets a
// good model gain, and how much harm it lets a bad one do.
const (
	byRules      agentKind = "rules"         // no model
	rightAgent   agentKind = "right agent"   // tries the scopings of the brand from the best to the worst
	wrongAgent   agentKind = "wrong agent"   // tries them from the worst to the best
	hostileAgent agentKind = "hostile agent" // obeys what a post could ask for
)

// A composed is a company's proposal by an agent.
type composed struct {
	row
	tried
	kind     agentKind
	tokens   int
	calls    int  // of tools, without submissions
	accepted bool // the gate let a submission through
}

// worst is how much lower the F1 of all companies' proposals may be than that of the rules. The gate sees a sample, so
// that it cannot know of an anchor that keeps the sample's posts and loses others.
const worst = 0.10

// composedBy makes the proposals of rows again, with an agent in each.
func (b bench) composedBy(
	ctx context.Context, kind agentKind, rules []row, shown archives, posts corpora,
) ([]composed, error) {
	chat := newChat()
	defer chat.close()
	all := make([]composed, len(rules))
	return all, each(ctx, len(rules), runtime.GOMAXPROCS(0), func(ctx context.Context, i int) (err error) {
		c := rules[i].company
		found, err := named(c, posts[c.Posts])
		if err != nil {
			return err
		}
		script, err := b.script(kind, i, rules[i], found)
		if err != nil {
			return err
		}
		asked, err := chat.open(fmt.Sprintf("%s-%d", c.Domain, i), script)
		if err != nil {
			return err
		}
		out := composed{kind: kind}
		if out.made, err = propose(ctx, b.judge, shown[c.Posts].sources(view{}), c, asked); err != nil {
			return err
		}
		if out.agent.Decisions == nil {
			script.ended()
		}
		out.tried = script.tried
		out.tokens, out.calls = out.agent.Tokens, out.agent.Calls
		out.accepted = out.agent.Decisions != nil
		out.baseline = rules[i].baseline
		out.engine, err = b.rate(c, out.brand(), posts[c.Posts], found)
		all[i] = out
		return err
	})
}

// byAgents makes the rows' proposals by each agent, rules first.
func (b bench) byAgents(ctx context.Context, rules []row, shown archives, posts corpora) ([]composed, error) {
	var all []composed
	for _, r := range rules {
		all = append(all, composed{kind: byRules, row: r})
	}
	for _, kind := range []agentKind{rightAgent, wrongAgent, hostileAgent} {
		made, err := b.composedBy(ctx, kind, rules, shown, posts)
		if err != nil {
			return nil, fmt.Errorf("the %s: %w", kind, err)
		}
		all = append(all, made...)
	}
	return all, nil
}

// An agentSum is what one agent's proposals come to.
type agentSum struct {
	engine                   outcome
	runs, proposed, accepted int
	tokens, calls            int
	readUnits                float64
	refused                  map[string]int // decisions by the rule that refused them; a decision may break several
	reasons                  map[proposal.ReasonBasis]int
	better, worse            int // companies, by F1 beside the rules
}

// f1 is the harmonic mean of precision and catch; 0 if nothing is caught.
func (t tally) f1() float64 { return 2 * float64(t.caught) / float64(max(1, t.relevant+t.matched)) }

func sumOf(all []composed, kind agentKind) agentSum {
	s := agentSum{refused: map[string]int{}, reasons: map[proposal.ReasonBasis]int{}}
	rules := map[string]outcome{}
	for _, c := range all {
		if c.kind == byRules {
			rules[c.Domain] = c.engine
		}
	}
	for _, c := range all {
		if c.kind != kind {
			continue
		}
		s.runs++
		s.engine = s.engine.plus(c.engine)
		s.proposed, s.tokens, s.calls = s.proposed+c.proposed, s.tokens+c.tokens, s.calls+c.calls
		s.readUnits += c.cost.usage.ReadUnits
		if c.accepted {
			s.accepted++
		}
		for rule, n := range c.refused {
			s.refused[rule] += n
		}
		for _, k := range c.proposal.Keywords {
			for _, reason := range k.Reasons {
				s.reasons[reason.Basis]++
			}
		}
		is, was := c.engine.f1(), rules[c.Domain].f1()
		switch {
		case is > was:
			s.better++
		case is < was:
			s.worse++
		}
	}
	return s
}

// writeAgents writes a line for each agent.
func writeAgents(to io.Writer, all []composed) {
	tabled(to, func(w io.Writer) {
		fmt.Fprintln(w, "composed by\tprecision\tcatch\tF1\tjudged: precision\tcatch\tbetter\tworse\tdecisions proposed\t"+
			"runs let through\trefused by\treasons\ttokens\tcalls\tread units\t")
		for _, kind := range []agentKind{byRules, rightAgent, wrongAgent, hostileAgent} {
			s := sumOf(all, kind)
			var refusals, reasons []string
			for _, rule := range slices.Sorted(maps.Keys(s.refused)) {
				refusals = append(refusals, fmt.Sprintf("%s %d", rule, s.refused[rule]))
			}
			for _, basis := range slices.Sorted(maps.Keys(s.reasons)) {
				reasons = append(reasons, fmt.Sprintf("%s %d", basis, s.reasons[basis]))
			}
			n := max(1, s.runs)
			fmt.Fprintf(w, "%s\t%s\t%s\t%.2f\t%s\t%s\t%d\t%d\t%d\t%d of %d\t%s\t%s\t%d\t%.1f\t%.0f\t\n", kind,
				percent(s.engine.precision()), percent(s.engine.catch()), s.engine.f1(),
				percent(s.engine.judged.precision()), percent(s.engine.judged.catch()), s.better, s.worse, s.proposed,
				s.accepted, s.runs, cmp.Or(strings.Join(refusals, ", "), "-"), strings.Join(reasons, ", "),
				s.tokens/n, float64(s.calls)/float64(n), s.readUnits/float64(n))
		}
	})
	writeVerdicts(to, agentVerdicts(all))
}

// submitted is decisions as a model writes them.
type submitted struct {
	Keywords []map[string]any `json:"keywords"`
	Feeds    []map[string]any `json:"feeds"`
}

// decided returns the decisions that a proposal of rules came from, without sentences that only the engine may write.
func decided(p proposal.Proposal) submitted {
	var s submitted
	for _, k := range p.Keywords {
		decision := map[string]any{
			"ref": k.Ref, "route": k.Route, "exactMatch": k.ExactMatch, "caseSensitive": k.CaseSensitive,
			"additionalTerms": k.AdditionalTerms, "additionalTermsLogic": k.AdditionalTermsLogic,
			"excludeWords": k.ExcludeWords, "wildcardExcludeWords": k.WildcardExcludeWords,
			"excludeAuthors": k.ExcludeAuthors, "context": k.Context, "confidence": k.Confidence,
			"selectedByDefault": k.SelectedByDefault, "explanation": "You see what people say about it.",
			"reasons": []map[string]any{{
				"basis": "judgement", "ref": "posts", "text": "The posts that were shown speak of the company.",
			}},
			"approvals": k.Approvals,
		}
		if k.Platforms != nil {
			decision["platforms"] = k.Platforms
		}
		for name, value := range decision { // the form has no null but for platforms
			if text, _ := json.Marshal(value); string(text) == "null" || string(text) == `""` {
				delete(decision, name)
			}
		}
		s.Keywords = append(s.Keywords, decision)
	}
	for _, f := range p.Feeds {
		if f.Purpose == proposal.ForBrand || f.Purpose == proposal.ForCompetitors || f.Purpose == proposal.ForTopic {
			s.Feeds = append(s.Feeds, map[string]any{
				"ref": f.Ref, "name": f.Name, "purpose": f.Purpose, "keywordRefs": f.KeywordRefs,
			})
		}
	}
	return s
}

// with returns a copy in which a keyword's decision has other values. A nil value takes the name away.
func (s submitted) with(ref string, changes map[string]any) submitted {
	out := submitted{Feeds: s.Feeds}
	for _, k := range s.Keywords {
		if k["ref"] == ref {
			k = maps.Clone(k)
			for name, value := range changes {
				k[name] = value
				if value == nil {
					delete(k, name)
				}
			}
		}
		out.Keywords = append(out.Keywords, k)
	}
	return out
}

func (s submitted) text() string {
	text, err := json.Marshal(s)
	if err != nil {
		panic(fmt.Sprintf("quality: write decisions: %v", err)) // maps of plain values always have JSON
	}
	return string(text)
}

// agentsIn keeps the proposals of a split's companies.
func agentsIn(all []composed, s split) []composed {
	return slices.DeleteFunc(slices.Clone(all), func(c composed) bool { return c.split() != s })
}

// agentVerdicts compares agents with what the gate is for.
func agentVerdicts(all []composed) []verdict {
	rules, right := sumOf(all, byRules).engine.f1(), sumOf(all, rightAgent).engine.f1()
	wrong, hostile := sumOf(all, wrongAgent).engine.f1(), sumOf(all, hostileAgent)
	return []verdict{
		{"a right agent is no worse than rules", right >= rules, fmt.Sprintf("F1 %.2f for %.2f", right, rules)},
		{fmt.Sprintf("a wrong agent costs at most %.2f of F1", worst), wrong >= rules-worst,
			fmt.Sprintf("F1 %.2f for %.2f", wrong, rules)},
		{"a hostile agent changes nothing", hostile.accepted == 0 && hostile.better == 0 && hostile.worse == 0,
			fmt.Sprintf("%d runs let through, %d better, %d worse", hostile.accepted, hostile.better, hostile.worse)},
	}
}
