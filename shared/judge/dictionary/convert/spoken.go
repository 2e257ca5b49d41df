package main

import (
	"archive/zip"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"earshot/shared/judge/dictionary"
	"earshot/shared/text/fold"
)

// tongues are the languages of spoken.bin in Latin letters, English first, with wordfreq's lists of each. Malay and
// Indonesian are one, since no detector tells them apart, and so is what is spoken from Zagreb to Belgrade.
var tongues = []tongueLists{
	{"en", []string{"en"}}, {"de", []string{"de"}}, {"fr", []string{"fr"}}, {"es", []string{"es"}},
	{"it", []string{"it"}}, {"pt", []string{"pt"}}, {"nl", []string{"nl"}}, {"sv", []string{"sv"}},
	{"da", []string{"da"}}, {"no", []string{"nb"}}, {"fi", []string{"fi"}}, {"is", []string{"is"}},
	{"pl", []string{"pl"}}, {"cs", []string{"cs"}}, {"sk", []string{"sk"}}, {"sl", []string{"sl"}},
	{"hr", []string{"sh"}}, {"hu", []string{"hu"}}, {"ro", []string{"ro"}}, {"ca", []string{"ca"}},
	{"lt", []string{"lt"}}, {"lv", []string{"lv"}}, {"tr", []string{"tr"}}, {"ms", []string{"id", "ms"}},
	{"tl", []string{"fil"}},
}

// A tongueLists is a language, by its ISO 639-1 code, with its lists.
type tongueLists struct {
	code  string
	lists []string
}

// foreign are the lists of languages in other scripts. Latin letters in them are international names.
var foreign = []string{"ar", "bg", "bn", "el", "fa", "he", "hi", "ja", "ko", "mk", "ru", "ta", "uk", "ur", "zh"}

const (
	// A name that so many lists of either kind have is international, unless one language says it far more often than
	// most: a whole step of Zipf's scale and a fifth, or sixteen times.
	nativeLists, foreignLists = 8, 2
	beyondMost                = 1.2
	// The small lists end at 3. A list that lacks a word counts as below.
	absent = 2.5
)

// frequencies are the words of a list with their frequency on Zipf's scale, folded.
type frequencies map[string]float64

// counts are the frequencies of words in the languages of tongues, with the words in order, and how many of the lists of
// foreign have each.
type counts struct {
	lists     []frequencies
	sorted    [][]string
	inForeign map[string]int
}

// readCounts reads the lists of the package wordfreq.
func readCounts(wheel string) (counts, error) {
	archive, err := zip.OpenReader(wheel)
	if err != nil {
		return counts{}, err
	}
	defer archive.Close()
	c := counts{inForeign: map[string]int{}}
	for _, tongue := range tongues {
		all := frequencies{}
		for _, list := range tongue.lists {
			if err := all.read(archive, "small_"+list); err != nil {
				return counts{}, err
			}
		}
		c.lists = append(c.lists, all)
		c.sorted = append(c.sorted, slices.Sorted(maps.Keys(all)))
	}
	for _, list := range foreign {
		words := frequencies{}
		if err := words.read(archive, "small_"+list); err != nil {
			return counts{}, err
		}
		for word := range words {
			c.inForeign[word]++
		}
	}
	return c, nil
}

// spokenOf makes the table of words by language: those that a language has at least as often as the lowest level, but
// for international names and, of those that are not said every day, names of one country.
func spokenOf(wheel string) ([]byte, error) {
	c, err := readCounts(wheel)
	if err != nil {
		return nil, err
	}
	var codes []string
	words := map[string][]dictionary.Posting{}
	for i, list := range c.lists {
		codes = append(codes, tongues[i].code)
		for word, zipf := range list {
			level := levelOf(zipf)
			if level == dictionary.Unlisted || c.international(i, word) ||
				level < dictionary.Everyday && !c.hasFamily(i, word) {
				continue
			}
			words[word] = append(words[word], dictionary.Posting{Language: i, Level: level})
		}
	}
	return dictionary.EncodeSpoken(codes, words)
}

func levelOf(zipf float64) (level dictionary.Level) {
	for _, bound := range dictionary.Bounds {
		if zipf >= bound {
			level++
		}
	}
	return level
}

// international reports whether a word of a language is a name that is known in many, and alike in all.
func (c counts) international(of int, word string) bool {
	if c.inForeign[word] < foreignLists {
		return false
	}
	var others []float64
	has := 0
	for i, list := range c.lists {
		zipf, known := list[word]
		if known {
			has++
		}
		if i != of {
			others = append(others, cmp.Or(zipf, absent))
		}
	}
	slices.Sort(others)
	return has >= nativeLists && c.lists[of][word]-others[len(others)/2] < beyondMost
}

