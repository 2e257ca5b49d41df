package runtimeapi

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
)

// generous is a time that only a test that hangs reaches.
const generous = 30 * time.Second

// build compiles a Lambda as a deployment does, for this machine, into a folder named after it.
func build(t *testing.T, pkg string) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), filepath.Base(pkg), "bootstrap")
	command := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-tags", "lambda.norpc", "-o", binary, pkg)
	command.Env = append(os.Environ(), "CGO_ENABLED=0")
	if message, err := command.CombinedOutput(); err != nil {
		t.Fatalf("build %s: %v\n%s", pkg, err, message)
	}
	return binary
}

// start starts a function that ends with the test.
func start(t *testing.T, binary string, env ...string) *Function {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), generous)
	defer cancel()
	function, err := Start(ctx, binary, env)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(function.Close)
	return function
}

// invoke makes one invocation.
func invoke(t *testing.T, function *Function, payload string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), generous)
	defer cancel()
	answer, err := function.Invoke(ctx, []byte(payload))
	return string(answer), err
}

func TestHello(t *testing.T) {
	function := start(t, build(t, "./hello"))
	if ready := function.Timing().Ready; ready <= 0 {
		t.Errorf("ready after %s", ready)
	}
	if first := function.Timing().FirstResponse; first != 0 {
		t.Errorf("first response after %s, before there was one", first)
	}
	var first Timing
	for range 3 {
		answer, err := invoke(t, function, "{}")
		if err != nil {
			t.Fatal(err)
		}
		var response events.APIGatewayProxyResponse
		if err := json.Unmarshal([]byte(answer), &response); err != nil {
			t.Fatal(err)
		}
		if response.StatusCode != 200 || response.Body != `{"hello":"world"}` {
			t.Errorf("got %+v", response)
		}
		if first.Ready == 0 {
			first = function.Timing()
		}
	}
	if got := function.Timing(); got != first || got.FirstResponse < got.Ready {
		t.Errorf("timing %+v, after the first response %+v", got, first)
	}
	if used, err := function.ProcessorTime(); runtime.GOOS == "linux" && (used <= 0 || err != nil) {
		t.Errorf("processor time %s, %v", used, err)
	}
	function.Close()
	if used, err := function.ProcessorTime(); err == nil {
		t.Errorf("processor time %s after Close", used)
	}
	function.Close()
	var ended *ExitError
	if _, err := invoke(t, function, "{}"); !errors.As(err, &ended) {
		t.Errorf("after Close: %v", err)
	}
}

