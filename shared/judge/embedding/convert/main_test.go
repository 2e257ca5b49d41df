package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"earshot/shared/judge/embedding"
	"earshot/shared/judge/vocabulary"
)

// few words are enough to test with.
const few = 3000

// sample returns a package like npm's with enough words. A word's first coordinates have its place.
func sample(t *testing.T) []byte {
	t.Helper()
	all, vectors := []string{",", "]", "well-known"}, map[string][]float64{}
	for i := range few + 5 {
		all = append(all, letters(i))
	}
	for i, word := range all {
		vectors[word] = make([]float64, embedding.Dimensions+2)
		vectors[word][0], vectors[word][1], vectors[word][2] = float64(i%7)-3, 0.0236, -9
	}
	list, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	byWord, err := json.Marshal(vectors)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Appendf(nil, `{"precision":8,"words":%s,"vectors":%s,"unkVector":[0,-1]}`, list, byWord)
}

func letters(n int) string {
	var out strings.Builder
	for range 4 {
		out.WriteByte(byte('a' + n%26))
		n /= 26
	}
	return out.String()
}

func packed(t *testing.T, body []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	zipped := gzip.NewWriter(&out)
	archive := tar.NewWriter(zipped)
	for name, part := range map[string][]byte{"package/README.md": []byte("x"), "package/" + content: body} {
		if err := archive.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(part))}); err != nil {
			t.Fatal(err)
		}
		if _, err := archive.Write(part); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	if err := zipped.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// packages makes the folders for the files.
func packages(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	for _, name := range []string{wordsFile, vectorsFile, commonFile} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(folder, name)), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func TestConvert(t *testing.T) {
	folder := packages(t)
	plain, zipped := filepath.Join(folder, "a.json"), filepath.Join(folder, "a.tgz")
	body := sample(t)
	write(t, plain, body)
	write(t, zipped, packed(t, body))
	if err := convert(plain, folder, few, false); err != nil {
		t.Fatal(err)
	}
	for _, from := range []string{plain, zipped} {
		if err := convert(from, folder, few, true); err != nil {
			t.Error(err)
		}
	}
	words, err := vocabulary.Decode(contentOf(t, filepath.Join(folder, wordsFile)))
	if err != nil || words.Len() != few || words.Word(0) != letters(0) || words.Word(few-1) != letters(few-1) {
		t.Fatalf("Decode() = %d words, %v, want %d", words.Len(), err, few)
	}
	table, err := embedding.Decode(
		words, contentOf(t, filepath.Join(folder, vectorsFile)), contentOf(t, filepath.Join(folder, commonFile)),
	)
	if err != nil {
		t.Fatal(err)
	}
	// The first word is the fourth of the package: 3%7 - 3 = 0; 0.0236 is one step, and -9 out of bounds.
	if v := table.Vector(0); int8(v[0]) != 0 || int8(v[1]) != 1 || int8(v[2]) != -127 {
		t.Errorf("%d %d %d", int8(v[0]), int8(v[1]), int8(v[2]))
	}
	for _, name := range []string{wordsFile, vectorsFile, commonFile} {
		file := filepath.Join(folder, name)
		shipped := []byte(contentOf(t, file))
		shipped[len(shipped)-1]++
		write(t, file, shipped)
		if err := convert(plain, folder, few, true); err == nil {
			t.Errorf("a %s that is another passes", name)
		}
		shipped[len(shipped)-1]--
		write(t, file, shipped)
	}
}

func contentOf(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func TestConvert_NoPackage(t *testing.T) {
	folder := packages(t)
	for name, content := range map[string]string{
		"empty.json": "", "list.json": "[]", "few.json": `{"words":["a"],"vectors":{"a":[1]}}`,
		"none.json": `{"words":["a"]}`, "a.tgz": "no archive",
	} {
		path := filepath.Join(folder, name)
		write(t, path, []byte(content))
		if err := convert(path, folder, few, false); err == nil {
			t.Errorf("%s converts", name)
		}
	}
	if err := convert(filepath.Join(folder, "absent.json"), folder, few, false); err == nil {
		t.Error("an absent file converts")
	}
}

func write(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}
