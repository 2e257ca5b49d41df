package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/cloudformation/types"
)

func TestRollout_ProtectsAfterTheFirstSuccess(t *testing.T) {
	const first, service, protects = "UNPROTECTED=Data,Service", "UNPROTECTED=Service", "UNPROTECTED="
	const (
		none        = types.StackStatus("")
		complete    = types.StackStatusCreateComplete
		updated     = types.StackStatusUpdateComplete
		creating    = types.StackStatusCreateInProgress
		reviewed    = types.StackStatusReviewInProgress
		back        = types.StackStatusRollbackComplete
		backFailed  = types.StackStatusRollbackFailed
		goneFailed  = types.StackStatusDeleteFailed
		wentBack    = types.StackStatusUpdateRollbackComplete
		wentNowhere = types.StackStatusUpdateRollbackFailed
	)
	for _, test := range []struct {
		name          string
		stage         string
		data, service types.StackStatus
		want          []string
	}{
		{"new", "prod", none, none, []string{first, protects}},
		{"failed", "prod", back, none, []string{first, protects}},
		{"clean-up failed", "prod", backFailed, goneFailed, []string{first, protects}},
		{"killed", "prod", reviewed, creating, []string{first, protects}},
		{"service failed", "prod", complete, back, []string{service, protects}},
		{"service deleted, data in use", "prod", updated, none, []string{service, protects}},
		{"deployed", "prod", complete, updated, []string{protects}},
		{"went back", "prod", wentBack, wentNowhere, []string{protects}},
		{"not kept", "dev", none, none, []string{protects}},
	} {
		t.Run(test.name, func(t *testing.T) {
			stage, err := stageNamed(test.stage)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			err = rollout{stage: stage, out: io.Discard,
				status: func(_ context.Context, name string) (types.StackStatus, error) {
					if !stage.Keep {
						t.Errorf("CloudFormation was asked of %s, which has no protection", name)
					}
					statuses := map[string]types.StackStatus{"earshot-prod-data": test.data, "earshot-prod-service": test.service}
					return statuses[name], nil
				},
				cdk: func(_ context.Context, environment ...string) error {
					got = append(got, environment...)
					return nil
				},
			}.run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("cdk deploy ran with %q, want %q", got, test.want)
			}
		})
	}
}

func TestRollout_Fails(t *testing.T) {
	stage, err := stageNamed("prod")
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("exit status 1")
	for _, test := range []struct {
		name   string
		lookup error
		fails  int // the run of cdk deploy that fails
		runs   int
		says   string
	}{
		{"no credentials", broken, 0, 0, "the stack earshot-prod-data cannot be looked up"},
		{"the first deployment", nil, 1, 1, "is not protected against deletion: mend the cause and run make deploy again"},
		{"the second deployment", nil, 2, 2, "prod is deployed and not protected against deletion: run make deploy again"},
	} {
		t.Run(test.name, func(t *testing.T) {
			runs := 0
			err := rollout{stage: stage, out: io.Discard,
				status: func(context.Context, string) (types.StackStatus, error) { return "", test.lookup },
				cdk: func(context.Context, ...string) error {
					if runs++; runs == test.fails {
						return broken
					}
					return nil
				},
			}.run(t.Context())
			if !errors.Is(err, broken) || !strings.Contains(err.Error(), test.says) {
				t.Errorf("run() = %v, want %q", err, test.says)
			}
			if runs != test.runs {
				t.Errorf("cdk deploy ran %d times, want %d", runs, test.runs)
			}
		})
	}
}

func TestStackStatus_AsksCloudFormation(t *testing.T) {
	const there = `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>s</StackName>` +
		`<CreationTime>2026-11-22T09:00:00Z</CreationTime><StackStatus>ROLLBACK_COMPLETE</StackStatus></member></Stacks>` +
		`</DescribeStacksResult></DescribeStacksResponse>`
	failure := func(code, message string) string {
		return `<ErrorResponse><Error><Type>Sender</Type><Code>` + code + `</Code><Message>` + message +
			`</Message></Error></ErrorResponse>`
	}
	for _, test := range []struct {
		name, answer string
		status       int
		want         types.StackStatus
		fails        bool
	}{
		{"there", there, 200, types.StackStatusRollbackComplete, false},
		{"not there", failure("ValidationError", "Stack with id s does not exist"), 400, "", false},
		{"malformed", failure("ValidationError", "1 validation error detected"), 400, "", true},
		{"refused", failure("AccessDenied", "not authorized"), 403, "", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(test.status)
				_, _ = io.WriteString(w, test.answer)
			}))
			defer server.Close()
			none := filepath.Join(t.TempDir(), "none")
			for name, value := range map[string]string{
				"AWS_ENDPOINT_URL":            server.URL,
				"AWS_REGION":                  "us-east-1",
				"AWS_ACCESS_KEY_ID":           "id",
				"AWS_SECRET_ACCESS_KEY":       "secret",
				"AWS_CONFIG_FILE":             none,
				"AWS_SHARED_CREDENTIALS_FILE": none,
				"AWS_PROFILE":                 "",
			} {
				t.Setenv(name, value)
			}
			got, err := stackStatus(t.Context(), "s")
			if got != test.want {
				t.Errorf("stackStatus() = %q, want %q", got, test.want)
			}
			if (err != nil) != test.fails {
				t.Errorf("stackStatus() failed with %v, want a failure: %t", err, test.fails)
			}
		})
	}
}

