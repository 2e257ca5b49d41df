package ai

import (
	"time"

	"github.com/danielgtaylor/huma/v2"

	"earshot/shared/mention"
	"earshot/shared/summary"
	"earshot/shared/web"
	"earshot/shared/web/filterwire"
	"earshot/shared/web/summarywire"
)

// CreateSummaryInput holds a summary to write.
type CreateSummaryInput struct{ Body CreateSummary }

// CreateSummary is the body that asks for a summary.
type CreateSummary struct {
	Filters   filterwire.Either `json:"filters,omitzero" doc:"A simple or an advanced filter, as for POST /mentions. Not with feedId."`
	FeedID    int64             `json:"feedId,omitempty" minimum:"1" maximum:"9007199254740991" doc:"The id of a feed. Not with filters."`
	StartDate string            `json:"startDate,omitempty" minLength:"1" doc:"The first day, or the first moment, that counts. Default: 7 days before the end." example:"2026-11-14"`
	EndDate   string            `json:"endDate,omitempty" minLength:"1" doc:"The first day, or the first moment, that no longer counts. Default: the end of today." example:"2026-11-21"`
}

// Resolve refuses two selections, and reports the faults of the dates.
func (c *CreateSummary) Resolve(_ huma.Context, at *huma.PathBuffer) []error {
	_, _, dates := c.dates()
	faults := web.Faults(dates...)
	if c.FeedID != 0 && !c.Filters.IsZero() {
		faults = append(faults, web.Fault(at, "feedId", "conflict", "Expected filters or feedId, not both"))
	}
	return faults
}

// ListSummariesInput selects a page.
type ListSummariesInput struct {
	Limit  int    `query:"limit" minimum:"1" maximum:"100" default:"20" doc:"The largest number of summaries in a page."`
	Cursor string `query:"cursor" minLength:"1" doc:"The nextCursor of a page."`
}

// SummaryList is a page of summaries.
type SummaryList struct {
	Data       []Summary      `json:"data"`
	Pagination web.Pagination `json:"pagination"`
}

// GetSummaryInput names a summary.
type GetSummaryInput struct {
	SummaryID string `path:"summaryId" doc:"The summaryId that createSummary returned."`
}

// The wire types of a summary, which digests have too.
type (
	Summary         = summarywire.Summary
	SummaryFigures  = summarywire.SummaryFigures
	SummaryTones    = summarywire.SummaryTones
	SummaryTheme    = summarywire.SummaryTheme
	SummarySentence = summarywire.SummarySentence
)

func fromSummary(s summary.Summary) (*Summary, error) { return summarywire.FromSummary(s) }

// momentOf reads a day of UTC, at its first moment, or a moment, rounded up to the millisecond.
func momentOf(text string) (time.Time, bool) {
	moment, err := time.Parse(time.DateOnly, text)
	if err != nil {
		moment, err = mention.ParseMoment(text)
	}
	if cut := moment.Truncate(time.Millisecond); cut.Before(moment) {
		moment = cut.Add(time.Millisecond)
	}
	return moment.UTC(), err == nil && moment.Year() >= 1970 && moment.Year() <= 9999
}

func summaryExample() Summary {
	return Summary{
		SummaryID:   exampleSummary,
		Status:      "completed",
		FeedID:      web.Some(int64(11)),
		StartDate:   "2026-11-14T00:00:00.000Z",
		EndDate:     "2026-11-21T00:00:00.000Z",
		CreatedAt:   "2026-11-20T10:15:00.000Z",
		CompletedAt: web.Some("2026-11-20T10:15:04.210Z"),
		Headline: "40 mentions, 25% more than in the period before; 15 of 40 with a sentiment are negative. " +
			`The largest theme, "login error, password reset", has 50% of the stories.`,
		Figures: SummaryFigures{
			Mentions: 40, Change: web.Some(0.25), Sentiment: SummaryTones{Positive: 10, Neutral: 15, Negative: 15}, Exact: true,
		},
		Themes: []SummaryTheme{{
			Title:     "login error, password reset",
			Count:     21,
			Share:     0.5,
			Sentiment: SummaryTones{Positive: 2, Neutral: 4, Negative: 15},
			Sentences: []SummarySentence{{
				Text: "“The password reset does not help either.”", MentionIDs: []int64{7301},
			}},
		}},
	}
}
