package theme

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Bounds of labels.
const (
	labelTerms   = 3   // terms of a label
	phraseWords  = 3   // words of a phrase
	phraseLength = 8   // characters of a phrase of a script without blanks
	whole        = 0.6 // a phrase stands for a word if so much of the word's posts have the phrase
	candidates   = 60  // words of a theme that may be terms
	labelled     = 400 // the most central posts of a theme that its terms are read from
	leastSpelled = 3   // characters of a term in ASCII without capitals
	clarity      = 0.6 // of a theme's posts have one of its terms, at least
	denseLength  = 200 // characters of scripts without blanks that phrases of a post are read from, about
)

// labels name themes by their terms.
type labels struct {
	read  []reading
	all   int            // posts of every language
	stand map[string]int // in how many posts a word stands
}

func newLabels(read []reading, all int) *labels {
	l := &labels{read: read, all: all, stand: map[string]int{}}
	for i := range read {
		for _, word := range read[i].words {
			l.stand[word]++
		}
	}
	return l
}

// A phrase is a term as posts spell it.
type phrase struct {
	posts  int
	spells map[string]int
}

// of returns the label and the terms of a theme. The label is empty if no words tell the theme from others, or if they
// stand in few of its posts.
func (l *labels) of(members []int) (label string, terms []string) {
	inside := map[string]int{}
	for _, at := range members {
		for _, word := range l.read[at].words {
			inside[word]++
		}
	}
	type told struct {
		word string
		by   float64
	}
	var all []told
	for word, n := range inside {
		if by := l.telling(word, n, len(members)); by > 0 && n >= LeastSize {
			all = append(all, told{word, by})
		}
	}
	slices.SortFunc(all, func(a, b told) int { return cmp.Or(cmp.Compare(b.by, a.by), strings.Compare(a.word, b.word)) })
	all = all[:min(len(all), candidates)]
	wanted := map[string]bool{}
	for _, t := range all {
		wanted[t.word] = true
	}
	phrases, within := l.phrases(members[:min(len(members), labelled)], wanted)
	shown := float64(len(members)) / float64(min(len(members), labelled))
	var named []string // the terms by which they are compared
	parts := 0
	var words []string // by which the terms were found
	for _, t := range all {
		if phrases[t.word] == nil {
			continue // of posts that were not read for phrases
		}
		key := t.word
		for _, longer := range within[key] {
			if p := phrases[longer]; float64(p.posts)*shown >= whole*float64(inside[t.word]) && p.posts >= LeastSize &&
				(utf8.RuneCountInString(longer) > utf8.RuneCountInString(key) ||
					utf8.RuneCountInString(longer) == utf8.RuneCountInString(key) && longer < key) {
				key = longer
			}
		}
		if slices.ContainsFunc(named, func(other string) bool { return alike(other, key) || alike(other, t.word) }) {
			continue
		}
		spelled := phrases[key].commonest()
		if utf8.RuneCountInString(spelled) < leastSpelled && spelled == strings.ToLower(spelled) &&
			spelled[0] < utf8.RuneSelf {
			continue // "js", and not "AI"
		}
		if utf8.RuneCountInString(spelled) > MaxLabel {
			continue
		}
		named, terms, words = append(named, key), append(terms, spelled), append(words, t.word)
		if with := strings.TrimPrefix(label+", "+spelled, ", "); parts < labelTerms &&
			utf8.RuneCountInString(with) <= MaxLabel {
			label, parts = with, parts+1
		}
		if len(terms) == MaxTerms {
			break
		}
	}
	if l.having(words, members) < clarity*float64(len(members)) {
		return "", nil
	}
	return label, terms
}

// having counts the posts that have any of the words.
func (l *labels) having(words []string, members []int) (n float64) {
	for _, at := range members {
		if slices.ContainsFunc(
			words,
			func(word string) bool { _, has := slices.BinarySearch(l.read[at].words, word); return has },
		) {
			n++
		}
	}
	return n
}

// telling returns how much a word says of a theme of size posts, n of which have it: the share of them, as unlikely as
// the word is elsewhere (log odds with half a post added on each side).
func (l *labels) telling(word string, n, size int) float64 {
	if generic()[word] {
		return 0
	}
	stand := l.stand[word]
	rest := l.all - size
	odds := math.Log((float64(n)+0.5)/(float64(size-n)+0.5)) - math.Log(
		(float64(stand-n)+0.5)/(float64(max(0, rest-stand+n))+0.5),
	)
	rare := math.Log(1 + float64(l.all)/float64(stand))
	return rare * float64(n) / float64(size) * max(0.05, 1+odds)
}

