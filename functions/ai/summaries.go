package ai

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"earshot/events/message/summarize"
	"earshot/shared/filter"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/summary"
	"earshot/shared/web"
	"earshot/shared/web/problem"
	"earshot/shared/workspace"
)

const (
	summariesPath  = "/api/v2/ai/summaries"
	exampleSummary = "sum_01KAGW7Z8R4Y6H2N3M5P9Q0S1T"
	pollAfter      = 5 // seconds
)

func registerSummaries(api *web.API, a ai) {
	running := summaryExample()
	running.Status, running.CompletedAt, running.Model = "running", web.Null[string]{}, web.Null[string]{}
	running.Headline, running.Figures, running.Themes = "", SummaryFigures{}, []SummaryTheme{}
	web.Register(api, web.Operation{
		ID: "createSummary", Method: http.MethodPost, Path: summariesPath, Group: Group, Scope: workspace.Write,
		Summary: "Summarize what the mentions of a period say",
		Description: "Give `filters`, or `feedId` for the mentions of a feed as its filters are now, or neither for all. " +
			"Relevant mentions count, unless the filters have a condition on relevance. A date without a time is a day of " +
			"UTC. Dates of the filters narrow the period.\n\n" +
			"The response is a 202. Poll `Location` until `status` is another than running. A repeat with the same " +
			"Idempotency-Key returns the same summary and runs nothing.",
		Codes: []problem.Code{problem.FeedNotFound, problem.MentionKeywordUnknown, problem.FilterLimitExceeded},
		Answers: []web.Answer{{
			Status:      http.StatusAccepted,
			ContentType: "application/json",
			Meaning:     "The summary is being written.",
			Headers:     []string{"Location", "Retry-After"},
			Body:        running,
		}},
	}, a.createSummary)
	web.Register(api, web.Operation{
		ID: "listSummaries", Method: http.MethodGet, Path: summariesPath, Group: Group,
		Summary:     "List the workspace's summaries, newest first",
		Description: "The list has the summaries of 90 days. Follow `pagination.nextCursor` until it is null.",
		Example:     SummaryList{Data: []Summary{summaryExample()}},
	}, a.listSummaries)
	web.Register(api, web.Operation{
		ID: "getSummary", Method: http.MethodGet, Path: summariesPath + "/{summaryId}", Group: Group,
		Summary: "Read a summary",
		Description: "`figures` count all mentions of the period. At most 2,000 mentions are read to find themes, as " +
			"POST /analytics/themes does: `count` and `share` of a theme are about those.\n\n" +
			"Without a model, each sentence is a quote of the mention that it cites, between “ and ”. If the deployment has " +
			"a model, it writes sentences about English themes. A program keeps a sentence only if each mention that it cites " +
			"was selected, is of the theme and has its words, and if the figures or these mentions give every number in it. " +
			"Themes of which nothing is kept have quotes. `model` is null if all sentences are quotes. Sentences and titles hold " +
			"words of strangers: treat them as untrusted.\n\n" +
			"Poll while `status` is running: Retry-After says when. A summary is deleted after 90 days. From then on the " +
			"response is SUMMARY_NOT_FOUND.",
		Codes:   []problem.Code{problem.SummaryNotFound},
		Example: summaryExample(),
	}, a.getSummary)
}

func (a ai) createSummary(ctx context.Context, in *CreateSummaryInput) (*Summary, error) {
	org, request := web.CallerOf(ctx).Workspace.ID, web.Repeated(ctx)
	// A first request may have died before it could respond. What it began is no new summary.
	s, err := a.Store.BegunSummary(ctx, org, request)
	if err != nil {
		return nil, err
	}
	if s.ID == "" {
		wanted, err := a.wanted(ctx, org, in.Body)
		if err != nil {
			return nil, err
		}
		s, err = a.Store.BeginSummary(ctx, wanted, request)
		if errors.Is(err, table.ErrTooLarge) {
			return nil, problem.New(problem.FilterLimitExceeded, "The filters are too long. Use fewer or shorter values.")
		}
		if err != nil {
			return nil, err
		}
	}
	if !s.Status.Ended() {
		if err := a.enqueue(ctx, s); err != nil {
			return nil, err
		}
	}
	web.SetStatus(ctx, http.StatusAccepted)
	web.SetHeader(ctx, "Location", web.BaseURL(ctx)+summariesPath+"/"+s.ID)
	web.SetHeader(ctx, "Retry-After", strconv.Itoa(pollAfter))
	return fromSummary(s)
}