// deletable are the reasons for which a resource of a kept stage may stay behind when the deployment fails that makes
// it.
var deletable = map[string]string{
	"Service/Api/CloudWatchRole": "the account's setting names it, and other APIs of the region log by it",
	"Service/Api/Account":        "it is the account's setting, of all APIs of the region",
}

// A creation that fails is taken back whole, so that it can be tried again: nothing stays behind, and nothing refuses
// to be deleted.
func TestFirstDeployment_CanBeTakenBack(t *testing.T) {
	for _, stage := range append(Stages(), everyOption()) {
		if stage.Name == "prod" && nameOf(stage) != withEveryOption {
			continue
		}
		t.Run(nameOf(stage), func(t *testing.T) {
			made := deployments[nameOf(stage)]
			if nameOf(stage) == withEveryOption { // it is prod, and more
				if err := stage.readOptions(func(name string) string {
					return map[string]string{"UNPROTECTED": strings.Join(stackIDs(), ",")}[name]
				}); err != nil {
					t.Fatal(err)
				}
				var err error
				if made, err = synthesize(stage, t.TempDir(), servedDocument); err != nil {
					t.Fatal(err)
				}
			}
			for id, protected := range terminationProtection(t, made) {
				if protected {
					t.Errorf("the stack %s is protected", id)
				}
			}
			for _, in := range made.templates() {
				for _, resource := range in.Resources {
					if resource.DeletionPolicy == "Retain" && deletable[resource.path()] == "" {
						t.Errorf("%s stays behind", resource.path())
					}
					for _, name := range []string{"DeletionProtection", "DeletionProtectionEnabled"} {
						if value := resource.Properties[name]; value != nil && value != false && value != "INACTIVE" {
							t.Errorf("%s has %s %v", resource.path(), name, value)
						}
					}
				}
			}
		})
	}
}

// terminationProtection returns which stacks are protected, by their ids. It fails unless they are those of stackIDs.
func terminationProtection(t *testing.T, made deployment) map[string]bool {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(made.folder, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct{ Artifacts map[string]artifact }
	if err := json.Unmarshal(content, &manifest); err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for id, artifact := range manifest.Artifacts {
		if artifact.Type == "aws:cloudformation:stack" {
			found[id] = artifact.Properties.TerminationProtection
			if !slices.Contains(stackIDs(), id) {
				t.Errorf("stackIDs() has no %s", id)
			}
		}
	}
	if len(found) != len(stackIDs()) {
		t.Errorf("%d stacks, want %d", len(found), len(stackIDs()))
	}
	return found
}

func TestUnprotected_OneStack(t *testing.T) {
	stage, err := stageNamed("prod")
	if err != nil {
		t.Fatal(err)
	}
	stage.Unprotected = []string{serviceStack}
	made, err := synthesize(stage, t.TempDir(), servedDocument)
	if err != nil {
		t.Fatal(err)
	}
	if got := terminationProtection(t, made); !got[dataStack] || got[serviceStack] {
		t.Errorf("protected: %v, want Data alone", got)
	}
	for _, table := range made.data.of("AWS::DynamoDB::Table") {
		if table.Properties["DeletionProtectionEnabled"] != true {
			t.Errorf("%s is not protected", table.path())
		}
	}
	if got := made.data.at(t, "Data/People").Properties["DeletionProtection"]; got != "ACTIVE" {
		t.Errorf("DeletionProtection of the user pool = %v, want ACTIVE", got)
	}
}

func TestUnprotected_UnknownStack(t *testing.T) {
	stage := Stage{Name: "prod"}
	err := stage.readOptions(func(name string) string { return map[string]string{"UNPROTECTED": "Data,Watch"}[name] })
	if want := `UNPROTECTED names the stack "Watch"; the stacks are Data, Service`; err == nil || err.Error() != want {
		t.Errorf("readOptions() = %v, want %s", err, want)
	}
}
