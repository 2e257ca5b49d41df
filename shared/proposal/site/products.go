package site

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"earshot/shared/proposal"
	"earshot/shared/text"
)

// Bounds of what becomes a product.
const (
	// mostGoods is how many products the body of a page links that have their own page: a page with more is a shop,
	// and they are its goods.
	mostGoods = 12
	// mostProductNames is how many products a profile gets of a page's structure: who fills in a profile reads no more.
	mostProductNames = 15
	mostProductWords = 4
	// mostKnown is how many names are weighed.
	mostKnown = 1_000
	// enough is the evidence from which a name is a product's. No single sign but a page of its own among the products
	// is enough.
	enough = 3.0
)

// What each sign says of a name, chosen on the pages of testdata/sites that are called dev.
const (
	ofMark       = 2.0 // ™ or ® stands behind it: the mark may be another's
	ofFolder     = 3.0 // its page is among the products: /products/relay
	ofMenu       = 2.0 // it stands in a menu of products of the header,
	ofFooterMenu = 1.5 // or of the footer
	ofOwnPage    = 1.0 // a page of the site is called by it, and a link in the header or body says so, once,
	ofFooterLink = 0.5 // or one in the footer
	ofHost       = 1.0 // that page is a host of its own: play.acme.com
	ofCard       = 1.5 // a heading has it, with a link to that page
	ofHeading    = 1.0 // it is a heading by itself, elsewhere
	ofSection    = 1.5 // under a heading that says "Our products"
	ofPrice      = 1.5 // a price stands in the card,
	ofSibling    = 1.5 // or in another of the same folder
	ofSet        = 1.5 // headings of one section are such names, and all begin with the company's or have prices
	ofShape      = 1.5 // it has capitals or digits inside: MileagePlus, Cortex 2
	ofDefinition = 1.5 // a sentence says what it is
	ofSmall      = -1  // sentences write it small, as a word: "fintech"
	ofBrandName  = 1.5 // it begins with the company's name,
	ofBranded    = 0.5 // and the header links a page that is called so,
	ofFamily     = 1.0 // or with a part of it: "Heron Cargo" of Northern Heron
	ofSentence   = 1.0 // a sentence writes it as a name
	ofCoinage    = 1.0 // it is written as no word is, and begins as the company's name does
)

// A product is a name with what speaks for it.
type product struct {
	name     string
	order    int
	evidence float64
	shown    float64         // the evidence that is not of the name alone: how much the page makes of it
	signs    map[string]bool // that were counted, each once
}

// plausible says whether a name is more than a page of the site: it stands among the products, or is written as no word
// is. People, places and sections of newspapers have pages, cards and headings too. In a shop, menus of products have
// its departments, and those of brands have others' brands.
func (f *finder) plausible(p *product) bool {
	is := func(signs ...string) bool {
		return slices.ContainsFunc(signs, func(sign string) bool { return p.signs[sign] })
	}
	if is("mark", "brand", "capitals", "store", "title") {
		return true
	}
	if strings.Contains(p.name, "&") && !is("card", "heading") {
		return false // "Sofas & Chairs" of a menu alone is a department
	}
	return is("folder") && is("card", "sentence") ||
		!f.shop && is("folder", "menu", "footer menu", "section", "price", "sibling", "defined") ||
		is("price") && (is("header") || is("card") && f.maker())
}

// makers finds that a text says of its company that it makes what it sells.
var makers = text.NewPattern(
	`(?i)^(?:\S+\s){0,2}(?:makers?|manufacturers?|hersteller|manufaktur|fabricants?|fabricantes?|` +
		`produttor[ei]|fabbricant[ei]|fabrikant|producent|artesanos|artisans)\s(?:of|de|du|di|von|van|für)\s|` +
		`\bwe (?:make|build|craft|manufacture)\s|\bwir (?:fertigen|bauen|produzieren)\s|\bfabriquons\s|\bfabricamos\s|` +
		`\bproduciamo\s|\bfabbrichiamo\s|\b(?:wij|we) maken\s|\bproduzimos\s`)

// maker reports whether the page says that its company makes what it sells.
func (r *reading) maker() bool {
	return slices.ContainsFunc(
		append([]string{r.meta["description"], r.data.description}, r.voiced...), makers.MatchString,
	)
}

