package main

import (
	"encoding/csv"
	"fmt"
	"hash/fnv"
	"math"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"earshot/shared/judge"
	"earshot/shared/judge/sentiment/rated"
	"earshot/shared/story"
)

// titlePairs are pairs of Hacker News posts by their ids. People read the titles and links of all pairs that share at least
// 62 % of their words, and said whether both tell the same story: 1, or 0. Pairs with equal words are not listed: all of
// them tell the same story, if the words are four or more.
const titlePairs = `10798586 10798769 1|11268655 11286284 1|10798534 10798572 1|10395957 10498033 1|12461156 12470703 1|
	10530891 10527070 1|12559558 12560542 1|11403180 11400816 1|11063214 11418277 1|11063214 10928528 1|
	12552474 12371508 0|10922386 10922447 1|12561610 11547816 0|12393474 12363622 1|10215049 10247497 1|
	11670686 12097566 1|12268737 12268745 1|11469135 11889095 0|12202867 11814830 0|11405241 11814830 0|
	11405241 12202867 0|10761955 10838945 0|12033045 12008756 1|11150714 11158605 1|10219890 10770507 0|
	12230689 10770507 0|12230689 10219890 0|10589398 10976898 1|12561591 12529846 1|10222531 10227671 1|
	10433743 12384582 0|10280894 10291624 1|12127923 12162291 1|10402103 11126811 1|10346280 10358597 1|
	10602810 10250206 0|11732166 11732430 1|11805791 12317217 1|11590225 11595967 1|10820218 10740895 0|
	10883786 12130009 0|11670686 11772669 1|12120872 12526263 1|10301476 10533560 1|10816642 10818400 1|
	11446153 11318199 1|10911497 10928046 0|11076890 10650269 0|12494108 12487621 1|11279438 12192694 0|
	12164938 10357544 0|12135644 12222822 1|11455449 11455670 1|11701440 12418891 0|11204952 12492829 0|
	10729812 11701126 0|11299384 11413992 1|11469535 10449759 0|10441002 10442129 1`

// A method decides whether two texts are of one story.
type method struct {
	name   string
	chosen bool // the method of package story
	same   func(a, b string) bool
}

// methods are the fingerprint and what it was chosen over: simhash over words and pairs of words (Charikar, "Similarity
// Estimation Techniques from Rounding Algorithms", STOC 2002), and minhash over pieces of five characters (Broder, "On
// the Resemblance and Containment of Documents", 1997). All refuse a text that is too short, by the same bound. The
// other methods read all words: passed-on texts would be found more often in the fingerprint's canonical form, but a
// changed name is a change of one word in every form.
func methods() []method {
	long := func(texts ...string) bool {
		return !slices.ContainsFunc(texts, func(t string) bool { return story.Of("", t) == 0 })
	}
	all := []method{{"fingerprint", true, func(a, b string) bool { return story.Of("", a).Same(story.Of("", b)) }}}
	for _, most := range []int{3, 8, 12} {
		all = append(all, method{fmt.Sprintf("simhash, %d bits of 64", most), false, func(a, b string) bool {
			return long(a, b) && bits.OnesCount64(simhash(a)^simhash(b)) <= most
		}})
	}
	for _, least := range []float64{0.5, 0.7, 0.85} {
		all = append(all, method{fmt.Sprintf("minhash, %.2f of 128", least), false, func(a, b string) bool {
			return long(a, b) && alike(minhash(a), minhash(b)) >= least
		}})
	}
	return all
}

