package main

import (
	"strconv"

	"earshot/shared/judge"
	"earshot/shared/language"
)

func measureLanguage(j *judge.Judge, folder string) ([]figure, error) {
	posts, err := titles(folder)
	if err != nil {
		return nil, err
	}
	english := map[string]int{}
	for _, title := range posts {
		if read(j, title).Language == "english" {
			english["titles"]++
		}
	}
	hn, hnSpread := recall(english, map[string]int{"titles": len(posts)})
	sentences, err := columns(folder, "language", "lingua_sentences_dev.tsv")
	if err != nil {
		return nil, err
	}
	right, all := map[string]int{}, map[string]int{}
	for _, s := range sentences {
		all[s.class]++
		if name, known := language.FromISO(s.class); known && read(j, s.text).Language == name {
			right[s.class]++
		}
	}
	macro, spread := recall(right, all)
	return []figure{
		{
			name:   "language: Hacker News titles that are english",
			value:  hn,
			floor:  0.981,
			spread: hnSpread,
			format: accuracy,
		},
		{
			name:   "language: " + strconv.Itoa(len(all)) + " languages, macro recall",
			value:  macro,
			floor:  0.96,
			spread: spread,
			format: accuracy,
			note:   "no figure to reach: the floor is what was reached",
		},
	}, nil
}
