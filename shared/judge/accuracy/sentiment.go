package main

import (
	"earshot/shared/judge"
	"earshot/shared/mention"
)

func measureSentiment(j *judge.Judge, folder string) ([]figure, error) {
	comments, err := columns(folder, "sentiment", "goemotions_3class_dev.tsv")
	if err != nil {
		return nil, err
	}
	classes := map[string]mention.Sentiment{"0": mention.Negative, "1": mention.Neutral, "2": mention.Positive}
	right, all := map[string]int{}, map[string]int{}
	for _, c := range comments {
		all[c.class]++
		if read(j, c.text).Sentiment == classes[c.class] {
			right[c.class]++
		}
	}
	macro, spread := recall(right, all)
	return []figure{
		{
			name:   "sentiment: Reddit comments, macro recall",
			value:  macro,
			floor:  0.719,
			spread: spread,
			format: accuracy,
		},
	}, nil
}
