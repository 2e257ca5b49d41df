package reddit

import (
	"math"
	"net/url"
	"strings"
	"time"

	"earshot/shared/post"
	"earshot/shared/source/fetch"
	"earshot/shared/source/plaintext"
	"earshot/shared/text"
)

const (
	prefix = name + "_post_"
	site   = "https://www.reddit.com"
)

// link is Reddit's name for a post, whether it has text or an address.
type link struct {
	ID          string   `json:"id"`
	Title       string   `json:"title"`
	Text        string   `json:"selftext"`      // Markdown
	HTML        string   `json:"selftext_html"` // the same, shown; null when there is none
	Author      string   `json:"author"`
	Created     float64  `json:"created_utc"` // seconds
	Edited      any      `json:"edited"`      // seconds; false if there was no edit
	Permalink   string   `json:"permalink"`
	Thumbnail   string   `json:"thumbnail"`
	Adult       bool     `json:"over_18"`
	RemovedBy   *string  `json:"removed_by_category"` // moderator, deleted, …
	Score       *int64   `json:"score"`
	Comments    *int64   `json:"num_comments"`
	UpvoteRatio *float64 `json:"upvote_ratio"`
}

var permalink = text.NewPattern(`^/(?:r|user)/[A-Za-z0-9_-]{1,50}/comments/[0-9a-z]+/`)

func (c child) ours() bool { return c.Kind == "t3" && fullname.MatchString("t3_"+c.Data.ID) }

// createdAt returns a post's time. It reports false for an impossible time.
func (c child) createdAt() (time.Time, bool) {
	created := fetch.Unix(c.Data.Created)
	return created, !created.IsZero()
}

// gone reports whether the author or a moderator took the post away. Reddit keeps the place of such a post and notes
// the removal in it.
func (l link) gone() bool { return l.RemovedBy != nil || vanished(l.Title) || vanished(l.Text) }

func vanished(text string) bool {
	return strings.HasPrefix(text, "[removed") || strings.HasPrefix(text, "[deleted") ||
		strings.HasPrefix(text, "[ Removed by")
}

func (c child) post() (post.Post, bool) {
	l := c.Data
	created, ok := c.createdAt()
	if !ok || !c.ours() || l.gone() || l.Adult || !permalink.MatchString(l.Permalink) {
		return post.Post{}, false
	}
	title := strings.TrimSpace(l.Title)
	p := post.Post{
		Source:     name,
		SourceID:   prefix + l.ID,
		URL:        site + path(l.Permalink),
		PostedAt:   created,
		EditedAt:   fetch.Unix(l.Edited),
		Title:      &title,
		Engagement: l.counters(),
		ImageURL:   post.Web(l.Thumbnail), // otherwise it is a word: self, default, image
	}
	body := plaintext.FromHTML(l.HTML)
	if body == "" {
		body = strings.TrimSpace(l.Text)
	}
	if body != "" {
		p.Body = &body
	}
	if l.Author != "" && l.Author != "[deleted]" {
		profile := site + "/user/" + url.PathEscape(l.Author)
		p.Author, p.AuthorName, p.AuthorURL = &l.Author, l.Author, &profile
	}
	return p, title != "" || p.Body != nil
}

// path returns a permalink escaped once. Reddit writes the letters of a title with and without escapes.
func path(permalink string) string {
	parsed, err := url.Parse(permalink)
	if err != nil {
		parsed = &url.URL{Path: permalink}
	}
	return parsed.EscapedPath()
}

func (l link) counters() map[string]int64 {
	counters := map[string]int64{}
	if l.Score != nil {
		counters["score"] = *l.Score
	}
	if l.Comments != nil {
		counters["comments"] = *l.Comments
	}
	if l.UpvoteRatio != nil && *l.UpvoteRatio >= 0 && *l.UpvoteRatio <= 1 {
		counters["upvotePercent"] = int64(math.Round(*l.UpvoteRatio * 100))
	}
	return counters
}
