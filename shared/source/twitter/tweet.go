package twitter

import (
	"cmp"
	"html"
	"strings"
	"time"

	"earshot/shared/post"
	"earshot/shared/text"
)

// The fields requested of each object ("Data dictionary", docs.x.com).
const (
	tweetFields = "created_at,author_id,public_metrics,referenced_tweets,note_tweet,attachments"
	userFields  = "name,username,profile_image_url,public_metrics"
	mediaFields = "url,preview_image_url"
)

type tweet struct {
	ID       string `json:"id"`
	Text     string `json:"text"`
	Created  string `json:"created_at"`
	AuthorID string `json:"author_id"`
	Note     struct {
		Text string `json:"text"` // of a post longer than 280 characters
	} `json:"note_tweet"`
	References []struct {
		Kind string `json:"type"` // replied_to, quoted, retweeted
	} `json:"referenced_tweets"`
	Attachments struct {
		Media []string `json:"media_keys"`
	} `json:"attachments"`
	Metrics struct {
		Likes       *int64 `json:"like_count"`
		Retweets    *int64 `json:"retweet_count"`
		Replies     *int64 `json:"reply_count"`
		Quotes      *int64 `json:"quote_count"`
		Impressions *int64 `json:"impression_count"`
	} `json:"public_metrics"`
}

type user struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Username string `json:"username"`
	Avatar   string `json:"profile_image_url"`
	Metrics  struct {
		Followers *int64 `json:"followers_count"`
	} `json:"public_metrics"`
}

type medium struct {
	Key     string `json:"media_key"`
	URL     string `json:"url"`
	Preview string `json:"preview_image_url"`
}

var handle = text.NewPattern(`^[A-Za-z0-9_]{1,15}$`)

func (t tweet) post(users map[string]user, media map[string]medium) (post.Post, bool) {
	at, err := time.Parse(time.RFC3339, t.Created)
	if err != nil || !snowflake.MatchString(t.ID) {
		return post.Post{}, false
	}
	text := html.UnescapeString(cmp.Or(t.Note.Text, t.Text)) // the platform escapes &, < and >
	p := post.Post{
		Source:     name,
		SourceID:   prefix + t.ID,
		URL:        "https://x.com/i/web/status/" + t.ID,
		PostedAt:   at.UTC(),
		Body:       &text,
		Engagement: t.counters(),
	}
	for _, reference := range t.References {
		switch reference.Kind {
		case "retweeted":
			return post.Post{}, false
		case "replied_to":
			p.IsReply = true
		}
	}
	if author, known := users[t.AuthorID]; known && handle.MatchString(author.Username) {
		profile := "https://x.com/" + author.Username
		p.URL = profile + "/status/" + t.ID
		p.Author, p.AuthorName, p.AuthorURL, p.AuthorFollowers = &author.Username, author.Name, &profile,
			author.Metrics.Followers
		if avatar := post.Web(author.Avatar); avatar != "" {
			p.AuthorAvatar = &avatar
		}
	}
	if len(t.Attachments.Media) > 0 {
		first := media[t.Attachments.Media[0]]
		p.ImageURL = post.Web(cmp.Or(first.URL, first.Preview))
	}
	return p, strings.TrimSpace(text) != ""
}

func (t tweet) counters() map[string]int64 {
	counters := map[string]int64{}
	for name, value := range map[string]*int64{
		"likes": t.Metrics.Likes, "retweets": t.Metrics.Retweets, "replies": t.Metrics.Replies, "quotes": t.Metrics.Quotes,
		"impressions": t.Metrics.Impressions,
	} {
		if value != nil {
			counters[name] = *value
		}
	}
	return counters
}
