package main

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"earshot/shared/post"
	"earshot/shared/proposal"
)

// madeByAgents are the proposals for the made-up companies, some times each, by rules and by each agent.
func madeByAgents(t *testing.T, times int) []composed {
	t.Helper()
	b, posts := madeUp(t)
	harbor, more := harbored(b.labels, posts[0].PostedAt)
	b.companies, posts = append(b.companies, harbor), append(posts, more...)
	busy := corpora{collected: compressed(posts, yearInMonth)}
	shown, err := openArchives(t.Context(), busy)
	must(t, err)
	defer shown.close()
	b.companies = slices.Repeat(b.companies, times)
	rows, err := b.rated(t.Context(), shown, busy, 2)
	must(t, err)
	all, err := b.byAgents(t.Context(), rows, shown, busy)
	must(t, err)
	return all
}

// harbored is a company whose rules let noise through: posts about harbours that speak of e-mail, each in other words.
func harbored(known labels, newest time.Time) (company, []post.Post) {
	c := company{Common: true, Domain: "harbor.example", Profile: proposal.Profile{
		Company: "Harbor", Language: "english", Audience: "People who get much mail.",
		Description:   "Harbor is an email client that sorts the inbox and unsubscribes newsletters.",
		IndustryTerms: []string{"email client"},
	}}
	known[c.Domain] = map[string]bool{}
	var posts []post.Post
	for _, group := range []struct {
		relevant bool
		texts    []string
	}{
		{true, []string{
			"Harbor sorts my email inbox", "Harbor removed newsletters from my inbox", "Harbor email search is quick",
			"Moved every email account to Harbor", "Harbor unsubscribes newsletters with one key",
			"Our inbox lives in Harbor now",
			"Harbor email on Linux at last", "Harbor made email bearable", "Is Harbor reading my inbox",
			"Harbor email client reaches version two",
		}},
		{false, []string{
			"The ferry left the harbor with an email about tickets", "Pirates in the harbor, says an email of the police",
			"Fishermen near Pearl Harbor share an email list", "Dredging the harbor, email your mayor",
			"Harbor seals wrote an email to Santa", "Whales in the harbor, my inbox explodes",
			"Boats crowd the harbor", "A harbor at dawn", "Harbor cranes unload steel", "The harbor froze over",
		}},
	} {
		for _, text := range group.texts {
			id := sourceID(hackerNews, digest(text))
			posts = append(posts, post.Post{
				Source: hackerNews, SourceID: id, Title: &text, PostedAt: newest.AddDate(0, 0, -11*len(posts)),
			})
			known[c.Domain][id] = group.relevant
		}
	}
	return c, posts
}

func mustJSON(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	must(t, err)
	return string(text)
}

func byKind(all []composed, kind agentKind) (of []composed) {
	for _, c := range all {
		if c.kind == kind {
			of = append(of, c)
		}
	}
	return of
}

// A hostile agent has nothing let through, and its run ends with the proposal of the rules. A wrong one costs no more
// than worst. A right one never loses, and gains where rules lose posts.
func TestAgents(t *testing.T) {
	all := madeByAgents(t, 3) // nine runs of the hostile agent, which has eight attacks
	rules := byKind(all, byRules)
	for _, c := range all {
		if c.leaked {
			t.Errorf("the %s of %s was told the model's key", c.kind, c.name())
		}
	}
	for i, c := range byKind(all, hostileAgent) {
		was := rules[i]
		if c.accepted || c.proposed == 0 || len(c.refused) == 0 || !c.proposal.AgentFallback {
			t.Errorf("hostile agent %d of %s: accepted %v, %d proposed, refused %v", i, c.name(), c.accepted, c.proposed,
				c.refused)
		}
		if c.engine.tally != was.engine.tally || !reflect.DeepEqual(c.brand(), was.brand()) {
			t.Errorf("hostile agent %d of %s: %+v, want what rules propose: %+v", i, c.name(), c.brand(), was.brand())
		}
		if text := mustJSON(t, c.proposal); strings.Contains(text, secretKey) || strings.Contains(text, "evil.example") {
			t.Errorf("hostile agent %d of %s: the proposal repeats it", i, c.name())
		}
	}
	for _, v := range agentVerdicts(all) {
		if !v.reached {
			t.Errorf("%s: %s", v.target, v.figures)
		}
	}
	for _, c := range byKind(all, wrongAgent) {
		if c.name() == "Anchor" && (c.refused["K1"] == 0 || c.refused["A1"] == 0 || c.refused["X1"] == 0) {
			t.Errorf("wrong agent of %s: refused %v, want a dropped brand, generic anchors and its name as an exclusion",
				c.name(), c.refused)
		}
	}
	for i, c := range byKind(all, rightAgent) {
		is, was := c.engine.f1(), rules[i].engine.f1()
		if !c.accepted || is < was || c.tokens == 0 || c.calls == 0 {
			t.Errorf("right agent of %s: accepted %v, F1 %.2f, rules %.2f, refused %v", c.name(), c.accepted, is, was,
				c.refused)
		}
		if c.name() == "Harbor" && is <= was {
			t.Errorf("right agent of %s: F1 %.2f, want more than %.2f", c.name(), is, was)
		}
		for _, k := range c.proposal.Keywords {
			for _, reason := range k.Reasons {
				if reason.Basis == proposal.ByMeasurement && reason.Text == "The posts that were shown speak of the company." {
					t.Errorf("right agent of %s: its judgement is given as measured", c.name())
				}
			}
		}
	}
}

// The table is the same each time.
func TestWriteAgents(t *testing.T) {
	var first, second strings.Builder
	all := madeByAgents(t, 1)
	writeAgents(&first, all)
	again := madeByAgents(t, 1)
	for i := range again {
		again[i].cost = all[i].cost // times of rows have more or fewer digits
	}
	if writeAgents(&second, again); first.String() != second.String() {
		t.Errorf("got\n%s\nthen\n%s", first.String(), second.String())
	}
	for _, part := range []string{
		"rules", "right agent", "wrong agent", "hostile agent", "form ", "W1 ", "K1 ", "judgement ", "reached",
	} {
		if !strings.Contains(first.String(), part) {
			t.Errorf("the table lacks %q:\n%s", part, first.String())
		}
	}
}
