package main

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"earshot/shared/keyword"
	"earshot/shared/port/clock"
	"earshot/shared/port/queue"
	"earshot/shared/proposal"
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
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z]+/[a-z-]+)` \\| (needed|optional) \\|").FindAllStringSubmatch(
		guide(t), -1) {
		got[row[1]] = row[2]
	}
	if !maps.Equal(got, want) || len(want) == 0 {
		t.Errorf("the guide lists %v, the sources know %v", got, want)
	}
}

// What the guide counts of a proposal is what the state machine enters for the platforms that the API starts a run
// with, and what the stages may take.
func TestTheGuideCountsAProposal(t *testing.T) {
	m := readMachine(t, definition(proposal.Pipeline(), proposal.RunLimit))
	sources := len(keyword.Platforms())
	none, _ := m.goes(t, 0)
	all, _ := m.goes(t, sources)
	calls := len(all) - 1 // the Map calls nothing itself
	most := 0.0           // GB-seconds
	for _, function := range Manifest() {
		if step, ok := function.Trigger.(Step); ok {
			stage, _ := proposal.FindStage(step.Stage)
			times := 1.0
			if stage.Each {
				times += float64(sources)
			}
			most += times * stage.Limit.Seconds() * function.MemoryMiB / 1024
		}
	}
	const perState, perGBs, perCall = 25e-6, 13.33e-6, 0.2e-6
	waits := float64(proposal.SourceBudget) / 2
	dearest := float64(len(all))*perState + 268*0.125e-6 + 267*0.625e-6 + most*perGBs + float64(calls)*perCall
	for _, want := range []string{
		fmt.Sprintf("%d states and one for each source, so %d for the %d platforms that every run goes through", len(none),
			len(all), sources),
		fmt.Sprintf("| %d | %.4f |", len(all), float64(len(all))*perState),
		fmt.Sprintf("| 268 read units, 267 write units | %.4f |", 268*0.125e-6+267*0.625e-6),
		fmt.Sprintf("all %d requests of a run, at 0.5 s each and 1 GB | %.0f GB-s | %.4f |", proposal.SourceBudget, waits,
			waits*perGBs),
		fmt.Sprintf("| %.0f GB-s, %d calls | %.4f |", most, calls, most*perGBs+float64(calls)*perCall),
		fmt.Sprintf("and %.4f when everything takes as long as it may, once", dearest),
		fmt.Sprintf("a run may spend %s tokens, a thorough one %s", thousands(proposal.Balanced.Depth().Tokens),
			thousands(proposal.Thorough.Depth().Tokens)),
		fmt.Sprintf("A run has %d functions at work while it counts", widest()),
	} {
		if !strings.Contains(strings.ReplaceAll(guide(t), "\n", " "), want) {
			t.Errorf("the guide has not %q", want)
		}
	}
}

// widest is how many calls of a stage a run makes at the same time.
func widest() (width int) {
	for _, stage := range proposal.Pipeline() {
		width = max(width, stage.Width)
	}
	return width
}

func thousands(n int) string { return fmt.Sprintf("%d,%03d", n/1000, n%1000) }

// A scan that died comes again while its draft still waits for it.
func TestAScanThatDiesComesAgainInTime(t *testing.T) {
	if again := hiddenFor(takerOf(queue.Scans, Manifest())); again >= proposal.ScanLimit*4/5 {
		t.Errorf("it comes again after %s, and is given up after %s", again, proposal.ScanLimit)
	}
}

// The outputs that the guide names are there, and it names all.
func TestTheGuideListsTheOutputs(t *testing.T) {
	var named, there []string
	for _, row := range regexp.MustCompile(`(?m)^\| (?:data|service) \| (.*?) \|`).FindAllStringSubmatch(guide(t), -1) {
		for _, name := range regexp.MustCompile("`([A-Za-z]+)…?`").FindAllStringSubmatch(row[1], -1) {
			named = append(named, name[1])
		}
	}
	// What nested stacks put out is for the stack that they are in, and nobody looks there.
	for _, in := range []template{deployments[withEveryOption].data, deployments[withEveryOption].service} {
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

// guide returns the operating guide: README.md and the pages beside it that an operator looks things up in.
func guide(t *testing.T) string {
	t.Helper()
	all := ""
	for _, name := range guidePages(t) {
		all += guidePage(t, name)
	}
	return all
}

// guidePages lists the files of the operating guide.
func guidePages(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("*.md")
	if err != nil {
		t.Fatal(err)
	}
	files = slices.DeleteFunc(files, func(name string) bool { return name == "CONTRIBUTING.md" })
	if len(files) < 2 || !slices.Contains(files, "README.md") {
		t.Fatalf("the guide has the pages %q", files)
	}
	return files
}

// guidePage returns the text of a page of this folder.
func guidePage(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// The first page stays one that an operator reads in one go. Tables, and commands that are copied, may be wider.
func TestGuide_IsShort(t *testing.T) {
	lines, code := strings.Split(guidePage(t, "README.md"), "\n"), false
	if len(lines) > 451 {
		t.Errorf("README.md has %d lines, want at most 450", len(lines)-1)
	}
	for i, line := range lines {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			code = !code
		}
		if n := utf8.RuneCountInString(line); n > 120 && !code && !strings.HasPrefix(line, "|") {
			t.Errorf("README.md:%d has %d columns, want at most 120", i+1, n)
		}
	}
}

var (
	guideHeading = regexp.MustCompile(`(?m)^#+ (.+)$`)
	guideLink    = regexp.MustCompile(`\]\(([A-Za-z]*(?:\.md)?)(?:#([a-z0-9-]+))?\)`)
)

// A link from one page of the guide to another, or within a page, leads to a heading that is there.
func TestGuide_LinksLeadSomewhere(t *testing.T) {
	headings := map[string]bool{}
	for _, name := range guidePages(t) {
		headings[name] = true
		for _, heading := range guideHeading.FindAllStringSubmatch(guidePage(t, name), -1) {
			anchor := regexp.MustCompile(`[^a-z0-9 -]`).ReplaceAllString(strings.ToLower(heading[1]), "")
			headings[name+"#"+strings.ReplaceAll(anchor, " ", "-")] = true
		}
	}
	followed := 0
	for _, name := range guidePages(t) {
		for _, link := range guideLink.FindAllStringSubmatch(guidePage(t, name), -1) {
			to := link[1]
			if to == "" {
				to = name
			}
			if link[2] != "" {
				to += "#" + link[2]
			}
			if followed++; !headings[to] {
				t.Errorf("%s links to %s, which is not there", name, to)
			}
		}
	}
	if followed < 40 {
		t.Errorf("the guide has %d links: the test does not find them", followed)
	}
}