// phrases returns the phrases of posts that have a wanted word, single words among them, and those that a word stands
// in.
func (l *labels) phrases(members []int, wanted map[string]bool) (phrases map[string]*phrase,
	within map[string][]string) {
	phrases, within = map[string]*phrase{}, map[string][]string{}
	seen := map[string]bool{}
	add := func(key, spelled string) {
		if seen[key] {
			return
		}
		seen[key] = true
		p := phrases[key]
		if p == nil {
			p = &phrase{spells: map[string]int{}}
			phrases[key] = p
		}
		p.posts++
		p.spells[spelled]++
	}
	for _, at := range members {
		clear(seen)
		tokens, dense := l.read[at].tokens, 0
		for i, t := range tokens {
			if t.dense {
				if dense < denseLength {
					dense += denseTerms(t.spelled, wanted, add)
				}
				continue
			}
			key, spelled, has := "", "", false
			for n := 0; n < phraseWords && i+n < len(tokens); n++ {
				next := tokens[i+n]
				if next.key == "" || next.dense || n > 0 && next.joint == 0 {
					break
				}
				if n > 0 {
					key, spelled = key+" ", spelled+string(next.joint)
				}
				key, spelled = key+next.key, spelled+next.spelled
				if has = has || wanted[next.key]; has {
					add(key, spelled)
				}
			}
		}
	}
	for key, p := range phrases {
		if p.posts < LeastSize {
			continue
		}
		if strings.Contains(key, " ") {
			for word := range strings.FieldsSeq(key) {
				within[word] = append(within[word], key)
			}
		} else if r, _ := utf8.DecodeRuneInString(key); isDense(r) {
			characters := []rune(key)
			for size := 2; size <= 3; size++ {
				for i := 0; i+size <= len(characters); i++ {
					part := string(characters[i : i+size])
					within[part] = append(within[part], key)
				}
			}
		}
	}
	return phrases, within
}

// denseTerms calls add for the parts of a run of a script without blanks that have a wanted part. It returns how many
// characters it read.
func denseTerms(run string, wanted map[string]bool, add func(key, spelled string)) int {
	characters := []rune(run)
	if isKatakana(characters[0]) {
		if wanted[run] {
			add(run, run)
		}
		return len(characters)
	}
	characters = characters[:min(len(characters), denseLength)]
	size := gramSize(characters[0])
	for i := 0; i+size <= len(characters); i++ {
		if !wanted[string(characters[i:i+size])] {
			continue
		}
		for start := max(0, i+size-phraseLength); start <= i; start++ {
			for end := i + size; end <= min(len(characters), start+phraseLength); end++ {
				if !unicode.IsMark(characters[start]) && (end == len(characters) || !unicode.IsMark(characters[end])) {
					part := string(characters[start:end])
					add(part, part)
				}
			}
		}
	}
	return len(characters)
}

// commonest returns the spelling that most posts have.
func (p *phrase) commonest() (best string) {
	for spelled, n := range p.spells {
		if most := p.spells[best]; n > most || n == most && spelled < best {
			best = spelled
		}
	}
	return best
}

// alike reports whether two terms have a word in common, or characters of a script without blanks.
func alike(a, b string) bool {
	first, _ := utf8.DecodeRuneInString(a)
	other, _ := utf8.DecodeRuneInString(b)
	if !isDense(first) || !isDense(other) {
		return Overlap(a, b)
	}
	characters := []rune(a)
	for i := 0; i+2 <= len(characters); i++ {
		if strings.Contains(b, string(characters[i:i+2])) {
			return true
		}
	}
	return false
}

// generic are English words that stand in posts on anything, by the form in which words are compared.
var generic = sync.OnceValue(func() map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(`new good great best better bad get got getting make made making use used using user
		need want know think look looking way thing people time day year week month lot really going go gone see seen one two three
		first second today tomorrow yesterday tonight back help try tried trying work working find found give come came take
		took put let tell told ask show keep thank thanks hi hello hey guy anyone everyone something anything everything
		right wrong big small long old different actually maybe probably pretty sure feel felt thought love like hate nice
		cool awesome part kind sort bit end start started mean point place world man woman life don didn isn wasn aren
		doesn won couldn wouldn ve ll re im ive dont doesnt didnt cant isnt hn lol yeah ok okay oh wow http read reading
		post comment thread question answer link update edit next full free real high low top many every another around
		number name case fact others else already always never ever still even far able available call called become based
		including according known said says asked early late later recent recently
		during former large main major common fuck fucking shit dude damn
		haha hahaha lmao omg bro sorry please yea ya ah hell seem happy sad funny agree completely suddenly surprised sound
		aim add adding reveal across begin begun bring brought turn set allow leave hour minute plan announce`) {
		set[keyOf(word)] = true
	}
	return set
})