// others tells the names of another maker's things: several begin with one word that is neither the company's nor a name
// of the page by itself, and no menu has them ("Hyundai i10", "Hyundai i20").
func (f *finder) others(all []*product) func(*product) bool {
	maker := func(p *product) string {
		first, _, several := strings.Cut(p.name, " ")
		if !several || p.signs["brand"] || p.signs["menu"] || p.signs["footer menu"] || p.signs["folder"] ||
			f.known[joined(first)] != nil {
			return ""
		}
		return joined(first)
	}
	times := map[string]int{}
	for _, p := range all {
		times[maker(p)]++
	}
	return func(p *product) bool { return maker(p) != "" && times[maker(p)] > 1 }
}

// wares says whether nothing but the page's body speaks of a product.
func (p *product) wares() bool {
	for _, sign := range []string{"menu", "footer menu", "mark", "header", "footer"} {
		if p.signs[sign] {
			return false
		}
	}
	return true
}

// products are the company's products: those of JSON-LD, and names that have a page of the company's own, as menus,
// cards, headings and trade marks show it.
func (r *reading) products(company string) []string {
	f := &finder{
		reading: r,
		company: company,
		known:   map[string]*product{},
		folders: map[string][]string{},
		priced:  map[string]bool{},
	}
	f.prose, f.root = f.sentences(), r.root()
	if small := strings.ToLower(f.prose); len(small) == len(f.prose) {
		f.small = small
	}
	f.shop = r.shop()
	var texts []string
	for _, l := range r.links {
		if !l.cited && !l.abroad && (!l.quoted || r.articles == 1) { // the only article of a page is its text
			f.link(l)
			if _, folder, inside := f.path(l.href); inside && folder != ofCompany && l.menu != ofCompany {
				texts = append(texts, l.text)
			}
		}
	}
	for _, c := range r.cards {
		name, _ := f.name(c.text)
		if !c.cited && (!c.quoted || c.priced || r.articles == 1 || f.counted(name, "header")) {
			f.card(c)
		}
	}
	f.siblings()
	for from, to := 0, 0; from < len(r.cards); from = to {
		for to = from + 1; to < len(r.cards) && beside(r.cards[from], r.cards[to]); to++ {
		}
		f.set(r.cards[from:to], true)
	}
	for _, c := range r.cards {
		f.heading(c.text)
	}
	f.titles()
	f.stresses()
	f.appositions()
	f.coinages()
	for _, t := range f.tables {
		f.rows(t)
	}
	texts = append(texts, r.title, r.meta["description"], r.meta["og:description"])
	for _, text := range append(texts, r.trademarks...) {
		f.marked(text)
	}
	var all []string
	for _, name := range r.data.products {
		all = append(all, unmarked(name))
	}
	return append(all, f.found()...)
}

// A finder collects evidence for names.
type finder struct {
	*reading
	company string
	prose   string
	small   string // prose in small letters; empty if that is of another length
	shop    bool   // it has a basket
	root    string // the folder that most of the site's links lead into
	known   map[string]*product
	folders map[string][]string // the names of cards, by the folders of their pages
	priced  map[string]bool     // folders of which a card has a price
}

// note counts a sign for a name, once.
func (f *finder) note(name, sign string, weight float64) {
	key := joined(name)
	if key == "" {
		return
	}
	p := f.known[key]
	if p == nil {
		if len(f.known) == mostKnown {
			return
		}
		p = &product{name: name, order: len(f.known), signs: map[string]bool{}}
		f.known[key] = p
	}
	if !p.signs[sign] {
		p.signs[sign] = true
		p.evidence += weight
		if !slices.Contains([]string{"shape", "small", "sentence", "brand"}, sign) {
			p.shown += weight
		}
	}
}