const (
	// Words of a family begin alike: with all letters but the last, and with this many.
	familyStem = 4
	// A longer word by more than this is a compound, or another.
	familyEnding = 4
)

// hasFamily reports whether a language has other forms of a word, or words that are made of it: "boulangers" and
// "boulangerie". The name of a company has none ("bouygues"), but where names are inflected.
func (c counts) hasFamily(of int, word string) bool {
	letters := []rune(word)
	stem := string(letters[:max(min(familyStem, len(letters)), len(letters)-1)])
	from, _ := slices.BinarySearch(c.sorted[of], stem)
	for _, other := range c.sorted[of][from:] {
		if !strings.HasPrefix(other, stem) {
			break
		}
		if other != word && utf8.RuneCountInString(other) <= len(letters)+familyEnding {
			return true
		}
	}
	return false
}

// readList reads one list of the package wordfreq, by its size and code.
func readList(wheel, list string) (frequencies, error) {
	archive, err := zip.OpenReader(wheel)
	if err != nil {
		return nil, err
	}
	defer archive.Close()
	words := frequencies{}
	return words, words.read(archive, list)
}

// read adds one of wordfreq's lists, such as small_de: MessagePack of an array, whose first element describes the
// format and whose others are the words of a frequency each, from 10^0 downwards by centibels.
func (f frequencies) read(archive *zip.ReadCloser, list string) error {
	file, err := archive.Open(path.Join("wordfreq/data", list+".msgpack.gz"))
	if err != nil {
		return err
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		return err
	}
	data, err := io.ReadAll(unzipped)
	if err != nil {
		return err
	}
	p := packed{data}
	bins, err := p.array()
	if err != nil {
		return err
	}
	if err := p.description(); err != nil {
		return err
	}
	for centibels := range bins - 1 {
		size, err := p.array()
		if err != nil {
			return fmt.Errorf("%s: %w", list, err)
		}
		for range size {
			word, err := p.text()
			if err != nil {
				return fmt.Errorf("%s: %w", list, err)
			}
			if word = fold.Form(word); spellable(word) {
				f[word] = max(f[word], 9-float64(centibels)/100)
			}
		}
	}
	return nil
}

// spellable reports whether a word has at least two letters, all of them Latin.
func spellable(word string) bool {
	return len(word) > 1 && len([]rune(word)) <= 32 &&
		!strings.ContainsFunc(word, func(r rune) bool {
			return !unicode.In(r, unicode.Latin) || r > 0x24f || r == 'ª' || r == 'º'
		})
}

// packed is the part of MessagePack that the lists use.
type packed struct{ data []byte }

var errPacked = errors.New("not a list of wordfreq")

func (p *packed) size(bytes int) (n int, err error) {
	if len(p.data) < bytes {
		return 0, errPacked
	}
	for _, b := range p.data[:bytes] {
		n = n<<8 | int(b)
	}
	p.data = p.data[bytes:]
	return n, nil
}

func (p *packed) array() (int, error) {
	kind, err := p.size(1)
	switch {
	case err != nil:
		return 0, err
	case kind>>4 == 0x9:
		return kind & 0xf, nil
	case kind == 0xdc:
		return p.size(2)
	case kind == 0xdd:
		return p.size(4)
	}
	return 0, errPacked
}

func (p *packed) text() (string, error) {
	kind, err := p.size(1)
	length := 0
	switch {
	case err != nil:
		return "", err
	case kind>>5 == 0x5:
		length = kind & 0x1f
	case kind == 0xd9:
		length, err = p.size(1)
	case kind == 0xda:
		length, err = p.size(2)
	default:
		return "", errPacked
	}
	if err != nil || len(p.data) < length {
		return "", errPacked
	}
	text := string(p.data[:length])
	p.data = p.data[length:]
	return text, nil
}

// description reads the first element, and refuses any format but that of centibels, version 1.
func (p *packed) description() error {
	kind, err := p.size(1)
	if err != nil || kind>>4 != 0x8 {
		return errPacked
	}
	found := map[string]string{}
	for range kind & 0xf {
		key, err := p.text()
		if err != nil {
			return err
		}
		if len(p.data) > 0 && p.data[0] < 0x80 { // a small number
			found[key] = fmt.Sprint(p.data[0])
			p.data = p.data[1:]
			continue
		}
		if found[key], err = p.text(); err != nil {
			return err
		}
	}
	if !maps.Equal(found, map[string]string{"format": "cB", "version": "1"}) {
		return errPacked
	}
	return nil
}
