// Package sentiment judges the tone of a post: Negative, Neutral or Positive. It is a logistic regression over word and
// character n-grams, negation, and the valence of words, emoticons and emoji. Its two tables are part of the program
// and are used in place: a Judge costs nothing to make, allocates nothing and is safe for concurrent use.
//
// The weights were learned from GoEmotions (Google, Apache-2.0), which holds English comments. The lexicon is VADER's
// (C.J. Hutto, MIT; see LICENSE.vader) with emoji. Command train makes both. The judge agrees with people on about
// seven of ten comments of that kind, and on fewer of other kinds: good for counting many, not for believing one.
//
// Only shared/judge and programs that measure it import it.
package sentiment

import (
	_ "embed"
	"math"

	"earshot/shared/judge/sentiment/feature"
	"earshot/shared/mention"
)

// The tables are made by the training program.
var (
	//go:embed weights.bin
	weightsFile string
	//go:embed lexicon.bin
	lexiconFile string
)

// A Judge tells sentiments.
type Judge struct {
	weights feature.Weights
	lexicon feature.Lexicon
}

// New opens the embedded tables.
func New() (*Judge, error) {
	weights, err := feature.OpenWeights(weightsFile)
	if err != nil {
		return nil, err
	}
	lexicon, err := feature.OpenLexicon(lexiconFile)
	if err != nil {
		return nil, err
	}
	return &Judge{weights: weights, lexicon: lexicon}, nil
}

// Judge tells the sentiment of an English text. It reads about the first 600 bytes (feature.Extract): a title and how a
// post begins. A text without a word, an emoticon or an emoji is Neutral.
func (j *Judge) Judge(text string) mention.Sentiment {
	odds, seen := j.weights.Odds(&j.lexicon, text)
	if seen.Tokens == 0 {
		return mention.Neutral
	}
	return sentiments[feature.Best(odds)]
}

// JudgeIn is Judge for a text in a language, by its full lowercase English name. The classifier knows English only: an
// undetermined text is judged as English, being one or two words, and of any other only the emoticons and emoji count,
// which are no language's. Without any, or when they cancel out, it is Neutral.
func (j *Judge) JudgeIn(language, text string) mention.Sentiment {
	if language == "english" || language == mention.Undetermined || language == "" {
		return j.Judge(text)
	}
	switch _, seen := j.weights.Odds(&j.lexicon, text); {
	case seen.Faces >= leastFaces:
		return mention.Positive
	case seen.Faces <= -leastFaces:
		return mention.Negative
	}
	return mention.Neutral
}

// leastFaces is the valence of the weakest emoji that speaks for itself.
const leastFaces = 1

// Chances are how likely each sentiment is for a text in English, 0 to 1, 1 in all.
type Chances struct{ Negative, Neutral, Positive float64 }

// Chances gives the probabilities that Judge decides by. They are of a world with as many texts of each sentiment.
func (j *Judge) Chances(text string) Chances {
	odds, seen := j.weights.Odds(&j.lexicon, text)
	if seen.Tokens == 0 {
		return Chances{Neutral: 1}
	}
	most := max(odds[feature.Negative], odds[feature.Neutral], odds[feature.Positive])
	var weights [feature.Classes]float64
	total := 0.0
	for c, o := range odds {
		weights[c] = math.Exp(float64(o - most))
		total += weights[c]
	}
	return Chances{weights[feature.Negative] / total, weights[feature.Neutral] / total, weights[feature.Positive] / total}
}

var sentiments = [feature.Classes]mention.Sentiment{
	feature.Negative: mention.Negative, feature.Neutral: mention.Neutral, feature.Positive: mention.Positive,
}
