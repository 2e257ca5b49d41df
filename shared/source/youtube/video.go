package youtube

import (
	"cmp"
	"html"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"earshot/shared/post"
)

const prefix = name + "_video_"

type snippet struct {
	Published   string `json:"publishedAt"`
	ChannelID   string `json:"channelId"`
	Channel     string `json:"channelTitle"`
	Title       string `json:"title"`
	Description string `json:"description"`
	Handle      string `json:"customUrl"` // of a channel, with the @ before it
	Thumbnails  struct {
		Default  thumbnail `json:"default"`
		Medium   thumbnail `json:"medium"`
		High     thumbnail `json:"high"`
		Standard thumbnail `json:"standard"`
	} `json:"thumbnails"`

	escaped bool // a search escapes its texts for HTML; the other resources do not
}

type thumbnail struct {
	URL string `json:"url"`
}

// video is a video resource. Its counters are decimal texts.
type video struct {
	ID         string  `json:"id"`
	Snippet    snippet `json:"snippet"`
	Statistics struct {
		Views    string `json:"viewCount"`
		Likes    string `json:"likeCount"`
		Comments string `json:"commentCount"`
	} `json:"statistics"`

	channel channel
}

type channel struct {
	ID         string  `json:"id"`
	Snippet    snippet `json:"snippet"`
	Statistics struct {
		Subscribers string `json:"subscriberCount"`
		Hidden      bool   `json:"hiddenSubscriberCount"`
	} `json:"statistics"`
}

func (v video) post() (post.Post, bool) {
	at, err := time.Parse(time.RFC3339, v.Snippet.Published)
	if err != nil {
		return post.Post{}, false
	}
	title, body := v.Snippet.Title, v.Snippet.Description
	if v.Snippet.escaped {
		title, body = html.UnescapeString(title), html.UnescapeString(body)
	}
	title, body = strings.TrimSpace(title), strings.TrimSpace(body)
	p := post.Post{
		Source:     name,
		SourceID:   prefix + v.ID,
		URL:        "https://www.youtube.com/watch?v=" + v.ID,
		PostedAt:   at.UTC(),
		Title:      &title,
		AuthorName: cmp.Or(v.channel.Snippet.Title, v.Snippet.Channel),
		Engagement: v.counters(),
		ImageURL: post.Web(
			cmp.Or(v.Snippet.Thumbnails.Standard.URL, v.Snippet.Thumbnails.High.URL, v.Snippet.Thumbnails.Default.URL),
		),
	}
	if body != "" {
		p.Body = &body
	}
	if channelID.MatchString(v.Snippet.ChannelID) {
		profile := "https://www.youtube.com/channel/" + url.PathEscape(v.Snippet.ChannelID)
		p.AuthorURL = &profile
	}
	if handle := strings.TrimPrefix(v.channel.Snippet.Handle, "@"); handle != "" {
		p.Author = &handle
	}
	if avatar := post.Web(
		cmp.Or(v.channel.Snippet.Thumbnails.Medium.URL, v.channel.Snippet.Thumbnails.Default.URL),
	); avatar != "" {
		p.AuthorAvatar = &avatar
	}
	if followers, err := strconv.ParseInt(v.channel.Statistics.Subscribers, 10, 64); err == nil &&
		!v.channel.Statistics.Hidden {
		p.AuthorFollowers = &followers
	}
	return p, title != "" || p.Body != nil
}

func (v video) counters() map[string]int64 {
	counters := map[string]int64{}
	for name, text := range map[string]string{"views": v.Statistics.Views, "likes": v.Statistics.Likes,
		"comments": v.Statistics.Comments} {
		if value, err := strconv.ParseInt(text, 10, 64); err == nil && value >= 0 {
			counters[name] = value
		}
	}
	return counters
}

func list(ids []string) string {
	return strings.Join(slices.Compact(slices.Sorted(slices.Values(ids))), ",")
}

func byID[T any](all []T, id func(T) string) map[string]T {
	known := make(map[string]T, len(all))
	for _, one := range all {
		known[id(one)] = one
	}
	return known
}
