package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"earshot/shared/judge/dictionary"
)

func TestChoose(t *testing.T) {
	words, err := lists{
		words: map[string]int{"harbor": 20, "type": 10, "script": 20, "typescript": 35, "apple": 10, "google": 50,
			"mocha": 50, "siemens": 70, "bower": 70,
			"albedo": 70, "indigo": 35},
		named:  map[string]int{"oslo": 50, "nokia": 50, "agana": 60},
		given:  []string{"claude"},
		family: []string{"blair", "bentley", "bower"},
		brands: []string{"TypeScript", "Apple", "Google", "Mocha", "Siemens", "Bower", "IndiGo", "Nokia", "Claude",
			"Bentley"},
	}.choose()
	if err != nil {
		t.Fatal(err)
	}
	// Left out are a brand of words joined together, one that is written too often for its word, one of the largest
	// size, brands among the names, and what is not familiar. A brand that is a given name, or people's as well as a
	// word, stays.
	want := []string{"albedo", "apple", "blair", "claude", "harbor", "indigo", "mocha", "oslo", "script", "type"}
	if got := slices.DeleteFunc(words, func(word string) bool { return word == "bower" }); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// It reads the lists as they come, and notices that the file is another.
func TestConvert(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(folder, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	write("english-words.10", "harbor\nharbor's\ncaf\xe9\na\nThe\n")
	write("british-words.35", "colour\n")
	write("english-words.50", "sony\n")
	write("english-words.80", "zorilla\n")
	write("english-upper.35", "Monday\n")
	brands := write("brands.tsv", "Harbor Freight\tharborfreight.example\n")
	icons := []string{write("icons.tgz", "")}
	packIcons(t, icons[0], `{"icons": [{"title": "Sony!"}, {"title": "Lantern"}]}`)
	wheel := wheelOf(t, nil)
	names := write("names.tar.gz", "")
	pack(t, names)
	out := filepath.Join(folder, "words.bin")
	if err := convert(folder, names, brands, wheel, icons, out, false); err != nil {
		t.Fatal(err)
	}
	if err := convert(folder, names, brands, wheel, icons, out, true); err != nil {
		t.Error(err)
	}
	write("english-words.20", "lantern\n")
	if err := convert(folder, names, brands, wheel, icons, out, true); err == nil {
		t.Error("another file is what the lists make")
	}
	// Of the withdrawn brands, many languages know one alone.
	want, err := dictionary.Encode([]string{"sony"})
	if shipped, readErr := os.ReadFile(filepath.Join(folder, "brands.bin")); !slices.Equal(shipped, want) {
		t.Errorf("the brands are %q, %v, %v, want sony", shipped, err, readErr)
	}
	for _, malformed := range []string{"", "{", `{"icons": 1}`} {
		packIcons(t, icons[0], malformed)
		if err := convert(folder, names, brands, wheel, icons, out, false); err == nil {
			t.Errorf("%q is read", malformed)
		}
	}
	words, named, err := readScowl(folder)
	if err != nil || len(words) != 4 || words["harbor"] != 10 || words["colour"] != 35 || words["lantern"] != 20 ||
		len(named) != 1 || named["monday"] != 35 {
		t.Error(words, named, err)
	}
	if _, _, err := readScowl(t.TempDir()); err == nil {
		t.Error("an empty folder has lists")
	}
}

// packIcons writes a package of simple-icons with one description.
func packIcons(t *testing.T, file, description string) {
	t.Helper()
	var packed bytes.Buffer
	zipped := gzip.NewWriter(&packed)
	archive := tar.NewWriter(zipped)
	header := &tar.Header{Name: "package/_data/simple-icons.json", Mode: 0o600, Size: int64(len(description))}
	if err := archive.WriteHeader(header); err != nil {
		t.Fatal(err)
	}
	if _, err := archive.Write([]byte(description)); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(archive.Close(), zipped.Close(), os.WriteFile(file, packed.Bytes(), 0o600)); err != nil {
		t.Fatal(err)
	}
}

// pack writes names as the package has them, as many as are read.
func pack(t *testing.T, file string) {
	t.Helper()
	out, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	zipped := gzip.NewWriter(out)
	archive := tar.NewWriter(zipped)
	for name, n := range map[string]int{"dist.male.first": maleNames, "dist.female.first": femaleNames,
		"dist.all.last": familyNames} {
		var text strings.Builder
		for i := range n + 5 {
			fmt.Fprintf(&text, "N%c%c%c   0.1 0.1 %d\n", 'A'+i%26, 'A'+i/26%26, 'A'+i/676, i)
		}
		if err := archive.WriteHeader(&tar.Header{Name: "names-0.3.0/names/" + name, Mode: 0o600,
			Size: int64(text.Len())}); err != nil {
			t.Fatal(err)
		}
		if _, err := archive.Write([]byte(text.String())); err != nil {
			t.Fatal(err)
		}
	}
	for _, close := range []func() error{archive.Close, zipped.Close, out.Close} {
		if err := close(); err != nil {
			t.Fatal(err)
		}
	}
}
