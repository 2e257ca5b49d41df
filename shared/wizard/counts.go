package wizard

import (
	"math"
	"slices"

	"earshot/shared/filter"
)

// A bound is a range of whole numbers that a request states. Without one of its ends it is open.
type bound struct{ least, most int64 }

const unbounded = math.MaxInt64

// small are numbers that people write as words.
var small = map[string]float64{
	"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
	"twelve": 12, "twenty": 20, "thirty": 30, "fifty": 50, "hundred": 100, "thousand": 1000,
}

// number reads a number of one token.
func (r *reader) number(at int) (float64, bool) {
	t := r.token(at)
	if t.kind == number {
		return t.n, true
	}
	n, ok := small[t.text]
	return n, ok && t.kind == word
}

// amount reads a whole number of up to three words: "a hundred", "1 million".
func (r *reader) amount(at int) (n int64, plus bool, used int) {
	if r.word(at) == "a" && (r.word(at+1) == "hundred" || r.word(at+1) == "thousand" || r.word(at+1) == "million") {
		used = 1
	}
	value, ok := r.number(at + used)
	switch {
	case used == 1 && r.word(at+1) == "million":
		return 1e6, false, 2
	case !ok:
		return 0, false, 0
	}
	plus = r.token(at + used).plus
	used++
	for text, times := range map[string]float64{"hundred": 100, "thousand": 1000, "million": 1e6} {
		if r.word(at+used) == text {
			value, used = value*times, used+1
			break
		}
	}
	if value != math.Trunc(value) || value > 1e12 {
		return 0, false, 0
	}
	return int64(value), plus, used
}

// leads are the words before a number that make it a bound.
var leads = []struct {
	words       []string
	least, most bool
	strict      bool // the number itself is outside
}{
	{[]string{"more", "than"}, true, false, true},
	{[]string{"greater", "than"}, true, false, true},
	{[]string{"over"}, true, false, true},
	{[]string{"above"}, true, false, true},
	{[]string{">"}, true, false, true},
	{[]string{"at", "least"}, true, false, false},
	{[]string{"minimum"}, true, false, false},
	{[]string{"min"}, true, false, false},
	{[]string{"≥"}, true, false, false},
	{[]string{"fewer", "than"}, false, true, true},
	{[]string{"less", "than"}, false, true, true},
	{[]string{"under"}, false, true, true},
	{[]string{"below"}, false, true, true},
	{[]string{"<"}, false, true, true},
	{[]string{"at", "most"}, false, true, false},
	{[]string{"up", "to"}, false, true, false},
	{[]string{"maximum"}, false, true, false},
	{[]string{"max"}, false, true, false},
	{[]string{"≤"}, false, true, false},
	{[]string{"no", "more", "than"}, false, true, false},
	{[]string{"exactly"}, true, true, false},
}

// comparison reads "more than 10k", "1k+", "100 or more", "between 5 and 10". A number alone is none.
func (r *reader) comparison(at int) (b bound, used int, ok bool) {
	if r.word(at) == "between" {
		least, _, n := r.amount(at + 1)
		if n == 0 || r.word(at+1+n) != "and" && r.word(at+1+n) != "to" {
			return bound{}, 0, false
		}
		most, _, m := r.amount(at + 2 + n)
		return bound{least, most}, 2 + n + m, m > 0 && most >= least
	}
	for _, lead := range leads {
		if !r.has(at, lead.words) {
			continue
		}
		n, _, used := r.amount(at + len(lead.words))
		if used == 0 {
			continue
		}
		b := bound{0, unbounded}
		if lead.least {
			b.least = n
			if lead.strict {
				b.least++
			}
		}
		if lead.most {
			b.most = n
			if lead.strict {
				b.most--
			}
		}
		return b, len(lead.words) + used, b.most >= 0
	}
	n, plus, used := r.amount(at)
	if used == 0 {
		return bound{}, 0, false
	}
	if plus {
		return bound{n, unbounded}, used, true
	}
	if r.word(at+used) == "or" || r.word(at+used) == "and" {
		switch r.word(at + used + 1) {
		case "more", "above", "higher", "over", "up":
			return bound{n, unbounded}, used + 2, true
		case "fewer", "less", "below", "lower", "under":
			return bound{0, n}, used + 2, true
		}
	}
	return bound{}, 0, false
}

// measured reads a bound with its unit before or after it.
func (r *reader) measured() (unit string, b bound, used int, ok bool) {
	if u := r.word(0); units[u] != nil {
		at := 1
		for slices.Contains([]string{"of", "is", "are", "count", "counts"}, r.word(at)) {
			at++
		}
		if b, n, ok := r.comparison(at); ok {
			return u, b, at + n, true
		}
	}
	at := 0
	if r.word(0) == "with" {
		at = 1
	}
	b, n, ok := r.comparison(at)
	if !ok {
		return "", bound{}, 0, false
	}
	at += n
	if r.word(at) == "x" || r.word(at) == "twitter" {
		at++
	}
	u := r.word(at)
	if units[u] == nil {
		return "", bound{}, 0, false
	}
	return u, b, at + 1, true
}

