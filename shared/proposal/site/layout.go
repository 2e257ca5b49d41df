package site

import (
	"bytes"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"earshot/shared/text"
)

// A zone is a part of a page.
type zone int

const (
	inBody zone = iota
	inHeader
	inFooter
)

// Bounds of what is kept of a page's layout.
const (
	maxBoxes  = 256 // inside each other; deeper ones are only counted
	maxCards  = 300
	maxRun    = 300 // bytes of a text between two blocks
	mostLabel = 5   // words
	maxHosts  = 100
	maxRuns   = 60
	nearest   = 16 // open boxes that an end tag may close
)

// A box is an element that contains others.
type box struct {
	tag    string
	serial int
	zone   zone
	label  group  // what the text says that stands before the links in it
	at     int    // how many links had begun when the label was found
	floats int    // boxes that the label has come out of
	href   string // of the last link in it
	linked string // text of that link, while nothing else came after it
	cited  bool   // it shows what customers say
}

// A layout is where on a page its reader is.
type layout struct {
	boxes    []box
	deeper   int // boxes beyond maxBoxes
	serial   int
	begun    int // links
	text     []byte
	inLink   bool // text stands in a link
	pending  bool // the text before began a line with a ©
	sections [7]string
}

// Classes and roles by which boxes without an element of their own are a page's header or footer.
var zoneNames = map[string]zone{
	"navigation": inHeader, "banner": inHeader, "nav": inHeader, "navbar": inHeader, "menu": inHeader,
	"header": inHeader, "site-header": inHeader, "main-menu": inHeader, "mega-menu": inHeader, "topnav": inHeader,
	"contentinfo": inFooter,
	"footer":      inFooter, "site-footer": inFooter, "page-footer": inFooter,
}

func (r *reader) enter(tag string, attributes map[string]string) {
	r.serial++
	if len(r.boxes) == maxBoxes {
		r.deeper++
		return
	}
	b := box{tag: tag, serial: r.serial, zone: r.zone(), cited: r.citing() || praises(attributes)}
	if n := len(r.boxes); n > 0 {
		if r.boxes[n-1].tag == "li" && tag == "li" { // whose end tag was left out
			r.boxes, n = r.boxes[:n-1], n-1
		}
		if n > 0 {
			parent := &r.boxes[n-1]
			if label := groupOf(parent.linked); label != other {
				parent.label, parent.at = label, -1 // "<li><a>Products</a><ul>"
			}
			parent.linked = ""
		}
	}
	switch named := zoneOf(attributes); {
	case tag == "header" && b.zone == inBody, tag == "nav" && b.zone == inBody:
		b.zone = inHeader
	case tag == "footer":
		b.zone = inFooter
	case named != inBody && b.zone == inBody:
		b.zone = named
	}
	r.boxes = append(r.boxes, b)
}

// price finds a number with a currency.
var price = text.NewPattern(`(?:[€$£¥₹]|R\$|\b(?:EUR|USD|GBP|CHF|PLN))[\s\x{a0}\x{202f}]?\d|` +
	`\d[\s\x{a0}\x{202f}]?(?:[€£¥₽₴₹円元]|zł\b|kr\b|EUR\b|USD\b|CHF\b)`)

// recurring finds what a plan's price is for: a month, a user.
var recurring = text.NewPattern(`(?i)(?:/|\b(?:per|an?|each|pro|je|par|por|al|ao|na|za)\b)\s*` +
	`(?:mo|month|year|yr|user|seat|monat|jahr|` +
	`nutzer|mois|an|utilisateur|mes|año|usuario|mês|ano|mese|anno|utente|maand|jaar|gebruiker|miesiąc|rok)\b|` +
	`\b(?:monthly|yearly|annually|billed|monatlich|jährlich|mensuel|mensual|mensal|mensile|maandelijks|miesięcznie)`)

// praises reports whether a box says by its id or class that it shows what customers say. An element for quotes counts
// by itself.
func praises(attributes map[string]string) bool {
	return slices.ContainsFunc([]string{"id", "class"}, func(key string) bool {
		return testimonial.MatchString(attributes[key])
	})
}

