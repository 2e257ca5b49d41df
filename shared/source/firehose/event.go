package firehose

import (
	"encoding/json"
	"strings"
	"time"

	"earshot/shared/post"
	"earshot/shared/source"
	"earshot/shared/text"
)

// event is an event of Jetstream, as far as a new post needs it.
type event struct {
	DID    string `json:"did"`
	Time   int64  `json:"time_us"` // when it passed through, in microseconds since 1970
	Kind   string `json:"kind"`
	Commit struct {
		Operation  string          `json:"operation"`
		Collection string          `json:"collection"`
		Key        string          `json:"rkey"`
		Record     json.RawMessage `json:"record"`
	} `json:"commit"`
}

type record struct {
	Text    string          `json:"text"`
	Created string          `json:"createdAt"`
	Reply   json.RawMessage `json:"reply"`
}

// latest is the last time that a cursor can distinguish. decode rejects later times.
const latest = int64(1) << 53

// decode returns an event and whether it has a valid time. An event that is not a post is used for its time alone.
func decode(message []byte) (event, bool) {
	var e event
	if json.Unmarshal(message, &e) != nil {
		return event{}, false
	}
	return e, e.Time > 0 && e.Time < latest
}

func (e event) passedAt() time.Time { return time.UnixMicro(e.Time).UTC() }

// did is a DID and tid is a post's key, as in shared/source/bluesky.
var (
	did = text.NewPattern(`^did:[a-z]+:[a-zA-Z0-9._:%-]{1,200}$`)
	tid = text.NewPattern(`^[2-7a-z]{13}$`)
)

// stale is how long before its event a post can have been written. A program that moves whole accounts brings older
// posts from elsewhere.
const stale = 24 * time.Hour

// profilePage is the beginning of the address of every author's page.
const profilePage = "https://bsky.app/profile/"

// post returns the new post of an event. It has the author's time if that is in the window and not after the event.
// Otherwise it has the event's time.
func (e event) post(q source.Query) (post.Post, bool) {
	c := e.Commit
	if e.Kind != "commit" || c.Operation != "create" || c.Collection != collection || !did.MatchString(e.DID) ||
		!tid.MatchString(c.Key) {
		return post.Post{}, false
	}
	var r record
	if json.Unmarshal(c.Record, &r) != nil || strings.TrimSpace(r.Text) == "" {
		return post.Post{}, false
	}
	at := e.passedAt()
	if created, err := time.Parse(time.RFC3339, r.Created); err == nil {
		switch {
		case at.Sub(created) > stale:
			return post.Post{}, false
		case q.Holds(created) && created.Before(at):
			at = created.UTC()
		}
	}
	if !q.Holds(at) {
		return post.Post{}, false
	}
	profile := profilePage + e.DID
	return post.Post{
		Source:    "bluesky",
		SourceID:  "bluesky_post_" + e.DID + "_" + c.Key,
		URL:       profile + "/post/" + c.Key,
		PostedAt:  at,
		Body:      &r.Text,
		AuthorURL: &profile,
		IsReply:   len(r.Reply) > 0 && string(r.Reply) != "null",
	}, true
}
