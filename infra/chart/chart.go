// Package chart shows the figures of a workspace in a terminal: volume, sentiment, platforms, topics and share of voice
// as bars and sparklines. It asks a deployment over the API, as any client does.
//
// Only the workbench's program imports it, for the word "analytics".
package chart

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"earshot/infra/client"
	"earshot/infra/exit"
	"earshot/infra/terminal"
	"earshot/shared/keyword"
)

// Options say what to show, and where to ask.
type Options struct {
	client.Target // its key may read

	Start, End, Timezone, Granularity string   // as the API takes them; empty: the API's own
	Keywords                          []string // ids, or texts of keywords
	Sources, Tags                     []string
	Sentiments, Relevance             []string

	JSON  bool // the API's answers in one document, on one line
	Style Style
	To    io.Writer
}

// Run asks for the figures and shows them. Its errors are for the person at the terminal, without a final stop. Those
// with an exit status of their own are an *exit.Failure.
func Run(ctx context.Context, o Options) error {
	asked, err := client.New(o.Target)
	if err != nil {
		return err
	}
	a := api{asked}
	query, err := a.query(ctx, o)
	if err != nil {
		return err
	}
	var all figures
	for _, part := range []struct {
		path string
		into *json.RawMessage
		more url.Values
	}{
		{"volume", &all.Volume, url.Values{"fill": {"true"}, "granularity": optional(o.Granularity)}},
		{"sentiment", &all.Sentiment, nil},
		{"sources", &all.Sources, nil},
		{"tags", &all.Tags, nil},
		{"share-of-voice", &all.ShareOfVoice, url.Values{"granularity": optional(o.Granularity)}},
	} {
		target := "/api/v2/analytics/" + part.path
		if text := with(query, part.more).Encode(); text != "" {
			target += "?" + text
		}
		if err := a.get(ctx, target, part.into); err != nil {
			return err
		}
	}
	if err := a.knows(ctx, all, o.Sources); err != nil {
		return err
	}
	if o.JSON {
		document, err := json.Marshal(all)
		if err != nil {
			return fmt.Errorf("write the document: %w", err)
		}
		_, err = fmt.Fprintln(o.To, terminal.EscapeJSON(document))
		return err
	}
	shown, err := all.read()
	if err != nil {
		return err
	}
	shown.zone = o.Timezone
	return shown.draw(o.To, o.Style)
}

// figures are the answers of the API, unchanged.
type figures struct {
	Volume       json.RawMessage `json:"volume"`
	Sentiment    json.RawMessage `json:"sentiment"`
	Sources      json.RawMessage `json:"sources"`
	Tags         json.RawMessage `json:"tags"`
	ShareOfVoice json.RawMessage `json:"shareOfVoice"`
}

// knows returns an error if a platform is one that no keyword has, and of which the workspace never had a mention: its
// name is most likely mistyped. Posts that were pushed in can have other platforms than those of keywords.
func (a api) knows(ctx context.Context, f figures, sources []string) error {
	known := keyword.Platforms()
	var counted struct{ Data []struct{ Source string } }
	if err := json.Unmarshal(f.Sources, &counted); err != nil {
		return &exit.Failure{Status: exit.Failed, Cause: errShape}
	}
	for _, row := range counted.Data {
		known = append(known, row.Source)
	}
	for _, source := range sources {
		if slices.Contains(known, strings.ToLower(source)) {
			continue
		}
		has, err := a.has(ctx, source)
		if err != nil {
			return err
		}
		if !has {
			return exit.Failing(exit.Refused, "the workspace has no mention from a platform %q. Platforms are %s",
				terminal.Short(source, 40), strings.Join(keyword.Platforms(), ", "))
		}
	}
	return nil
}

// has reports whether the workspace has a mention from a platform, of any time and relevance. If the API did not look
// at all mentions, it may have one.
func (a api) has(ctx context.Context, source string) (bool, error) {
	answer, err := a.Do(ctx, http.MethodPost, "/api/v2/mentions", map[string]any{
		"simpleFilters": map[string]any{"source": []string{source}}, "includeAll": true, "limit": 1,
	})
	if err != nil {
		return false, err
	}
	var page struct {
		Data       []json.RawMessage
		Pagination struct{ NextCursor *string }
	}
	if json.Unmarshal(answer.Body, &page) != nil || page.Data == nil {
		return false, &exit.Failure{Status: exit.Failed, Cause: errShape}
	}
	return len(page.Data) > 0 || page.Pagination.NextCursor != nil, nil
}

// An api asks for figures.
type api struct{ *client.Client }

// get reads an answer of the API.
func (a api) get(ctx context.Context, target string, into *json.RawMessage) error {
	answer, err := a.Get(ctx, target)
	*into = answer.Body
	return err
}

func optional(value string) []string {
	if value == "" {
		return nil
	}
	return []string{value}
}

// with returns the parameters of both.
func with(query, more url.Values) url.Values {
	all := url.Values{}
	for _, some := range []url.Values{query, more} {
		for name, values := range some {
			if len(values) > 0 {
				all[name] = values
			}
		}
	}
	return all
}

// query returns the parameters that select mentions.
func (a api) query(ctx context.Context, o Options) (url.Values, error) {
	ids, err := a.keywords(ctx, o.Keywords)
	if err != nil {
		return nil, err
	}
	return url.Values{
		"startDate":  optional(o.Start),
		"endDate":    optional(o.End),
		"timezone":   optional(o.Timezone),
		"keywordIds": ids,
		"platforms":  o.Sources,
		"tag":        o.Tags,
		"sentiment":  o.Sentiments,
		"relevance":  o.Relevance,
	}, nil
}

// keywords returns the ids of keywords that are given by id or by text.
func (a api) keywords(ctx context.Context, given []string) (ids []string, err error) {
	var known struct {
		Data []struct {
			ID      int64
			Keyword string
		}
	}
	for _, text := range given {
		if _, err := strconv.ParseUint(text, 10, 63); err == nil {
			ids = append(ids, text)
			continue
		}
		if known.Data == nil {
			var answer json.RawMessage
			if err := a.get(ctx, "/api/v2/keywords", &answer); err != nil {
				return nil, err
			}
			if err := json.Unmarshal(answer, &known); err != nil {
				return nil, errors.New("GET /api/v2/keywords does not answer a list of keywords")
			}
		}
		at := slices.IndexFunc(known.Data, func(k struct {
			ID      int64
			Keyword string
		}) bool {
			return strings.EqualFold(strings.TrimSpace(k.Keyword), strings.TrimSpace(text))
		})
		if at < 0 && len(known.Data) == 0 {
			return nil, exit.Failing(exit.Refused, "the workspace has no keywords yet. POST /api/v2/keywords adds one")
		}
		if at < 0 {
			texts := make([]string, len(known.Data))
			for i, k := range known.Data {
				texts[i] = terminal.Short(k.Keyword, 40)
			}
			return nil, exit.Failing(
				exit.Refused, "the workspace has no keyword %q. It has %s", terminal.Short(text, 40), strings.Join(texts, ", "),
			)
		}
		ids = append(ids, strconv.FormatInt(known.Data[at].ID, 10))
	}
	return ids, nil
}
