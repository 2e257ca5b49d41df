package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	awsevents "github.com/aws/aws-lambda-go/events"

	"earshot/events"
	"earshot/functions/local/demo"
	"earshot/shared/mention"
	"earshot/shared/search"
	"earshot/shared/store/mentionstore"
	"earshot/shared/summary"
	"earshot/shared/web/mentionwire"
	"earshot/shared/workspace"
)

// withExport begins an export of all relevant mentions, as a request of the demo's northwind would. It puts the
// export into a batch that has a place for one.
func (c caller) withExport(ctx context.Context, batch awsevents.SQSEvent, d demo.Demo) (awsevents.SQSEvent, error) {
	if !says(batch, events.ExportPlaceholder) {
		return batch, nil
	}
	org := d.Workspaces["northwind"]
	if org == "" {
		return batch, errors.New("DEMO=off leaves no workspace to export from")
	}
	request, err := json.Marshal(mentionwire.ExportRequest{Engagement: true})
	if err != nil {
		return batch, fmt.Errorf("begin an export: %w", err)
	}
	now := c.Clock.Now()
	begun := mentionstore.Export{
		ID:          workspace.NewID("exp_", now),
		WorkspaceID: org,
		Status:      mentionstore.ExportQueued,
		Format:      string(mentionwire.CSV),
		Request:     request,
		CreatedAt:   now,
		ExpiresAt:   now.Add(mentionstore.ExportKept),
	}
	if _, err := c.Store.PutExport(ctx, begun); err != nil {
		return batch, err
	}
	return events.WithExport(batch, org, begun.ID), nil
}

// withSearch begins a search, as a request of the demo's northwind would. It puts the search into a batch that has a
// place for one.
func (c caller) withSearch(ctx context.Context, batch awsevents.SQSEvent, d demo.Demo) (awsevents.SQSEvent, error) {
	if !says(batch, events.SearchPlaceholder) {
		return batch, nil
	}
	org := d.Workspaces["northwind"]
	if org == "" {
		return batch, errors.New("DEMO=off leaves no workspace to search for")
	}
	now := c.Clock.Now()
	begun, err := c.Store.BeginSearch(ctx, search.Search{
		ID:          workspace.NewID("srch_", now),
		WorkspaceID: org,
		Request: search.Request{
			Query:        "northwind",
			Window:       search.Month,
			MaxResults:   search.MaxResults,
			MinRelevance: mention.Low,
		},
		Status:    search.Running,
		CreatedAt: now,
		ExpiresAt: now.Add(search.Kept),
	}, 0, "")
	if err != nil {
		return batch, err
	}
	return events.WithSearch(batch, org, begun.ID), nil
}

// withSummary begins a summary of the demo's northwind. It puts the summary into a batch that has a place for one.
func (c caller) withSummary(ctx context.Context, batch awsevents.SQSEvent, d demo.Demo) (awsevents.SQSEvent, error) {
	if !says(batch, events.SummaryPlaceholder) {
		return batch, nil
	}
	org := d.Workspaces["northwind"]
	if org == "" {
		return batch, errors.New("DEMO=off leaves no workspace to summarize")
	}
	now := c.Clock.Now()
	begun, err := c.Store.BeginSummary(ctx, summary.Summary{
		ID:          workspace.NewID("sum_", now),
		WorkspaceID: org,
		Start:       now.AddDate(0, 0, -30),
		End:         now,
		Status:      summary.Running,
		CreatedAt:   now,
		ExpiresAt:   now.Add(summary.Kept),
	}, "")
	if err != nil {
		return batch, err
	}
	return events.WithSummary(batch, org, begun.ID), nil
}
