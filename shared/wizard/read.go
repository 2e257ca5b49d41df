package wizard

import (
	"slices"
	"strings"
	"time"

	"earshot/shared/filter"
	"earshot/shared/language"
)

// A condition is one key of a filter with its values.
type condition struct {
	key     filter.Key
	texts   []string
	numbers []int64
	number  int64 // of followers
	flag    bool
	unit    string // of a counter: the word for it, until its platform is known
	bound   bound
	negated bool
}

// An item is a condition with the connective before it.
type item struct {
	condition
	joint string // "", ",", "and" or "or"
	open  bool   // "or anything …": what follows stands for itself
}

// A reader reads a request from its first token to its last.
type reader struct {
	tokens []token
	names  names
	now    time.Time
	at     int

	items    []item
	span     span
	limit    int64
	all      bool
	view     int64
	both     bool // "both X and Y"
	either   int  // the item that "either" stands before, plus 1
	headed   bool // the request says what it wants: mentions, posts, everything
	sized    string
	unknown  []string
	problem  string // a sentence of what cannot be shown
	negating bool
	negated  filter.Key // the key that the negation has met
	joint    string
	open     bool
	intro    string // about, text, literal or by: how words without a meaning are to be read
	feed     bool   // a feed's name is expected
}

func (r *reader) token(i int) token {
	if i += r.at; i >= 0 && i < len(r.tokens) {
		return r.tokens[i]
	}
	return token{kind: comma}
}

// word returns the folded word or number at a distance; empty for other tokens.
func (r *reader) word(i int) string {
	if t := r.token(i); t.kind == word || t.kind == number {
		return t.text
	}
	return ""
}

func (r *reader) has(at int, words []string) bool {
	for i, w := range words {
		if r.word(at+i) != w {
			return false
		}
	}
	return true
}

// words joins n words.
func (r *reader) words(at, n int) string {
	joined := make([]string, n)
	for i := range joined {
		if joined[i] = r.word(at + i); joined[i] == "" {
			return ""
		}
	}
	return strings.Join(joined, " ")
}

func (r *reader) read() {
	for r.at < len(r.tokens) && r.problem == "" {
		r.at += max(r.step(), 1)
	}
}

// step reads what begins at the position and returns how many tokens it has.
func (r *reader) step() int {
	t := r.token(0)
	if t.kind == comma {
		r.connect(",")
		return 1
	}
	if t.kind == minus {
		r.negating, r.negated = true, ""
		r.intro = "literal"
		return 1
	}
	if s, n, ok := r.window(); ok {
		r.within(s)
		return n
	}
	for _, read := range []func() int{r.counted, r.quoted, r.named, r.known, r.glue, r.author, r.free, r.nearly} {
		if n := read(); n > 0 {
			return n
		}
	}
	r.fail(t.raw)
	return 1
}

func (r *reader) fail(raw string) { r.unknown = append(r.unknown, raw) }

// connect records a connective before the next condition. The strongest of several counts.
func (r *reader) connect(with string) {
	if r.joint != "or" && (with != "," || r.joint == "") {
		r.joint = with
	}
}

// add adds a condition, negated if a negation is in force.
func (r *reader) add(c condition) {
	if r.negating {
		switch {
		case r.negated == "" || r.negated == c.key && (r.joint != "" || c.key == filter.Text):
			c.negated, r.negated = !c.negated, c.key
		case r.negated != c.key && r.joint == "":
			r.problem = "Two things follow a \"not\", so it is unclear whether both are excluded. Put a comma or \"and\" " +
				"between them."
		default:
			r.negating, r.negated = false, ""
		}
	}
	r.items = append(r.items, item{c, r.joint, r.open})
	r.joint, r.open, r.feed = "", false, false
	if c.key != filter.Text && c.key != filter.Author {
		r.intro = ""
	}
}

