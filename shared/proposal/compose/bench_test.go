package compose_test

import (
	"fmt"
	"testing"

	"earshot/shared/keyword"
	"earshot/shared/proposal"
	"earshot/shared/proposal/compose"
)

// full is as much evidence as a thorough run brings: 24 candidates with 60 posts each, of some 300 characters.
func full() *world {
	w := newWorld()
	texts := []string{"Dropbox", "OneDrive", "sync", "SSO", "Egnyte", "Nextcloud", "SharePoint", "ledger", "invoice",
		"Kubernetes", "cardboard", "gift", "office",
		"hiring", "tapes", "river", "orchard", "voucher", "giveaway", "newsletter"}
	for n := range proposal.MaxKeywords {
		c := proposal.Candidate{
			Ref:   fmt.Sprintf("competitor_%d", n),
			Text:  fmt.Sprintf("Zendrix%c", 'a'+n),
			Tag:   keyword.Competitor,
			Route: proposal.Bare,
		}
		switch {
		case n < 3:
			c.Ref, c.Text, c.Tag = fmt.Sprintf("brand_%d", n), []string{"Box", "Boxly", "box.example"}[n], keyword.OwnBrand
		case n > 15:
			c.Ref, c.Text, c.Tag = fmt.Sprintf("industry_%d", n), fmt.Sprintf("file sharing %c", 'a'+n), keyword.IndustryTerm
		}
		w.add(c, int64(100*n), int64(50*n))
		var posts []proposal.SampledPost
		for i := range 60 {
			said := fmt.Sprintf("%s is what we use for %s and %s. ", c.Text, texts[(n+i)%len(texts)], texts[(3*i)%len(texts)])
			posts = append(posts, post(1000*n+i, []string{"hackernews", "reddit", "github"}[i%3], fmt.Sprintf("author%d", i%7),
				said+"It took the team a while to see why it would not do what the documentation says, and then some more to have it changed by those who run it.", i%3 > 0))
		}
		w.sees(c.Ref, posts, texts[:12], texts[8:], []string{"author1", "author2"})
	}
	return w
}

// BenchmarkCompose is all that a run asks of this package, with the evidence studied once, and for each step. In blocked
// every step of narrowing is taken.
func BenchmarkCompose(b *testing.B) {
	for name, allowance := range map[string]float64{"fits": 1e9, "blocked": 1} {
		w := full()
		w.Plan.Allowance = allowance
		b.Run(name+"/studied once", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				studied := compose.Study(w.Evidence)
				d := studied.Decide()
				studied.Assemble(d)
				studied.Narrow(d)
			}
		})
		b.Run(name+"/studied for each step", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				d := compose.Study(w.Evidence).Decide()
				compose.Study(w.Evidence).Assemble(d)
				compose.Study(w.Evidence).Narrow(d)
			}
		})
	}
}
