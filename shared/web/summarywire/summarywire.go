// Package summarywire holds the wire types of summaries.
//
// The function ai puts them into its responses. Package deliverywire puts them into digests.
package summarywire

import (
	"github.com/danielgtaylor/huma/v2"

	"earshot/shared/summary"
	"earshot/shared/web"
	"earshot/shared/web/filterwire"
)

// A SummaryStatus is the state of a summary.
type SummaryStatus string

// Schema lists the statuses.
func (SummaryStatus) Schema(huma.Registry) *huma.Schema {
	return web.OneOf("running until it ends, once.", summary.Statuses()...)
}

// Summary is a summary on the wire.
type Summary struct {
	SummaryID   string                      `json:"summaryId"`
	Status      SummaryStatus               `json:"status"`
	FeedID      web.Null[int64]             `json:"feedId"`
	Filters     web.Null[filterwire.Either] `json:"filters" doc:"The filter of the request. Null for a feed."`
	StartDate   string                      `json:"startDate" format:"date-time"`
	EndDate     string                      `json:"endDate" format:"date-time" doc:"The first moment that no longer counts."`
	CreatedAt   string                      `json:"createdAt" format:"date-time"`
	CompletedAt web.Null[string]            `json:"completedAt" doc:"When the summary ended, in RFC 3339. Null while it runs."`
	Model       web.Null[string]            `json:"model" doc:"The model that wrote sentences. Null if all are quotes."`
	Error       web.Null[string]            `json:"error" doc:"Why the summary failed, for people to read."`
	Headline    string                      `json:"headline" doc:"The figures and the largest theme, in words. Empty unless completed."`
	Figures     SummaryFigures              `json:"figures"`
	Themes      []SummaryTheme              `json:"themes" maxItems:"5" doc:"The themes with the most stories first. Empty unless completed."`
}

// SummaryFigures count the mentions of the period.
type SummaryFigures struct {
	Mentions  int64             `json:"mentions" minimum:"0"`
	Change    web.Null[float64] `json:"change" doc:"How much the number grew against the period of the same length before, as a share: 0.2 is 20 % more. Null if there was no mention before."`
	Sentiment SummaryTones      `json:"sentiment"`
	Exact     bool              `json:"exact" doc:"Whether a recount at completedAt would have given the same figures. False unless completed."`
	Why       string            `json:"why,omitempty" doc:"What differs if the figures are not exact."`
}

// SummaryTones count mentions by sentiment.
type SummaryTones struct {
	Positive int64 `json:"positive" minimum:"0"`
	Neutral  int64 `json:"neutral" minimum:"0"`
	Negative int64 `json:"negative" minimum:"0"`
	Unknown  int64 `json:"unknown" minimum:"0" doc:"Mentions that were not judged yet."`
}

// SummaryTheme is what several mentions speak of.
type SummaryTheme struct {
	Title     string            `json:"title" maxLength:"60" doc:"Its most telling terms, separated by commas."`
	Count     int64             `json:"count" minimum:"1" doc:"Mentions, copies of a story among them."`
	Share     float64           `json:"share" minimum:"0" maximum:"1" doc:"The part that the theme's stories are of all stories."`
	Sentiment SummaryTones      `json:"sentiment"`
	Sentences []SummarySentence `json:"sentences" maxItems:"3"`
}

// SummarySentence is a quote of a mention, or a sentence that rests on mentions.
type SummarySentence struct {
	Text       string  `json:"text" maxLength:"300" doc:"A quote stands between “ and ”."`
	MentionIDs []int64 `json:"mentionIds" minItems:"1" maxItems:"4" doc:"The mentions that say so."`
}

// FromSummary writes a summary. An error means that the filter of its request cannot be read.
func FromSummary(s summary.Summary) (*Summary, error) {
	wire := &Summary{
		SummaryID: s.ID,
		Status:    SummaryStatus(s.Status),
		FeedID:    web.NullIfEmpty(s.FeedID),
		StartDate: web.FormatTime(s.Start),
		EndDate:   web.FormatTime(s.End),
		CreatedAt: web.FormatTime(s.CreatedAt),
		Model:     web.NullIfEmpty(s.Model),
		Error:     web.NullIfEmpty(s.Problem),
		Headline:  s.Headline,
		Figures: SummaryFigures{
			Mentions:  s.Figures.Mentions,
			Sentiment: SummaryTones(s.Figures.Sentiment),
			Exact:     s.Status == summary.Completed && s.Figures.Why == "",
			Why:       s.Figures.Why,
		},
		Themes: make([]SummaryTheme, len(s.Themes)),
	}
	if s.Status.Ended() {
		wire.CompletedAt = web.Some(web.FormatTime(s.CompletedAt))
	}
	if change, ok := s.Figures.Change(); ok {
		wire.Figures.Change = web.Some(change)
	}
	if text := s.Filters(); text != "" {
		var filters filterwire.Either
		if err := filters.UnmarshalJSON([]byte(text)); err != nil {
			return nil, err
		}
		wire.Filters = web.Some(filters)
	}
	for i, t := range s.Themes {
		wire.Themes[i] = SummaryTheme{t.Title, t.Count, t.Share, SummaryTones(t.Sentiment), []SummarySentence{}}
		for _, each := range t.Sentences {
			wire.Themes[i].Sentences = append(wire.Themes[i].Sentences, SummarySentence(each))
		}
	}
	return wire, nil
}
