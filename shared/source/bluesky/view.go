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

// did is a DID ("DID Syntax" of the AT Protocol). tid is a post's key, a timestamp identifier ("TID"), which has no
// underscore.
var (
	did = text.NewPattern(`^did:[a-z]+:[a-zA-Z0-9._:%-]{1,200}$`)
	tid = text.NewPattern(`^[2-7a-z]{13}$`)
)

// id returns bluesky_post_<did>_<key>. These are the parts of the post's URI, without a slash.
func (v view) id() (id, key string, ok bool) {
	author, key, _ := strings.Cut(strings.TrimPrefix(v.URI, "at://"), collection)
	return name + "_post_" + author + "_" + key, key, author == v.Author.DID && did.MatchString(author) &&
		tid.MatchString(key)
}

// uriOf returns the URI that id was made from.
func uriOf(id string) (uri string, ok bool) {
	native, found := strings.CutPrefix(id, name+"_post_")
	at := strings.LastIndexByte(native, '_')
	if !found || at < 0 || !did.MatchString(native[:at]) || !tid.MatchString(native[at+1:]) {
		return "", false
	}
	return "at://" + native[:at] + collection + native[at+1:], true
}

// sortTime returns the time that the platform sorts by (sortAt, "Timestamps" of the AT Protocol's guide). The author
// states when a post was made. A time after the platform first saw the post counts as that first sight.
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
