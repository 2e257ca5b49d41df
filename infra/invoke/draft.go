package main

import (
	"context"
	"errors"
	"slices"
	"strings"

	awsevents "github.com/aws/aws-lambda-go/events"

	"earshot/events"
	"earshot/functions/local/demo"
	"earshot/shared/workspace"
)

// withDraft begins a setup draft of the demo company's domain, as a request of the demo's northwind would. It puts
// the draft into a batch that has a place for one.
func (c caller) withDraft(ctx context.Context, batch awsevents.SQSEvent, d demo.Demo) (awsevents.SQSEvent, error) {
	if !says(batch, events.DraftPlaceholder) {
		return batch, nil
	}
	org := d.Workspaces["northwind"]
	if org == "" {
		return batch, errors.New("DEMO=off leaves no workspace to make a draft in")
	}
	begun, err := c.Store.CreateDraftOnce(ctx, org, demo.Domain, "")
	if err != nil {
		return batch, err
	}
	return events.WithDraft(batch, org, begun.ID), nil
}

// withBeta switches the setup engine's beta on for the demo's northwind. Without the flag the engine's operations
// answer 404.
func (c caller) withBeta(ctx context.Context) error {
	prepared, err := c.demo(ctx)
	if err != nil || prepared.Workspaces["northwind"] == "" {
		return err
	}
	return c.Store.ChangeWorkspace(ctx, prepared.Workspaces["northwind"], func(w *workspace.Workspace) error {
		if !slices.Contains(w.Flags, workspace.FlagSetupOnboarding) {
			w.Flags = append(w.Flags, workspace.FlagSetupOnboarding)
		}
		return nil
	})
}

// says reports whether a message of a batch has a text.
func says(batch awsevents.SQSEvent, text string) bool {
	for _, record := range batch.Records {
		if strings.Contains(record.Body, text) {
			return true
		}
	}
	return false
}
