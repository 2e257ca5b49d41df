package site

import (
	"slices"
	"strings"
	"sync"
	"unicode"
)

// A group is what a menu, a section or a folder of a site is of.
type group int

const (
	other group = iota
	ofProducts
	ofReaders     // industries, teams and roles that a company sells to
	ofComparisons // with competitors
	ofUses        // use cases
	ofCompany     // what is of the company itself, or of somebody else
)

// groupWords name the groups in the languages that most sites are in. A word of several groups is of the last one that
// has it.
var groupWords = map[group]string{
	ofProducts: `product products platform platforms apps brand brands models lineup portfolio programmes
		produkt produkte plattform plattformen marken modelle produktfamilie sortiment
		produit produits offre offres plateforme marques modèles gamme gammes
		producto productos plataforma marcas modelos aplicaciones
		produto produtos aplicativos
		prodotto prodotti piattaforma marchi modelli
		producten platformen merken modellen
		produkty platforma marki modele produkter varumärken modeller tuotteet
		製品 製品情報 製品一覧 プロダクト ブランド 产品 品牌 產品 제품 브랜드 ürünler markalar продукты продукция бренды`,
	ofReaders: `industry industries solutions segments sectors roles audiences
		branchen branche zielgruppen lösungen loesungen
		secteurs secteur métiers metiers
		sectores industrias soluciones soluções solucoes setores segmentos
		settori settore soluzioni sectoren branches oplossingen branże rozwiązania branscher lösningar toimialat
		業種 業界 業種別 ソリューション 行业 解决方案 산업 솔루션 sektörler çözümler отрасли решения`,
	ofComparisons: `compare comparison comparisons alternatives alternative versus vs competitors
		vergleich vergleiche vergleichen alternativen comparer comparatif comparatifs comparaison
		comparar comparativa comparativo comparação comparacao alternativas confronto confronta confronti alternativa
		vergelijk vergelijken vergelijking alternatieven porównanie porównania
		porownanie porownania jämför jämförelse 比較 对比 비교`,
	ofUses: `usecases use cases case workflows features anwendungsfälle funktionen fonctionnalités usages
		casos funcionalidades funciones recursos casi funzionalità functies funkcje 機能 活用`,
	ofCompany: `about company blog news newsroom press media careers career jobs investors investor legal privacy terms
		customers customer clients stories story partners partner integrations integration events event webinars resources
		resource support help docs documentation account login signin team people author authors tag category categories
		contact locations community forum academy guides guide templates faq magazine podcast articles article user users member members profile profiles thread threads
		topic topics questions question tags
		unternehmen über ueber presse karriere kunden referenzen ratgeber hilfe kontakt rechtliches impressum datenschutz
		entreprise propos actualités clients carrières recrutement ressources aide légal mentions
		empresa noticias prensa clientes empleo ayuda sobre imprensa notícias carreiras ajuda
		azienda notizie stampa clienti lavora risorse aiuto
		bedrijf nieuws pers klanten vacatures bronnen firma aktualności kariera klienci företag nyheter karriär kunder
		会社 会社概要 企業情報 ニュース 採用 お問い合わせ 事例 关于 회사 hakkımızda`,
}

var groups = sync.OnceValue(func() map[string]group {
	all := map[string]group{}
	for _, g := range []group{ofCompany, ofUses, ofReaders, ofProducts, ofComparisons} {
		for _, word := range strings.Fields(groupWords[g]) {
			all[word] = g
		}
	}
	return all
})

// works are the folders in which agencies, architects and builders show what they made for others.
var works = set(`work works our-work selected-work project projects portfolio case-studies case-study clients
	projekte projekt arbeiten realisations réalisations projets proyectos trabajos trabalhos projetos progetti lavori projecten werk
	realizacje projekty 実績 制作実績`)

// folderOf is the group that a folder of a site is of. One of products says no more than that: in "related-products"
// is something else.
func folderOf(part string) group {
	if works()[part] {
		return ofCompany
	}
	if part == "pipeline" { // of medicines
		return ofProducts
	}
	named := groupOf(part)
	for _, word := range strings.FieldsFunc(part, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsMark(c) }) {
		if named == ofProducts && groups()[word] != ofProducts && !calling(word) {
			return other
		}
	}
	return named
}

// groupOf is the group that a label of few words or a part of a path names: that of its first word that names one,
// unless another word says that it compares.
func groupOf(label string) (named group) {
	words := strings.FieldsFunc(label, func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsMark(c)
	})
	if len(words) > mostLabel {
		return other
	}
	if len(words) > 0 && slices.Contains([]string{"for", "für", "fuer", "pour", "para", "voor"}, strings.ToLower(words[0])) {
		return ofReaders // "For developers", "/for/developers"
	}
	for _, word := range words {
		switch g := groups()[strings.ToLower(word)]; {
		case g == ofComparisons:
			return g
		case named == other:
			named = g
		}
	}
	return named
}
