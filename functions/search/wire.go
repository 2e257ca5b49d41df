package search

import (
	"encoding/json"
	"fmt"

	"github.com/danielgtaylor/huma/v2"

	"earshot/shared/keyword"
	"earshot/shared/mention"
	"earshot/shared/search"
	"earshot/shared/web"
	"earshot/shared/web/mentionwire"
	"earshot/shared/web/searchwire"
)

// A Window is how far back a search looks.
type Window string

// Schema lists the windows.
func (Window) Schema(huma.Registry) *huma.Schema {
	schema := enum(search.Windows())
	schema.Description = "How far back the search looks."
	return schema
}

// A Status is the state of a search.
type Status string

// Schema lists the statuses.
func (Status) Schema(huma.Registry) *huma.Schema { return enum(search.Statuses()) }

// A Platform is a source that can be named in a request.
type Platform string

// Schema lists the platforms.
func (Platform) Schema(huma.Registry) *huma.Schema { return enum(keyword.Platforms()) }

// A Relevance is the least relevance of a result.
type Relevance string

// Schema lists the values.
func (Relevance) Schema(huma.Registry) *huma.Schema {
	schema := enum([]string{"high", "medium", "low"})
	schema.Description = "The least relevance of a result. low returns all."
	return schema
}

func (r Relevance) score() mention.Score {
	switch r {
	case "high":
		return mention.High
	case "low":
		return mention.Low
	}
	return mention.Medium
}

func enum[T ~string](values []T) *huma.Schema {
	schema := &huma.Schema{Type: huma.TypeString}
	for _, value := range values {
		schema.Enum = append(schema.Enum, string(value))
	}
	return schema
}

// Search is a search on the wire.
type Search struct {
	SearchID    string              `json:"searchId"`
	Status      Status              `json:"status"`
	Query       string              `json:"query"`
	TimeWindow  Window              `json:"timeWindow"`
	Sources     []string            `json:"sources" doc:"The sources that the search asks. Empty: all."`
	StartedAt   string              `json:"startedAt" format:"date-time"`
	CompletedAt web.Null[string]    `json:"completedAt" doc:"When the search ended, in RFC 3339. Null while it runs."`
	ExpiresAt   string              `json:"expiresAt" format:"date-time" doc:"When the search and its results are deleted."`
	Stats       *Stats              `json:"stats,omitempty" doc:"Absent while the search runs."`
	Partial     *Stats              `json:"partialStats,omitempty" doc:"Only while the search runs: how far it is."`
	PollURL     string              `json:"pollUrl,omitempty" format:"uri" doc:"Only while the search runs."`
	Error       web.Null[string]    `json:"error" doc:"Why the search has no results, for people to read."`
	Mentions    []searchwire.Result `json:"mentions,omitzero" doc:"The results, the most relevant first and among those of one relevance the newest first. Present once the search has ended; lists of searches leave it out. Only a completed search has any. Titles and bodies of more than 4,096 bytes are cut."`
}

// Stats count what became of the posts that a search found.
type Stats struct {
	RawMatches     int               `json:"rawMatches" minimum:"0" doc:"Posts that match the query among those that were read, from all sources together: at most 500 of a platform and 500 of its part of the archive."`
	AfterDedup     int               `json:"afterDedup" minimum:"0" doc:"Without repeats: the same post, or the same text within a day."`
	AfterRelevance int               `json:"afterRelevance" minimum:"0" doc:"As relevant as minRelevance. The response holds at most maxResults of them."`
	Consumed       int               `json:"mentionsConsumed" minimum:"0" doc:"Mentions of the month that the search cost."`
	PerSource      map[string]int    `json:"perSource" doc:"rawMatches by source."`
	Skipped        map[string]string `json:"skippedSources" doc:"Sources that were not asked or did not answer all, and why. archive stands for the posts that came in earlier."`
}

func fromStats(s search.Stats) *Stats {
	wire := &Stats{
		RawMatches:     s.RawMatches,
		AfterDedup:     s.AfterDedup,
		AfterRelevance: s.AfterRelevance,
		Consumed:       s.Consumed,
		PerSource:      s.PerSource,
		Skipped:        s.Skipped,
	}
	if wire.PerSource == nil {
		wire.PerSource = map[string]int{}
	}
	if wire.Skipped == nil {
		wire.Skipped = map[string]string{}
	}
	return wire
}

// fromSearch returns a search's wire form without results. base is the service root.
func fromSearch(s search.Search, base string) Search {
	wire := Search{
		SearchID:   s.ID,
		Status:     Status(s.Status),
		Query:      s.Query,
		TimeWindow: Window(s.Window),
		Sources:    s.Sources,
		StartedAt:  web.FormatTime(s.CreatedAt),
		ExpiresAt:  web.FormatTime(s.ExpiresAt),
		Error:      web.NullIfEmpty(s.Problem),
	}
	if wire.Sources == nil {
		wire.Sources = []string{}
	}
	if !s.Status.Ended() {
		wire.Partial, wire.PollURL = fromStats(s.Stats), base+searchPath+"/"+s.ID
		return wire
	}
	wire.Stats, wire.CompletedAt = fromStats(s.Stats), web.Some(web.FormatTime(s.CompletedAt))
	return wire
}

// withResults adds the results of a search that has ended.
func (wire *Search) withResults(results []json.RawMessage) error {
	wire.Mentions = make([]searchwire.Result, len(results))
	for i, content := range results {
		if err := json.Unmarshal(content, &wire.Mentions[i]); err != nil {
			return fmt.Errorf("read a search's results: %w", err)
		}
	}
	return nil
}

func example() Search {
	score := int64(mention.High)
	return Search{
		SearchID:    exampleSearch,
		Status:      "completed",
		Query:       `northwind alerts -jobs`,
		TimeWindow:  "7d",
		Sources:     []string{"hackernews", "reddit"},
		StartedAt:   "2026-11-20T10:15:00.000Z",
		CompletedAt: web.Some("2026-11-20T10:15:04.210Z"),
		ExpiresAt:   "2026-12-20T10:15:00.000Z",
		Stats: &Stats{
			RawMatches:     14,
			AfterDedup:     12,
			AfterRelevance: 1,
			Consumed:       1,
			PerSource:      map[string]int{"hackernews": 14},
			Skipped: map[string]string{
				"reddit": "It cannot be asked here: its credentials are not configured, or there is no network.",
			},
		},
		Mentions: []searchwire.Result{{Mention: mentionwire.Mention{
			ID:               90211,
			SourceID:         "hackernews_comment_41907231",
			URL:              "https://posts.example/hackernews/41907231",
			Body:             new("We moved our alerts to Northwind last month and it has been solid."),
			Source:           "hackernews",
			Timestamp:        "2026-11-20 09:30:00.000",
			Author:           new("quietharbor"),
			Relevance:        "relevant",
			RelevanceComment: "Speaks of using the product.",
			Sentiment:        new(mentionwire.Sentiment("Positive")),
			Language:         "english",
			Tags:             []mentionwire.Tag{"customer_testimonial"},
			Keywords:         []mentionwire.MentionKeyword{},
			IsReply:          true,
			RelevanceScore:   &score,
			StoryID:          new("9f3b21c07de4a865"),
		}}},
	}
}
