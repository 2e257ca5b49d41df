package sampling_test

import (
	"slices"
	"testing"

	"earshot/shared/keyword"
	"earshot/shared/post"
	"earshot/shared/proposal"
	"earshot/shared/proposal/sampling"
)

// In a language that writes all nouns with a capital, a word about companies is an anchor from one relevant post on,
// unless noise has it too. Another word of one post is none.
func TestAnchors_WordsAboutCompanies(t *testing.T) {
	profile := proposal.Profile{
		Company:     "Linde",
		Language:    "german",
		Description: "Linde vermietet Gabelstapler, mit Wartung und Fahrerschulung.",
	}
	brand := proposal.Candidate{Ref: "brand", Text: "Linde", Tag: keyword.OwnBrand, Common: true, Exact: true}
	var posts []post.Post
	for n, text := range []string{
		"Gabelstapler von Linde gemietet, und nun kommen Rechnung und Mahnung am selben Tag",
		"Linde übernimmt einen Hersteller aus Hamburg und will dort alles umbauen",
		"Bei Linde streiken seit heute früh mehr als tausend Leute in zwei Hallen",
		"Die alte Linde im Hof blüht und das ganze Haus ist voller Bienen",
		"Unter der Linde sitzen und Tee trinken, so beginnt der Sommer für mich",
		"Der Sturm hat gestern unsere Linde umgeworfen, zum Glück kein Schaden",
		"Honig von der Linde schmeckt kräftiger als der von der Akazie",
		"Im Garten steht eine Linde, die schon mein Opa gepflanzt hat",
		"Der Baum war eine Linde, und niemand weiß, wer ihn gefällt hat",
	} {
		posts = append(posts, at(float64(n), "reddit", "", text))
	}
	seen := sampling.New(newJudge(t), profile, "linde.example").Look(brand, posts, 60)
	for _, word := range []string{"rechnung", "streiken"} {
		if f, ok := find(seen.Anchors, word); !ok || f.Relevant != 1 || f.Noise != 0 {
			t.Errorf("anchors %v lack %s", seen.Anchors, word)
		}
	}
	// A second word of a post adds nothing to its first, however sure the judge is of the post.
	order := func(word string) int {
		return slices.IndexFunc(seen.Anchors, func(f proposal.TermFigure) bool { return f.Term == word })
	}
	if max(order("rechnung"), order("mahnung")) < order("streiken") {
		t.Errorf("anchors %v have two words of one post before streiken", seen.Anchors)
	}
	for _, far := range []string{"mieten", "hallen", "bienen", "sommer"} {
		if f, ok := find(seen.Anchors, far); ok {
			t.Errorf("anchors have %v, want none", f)
		}
	}
}
