// Package search asks a deployment a question from the terminal: it begins an on-demand search over the API, shows its
// progress, and writes what was found as a table.
//
// Only the workbench's program imports it, for the word "search".
package search

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"earshot/infra/client"
	"earshot/infra/exit"
	"earshot/infra/terminal"
)

// Options say what to search, and where. Empty values are left to the API.
type Options struct {
	client.Target // its key may read

	Query      string
	ID         string // an earlier search to read, in place of a query
	Window     string // 1d, 7d or 30d
	Sources    []string
	MaxResults int
	Relevance  string // the least: high, medium or low

	// RequestKey names the request, so that it can be sent again when its answer is lost, and is billed once.
	RequestKey string

	JSON     bool // the API's answer on one line
	Width    int  // columns of a line; 0: terminal.UsualWidth
	ASCII    bool // no other letters than those of ASCII
	To       io.Writer
	Progress io.Writer
	// Sleep waits, or returns the context's error.
	Sleep func(context.Context, time.Duration) error
}

// Bounds of waiting.
const (
	usualPause = 2 * time.Second  // where the API names none
	mostPause  = time.Minute      // a longer one is left to the person
	patience   = 15 * time.Minute // all pauses of a search together
	mostTries  = 4                // of a request that fails for a reason that may pass
)

// The headers with what is left of the plan.
const (
	searchesHeader = "X-Earshot-Searches-Remaining"
	mentionsHeader = "X-Earshot-Mentions-Remaining"
)

const root = "/api/v2/search"

// An answer holds the shown parts of a search.
type answer struct {
	SearchID, Status, Query, TimeWindow string

	PollURL      string
	Error        *string // why it has no results
	Stats        stats
	PartialStats *stats
	Mentions     []mention
}

type stats struct {
	RawMatches, AfterDedup, AfterRelevance, MentionsConsumed int64

	PerSource      map[string]json.RawMessage
	SkippedSources map[string]string
}

type mention struct {
	URL, Source, Timestamp, Relevance          string
	Title, Body, Author, AuthorName, Sentiment *string
	RelevanceScore                             *int
	AlreadyInWorkspace                         bool
}

// An asker asks one deployment about one search.
type asker struct {
	*client.Client
	Options
	waited time.Duration
	told   string // the last line of progress
}

// Run searches and writes the result. Its errors are for the person at the terminal, without a final stop.
func Run(ctx context.Context, o Options) error {
	asked, err := client.New(o.Target)
	if err != nil {
		return err
	}
	if o.Width <= 0 {
		o.Width = terminal.UsualWidth
	}
	if o.ASCII {
		o.Progress = terminal.ASCIIWriter(o.Progress)
	}
	a := &asker{Client: asked, Options: o}
	response, found, err := a.begin(ctx)
	if err != nil {
		return err
	}
	id, path := found.SearchID, ""
	for found.Status == "running" {
		if id == "" {
			return exit.Failing(exit.Failed, "the answer has no searchId")
		}
		if found.PollURL != "" || path == "" {
			path = pollPath(a.Client.Base, found.PollURL, id)
		}
		a.progress(found)
		if err := a.pause(ctx, response.Header.Get("Retry-After")); err != nil {
			return a.left(id, err)
		}
		if response, found, err = a.read(ctx, path); err != nil {
			return a.left(id, err)
		}
	}
	return a.write(response, found)
}

// begin sends the query, or reads an earlier search.
func (a *asker) begin(ctx context.Context) (client.Answer, answer, error) {
	if a.ID != "" {
		return a.read(ctx, root+"/"+url.PathEscape(a.ID))
	}
	fmt.Fprintln(a.Progress, "Searching …")
	body := struct {
		Query        string   `json:"query"`
		TimeWindow   string   `json:"timeWindow,omitempty"`
		Sources      []string `json:"sources,omitempty"`
		MaxResults   int      `json:"maxResults,omitempty"`
		MinRelevance string   `json:"minRelevance,omitempty"`
	}{a.Query, a.Window, a.Sources, a.MaxResults, a.Relevance}
	return a.ask(ctx, func() (client.Answer, error) {
		return a.Do(ctx, http.MethodPost, root, body, "Idempotency-Key", a.RequestKey)
	})
}

func (a *asker) read(ctx context.Context, path string) (client.Answer, answer, error) {
	return a.ask(ctx, func() (client.Answer, error) { return a.Get(ctx, path) })
}

