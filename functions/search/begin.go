package search

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"earshot/events/message"
	"earshot/shared/port/queue"
	"earshot/shared/query"
	"earshot/shared/search"
	"earshot/shared/store"
	"earshot/shared/store/searchstore"
	"earshot/shared/web"
	"earshot/shared/web/problem"
	"earshot/shared/workspace"
)

const (
	prefixSearch = "srch_"
	pollAfter    = 2 // seconds
	defaultWait  = 10 * time.Second
	// The first look at a running search comes soon, and each further one twice as late up to the last.
	firstLook, lastLook = 100 * time.Millisecond, time.Second
)

type begin struct{ Options }

func registerBegin(api *web.API, b begin) {
	polled := append([]string{"Location", "Retry-After"}, web.RemainingHeaders()...)
	running := example()
	running.Status, running.CompletedAt, running.Mentions = "running", web.Null[string]{}, nil
	running.Partial, running.Stats = running.Stats, nil
	running.PollURL = web.ServerPlaceholder + searchPath + "/" + exampleSearch
	web.RegisterBytes(api, web.Operation{
		ID: "createSearch", Method: http.MethodPost, Path: searchPath, Group: Group, Agents: true,
		Summary: "Search the platforms and the archive now",
		Description: "The search tracks nothing: its results belong to it, can be read for 30 days, and are no " +
			"mentions of the workspace. A new result counts as one mention of the month. A result that the workspace " +
			"has, or had in an earlier search of the month, is free. If the new results do not fit into the rest of " +
			"the month, the search ends `quota_exhausted` and costs nothing. So does a search that ends `failed`.\n\n" +
			"`query` has words, `\"phrases\"`, `-not`, `OR`, and `author:`, `site:`, `lang:`, `source:` and `title:` " +
			"right before a word or a phrase. A post meets all terms on one side of an `OR`. Everything else is text.\n\n" +
			"The response is the search, if it ends within `waitMs`. Otherwise it is a 202: poll `pollUrl` until " +
			"`status` is another than running.\n\nOn the Agents plan, UPGRADE_REQUIRED means that its searches or the " +
			"month's mentions are used up. On other plans, QUOTA_EXCEEDED means that the month's mentions are.",
		Codes: []problem.Code{problem.UpgradeRequired, problem.QuotaExceeded},
		Answers: []web.Answer{
			{
				Status:      http.StatusOK,
				ContentType: "application/json",
				Meaning:     "The search has ended.",
				Headers:     web.RemainingHeaders(),
				Body:        example(),
			},
			{
				Status:      http.StatusAccepted,
				ContentType: "application/json",
				Meaning:     "The search is running.",
				Headers:     polled,
				Body:        running,
			},
		},
	}, b.begin)
}

// CreateSearchInput holds a search to begin.
type CreateSearchInput struct{ Body CreateSearch }

// CreateSearch is the body that begins a search.
type CreateSearch struct {
	Query        string     `json:"query" minLength:"1" doc:"What to look for. At most 1,000 characters." example:"northwind alerts -jobs"`
	TimeWindow   Window     `json:"timeWindow,omitempty" default:"7d"`
	Sources      []Platform `json:"sources,omitempty" minItems:"1" maxItems:"50" doc:"The sources to ask. Without it, all."`
	MaxResults   int        `json:"maxResults,omitempty" minimum:"1" maximum:"500" default:"100"`
	MinRelevance Relevance  `json:"minRelevance,omitempty" default:"medium"`
	WaitMs       *int       `json:"waitMs,omitempty" minimum:"0" maximum:"25000" default:"10000" doc:"How many milliseconds the response may wait for the search's end."`
}

// Resolve finds the faults of the query, each with its place.
func (c *CreateSearch) Resolve(_ huma.Context, at *huma.PathBuffer) (faults []error) {
	if c.Query == "" {
		return nil // the schema's fault
	}
	_, found := query.Parse(c.Query)
	for _, f := range found {
		place := problem.Place{Position: f.At, Length: f.Length, Suggestion: f.Suggestion}
		faults = append(faults, web.FaultAt(at, "query", string(f.Code), strings.TrimSuffix(f.Message, "."), place))
	}
	return faults
}

