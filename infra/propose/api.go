// Package propose shows the setup engine in a terminal. Run asks a workbench for a draft, its scan and its proposal
// over the API, as any client does. It shows each stage while it runs, and writes the proposal as a table.
//
// Only the workbench's program imports it, for the word "propose".
package propose

import (
	"context"
	"encoding/json"
	"time"

	"earshot/infra/client"
)

// An api is a workbench with one key to ask it with.
type api struct{ *client.Client }

// A draft holds the shown parts of GET /setup/drafts/{id}.
type draft struct {
	DraftID, Status string
	Message         *string
	Profile         *profile
}

type profile struct {
	Company, Description, Language       string
	Products, Competitors, IndustryTerms []string
	Handles                              []struct{ Platform, Handle string }
}

// A status holds the shown parts of GET /setup/proposals/{id}.
type status struct {
	Status                string
	Model                 *string
	Tier                  *string
	AgentFallback         bool
	StartedAt, FinishedAt *time.Time
	Steps                 []step
	Degraded              []struct{ Code, Message string }
	Proposal              *proposed
}

type step struct {
	Stage, Status, Line string
	Ms                  *int64
}

type proposed struct {
	Archetype, ArchetypeReason string
	Keywords                   []proposedKeyword
	Options                    []struct{ ID, KeywordRef, Label, Description string }
	Feeds                      []struct {
		Ref, Name   string
		Visible     bool
		KeywordRefs []string
	}
	Platforms struct {
		On  []string
		Off []struct{ Source, Reason string }
	}
	Totals struct {
		ProjectedMonthly, DedupedMonthly, Allowance float64
		Band                                        string
		NarrowingApplied                            []struct{ Step, Target, Reason string }
	}
	Warnings   []struct{ Code, Keyword, Message string }
	Confidence float64
}

type proposedKeyword struct {
	Ref, Keyword, Tag, Route, Explanation string
	AdditionalTerms, ExcludeWords, Flags  []string
	SelectedByDefault                     bool
	Volume                                struct {
		Low, High   float64
		Band, Basis string
	}
	Sample *struct {
		Scored        int
		RelevanceRate float64
	}
	Reasons []struct{ Basis, Ref, Text string }
}

type applied struct {
	Keywords []struct {
		ID           int64
		Ref, Keyword string
		Created      bool
	}
	Feeds []struct {
		ID        int64
		Ref, Name string
		Created   bool
	}
	Skipped []struct{ Ref, Code, Message string }
}

// ask sends a request and reads the response into out, unless that is nil.
func (a api) ask(ctx context.Context, method, path string, body, out any) error {
	answer, err := a.Do(ctx, method, path, body)
	if err != nil || out == nil {
		return err
	}
	return json.Unmarshal(answer.Body, out)
}