// shop says whether the site sells what the page lists: it has a basket, many prices, or many brands.
func (r *reading) shop() bool {
	const manyPrices = 8
	brands := map[string]bool{}
	for _, l := range r.links {
		path, inside := r.own.path(l.href)
		if inside && slices.ContainsFunc(path[:len(path)-1], func(part string) bool { return sellers()[part] }) {
			brands[path[len(path)-1]] = true
		}
	}
	return r.prices >= manyPrices || len(brands) > mostGoods || slices.ContainsFunc(r.links, func(l link) bool {
		path, inside := r.own.path(l.href)
		return inside && (baskets()[strings.ToLower(strings.Trim(firstWord(l.text), "()0:"))] ||
			slices.ContainsFunc(path, func(part string) bool {
				part, _, _ = strings.Cut(part, ".")
				return baskets()[part]
			}))
	})
}

// root is the folder that most links of the site lead into: on a site of documentation, what others call "docs" says
// nothing. Empty: there is none.
func (r *reading) root() string {
	folders, all := map[string]int{}, 0
	for _, l := range r.links {
		if path, inside := r.own.path(l.href); inside {
			all++
			if len(path) > 1 {
				folders[path[0]]++
			}
		}
	}
	for folder, n := range folders {
		const least = 6 // links
		if 2*n > all && n >= least {
			return folder
		}
	}
	return ""
}

// path is where a link leads on the site, and what the folder that it leads into is of.
func (f *finder) path(href string) (path []string, folder group, inside bool) {
	if path, inside = f.own.path(href); !inside {
		return nil, other, false
	}
	folders := path[:max(len(path)-1, 0)]
	if len(folders) > 0 && folders[0] == f.root && groupOf(f.root) != ofProducts {
		folders = folders[1:]
	}
	for _, part := range folders {
		if folder = folderOf(part); folder != other {
			break
		}
	}
	if f.shop && folder == ofProducts && slices.ContainsFunc(folders, func(part string) bool { return sellers()[part] }) {
		folder = ofCompany // other companies'
	}
	return path, folder, true
}

// counted says whether a sign was counted for a name.
func (f *finder) counted(name, sign string) bool {
	p := f.known[joined(name)]
	return p != nil && p.signs[sign]
}

// link takes a link on the company's own site for a product's when its text names its page.
func (f *finder) link(l link) {
	path, folder, inside := f.path(l.href)
	host := f.own.part(l.href)
	if !inside && host == "" {
		return
	}
	menu := l.menu
	if f.coined(l.text) {
		folder, menu = neutral(folder), neutral(menu)
	}
	if folder != other && folder != ofProducts || folder == other && menu != other && menu != ofProducts {
		return
	}
	for i, text := range []string{l.text, l.lead, f.written(path)} {
		text = slugged(text, path)
		name, bare := f.name(text)
		if name == "" || i == 1 && text == l.text || i == 0 && glued(l, path) ||
			weak(name) && folder != ofProducts && l.menu != ofProducts {
			continue
		}
		page := pageOf(name, path) || host != "" && joined(name) == joined(host)
		switch {
		case folder == ofProducts && (page || bare && len(path) == 2 && len(strings.Fields(name)) <= 3):
			f.note(name, "folder", ofFolder)
		case !page:
			continue
		}
		if l.menu == ofProducts && l.zone == inHeader {
			f.note(name, "menu", ofMenu)
		} else if l.menu == ofProducts && l.zone == inFooter {
			f.note(name, "footer menu", ofFooterMenu)
		}
		if page && l.zone == inFooter {
			f.note(name, "footer", ofFooterLink)
		} else if page && l.zone == inHeader {
			f.note(name, "header", ofOwnPage)
		} else if page && folder != ofProducts && !f.counted(name, "header") {
			f.note(name, "page", ofOwnPage)
		}
		if host != "" {
			f.note(name, "host", ofHost)
		}
		if full := f.company + " " + name; page && strings.Contains(f.prose, " "+full+" ") { // Acme Ring of "Ring"
			f.note(full, "header", ofOwnPage)
		}
		break
	}
}

// coined reports whether a text is written as no industry, role or feature is: it begins with the company's name, or is
// one word with capitals inside. Sites put products into folders of solutions and features too.
func (f *finder) coined(said string) bool {
	words := strings.Fields(said)
	return len(words) == 1 && inner(words[0]) || len(words) > 1 && len(words) <= mostProductWords &&
		(f.own.start(said) != "" || strings.HasPrefix(said, f.company+" "))
}

// neutral is a group without what a product may stand in as well.
func neutral(g group) group {
	if g == ofReaders || g == ofUses {
		return other
	}
	return g
}

