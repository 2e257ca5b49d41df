package runtimeapi_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"earshot/infra/runtimeapi"
)

// warmed is how often a started process is asked once more.
const warmed = 7

// BenchmarkStart is what a cold start costs: of hello world, and of every function that is deployed, all built in the
// same way. Each does its usual work, with its tables on the server that TABLE_ENDPOINT names, and an AWS beside them
// in which nothing is; none asks the network. A process is started, asks for an event (ready), answers its first
// (first), and then warmed more of the same kind, of which the median is what the work itself takes (warm): what it
// adds to that before its first answer is the start (first - warm).
//
// Each start is measured beside one of hello world, so that what else the machine does meets both alike: the figures
// are the medians of the times and, which is what counts, of the ratios to hello world, of the first answer
// (first/hello), of the start (start/hello) and, on Linux, of the process's processor time until its first answer
// (cpu/hello), in which the waiting for the tables is not; and the size of each function's zip, on this machine's kind
// of processor. -bench 'Start/^(ingest|mcp)$' measures two.
func BenchmarkStart(b *testing.B) {
	if os.Getenv("TABLE_ENDPOINT") == "" {
		b.Skip("TABLE_ENDPOINT names no server: make bench starts one")
	}
	helloBinary := build(b, "earshot/infra/runtimeapi/hello")
	for _, lambda := range firsts(b) {
		b.Run(strings.TrimPrefix(lambda.function, "setupstages/"), func(b *testing.B) {
			binary := build(b, lambdaOf(b, lambda.function))
			measureStarts(b, helloBinary, binary, lambda)
		})
	}
}

func measureStarts(b *testing.B, helloBinary, binary string, lambda first) {
	hello := first{"hello", nil, func(*testing.B) []byte { return []byte("{}") }, answersAnything}
	var least, times took
	var firstRatios, startRatios, processorRatios []float64
	for b.Loop() {
		base, of := start(b, helloBinary, hello), start(b, binary, lambda)
		least.add(base)
		times.add(of)
		firstRatios = append(firstRatios, float64(of.first)/float64(base.first))
		startRatios = append(startRatios, float64(of.first-of.warm)/float64(base.first-base.warm))
		processorRatios = append(processorRatios, float64(of.processor)/float64(max(1, base.processor)))
	}
	least.report(b, "hello-")
	times.report(b, "")
	b.ReportMetric(median(firstRatios), "first/hello")
	b.ReportMetric(median(startRatios), "start/hello")
	if runtime.GOOS == "linux" {
		b.ReportMetric(median(processorRatios), "cpu/hello")
	}
	b.ReportMetric(float64(zipped(b, binary)), "zip-B")
	b.ReportMetric(0, "ns/op")
}

// A started process's times: until it asked for an event, until its first answer, and from a later event to its answer; and its
// processor time until its first answer.
type started struct{ ready, first, warm, processor time.Duration }

// took is the times of several processes of one function.
type took struct{ ready, first, warm, processor []time.Duration }

func (t *took) add(s started) {
	t.ready, t.first, t.warm = append(t.ready, s.ready), append(t.first, s.first), append(t.warm, s.warm)
	t.processor = append(t.processor, s.processor)
}

func (t *took) report(b *testing.B, whose string) {
	b.ReportMetric(milliseconds(median(t.ready)), whose+"ready-ms")
	b.ReportMetric(milliseconds(median(t.first)), whose+"first-ms")
	b.ReportMetric(milliseconds(median(t.warm)), whose+"warm-ms")
	if runtime.GOOS == "linux" {
		b.ReportMetric(milliseconds(median(t.processor)), whose+"cpu-ms")
	}
}

// lambdaOf returns the import path of a function's main: its folder is on top, or in that of its group.
func lambdaOf(tb testing.TB, function string) string {
	tb.Helper()
	for _, pattern := range []string{"functions/" + function + "/lambda", "functions/*/" + function + "/lambda"} {
		if folders, err := filepath.Glob("../../" + pattern); err == nil && len(folders) == 1 {
			return "earshot/" + filepath.ToSlash(strings.TrimPrefix(folders[0], "../../"))
		}
	}
	tb.Fatalf("no folder functions/…/%s has a lambda", function)
	return ""
}

// build builds a main as it is deployed, and writes the file anew, as Lambda's unpacking does: a large binary starts up to
// 0.8 ms later if the linker itself has written it.
func build(b testing.TB, pkg string) string {
	b.Helper()
	binary := filepath.Join(b.TempDir(), "bootstrap")
	linked := binary + ".linked"
	command := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-tags", "lambda.norpc",
		"-ldflags", "-s -w -buildid=", "-o", linked, pkg)
	command.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := command.CombinedOutput(); err != nil {
		b.Fatalf("build %s: %v\n%s", pkg, err, out)
	}
	content, err := os.ReadFile(linked)
	if err == nil {
		err = os.WriteFile(binary, content, 0o700)
	}
	if err := errors.Join(err, os.Remove(linked)); err != nil {
		b.Fatal(err)
	}
	return binary
}

// zipped is how many bytes a binary has in the zip that is deployed.
func zipped(b *testing.B, binary string) int {
	content, err := os.ReadFile(binary)
	if err != nil {
		b.Fatal(err)
	}
	var file bytes.Buffer
	writer := zip.NewWriter(&file)
	entry, err := writer.Create("bootstrap")
	if err == nil {
		_, err = entry.Write(content)
	}
	if err := errors.Join(err, writer.Close()); err != nil {
		b.Fatal(err)
	}
	return file.Len()
}

func start(b *testing.B, binary string, lambda first) started {
	b.Helper()
	event := lambda.event(b)
	function, err := runtimeapi.Start(b.Context(), binary, lambda.env)
	if err != nil {
		b.Fatal(err)
	}
	defer function.Close()
	ask := func(event []byte) time.Duration {
		asked := time.Now()
		answer, err := function.Invoke(b.Context(), event)
		answered := time.Since(asked)
		if err != nil {
			b.Fatalf("%s: %v\n%s", lambda.function, err, function.Output())
		}
		if !lambda.answers(answer) {
			b.Fatalf("%s: %s\n%s", lambda.function, answer, function.Output())
		}
		return answered
	}
	ask(event)
	processor, err := function.ProcessorTime()
	if err != nil && runtime.GOOS == "linux" {
		b.Fatal(err)
	}
	again := make([]time.Duration, warmed)
	for i := range again {
		again[i] = ask(lambda.event(b))
	}
	timing := function.Timing()
	return started{timing.Ready, timing.FirstResponse, median(again), processor}
}

func answersAnything([]byte) bool { return true }

// answersOK wants what API Gateway passes on as a success.
func answersOK(answer []byte) bool {
	var response events.APIGatewayProxyResponse
	return json.Unmarshal(answer, &response) == nil && response.StatusCode == 200
}

// answersNoFailure wants a queue's function to have taken every message.
func answersNoFailure(answer []byte) bool {
	var response events.SQSEventResponse
	return json.Unmarshal(answer, &response) == nil && len(response.BatchItemFailures) == 0
}

func milliseconds(took time.Duration) float64 { return float64(took.Microseconds()) / 1000 }

func median[T time.Duration | float64](took []T) T {
	sorted := slices.Clone(took)
	slices.Sort(sorted)
	return sorted[len(sorted)/2]
}