// within narrows the time.
func (r *reader) within(s span) {
	if r.negating && r.negated == "" {
		r.problem = "A time cannot be excluded. Say the time to show instead."
		return
	}
	if !s.start.IsZero() && s.start.After(r.span.start) {
		r.span.start = s.start
	}
	if !s.end.IsZero() && (r.span.end.IsZero() || s.end.Before(r.span.end)) {
		r.span.end = s.end
	}
	if !r.span.end.IsZero() && !r.span.end.After(r.span.start) {
		r.problem = "The times have nothing in common. Say one time."
	}
}

// counted reads followers, counters, stars and the number of mentions.
func (r *reader) counted() int {
	if c, n, ok := r.stars(); ok {
		r.add(c)
		for n < len(r.tokens) && slices.Contains([]string{"review", "reviews", "rating", "ratings"}, r.word(n)) {
			n++
		}
		return n
	}
	unit, b, n, ok := r.measured()
	if !ok {
		if wanted, n, ok := r.count(); ok && !r.negating {
			if wanted < 1 || wanted > 100 {
				r.problem = "A page has 1 to 100 mentions. Say such a number."
			}
			r.limit, r.headed = wanted, true
			return n
		}
		return 0
	}
	if unit != "followers" && unit != "follower" {
		r.add(condition{key: filter.Engagement, unit: unit, bound: b})
		return n
	}
	if b.least > 0 {
		r.add(condition{key: filter.MinXFollowers, number: b.least})
	}
	if b.most != unbounded {
		if b.least > 0 {
			r.joint = "and"
		}
		r.add(condition{key: filter.MaxXFollowers, number: b.most})
	}
	return n
}

// quoted reads a quotation: a feed's name or a text.
func (r *reader) quoted() int {
	t := r.token(0)
	if t.kind != quotation {
		return 0
	}
	if ids := r.names.feeds[strings.Join(wordsOf(t.raw), " ")]; len(ids) == 1 && (r.feed || isFeed(r.word(1))) {
		r.show(ids[0])
		return 1
	}
	switch before := r.word(-1); {
	case before == "keyword":
		if ids := r.names.keywords[strings.Join(wordsOf(t.raw), " ")]; len(ids) > 0 {
			r.add(condition{key: filter.Keyword, numbers: slices.Clone(ids)})
			return 1
		}
		return 0
	case nouns[before]: // it names one, and none has this name
		return 0
	}
	r.literal(t.raw)
	return 1
}

var nouns = set(`tag tags tagged topic topics language languages source sources platform platforms sentiment tone keywords
	feed view`)

func isFeed(w string) bool { return w == "feed" || w == "view" || w == "feeds" }

func (r *reader) show(feed int64) {
	if r.view != 0 && r.view != feed || r.negating {
		r.problem = "A request shows one feed. Name one, and exclude by what it filters."
	}
	r.view, r.feed, r.headed = feed, false, true
}

// named reads the name of a keyword or a feed, if no longer phrase of the vocabulary begins here.
func (r *reader) named() int {
	most := 1
	for n := vocabulary().longest; n > 0; n-- {
		if vocabulary().meanings[r.words(0, n)] != nil {
			most = n
			break
		}
	}
	for n := min(r.names.longest, len(r.tokens)-r.at); n >= most; n-- {
		text := r.words(0, n)
		if text == "" {
			continue
		}
		feeds, keywords := r.names.feeds[text], r.names.keywords[text]
		if len(feeds) > 0 && (r.feed || isFeed(r.word(n)) || n > 1 && len(keywords) == 0) {
			if len(feeds) > 1 {
				r.problem = "Several feeds have this name. Rename one of them."
			}
			r.show(feeds[0])
			if isFeed(r.word(n)) {
				n++
			}
			return n
		}
		if len(keywords) == 0 {
			continue
		}
		same := vocabulary().meanings[text] != nil
		before := r.word(-1)
		if before == "by" && n == 1 {
			return 0 // an author
		}
		if before == "from" && !same {
			r.problem = "It is unclear whether a keyword's name is an author or the subject. Write \"by\" or \"about\" before it."
			return n
		}
		if same && slices.Contains([]string{"on", "from", "in"}, before) {
			return 0
		}
		if same && r.intro == "" && before != "keyword" && before != "of" {
			r.problem = "A keyword has the name of something else. Write \"keyword\" before it, or \"on\" before a platform."
			return n
		}
		r.add(condition{key: filter.Keyword, numbers: slices.Clone(keywords)})
		return n
	}
	return 0
}