// written is how sentences write what a page's path says: "HeronOne Card" of /cards/heronone-card. Empty: none does.
func (f *finder) written(path []string) string {
	if len(path) == 0 {
		return ""
	}
	slug, _, _ := strings.Cut(path[len(path)-1], ".")
	words := strings.FieldsFunc(slug, func(c rune) bool { return c == '-' || c == '_' })
	if len(words) < 2 || len(words) > mostProductWords {
		return ""
	}
	said := strings.Join(words, " ")
	at := strings.Index(f.small, " "+said+" ")
	if at < 0 || at+len(said)+1 > len(f.prose) {
		return ""
	}
	return f.prose[at+1 : at+1+len(said)]
}

// card takes a heading for a product's when the link beside it leads to a page that is called so.
func (f *finder) card(c card) {
	path, folder, inside := f.path(c.href)
	name, _ := f.name(slugged(c.text, path))
	if name == "" {
		return
	}
	if f.data.application && sibling.MatchString(c.section) {
		f.note(name, "store", enough)
	}
	if !inside {
		return
	}
	if f.coined(name) {
		folder = neutral(folder)
	}
	if folder != other && folder != ofProducts || !pageOf(name, path) || weak(name) && folder != ofProducts {
		return
	}
	f.note(name, "card", ofCard)
	if folder == ofProducts {
		f.note(name, "folder", ofFolder)
	}
	if groupOf(c.section) == ofProducts {
		f.note(name, "section", ofSection)
	}
	within := ""
	if len(path) > 1 {
		within = strings.Join(path[:len(path)-1], "/")
	}
	if plans()[within] || plans()[strings.ToLower(c.section)] || within == "" && !strings.Contains(name, " ") {
		return // a plan has a price too
	}
	if c.priced {
		f.note(name, "price", ofPrice)
		f.priced[within] = true
	}
	if within != "" {
		f.folders[within] = append(f.folders[within], name)
	}
}

// siblings counts for the cards of a folder that another one of it has a price.
func (f *finder) siblings() {
	for folder, names := range f.folders {
		for _, name := range names {
			if f.priced[folder] {
				f.note(name, "sibling", ofSibling)
			}
		}
	}
}

// heading counts a heading that is a known name, or that begins with one and goes on with its version.
func (f *finder) heading(said string) {
	name, _ := f.name(said)
	for words := strings.Fields(name); len(words) > 0; words = words[:len(words)-1] {
		version := strings.Join(words, " ")
		if f.known[joined(version)] != nil && !f.counted(version, "card") {
			f.note(version, "heading", ofHeading)
		}
	}
}

// partners finds texts that speak of others' trade marks.
var partners = text.NewPattern(
	`(?i)trade ?marks?|works? with|runs? on|compatible|kompatibel|certified|partner|integrat|` +
		`warenzeichen|marques? (?:déposées?|commerciales?)|marcas? (?:registradas?|comerciale?s)|` +
		`marchi(?:o)? registrat`,
)

// marked takes the words before a ™ for a product's name, as far as they begin as names do.
func (f *finder) marked(said string) {
	said = clean(said, maxParagraph)
	if partners.MatchString(said) {
		return
	}
	at := marks.FindAllStringIndex(said, 20)
	from := 0
	for _, mark := range at {
		words := strings.Fields(said[from:mark[0]])
		from = mark[1]
		first := len(words)
		for first > 0 && len(words)-first < mostProductWords && cased(words[first-1]) &&
			(first == len(words) || !strings.ContainsAny(words[first-1][len(words[first-1])-1:], ",.:;!?)")) &&
			!stopped(words[first-1]) {
			first--
		}
		if name, _ := f.name(strings.Join(words[first:], " ")); name != "" {
			f.note(name, "mark", ofMark)
		}
	}
}

