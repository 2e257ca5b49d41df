package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"earshot/shared/store/rows"
	"earshot/shared/web"
)

func TestEveryFunctionFolderHasARowAndEveryRowAFolder(t *testing.T) {
	var folders, listed []string
	root := "../functions"
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(filepath.ToSlash(path), "/lambda/main.go") {
			return err
		}
		folder, err := filepath.Rel(root, filepath.Dir(filepath.Dir(path)))
		folders = append(folders, filepath.ToSlash(folder))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, function := range everyOption().Functions() {
		listed = append(listed, function.folder())
	}
	slices.Sort(folders)
	slices.Sort(listed)
	if !slices.Equal(folders, listed) {
		t.Errorf("folders with lambda/main.go: %q\nrows of the manifest: %q", folders, listed)
	}
}

func TestTheManifestNamesEachFunctionOnceAndOnlyTablesThatThereAre(t *testing.T) {
	seen := map[string]bool{}
	tables := map[string][]string{} // the indexes of each
	for _, schema := range rows.Schemas() {
		tables[schema.Name] = []string{}
		for _, index := range schema.Indexes {
			tables[schema.Name] = append(tables[schema.Name], index.Name)
		}
	}
	for _, function := range Manifest() {
		if seen[function.Name] {
			t.Errorf("%s has two rows", function.Name)
		}
		seen[function.Name] = true
		granted := map[string]bool{}
		for _, grant := range function.Tables {
			if tables[grant.Table] == nil {
				t.Errorf("%s is granted the table %q, which the store has not", function.Name, grant.Table)
			}
			for _, index := range grant.Indexes {
				if !slices.Contains(tables[grant.Table], index) {
					t.Errorf("%s is granted the index %q of %s, which the store has not", function.Name, index, grant.Table)
				}
			}
			if granted[grant.Table] {
				t.Errorf("%s has two grants on %s", function.Name, grant.Table)
			}
			granted[grant.Table] = true
		}
		if function.Trigger == (API{}) && function.Timeout >= 29*time.Second {
			t.Errorf("%s may take %s; API Gateway gives up at 29 s", function.Name, function.Timeout)
		}
		if function.Timeout > 15*time.Minute {
			t.Errorf("%s may take %s; Lambda stops it at 15 minutes", function.Name, function.Timeout)
		}
	}
}

func TestEachFunctionIsDeployedAsItsRowSays(t *testing.T) {
	onEachStage(t, func(t *testing.T, stage Stage, made deployment) {
		lambdas := map[string]resource{}
		for _, lambda := range made.all("AWS::Lambda::Function") {
			if lambda.path() == "Service/"+fillsBucket {
				continue // the CDK's, in static_test.go
			}
			lambdas[strings.TrimSuffix(lambda.path(), "/Fn")] = lambda
		}
		if len(lambdas) != len(Manifest()) {
			t.Errorf("%d functions are deployed and %d in the manifest", len(lambdas), len(Manifest()))
		}
		for _, function := range Manifest() {
			lambda := lambdas[function.home()]
			own := "{" + function.home()
			want := map[string]any{
				"Runtime": "provided.al2023", "Handler": "bootstrap", "Architectures": []any{"arm64"},
				"MemorySize": function.MemoryMiB, "Timeout": function.Timeout.Seconds(),
				"TracingConfig": map[string]any{"Mode": "Active"},
			}
			for name, value := range want {
				if got := lambda.Properties[name]; fmt.Sprint(got) != fmt.Sprint(value) {
					t.Errorf("%s: %s is %v, want %v", function.Name, name, got, value)
				}
			}
			if role := made.in(function).text(lambda.Properties["Role"]); role != own+"/Role.Arn}" {
				t.Errorf("%s runs as %s", function.Name, role)
			}
			if logs := made.in(function).text(lambda.property("LoggingConfig", "LogGroup")); logs != own+"/Logs}" {
				t.Errorf("%s logs to %s", function.Name, logs)
			}
			if format := lambda.property("LoggingConfig", "LogFormat"); format != "JSON" {
				t.Errorf("%s: log format %v", function.Name, format)
			}
			checkEnvironment(t, made, stage, function, lambda)
		}
	})
}

