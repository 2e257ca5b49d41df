package main

import (
	"bytes"
	"cmp"
	_ "embed" // the companies and the labels
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"earshot/shared/post"
	"earshot/shared/proposal"
)

// A company is a company to propose for.
type company struct {
	// Common says that people use its name for other things: it is a word, or another's name. A person judged this. It
	// is never shown to the engine.
	Common bool   `json:"common"`
	Domain string `json:"domain"`
	Posts  string `json:"posts,omitempty"` // the corpus with its posts
	// Read is the platform whose posts are labelled and counted; empty: all. Of a word as common as Go, most comments
	// are noise that nobody doubts.
	Read    string           `json:"read,omitempty"`
	Profile proposal.Profile `json:"profile"`
}

// name returns the company's name as its page spells it.
func (c company) name() string { return c.Profile.Company }

// counts reports whether a post is on a platform whose posts are labelled.
func (c company) counts(p *post.Post) bool { return c.Read == "" || p.Source == c.Read }

// mostLabelled is how many posts of a company are labelled at least: all posts if there are no more, and else those
// whose digests come first (sampled). Other posts are left out of its figures. The companies of the first 43 have all
// posts labelled.
const mostLabelled = 60

// sampled returns the posts of a company that are to be labelled, of those that have its name.
func (c company) sampled(named []post.Post) []post.Post {
	slices.SortFunc(named, func(a, b post.Post) int { return cmp.Compare(digest(a.SourceID), digest(b.SourceID)) })
	return named[:min(len(named), mostLabelled)]
}

// The profiles are written from what the companies said of themselves in public around 2016, in words of this project.
//
//go:embed companies.json
var companiesFile []byte

// The labels say of each post that has a company's name whether the company, or what it makes, is meant: see label.
//
//go:embed labels.tsv
var labelsFile []byte

func readCompanies(content []byte) ([]company, error) {
	var all []company
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&all); err != nil {
		return nil, fmt.Errorf("read the companies: %w", err)
	}
	// Common words first, then by name.
	slices.SortStableFunc(all, func(a, b company) int {
		if a.Common != b.Common {
			if a.Common {
				return -1
			}
			return 1
		}
		return cmp.Compare(a.name(), b.name())
	})
	return all, nil
}

// labels holds the verdicts by a company's domain and a post's sourceId.
type labels map[string]map[string]bool

// of returns the verdict on a post; known reports whether there is one.
func (l labels) of(c company, sourceID string) (relevant, known bool) {
	relevant, known = l[c.Domain][sourceID]
	return relevant, known
}

// readLabels reads a table of domain, source, post id, and 1 or 0. A Hacker News post has its id there. The data has
// no ids for comments of Reddit: such a comment is named by the first twelve hexadecimal digits of its text's
// SHA-256.
func readLabels(content []byte) (labels, error) {
	rows := csv.NewReader(bytes.NewReader(content))
	rows.Comma, rows.FieldsPerRecord = '\t', 4
	all := labels{}
	for first := true; ; first = false {
		row, err := rows.Read()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read the labels: %w", err)
		}
		if first {
			continue
		}
		if row[3] != "0" && row[3] != "1" {
			return nil, fmt.Errorf("read the labels: %q is no verdict", row[3])
		}
		if all[row[0]] == nil {
			all[row[0]] = map[string]bool{}
		}
		all[row[0]][sourceID(row[1], row[2])] = row[3] == "1"
	}
}

// sourceID names a post of the archive.
func sourceID(source, id string) string {
	if source == hackerNews {
		return "hackernews_story_" + id
	}
	return "reddit_comment_" + id
}

// idOf returns a label's source and id of a post.
func idOf(sourceID string) (source, id string) {
	if id, found := strings.CutPrefix(sourceID, "hackernews_story_"); found {
		return hackerNews, id
	}
	return "reddit", strings.TrimPrefix(sourceID, "reddit_comment_")
}
