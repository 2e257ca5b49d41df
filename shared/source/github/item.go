package github

import (
	"encoding/json"
	"strings"
	"time"

	"earshot/shared/post"
	"earshot/shared/text"
)

// item is an issue or a pull request in a search response. Pull is set for pull requests alone.
type item struct {
	Node    string          `json:"node_id"`
	URL     string          `json:"html_url"`
	Title   string          `json:"title"`
	Body    string          `json:"body"`
	Created time.Time       `json:"created_at"`
	Pull    json.RawMessage `json:"pull_request"`
	User    *struct {
		Login  string `json:"login"`
		URL    string `json:"html_url"`
		Avatar string `json:"avatar_url"`
	} `json:"user"`
	Comments  *int64 `json:"comments"`
	Reactions struct {
		Total *int64 `json:"total_count"`
	} `json:"reactions"`
}

// node is the pattern of a node's id. It alone finds an issue after its repository was renamed.
var node = text.NewPattern(`^[A-Za-z0-9_=-]{4,200}$`)

// post returns the post of an item. Its body is Markdown, as the author wrote it.
func (i item) post() (post.Post, bool) {
	if !node.MatchString(i.Node) || i.Created.IsZero() || post.Web(i.URL) == "" {
		return post.Post{}, false
	}
	kind := "issue"
	if len(i.Pull) > 0 && string(i.Pull) != "null" {
		kind = "pull"
	}
	p := post.Post{
		Source:     name,
		SourceID:   name + "_" + kind + "_" + i.Node,
		URL:        i.URL,
		PostedAt:   i.Created.UTC(),
		Title:      &i.Title,
		Engagement: counters(i.Reactions.Total, i.Comments),
	}
	if i.Body != "" {
		p.Body = &i.Body
	}
	if i.User != nil && i.User.Login != "" {
		p.Author, p.AuthorName = &i.User.Login, i.User.Login
		if profile := post.Web(i.User.URL); profile != "" {
			p.AuthorURL = &profile
		}
		if avatar := post.Web(i.User.Avatar); avatar != "" {
			p.AuthorAvatar = &avatar
		}
	}
	return p, strings.TrimSpace(p.Text()) != ""
}

func counters(reactions, comments *int64) map[string]int64 {
	counters := map[string]int64{}
	if reactions != nil {
		counters["reactions"] = *reactions
	}
	if comments != nil {
		counters["comments"] = *comments
	}
	return counters
}
