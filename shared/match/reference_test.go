package match

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"earshot/shared/keyword"
	"earshot/shared/post"
)

// The rules of the package comment, written a second time: slowly, and without the package's own code. Read this file
// side by side with that comment.

// A plainText is a text in its normal form, with its case and folded.
type plainText struct {
	cased  string
	folded string
	at     map[int]int  // offsets of folded, at characters of cased, to offsets of cased
	edges  map[int]bool // offsets of folded at which words begin or end
}

// Default_Ignorable_Code_Point of Unicode 15 and the skin tones, from DerivedCoreProperties.txt.
var ignorable = [][2]rune{{0xAD, 0xAD}, {0x34F, 0x34F}, {0x61C, 0x61C}, {0x115F, 0x1160}, {0x17B4, 0x17B5},
	{0x180B, 0x180F}, {0x200B, 0x200F},
	{0x202A, 0x202E}, {0x2060, 0x206F}, {0x3164, 0x3164}, {0xFE00, 0xFE0F}, {0xFEFF, 0xFEFF}, {0xFFA0, 0xFFA0},
	{0xFFF0, 0xFFF8},
	{0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0x1F3FB, 0x1F3FF}, {0xE0000, 0xE0FFF}}

func isIgnorable(r rune) bool {
	return slices.ContainsFunc(ignorable, func(block [2]rune) bool { return block[0] <= r && r <= block[1] })
}

func plain(raw string) plainText {
	var pieces []string // what zero width spaces part
	piece := ""
	for _, r := range raw {
		switch {
		case r == '\u200B':
			pieces, piece = append(pieces, piece), ""
		case isIgnorable(r):
		case r == 0x2010 || r == 0x2011:
			piece += "-"
		case strings.ContainsRune("‘’‛ʼ", r):
			piece += "'"
		case r >= 0xFF01 && r <= 0xFFEE || r >= 0x1D400 && r <= 0x1D7FF:
			piece += norm.NFKC.String(string(r))
		default:
			piece += string(r)
		}
	}
	pieces = append(pieces, piece)
	t := plainText{at: map[int]int{}, edges: map[int]bool{}}
	var soft []int
	last := rune(-1)
	for i, piece := range pieces {
		if i > 0 {
			soft = append(soft, len(t.folded))
		}
		for _, r := range norm.NFC.String(piece) {
			if isIgnorable(r) || r == 0x307 && last == 'i' {
				continue
			}
			if unicode.IsSpace(r) {
				if r = ' '; strings.HasSuffix(t.cased, " ") {
					continue
				}
			}
			last = r
			t.at[len(t.folded)] = len(t.cased)
			t.cased += string(r)
			if r == 'İ' {
				t.folded += "i"
			} else {
				t.folded += cases.Fold().String(string(r))
			}
		}
	}
	t.at[len(t.folded)] = len(t.cased)
	offset, state := 0, -1
	for rest := t.folded; rest != ""; {
		var word string
		word, rest, state = uniseg.FirstWordInString(rest, state)
		t.edges[offset] = true
		offset += len(word)
	}
	t.edges[0], t.edges[len(t.folded)] = true, true
	for _, p := range soft {
		t.edges[p] = true
	}
	return t
}

// trimmed returns the normal form of a keyword's or a term's text.
func trimmed(raw string) plainText { return plain(strings.Trim(plain(raw).cased, " ")) }

func (t plainText) wordEnd(p int) bool {
	return t.edges[p] || strings.HasPrefix(t.folded[p:], "'s") && t.edges[p+2]
}

// spelled reports whether the text from p has the case of cased.
func (t plainText) spelled(p int, cased string) bool {
	from, ok := t.at[p]
	return ok && strings.HasPrefix(t.cased[from:], cased)
}

// occurs reports whether the text has a phrase at a place that ends accepts.
func (t plainText) occurs(phrase plainText, minds bool, counts func(start, end int) bool) bool {
	for start := 0; start+len(phrase.folded) <= len(t.folded); start++ {
		end := start + len(phrase.folded)
		if t.folded[start:end] == phrase.folded && counts(start, end) && (!minds || t.spelled(start, phrase.cased)) {
			return true
		}
	}
	return false
}

func (t plainText) anywhere(phrase plainText, minds bool) bool {
	return t.occurs(phrase, minds, func(int, int) bool { return true })
}

