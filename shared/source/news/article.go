package news

import (
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"strings"
	"time"

	"earshot/shared/post"
	"earshot/shared/source/plaintext"
)

// article is an entry of an article list. Its date is when GDELT saw it.
type article struct {
	URL   string `json:"url"`
	Title string `json:"title"`
	Seen  string `json:"seendate"`
	Image string `json:"socialimage"`
}

func (a article) post() (post.Post, bool) {
	at, err := time.Parse("20060102T150405Z", a.Seen)
	u, malformed := url.Parse(post.Web(a.URL))
	if err != nil || malformed != nil || u.Host == "" {
		return post.Post{}, false
	}
	site := strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.")
	p := post.Post{
		Source: name, SourceID: idOf(u), URL: a.URL, PostedAt: at, Title: new(plaintext.FromHTML(a.Title)),
		AuthorName: site, AuthorURL: new("https://" + u.Host), ImageURL: post.Web(a.Image),
	}
	return p, strings.TrimSpace(p.Text()) != ""
}

// idOf returns news_article_<the first 128 bits of the SHA-256 of the canonical URL>. An article has no other id. Its
// URL comes with and without "www.", a final slash, a fragment, and tracking parameters.
func idOf(u *url.URL) string {
	canonical := strings.TrimPrefix(
		strings.ToLower(u.Host), "www.",
	) + strings.TrimSuffix(u.EscapedPath(), "/") + "?" + untracked(u.RawQuery)
	sum := sha256.Sum256([]byte(canonical))
	return name + "_article_" + hex.EncodeToString(sum[:16])
}

// untracked removes tracking parameters and sorts the others. A query that is not made of parameters stays whole.
func untracked(raw string) string {
	query, err := url.ParseQuery(raw)
	if err != nil {
		return raw
	}
	for name := range query {
		if strings.HasPrefix(name, "utm_") || trackers[name] {
			query.Del(name)
		}
	}
	return query.Encode()
}

var trackers = map[string]bool{
	"fbclid":  true,
	"gclid":   true,
	"dclid":   true,
	"msclkid": true,
	"igshid":  true,
	"mc_cid":  true,
	"mc_eid":  true,
	"ref":     true,
	"cmpid":   true,
	"ocid":    true,
}
