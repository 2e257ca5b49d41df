// Package sentiment judges the tone of a post: Negative, Neutral or Positive. For English two classifiers share the
// odds. One is a logistic regression over word and character n-grams, negation, the valence of words, emoticons and
// emoji, and the tones of words; the other, which counts for more, is a small net that reads each word with its
// neighbours. For French, German, Italian, Portuguese and Spanish it is a logistic regression over the tones of words,
// negation, marks and emoji alone. Phrases of these languages lean the odds, and their words no longer count. For Dutch
// and Polish, phrases and emoji are all that the judge knows. The tables are part of the program and are used in place:
// a Judge costs nothing to make, allocates nothing and is safe for concurrent use.
//
// The classifiers learned from GoEmotions (Google, Apache-2.0), which holds English comments, and from package rated. The
// lexicon is VADER's (C.J. Hutto, MIT; see LICENSE.vader) with emoji. The tones are what a multilingual embedding says
// of each word (see LICENSE.tones). The net learned what a large model says of the texts (see LICENSE.net). The phrases
// were written for this project. The programs in train make all tables. The judge agrees with people on about three of
// four English posts, and on fewer in the other languages: good for counting many, not for believing one.
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
	//go:embed english.bin
	englishFile string
	//go:embed others.bin
	othersFile string
	//go:embed lexicon.bin
	lexiconFile string
	//go:embed tones.bin
	tonesFile string
	//go:embed phrases.bin
	phrasesFile string
	//go:embed net.bin
	netFile string
)

// A Judge tells sentiments.
type Judge struct {
	english feature.Weights
	others  feature.Weights
	tables  feature.Tables
}

// New opens the embedded tables.
func New() (*Judge, error) {
	var j Judge
	var err error
	if j.english, err = feature.OpenWeights(englishFile); err != nil {
		return nil, err
	}
	if j.others, err = feature.OpenWeights(othersFile); err != nil {
		return nil, err
	}
	if j.tables.Lexicon, err = feature.OpenLexicon(lexiconFile); err != nil {
		return nil, err
	}
	if j.tables.Tones, err = feature.OpenTones(tonesFile); err != nil {
		return nil, err
	}
	if j.tables.Phrases, err = feature.OpenPhrases(phrasesFile); err != nil {
		return nil, err
	}
	if j.tables.Net, err = feature.OpenNet(netFile); err != nil {
		return nil, err
	}
	return &j, nil
}

// Judge returns the sentiment of an English text. It reads about the first 600 bytes (feature.Extract): a title and the
// beginning of a post. A text without a word, an emoticon or an emoji is Neutral.
func (j *Judge) Judge(text string) mention.Sentiment { return j.JudgeIn(english, text) }

// JudgeIn is Judge for a text in a language, given by its full lowercase English name. It judges an undetermined text as
// English, because that is one or two words. In a language without tones only phrases, emoticons and emoji count.
// Without them, or if they cancel out, the text is Neutral.
func (j *Judge) JudgeIn(language, text string) mention.Sentiment {
	odds, judged := j.odds(language, text)
	if !judged {
		return mention.Neutral
	}
	return sentiments[feature.Best(odds)]
}

const english = "english"

// spoken returns a language of the tones or of the phrases, or Unknown.
func spoken(language string) feature.Language {
	switch language {
	case english, mention.Undetermined, "":
		return feature.English
	case "french":
		return feature.French
	case "german":
		return feature.German
	case "italian":
		return feature.Italian
	case "portuguese":
		return feature.Portuguese
	case "spanish":
		return feature.Spanish
	case "dutch":
		return feature.Dutch
	case "polish":
		return feature.Polish
	}
	return feature.Unknown
}

// odds returns the logarithms of the odds of a text. If no word has a tone, phrases, emoticons and emoji decide. It
// reports false if they do not either.
func (j *Judge) odds(language, text string) (odds [feature.Classes]float32, judged bool) {
	l := spoken(language)
	if l == feature.English {
		odds, seen := j.english.Odds(&j.tables, l, feature.Whole, text)
		return odds, seen.Tokens > 0 || seen.Heard
	}
	odds, seen := j.others.Odds(&j.tables, l, feature.Toned, text)
	if seen.Known > 0 {
		return odds, true
	}
	odds = [feature.Classes]float32{}
	if seen.Heard {
		odds = seen.Lean
		odds[feature.Neutral] += heardOdds
		odds[feature.Positive] += seen.Faces / 2
		odds[feature.Negative] -= seen.Faces / 2
		return odds, true
	}
	switch {
	case seen.Faces >= leastFaces:
		odds[feature.Positive] = faceOdds
	case seen.Faces <= -leastFaces:
		odds[feature.Negative] = faceOdds
	default:
		return odds, false
	}
	return odds, true
}

const (
	// leastFaces is the least valence of emoticons and emoji that decides.
	leastFaces = 1
	// faceOdds is the logarithm of the odds of emoticons and emoji alone: 2 to 1 against each other sentiment.
	faceOdds = 0.7
	// heardOdds is the logarithm of the odds of Neutral in a text of which the judge knows phrases alone.
	heardOdds = 0.7
)

// Chances are the probabilities of each sentiment for a text. They add up to 1.
type Chances struct{ Negative, Neutral, Positive float64 }

// unjudged are the chances of a text that says nothing: Neutral, and hardly more than a guess.
var unjudged = Chances{Negative: 0.25, Neutral: 0.5, Positive: 0.25}

// Chances returns the probabilities that JudgeIn decides by. Accuracy prints how often a chance comes true.
func (j *Judge) Chances(language, text string) Chances {
	odds, judged := j.odds(language, text)
	if !judged {
		return unjudged
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
