// Package judge judges posts: language, sentiment, relevance to a workspace with a reason, and topic tags. It is pure
// Go over tables that are part of the program: no network, no model to load, no state. Advised asks a model of the port
// model about the posts of which the embedded judge is unsure.
//
// Judge.Read reads a post once, however many workspaces it concerns. Judge.Judge then judges it for each workspace. All
// values are safe for concurrent use.
//
// The function ingest and the setup engine's sampling import it.
package judge

import (
	"fmt"
	"sync"

	"earshot/shared/judge/language"
	"earshot/shared/judge/relevance"
	"earshot/shared/judge/sentiment"
	"earshot/shared/judge/tags"
	"earshot/shared/judge/words"
	"earshot/shared/mention"
	"earshot/shared/post"
)

// A Judge holds the embedded tables.
type Judge struct {
	language  *language.Detector
	sentiment *sentiment.Judge
	space     *relevance.Space
	tags      func() *tags.Tagger // made for the first post
}

// New makes a judge. It reads nothing but memory.
func New() (*Judge, error) {
	detector, err := language.New()
	if err != nil {
		return nil, fmt.Errorf("judge: %w", err)
	}
	tone, err := sentiment.New()
	if err != nil {
		return nil, fmt.Errorf("judge: %w", err)
	}
	space, err := relevance.New()
	if err != nil {
		return nil, fmt.Errorf("judge: %w", err)
	}
	return &Judge{language: detector, sentiment: tone, space: space, tags: sync.OnceValue(tags.New)}, nil
}

// english is the language of the word vectors and of the rules for tags.
const english = relevance.English

// A Reading is what a post says, for any workspace.
type Reading struct {
	Language  string // full lowercase English name, or mention.Undetermined
	Sentiment mention.Sentiment

	text    relevance.Text
	english bool
	topics  []mention.Tag
	vector  []byte
}

// Read reads a post. For relevance and tags it reads at most words.MaxBytes of it.
func (j *Judge) Read(p *post.Post) Reading {
	text := p.Text()
	cut := words.Cut(text)
	r := Reading{Language: j.language.Detect(text), text: j.space.Read(cut)}
	r.Sentiment = j.sentiment.JudgeIn(r.Language, text)
	r.english = r.Language == english || r.Language == mention.Undetermined && r.text.English()
	if r.english {
		r.topics = j.tags().Tags(cut)
	}
	r.vector = j.space.Vector(r.text)
	return r
}

// Vector returns what is stored with a user's judgement of the post, for learning: at most 128 bytes, or nil if the
// embedding knows no word of the post.
func (r Reading) Vector() []byte { return r.vector }

// language returns the language by whose words the post is judged.
func (r Reading) language() string {
	if r.english {
		return english
	}
	return r.Language
}
