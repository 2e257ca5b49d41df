package demo

import (
	_ "embed"
	"time"

	sourced "earshot/shared/post"
	"earshot/shared/proposal"
	"earshot/shared/proposal/site"
)

// Domain is the demo company's, and Page what stands there: no domain below .example exists on the internet.
const Domain = "northwind.example"

//go:embed site.html
var Page string

// draft is the result of scanning that page, for the setup engine's beta.
func draft(now time.Time) proposal.Draft {
	profile := site.Profile(site.Page{URL: "https://" + Domain + "/", HTML: []byte(Page)}, Domain)
	return proposal.Draft{
		ID:              "draft_01KAF3Y3W2V4GZ9M6T8Q5X7B1C",
		Domain:          Domain,
		Status:          proposal.Scanned,
		Profile:         &profile,
		ProfileRevision: 1,
		CreatedAt:       now,
		UpdatedAt:       now,
		Revision:        1,
	}
}

// Archived returns the posts behind the demo's mentions as of now, for the archive that the setup engine searches
// without a network.
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
