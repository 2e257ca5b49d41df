package main

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"earshot/shared/judge"
	"earshot/shared/judge/sentiment"
	"earshot/shared/judge/sentiment/rated"
	"earshot/shared/mention"
)

// classes are the sentiments by the classes of the data.
var classes = map[string]mention.Sentiment{"0": mention.Negative, "1": mention.Neutral, "2": mention.Positive}

// measureSentiment measures the sentiment of Reddit comments, of the rated texts, and of further posts: the files
// sentiment/posts_*.tsv below the folder, lines of class, tab and text.
func measureSentiment(j *judge.Judge, folder string) ([]figure, error) {
	comments, err := columns(folder, "sentiment", "goemotions_3class_dev.tsv")
	if err != nil {
		return nil, err
	}
	figures := recalls(j, "Reddit comments (dev)", 0.74, comments)
	english, err := rated.English()
	if err != nil {
		return nil, err
	}
	posts, err := rated.Languages()
	if err != nil {
		return nil, err
	}
	known := comments
	for _, part := range []rated.Part{rated.Dev, rated.Test} {
		for _, kind := range []struct {
			name, from string
			floor      float64
		}{{"tweets", "tweets", 0.72}, {"sentences about products", "products", 0.63}} {
			texts := toLabelled(rated.Chosen(english, part, kind.from))
			known = append(known, texts...)
			figures = append(figures, recalls(j, fmt.Sprintf("%s (%s)", kind.name, part), kind.floor, texts)...)
		}
		for _, language := range []struct{ code, name string }{
			{"fr", "French"}, {"es", "Spanish"}, {"it", "Italian"}, {"pt", "Portuguese"}, {"de", "German"},
		} {
			texts := toLabelled(rated.Chosen(posts, part, language.code))
			figures = append(figures, recalls(j, fmt.Sprintf("%s, written posts (%s)", language.name, part), 0.55, texts)...)
		}
	}
	further, err := filepath.Glob(filepath.Join(folder, "sentiment", "posts_*.tsv"))
	if err != nil {
		return nil, err
	}
	for _, path := range further {
		texts, err := columns(path)
		if err != nil {
			return nil, err
		}
		figures = append(figures, recalls(j, strings.TrimSuffix(filepath.Base(path), ".tsv"), 0, texts)...)
	}
	curve, err := reliability(known)
	return append(figures, curve...), err
}

func toLabelled(texts []rated.Text) (out []labelled) {
	for _, t := range texts {
		out = append(out, labelled{t.Text, strconv.Itoa(t.Class)})
	}
	return out
}

// recalls judges texts as posts, their language included.
func recalls(j *judge.Judge, name string, floor float64, texts []labelled) []figure {
	right, all := map[string]int{}, map[string]int{}
	for _, t := range texts {
		all[t.class]++
		if read(j, t.text).Sentiment == classes[t.class] {
			right[t.class]++
		}
	}
	macro, spread := recall(right, all)
	share := func(class string) float64 { return float64(right[class]) / float64(max(all[class], 1)) }
	return []figure{{
		name:   "sentiment: " + name + ", macro recall",
		value:  macro,
		floor:  floor,
		spread: spread,
		format: accuracy,
		note:   fmt.Sprintf("negative %.2f, neutral %.2f, positive %.2f", share("0"), share("1"), share("2")),
	}}
}

// bins is the number of bins of the reliability curve.
const bins = 10

// reliability tells how often the likeliest sentiment of English texts is right, by its chance. The expected
// calibration error is the mean distance of the two, weighted by the bins' sizes (Guo et al., "On Calibration of Modern Neural
// Networks", ICML 2017).
func reliability(texts []labelled) ([]figure, error) {
	j, err := sentiment.New()
	if err != nil {
		return nil, err
	}
	if len(texts) == 0 {
		return nil, errors.New("there are no texts to measure chances with")
	}
	var count, right [bins]int
	var sum [bins]float64
	for _, t := range texts {
		c := j.Chances("english", t.text)
		most := max(c.Negative, c.Neutral, c.Positive)
		bin := min(int(most*bins), bins-1)
		count[bin]++
		sum[bin] += most
		if j.Judge(t.text) == classes[t.class] {
			right[bin]++
		}
	}
	var curve []figure
	away := 0.0
	for bin, n := range count {
		if n == 0 {
			continue
		}
		hits, chance := float64(right[bin])/float64(n), sum[bin]/float64(n)
		away += math.Abs(hits-chance) * float64(n) / float64(len(texts))
		curve = append(curve, figure{
			name:   fmt.Sprintf("sentiment: right at a chance of %.1f to %.1f", float64(bin)/bins, float64(bin+1)/bins),
			value:  hits,
			format: accuracy,
			note:   fmt.Sprintf("mean chance %.3f of %d texts", chance, n),
		})
	}
	return append(curve, figure{
		name:   "sentiment: expected calibration error",
		value:  away,
		format: accuracy,
		note:   fmt.Sprintf("of %d English texts", len(texts)),
	}), nil
}
