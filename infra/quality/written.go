package main

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the posts
	"encoding/csv"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"earshot/shared/post"
)

// The corpora that a company's posts may be in.
const (
	collected = ""        // the archive of DATA_DIR
	written   = "written" // written.tsv
)

// writtenFile holds posts about companies whose names are common words of other languages than English, for which the
// archive has no posts. They were written for this benchmark before any of its results was seen: a row has the domains
// of the companies that it means, with commas between or "-" for none, and a text. In the posts that mean none the word
// has another of its senses.
//
//go:embed written.tsv
var writtenFile []byte

// corpora are the posts by corpus.
type corpora map[string][]post.Post

// each returns the corpora with their posts changed.
func (c corpora) each(change func([]post.Post) []post.Post) corpora {
	out := corpora{}
	for name, posts := range c {
		out[name] = change(posts)
	}
	return out
}

// readWritten returns the texts of a table like writtenFile, and labels their posts for companies.
func readWritten(content []byte, companies []company, known labels) (texts []string, err error) {
	rows := csv.NewReader(bytes.NewReader(content))
	rows.Comma, rows.FieldsPerRecord, rows.LazyQuotes = '\t', 2, true
	table, err := rows.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("read the written posts: %w", err)
	}
	for _, row := range table {
		domains, text := strings.Split(row[0], ","), row[1]
		texts = append(texts, text)
		for _, c := range companies {
			if c.Posts != written {
				continue
			}
			if known[c.Domain] == nil {
				known[c.Domain] = map[string]bool{}
			}
			known[c.Domain][sourceID(comments, digest(text))] = slices.Contains(domains, c.Domain)
		}
	}
	return texts, nil
}

// digest names a text that has no id.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:6])
}
