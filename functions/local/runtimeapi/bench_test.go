package runtimeapi_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"earshot/functions/local/runtimeapi"
	"earshot/shared/store/storetest"
	"earshot/shared/web/webtest"
	"earshot/shared/workspace"
)

// BenchmarkStart is the time from the start of a Lambda's process to its first answer: of hello world, and of functions that read from
// the server that TABLE_ENDPOINT names, all built in the same way. The starts alternate, so that what else the machine does meets all
// alike. The figures are the ratios of their medians.
func BenchmarkStart(b *testing.B) {
	if os.Getenv("TABLE_ENDPOINT") == "" {
		b.Skip("TABLE_ENDPOINT names no server: make bench starts one")
	}
	place := storetest.NewPlace(b)
	w := storetest.NewWorldAt(b, place)
	w.Put(b, w.Main.ID, storetest.Mention(1, "hackernews_comment_41907231", storetest.Now))
	if err := w.Store.ChangeWorkspace(b.Context(), w.Main.ID, func(o *workspace.Workspace) error {
		o.Flags = append(o.Flags, workspace.FlagSetupOnboarding)
		return nil
	}); err != nil {
		b.Fatal(err)
	}
	lambdas := []struct {
		name, folder string
		env          []string
		target       string // of the first request; what hello answers is no matter
	}{
		{"hello", "local/runtimeapi/hello", nil, "/"},
		{"mentions", "mentions/lambda", append(place.Variables(),
			"QUEUE_EXPORTS=exports", "BLOB_BUCKET=files", "QUEUE_ENDPOINT=http://127.0.0.1:9", "BLOB_ENDPOINT=http://127.0.0.1:9"),
			"/api/v2/mentions/hackernews_comment_41907231"},
		{"organization", "organization/lambda", place.Variables(), "/api/v2/org"},
		{"recommendations", "organization/lambda", place.Variables(), "/api/v2/monitoring/recommendations"},
		{"keywords", "keywords/lambda", place.Variables(), "/api/v2/keywords"},
		{"feeds", "feeds/lambda", append(place.Variables(), "SECRET_PATH=/earshot", "SECRET_ENDPOINT=http://127.0.0.1:9",
			"MAIL_FROM=mail@earshot.example", "MAIL_ENDPOINT=http://127.0.0.1:9"), "/api/v2/feeds"},
		{"members", "members/lambda", append(place.Variables(), "USER_POOL_ID=us-east-1_a", "IDENTITY_ENDPOINT=http://127.0.0.1:9",
			"MAIL_FROM=mail@earshot.example", "MAIL_ENDPOINT=http://127.0.0.1:9"), "/api/v2/org/members"},
		{"setup", "setup/lambda", append(place.Variables(), "QUEUE_SCANS=scans", "QUEUE_ENDPOINT=http://127.0.0.1:9",
			"STATE_MACHINE_ARN=arn:aws:states:eu-north-1:123456789012:stateMachine:Setup", "FLOW_ENDPOINT=http://127.0.0.1:9"), "/api/v2/setup/cleanup"},
		{"discovery", "discovery/lambda", nil, "/llms.txt"},
	}
	binaries, took := map[string]string{}, make([][]time.Duration, len(lambdas))
	for _, lambda := range lambdas {
		if binaries[lambda.folder] == "" {
			binaries[lambda.folder] = build(b, "earshot/functions/"+lambda.folder)
		}
	}
	for b.Loop() {
		for i, lambda := range lambdas {
			event, err := json.Marshal(webtest.Client{Token: w.Read}.Event(webtest.Request{Target: lambda.target}))
			if err != nil {
				b.Fatal(err)
			}
			took[i] = append(took[i], start(b, binaries[lambda.folder], lambda.env, event, lambda.name != "hello"))
		}
	}
	for i, lambda := range lambdas {
		b.ReportMetric(float64(median(took[i]).Microseconds())/1000, lambda.name+"-ms")
		if i > 0 {
			b.ReportMetric(float64(median(took[i]))/float64(median(took[0])), lambda.name+"/hello")
		}
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

func start(b *testing.B, binary string, env []string, event []byte, found bool) time.Duration {
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
	var response events.APIGatewayProxyResponse
	if err := json.Unmarshal(answer, &response); err != nil || found && response.StatusCode != 200 {
		b.Fatalf("%s\n%s", answer, function.Output())
	}
	return function.Timing().FirstResponse
}

func median(took []time.Duration) time.Duration {
	sorted := append([]time.Duration{}, took...)
	slices.Sort(sorted)
	return sorted[len(sorted)/2]
}
