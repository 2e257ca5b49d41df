package runtimeapi_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"earshot/functions/local/runtimeapi"
)

// BenchmarkStart is the time from the start of a Lambda's process to its first answer: of hello world, and of every function that is
// deployed, all built in the same way. Each does its usual work once, with its tables on the server that TABLE_ENDPOINT names, and an
// AWS beside them in which nothing is; none asks the network.
//
// Each start is measured beside one of hello world, so that what else the machine does meets both alike: the figures are the medians
// of the times and, which is what counts, of the ratios; and the size of each function's zip, on this machine's kind of processor.
func BenchmarkStart(b *testing.B) {
	if os.Getenv("TABLE_ENDPOINT") == "" {
		b.Skip("TABLE_ENDPOINT names no server: make bench starts one")
	}
	lambdas := firsts(b)
	hello := build(b, "earshot/functions/local/runtimeapi/hello")
	binaries := make([]string, len(lambdas))
	for i, lambda := range lambdas {
		binaries[i] = build(b, "earshot/functions/"+lambda.function+"/lambda")
	}
	var least []time.Duration
	took, ratios := make([][]time.Duration, len(binaries)), make([][]float64, len(binaries))
	for b.Loop() {
		for i, lambda := range lambdas {
			base := start(b, hello, nil, []byte("{}"), answersAnything)
			of := start(b, binaries[i], lambda.env, lambda.event(), lambda.answers)
			least, took[i], ratios[i] = append(least, base), append(took[i], of), append(ratios[i], float64(of)/float64(base))
		}
	}
	b.ReportMetric(milliseconds(median(least)), "hello-ms")
	for i, lambda := range lambdas {
		name := strings.TrimPrefix(lambda.function, "setupstages/")
		b.ReportMetric(milliseconds(median(took[i])), name+"-ms")
		b.ReportMetric(median(ratios[i]), name+"/hello")
		b.ReportMetric(float64(zipped(b, binaries[i])), name+"-zip-B")
	}
	b.ReportMetric(0, "ns/op")
}

func build(b testing.TB, pkg string) string {
	b.Helper()
	binary := filepath.Join(b.TempDir(), "bootstrap")
	command := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-tags", "lambda.norpc", "-ldflags", "-s -w -buildid=", "-o", binary, pkg)
	command.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := command.CombinedOutput(); err != nil {
		b.Fatalf("build %s: %v\n%s", pkg, err, out)
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

func start(b *testing.B, binary string, env []string, event []byte, answers func([]byte) bool) time.Duration {
	b.Helper()
	function, err := runtimeapi.Start(b.Context(), binary, env)
	if err != nil {
		b.Fatal(err)
	}
	defer function.Close()
	answer, err := function.Invoke(b.Context(), event)
	if err != nil {
		b.Fatalf("%v\n%s", err, function.Output())
	}
	if !answers(answer) {
		b.Fatalf("%s\n%s", answer, function.Output())
	}
	return function.Timing().FirstResponse
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