func TestFaulty(t *testing.T) {
	binary := build(t, "./testdata/faulty")

	t.Run("success", func(t *testing.T) {
		function := start(t, binary)
		if got, err := invoke(t, function, `{"do":"nothing"}`); got != `{"do":"nothing"}` || err != nil {
			t.Errorf("got %s, %v", got, err)
		}
	})

	t.Run("error", func(t *testing.T) {
		function := start(t, binary)
		_, err := invoke(t, function, `{"do":"fail"}`)
		mustReport(t, err, "errorString", "on purpose")
		if first := function.Timing().FirstResponse; first != 0 {
			t.Errorf("an error counts as the first response, after %s", first)
		}
		if got, err := invoke(t, function, `{"do":"go on"}`); got != `{"do":"go on"}` || err != nil {
			t.Errorf("after an error: %s, %v", got, err)
		}
	})

	t.Run("panic", func(t *testing.T) {
		function := start(t, binary)
		_, err := invoke(t, function, `{"do":"panic"}`)
		mustReport(t, err, "string", "on purpose")
		_, err = invoke(t, function, `{}`)
		mustHaveEnded(t, err, "exit status 1", "on purpose")
	})

	t.Run("exit", func(t *testing.T) {
		function := start(t, binary)
		_, err := invoke(t, function, `{"do":"exit"}`)
		mustHaveEnded(t, err, "exit status 4", "leaving without a word")
	})

	t.Run("timeout", func(t *testing.T) {
		function := start(t, binary)
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		_, err := function.Invoke(ctx, []byte(`{"do":"hang"}`))
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		_, err = invoke(t, function, `{}`)
		mustHaveEnded(t, err, "signal: killed", "")
	})

	t.Run("a wait that ends harms nobody", func(t *testing.T) {
		function := start(t, binary)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		function.turn <- struct{}{} // as if another invocation were under way
		if _, err := function.Invoke(ctx, []byte(`{}`)); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		<-function.turn
		if _, err := invoke(t, function, `{}`); err != nil {
			t.Error(err)
		}
	})

	t.Run("too large a response", func(t *testing.T) {
		_, err := invoke(t, start(t, binary), `{"do":"large"}`)
		mustReport(t, err, "Function.ResponseSizeTooLarge", "larger than 6291556 bytes")
	})

	t.Run("a response that breaks off", func(t *testing.T) {
		_, err := invoke(t, start(t, binary), `{"do":"break off"}`)
		mustReport(t, err, "errorString", "the source broke off")
	})

	t.Run("at the same time", func(t *testing.T) {
		function := start(t, binary)
		var running sync.WaitGroup
		for i := range 20 {
			running.Go(func() {
				payload := `{"do":"` + strings.Repeat("x", i) + `"}`
				if got, err := invoke(t, function, payload); got != payload || err != nil {
					t.Errorf("got %s, %v, want %s", got, err, payload)
				}
			})
		}
		running.Wait()
	})

	t.Run("environment", func(t *testing.T) {
		t.Setenv("SECRET_OF_THE_PARENT", "x")
		function := start(t, binary, "TABLE=core", "AWS_REGION=eu-central-1")
		answer, err := invoke(t, function, `{"do":"environment"}`)
		if err != nil {
			t.Fatal(err)
		}
		var variables, names []string
		if err := json.Unmarshal([]byte(answer), &variables); err != nil {
			t.Fatal(err)
		}
		for _, variable := range variables {
			name, _, _ := strings.Cut(variable, "=")
			names = append(names, name)
		}
		slices.Sort(names)
		want := []string{
			"AWS_DEFAULT_REGION", "AWS_EXECUTION_ENV", "AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "AWS_LAMBDA_FUNCTION_NAME",
			"AWS_LAMBDA_FUNCTION_VERSION", "AWS_LAMBDA_INITIALIZATION_TYPE", "AWS_LAMBDA_LOG_GROUP_NAME",
			"AWS_LAMBDA_LOG_STREAM_NAME", "AWS_LAMBDA_RUNTIME_API", "AWS_REGION", "LAMBDA_RUNTIME_DIR", "LAMBDA_TASK_ROOT",
			"LANG", "PATH", "TABLE", "TZ", "_HANDLER", "_X_AMZN_TRACE_ID", // the last by aws-lambda-go
		}
		if !slices.Equal(names, want) {
			t.Errorf("got %q\nwant %q", names, want)
		}
		for name, value := range map[string]string{
			"TABLE": "core", "AWS_REGION": "eu-central-1", "AWS_LAMBDA_FUNCTION_NAME": "faulty", "_HANDLER": "bootstrap",
			"LAMBDA_TASK_ROOT": filepath.Dir(binary), "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "128",
		} {
			if got := lookup(variables, name); got != value {
				t.Errorf("%s is %q, want %q", name, got, value)
			}
		}
		if api := lookup(variables, "AWS_LAMBDA_RUNTIME_API"); !strings.HasPrefix(api, "127.0.0.1:") {
			t.Errorf("the API is at %s", api)
		}
	})

	t.Run("context", func(t *testing.T) {
		function := start(t, binary, "AWS_LAMBDA_FUNCTION_NAME=mentions")
		ctx, cancel := context.WithTimeout(t.Context(), generous)
		defer cancel()
		deadline, _ := ctx.Deadline()
		answer, err := function.Invoke(ctx, []byte(`{"do":"context"}`))
		if err != nil {
			t.Fatal(err)
		}
		var got map[string]string
		if err := json.Unmarshal(answer, &got); err != nil {
			t.Fatal(err)
		}
		if want := deadline.UTC().Truncate(time.Millisecond).Format(time.RFC3339Nano); got["deadline"] != want {
			t.Errorf("deadline %s, want %s", got["deadline"], want)
		}
		if got["arn"] != "arn:aws:lambda:us-east-1:123456789012:function:mentions" || len(got["requestId"]) != 36 {
			t.Errorf("got %q", got)
		}
		if trace := got["trace"]; !strings.HasPrefix(trace, "Root=1-") || !strings.HasSuffix(trace, ";Sampled=0") {
			t.Errorf("trace %q", trace)
		}
		if folder, err := filepath.EvalSymlinks(filepath.Dir(binary)); err != nil || got["folder"] != folder {
			t.Errorf("runs in %s, want %s (%v)", got["folder"], folder, err)
		}
	})

	t.Run("early exit", func(t *testing.T) {
		function, err := Start(t.Context(), binary, []string{"BEFORE=exit"})
		mustHaveEnded(t, err, "exit status 3", "the configuration is missing")
		if function != nil {
			t.Error("a function all the same")
		}
	})

	t.Run("init error", func(t *testing.T) {
		_, err := Start(t.Context(), binary, []string{"BEFORE=report"})
		mustReport(t, err, "Config.Missing", "there is no configuration")
	})

	t.Run("never ready", func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		_, err := Start(ctx, binary, []string{"BEFORE=hang"})
		if !errors.Is(err, context.DeadlineExceeded) ||
			!strings.Contains(err.Error(), "faulty did not ask for an invocation") {
			t.Errorf("got %v", err)
		}
	})

	t.Run("output", func(t *testing.T) {
		function := start(t, binary)
		_, err := invoke(t, function, `{"do":"exit"}`)
		if err == nil || function.Output() != "leaving without a word\n" {
			t.Errorf("%v; output %q", err, function.Output())
		}
	})
}

func TestNoBinary(t *testing.T) {
	_, err := Start(t.Context(), filepath.Join(t.TempDir(), "bootstrap"), nil)
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

// mustReport fails unless the function reported this error.
func mustReport(t *testing.T, err error, errorType, message string) {
	t.Helper()
	var reported *Error
	if !errors.As(err, &reported) || reported.Type != errorType || !strings.Contains(reported.Message, message) {
		t.Errorf("got %v, want %s: %s", err, errorType, message)
	}
}

// mustHaveEnded fails unless the error says that the process ended so, with this in its output.
func mustHaveEnded(t *testing.T, err error, state, output string) {
	t.Helper()
	var ended *ExitError
	if !errors.As(err, &ended) || ended.State != state || !strings.Contains(ended.Output, output) {
		t.Errorf("got %v, want %s and %q", err, state, output)
		return
	}
	if !strings.Contains(err.Error(), "faulty ended: "+state) || !strings.Contains(err.Error(), output) {
		t.Errorf("the message is %q", err)
	}
}
