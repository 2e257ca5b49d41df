package main

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"earshot/shared/judge"
	"earshot/shared/post"
)

// A labelled is a text with the class that people gave it.
type labelled struct {
	text  string
	class string
}

// lines reads a file of lines.
func lines(elements ...string) ([]string, error) {
	content, err := os.ReadFile(filepath.Join(elements...))
	if err != nil {
		return nil, err
	}
	return strings.Split(strings.TrimRight(strings.ReplaceAll(string(content), "\r\n", "\n"), "\n"), "\n"), nil
}

// columns reads a tab-separated file of two columns: class and text.
func columns(elements ...string) (out []labelled, err error) {
	all, err := lines(elements...)
	if err != nil {
		return nil, err
	}
	for i, line := range all {
		class, text, ok := strings.Cut(line, "\t")
		if !ok {
			return nil, fmt.Errorf("%s: line %d has no tab", filepath.Join(elements...), i+1)
		}
		out = append(out, labelled{text, class})
	}
	return out, nil
}

// titles reads the titles of the Hacker News posts.
func titles(folder string) (out []string, err error) {
	file, err := os.Open(filepath.Join(folder, "language", "hn_posts_2016_dev.csv"))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		return nil, err
	}
	for _, row := range rows[1:] {
		out = append(out, row[1])
	}
	return out, nil
}

func read(j *judge.Judge, text string) judge.Reading { return j.Read(&post.Post{Body: &text}) }

// recall returns the mean, over the classes, of the share judged right, and its standard error.
func recall(right, all map[string]int) (mean, spread float64) {
	sum, variance := 0.0, 0.0
	for class, n := range all {
		share := float64(right[class]) / float64(n)
		sum += share
		variance += share * (1 - share) / float64(n)
	}
	return sum / float64(len(all)), math.Sqrt(variance) / float64(len(all))
}
