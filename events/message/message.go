// Package message holds what passes between functions through queues, as JSON. A message may come twice, late and
// together with another of its kind. Its consumer must tolerate each.
//
// Functions import it.
package message

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"earshot/shared/mention"
	"earshot/shared/post"
)

// Posts is a message of the queue posts: what was found, on its way to ingest.
type Posts struct {
	Posts []Post `json:"posts"`
}

// Export is a message of the queue exports: an export that is to be written.
type Export struct {
	WorkspaceID string `json:"workspaceId"`
	ExportID    string `json:"exportId"`
}

// Backfill is a message of the queue backfills: a backfill that is due. It names the run, because the row may be another
// run's by then.
type Backfill struct {
	WorkspaceID string `json:"workspaceId"`
	KeywordID   int64  `json:"keywordId"`
	Kind        string `json:"kind"`
	Run         string `json:"run"`
}

// Search is a message of the queue searches: an on-demand search that is to be run.
type Search struct {
	WorkspaceID string `json:"workspaceId"`
	SearchID    string `json:"searchId"`
}

// Scan is a message of the queue scans: a draft whose domain is to be looked at.
type Scan struct {
	WorkspaceID string `json:"workspaceId"`
	DraftID     string `json:"draftId"`
}

// Invitations is a message of the queue invitations: a nudge to look whether the person of these invitations has an
// account by now, and is to become a member. All of them are one person's. The rows of the store are the truth: the
// message holds no address, and what it names may be over.
type Invitations struct {
	Invitations []Invitation `json:"invitations"`
}

// Invitation names an invitation.
type Invitation struct {
	WorkspaceID  string `json:"workspaceId"`
	InvitationID string `json:"invitationId"`
}

// SetupStage is what a stage of a setup run is called with; the state machine carries it, and nothing else, from stage
// to stage.
type SetupStage struct {
	WorkspaceID string   `json:"workspaceId"`
	DraftID     string   `json:"draftId"`
	Run         int64    `json:"run"`
	Sources     []string `json:"sources"`          // that the run asks: the stage measure is called once for each
	Source      string   `json:"source,omitempty"` // of a call for one of them
}

// A Post is a post.Post with the names of a mention on the wire (the contract, section 1).
type Post struct {
	Source          string            `json:"source"`
	SourceID        string            `json:"sourceId"`
	URL             string            `json:"url,omitempty"`
	Timestamp       string            `json:"timestamp"`          // as mention.Timestamp writes it, or RFC 3339
	EditedAt        string            `json:"editedAt,omitempty"` // RFC 3339
	Title           *string           `json:"title,omitempty"`
	Body            *string           `json:"body,omitempty"`
	Author          *string           `json:"author,omitempty"`
	AuthorName      string            `json:"authorName,omitempty"`
	AuthorURL       *string           `json:"authorUrl,omitempty"`
	AuthorAvatar    *string           `json:"authorAvatar,omitempty"`
	AuthorFollowers *int64            `json:"authorFollowers,omitempty"`
	IsReply         bool              `json:"isReply,omitempty"`
	ImageURL        string            `json:"imageUrl,omitempty"`
	Review          *Review           `json:"review,omitempty"`               // one without a rating is no review
	Engagement      map[string]*int64 `json:"engagementMetrics,omitempty"`    // null: unavailable, as if it were missing
	ObservedAt      string            `json:"engagementObservedAt,omitempty"` // RFC 3339
}

// A Review is a mention.Review with its names on the wire.
type Review struct {
	Rating     *float64 `json:"rating"` // null: unavailable, as if it were missing
	RatingMax  float64  `json:"ratingMax"`
	Verified   *bool    `json:"verified,omitempty"`
	Response   string   `json:"response,omitempty"`
	ResponseAt string   `json:"responseAt,omitempty"` // RFC 3339
	TargetName string   `json:"targetName,omitempty"`
}

