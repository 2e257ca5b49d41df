package sampling_test

import (
	"testing"

	"earshot/shared/keyword"
	"earshot/shared/post"
	"earshot/shared/proposal"
	"earshot/shared/proposal/sampling"
)

// A word of the profile, in its own or in another form, is an anchor from one relevant post on, in a language of which
// no meanings are known. Another word of one post is none, nor is a word of the profile that noise has as often.
func TestAnchors_WordsOfTheProfile(t *testing.T) {
	profile := proposal.Profile{
		Company:     "Mango",
		Language:    "spanish",
		Description: "Mango vende moda para mujer: vestidos, abrigos, zapatos y bolsos, en tiendas.",
	}
	brand := proposal.Candidate{Ref: "brand", Text: "Mango", Tag: keyword.OwnBrand, Common: true, Exact: true}
	var posts []post.Post
	for n, text := range []string{
		"El vestido de Mango que llevaba la presentadora está agotado en todas partes",
		"Los zapatos de Mango me duran un año como mucho, y luego hay que tirarlos",
		"Ayer corté un mango maduro para el postre de los niños y estaba muy dulce",
		"Mi abuela siempre pone mango en la ensalada con un poco de sal y limón",
		"El zumo de mango con hielo es lo mejor que se puede beber en verano",
		"Se rompió el mango de la sartén y ahora no puedo levantarla del fuego",
		"Plantamos un mango en el jardín hace diez años y por fin da fruta",
		"Vendo mangos, naranjas y bolsos de rafia en el mercado de los sábados",
	} {
		posts = append(posts, at(float64(n), "reddit", "", text))
	}
	seen := sampling.New(newJudge(t), profile, "mango.example").Look(brand, posts, 60)
	if f, ok := find(seen.Anchors, "zapatos"); !ok || f.Relevant != 1 || f.Noise != 0 {
		t.Errorf("anchors %v lack zapatos, a word of the profile", seen.Anchors)
	}
	if f, ok := find(seen.Anchors, "vestido"); !ok || f.Relevant != 1 || f.Noise != 0 {
		t.Errorf("anchors %v lack vestido, which the profile has in the plural", seen.Anchors)
	}
	for _, far := range []string{"presentadora", "agotado", "bolsos"} {
		if f, ok := find(seen.Anchors, far); ok {
			t.Errorf("anchors have %v, want none", f)
		}
	}
}