// testimonial finds the names that designers give to what customers say: "testimonial-card", "Reviews_grid__x1".
var testimonial = text.NewPattern(`(?i)(?:^|[\s_-])(?:testimonials?|reviews?|customer-quotes?)(?:$|[\s_-])`)

// citing reports whether the page shows what somebody else says.
func (r *reader) citing() bool {
	return r.cited > 0 || len(r.boxes) > 0 && r.boxes[len(r.boxes)-1].cited
}

func zoneOf(attributes map[string]string) zone {
	for _, key := range []string{"role", "id", "class"} {
		for i, name := range strings.Fields(attributes[key]) {
			if z := zoneNames[strings.ToLower(name)]; z != inBody {
				return z
			}
			if i == 10 {
				break
			}
		}
	}
	return inBody
}

func (r *reader) leave(tag string) {
	if r.deeper > 0 {
		r.deeper--
		return
	}
	for i := len(r.boxes) - 1; i >= max(len(r.boxes)-nearest, 0); i-- {
		if r.boxes[i].tag != tag {
			continue
		}
		left := r.boxes[i]
		r.boxes = r.boxes[:i]
		if i > 0 {
			parent := &r.boxes[i-1]
			parent.linked = ""
			if left.label != other && left.at == r.begun && left.floats < 2 { // the label has a box for itself
				parent.label, parent.at, parent.floats = left.label, left.at, left.floats+1
			}
			if left.href != "" {
				parent.href = left.href
			}
		}
		return
	}
}

func (r *reader) zone() zone {
	if len(r.boxes) == 0 {
		return inBody
	}
	return r.boxes[len(r.boxes)-1].zone
}

// menu is the group that the innermost label around a link names.
func (r *reader) menu() group {
	for i := len(r.boxes) - 1; i >= 0; i-- {
		if r.boxes[i].label != other {
			return r.boxes[i].label
		}
	}
	return other
}

// run collects the text between two blocks or links.
func (r *reader) run(text []byte) {
	r.words += words(text)
	r.layout.text = append(r.layout.text, text[:min(len(text), max(maxRun-len(r.layout.text), 0))]...)
}

// words counts them; of scripts without spaces, some bytes are a word.
func words(text []byte) (n int) {
	const wide = 6 // bytes
	within, foreign := false, 0
	for _, c := range text {
		space := c == ' ' || c == '\n' || c == '\t' || c == '\r'
		if !space && !within {
			n++
		}
		within = !space
		if c >= 0xe3 && c < 0xf0 {
			foreign++
		}
	}
	return n + foreign*3/wide
}

// boundary ends a run of text where an element begins or ends that divides texts.
func (r *reader) boundary(tag string, begins bool) {
	for i := range r.open {
		if e := &r.open[i]; e.tag == "a" && !e.led && len(bytes.TrimSpace(e.text)) > 0 {
			e.led, e.link.lead = true, string(e.text)
		}
	}
	if tag != "a" && slices.Contains(inline, tag) {
		return
	}
	if text := bytes.TrimSpace(r.layout.text); len(text) > 0 {
		r.ran(string(text))
	}
	r.layout.text = r.layout.text[:0]
	if tag == "a" {
		r.inLink = begins
	}
}