// ask sends a request, several times if it fails for a reason that may pass.
func (a *asker) ask(ctx context.Context, send func() (client.Answer, error)) (client.Answer, answer, error) {
	for try := 1; ; try++ {
		response, err := send()
		if err == nil {
			var found answer
			if json.Unmarshal(response.Body, &found) != nil || found.Status == "" {
				err = exit.Failing(exit.Failed, "the answer of %s has not the form of a search", root)
			}
			return response, found, err
		}
		after, again := passing(err)
		if !again || try == mostTries {
			return client.Answer{}, answer{}, err
		}
		if wait := a.pause(ctx, after); wait != nil {
			if ctx.Err() == nil {
				wait = err // the API's own words say more
			}
			return client.Answer{}, answer{}, wait
		}
	}
}

// passing reports whether a failure may pass, and the pause that the API names.
func passing(err error) (after string, again bool) {
	var refused *client.Refusal
	if errors.As(err, &refused) {
		return refused.RetryAfter, exit.StatusOf(err) == exit.Failed || refused.Code == "IDEMPOTENCY_KEY_IN_USE"
	}
	return "", exit.StatusOf(err) == exit.Failed
}

// pause waits as long as the API says, in seconds.
func (a *asker) pause(ctx context.Context, after string) error {
	pause := usualPause
	if seconds, err := strconv.ParseUint(strings.TrimSpace(after), 10, 31); err == nil {
		pause = max(time.Duration(seconds)*time.Second, time.Second)
	}
	if pause > mostPause || a.waited+pause > patience {
		return exit.Failing(exit.Failed, "the search takes longer than this command waits")
	}
	a.waited += pause
	return a.Sleep(ctx, pause)
}

// left says how to come back to a search that was begun.
func (a *asker) left(id string, err error) error {
	fmt.Fprintf(a.Progress, "The search goes on. This reads it: earshot search --id %s\n", terminal.Safe(id))
	return err
}

// pollPath returns the path of a search below the base. The key goes nowhere else: for a URL of another machine the
// path is that of the search's id.
func pollPath(base, pollURL, id string) string {
	own := root + "/" + url.PathEscape(id)
	if path, found := strings.CutPrefix(pollURL, base+"/"); found {
		return "/" + path
	}
	if strings.HasPrefix(pollURL, "/") && !strings.HasPrefix(pollURL, "//") {
		if parsed, err := url.Parse(base); err == nil && parsed.Path != "" {
			if path, found := strings.CutPrefix(pollURL, parsed.Path+"/"); found {
				return "/" + path
			}
		}
		return pollURL
	}
	return own
}

// progress tells how far a search is, once for each change.
func (a *asker) progress(found answer) {
	some := found.PartialStats
	if some == nil {
		some = &found.Stats
	}
	line := fmt.Sprintf("  %s found, %s without doubles, %s relevant",
		plural(some.RawMatches, "post", "posts"), grouped(some.AfterDedup), grouped(some.AfterRelevance))
	if each := some.bySource(); each != "" {
		line += " (" + each + ")"
	}
	if line != a.told {
		fmt.Fprintln(a.Progress, terminal.Safe(line))
		a.told = line
	}
}

// write writes a search that has ended, and returns an error unless it is completed.
func (a *asker) write(response client.Answer, found answer) error {
	var out bytes.Buffer
	footer := a.Progress
	switch {
	case a.JSON:
		if err := json.Compact(&out, response.Body); err != nil {
			return exit.Failing(exit.Failed, "the answer is not JSON: %w", err)
		}
		document := terminal.EscapeJSON(out.Bytes()) + "\n"
		out.Reset()
		out.WriteString(document)
	case found.Status == "completed":
		footer = &out
		a.table(&out, found)
	}
	a.remaining(footer, response.Header)
	if _, err := a.To.Write(out.Bytes()); err != nil {
		return err
	}
	id := terminal.Safe(found.SearchID)
	switch found.Status {
	case "completed":
		return nil
	case "quota_exhausted":
		return exit.Failing(exit.Refused, "the new results of the search %s do not fit what is left of the month, "+
			"so that it cost nothing. Ask for fewer with --limit, or get a larger plan with earshot upgrade", id)
	case "failed":
		reason := "It cost nothing: search again"
		if found.Error != nil {
			reason = strings.TrimSuffix(terminal.Safe(*found.Error), ".")
		}
		return exit.Failing(exit.Failed, "the search %s failed. %s", id, reason)
	}
	return exit.Failing(
		exit.Failed, "the search %s is %s, which this program does not know", id, terminal.Safe(found.Status),
	)
}

// remaining writes what is left of the plan, by the headers.
func (a *asker) remaining(to io.Writer, header http.Header) {
	var left []string
	for _, each := range []struct{ header, one, several string }{
		{searchesHeader, "search", "searches"}, {mentionsHeader, "mention", "mentions"},
	} {
		if number, err := strconv.ParseInt(header.Get(each.header), 10, 64); err == nil {
			left = append(left, plural(number, each.one, each.several))
		}
	}
	if len(left) > 0 {
		fmt.Fprintf(to, "Remaining: %s.\n", strings.Join(left, ", "))
	}
}