// measureStories measures which posts are found to be of one story: on labelled pairs of titles, on texts that are
// passed on in the ways of people and programs, on texts that differ in one name, and on texts that many people write.
func measureStories(_ *judge.Judge, folder string) ([]figure, error) {
	pairs, err := labelledPairs(folder)
	if err != nil {
		return nil, err
	}
	posts, err := titles(folder)
	if err != nil {
		return nil, err
	}
	comments, err := columns(folder, "sentiment", "goemotions_3class_train.tsv")
	if err != nil {
		return nil, err
	}
	english, err := rated.English()
	if err != nil {
		return nil, err
	}
	sentences, err := columns(folder, "language", "lingua_sentences_dev.tsv")
	if err != nil {
		return nil, err
	}
	var tweets []string
	for _, t := range toLabelled(rated.Chosen(english, rated.Test, "tweets")) {
		tweets = append(tweets, t.text)
	}
	var said []string
	for _, c := range comments {
		said = append(said, c.text)
	}
	var figures []figure
	for _, m := range methods() {
		figures = append(figures, m.labelled(pairs)...)
		for _, kind := range []struct {
			name  string
			texts []string
			every int
		}{{"titles", posts, 12}, {"Reddit comments", said, 36}, {"tweets", tweets, 3}} {
			if !m.chosen && kind.name == "Reddit comments" { // for the other methods they say what tweets say
				continue
			}
			figures = append(figures, m.made(kind.name, sample(kind.texts, kind.every))...)
		}
	}
	chosen := methods()[0]
	for _, family := range families {
		var texts []string
		for _, s := range sentences {
			if slices.Contains(strings.Fields(family.languages), s.class) {
				texts = append(texts, s.text)
			}
		}
		figures = append(figures, chosen.made(family.name, sample(texts, 3))...)
	}
	return append(figures, accidents(said)...), nil
}

// families are the languages of the sentences by script.
var families = []struct{ name, languages string }{
	{"Latin script", "az ca cs da de en es et eu fi fr hr hu id is it lt lv ms nb nl nn pl pt ro sk sl sq sv tl tr vi yo"},
	{"Cyrillic and Greek", "be bg el ru sr uk"},
	{"Arabic and Hebrew", "ar fa he ur"},
	{"Indic scripts", "bn gu hi mr pa ta te"},
	{"Armenian and Georgian", "hy ka"},
	{"Chinese", "zh"},
	{"Japanese", "ja"},
	{"Korean", "ko"},
	{"Thai", "th"},
}

// sample returns every n-th text in an order that does not depend on the file's, of those that a story may have.
func sample(texts []string, every int) (some []string) {
	texts = slices.Compact(slices.Sorted(slices.Values(texts)))
	texts = slices.DeleteFunc(texts, func(t string) bool { return story.Of("", t) == 0 })
	for i := 0; i < len(texts); i += every {
		some = append(some, texts[i])
	}
	return some
}

type pair struct {
	a, b string
	same bool
}

// labelledPairs reads titlePairs, and the pairs of posts with equal words.
func labelledPairs(folder string) (pairs []pair, err error) {
	file, err := os.Open(filepath.Join(folder, "language", "hn_posts_2016_dev.csv"))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	posts, err := csv.NewReader(file).ReadAll()
	if err != nil {
		return nil, err
	}
	titles, words := map[string]string{}, map[string][]string{}
	for _, post := range posts[1:] {
		titles[post[0]] = post[1]
		if w := plainWords(post[1]); len(w) >= 4 {
			key := strings.Join(slices.Compact(slices.Sorted(slices.Values(w))), " ")
			for _, other := range words[key] {
				pairs = append(pairs, pair{other, post[1], true})
			}
			words[key] = append(words[key], post[1])
		}
	}
	for label := range strings.SplitSeq(titlePairs, "|") {
		f := strings.Fields(label)
		a, known := titles[f[0]]
		b, also := titles[f[1]]
		if !known || !also {
			return nil, fmt.Errorf("stories: the posts %s and %s are not in the data", f[0], f[1])
		}
		pairs = append(pairs, pair{a, b, f[2] == "1"})
	}
	return pairs, nil
}

