package stackoverflow

import (
	"strconv"
	"strings"
	"time"

	"earshot/shared/post"
	"earshot/shared/source/fetch"
	"earshot/shared/source/plaintext"
)

// question is a question as the API sends it. Names and titles have HTML's entities, bodies are HTML.
type question struct {
	ID      int64  `json:"question_id"`
	Title   string `json:"title"`
	Body    string `json:"body"`
	Link    string `json:"link"`
	Created int64  `json:"creation_date"`
	Edited  any    `json:"last_edit_date"` // seconds; missing if there was no edit
	Owner   struct {
		Name  string `json:"display_name"`
		Link  string `json:"link"`
		Image string `json:"profile_image"`
	} `json:"owner"`
	Score   *int64 `json:"score"`
	Answers *int64 `json:"answer_count"`
	Views   *int64 `json:"view_count"`
}

func (q question) id() string { return name + "_question_" + strconv.FormatInt(q.ID, 10) }

// post returns the post of a question. Its author is the display name, because there are no handles.
func (q question) post() (post.Post, bool) {
	if q.ID <= 0 || q.Created <= 0 {
		return post.Post{}, false
	}
	p := post.Post{
		Source: name, SourceID: q.id(), URL: q.Link, PostedAt: time.Unix(q.Created, 0).UTC(), Engagement: q.counters(),
		EditedAt: fetch.Unix(q.Edited),
		Title:    new(plaintext.FromHTML(q.Title)), AuthorName: plaintext.FromHTML(q.Owner.Name),
	}
	if post.Web(p.URL) == "" {
		p.URL = "https://stackoverflow.com/questions/" + strconv.FormatInt(q.ID, 10)
	}
	if body := plaintext.FromHTML(q.Body); body != "" {
		p.Body = &body
	}
	if p.AuthorName != "" {
		p.Author = new(p.AuthorName)
	}
	if profile := post.Web(q.Owner.Link); profile != "" {
		p.AuthorURL = &profile
	}
	if image := post.Web(q.Owner.Image); image != "" {
		p.AuthorAvatar = &image
	}
	return p, strings.TrimSpace(p.Text()) != ""
}

func (q question) counters() map[string]int64 {
	counters := map[string]int64{}
	for name, value := range map[string]*int64{"score": q.Score, "answers": q.Answers, "views": q.Views} {
		if value != nil {
			counters[name] = *value
		}
	}
	return counters
}