// found are the names with enough evidence, the best first.
func (f *finder) found() []string {
	var all []*product
	goods := 0
	for _, p := range f.known {
		if strings.ContainsFunc(p.name, unicode.IsDigit) || slices.ContainsFunc(strings.Fields(p.name), inner) {
			f.note(p.name, "shape", ofShape)
			if slices.ContainsFunc(strings.Fields(p.name), inner) {
				f.note(p.name, "capitals", 0)
			}
		}
		if small := strings.ToLower(p.name); small != p.name && strings.Contains(f.prose, " "+small+" ") {
			f.note(p.name, "small", ofSmall)
		}
		if f.own.start(p.name) != "" && !f.own.named(p.name) || strings.HasPrefix(p.name, f.company+" ") ||
			f.appended(p.name) {
			f.note(p.name, "brand", ofBrandName)
			if p.signs["header"] {
				f.note(p.name, "branded", ofBranded)
			}
		} else if f.family(p.name) {
			f.note(p.name, "brand", ofFamily)
		}
		if f.language() != "german" && f.inSentence(p.name) {
			f.note(p.name, "sentence", ofSentence)
		}
		if (p.signs["header"] || p.signs["card"]) && f.defines(p.name) {
			f.note(p.name, "defined", ofDefinition)
		}
		if p.evidence >= enough && f.plausible(p) {
			all = append(all, p)
			if p.wares() {
				goods++
			}
		}
	}
	all = slices.DeleteFunc(all, f.others(all))
	// A name stands before its own versions: VivPhone before VivPhone 9.
	shown := map[*product]float64{}
	for _, p := range all {
		shown[p] = p.shown
		for _, version := range all {
			if strings.HasPrefix(version.name, p.name+" ") {
				shown[p] = max(shown[p], version.shown+0.1)
			}
		}
	}
	slices.SortFunc(all, func(a, b *product) int {
		return cmp.Or(-cmp.Compare(shown[a], shown[b]), cmp.Compare(a.order, b.order))
	})
	var list []string
	for _, p := range all {
		if full := f.known[joined(f.company+p.name)]; full != nil && full != p && full.evidence >= enough {
			continue // "Ring" of "Acme Ring"
		}
		if len(list) < mostProductNames && (goods <= mostGoods || !p.wares()) {
			list = append(list, p.name)
		}
	}
	return list
}

// name makes a product's name of a text; empty: it cannot be one. bare says that nothing had to be taken off.
func (f *finder) name(said string) (name string, bare bool) {
	bare = true
	words := strings.Fields(unmarked(said))
	article := len(words) > 1 && len(words) <= 3 && words[0] == "The" // "The Overtime"
	for !article && len(words) > 1 && (calling(words[0]) || !bare && strings.ToLower(words[0]) == "about") {
		words, bare = words[1:], false
	}
	if len(words) == 0 || len(words) > mostProductWords || calling(words[0]) && !article {
		return "", false
	}
	for i, word := range words {
		if ampersand(word) && i > 0 && i < len(words)-1 {
			continue
		}
		if i > 0 && i < len(words)-1 && slices.Contains(linking, word) && slices.Contains(behind, f.language()) {
			continue // "Casa do Faroleiro"
		}
		if stopped(word) && (i > 0 || !article) || !cased(word) && !inner(word) && !f.appended(word) {
			return "", false
		}
	}
	name = strings.TrimFunc(strings.Join(words, " "), punctuation)
	if dated.MatchString(name) || len(words) > 1 && shouted(name) {
		return "", false
	}
	if n := utf8.RuneCountInString(name); n < 2 || n > proposal.MaxProfileName/2 ||
		strings.ContainsAny(strings.TrimPrefix(name, f.company), "?|/@…→:,!_#") ||
		generic(name) || vouchers()[joined(name)] || groupOf(name) != other && len(words) == 1 ||
		len(strings.Map(letter, name)) < 2 || f.own.named(name) || joined(name) == joined(f.company) ||
		isNetworkName(name) {
		return "", false
	}
	return name, bare
}

// ampersand reports whether a word joins two others of a name.
func ampersand(word string) bool { return word == "&" || word == "+" }

// letter keeps letters alone.
func letter(c rune) rune {
	if unicode.IsLetter(c) {
		return c
	}
	return -1
}

// dated are names of what a year has: events, results, calendars.
var dated = text.NewPattern(`(?:^|\D)(?:19|20)\d\d(?:$|\D)`)

// shouted says whether a text of a script with two cases is in capitals alone, as headings are that shout.
func shouted(text string) bool {
	return text == strings.ToUpper(text) && text != strings.ToLower(text)
}

