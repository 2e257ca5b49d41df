package github

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"earshot/shared/source"
	"earshot/shared/source/fetch"
)

const counting = `query($ids: [ID!]!) {
  nodes(ids: $ids) {
    ... on Issue { comments { totalCount } reactions { totalCount } }
    ... on PullRequest { comments { totalCount } reactions { totalCount } }
  }
}`

type total struct {
	Count *int64 `json:"totalCount"`
}

// Engagement looks up all issues and pull requests in one request. Returns ErrNoCredentials without a token.
func (s *Source) Engagement(ctx context.Context, sourceIDs []string) (map[string]map[string]int64, error) {
	var asked, nodes []string
	for _, id := range sourceIDs {
		native, issue := strings.CutPrefix(id, name+"_issue_")
		if !issue {
			native, issue = strings.CutPrefix(id, name+"_pull_")
		}
		if issue && node.MatchString(native) {
			asked, nodes = append(asked, id), append(nodes, native)
		}
	}
	switch {
	case len(asked) == 0:
		return nil, ctx.Err()
	case s.token == "":
		return nil, source.ErrNoCredentials
	}
	body, err := json.Marshal(map[string]any{"query": counting, "variables": map[string]any{"ids": nodes}})
	if err != nil {
		return nil, err
	}
	var got struct {
		Data *struct {
			Nodes []json.RawMessage `json:"nodes"`
		} `json:"data"`
		Errors []struct {
			Type string `json:"type"`
		} `json:"errors"`
	}
	header := s.header()
	header.Set("Content-Type", "application/json")
	if _, err := s.graph.JSON(
		ctx, fetch.Request{Method: http.MethodPost, Path: "/graphql", Header: header, Body: body}, &got,
	); err != nil {
		return nil, err
	}
	// A deleted node is null in its place, and adds an error of type NOT_FOUND.
	for _, failed := range got.Errors {
		if failed.Type == "RATE_LIMITED" {
			s.graph.Hold(time.Minute)
			return nil, &source.Unavailable{Source: name, Reason: "its limit is reached", RetryAfter: time.Minute}
		}
	}
	if got.Data == nil || len(got.Data.Nodes) != len(nodes) {
		return nil, s.graph.Unexpected("answered without its nodes")
	}
	observed := map[string]map[string]int64{}
	for i, raw := range got.Data.Nodes {
		var one struct {
			Comments  total `json:"comments"`
			Reactions total `json:"reactions"`
		}
		if json.Unmarshal(raw, &one) != nil {
			continue
		}
		if counters := counters(one.Reactions.Count, one.Comments.Count); len(counters) > 0 {
			observed[asked[i]] = counters
		}
	}
	return observed, nil
}
