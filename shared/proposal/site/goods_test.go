package site_test

import (
	"fmt"
	"slices"
	"testing"

	"earshot/shared/proposal/site"
)

// The goods of a maker's own shop are its products, in articles as anywhere. Those of a shop that only sells are not.
func TestProfile_GoodsInArticles(t *testing.T) {
	const good = `<article><h3><a href="/%d-%s.html">%s</a></h3><p>28 cm</p><div>64,90&nbsp;€</div></article>`
	goods := fmt.Sprintf(good+good, 11, "sarten-brasa", "Sartén Brasa", 12, "cazuela-lumbre", "Cazuela Lumbre")
	for _, c := range []struct {
		description string
		want        []string
	}{
		{"Fabricantes de menaje de cocina desde 1958.", []string{"Sartén Brasa", "Cazuela Lumbre"}},
		{"Menaje de cocina de las mejores marcas.", []string{}},
	} {
		page := `<html lang="es"><title>Acme</title><meta name="description" content="` + c.description + `">
			<a href="/cesta">Cesta</a><h2>Destacados</h2>` + goods + `
			<article><h3><a href="/noticias/feria-mayo">Feria Mayo</a></h3><p>Nos vemos en mayo.</p></article>`
		got := site.Profile(site.Page{URL: "https://acme.test/", HTML: []byte(page)}, "acme.test").Products
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.description, got, c.want)
		}
	}
}
