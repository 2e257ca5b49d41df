package main

import (
	"os"
	"strconv"
	"strings"
	"time"

	"earshot/shared/judge"
	"earshot/shared/post"
)

// measureCosts measures the time to read and judge Hacker News titles and Reddit comments for one workspace, and the
// process's resident memory afterwards.
func measureCosts(j *judge.Judge, folder string, ready time.Duration) ([]figure, error) {
	texts, err := titles(folder)
	if err != nil {
		return nil, err
	}
	comments, err := columns(folder, "sentiment", "goemotions_3class_dev.tsv")
	if err != nil {
		return nil, err
	}
	for _, c := range comments {
		texts = append(texts, c.text)
	}
	posts, bytes := make([]post.Post, len(texts)), 0
	for i := range texts {
		posts[i].Body = &texts[i]
		bytes += len(texts[i])
	}
	subjects := []*judge.Subject{j.Subject(names[0].company, names[0].keyword(), nil)}
	began := time.Now()
	for i := range posts {
		j.Judge(j.Read(&posts[i]), &posts[i], subjects)
	}
	each := float64(time.Since(began).Microseconds()) / float64(len(posts))
	figures := []figure{
		{
			name:   "cost: µs to read and judge a post",
			value:  each,
			format: "%.1f",
			note:   "of " + strconv.Itoa(bytes/len(posts)) + " bytes; at most 60 wanted",
		},
		{
			name:   "cost: ms to make the judge",
			value:  float64(ready.Microseconds()) / 1000,
			format: "%.2f",
			note:   "at most 25 wanted from the start of the process",
		},
	}
	if resident, ok := residentMegabytes(); ok {
		figures = append(
			figures,
			figure{
				name:   "cost: MB resident",
				value:  resident,
				format: "%.1f",
				note:   "with the data that is measured on; at most 40 wanted of the judges",
			},
		)
	}
	return figures, nil
}

// residentMegabytes returns the kernel's figure for this process. It reports false if the kernel has none.
func residentMegabytes() (float64, bool) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(status)) {
		if fields := strings.Fields(line); len(fields) == 3 && fields[0] == "VmRSS:" {
			kilobytes, err := strconv.ParseFloat(fields[1], 64)
			return kilobytes / 1024, err == nil
		}
	}
	return 0, false
}