// checkEnvironment wants the stage, the threads, and where the things are that the row grants, and nothing else: no
// secret can be there.
func checkEnvironment(t *testing.T, made deployment, stage Stage, function Function, lambda resource) {
	t.Helper()
	want := map[string]string{"STAGE": stage.Name, "GOMAXPROCS": "1"} // no function has more than a core
	for _, grant := range function.Tables {
		want["TABLE_"+strings.ToUpper(grant.Table)] = "{Data/" + title(grant.Table) + "}"
	}
	for _, name := range function.Sends {
		want["QUEUE_"+strings.ToUpper(name)] = "{Data/" + title(name) + "Queue}"
	}
	if len(function.Files) > 0 {
		want["BLOB_BUCKET"] = "{Data/Bucket}"
	}
	if len(function.Shards) > 0 {
		want["ARCHIVE_BUCKET"] = "{Data/Shards/Bucket}"
	}
	if function.Sources {
		want["SECRET_PATH"] = "/earshot/" + stage.Name + "/sources"
	}
	if len(function.Slack) > 0 {
		want["SECRET_PATH"] = "/earshot/" + stage.Name + "/workspaces"
	}
	if function.SlackApp {
		want["SLACK_APP_PATH"] = "/earshot/" + stage.Name + "/apps"
	}
	if len(function.People) > 0 && !function.hearsOfAccounts() {
		want["USER_POOL_ID"] = "{Data/People}"
	}
	if function.invites() {
		want["SIGNUP_URL"] = made.service.text(made.service.Outputs["SignUpUrl"].Value)
	}
	if function.Name == documented {
		want["STATIC_URL"] = "https://{Service/Static/Distribution.DomainName}"
	}
	if function.SignsIn || function.Name == documented {
		want["OAUTH_ISSUER"] = strings.TrimSuffix(made.service.text(made.service.Outputs["ApiUrl"].Value), "/")
	}
	if function.SignsIn {
		want["SIGNIN_PAGES"] = "https://earshot-" + stage.Name + "-{AWS::AccountId}" + strings.TrimSuffix(pages, "/")
		want["SIGNIN_CLIENT"] = "{Service/GrantSignIn}"
		want["SIGNIN_ISSUER"] = "https://cognito-idp.{AWS::Region}.amazonaws.com/{Data/People}"
	}
	if function.Starts {
		want["STATE_MACHINE_ARN"] = "{Service/Setup/Machine.Arn}"
	}
	got, _ := lambda.property("Environment", "Variables").(map[string]any)
	if len(got) != len(want) {
		t.Errorf("%s: environment %v, want %v", function.Name, got, want)
	}
	for name, value := range want {
		if text := made.in(function).text(got[name]); text != value {
			t.Errorf("%s: %s is %s, want %s", function.Name, name, text, value)
		}
	}
}

// A cap is what keeps two of a function from running at once; where nothing can be set aside, it is left to the row's timeout.
func TestACapIsSetAsideWhereTheStageReserves(t *testing.T) {
	onEachStage(t, func(t *testing.T, stage Stage, made deployment) {
		for _, function := range Manifest() {
			want := "<nil>"
			if function.AtOnce > 0 && stage.Reserves {
				want = fmt.Sprint(function.AtOnce)
			}
			lambda := made.in(function).at(t, function.home()+"/Fn")
			if got := fmt.Sprint(lambda.Properties["ReservedConcurrentExecutions"]); got != want {
				t.Errorf("%s has %s reserved, want %s", function.Name, got, want)
			}
		}
	})
	for _, stage := range Stages() {
		if stage.Reserves != (stage.Name != "dev") {
			t.Errorf("%s: a new account, where people try a first stage, cannot reserve; the others should", stage.Name)
		}
	}
}

func TestAMissingBinaryIsNamed(t *testing.T) {
	err := checkBinaries(t.TempDir(), []Function{{Name: "mentions"}})
	if err == nil || !strings.Contains(err.Error(), "functions/mentions") || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

// A request is over before another may take its Idempotency-Key.
func TestTimeouts_WithinLease(t *testing.T) {
	for _, f := range (Stage{}).Functions() {
		if _, ok := f.Trigger.(API); ok && f.Timeout >= web.Lease {
			t.Errorf("%s may take %v, want less than the lease of an Idempotency-Key, %v", f.Name, f.Timeout, web.Lease)
		}
	}
}
