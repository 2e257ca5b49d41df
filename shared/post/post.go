// Package post is the domain of what sources return: a post as its platform shows it, before it is matched or judged.
// Strangers wrote its texts, which are hostile wherever they go.
//
// Sources, the matcher, the judges, the setup engine and the functions collect and ingest import it.
package post

import (
	"fmt"
	"maps"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"earshot/shared/mention"
)

// A Post is what a source found or a user pushed in. nil stands for what a platform does not have or was not captured.
// Names and units are a mention.Mention's.
type Post struct {
	Source   string // the platform, lowercase
	SourceID string // <platform>_<kind>_<native id>, at most mention.MaxSourceID bytes
	URL      string
	PostedAt time.Time
	EditedAt time.Time `json:",omitzero"` // when the texts were last changed; zero: never, or the platform does not say
	Title    *string
	Body     *string // plain text

	Author          *string // handle, with no @ before it
	AuthorName      string
	AuthorURL       *string
	AuthorAvatar    *string
	AuthorFollowers *int64

	IsReply  bool
	ImageURL string
	Review   *mention.Review

	Engagement           map[string]int64 // public counters by the source's own names
	EngagementObservedAt time.Time
}

// Bounds of a post.
const (
	MaxText    = 100 << 10      // bytes of a title or a body; what is longer is cut
	MaxShort   = 2 << 10        // bytes of each other text
	MaxMetrics = 32             // engagement counters
	MaxRating  = 1e6            // of a review
	MaxAhead   = 24 * time.Hour // how far ahead of now a post may be dated: clocks differ, zones are mistaken
)

// Earliest is the oldest date of a post. A source that does not know a date tends to say 1970, and no platform is
// older.
var Earliest = time.Date(1995, 1, 1, 0, 0, 0, 0, time.UTC)

// isPlatform says whether a text can be a platform's name.
func isPlatform(name string) bool {
	const longest = 32
	plain := strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_-") == ""
	return plain && name != "" && len(name) <= longest && name[0] != '_' && name[0] != '-'
}

// Clean makes a post fit to be kept, or says why it cannot be, naming the field as the wire does: invalid UTF-8 and NUL
// are replaced, too long texts cut at a character's end, addresses that are not of the web and numbers that cannot be
// left out, the platform folded to lowercase, times cut to the millisecond. An edit before the post or after now is left
// out. A post without a source, a sourceId or any text, or dated before Earliest or more than MaxAhead after now, is
// refused.
func (p *Post) Clean(now time.Time) error {
	p.Source = strings.ToLower(p.Source)
	p.SourceID = strings.TrimSpace(p.SourceID)
	switch {
	case !isPlatform(p.Source):
		return fmt.Errorf("source: must be a platform's name: 1 to 32 letters, digits, dashes and underscores")
	case p.SourceID == "" || len(p.SourceID) > mention.MaxSourceID:
		return fmt.Errorf("sourceId: must have 1 to %d bytes", mention.MaxSourceID)
	case !utf8.ValidString(p.SourceID) || strings.ContainsRune(p.SourceID, 0):
		return fmt.Errorf("sourceId: must be valid UTF-8 without NUL")
	case p.PostedAt.IsZero():
		return fmt.Errorf("timestamp: is required")
	case p.PostedAt.Before(Earliest):
		return fmt.Errorf("timestamp: %s is before %s", mention.Timestamp(p.PostedAt), mention.Timestamp(Earliest))
	case p.PostedAt.After(now.Add(MaxAhead)):
		return fmt.Errorf("timestamp: %s is more than %v in the future", mention.Timestamp(p.PostedAt), MaxAhead)
	}
	p.PostedAt = p.PostedAt.UTC().Truncate(time.Millisecond)
	if p.EditedAt = p.EditedAt.UTC().Truncate(time.Millisecond); p.EditedAt.Before(p.PostedAt) || p.EditedAt.After(now) {
		p.EditedAt = time.Time{}
	}
	for _, text := range []**string{&p.Title, &p.Body} {
		if *text != nil {
			*text = tidied(*text, MaxText)
		}
	}
	if blank(p.Title) && blank(p.Body) {
		return fmt.Errorf("title, body: one of them is required")
	}
	for _, address := range []**string{&p.AuthorURL, &p.AuthorAvatar} {
		if *address != nil {
			if web := Web(tidy(**address, MaxShort)); web == "" {
				*address = nil
			} else {
				*address = &web
			}
		}
	}
	p.URL, p.ImageURL, p.AuthorName = Web(tidy(p.URL, MaxShort)), Web(
		tidy(p.ImageURL, MaxShort),
	), tidy(p.AuthorName, MaxShort)
	if p.Author != nil {
		p.Author = tidied(p.Author, MaxShort)
		if *p.Author = strings.TrimPrefix(strings.TrimSpace(*p.Author), "@"); *p.Author == "" {
			p.Author = nil
		}
	}
	if len(p.Engagement) > MaxMetrics {
		return fmt.Errorf("engagementMetrics: at most %d counters", MaxMetrics)
	}
	p.Engagement = maps.Clone(p.Engagement)
	for name, count := range p.Engagement {
		if name == "" || len(name) > 64 || !utf8.ValidString(name) {
			return fmt.Errorf("engagementMetrics: a counter's name must have 1 to 64 bytes")
		}
		if count > mention.MaxID || count < -mention.MaxID {
			delete(p.Engagement, name)
		}
	}
	if n := p.AuthorFollowers; n != nil && (*n < 0 || *n > mention.MaxID) {
		p.AuthorFollowers = nil
	}
	if p.EngagementObservedAt.After(now) || len(p.Engagement) > 0 && p.EngagementObservedAt.IsZero() {
		p.EngagementObservedAt = now
	}
	p.EngagementObservedAt = p.EngagementObservedAt.UTC().Truncate(time.Millisecond)
	return p.cleanReview()
}

