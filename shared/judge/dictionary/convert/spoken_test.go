package main

import (
	"archive/zip"
	"compress/gzip"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"earshot/shared/judge/dictionary"
)

// The lists of a package become the table, without names that are known everywhere.
func TestConvertSpoken(t *testing.T) {
	wheel := wheelOf(t, nil)
	out := filepath.Join(t.TempDir(), "spoken.bin")
	if err := convertSpoken(wheel, out, false); err != nil {
		t.Fatal(err)
	}
	if err := convertSpoken(wheel, out, true); err != nil {
		t.Error(err)
	}
	if err := os.WriteFile(out, []byte("other"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := convertSpoken(wheel, out, true); err == nil {
		t.Error("another file is what the lists make")
	}
	made, err := spokenOf(wheel)
	if err != nil {
		t.Fatal(err)
	}
	want, err := dictionary.EncodeSpoken(codes(), map[string][]dictionary.Posting{
		"zwo":      {{Language: 1, Level: dictionary.Everyday}}, // at 4.5
		"laterne":  {{Language: 1, Level: dictionary.Frequent}}, // at 4.2
		"laternen": {{Language: 1, Level: dictionary.Frequent}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(made, want) {
		t.Errorf("spokenOf made %q, want %q", made, want)
	}
}

func codes() (codes []string) {
	for _, tongue := range tongues {
		codes = append(codes, tongue.code)
	}
	return codes
}

func TestConvertSpoken_Malformed(t *testing.T) {
	for name, list := range map[string][]byte{
		"nothing":           {},
		"no array":          {0x01},
		"no description":    {0x91, 0x90},
		"another format":    append([]byte{0x91, 0x82}, "\xa6format\xa2XX\xa7version\x01"...),
		"a short bin":       append(described(0x92), 0x92, 0xa1, 'a'),
		"a word too long":   append(described(0x92), 0x91, 0xd9, 0xff, 'a'),
		"a number for word": append(described(0x92), 0x91, 0x01),
		"too few bins":      described(0x93),
	} {
		if _, err := spokenOf(wheelOf(t, list)); err == nil {
			t.Errorf("%s is read", name)
		}
	}
	if _, err := spokenOf(filepath.Join(t.TempDir(), "none.whl")); err == nil {
		t.Error("no file is read")
	}
}

// described begins a list of a kind of array.
func described(array byte) []byte {
	return append([]byte{array, 0x82}, "\xa6format\xa2cB\xa7version\x01"...)
}

// wheelOf writes a package. All its lists have "sony" at 4.5. The German one has words and names
// too, unless it is given.
func wheelOf(t *testing.T, german []byte) string {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "wordfreq.whl"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	archive := zip.NewWriter(file)
	bins := func(everyday, frequent []string) []byte {
		list := append(described(0xdc)[:1], 0x01, 0xe2) // 482 elements
		list = append(list, described(0)[1:]...)
		for at := range 481 {
			var words []string
			switch at {
			case 450:
				words = everyday
			case 480:
				words = frequent
			}
			list = append(list, 0x90+byte(len(words)))
			for _, word := range words {
				list = append(append(list, 0xa0+byte(len(word))), word...)
			}
		}
		return list
	}
	add := func(name string, list []byte) {
		w, err := archive.Create("wordfreq/data/small_" + name + ".msgpack.gz")
		if err != nil {
			t.Fatal(err)
		}
		zipped := gzip.NewWriter(w)
		if _, err := zipped.Write(list); err != nil {
			t.Fatal(err)
		}
		if err := zipped.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if german == nil {
		german = bins([]string{"sony", "Zwo", "z3"}, []string{"laterne", "laternen", "bouygues"})
	}
	for _, tongue := range tongues {
		for _, list := range tongue.lists {
			if list == "de" {
				add(list, german)
				continue
			}
			add(list, bins([]string{"sony"}, nil))
		}
	}
	for _, list := range foreign {
		add(list, bins([]string{"sony"}, nil))
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	return file.Name()
}
