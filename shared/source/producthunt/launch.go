package producthunt

import (
	"net/url"
	"strings"
	"time"

	"earshot/shared/post"
	"earshot/shared/source/plaintext"
	"earshot/shared/text"
)

const (
	prefix = name + "_post_"
	site   = "https://www.producthunt.com"
)

var native = text.NewPattern(`^[1-9][0-9]{0,17}$`)

type launch struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Tagline     string `json:"tagline"`
	Description string `json:"description"`
	Slug        string `json:"slug"`
	Created     string `json:"createdAt"`
	Votes       *int64 `json:"votesCount"`
	Comments    *int64 `json:"commentsCount"`
	Thumbnail   struct {
		URL string `json:"url"`
	} `json:"thumbnail"`
	User struct {
		Name     string `json:"name"`
		Username string `json:"username"`
		Avatar   string `json:"profileImage"`
	} `json:"user"`
}

// redacted stands in every value about people that the interface hides from an application.
const redacted = "[REDACTED]"

func (l launch) post() (post.Post, bool) {
	at, err := time.Parse(time.RFC3339, l.Created)
	if err != nil || !native.MatchString(l.ID) || l.Slug == "" {
		return post.Post{}, false
	}
	title := strings.TrimSpace(plaintext.FromHTML(l.Name))
	if tagline := plaintext.FromHTML(l.Tagline); tagline != "" {
		title = strings.TrimPrefix(title+": "+tagline, ": ")
	}
	p := post.Post{
		Source:     name,
		SourceID:   prefix + l.ID,
		URL:        site + "/posts/" + url.PathEscape(l.Slug),
		PostedAt:   at.UTC(),
		Title:      &title,
		ImageURL:   post.Web(l.Thumbnail.URL),
		Engagement: l.counters(),
	}
	if body := plaintext.FromHTML(l.Description); body != "" {
		p.Body = &body
	}
	if author := l.User; author.Username != "" && author.Username != redacted {
		profile := site + "/@" + url.PathEscape(author.Username)
		p.Author, p.AuthorURL = &author.Username, &profile
		if author.Name != redacted {
			p.AuthorName = author.Name
		}
		if avatar := post.Web(author.Avatar); avatar != "" {
			p.AuthorAvatar = &avatar
		}
	}
	return p, title != "" || p.Body != nil
}

func (l launch) counters() map[string]int64 {
	counters := map[string]int64{}
	if l.Votes != nil {
		counters["votes"] = *l.Votes
	}
	if l.Comments != nil {
		counters["comments"] = *l.Comments
	}
	return counters
}