// known reads a phrase of the vocabulary.
func (r *reader) known() int {
	if r.intro == "literal" && !fillers[r.word(0)] {
		return 0
	}
	if last := len(r.items) - 1; last >= 0 && r.items[last].key == filter.Relevance && r.joint != "" {
		if score := slices.Index([]string{"high", "medium", "low"}, r.word(0)); score >= 0 {
			r.add(condition{key: filter.Relevance, numbers: []int64{int64(score)}})
			return 1
		}
	}
	if n := r.irrelevant(); n > 0 {
		return n
	}
	for n := min(vocabulary().longest, len(r.tokens)-r.at); n > 0; n-- {
		text := r.words(0, n)
		if text == "" {
			continue
		}
		m := vocabulary().meanings[text]
		if m == nil && n == 1 {
			if bare, ok := strings.CutPrefix(text, "non-"); ok && vocabulary().meanings[bare] != nil {
				m = slices.Clone(vocabulary().meanings[bare])
				m[0].negated = true
			}
		}
		for i, c := range m {
			c.texts, c.numbers = slices.Clone(c.texts), slices.Clone(c.numbers)
			if i > 0 {
				r.joint = "and"
			}
			r.add(c)
		}
		if m != nil {
			return n
		}
	}
	// Names that are words of other languages too, or codes, are no names here.
	if w := r.word(0); len(w) > 4 && strings.Trim(w, "abcdefghijklmnopqrstuvwxyz") == "" {
		if name, ok := language.Parse(w); ok {
			r.add(texts(filter.Language, name))
			return 1
		}
	}
	if w := r.word(0); w == "lang" || w == "language" {
		if name, ok := language.FromISO(r.word(1)); ok && len(r.word(1)) == 2 {
			r.add(texts(filter.Language, name))
			return 2
		}
	}
	return 0
}

// irrelevant reads whether mentions that are not relevant are wanted.
func (r *reader) irrelevant() int {
	n := 0
	switch {
	case r.word(0) == "irrelevant", r.word(0) == "noise", r.word(0) == "non-relevant":
		n = 1
	case r.has(0, []string{"not", "relevant"}):
		n = 2
	default:
		return 0
	}
	if more, beside := r.beside(n); beside {
		r.all, r.joint = true, ""
		return more
	}
	if r.negating { // that is how lists are anyway
		r.negating = false
		return n
	}
	r.all = true
	r.add(condition{key: filter.Relevance, numbers: []int64{2}, flag: true})
	return n
}

// beside reports whether the words around the next n, which name irrelevant mentions, want these beside the relevant
// ones. It returns how many words say so, with the n.
func (r *reader) beside(n int) (more int, beside bool) {
	joins := func(at int) bool { return r.word(at) == "and" || r.word(at) == "or" }
	if joins(n) && r.word(n+1) == "relevant" {
		return n + 2, true
	}
	if joins(-1) && r.word(-2) == "relevant" {
		return n, true
	}
	for at := 1; at <= 3; at++ {
		if slices.Contains([]string{"include", "including", "even", "plus", "with", "also"}, r.word(-at)) {
			return n, true
		}
	}
	for at := n; at <= n+1; at++ {
		if r.word(at) == "too" || r.word(at) == "included" || r.has(at, []string{"as", "well"}) {
			return n, true
		}
	}
	return n, false
}
