// Command train makes brand.bin of package relevance: what the vectors of brands have that those of other words lack.
// It needs no network:
//
//	go run ./shared/judge/relevance/train [-check] brands.tsv
//
// brands.tsv has the titles of simple-icons (CC0) in its first column. The brands are titles of one word that the
// vocabulary has and the dictionary lacks. The other words are those of the dictionary that are no brands. With -check
// it writes nothing and fails if the file in the tree differs.
package main

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"math"
	"os"
	"strings"

	"earshot/shared/judge/dictionary"
	"earshot/shared/judge/embedding"
	"earshot/shared/judge/relevance"
)

func main() {
	check := flag.Bool("check", false, "compare with the file instead of writing it")
	out := flag.String("o", "shared/judge/relevance/brand.bin", "the file")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: train [-check] [-o brand.bin] <brands.tsv>")
		os.Exit(2)
	}
	if err := run(flag.Arg(0), *out, *check); err != nil {
		fmt.Fprintln(os.Stderr, "train:", err)
		os.Exit(1)
	}
}

func run(titles, out string, check bool) error {
	content, err := os.ReadFile(titles)
	if err != nil {
		return err
	}
	brands, others, err := examples(string(content))
	if err != nil {
		return err
	}
	made := encode(learn(brands, others))
	fmt.Printf("%d brands, %d other words\n", len(brands), len(others))
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
	return nil
}

type meaning = [embedding.Dimensions]float32

// Ranks between which words are neither function words nor too rare for a good vector.
const commonest, rarest = 200, 40_000

// examples returns the meanings of brands and of other words.
func examples(titles string) (brands, others []meaning, err error) {
	space, err := relevance.New()
	if err != nil {
		return nil, nil, err
	}
	table, err := embedding.Open()
	if err != nil {
		return nil, nil, err
	}
	seen := map[string]bool{}
	for line := range strings.Lines(titles) {
		title, _, _ := strings.Cut(strings.TrimSpace(line), "\t")
		name := strings.ToLower(title)
		plain := !strings.ContainsFunc(name, func(r rune) bool { return r < 'a' || r > 'z' })
		if !plain || len(name) < 3 || dictionary.Has(name) || seen[name] {
			continue
		}
		seen[name] = true
		if rank, ok := table.Rank(name); ok {
			brands = append(brands, space.Meaning(rank))
		}
	}
	for rank := commonest; rank < rarest; rank++ {
		if word := table.Word(rank); dictionary.Has(word) && !dictionary.Brand(word) {
			others = append(others, space.Meaning(rank))
		}
	}
	if len(brands) == 0 || len(others) == 0 {
		return nil, nil, fmt.Errorf("%d brands and %d other words", len(brands), len(others))
	}
	return brands, others, nil
}

// learn returns the weights and, as the last of them, the bias. Both kinds of words count alike, whatever their
// numbers.
func learn(brands, others []meaning) (weights [embedding.Dimensions + 1]float64) {
	const rounds, rate, biasRate, decay = 300, 5, 1, 0.002
	for range rounds {
		var gradient [embedding.Dimensions + 1]float64
		for kind, words := range [][]meaning{others, brands} {
			for _, word := range words {
				sum := weights[embedding.Dimensions]
				for i, value := range word {
					sum += weights[i] * float64(value)
				}
				miss := (float64(kind) - 1/(1+math.Exp(-sum))) / float64(len(words))
				for i, value := range word {
					gradient[i] += miss * float64(value)
				}
				gradient[embedding.Dimensions] += miss
			}
		}
		for i := range embedding.Dimensions {
			weights[i] += rate * (gradient[i] - decay*weights[i])
		}
		weights[embedding.Dimensions] += biasRate * gradient[embedding.Dimensions]
	}
	return weights
}

func encode(weights [embedding.Dimensions + 1]float64) (out []byte) {
	for _, weight := range weights {
		out = binary.LittleEndian.AppendUint16(out, uint16(int16(math.RoundToEven(weight*relevance.BrandParts))))
	}
	return out
}