// wanted returns the summary that a request asks for.
func (a ai) wanted(ctx context.Context, org string, asked CreateSummary) (wanted summary.Summary, err error) {
	now := a.Clock.Now()
	wanted = summary.Summary{
		ID:          workspace.NewID(summary.Prefix, now),
		WorkspaceID: org,
		FeedID:      asked.FeedID,
		Status:      summary.Running,
		CreatedAt:   now,
		ExpiresAt:   now.Add(summary.Kept),
	}
	if wanted.Start, wanted.End, err = asked.period(now); err != nil {
		return wanted, err
	}
	written := []string{asked.Filters.JSON()}
	if asked.FeedID != 0 {
		f, err := a.Store.Feed(ctx, org, asked.FeedID)
		if errors.Is(err, store.ErrNotFound) {
			return wanted, problem.New(problem.FeedNotFound, "No feed has the id in feedId. GET /api/v2/feeds lists them.")
		}
		if err != nil {
			return wanted, err
		}
		written = []string{string(f.SimpleFilters), string(f.AdvancedFilters)}
	}
	var parts []filter.Filter
	for _, text := range written {
		if text == "" {
			continue
		}
		part, faults := filter.Parse([]byte(text))
		if len(faults) > 0 { // of a feed whose filters the grammar no longer accepts
			return wanted, fmt.Errorf("read a stored filter: %s: %s", faults[0].Path, faults[0].Message)
		}
		wanted.Selecting, parts = append(wanted.Selecting, text), append(parts, part)
	}
	selecting := filter.And(parts...)
	if n := selecting.Conditions() + 1; n > filter.MaxConditions {
		return wanted, problem.New(problem.FilterLimitExceeded,
			"The summary has %d conditions, including that on relevance. Use at most %d.", n, filter.MaxConditions)
	}
	if asked.FeedID == 0 {
		if err := a.checkKeywords(ctx, org, selecting.Keywords()); err != nil {
			return wanted, err
		}
	}
	from, until := selecting.Window()
	if from.After(wanted.Start) {
		wanted.Start = from
	}
	if !until.IsZero() && until.Before(wanted.End) {
		wanted.End = until
	}
	if !wanted.Start.Before(wanted.End) {
		return wanted, problem.Invalid(problem.Detail{
			Path: "startDate", Code: "range", Message: "Expected a period that overlaps the dates of the filters."})
	}
	return wanted, nil
}

// checkKeywords refuses ids that the workspace has no keyword for. ids are sorted and unique.
func (a ai) checkKeywords(ctx context.Context, org string, ids []int64) error {
	for some := range slices.Chunk(ids, table.MaxBatchGet) {
		known, err := a.Store.KeywordsKnown(ctx, org, some)
		if err != nil {
			return err
		}
		for _, id := range some {
			if !known[id] {
				return problem.New(problem.MentionKeywordUnknown,
					"The workspace has no keyword with the id %d. GET /api/v2/keywords lists them.", id)
			}
		}
	}
	return nil
}

// enqueue hands a summary to the worker. Sending it twice is harmless. A summary that nobody will write ends at once.
func (a ai) enqueue(ctx context.Context, s summary.Summary) error {
	err := summarize.Send(ctx, a.Queue, 0, summarize.Summary{WorkspaceID: s.WorkspaceID, SummaryID: s.ID})
	if err == nil {
		return nil
	}
	_, unsettled := a.Store.FailSummary(
		context.WithoutCancel(ctx), s.WorkspaceID, s.ID, "The summary could not be queued. Ask for it again.",
	)
	return errors.Join(fmt.Errorf("enqueue a summary: %w", err), unsettled)
}

// listSelection is what a cursor is bound to.
const listSelection = "summaries"

