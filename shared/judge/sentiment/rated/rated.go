// Package rated holds short texts with their sentiment, to learn from and to measure with:
//
//   - english.tsv: tweets and sentences of product reviews that at least 20 people rated, from the data of VADER
//     (C.J. Hutto, MIT; LICENSE.vader). A mean rating below -0.5 is negative and above 0.5 positive. Also sentences of
//     reviews of restaurants and phones, from "From Group to Individual Labels Using Deep Features" (Kotzias et al., KDD 2015),
//     by the UCI Machine Learning Repository under CC BY 4.0.
//   - languages.tsv: posts in French, Spanish, Italian, Portuguese and German, written for this project before the
//     judge knew those languages. They are clearer than posts that people write.
//
// Each text belongs to one part for good: training, dev or test. The tweets are drawn one by one, the sentences of
// products by product. Only dev decides settings.
//
// Only command train and programs that measure import it.
package rated

import (
	_ "embed"
	"fmt"
	"strings"
)

var (
	//go:embed english.tsv
	english string
	//go:embed languages.tsv
	languages string
)

// Part is a part of the texts.
type Part string

// The parts.
const (
	Train Part = "train"
	Dev   Part = "dev"
	Test  Part = "test"
)

// A Text is a text with its sentiment.
type Text struct {
	Part  Part
	From  string // tweets, products or reviews; in other languages than English the language's code
	Class int    // 0 negative, 1 neutral, 2 positive
	Text  string
}

// English returns the English texts.
func English() ([]Text, error) { return parse(english) }

// Languages returns the texts in five other languages.
func Languages() ([]Text, error) { return parse(languages) }

func parse(file string) (texts []Text, err error) {
	for line := range strings.Lines(file) {
		fields := strings.SplitN(strings.TrimRight(line, "\r\n"), "\t", 4)
		if len(fields) != 4 || len(fields[2]) != 1 || fields[2] < "0" || fields[2] > "2" {
			return nil, fmt.Errorf("rated: %.60q is not part, source, class and text", line)
		}
		texts = append(texts, Text{Part(fields[0]), fields[1], int(fields[2][0] - '0'), fields[3]})
	}
	return texts, nil
}

// Chosen returns the texts of a part, from one source.
func Chosen(texts []Text, part Part, from string) (chosen []Text) {
	for _, t := range texts {
		if t.Part == part && t.From == from {
			chosen = append(chosen, t)
		}
	}
	return chosen
}
