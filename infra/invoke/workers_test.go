package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	awsevents "github.com/aws/aws-lambda-go/events"

	"earshot/events"
)

// work runs a worker on a data folder, away from the network, and answers what it printed and its record.
func work(t *testing.T, folder, function, sample string, settings ...string) (answer, record string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	err := run(t.Context(), []string{function, sample}, func(name string) string {
		for _, setting := range append(settings, "DATA="+folder, "SOURCES=archive") {
			if value, ok := strings.CutPrefix(setting, name+"="); ok {
				return value
			}
		}
		return ""
	}, &stdout, &stderr)
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", function, sample, err, stderr.String())
	}
	return stdout.String(), stderr.String()
}

// count is a number of a record.
func count(t *testing.T, record, name string) int {
	t.Helper()
	found := regexp.MustCompile(`(?:^|[ .])` + name + `=(\d+)`).FindStringSubmatch(record)
	if found == nil {
		t.Fatalf("no %s in %s", name, record)
	}
	n, _ := strconv.Atoi(found[1])
	return n
}

// The sample's posts are of the demo's keywords but for one, and are stored once.
func TestIngestStoresTheSamplesPosts(t *testing.T) {
	folder := t.TempDir()
	for i, want := range []map[string]int{{"posts": 4, "stored": 3, "unmatched": 1, "duplicates": 0},
		{"stored": 0, "duplicates": 3}} {
		answer, record := work(t, folder, "ingest", "posts")
		var said awsevents.SQSEventResponse
		if err := json.Unmarshal([]byte(answer), &said); err != nil || len(said.BatchItemFailures) != 0 {
			t.Errorf("call %d: %s, %v", i+1, answer, err)
		}
		for name, n := range want {
			if got := count(t, record, name); got != n {
				t.Errorf("call %d: %d %s, want %d", i+1, got, name, n)
			}
		}
	}
	if out, err := invoke(t, folder, []string{"mentions", "get"}); err != nil || out.Status != 200 {
		t.Errorf("the demo is not there: %+v %v", out, err)
	}
}

// A message that cannot be read fails alone.
func TestIngestFailsWhatItCannotRead(t *testing.T) {
	answer, record := work(t, t.TempDir(), "ingest", "unreadable")
	batch, err := events.Open("ingest", "unreadable")
	if err != nil {
		t.Fatal(err)
	}
	messages, err := batch.Messages()
	if err != nil {
		t.Fatal(err)
	}
	var said awsevents.SQSEventResponse
	if err := json.Unmarshal([]byte(answer), &said); err != nil || len(said.BatchItemFailures) != 1 ||
		said.BatchItemFailures[0].ItemIdentifier != messages.Records[0].MessageId {
		t.Errorf("%s, %v", answer, err)
	}
	if strings.Contains(record, messages.Records[0].Body) {
		t.Errorf("the record quotes the body: %s", record)
	}
}

// Each call runs a search of its own, which no platform is asked for.
func TestSearchesEndsASearch(t *testing.T) {
	folder := t.TempDir()
	work(t, folder, "searches", "search")
	out, err := invoke(t, folder, []string{"search", "list"})
	if err != nil || out.Status != 200 {
		t.Fatalf("%+v, %v", out, err)
	}
	listed, _ := out.Body.(map[string]any)["data"].([]any)
	if len(listed) != 1 || listed[0].(map[string]any)["status"] != "completed" {
		t.Errorf("the searches are %v, want one that completed", listed)
	}
}

// Each call writes an export of its own, into the folder of the workbench's files.
func TestExportsWritesAFile(t *testing.T) {
	folder := t.TempDir()
	for n := 1; n <= 2; n++ {
		if _, record := work(t, folder, "exports", "export"); count(t, record, "rows") == 0 {
			t.Errorf("no rows: %s", record)
		}
		files := 0
		err := filepath.WalkDir(filepath.Join(folder, "files"), func(path string, entry os.DirEntry, err error) error {
			if err == nil && entry.Type().IsRegular() && strings.HasSuffix(path, ".blob") {
				files++
			}
			return err
		})
		if err != nil || files != n {
			t.Errorf("after %d calls there are %d files, %v", n, files, err)
		}
	}
	var stdout, stderr bytes.Buffer
	err := run(t.Context(), []string{"exports", "export"}, func(name string) string {
		return map[string]string{"DATA": t.TempDir(), "DEMO": "off"}[name]
	}, &stdout, &stderr)
	if err == nil || !strings.Contains(err.Error(), "DEMO=off leaves no workspace") {
		t.Errorf("without a demo: %v", err)
	}
}

// A tick is quiet when there is nothing to do.
func TestTicks(t *testing.T) {
	folder := t.TempDir()
	for function, sample := range map[string]string{"archive": "tick", "collect": "tick", "sweep": "tick", "sweep ": "ended"} {
		function = strings.TrimSpace(function)
		answer, record := work(t, folder, function, sample)
		if answer != "null\n" || !strings.Contains(record, "function="+function) || strings.Contains(record, "level=ERROR") {
			t.Errorf("%s: %s%s", function, answer, record)
		}
	}
}

// Each call scans the page of a draft of its own.
func TestScanReadsThePage(t *testing.T) {
	folder := t.TempDir()
	for range 2 {
		answer, record := work(t, folder, "scan", "page")
		if !strings.Contains(answer, `"batchItemFailures": []`) || strings.Contains(record, "level=ERROR") {
			t.Errorf("%s%s", answer, record)
		}
	}
	var stdout, stderr bytes.Buffer
	err := run(t.Context(), []string{"scan", "page"}, func(name string) string {
		return map[string]string{"DATA": t.TempDir(), "DEMO": "off"}[name]
	}, &stdout, &stderr)
	if err == nil || !strings.Contains(err.Error(), "DEMO=off leaves no workspace") {
		t.Errorf("without a demo: %v", err)
	}
}
