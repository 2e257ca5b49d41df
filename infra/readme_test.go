package main

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"earshot/shared/pipeline"
	"earshot/shared/port/clock"
	"earshot/shared/source/fetch"
	platforms "earshot/shared/source/sources"
)

// noSecrets is a store in which nothing is.
type noSecrets struct{}

func (noSecrets) Get(context.Context, ...string) (map[string]string, error) { return nil, nil }

// The guide lists the credentials of all sources by their parameters' names, and says which a source cannot do without.
func TestTheGuideListsTheSourcesCredentials(t *testing.T) {
	open, lacking, err := platforms.Open(t.Context(), platforms.Options{
		Client: fetch.New(fetch.Options{Clock: clock.System{}}), Log: slog.New(slog.DiscardHandler)}, noSecrets{})
	if err != nil {
		t.Fatal(err)
	}
	for _, made := range open {
		lacking = append(lacking, made.About())
	}
	want := map[string]string{}
	for _, about := range lacking {
		for _, credential := range about.Credentials {
			want[credential.Name] = "needed"
			if credential.Optional {
				want[credential.Name] = "optional"
			}
		}
	}
	got := map[string]string{}
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z]+/[a-z-]+)` \\| (needed|optional) \\|").FindAllStringSubmatch(readme(t), -1) {
		got[row[1]] = row[2]
	}
	if !maps.Equal(got, want) || len(want) == 0 {
		t.Errorf("the guide lists %v, the sources know %v", got, want)
	}
}

// What the guide counts of alarms is what there is.
func TestTheGuideCountsTheAlarms(t *testing.T) {
	metrics := 0
	for _, in := range []template{deployments["prod"].data, deployments["prod"].service} {
		for _, alarm := range in.of("AWS::CloudWatch::Alarm") {
			metrics += len(watched(in, alarm))
		}
	}
	if want := fmt.Sprintf("1 a schedule: %d |", metrics); !strings.Contains(readme(t), want) {
		t.Errorf("the alarms look at %d metrics", metrics)
	}
	if want := fmt.Sprintf("| %d × 0.10 | %.2f |", metrics, float64(metrics)/10); !strings.Contains(readme(t), want) {
		t.Errorf("the guide has not %s", want)
	}
}

// What the guide counts of a proposal is what the state machine enters.
func TestTheGuideCountsAProposal(t *testing.T) {
	m := readMachine(t, definition(pipeline.Setup(), pipeline.Limit))
	none, _ := m.goes(t, 0)
	nine, _ := m.goes(t, 9)
	want := fmt.Sprintf("%d states and one for each source, so %d for a run with 9 sources.", len(none), len(nine))
	if !strings.Contains(readme(t), want) || !strings.Contains(readme(t), fmt.Sprintf("| %d | %.4f |", len(nine), float64(len(nine))*25e-6)) {
		t.Errorf("the guide has not %q", want)
	}
	most := 0.0 // GB-seconds
	for _, function := range Manifest() {
		if step, ok := function.Trigger.(Step); ok {
			stage, _ := pipeline.Find(step.Stage)
			calls := 1.0
			if stage.Each {
				calls += 9
			}
			most += calls * stage.Limit.Seconds() * function.MemoryMiB / 1024
		}
	}
	if want := fmt.Sprintf("| %.0f GB-s, %d calls | %.4f |", most, len(nine)-1, most*13.33e-6+float64(len(nine)-1)*0.2e-6); !strings.Contains(readme(t), want) {
		t.Errorf("the guide has not %q", want)
	}
}

// The outputs that the guide names are there, and it names all.
func TestTheGuideListsTheOutputs(t *testing.T) {
	var named, there []string
	for _, row := range regexp.MustCompile(`(?m)^\| (?:data|service) \| (.*?) \|`).FindAllStringSubmatch(readme(t), -1) {
		for _, name := range regexp.MustCompile("`([A-Za-z]+)…?`").FindAllStringSubmatch(row[1], -1) {
			named = append(named, name[1])
		}
	}
	for _, in := range []template{deployments["prod"].data, deployments["prod"].service} {
		for id, output := range in.Outputs {
			if output.Export.Name == nil {
				there = append(there, regexp.MustCompile(`[0-9A-F]{8}$`).ReplaceAllString(id, ""))
			}
		}
	}
	slices.Sort(named)
	slices.Sort(there)
	if !slices.Equal(named, there) {
		t.Errorf("the guide names %q, there are %q", named, there)
	}
}

func readme(t *testing.T) string {
	t.Helper()
	content, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}
