package demo

import (
	_ "embed"
	"time"

	sourced "earshot/shared/post"
)

// Domain is the demo company's, and Page what stands there: no domain below .example exists on the internet.
const Domain = "northwind.example"

//go:embed site.html
var Page string

// Archived are the posts that the demo's mentions were made of, as of now, for the archive that the setup engine searches where there is
// no network.
func Archived(now time.Time) ([]sourced.Post, error) {
	var all []sourced.Post
	for _, name := range []string{northwind, harbour} {
		mentions, err := posts(name, now)
		if err != nil {
			return nil, err
		}
		for _, m := range mentions {
			all = append(all, sourced.Post{
				Source: m.Source, SourceID: m.SourceID, URL: m.URL, PostedAt: m.PostedAt, Title: m.Title, Body: m.Body,
				Author: m.Author, AuthorName: m.AuthorName, AuthorURL: m.AuthorURL, IsReply: m.IsReply,
			})
		}
	}
	return all, nil
}
