package demo

import (
	"bytes"
	"embed"
	"fmt"
	"time"

	jsonv2 "github.com/go-json-experiment/json"

	"earshot/shared/mention"
	"earshot/shared/story"
	"earshot/shared/web/mentionwire"
)

// written holds the posts of each workspace: a Mention a line, with its age in place of a timestamp, so that the demo
// is always of the last two weeks.
//
//go:embed northwind.jsonl harbour.jsonl robots.jsonl
var written embed.FS

type post struct {
	Age     string              `json:"age"` // as time.ParseDuration reads it
	Mention mentionwire.Mention `json:"mention"`
}

// posts returns the mentions of a workspace as of now.
func posts(name string, now time.Time) ([]mention.Mention, error) {
	content, err := written.ReadFile(name + ".jsonl")
	if err != nil {
		return nil, err
	}
	var found []mention.Mention
	for line := range bytes.Lines(content) {
		var p post
		if err := jsonv2.Unmarshal(line, &p, jsonv2.RejectUnknownMembers(true)); err != nil {
			return nil, fmt.Errorf("%s.jsonl, line %d: %w", name, len(found)+1, err)
		}
		m, err := p.toMention(now)
		if err != nil {
			return nil, fmt.Errorf("%s.jsonl, line %d: %w", name, len(found)+1, err)
		}
		found = append(found, m)
	}
	return found, nil
}

// toMention returns the mention with its times. What followed the post, an answer or a look at its counters, came
// halfway to now.
func (p post) toMention(now time.Time) (mention.Mention, error) {
	age, err := time.ParseDuration(p.Age)
	if err != nil {
		return mention.Mention{}, err
	}
	p.Mention.Timestamp = mention.Timestamp(now.Add(-age))
	m, err := p.Mention.ToMention()
	if err != nil {
		return mention.Mention{}, err
	}
	later := m.PostedAt.Add(age / 2).Truncate(time.Millisecond)
	if m.Engagement != nil {
		m.EngagementObservedAt = later
	}
	if m.Review != nil && m.Review.Response != "" {
		m.Review.ResponseAt = later
	}
	m.StoryID = story.OfMention(&m).String()
	return m, nil
}