// units maps the word for a counter to the counter's name on each platform that has it. Followers are X's alone.
var units = map[string]map[string]string{
	"followers": {}, "follower": {},
	"likes":    {"twitter": "likes", "bluesky": "likes", "youtube": "likes"},
	"retweets": {"twitter": "retweets"},
	"reposts":  {"bluesky": "reposts", "twitter": "retweets"},
	"quotes":   {"twitter": "quotes", "bluesky": "quotes"},
	"replies":  {"twitter": "replies", "bluesky": "replies"},
	"views":    {"youtube": "views", "stackoverflow": "views"},
	"comments": {
		"reddit": "comments", "hackernews": "comments", "youtube": "comments", "github": "comments",
		"producthunt": "comments",
		"dev":         "comments",
	},
	"points":    {"hackernews": "points", "reddit": "score"},
	"upvotes":   {"reddit": "score", "producthunt": "votes", "hackernews": "points"},
	"votes":     {"producthunt": "votes", "stackoverflow": "score", "reddit": "score"},
	"score":     {"reddit": "score", "stackoverflow": "score", "hackernews": "points"},
	"answers":   {"stackoverflow": "answers"},
	"reactions": {"github": "reactions", "dev": "reactions"},
}

// stars reads ratings of reviews: "1 star", "five-star", "4 or 5 stars", "below 3 stars".
func (r *reader) stars() (c condition, used int, ok bool) {
	isUnit := func(at int) bool { return r.word(at) == "star" || r.word(at) == "stars" }
	var b bound
	if first, found := joined(r.word(0)); found {
		b, used = bound{first, first}, 1
	} else if compared, n, found := r.comparison(0); found && isUnit(n) {
		b, used = compared, n+1
	} else if first, _, n := r.amount(0); n == 1 && isUnit(1) {
		b, used = bound{first, first}, 2
		if compared, m, found := r.qualified(first, 2); found {
			b, used = compared, 2+m
		}
	} else if last, _, m := r.amount(2); n == 1 && m == 1 && isUnit(3) &&
		slices.Contains([]string{"or", "to", "and", "-"}, r.word(1)) && (last == first+1 || r.word(1) == "to") {
		b, used = bound{first, last}, 4
	} else {
		return condition{}, 0, false
	}
	c.key = filter.ReviewRating
	for n := max(b.least, 1); n <= min(b.most, 5); n++ {
		c.numbers = append(c.numbers, n)
	}
	return c, used, len(c.numbers) > 0 && (b.most <= 5 || b.most == unbounded)
}

// qualified reads what follows "3 stars": "or more", "and below".
func (r *reader) qualified(n int64, at int) (b bound, used int, ok bool) {
	if r.word(at) != "or" && r.word(at) != "and" {
		return bound{}, 0, false
	}
	switch r.word(at + 1) {
	case "more", "above", "higher", "up", "better":
		return bound{n, unbounded}, 2, true
	case "fewer", "less", "below", "lower", "under", "worse":
		return bound{0, n}, 2, true
	}
	return bound{}, 0, false
}

// joined reads "1-star" and "five-star".
func joined(w string) (int64, bool) {
	for i, name := range []string{"one", "two", "three", "four", "five"} {
		if w == name+"-star" || w == string(rune('1'+i))+"-star" {
			return int64(i + 1), true
		}
	}
	return 0, false
}

// counted are what a number may count besides mentions.
var counted = set(`star stars author authors user users account accounts people person source sources platform platforms keyword
	keywords tag tags topic topics language languages site feed feeds day days week weeks word words sentiment`)

// count reads how many mentions are wanted: "top 10", "last 20 mentions", "limit 50", "a hundred mentions".
func (r *reader) count() (n int64, used int, ok bool) {
	lead := 0
	for slices.Contains([]string{
		"top", "first", "last", "latest", "newest", "most", "recent", "limit", "limited", "to", "show", "give", "me", "the",
	}, r.word(lead)) && lead < 3 {
		lead++
	}
	if r.has(0, []string{"at", "most"}) || r.has(0, []string{"up", "to"}) || r.has(0, []string{"no", "more", "than"}) {
		lead = 2
		if r.word(0) == "no" {
			lead = 3
		}
	}
	n, plus, amount := r.amount(lead)
	if amount == 0 || plus {
		return 0, 0, false
	}
	used = lead + amount
	unit := r.word(used)
	if units[unit] != nil || counted[unit] {
		return 0, 0, false
	}
	if heads[unit] || unit == "ones" || unit == "entries" {
		used++
	} else if lead == 0 {
		return 0, 0, false
	}
	return n, used, true
}
