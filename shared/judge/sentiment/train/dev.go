package main

import (
	"fmt"
	"math"
	"path/filepath"

	"earshot/shared/judge/sentiment/feature"
	"earshot/shared/judge/sentiment/rated"
)

// A trial is texts of one kind that a classifier judges.
type trial struct {
	name     string
	file     string // of the classifier
	language feature.Language
	settings settings
	samples  []sample
}

// trials are the dev parts. Of the tests it knows nothing.
func trials(data string) (all []trial, err error) {
	comments, err := readSamples(filepath.Join(data, "sentiment", "goemotions_3class_dev.tsv"))
	if err != nil {
		return nil, err
	}
	texts, err := rated.English()
	if err != nil {
		return nil, err
	}
	posts, err := rated.Languages()
	if err != nil {
		return nil, err
	}
	english := trial{
		name:     "comments",
		file:     "english.bin",
		language: feature.English,
		settings: english,
		samples:  comments,
	}
	all = append(all, english)
	for _, from := range []string{"tweets", "products"} {
		english.name, english.samples = from, samplesOf(rated.Chosen(texts, rated.Dev, from))
		all = append(all, english)
	}
	for _, code := range []string{"de", "es", "fr", "it", "pt"} {
		all = append(all, trial{
			name:     code,
			file:     "others.bin",
			language: codes[code],
			settings: others,
			samples:  samplesOf(rated.Chosen(posts, rated.Dev, code)),
		})
	}
	return all, nil
}

func samplesOf(texts []rated.Text) (samples []sample) {
	for _, t := range texts {
		samples = append(samples, sample{t.Class, t.Text})
	}
	return samples
}

// judgeDev prints the recalls of each trial, the mean logarithmic loss, and the warmth at which it would be least.
func judgeDev(data string, tables *feature.Tables, files map[string][]byte) error {
	all, err := trials(data)
	if err != nil {
		return err
	}
	for _, t := range all {
		w, err := feature.OpenWeights(string(files[t.file]))
		if err != nil {
			return err
		}
		var right, count [feature.Classes]int
		odds := make([][feature.Classes]float32, len(t.samples))
		for i, s := range t.samples {
			odds[i], _ = w.Odds(tables, t.language, t.settings.scope, s.text)
			count[s.class]++
			if feature.Best(odds[i]) == s.class {
				right[s.class]++
			}
		}
		macro := 0.0
		for c := range count {
			macro += float64(right[c]) / float64(max(count[c], 1)) / feature.Classes
		}
		best, least := 1.0, loss(t.samples, odds, 1)
		for warmth := 0.5; warmth < 3; warmth += 0.05 {
			if l := loss(t.samples, odds, warmth); l < least {
				best, least = warmth, l
			}
		}
		fmt.Printf("%-9s macro recall %.3f, right %v of %v, loss %.3f, least %.3f at warmth ×%.2f\n",
			t.name, macro, right, count, loss(t.samples, odds, 1), least, best)
	}
	return nil
}

// loss returns the mean logarithmic loss of the odds, divided by a warmth.
func loss(samples []sample, odds [][feature.Classes]float32, warmth float64) (mean float64) {
	for i, s := range samples {
		var o [feature.Classes]float64
		for c := range o {
			o[c] = float64(odds[i][c]) / warmth
		}
		mean -= math.Log(max(softmax(o)[s.class], 1e-9)) / float64(len(samples))
	}
	return mean
}