func (r *reader) ran(text string) {
	if signed := strings.ContainsRune(text, '©') || strings.Contains(text, "Copyright"); signed || r.pending {
		line := clean(text, maxHeading)
		r.pending = signed && len(joined(strings.ReplaceAll(line, "Copyright", ""))) <= len("2026")
		if !r.pending && len(r.copyrights) < maxBlocks {
			r.copyrights = append(r.copyrights, line)
		}
	}
	if marks.MatchString(text) && r.cited == 0 && !r.inLink && len(r.trademarks) < maxRuns {
		r.trademarks = append(r.trademarks, clean(text, maxHeading))
	}
	if strings.ContainsAny(text, "€$£¥₽₴₹") && strings.ContainsAny(text, "0123456789") {
		r.prices++
	}
	if r.top != "" && r.sub == "" && !r.inLink {
		r.sub = clean(text, maxHeading)
	}
	sold, again := price.MatchString(text), recurring.MatchString(text)
	if n := len(r.cards); n > 0 && r.cards[n-1].below == "" && joined(text) != joined(r.cards[n-1].text) {
		r.cards[n-1].below = clean(text, maxHeading)
	}
	if n := len(r.cards); n > 0 && (sold || again) {
		last := &r.cards[n-1]
		around := r.boxes[max(len(r.boxes)-nearest, 0):]
		if slices.ContainsFunc(around, func(b box) bool { return b.serial == last.box || b.serial == last.outer }) {
			last.priced = last.priced || sold
			last.rented = last.rented || again && (sold || words([]byte(text)) <= mostLabel)
		}
	}
	if len(r.runs) < maxRuns {
		r.runs = append(r.runs, clean(text, maxHeading))
	}
	n := len(r.boxes)
	if n == 0 || r.inLink {
		return
	}
	top := &r.boxes[n-1]
	if top.linked != "" {
		top.linked = ""
	}
	if top.zone == inBody {
		return
	}
	if label := groupOf(clean(text, maxHeading)); label != other {
		top.label, top.at, top.floats = label, r.begun, 0
	} else if top.label != other && top.at != r.begun { // another label after links
		top.label = other
	}
}

// linked notes a link in the boxes around it, and as that of the headings in them that have none.
func (r *reader) linked(l link) {
	for i := range r.open {
		if e := &r.open[i]; level(e.tag) > 0 && e.link.href == "" {
			e.link.href = l.href
		}
	}
	n := len(r.boxes)
	if n == 0 {
		return
	}
	r.boxes[n-1].href, r.boxes[n-1].linked = l.href, l.text
	for i := len(r.cards) - 1; i >= max(len(r.cards)-3, 0); i-- {
		c := &r.cards[i]
		around := r.boxes[max(n-nearest, 0):]
		last := i == len(r.cards)-1
		if c.href == "" && slices.ContainsFunc(around, func(b box) bool {
			return b.serial == c.box || last && b.serial == c.outer && c.outer != 0
		}) {
			c.href = l.href
		}
	}
}

// headed notes a heading with the section that it stands in.
func (r *reader) headed(level int, text, href string) {
	if level == 0 {
		return
	}
	c := card{text: text, level: level, href: href, quoted: r.quoted > 0 || r.citing(), cited: r.citing()}
	for above := level - 1; above > 0 && c.section == ""; above-- {
		c.section = r.sections[above]
	}
	r.sections[level] = text
	clear(r.sections[level+1:])
	if n := len(r.boxes); n > 0 {
		c.box, c.outer = r.boxes[n-1].serial, r.boxes[max(n-2, 0)].serial
		c.href = first(c.href, r.boxes[n-1].href)
	}
	if len(r.cards) < maxCards {
		r.cards = append(r.cards, c)
	}
}

// A weight is what a page has, as far as it tells whether it is a company's.
type weight struct {
	words, forms, passwords, scripts, prices, frames int
	runs                                             []string // the first texts between blocks
	hosts                                            []string // that scripts and frames come from
	code                                             []byte   // the beginning of the page's own programs
	noscript                                         bool     // it says what needs JavaScript
}

// maxCode is how many bytes of a page's own programs are kept.
const maxCode = 16 << 10

func (r *reader) program(text []byte) {
	r.code = append(r.code, text[:min(len(text), maxCode-len(r.code))]...)
}

func (r *reader) weigh(tag string, attributes map[string]string) {
	source := attributes["src"]
	switch tag {
	case "img":
		alt := attributes["alt"]
		if r.zone() == inHeader && alt != "" && len(r.alts) < maxBlocks && utf8.RuneCountInString(alt) <= maxHeading {
			r.alts = append(r.alts, clean(alt, maxHeading))
		}
		return
	case "input":
		if strings.EqualFold(attributes["type"], "password") {
			r.passwords++
		}
		return
	case "form":
		r.forms++
		source = attributes["action"]
	case "script":
		r.scripts++
	case "frame", "iframe":
		r.frames++
	}
	if at, err := url.Parse(strings.TrimSpace(source)); err == nil && at.Host+at.Path != "" && len(r.hosts) < maxHosts {
		r.hosts = append(r.hosts, strings.ToLower(at.Hostname())+at.Path)
	}
}
