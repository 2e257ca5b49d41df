package bluesky

import (
	"encoding/json"
	"strings"
	"time"

	"earshot/shared/post"
	"earshot/shared/text"
)

// view is app.bsky.feed.defs#postView.
type view struct {
	URI    string `json:"uri"`
	Author struct {
		DID         string `json:"did"`
		Handle      string `json:"handle"`
		DisplayName string `json:"displayName"`
		Avatar      string `json:"avatar"`
	} `json:"author"`
	Record struct {
		Text      string          `json:"text"`
		CreatedAt string          `json:"createdAt"`
		Reply     json.RawMessage `json:"reply"`
	} `json:"record"`
	Embed struct {
		Images []struct {
			Fullsize string `json:"fullsize"`
		} `json:"images"`
	} `json:"embed"`
	IndexedAt string `json:"indexedAt"`
	Likes     *int64 `json:"likeCount"`
	Reposts   *int64 `json:"repostCount"`
	Replies   *int64 `json:"replyCount"`
	Quotes    *int64 `json:"quoteCount"`
}

const collection = "/app.bsky.feed.post/"

// A DID ("DID Syntax" of the AT Protocol) and a post's key, a timestamp identifier ("TID"), which knows no underscore.
var (
	did = text.NewPattern(`^did:[a-z]+:[a-zA-Z0-9._:%-]{1,200}$`)
	tid = text.NewPattern(`^[2-7a-z]{13}$`)
)

// id is bluesky_post_<did>_<key>: what the post's URI is made of, without a slash.
func (v view) id() (id, key string, ok bool) {
	author, key, _ := strings.Cut(strings.TrimPrefix(v.URI, "at://"), collection)
	return name + "_post_" + author + "_" + key, key, author == v.Author.DID && did.MatchString(author) && tid.MatchString(key)
}

// uriOf is what id was made of.
func uriOf(id string) (uri string, ok bool) {
	native, found := strings.CutPrefix(id, name+"_post_")
	at := strings.LastIndexByte(native, '_')
	if !found || at < 0 || !did.MatchString(native[:at]) || !tid.MatchString(native[at+1:]) {
		return "", false
	}
	return "at://" + native[:at] + collection + native[at+1:], true
}

// at is the time that the platform sorts by (sortAt, "Timestamps" of the AT Protocol's guide): the author says when a
// post was made, but it counts no later than when it was seen.
func (v view) sortTime() (time.Time, bool) {
	created, err := time.Parse(time.RFC3339, v.Record.CreatedAt)
	seen, unseen := time.Parse(time.RFC3339, v.IndexedAt)
	switch {
	case err != nil && unseen != nil:
		return time.Time{}, false
	case err != nil || unseen == nil && seen.Before(created):
		return seen.UTC(), true
	}
	return created.UTC(), true
}

func (v view) counters() map[string]int64 {
	counters := map[string]int64{}
	for name, value := range map[string]*int64{"likes": v.Likes, "reposts": v.Reposts, "replies": v.Replies, "quotes": v.Quotes} {
		if value != nil {
			counters[name] = *value
		}
	}
	return counters
}

func (v view) post() (post.Post, bool) {
	id, key, ok := v.id()
	if !ok || strings.TrimSpace(v.Record.Text) == "" {
		return post.Post{}, false
	}
	at, ok := v.sortTime()
	if !ok {
		return post.Post{}, false
	}
	p := post.Post{
		Source: name, SourceID: id, PostedAt: at, Body: new(v.Record.Text),
		URL:        "https://bsky.app/profile/" + v.Author.DID + "/post/" + key,
		AuthorName: v.Author.DisplayName, AuthorURL: new("https://bsky.app/profile/" + v.Author.DID),
		IsReply: len(v.Record.Reply) > 0 && string(v.Record.Reply) != "null", Engagement: v.counters(),
	}
	if v.Author.Handle != "" && v.Author.Handle != "handle.invalid" {
		p.Author = new(v.Author.Handle)
	}
	if avatar := post.Web(v.Author.Avatar); avatar != "" {
		p.AuthorAvatar = &avatar
	}
	if len(v.Embed.Images) > 0 {
		p.ImageURL = post.Web(v.Embed.Images[0].Fullsize)
	}
	return p, true
}