// FromPost writes a post.
func FromPost(p post.Post) Post {
	wire := Post{
		Source:          p.Source,
		SourceID:        p.SourceID,
		URL:             p.URL,
		Timestamp:       mention.Timestamp(p.PostedAt),
		EditedAt:        fromTime(p.EditedAt),
		Title:           p.Title,
		Body:            p.Body,
		Author:          p.Author,
		AuthorName:      p.AuthorName,
		AuthorURL:       p.AuthorURL,
		AuthorAvatar:    p.AuthorAvatar,
		AuthorFollowers: p.AuthorFollowers,
		IsReply:         p.IsReply,
		ImageURL:        p.ImageURL,
		Engagement:      fromCounters(p.Engagement),
		ObservedAt:      fromTime(p.EngagementObservedAt),
	}
	if r := p.Review; r != nil {
		wire.Review = &Review{&r.Rating, r.RatingMax, r.Verified, r.Response, fromTime(r.ResponseAt), r.TargetName}
	}
	return wire
}

// ToPost reads a post, and says by the field's name what cannot be read of it.
func (w Post) ToPost() (post.Post, error) {
	posted, err := mention.ParseTimestamp(w.Timestamp)
	if err != nil {
		return post.Post{}, fmt.Errorf("timestamp: %q is neither YYYY-MM-DD HH:mm:ss.SSS nor RFC 3339", w.Timestamp)
	}
	observed, err := toTime("engagementObservedAt", w.ObservedAt)
	if err != nil {
		return post.Post{}, err
	}
	edited, err := toTime("editedAt", w.EditedAt)
	if err != nil {
		return post.Post{}, err
	}
	p := post.Post{
		Source:               w.Source,
		SourceID:             w.SourceID,
		URL:                  w.URL,
		PostedAt:             posted,
		EditedAt:             edited,
		Title:                w.Title,
		Body:                 w.Body,
		Author:               w.Author,
		AuthorName:           w.AuthorName,
		AuthorURL:            w.AuthorURL,
		AuthorAvatar:         w.AuthorAvatar,
		AuthorFollowers:      w.AuthorFollowers,
		IsReply:              w.IsReply,
		ImageURL:             w.ImageURL,
		Engagement:           toCounters(w.Engagement),
		EngagementObservedAt: observed,
	}
	if r := w.Review; r != nil {
		answered, err := toTime("review.responseAt", r.ResponseAt)
		if err != nil {
			return post.Post{}, err
		}
		if r.Rating != nil { // the rating is what makes a review of a post; 0 would be the worst
			p.Review = &mention.Review{Rating: *r.Rating, RatingMax: r.RatingMax, Verified: r.Verified,
				Response: r.Response, ResponseAt: answered, TargetName: r.TargetName}
		}
	}
	return p, nil
}

func fromCounters(counters map[string]int64) map[string]*int64 {
	if counters == nil {
		return nil
	}
	wire := make(map[string]*int64, len(counters))
	for name, count := range counters {
		wire[name] = &count
	}
	return wire
}

// toCounters leaves out unavailable counters: they are not zero (service.md, Mention).
func toCounters(wire map[string]*int64) map[string]int64 {
	if wire == nil {
		return nil
	}
	counters := make(map[string]int64, len(wire))
	for name, count := range wire {
		if count != nil {
			counters[name] = *count
		}
	}
	return counters
}

func fromTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}

func toTime(name, text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return time.Time{}, fmt.Errorf("%s: %q is not RFC 3339", name, text)
	}
	return t.UTC(), nil
}

// Unpack reads a message of the queue posts. Posts that cannot be read are left out and counted; what the message has
// besides posts, and a post besides the fields above, is not looked at.
func Unpack(body []byte) (posts []post.Post, unreadable int, err error) {
	var m struct {
		Posts []json.RawMessage `json:"posts"`
	}
	if err := json.Unmarshal(body, &m); err != nil {
		return nil, 0, fmt.Errorf("read posts: %w", err)
	}
	if m.Posts == nil {
		return nil, 0, errors.New("read posts: there are none")
	}
	for _, raw := range m.Posts {
		var wire Post
		if err := json.Unmarshal(raw, &wire); err != nil {
			unreadable++
			continue
		}
		p, err := wire.ToPost()
		if err != nil {
			unreadable++
			continue
		}
		posts = append(posts, p)
	}
	return posts, unreadable, nil
}
