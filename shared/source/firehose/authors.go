package firehose

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"

	"earshot/shared/post"
	"earshot/shared/source/fetch"
)

// Profiles is the server that looks authors up: the public AppView, which needs no account.
const Profiles = "https://public.api.bsky.app"

// maxProfiles is how many authors one request asks for ("app.bsky.actor.getProfiles": actors, at most 25).
const maxProfiles = 25

// profile is app.bsky.actor.defs#profileViewDetailed.
type profile struct {
	DID         string `json:"did"`
	Handle      string `json:"handle"`
	DisplayName string `json:"displayName"`
	Avatar      string `json:"avatar"`
	Followers   *int64 `json:"followersCount"`
}

// Complete looks up the authors of posts, because the stream has only their DIDs. An author who has left, or whose
// handle is invalid, stays unknown.
func (s *Source) Complete(ctx context.Context, posts []post.Post) error {
	if s.profiles == nil {
		return nil
	}
	by := map[string][]int{} // the indexes of an author's posts
	var authors []string
	for i, p := range posts {
		if p.Author != nil || p.AuthorURL == nil {
			continue
		}
		author, found := strings.CutPrefix(*p.AuthorURL, profilePage)
		if !found || !did.MatchString(author) {
			continue
		}
		if by[author] == nil {
			authors = append(authors, author)
		}
		by[author] = append(by[author], i)
	}
	for len(authors) > 0 {
		asked := authors[:min(len(authors), maxProfiles)]
		authors = authors[len(asked):]
		var got struct {
			Profiles []json.RawMessage `json:"profiles"`
		}
		if _, err := s.profiles.JSON(
			ctx, fetch.Request{Path: "/xrpc/app.bsky.actor.getProfiles", Query: url.Values{"actors": asked}}, &got,
		); err != nil {
			return err
		}
		for _, found := range fetch.Each[profile](got.Profiles) {
			for _, i := range by[found.DID] {
				found.tell(&posts[i])
			}
		}
	}
	return nil
}

// tell fills in a post's author.
func (f profile) tell(p *post.Post) {
	if f.Handle == "" ||
		f.Handle == "handle.invalid" { // "Handle" of the AT Protocol: what stands for one that does not resolve
		return
	}
	handle := f.Handle
	p.Author, p.AuthorFollowers = &handle, f.Followers
	if f.DisplayName != handle {
		p.AuthorName = f.DisplayName
	}
	if picture := post.Web(f.Avatar); picture != "" {
		p.AuthorAvatar = &picture
	}
}
