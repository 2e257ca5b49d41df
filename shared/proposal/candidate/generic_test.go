package candidate_test

import (
	"slices"
	"testing"

	"earshot/shared/keyword"
	"earshot/shared/proposal"
	"earshot/shared/proposal/candidate"
)

func TestGenericTerms(t *testing.T) {
	for _, term := range []string{"app", "tools", "the best tools for teams", "your", "a", "here", "the"} {
		if !candidate.Generic(term) {
			t.Errorf("%q says something", term)
		}
	}
	for _, term := range []string{"", " ", "!", "todo lists", "invoice", "your invoice", "invoices for teams", "HR software"} {
		if candidate.Generic(term) {
			t.Errorf("%q says nothing", term)
		}
	}
}

// What stands in every sentence is no term of a field, and a letter is no other name of a company.
func TestWordsOfNothing(t *testing.T) {
	all := candidate.Of("x.ai",
		proposal.Profile{Company: "x.ai", IndustryTerms: []string{"a", "the", "here", "meeting scheduling"}})
	for _, c := range all.Candidates {
		if c.Text == "x" || c.Tag == keyword.IndustryTerm && c.Text != "meeting scheduling" {
			t.Errorf("%q is a candidate", c.Text)
		}
	}
	if n := len(slices.DeleteFunc(all.Warnings, func(w proposal.Warning) bool { return w.Code != candidate.WarnGeneric })); n != 3 {
		t.Errorf("%d terms are said to be generic", n)
	}
}

func TestLegalFormInBrackets(t *testing.T) {
	for text, want := range map[string]string{"Otto (GmbH & Co KG)": "Otto", "Zorb (Pty Ltd)": "Zorb",
		"Zorb (Beta)": "Zorb (Beta)"} {
		if got := candidate.Name(text); got != want {
			t.Errorf("%q is called %q", text, got)
		}
	}
}

// An account is told of by the names of its platforms.
func TestContextOfAccounts(t *testing.T) {
	p := proposal.Profile{Company: "Zorb", Handles: []proposal.Handle{
		{Platform: "twitter", Handle: "zorbhq", Linked: true}, {Platform: "github", Handle: "zorbhq", Linked: true},
		{Platform: "reddit", Handle: "u/zorb_lamps", Linked: true}}}
	for ref, want := range map[string]string{
		"handle_twitter": "Posts that mention @zorbhq, the account of Zorb on X and GitHub.",
		"handle_reddit":  "Posts that mention @zorb_lamps, the account of Zorb on Reddit.",
	} {
		if got, _ := candidate.Of("zorb.com", p).Of(ref); got.Context != want {
			t.Errorf("%s: %q", ref, got.Context)
		}
	}
}