// weak says whether a name ends as those of pages do that every site has: "Acme Newsroom", "Gift Cards".
func weak(name string) bool {
	words := strings.Fields(strings.ToLower(name))
	last := words[len(words)-1]
	return nounWords()[last] || groupOf(last) == ofCompany || groupOf(words[0]) == ofCompany
}

// slugged returns the beginning of a text that its page's path spells, if the path has a digit: "Corvane 42" of "Corvane
// 42 Backpack" at /products/corvane-42. The rest says what the thing is. It returns the whole text otherwise.
func slugged(said string, path []string) string {
	if len(path) == 0 || !strings.ContainsFunc(path[len(path)-1], unicode.IsDigit) {
		return said
	}
	slug := joined(path[len(path)-1])
	words := strings.Fields(said)
	for n := len(words) - 1; n > 0; n-- {
		if name := strings.Join(words[:n], " "); joined(name) == slug {
			return name
		}
	}
	return said
}

// glued says whether a link's text joins what an element inside it kept apart, "Stream nowLow Tide", or goes on behind an
// element that says all that its page is called: "ORV-310 Preclinical" of /pipeline/orv-310.
func glued(l link, path []string) bool {
	rest, found := strings.CutPrefix(l.text, l.lead)
	named := len(path) > 0 && joined(l.lead) == joined(path[len(path)-1])
	return found && rest != "" && (named || !strings.HasPrefix(rest, " "))
}

// pageOf says whether a page's path calls it by a name: its last part, or its parts together, end with the name or the
// name with them.
func pageOf(name string, path []string) bool {
	if len(path) == 0 || path[0] == "" {
		return false
	}
	last, _, _ := strings.Cut(path[len(path)-1], ".")
	whole := joined(strings.Join(path[:len(path)-1], "")) + joined(last)
	for _, written := range spellings(name) {
		slug := joined(last)
		if written == slug || utf8.RuneCountInString(slug) >= leastKey && strings.HasSuffix(written, slug) ||
			utf8.RuneCountInString(slug) > leastKey && strings.HasPrefix(written, slug) ||
			utf8.RuneCountInString(written) >= leastKey && strings.HasSuffix(whole, written) {
			return true
		}
	}
	return false
}

// part is what a host of the company's own calls itself: "play" of play.acme.com; empty: it is another's, or one that
// every company has.
func (o own) part(href string) string {
	host := hostOf(href)
	if !o.site(host) {
		return ""
	}
	name, _, found := strings.Cut(strings.TrimSuffix(host, registered(host)), ".")
	if !found || generic(name) || groupOf(name) != other {
		return ""
	}
	return name
}

// inner says whether a word has a capital or a digit behind a small letter: "iPhone", "MileagePlus", "v60".
func inner(word string) bool {
	small := false
	for _, c := range word {
		if small && (unicode.IsUpper(c) || unicode.IsDigit(c)) {
			return true
		}
		small = unicode.IsLower(c)
	}
	return false
}

// sentences are the page's texts that are written as sentences, as one text of words with single blanks.
func (r *reading) sentences() string {
	var all strings.Builder
	all.WriteByte(' ')
	descriptions := []string{r.data.description, r.meta["description"], r.meta["og:description"]}
	for _, text := range slices.Concat(descriptions, r.paragraphs, r.headings) {
		for _, word := range strings.Fields(clean(text, maxParagraph)) {
			all.WriteString(strings.TrimRight(marks.ReplaceAllString(word, ""), ".,:;!?)"))
			all.WriteByte(' ')
		}
		all.WriteString("| ")
	}
	return all.String()
}

// inSentence says whether a name stands behind a small word, and before another or an end, so that its capitals are its
// own.
func (f *finder) inSentence(name string) bool {
	for rest := f.prose; ; {
		at := strings.Index(rest, " "+name+" ")
		if at < 0 {
			return false
		}
		before := strings.Fields(rest[max(at-40, 0):at])
		if len(before) > 0 {
			last := before[len(before)-1]
			c, _ := utf8.DecodeRuneInString(last)
			if unicode.IsLower(c) || stopped(last) || strings.HasPrefix(f.company, last) {
				return true
			}
		}
		rest = rest[at+len(name)+1:]
	}
}
