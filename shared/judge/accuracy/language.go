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
	figures := []figure{
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
	}
	for _, of := range []half{dev, test} {
		figures = append(figures, measureShort(j, sentences, of)...)
	}
	return figures, nil
}

// measureShort measures short pieces of sentences, decorated like tweets. Parts of them are names or addresses alone,
// which no language owns.
func measureShort(j *judge.Judge, sentences []labelled, of half) []figure {
	right, all := map[string]int{}, map[string]int{}
	for _, piece := range shortPieces(sentences, of) {
		all[piece.class]++
		if name, known := language.FromISO(piece.class); known && read(j, piece.text).Language == name {
			right[piece.class]++
		}
	}
	macro, spread := recall(right, all)
	german, germanSpread := recall(
		map[string]int{"de": right["de"]}, map[string]int{"de": all["de"]},
	)
	return []figure{
		{
			name:   "language: 3 to 8 words with handles and tags, " + strconv.Itoa(len(all)) + " languages, " + string(of),
			value:  macro,
			floor:  0.95,
			spread: spread,
			format: accuracy,
			note:   "no figure to reach: the floor is near what was reached",
		},
		{
			name:   "language: the same, German, " + string(of),
			value:  german,
			floor:  0.95,
			spread: germanSpread,
			format: accuracy,
		},
	}
}
