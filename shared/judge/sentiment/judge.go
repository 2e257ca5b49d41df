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

// The training program makes the tables.
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

// Judge returns the sentiment of an English text. It reads about the first 600 bytes (feature.Extract): a title and the
// beginning of a post. A text without a word, an emoticon or an emoji is Neutral.
func (j *Judge) Judge(text string) mention.Sentiment {
	odds, seen := j.weights.Odds(&j.lexicon, text)
	if seen.Tokens == 0 {
		return mention.Neutral
	}
	return sentiments[feature.Best(odds)]
}

// JudgeIn is Judge for a text in a language, given by its full lowercase English name. The classifier knows English
// only. It judges an undetermined text as English, because that is one or two words. In any other language only
// emoticons and emoji count. Without them, or if they cancel out, the text is Neutral.
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

// leastFaces is the least valence of emoticons and emoji that decides.
const leastFaces = 1

// Chances are the probabilities of each sentiment for a text in English. They add up to 1.
type Chances struct{ Negative, Neutral, Positive float64 }

// Chances returns the probabilities that Judge decides by. They assume as many texts of each sentiment.
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
	return Chances{
		weights[feature.Negative] / total, weights[feature.Neutral] / total, weights[feature.Positive] / total,
	}
}

var sentiments = [feature.Classes]mention.Sentiment{
	feature.Negative: mention.Negative, feature.Neutral: mention.Neutral, feature.Positive: mention.Positive,
}