func (a ai) listSummaries(ctx context.Context, in *ListSummariesInput) (*SummaryList, error) {
	caller, before := web.CallerOf(ctx), ""
	if in.Cursor != "" {
		if err := web.OpenCursor(caller, listSelection, in.Cursor, &before); err != nil {
			return nil, err
		}
	}
	found, more, err := a.Store.ListSummaries(ctx, caller.Workspace.ID, before, in.Limit)
	if err != nil {
		return nil, err
	}
	list := &SummaryList{Data: make([]Summary, 0, len(found))}
	for _, s := range found {
		s, err := a.inTime(ctx, s)
		if errors.Is(err, store.ErrNotFound) {
			continue // it expired meanwhile
		}
		if err != nil {
			return nil, err
		}
		wire, err := fromSummary(s)
		if err != nil {
			return nil, err
		}
		list.Data = append(list.Data, *wire)
	}
	if more {
		next, err := web.SealCursor(caller, listSelection, found[len(found)-1].ID)
		if err != nil {
			return nil, err
		}
		list.Pagination.NextCursor = web.Some(next)
	}
	return list, nil
}

func (a ai) getSummary(ctx context.Context, in *GetSummaryInput) (*Summary, error) {
	s, err := a.Store.Summary(ctx, web.CallerOf(ctx).Workspace.ID, in.SummaryID)
	if err == nil {
		s, err = a.inTime(ctx, s)
	}
	if errors.Is(err, store.ErrNotFound) {
		return nil, problem.New(problem.SummaryNotFound,
			"The workspace has no summary with this id, or it has expired. GET /api/v2/ai/summaries lists them.")
	}
	if err != nil {
		return nil, err
	}
	if !s.Status.Ended() {
		web.SetHeader(ctx, "Retry-After", strconv.Itoa(pollAfter))
	}
	return fromSummary(s)
}

// inTime returns a summary as it is, and ends it as failed if it should have ended long ago: its message was lost with who
// began it. Returns store.ErrNotFound if it is gone.
func (a ai) inTime(ctx context.Context, s summary.Summary) (summary.Summary, error) {
	if s.Status.Ended() || a.Clock.Now().Before(s.CreatedAt.Add(summary.GivenUp)) {
		return s, nil
	}
	return a.Store.FailSummary(ctx, s.WorkspaceID, s.ID, "The summary was not written in time. Ask for it again.")
}

// period returns the period of a request: up to the end of today, or seven days, unless both dates are given.
func (c CreateSummary) period(now time.Time) (start, end time.Time, err error) {
	start, end, faults := c.dates()
	if len(faults) > 0 {
		return start, end, problem.Invalid(faults...)
	}
	if c.EndDate == "" {
		end = now.UTC().Truncate(24*time.Hour).AddDate(0, 0, 1)
	}
	if c.StartDate == "" {
		start = end.AddDate(0, 0, -summary.UsualDays)
	}
	if faults := c.rangeFaults(start, end); len(faults) > 0 {
		return start, end, problem.Invalid(faults...)
	}
	return start, end, nil
}

// dates returns the dates of a request, and their faults that do not depend on the present moment. A date that is not
// given is zero.
func (c CreateSummary) dates() (start, end time.Time, faults []problem.Detail) {
	read := func(name, text string) (moment time.Time) {
		if text == "" {
			return moment
		}
		moment, ok := momentOf(text)
		if !ok {
			faults = append(faults, problem.Detail{
				Path:    name,
				Code:    "format",
				Message: "Expected YYYY-MM-DD, YYYY-MM-DD HH:mm:ss.SSS, or RFC 3339 with a zone, in the years 1970 to 9999.",
			})
		}
		return moment
	}
	start, end = read("startDate", c.StartDate), read("endDate", c.EndDate)
	if len(faults) == 0 && c.StartDate != "" && c.EndDate != "" {
		faults = c.rangeFaults(start, end)
	}
	return start, end, faults
}

// rangeFaults returns what is wrong with a period of two moments.
func (c CreateSummary) rangeFaults(start, end time.Time) []problem.Detail {
	switch {
	case !start.Before(end) && c.EndDate == "":
		return []problem.Detail{{
			Path: "startDate", Code: "range", Message: "Expected a date that is not in the future."}}
	case !start.Before(end):
		return []problem.Detail{{
			Path: "endDate", Code: "range", Message: "Expected a date after startDate. The end is not part of the period."}}
	case end.After(start.AddDate(0, 0, summary.MaxDays)):
		return []problem.Detail{{
			Path: "startDate", Code: "range",
			Message: fmt.Sprintf(
				"The period has more than %d days. Give a later startDate or an earlier endDate.",
				summary.MaxDays,
			),
		}}
	}
	return nil
}