func (b begin) begin(ctx context.Context, in *CreateSearchInput) (*web.Bytes, error) {
	w, request := web.CallerOf(ctx).Workspace, web.Repeated(ctx)
	// A first request may have died before it could respond. What it began is no new search.
	s, err := b.Store.BegunSearch(ctx, w.ID, request)
	if err != nil {
		return nil, err
	}
	if s.ID == "" {
		if err := b.walls(ctx); err != nil {
			return nil, err
		}
		s, err = b.Store.BeginSearch(ctx, b.wanted(w.ID, in.Body), w.Plan.Limits().Searches, request)
		if errors.Is(err, searchstore.ErrNoSearches) {
			return nil, noSearches(ctx)
		}
		if err != nil {
			return nil, err
		}
	}
	if !s.Status.Ended() {
		if err := b.enqueue(ctx, s); err != nil {
			return nil, err
		}
		wait := defaultWait
		if in.Body.WaitMs != nil {
			wait = time.Duration(*in.Body.WaitMs) * time.Millisecond
		}
		if s, err = b.await(ctx, s, wait); err != nil {
			return nil, err
		}
	}
	return b.respond(ctx, s)
}

func (b begin) wanted(orgID string, asked CreateSearch) search.Search {
	now := b.Clock.Now()
	request := search.Request{
		Query:        asked.Query,
		Window:       search.Window(asked.TimeWindow),
		Sources:      []string{},
		MaxResults:   asked.MaxResults,
		MinRelevance: asked.MinRelevance.score(),
	}
	for _, platform := range asked.Sources {
		if source := string(platform); !slices.Contains(request.Sources, source) {
			request.Sources = append(request.Sources, source)
		}
	}
	return search.Search{
		ID:          workspace.NewID(prefixSearch, now),
		WorkspaceID: orgID,
		Request:     request,
		Status:      search.Running,
		CreatedAt:   now,
		ExpiresAt:   now.Add(search.Kept).Truncate(time.Second), // as it is stored: each read says the same
	}
}

// enqueue hands a search to the worker. Sending it twice is harmless. A search that nobody will run ends at once.
func (b begin) enqueue(ctx context.Context, s search.Search) error {
	body, err := queue.JSON(message.Search{WorkspaceID: s.WorkspaceID, SearchID: s.ID})
	if err == nil {
		err = b.Queue.Send(ctx, queue.Searches, queue.Message{Body: body})
	}
	if err == nil {
		return nil
	}
	_, unsettled := b.Store.FailSearch(
		context.WithoutCancel(ctx), s.WorkspaceID, s.ID, "The search could not be queued. Search again.", b.Clock.Now(),
	)
	return errors.Join(fmt.Errorf("enqueue a search: %w", err), unsettled)
}

// await looks at a search until it has ended or the wait is over.
func (b begin) await(ctx context.Context, s search.Search, wait time.Duration) (search.Search, error) {
	for look := firstLook; wait > 0; look = min(2*look, lastLook) {
		look = min(look, wait)
		if err := b.Pause(ctx, look); err != nil {
			return s, nil // no time is left: the search runs on
		}
		wait -= look
		found, err := b.Store.Search(ctx, s.WorkspaceID, s.ID)
		if errors.Is(err, store.ErrNotFound) {
			return s, notFound()
		}
		if err != nil || found.Status.Ended() {
			return found, err
		}
		s = found
	}
	return s, nil
}

func (b begin) respond(ctx context.Context, s search.Search) (*web.Bytes, error) {
	wire, err := b.show(ctx, s)
	if err != nil {
		return nil, err
	}
	if err := b.remaining(ctx); err != nil {
		return nil, err
	}
	if !s.Status.Ended() {
		web.SetStatus(ctx, http.StatusAccepted)
		web.SetHeader(ctx, "Location", wire.PollURL)
		web.SetHeader(ctx, "Retry-After", strconv.Itoa(pollAfter))
	}
	return web.JSON(wire)
}