// cleanReview makes the review fit to be kept, a copy of it: others may hold it.
func (p *Post) cleanReview() error {
	if p.Review == nil {
		return nil
	}
	review := *p.Review
	if !(review.RatingMax >= 1 && review.RatingMax <= MaxRating) {
		return fmt.Errorf("review.ratingMax: must be 1 to %d", int(MaxRating))
	}
	if !(review.Rating >= 0 && review.Rating <= review.RatingMax) || review.Rating != 0 && review.Rating < 1e-6 {
		return fmt.Errorf("review.rating: must be 0 to ratingMax")
	}
	review.Response, review.TargetName = tidy(review.Response, MaxText), tidy(review.TargetName, MaxShort)
	p.Review = &review
	return nil
}

// Web is an address of the web as it came, and nothing for any other: what a stranger gave may be run by whoever
// follows it.
func Web(address string) string {
	parsed, err := url.Parse(address)
	if err != nil || parsed.Scheme != "https" && parsed.Scheme != "http" || parsed.Hostname() == "" {
		return ""
	}
	return address
}

func blank(text *string) bool { return text == nil || strings.TrimSpace(*text) == "" }

// tidied leaves the text that it is given alone: others may hold it.
func tidied(text *string, most int) *string {
	clean := tidy(*text, most)
	return &clean
}

// tidy replaces what is no character and cuts at a character's end.
func tidy(text string, most int) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if strings.ContainsRune(text, 0) {
		text = strings.ReplaceAll(text, "\x00", "\uFFFD")
	}
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}

// Text is title and body as the judges read them: one text, a blank line between.
func (p *Post) Text() string {
	switch {
	case blank(p.Title) && p.Body == nil:
		return ""
	case blank(p.Title):
		return *p.Body
	case blank(p.Body):
		return *p.Title
	}
	return *p.Title + "\n\n" + *p.Body
}

// Subreddit is the community of a post on Reddit, lowercase, without "r/"; empty elsewhere. It comes from the URL.
func (p *Post) Subreddit() string {
	host, path := p.place()
	if host != "reddit.com" && !strings.HasSuffix(host, ".reddit.com") || len(path) < 2 ||
		!strings.EqualFold(path[0], "r") {
		return ""
	}
	return strings.ToLower(path[1])
}

// Repo is the repository of a post on GitHub, lowercase, as "owner/name"; empty elsewhere. It comes from the URL.
func (p *Post) Repo() string {
	host, path := p.place()
	if host != "github.com" || len(path) < 2 {
		return ""
	}
	return strings.ToLower(path[0] + "/" + path[1])
}

func (p *Post) place() (host string, path []string) {
	parsed, err := url.Parse(p.URL)
	if err != nil || parsed.Host == "" {
		return "", nil
	}
	host = strings.TrimPrefix(strings.ToLower(parsed.Hostname()), "www.")
	return host, strings.FieldsFunc(parsed.Path, func(r rune) bool { return r == '/' })
}
