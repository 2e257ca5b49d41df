package main

import (
	_ "embed"
	"fmt"
	"strings"

	"earshot/shared/judge/sentiment/feature"
)

// servicePatterns are what people write to companies.
//
//go:embed service.txt
var servicePatterns string

const (
	serviceTimes  = 12 // how often a pattern with a slot is filled
	servicePolite = 4  // one in so many of these texts that are not positive is polite
	othersPolite  = 20 // and one in so many of the other texts, of which a copy is made
)

// polite are words that both content and angry writers use.
var polite = []string{
	"please", "thanks", "thank you", "please help", "thanks in advance", "hi there", "hello", "cheers",
}

// generator returns a generator of numbers below n, the same in every run.
func generator() (draw func(n int) int) {
	random := uint64(1)
	return func(n int) int {
		random = random*6364136223846793005 + 1442695040888963407
		return int((random >> 33) % uint64(n))
	}
}

// politely returns a text with a polite word before or after it.
func politely(text string, draw func(n int) int) string {
	word := polite[draw(len(polite))]
	if draw(2) == 0 {
		return word + " " + text
	}
	return text + ". " + word
}

// politeCopies returns polite copies of some of the texts that are not positive. In the comments, thanks are always
// praise; in what people write to companies they are not.
func politeCopies(samples []sample) (copies []sample) {
	draw := generator()
	for _, s := range samples {
		if s.class != feature.Positive && draw(othersPolite) == 0 {
			copies = append(copies, sample{s.class, politely(s.text, draw)})
		}
	}
	return copies
}

// service returns the patterns with their slots filled, by a generator of its own.
func service(patterns string) (samples []sample, err error) {
	slots := map[string][]string{}
	draw := generator()
	for line := range strings.Lines(patterns) {
		line = strings.TrimRight(line, "\r\n")
		if line == "" || line[0] == '#' {
			continue
		}
		key, text, ok := strings.Cut(line, "\t")
		if !ok || key == "" {
			return nil, fmt.Errorf("service.txt: %q has no tab", line)
		}
		class := strings.Index("012", key)
		if class < 0 {
			slots[key] = append(slots[key], strings.Split(text, "|")...)
			continue
		}
		times := serviceTimes
		if !strings.Contains(text, "{") {
			times = 2
		}
		for range times {
			filled := text
			for _, slot := range []string{"thing", "time", "part"} {
				if words := slots[slot]; len(words) > 0 {
					filled = strings.ReplaceAll(filled, "{"+slot+"}", words[draw(len(words))])
				}
			}
			if class != feature.Positive && draw(servicePolite) == 0 {
				filled = politely(filled, draw)
			}
			samples = append(samples, sample{class: class, text: filled})
		}
	}
	return samples, nil
}
