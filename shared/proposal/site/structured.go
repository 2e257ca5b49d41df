package site

import (
	"bytes"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// data is what JSON-LD tells of the company (schema.org's Organization, WebSite, Product, Service and
// SoftwareApplication).
type data struct {
	name, siteName, description, offer, audience string
	author                                       string // of the app that the page is of
	otherNames, products, terms, accounts        []string
	application                                  bool // the page is of an app
}

// Bounds of what is looked into.
const (
	maxNested = 6   // objects inside each other
	maxNodes  = 500 // objects
	maxList   = 100 // elements of a list
)

// nodes are the objects of a page's JSON-LD that may tell of the company itself.
type nodes struct {
	count         int
	organizations []organization
	sites         []map[string]any
	offers        []map[string]any
}

// An organization is one that the page tells of, and how likely it is the company.
type organization struct {
	object map[string]any
	weight int
}

// structured reads all blocks of JSON-LD: one object, several, or a graph of them. A block that is no JSON says
// nothing.
func (r *reading) structured(blocks [][]byte) data {
	var found nodes
	for _, block := range blocks {
		// Line ends inside strings are the most frequent fault, and blank everywhere else.
		block = bytes.Map(func(c rune) rune {
			if c < ' ' {
				return ' '
			}
			return c
		}, block)
		block = bytes.TrimSpace(block)
		for _, wrap := range []string{"<!--", "<![CDATA[", "//<![CDATA[", "/*<![CDATA[*/"} {
			block = bytes.TrimPrefix(block, []byte(wrap))
		}
		var value any
		if json.NewDecoder(bytes.NewReader(block)).Decode(&value) == nil {
			r.collect(&found, value, 0, true)
		}
	}
	return r.told(found)
}

// collect looks for nodes. What others are in (a review's author, an article's) is not looked into; main says that
// nothing but lists, graphs and what a page is mainly of is around a value.
func (r *reading) collect(to *nodes, value any, depth int, main bool) {
	if depth > maxNested || to.count >= maxNodes {
		return
	}
	switch v := value.(type) {
	case []any:
		for _, each := range v {
			r.collect(to, each, depth+1, main)
		}
	case map[string]any:
		to.count++
		kinds := kindsOf(v)
		is := func(one ...string) bool {
			return slices.ContainsFunc(kinds, func(kind string) bool { return slices.Contains(one, kind) })
		}
		switch {
		case is(organizations...) || open(v) && !is(strangers...):
			if weight := r.weight(v, main); weight > 0 {
				to.organizations = append(to.organizations, organization{v, weight})
			}
		case is("website"):
			to.sites = append(to.sites, v)
		case main && (is("product", "service", "brand") ||
			slices.ContainsFunc(kinds, func(k string) bool { return strings.HasSuffix(k, "application") })):
			to.offers = append(to.offers, v)
		}
		r.collect(to, v["@graph"], depth+1, main)
		for _, key := range []string{"mainEntity", "about", "publisher", "provider", "creator", "manufacturer", "brand", "isPartOf"} {
			if inside, ok := v[key].(map[string]any); ok &&
				!is("review", "blogposting", "newsarticle", "article", "person", "quotation") {
				r.collect(to, inside, depth+1, main && key == "mainEntity")
			}
		}
	}
}

// organizations are the types that are a company, in lower case.
var organizations = []string{
	"organization", "corporation", "localbusiness", "onlinebusiness", "onlinestore", "newsmediaorganization",
	"educationalorganization", "ngo", "professionalservice", "financialservice", "medicalorganization", "brand",
	"store", "airline", "restaurant", "softwarecompany", "project", "researchorganization", "insuranceagency",
	"legalservice", "travelagency", "hotel", "collegeoruniversity",
}

// strangers are types of what may have an address too, in lower case.
var strangers = []string{
	"person", "event", "place", "postaladdress", "contactpoint", "product", "service", "jobposting", "offer", "website",
	"webpage", "residence", "accommodation",
}

// open reports whether an object is where people can go or call, as only companies are, whatever their type.
func open(v map[string]any) bool {
	return said(v["name"]) != "" && v["address"] != nil && (v["telephone"] != nil || v["openingHours"] != nil ||
		v["openingHoursSpecification"] != nil || v["priceRange"] != nil)
}

// typed is what a type of a company says that it is: "hair salon" of HairSalon. Empty: one of a single word, or of all
// companies.
func typed(kind string) string {
	kind = kind[strings.LastIndexAny(kind, "/#:")+1:]
	var words []string
	from := 0
	for i := 1; i <= len(kind); i++ {
		if i == len(kind) || kind[i] >= 'A' && kind[i] <= 'Z' {
			words = append(words, strings.ToLower(kind[from:i]))
			from = i
		}
	}
	if len(words) < 2 || len(words) > mostPhraseWords || slices.ContainsFunc(words, func(word string) bool {
		return len(word) < 3 || slices.Contains([]string{ // "NGO"
			"and", "business", "service", "organization", "company", "local", "online", "news", "media", "group",
		}, word)
	}) {
		return ""
	}
	return strings.Join(words, " ")
}

// weight is how likely an organization is the company: 3 where its address is on the company's site, 2 where its name
// is the domain's, 1 where it is what the page is mainly of and says nothing to the contrary; 0: it is another one.
func (r *reading) weight(v map[string]any, main bool) int {
	name := said(v["name"])
	for _, key := range []string{"url", "@id"} {
		at, err := url.Parse(said(v[key]))
		if err != nil || at.Host == "" {
			continue
		}
		if r.own.site(at.Hostname()) {
			return 3
		}
		if key == "url" && !r.own.related(name) {
			return 0
		}
	}
	switch {
	case r.own.related(name):
		return 2
	case main:
		return 1
	}
	return 0
}

// told is what the nodes say.
func (r *reading) told(found nodes) (d data) {
	chosen := -1
	for i, o := range found.organizations {
		if name := r.name(said(o.object["name"])); name != "" &&
			(chosen < 0 || o.weight > found.organizations[chosen].weight) {
			chosen = i
		}
	}
	if chosen >= 0 {
		d.name = said(found.organizations[chosen].object["name"])
	}
	for i, o := range found.organizations {
		v := o.object
		// A node may stand in several parts; another organization's tells of another.
		if i != chosen &&
			(chosen < 0 && o.weight < 2 ||
				chosen >= 0 && joined(strip(said(v["name"]))) != joined(strip(d.name)) && said(v["name"]) != "") {
			continue
		}
		d.description = first(d.description, said(v["description"]), said(v["slogan"]))
		d.otherNames = append(d.otherNames, append(wholes(v["alternateName"]), wholes(v["legalName"])...)...)
		d.accounts = append(d.accounts, wholes(v["sameAs"])...)
		d.terms = append(d.terms, slices.Concat(list(v["knowsAbout"]), list(v["keywords"]), list(v["serviceType"]))...)
		for _, kind := range wholes(v["@type"]) {
			if field := typed(kind); field != "" && r.language() == "english" {
				d.terms = append(d.terms, field)
			}
		}
		d.audience = first(d.audience, audience(v["audience"]))
		for _, key := range []string{"makesOffer", "owns", "hasOfferCatalog", "subOrganization"} {
			d.products = append(d.products, wholes(v[key])...)
		}
		if _, is := v["brand"].(string); !is {
			d.products = append(d.products, wholes(v["brand"])...)
		}
	}
	for _, v := range found.sites {
		if at, err := url.Parse(said(v["url"])); err == nil && at.Host != "" && !r.own.site(at.Hostname()) {
			continue
		}
		d.siteName = first(d.siteName, said(v["name"]))
		d.otherNames = append(d.otherNames, wholes(v["alternateName"])...)
		d.terms = append(d.terms, list(v["keywords"])...)
	}
	for _, v := range found.offers {
		// What another brand made is sold here, and is not the company's.
		if maker := first(said(v["brand"]), said(v["manufacturer"])); maker != "" && !r.own.related(maker) &&
			joined(strip(maker)) != joined(strip(d.name)) {
			continue
		}
		if slices.ContainsFunc(kindsOf(v), func(k string) bool { return strings.HasSuffix(k, "application") }) {
			d.application = true
			d.author = first(d.author, said(v["author"]), said(v["creator"]))
		}
		// "Acme - Feature flags" of a store is the company's own.
		if name := said(v["name"]); r.own.start(name) == "" || len(segments(name)) < 2 {
			d.products = append(d.products, name)
		}
		d.offer = first(d.offer, said(v["description"]))
		d.terms = append(
			d.terms,
			slices.Concat(
				list(v["applicationSubCategory"]), list(v["category"]), list(v["keywords"]), list(v["serviceType"]),
			)...)
		d.audience = first(d.audience, audience(v["audience"]))
	}
	return d
}

func kindsOf(v map[string]any) []string {
	kinds := wholes(v["@type"])
	for i, kind := range kinds {
		kind = strings.ToLower(kind)
		kinds[i] = kind[strings.LastIndexAny(kind, "/#:")+1:]
	}
	return kinds
}

// unescaped is a text without entities of HTML. Systems that escape what is escaped write "&amp;amp;".
func unescaped(text string) string {
	const most = 3 // times
	for range most {
		plain := html.UnescapeString(text)
		if plain == text {
			break
		}
		text = plain
	}
	return text
}

// said is a text, or the name of an object. Sites write entities of HTML into it all the same.
func said(value any) string {
	switch v := value.(type) {
	case string:
		return unescaped(v[:min(len(v), maxText)])
	case map[string]any:
		for _, key := range []string{"name", "@value"} {
			if s, ok := v[key].(string); ok {
				return said(s)
			}
		}
		return said(v["itemOffered"])
	case []any:
		if len(v) > 0 {
			return said(v[0])
		}
	}
	return ""
}

// wholes are texts and names of objects, each as it is.
func wholes(value any) (all []string) {
	switch v := value.(type) {
	case []any:
		for _, each := range v[:min(len(v), maxList)] {
			if t := said(each); t != "" {
				all = append(all, t)
			}
		}
	case map[string]any:
		if items, ok := v["itemListElement"].([]any); ok {
			return wholes(items)
		}
		if t := said(v); t != "" {
			all = append(all, t)
		}
	case string:
		all = append(all, said(v))
	}
	return all
}

// list is texts and names of objects; a text that holds commas is several.
func list(value any) (all []string) {
	for _, text := range wholes(value) {
		all = append(all, strings.Split(text, ",")...)
	}
	return all[:min(len(all), maxList)]
}

func audience(value any) string {
	if v, ok := value.(map[string]any); ok {
		return first(said(v["audienceType"]), said(v["name"]))
	}
	return said(value)
}