func (t plainText) wholePhrase(phrase plainText, minds bool) bool {
	return t.occurs(phrase, minds, func(start, end int) bool { return t.edges[start] && t.edges[end] })
}

func (t plainText) prefix(phrase plainText, minds bool) bool {
	return t.occurs(phrase, minds, func(start, end int) bool { return t.edges[start] })
}

func (t plainText) word(phrase plainText, minds bool) bool {
	if t.occurs(phrase, minds, func(start, end int) bool { return t.edges[start] && t.wordEnd(end) }) {
		return true
	}
	for _, way := range waysToWrite(phrase.cased) {
		way := plain(way)
		isIt := func(start, end int) bool {
			return t.folded[start:end] == way.folded && (!minds || t.spelled(start, way.cased))
		}
		if slices.ContainsFunc(t.handles(), func(h [2]int) bool { return isIt(h[0], h[1]) }) ||
			slices.ContainsFunc(t.ownNames(), func(n [2]int) bool { return isIt(n[0], n[1]) }) {
			return true
		}
	}
	return false
}

func inLabel(r rune) bool {
	return r == '-' || unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r)
}

func waysToWrite(text string) (ways []string) {
	words := []string{""}
	for i, r := range text {
		switch {
		case r == ' ' || r == '-' || r == '/' || r == '_':
			words = append(words, "")
		case inLabel(r):
			words[len(words)-1] += string(r)
		case i == 0 || !strings.ContainsRune(".,&!':·", r):
			return nil
		}
	}
	words = slices.DeleteFunc(words, func(word string) bool { return word == "" })
	if len(words) == 0 {
		return nil
	}
	for _, sign := range []string{"", "-", "_"} {
		way := strings.Join(words, sign)
		ways = append(ways, way)
		bare := strings.Map(func(r rune) rune {
			if unicode.Is(unicode.Mn, r) {
				return -1
			}
			return r
		}, norm.NFD.String(way))
		if bare != "" && !strings.ContainsFunc(bare, func(r rune) bool { return r > unicode.MaxASCII }) {
			ways = append(ways, bare)
		}
	}
	return append(ways, text)
}

// bound reports whether the characters on both sides of p can be of one name.
func (t plainText) bound(p int) bool {
	left, _ := utf8.DecodeLastRuneInString(t.folded[:p])
	right, _ := utf8.DecodeRuneInString(t.folded[p:])
	if left < utf8.RuneSelf && right < utf8.RuneSelf || strings.ContainsRune(".-", left) ||
		strings.ContainsRune(".-", right) {
		return true
	}
	return !t.edges[p]
}

// handles returns where handles are, without their @.
func (t plainText) handles() (found [][2]int) {
	for at, r := range t.folded {
		before := byte(' ')
		if at > 0 {
			before = t.folded[at-1]
		}
		if r != '@' || before < utf8.RuneSelf && (inLabel(rune(before)) || before == '_' || before == '+') {
			continue
		}
		end := at + 1
		for _, r := range t.folded[at+1:] {
			if !inLabel(r) && r != '_' || end > at+1 && !t.bound(end) {
				break
			}
			end += utf8.RuneLen(r)
		}
		if t.wordEnd(end) || strings.HasPrefix(t.folded[end:], ".bsky.social") && t.wordEnd(end+len(".bsky.social")) {
			found = append(found, [2]int{at + 1, end})
		}
	}
	return found
}

// ownNames returns, for each host in the text, the registrable label and the domains that equal the host or contain it.
func (t plainText) ownNames() (found [][2]int) {
	inHost := func(p int) bool {
		r, _ := utf8.DecodeRuneInString(t.folded[p:])
		if r != '.' {
			return inLabel(r)
		}
		before, _ := utf8.DecodeLastRuneInString(t.folded[:p])
		after, _ := utf8.DecodeRuneInString(t.folded[p+1:])
		return inLabel(before) && inLabel(after)
	}
	start := 0
	hosts := [][2]int{}
	for p := range t.folded {
		if !inHost(p) || p > start && !t.bound(p) {
			if p > start {
				hosts = append(hosts, [2]int{start, p})
			}
			start = p
			if !inHost(p) {
				_, size := utf8.DecodeRuneInString(t.folded[p:])
				start = p + size
			}
		}
	}
	hosts = append(hosts, [2]int{start, len(t.folded)})
	for _, h := range hosts {
		if h[1]-h[0] > 253 || h[0] >= h[1] {
			continue
		}
		labels := strings.Split(t.folded[h[0]:h[1]], ".")
		suffix := 0
		for count := 1; count <= len(labels); count++ {
			name, err := idna.Punycode.ToASCII(strings.Join(labels[len(labels)-count:], "."))
			if found, icann := publicsuffix.PublicSuffix(name); err == nil && icann && found == name {
				suffix = count
			}
		}
		if suffix == 0 {
			continue
		}
		at := h[0]
		for i, label := range labels {
			if left := len(labels) - i; left > suffix {
				found = append(found, [2]int{at, h[1]})
				if left == suffix+1 {
					found = append(found, [2]int{at, at + len(label)})
				}
			}
			at += len(label) + 1
		}
	}
	return found
}