// labelled measures a method on the labelled pairs.
func (m method) labelled(pairs []pair) []figure {
	found, right, same := 0, 0, 0
	for _, p := range pairs {
		if p.same {
			same++
		}
		if m.same(p.a, p.b) {
			found++
			if p.same {
				right++
			}
		}
	}
	precision, recall := float64(right)/float64(max(found, 1)), float64(right)/float64(same)
	least, most := 0.0, 0.0
	if m.chosen {
		least, most = 0.5, 1
	}
	name := "stories, " + m.name + ": labelled titles, "
	return []figure{
		{
			name:   name + "precision",
			value:  precision,
			floor:  most,
			format: accuracy,
			note:   fmt.Sprintf("%d of %d pairs found", found, len(pairs)),
		},
		{
			name:   name + "recall",
			value:  recall,
			floor:  least,
			format: accuracy,
			note:   fmt.Sprintf("of %d pairs; most of the others have a word more, fewer or another", same),
		},
	}
}

// made measures a method on copies and forgeries of texts.
func (m method) made(kind string, texts []string) []figure {
	copied, found, edited, kept, forged, merged := 0, 0, 0, 0, 0, 0
	var missed []string
	for _, t := range texts {
		for _, way := range ways {
			copied++
			if m.same(t, way.of(t)) {
				found++
			} else if !slices.Contains(missed, way.name) {
				missed = append(missed, way.name)
			}
		}
		for _, edit := range edits(t) {
			edited++
			if m.same(t, edit) {
				kept++
			}
		}
		if a, b, ok := forgeries(t); ok {
			forged++
			if m.same(a, b) {
				merged++
			}
		}
	}
	share := func(n, of int) float64 { return float64(n) / float64(max(of, 1)) }
	spread := func(p float64, n int) float64 { return math.Sqrt(p * (1 - p) / float64(max(n, 1))) }
	least := 0.0
	if m.chosen {
		least = 0.99
	}
	name := "stories, " + m.name + ": " + kind + ", "
	note := fmt.Sprintf("%d copies", copied)
	if m.chosen && len(missed) > 0 {
		note += ", missed some: " + strings.Join(missed, ", ")
	}
	recall, apart := share(found, copied), 1-share(merged, forged)
	figures := []figure{
		{
			name:   name + "passed on, found",
			value:  recall,
			floor:  least,
			spread: spread(recall, copied),
			format: accuracy,
			note:   note,
		},
		{
			name:   name + "one name or number changed, kept apart",
			value:  apart,
			floor:  least,
			spread: spread(apart, forged),
			format: accuracy,
			note:   fmt.Sprintf("%d pairs", forged),
		},
		{
			name:   name + "a word or a tag added, found",
			value:  share(kept, edited),
			format: accuracy,
			note:   fmt.Sprintf("%d edits", edited),
		},
	}
	return figures
}

// ways are ways in which people and programs pass a text on.
var ways = []struct {
	name string
	of   func(string) string
}{
	{"retweet", func(t string) string { return "RT @sarah_lee88: " + t }},
	{"label", func(t string) string { return "Show HN: " + t }},
	{"link", func(t string) string { return t + " https://t.co/Xk29aPq?utm_source=twitter&utm_medium=social" }},
	{"link without a scheme", func(t string) string { return t + "\nwww.example.com/the/best/news" }},
	{"outlet with a bar", func(t string) string { return t + " | TechCrunch" }},
	{"outlet with a dash", func(t string) string { return t + " - The New York Times" }},
	{"source", func(t string) string { return t + " via @TheDailyPost" }},
	{"note", func(t string) string { return t + " [pdf]" }},
	{"quotes", func(t string) string { return "“" + t + "”" }},
	{"blanks", func(t string) string { return " " + strings.ReplaceAll(t, " ", "\u00a0 ") + "\n" }},
	{"entities", func(t string) string { return strings.ReplaceAll(strings.ReplaceAll(t, "&", "&amp;"), "'", "&#39;") }},
	{"case", strings.ToLower},
	{"apostrophes", func(t string) string { return strings.ReplaceAll(t, "'", "’") }},
}

// edits are copies that people wrote something into.
func edits(t string) []string { return []string{t + " #news", "Great: " + t} }

