package deliverywire

import (
	"encoding/json"
	"fmt"

	"earshot/shared/delivery"
	"earshot/shared/feed"
	"earshot/shared/mention"
	"earshot/shared/summary"
	"earshot/shared/web"
	"earshot/shared/web/mentionwire"
	"earshot/shared/web/summarywire"
)

// maxListed is how many bytes a mention of a digest has at most, before it is made thin.
const maxListed = 8 << 10

// DigestEvent is the body that a webhook gets of an interval.
type DigestEvent struct {
	Type      string     `json:"type"`
	Timestamp string     `json:"timestamp"` // the interval's end
	Data      DigestData `json:"data"`
}

// DigestData is what a digest tells. Its mentions are in the order in which they were found. An interval with many has
// several events, whose figures are the same.
type DigestData struct {
	NotificationID int64    `json:"notificationId,omitempty"`
	Feed           Feed     `json:"feed"`
	From           string   `json:"from"` // the interval holds this moment
	To             string   `json:"to"`   // and not this one
	Part           int      `json:"part"` // from 1
	Parts          int      `json:"parts"`
	Figures        Figures  `json:"figures"`
	Sequence       int64    `json:"sequence"` // of the first mention here, among those that the feed told of
	Mentions       []Listed `json:"mentions"`

	// Summary says what the mentions that were posted in the interval say. Null if the destination wants none, or if none
	// was written in time. Strangers' words are in it.
	Summary web.Null[summarywire.Summary] `json:"summary"`
}

// Figures count an interval's mentions.
type Figures struct {
	Mentions         int               `json:"mentions"`
	PreviousMentions web.Null[int64]   `json:"previousMentions"` // of the interval before; null if nothing is known of it
	Sentiments       Sentiments        `json:"sentiments"`
	Keywords         []KeywordMentions `json:"keywords"` // the most first, at most 20; a mention counts for each of its keywords
}

// Sentiments count mentions by their sentiment.
type Sentiments struct {
	Positive int `json:"positive"`
	Neutral  int `json:"neutral"`
	Negative int `json:"negative"`
}

// KeywordMentions counts the mentions of a keyword.
type KeywordMentions struct {
	ID       int64  `json:"id"`
	Text     string `json:"text"`
	Mentions int    `json:"mentions"`
}

// A Listed mention is one of a digest.
type Listed struct {
	mentionwire.Mention
	// Truncated says that the mention is too long for an event, and has no text here. APIURL is its path in the API.
	Truncated bool   `json:"truncated,omitempty"`
	APIURL    string `json:"apiUrl,omitempty"`
}

// Digest returns the body of an event that tells of an interval. said is its summary; nil for none.
func Digest(
	d delivery.Digest, f feed.Feed, notificationID, sequence int64, mentions []mention.Mention, said *summary.Summary,
) ([]byte, error) {
	data := DigestData{
		NotificationID: notificationID, Feed: Feed{f.ID, f.Name}, From: web.FormatTime(d.From), To: web.FormatTime(d.To),
		Part: d.Part, Parts: d.Parts, Sequence: sequence,
		Figures: Figures{
			Mentions:   d.Figures.Mentions,
			Sentiments: Sentiments{d.Figures.Positive, d.Figures.Neutral, d.Figures.Negative},
			Keywords:   make([]KeywordMentions, len(d.Figures.Keywords)),
		},
	}
	if before := d.Figures.Before; before != nil {
		data.Figures.PreviousMentions = web.Some(int64(*before))
	}
	for i, k := range d.Figures.Keywords {
		data.Figures.Keywords[i] = KeywordMentions(k)
	}
	if said != nil {
		written, err := summarywire.FromSummary(*said)
		if err != nil {
			return nil, fmt.Errorf("write a digest: %w", err)
		}
		data.Summary = web.Some(*written)
	}
	var err error
	if data.Mentions, err = listed(mentions); err != nil {
		return nil, err
	}
	body, err := json.Marshal(DigestEvent{string(delivery.MentionsDigest), web.FormatTime(d.To), data})
	if err != nil {
		return nil, fmt.Errorf("write a digest: %w", err)
	}
	return body, nil
}