// expect returns which keywords of which workspaces a post matches.
func expect(workspaces []Workspace, p *post.Post) map[string][]int64 {
	var texts []plainText
	for _, text := range []*string{p.Title, p.Body} {
		if text != nil {
			texts = append(texts, plain(*text))
		}
	}
	has := func(term string, in func(plainText, plainText, bool) bool, minds bool) (has, blank bool) {
		phrase := trimmed(term)
		if phrase.folded == "" {
			return false, true
		}
		return slices.ContainsFunc(texts, func(t plainText) bool { return in(t, phrase, minds) }), false
	}
	hasAny := func(terms []string, in func(plainText, plainText, bool) bool, minds bool) bool {
		return slices.ContainsFunc(terms, func(term string) bool { has, _ := has(term, in, minds); return has })
	}
	handle := func(s string) string {
		s = strings.TrimLeft(strings.TrimSpace(s), "@")
		for _, prefix := range []string{"/u/", "u/", "/U/", "U/", "/"} {
			if cut, ok := strings.CutPrefix(s, prefix); ok {
				s = cut
				break
			}
		}
		return plain(s).folded
	}
	wrote := func(handles []string) bool {
		return p.Author != nil &&
			slices.ContainsFunc(handles, func(h string) bool { return handle(h) != "" && handle(h) == handle(*p.Author) })
	}
	named := func(names []string, name string) bool {
		return name != "" && slices.ContainsFunc(names, func(n string) bool {
			return strings.EqualFold(strings.TrimPrefix(strings.ToLower(strings.Trim(n, "/ ")), "r/"), name)
		})
	}
	found := map[string][]int64{}
	for _, w := range workspaces {
		f := w.Filters
		owner, _, _ := strings.Cut(p.Repo(), "/")
		if hasAny(f.NegativeKeywords, plainText.wholePhrase, false) || wrote(f.NegativeAuthors) ||
			named(f.NegativeSubreddits, p.Subreddit()) || named(f.NegativeRepos, p.Repo()) || named(f.NegativeRepos, owner) ||
			len(f.PositiveSubreddits) > 0 && p.Source == "reddit" && !named(f.PositiveSubreddits, p.Subreddit()) {
			continue
		}
		for _, k := range w.Keywords {
			in := plainText.anywhere
			if k.ExactMatch {
				in = plainText.word
			}
			stems := slices.Clone(k.WildcardExcludeWords)
			for i := range stems {
				stems[i] = strings.TrimRight(strings.TrimSpace(stems[i]), "*")
			}
			text, _ := has(k.Text, in, k.CaseSensitive)
			if k.Paused || !text || hasAny(k.ExcludeWords, plainText.wholePhrase, k.CaseSensitive) || wrote(k.ExcludeAuthors) ||
				hasAny(stems, plainText.prefix, k.CaseSensitive) ||
				len(k.Platforms) > 0 && !slices.ContainsFunc(k.Platforms,
					func(platform string) bool { return keyword.Admits(platform, p.Source, p.IsReply) }) {
				continue
			}
			terms, hits := 0, 0
			for _, term := range k.AdditionalTerms {
				if has, blank := has(term, in, k.CaseSensitive); !blank {
					terms++
					if has {
						hits++
					}
				}
			}
			if terms > 0 && (hits == 0 || k.AdditionalTermsLogic == keyword.All && hits < terms) {
				continue
			}
			found[w.ID] = append(found[w.ID], k.ID)
		}
	}
	return found
}
