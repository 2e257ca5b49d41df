package main

import (
	"crypto/sha256"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"earshot/shared/post"
)

// The platforms of the archive, as a keyword is narrowed to them.
const (
	hackerNews = "hackernews"
	comments   = "reddit_comment"
)

const dumpTime = "1/2/2006 15:04"

// readArchive reads the posts of the data folder: titles of Hacker News with their dates, and comments of Reddit,
// which have none. It spreads the comments evenly over the time of the titles, in an order that does not depend on
// the file's. It takes each Reddit text once.
func readArchive(folder string) ([]post.Post, error) {
	stories, err := readStories(filepath.Join(folder, "language", "hn_posts_2016_dev.csv"))
	if err != nil {
		return nil, err
	}
	var texts []string
	for _, part := range []string{"train", "dev"} {
		content, err := os.ReadFile(filepath.Join(folder, "sentiment", "goemotions_3class_"+part+".tsv"))
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(content)) {
			if _, text, ok := strings.Cut(strings.TrimRight(line, "\r\n"), "\t"); ok {
				texts = append(texts, text)
			}
		}
	}
	if len(stories) == 0 || len(texts) == 0 {
		return nil, fmt.Errorf("there are no posts in %s", folder)
	}
	return slices.Concat(stories, spread(texts, stories)), nil
}

func readStories(path string) ([]post.Post, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	var stories []post.Post
	for _, row := range rows[1:] { // id, title, url, points, comments, author, time
		at, err := time.Parse(dumpTime, row[6])
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", path, err)
		}
		title, author := row[1], row[5]
		stories = append(
			stories,
			post.Post{Source: hackerNews, SourceID: sourceID(hackerNews, row[0]), Title: &title, Author: &author,
				PostedAt: at, URL: "https://news.ycombinator.com/item?id=" + row[0]},
		)
	}
	return stories, nil
}

// spread makes comments from texts, at even distances over the time of the stories.
func spread(texts []string, stories []post.Post) []post.Post {
	oldest, newest := ends(stories)
	var made []post.Post
	seen := map[string]bool{}
	for _, text := range texts {
		id := digest(text)
		if seen[id] {
			continue
		}
		seen[id] = true
		made = append(made, post.Post{Source: "reddit", SourceID: sourceID(comments, id), Body: &text, IsReply: true})
	}
	// Ordered by digest, because a file's order may reveal what its posts are about.
	slices.SortFunc(made, func(a, b post.Post) int { return strings.Compare(a.SourceID, b.SourceID) })
	for i := range made {
		age := float64(newest.Sub(oldest)) * float64(i) / float64(max(1, len(made)-1))
		made[i].PostedAt = oldest.Add(time.Duration(age)).Truncate(time.Millisecond)
	}
	return made
}

// ends returns when the oldest and the newest of posts were posted.
func ends(posts []post.Post) (oldest, newest time.Time) {
	for i, p := range posts {
		if i == 0 || p.PostedAt.Before(oldest) {
			oldest = p.PostedAt
		}
		if i == 0 || p.PostedAt.After(newest) {
			newest = p.PostedAt
		}
	}
	return oldest, newest
}

// compressed divides the ages of posts, so that as many years pass in one.
func compressed(posts []post.Post, by float64) []post.Post {
	_, newest := ends(posts)
	out := slices.Clone(posts)
	for i := range out {
		age := float64(newest.Sub(out[i].PostedAt)) / by
		out[i].PostedAt = newest.Add(-time.Duration(age)).Truncate(time.Millisecond)
	}
	return out
}

// halves divides posts in two by their ids alone.
func halves(posts []post.Post) (first, second []post.Post) {
	for _, p := range posts {
		if digest := sha256.Sum256([]byte(p.SourceID)); digest[0]%2 == 0 {
			first = append(first, p)
		} else {
			second = append(second, p)
		}
	}
	return first, second
}
