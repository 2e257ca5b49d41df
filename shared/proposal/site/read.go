package site

import (
	"bytes"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// Bounds of what is taken from a page, however much there is.
const (
	maxLinks      = 2_000
	maxHeadings   = 100
	maxParagraphs = 20
	maxItems      = 100
	maxItem       = 5 // words of one
	maxBlocks     = 20
	maxBlock      = 256 << 10 // bytes of one block of JSON-LD
	maxText       = 4 << 10   // bytes of another element's text
	maxOpen       = 8         // elements inside each other whose text is taken
	maxAttributes = 40
	maxTables     = 20
	maxCells      = 12  // of a table's first row
	maxRows       = 200 // of a table
	maxCell       = 200 // bytes of a cell's text
)

// content is what is found on a page.
type content struct {
	lang, title string
	meta        map[string]string // of metaKeys; the first stands
	headings    []string          // h1 to h3, in order
	top         string            // the first h1
	sub         string            // the first text behind it
	paragraphs  []string
	voiced      []string // those of them that nobody else says
	items       []string // short ones of lists outside menus that nobody else says
	links       []link
	blocks      [][]byte // JSON-LD
	cards       []card
	copyrights  []string // lines with a ©
	alts        []string // what images of the page's header are called
	trademarks  []string // texts with a ™ or its like
	stressed    []string // names in bold at the beginning of a sentence
	articles    int
	tables      []table
	weight
}

type link struct {
	href, text string
	lead       string // as much of text as stands before the first element inside the link, or in it
	rel        string
	zone       zone
	menu       group // what the menu that it stands in is of
	framed     bool  // it stands in the page's header, footer or navigation, where a site links itself
	quoted     bool  // it stands in what somebody else says, or in an article
	cited      bool  // it stands in what somebody else says
	abroad     bool  // it leads to the site in another language
}

// A card is a heading with what stands around it.
type card struct {
	text    string
	level   int    // of the heading, 1 to 6
	href    string // of the first link in the heading's box
	section string // the heading above it, of a higher level
	below   string // the first text behind it
	box     int    // the serial number of its box,
	outer   int    // and of the box around that
	priced  bool   // a price stands behind it in one of them,
	rented  bool   // or what is paid again and again
	quoted  bool   // as that of a link
	cited   bool
}

// A table is the first row of a table, with what says that it compares.
type table struct {
	heads   []string // the cells of its first row
	firsts  []string // the first cells of the other rows
	section string   // the heading above it
	answers int      // cells that say yes or no
}

// metaKeys are the names and properties of meta elements that tell something.
var metaKeys = []string{
	"description", "og:description", "twitter:description", "og:site_name", "application-name",
	"apple-mobile-web-app-title", "keywords", "og:locale", "content-language", "twitter:site", "og:title",
	"al:ios:app_name", "al:android:app_name", "apple-itunes-app", "refresh", "generator",
}

// taken are the elements whose text is collected, and hidden those whose text nobody sees. Blocks divide words; other
// elements do not.
var (
	taken  = []string{"title", "h1", "h2", "h3", "h4", "h5", "h6", "p", "a", "li", "th", "td"}
	hidden = []string{"style", "noscript", "template", "svg", "iframe", "textarea", "select", "object"}
	inline = []string{
		"a", "abbr", "b", "bdi", "bdo", "cite", "code", "data", "em", "font", "i", "ins", "kbd", "mark", "q", "s",
		"small", "span", "strong", "sub", "sup", "time", "u", "wbr",
	}
	frames  = []string{"header", "footer", "nav"}
	weighed = []string{"img", "input", "form", "frame"}
	boxed   = []string{
		"article", "aside", "blockquote", "dd", "details", "div", "dl", "dt", "figure", "footer", "form", "header",
		"li", "main", "menu", "nav", "ol", "section", "table", "td", "tr", "ul",
	}
	quotes = []string{"blockquote", "article", "figure"}
)

// An element whose text is being collected.
type element struct {
	tag  string
	text []byte
	most int
	link link
	led  bool // link.lead is whole
	bold int  // where the bold text of a paragraph begins in text; 0: none does, or the paragraph
}

// A reader walks a page's tokens. It builds no tree: a page is hostile, and a tree can be made as deep as the page is
// long.
type reader struct {
	*content
	open           []element
	skip           string // the hidden element that is read
	framed, quoted int
	cited          int // quotes that are no article
	rows           int // of the last table
	column         int // cells of the last row that have begun
	layout
}

func read(page []byte) content {
	r := reader{content: &content{meta: map[string]string{}}}
	z := html.NewTokenizer(bytes.NewReader(page))
	z.SetMaxBuf(MaxPage)
	for {
		switch kind := z.Next(); kind {
		case html.ErrorToken:
			for len(r.open) > 0 { // what the page was cut in
				r.close(len(r.open) - 1)
			}
			return *r.content
		case html.TextToken:
			if r.skip == "" {
				text := z.Text()
				r.write(text)
				r.run(text)
			} else if r.skip == "script" {
				r.program(z.Text())
			} else if r.skip == "noscript" {
				r.weight.noscript = r.weight.noscript || bytes.Contains(bytes.ToLower(z.Text()), []byte("javascript"))
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := z.TagName()
			if r.skip == "" {
				r.start(
					string(name), kind == html.SelfClosingTagToken,
					func() map[string]string { return attributes(z, more) },
				)
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			r.end(string(name))
		}
	}
}

func attributes(z *html.Tokenizer, more bool) map[string]string {
	all := map[string]string{}
	for more && len(all) < maxAttributes {
		var key, value []byte
		key, value, more = z.TagAttr()
		if _, twice := all[string(key)]; !twice {
			all[string(key)] = string(value[:min(len(value), maxText)])
		}
	}
	return all
}

// write adds to the text of every open element.
func (r *reader) write(text []byte) {
	for i := range r.open {
		e := &r.open[i]
		e.text = append(e.text, text[:min(len(text), e.most-len(e.text))]...)
	}
}

func (r *reader) start(tag string, closed bool, attributes func() map[string]string) {
	r.boundary(tag, true)
	if !slices.Contains(inline, tag) {
		r.write([]byte(" "))
	}
	r.stress(tag, true)
	if !closed && slices.Contains(boxed, tag) {
		a := attributes()
		attributes = func() map[string]string { return a }
		r.enter(tag, a)
	}
	switch tag {
	case "table":
		r.tabled()
	case "tr":
		r.rows++
		r.column = 0
	}
	switch {
	case tag == "html":
		a := attributes()
		r.lang = first(r.lang, a["lang"], a["xml:lang"])
	case tag == "meta":
		a := attributes()
		key := strings.ToLower(strings.TrimSpace(first(a["property"], a["name"], a["itemprop"], a["http-equiv"])))
		if _, twice := r.meta[key]; !twice && slices.Contains(metaKeys, key) && strings.TrimSpace(a["content"]) != "" {
			r.meta[key] = a["content"]
		}
	case slices.Contains(weighed, tag):
		r.weigh(tag, attributes())
	case slices.Contains(hidden, tag):
		if tag == "iframe" {
			r.weigh(tag, attributes())
		}
		if !closed {
			r.skip = tag
		}
	case slices.Contains(frames, tag):
		r.framed++
	case slices.Contains(quotes, tag):
		r.quoted++
		if tag == "article" {
			r.articles++
		} else {
			r.cited++
		}
	case closed:
	case tag == "script":
		a := attributes()
		r.weigh(tag, a)
		kind, _, _ := strings.Cut(a["type"], ";")
		if strings.EqualFold(strings.TrimSpace(kind), "application/ld+json") {
			r.open = append(r.open, element{tag: tag, most: maxBlock})
		} else {
			r.skip = tag
		}
	case slices.Contains(taken, tag):
		// None of these holds another of its kind: one that was not closed ends where the next one begins.
		if at := slices.IndexFunc(r.open, func(e element) bool {
			return e.tag == tag || level(e.tag) > 0 && level(tag) > 0 || e.tag == "p" && level(tag) > 0
		}); at >= 0 {
			r.close(at)
		}
		if len(r.open) >= maxOpen {
			return
		}
		if tag == "th" || tag == "td" {
			r.column++
			if !r.cell() {
				return
			}
			r.open = append(r.open, element{tag: tag, most: maxCell})
			return
		}
		e := element{tag: tag, most: maxText}
		if tag == "li" {
			if r.framed > 0 || r.quoted > 0 || r.citing() {
				return
			}
			e.most = maxCell
		}
		if tag == "a" {
			a := attributes()
			e.link = link{
				href:   strings.TrimSpace(a["href"]),
				text:   first(a["aria-label"], a["title"]),
				rel:    strings.ToLower(a["rel"]),
				zone:   r.zone(),
				menu:   r.menu(),
				framed: r.framed > 0,
				quoted: r.quoted > 0 || r.citing(),
				cited:  r.citing(),
				abroad: a["hreflang"] != "" || a["lang"] != "" && !strings.EqualFold(a["lang"], r.lang),
			}
			r.begun++
		} else if level(tag) > 0 {
			for _, around := range r.open {
				if around.tag == "a" {
					e.link.href = around.link.href
				}
			}
		}
		r.open = append(r.open, e)
	}
}

// speech reports whether a text stands in quotation marks, as what somebody else says.
func speech(text string) bool {
	return strings.IndexAny(text, "“„«»\"") == 0 && strings.ContainsAny(text[len(text)-min(len(text), 4):], "”“»«\"")
}

// level is that of a heading: 1 to 6; 0: it is none.
func level(tag string) int {
	if len(tag) == 2 && tag[0] == 'h' && tag[1] >= '1' && tag[1] <= '6' {
		return int(tag[1] - '0')
	}
	return 0
}

func (r *reader) end(tag string) {
	switch {
	case r.skip != "":
		if tag == r.skip {
			r.skip = ""
		}
		return
	case slices.Contains(frames, tag):
		r.framed = max(r.framed-1, 0)
	case slices.Contains(quotes, tag):
		r.quoted = max(r.quoted-1, 0)
		if tag != "article" {
			r.cited = max(r.cited-1, 0)
		}
	}
	r.boundary(tag, false)
	if !slices.Contains(inline, tag) {
		r.write([]byte(" "))
	}
	r.stress(tag, false)
	if slices.Contains(boxed, tag) {
		r.leave(tag)
	}
	for i := len(r.open) - 1; i >= 0; i-- {
		if r.open[i].tag == tag {
			r.close(i)
			return
		}
	}
}

// close takes the text of an element, and leaves those around it open.
func (r *reader) close(at int) {
	e := r.open[at]
	r.open = slices.Delete(r.open, at, at+1)
	if e.tag == "script" {
		if len(r.blocks) < maxBlocks {
			r.blocks = append(r.blocks, e.text)
		}
		return
	}
	said := clean(string(e.text), maxHeading)
	switch e.tag {
	case "title":
		r.title = first(r.title, said)
	case "a":
		if e.link.href == "" {
			return
		}
		e.link.text = first(said, clean(e.link.text, maxHeading))
		e.link.lead = clean(first(e.link.lead, e.link.text), maxHeading)
		r.linked(e.link)
		if len(r.links) < maxLinks {
			r.links = append(r.links, e.link)
		}
	case "p":
		if said = clean(string(e.text), maxParagraph); len(strings.Fields(said)) >= 8 &&
			len(r.paragraphs) < maxParagraphs {
			r.paragraphs = append(r.paragraphs, said)
			if !r.citing() && !speech(said) {
				r.voiced = append(r.voiced, said)
			}
		}
	case "li":
		if n := len(strings.Fields(said)); n > 0 && n <= maxItem && !speech(said) && len(r.items) < maxItems {
			r.items = append(r.items, said)
		}
	case "th", "td":
		r.celled(said)
	default:
		if said == "" {
			return
		}
		r.headed(level(e.tag), said, e.link.href)
		if level(e.tag) <= 3 && len(r.headings) < maxHeadings {
			r.headings = append(r.headings, said)
			if e.tag == "h1" {
				r.top = first(r.top, said)
			}
		}
	}
}
