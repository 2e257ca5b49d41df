package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/events"

	"earshot/shared/port/clock"
	"earshot/shared/worker"
)

// queryWords are those of Logs Insights' language that the queries use.
var queryWords = strings.Fields(
	`fields filter sort stats limit by as and in like desc asc ispresent count pct sum max bin 1h`)

// lambdasOwn is what Lambda and Logs Insights write themselves.
var lambdasOwn = strings.Fields(
	`@timestamp @log @message type record.metrics.initDurationMs record.metrics.maxMemoryUsedMB`)

// fieldsOf are the names that a query uses, without those that it makes.
func fieldsOf(text string) []string {
	text = regexp.MustCompile(`"[^"]*"|/[^/ ]*/`).ReplaceAllString(text, " ")
	made := map[string]bool{}
	for _, name := range regexp.MustCompile(`\bas (\w+)`).FindAllStringSubmatch(text, -1) {
		made[name[1]] = true
	}
	var found []string
	for _, word := range regexp.MustCompile(`@?[a-zA-Z][\w.]*|1h`).FindAllString(text, -1) {
		if !made[word] && !slices.Contains(queryWords, word) {
			found = append(found, word)
		}
	}
	return found
}

// linesHave are the names that a function's lines have: those of real records of a worker, and those that stand in the
// code of the lines that cannot be had so easily.
func linesHave(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	add := func(line []byte) {
		var members map[string]any
		if err := json.Unmarshal(line, &members); err != nil {
			t.Fatal(err)
		}
		for name, value := range members {
			names[name] = true
			if many, ok := value.([]any); ok && len(many) > 0 {
				names[name+".0"], names[name+".1"], names[name+".2"] = true, true, true
			}
		}
	}
	var log bytes.Buffer
	o := worker.Options{Function: "ingest", Log: slog.New(slog.NewJSONHandler(&log, nil)), Clock: clock.System{}}
	batch := worker.Queue(o, func(_ context.Context, m worker.Message) error {
		if m.ID == "c" {
			panic("a mistake")
		}
		return worker.Reject(errors.New("unreadable"))
	})
	if _, err := batch(t.Context(),
		events.SQSEvent{Records: []events.SQSMessage{{MessageId: "a"}, {MessageId: "b"}, {MessageId: "c"}}}); err != nil {
		t.Fatal(err)
	}
	if err := worker.Schedule(o, func(context.Context, worker.Tick) error { return errors.New("failed") })(t.Context(),
		nil); err == nil {
		t.Fatal("it did not fail")
	}
	for line := range bytes.Lines(log.Bytes()) {
		add(line)
	}
	for _, file := range []string{"../shared/web/record.go", "../shared/worker/record.go", "../functions/setupstages/conduct.go",
		"../functions/collect/ask.go"} {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range regexp.MustCompile(`(?:slog\.\w+|units)\("(\w+)"`).FindAllSubmatch(content, -1) {
			names[string(name[1])] = true
		}
		for _, line := range regexp.MustCompile(`WarnContext\(ctx, "source failed",([^)]*\)?[^)]*)\)`).FindAllSubmatch(
			content, -1) {
			for _, name := range regexp.MustCompile(`"(\w+)",`).FindAllSubmatch(line[1], -1) {
				names[string(name[1])] = true
			}
		}
	}
	return names
}

// No query asks for a field that no line has.
func TestQueriesAskForWhatIsWritten(t *testing.T) {
	lines, access := linesHave(t), map[string]bool{}
	var format map[string]string
	if err := json.Unmarshal([]byte(accessLogFormat()), &format); err != nil {
		t.Fatal(err)
	}
	for name := range format {
		access[name] = true
	}
	for _, each := range queries() {
		fields := fieldsOf(each.text)
		if len(fields) == 0 {
			t.Errorf("%q asks for nothing", each.name)
		}
		for _, field := range fields {
			if !slices.Contains(lambdasOwn, field) && (each.about == nil || !lines[field]) && (!each.access || !access[field]) {
				t.Errorf("%q asks for %s, which no line has", each.name, field)
			}
		}
	}
	if lines["nothing"] || !lines["rejected"] || !lines["retryAfter"] || !lines["totalMicros"] {
		t.Errorf("the lines have %v", lines)
	}
}

// Each is saved under the stage's name, over log groups that there are, no more than Logs Insights takes.
func TestQueriesAreSavedForTheStage(t *testing.T) {
	const most = 50 // log groups of a query
	onEachStage(t, func(t *testing.T, stage Stage, made deployment) {
		saved := map[string]resource{}
		for _, each := range made.watch.of("AWS::Logs::QueryDefinition") {
			saved[each.Properties["Name"].(string)] = each
		}
		if len(saved) != len(queries()) {
			t.Errorf("%d queries are saved", len(saved))
		}
		for _, each := range queries() {
			definition := saved["earshot/"+stage.Name+"/"+each.name]
			if definition.Properties["QueryString"] != each.text {
				t.Errorf("%q is %v", each.name, definition.Properties["QueryString"])
			}
			var got, want []string
			for _, group := range list(definition.Properties["LogGroupNames"]) {
				got = append(got, made.watch.text(group))
			}
			for _, function := range Manifest() {
				if each.about != nil && each.about(function) {
					want = append(want, "{"+function.home()+"/Logs}")
				}
			}
			if each.access {
				want = append(want, "{Service/AccessLogs}")
			}
			if !slices.Equal(got, want) || len(got) == 0 || len(got) > most {
				t.Errorf("%q looks at %q, want %q", each.name, got, want)
			}
		}
	})
}