// forgeries are two texts that differ in one name or number: the longest word that begins with a capital, or else the
// longest word. Texts without blanks lose a piece in their middle to two names.
func forgeries(t string) (a, b string, ok bool) {
	fields := strings.Fields(t)
	if len(fields) < 4 {
		runes := []rune(t)
		if len(runes) < 12 {
			return "", "", false
		}
		middle := len(runes) / 2
		with := func(name string) string { return string(runes[:middle-1]) + name + string(runes[middle+1:]) }
		return with("北風"), with("南星"), true
	}
	at, long := -1, 0
	for i, f := range fields {
		size := len([]rune(f))
		if unicode.IsUpper([]rune(f)[0]) && i > 0 {
			size += 100
		}
		if size > long && !strings.ContainsAny(f, "@#/:&") {
			at, long = i, size
		}
	}
	if at < 0 {
		return "", "", false
	}
	with := func(name string) string {
		changed := slices.Clone(fields)
		changed[at] = name
		return strings.Join(changed, " ")
	}
	if number("forgery", t)%3 == 0 {
		a, b = with("Northwind 15M"), with("Northwind 16M")
	} else {
		a, b = with("Northwind"), with("Contoso")
	}
	return a, b, story.Of("", a) != 0 && story.Of("", b) != 0
}

// accidents counts comments that several people wrote in the same words, by how much a text must say to be a story.
func accidents(comments []string) (figures []figure) {
	for _, bound := range []story.Bound{{}, {Words: 2}, {Words: 3, Letters: 12}, story.Least, {Words: 5, Letters: 24}} {
		groups, stories := map[story.Fingerprint]int{}, 0
		for _, c := range comments {
			if f := bound.Of("", c); f != 0 {
				groups[f]++
				stories++
			}
		}
		merged := 0
		for _, n := range groups {
			merged += n - 1
		}
		f := figure{
			name: fmt.Sprintf(
				"stories: Reddit comments that nobody else wrote, of %d words and %d letters",
				bound.Words,
				bound.Letters,
			),
			value:  1 - float64(merged)/float64(stories),
			format: "%.4f",
			note: fmt.Sprintf(
				"%d of %d merged; %.0f %% of all comments reach the bound",
				merged,
				stories,
				100*float64(stories)/float64(len(comments)),
			),
		}
		if bound == story.Least {
			f.floor = 0.999
		}
		figures = append(figures, f)
	}
	return figures
}

// plainWords returns the words of a text in lowercase, without punctuation.
func plainWords(t string) []string {
	return strings.FieldsFunc(strings.ToLower(t), func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !unicode.Is(unicode.M, c)
	})
}

func hashOf(piece string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(piece)) // it never fails
	x := h.Sum64()
	x ^= x >> 31 // FNV leaves the high bits of short texts alike (finalizer of splitmix64)
	x *= 0x94D049BB133111EB
	return x ^ x>>29
}

func simhash(t string) (out uint64) {
	words := plainWords(t)
	var sums [64]int
	add := func(piece string) {
		h := hashOf(piece)
		for i := range sums {
			sums[i] += int(h>>i&1)*2 - 1
		}
	}
	for i, w := range words {
		add(w)
		if i > 0 {
			add(words[i-1] + " " + w)
		}
	}
	for i, sum := range sums {
		if sum > 0 {
			out |= 1 << i
		}
	}
	return out
}

func minhash(t string) (out [128]uint64) {
	const size = 5
	for i := range out {
		out[i] = math.MaxUint64
	}
	runes := []rune(strings.Join(plainWords(t), " "))
	for at := range max(1, len(runes)-size+1) {
		h := hashOf(string(runes[at:min(at+size, len(runes))]))
		for i := range out {
			h = h*6364136223846793005 + 1442695040888963407
			out[i] = min(out[i], h)
		}
	}
	return out
}

func alike(a, b [128]uint64) float64 {
	same := 0
	for i := range a {
		if a[i] == b[i] {
			same++
		}
	}
	return float64(same) / float64(len(a))
}
