package candidate_test

import (
	"strings"
	"testing"

	"earshot/shared/proposal"
	"earshot/shared/proposal/candidate"
)

// A sign inside a company's name ends no sentence of its description, and no context says the name twice.
func TestOf_SignsInName(t *testing.T) {
	found := candidate.Of("wow-pizza.com", proposal.Profile{
		Company: "Wow! Pizza", Language: "english", Description: "Order hot pizza from Wow! Pizza. Delivery in 30 minutes.",
	})
	for ref, want := range map[string]string{
		"brand":        "Order hot pizza from Wow Pizza.",
		"copy_spelled": "Posts that write Wow Pizza with the signs of its name.",
	} {
		c, ok := found.Of(ref)
		if !ok || !strings.HasSuffix(c.Context, want) {
			t.Errorf("context of %s = %q, want %q at its end", ref, c.Context, want)
		}
	}
}
