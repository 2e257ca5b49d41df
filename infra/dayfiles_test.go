package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"earshot/shared/analytics/files"
)

func TestDayFiles_Bucket(t *testing.T) {
	made := deployments[withEveryOption]
	bucket := made.data.at(t, "Data/DayFiles/Bucket")
	for what, check := range map[string]struct{ got, want any }{
		"public access": {bucket.Properties["PublicAccessBlockConfiguration"], map[string]any{
			"BlockPublicAcls": true, "BlockPublicPolicy": true, "IgnorePublicAcls": true, "RestrictPublicBuckets": true}},
		"ownership": {bucket.property("OwnershipControls", "Rules"), []any{map[string]any{"ObjectOwnership": "BucketOwnerEnforced"}}},
		// Day files stay until the function that wrote them deletes them. Results go after a week.
		"life": {bucket.property("LifecycleConfiguration", "Rules"), []any{
			map[string]any{"Status": "Enabled", "AbortIncompleteMultipartUpload": map[string]any{"DaysAfterInitiation": 1}},
			map[string]any{"Status": "Enabled", "ExpirationInDays": 7, "Prefix": "results/"},
		}},
	} {
		if fmt.Sprint(check.got) != fmt.Sprint(check.want) {
			t.Errorf("%s is %v, want %v", what, check.got, check.want)
		}
	}
}

func TestDayFiles_Table(t *testing.T) {
	made := deployments[withEveryOption]
	table := made.data.at(t, "Data/DayFiles/Table")
	var got, want []string
	for _, each := range list(table.property("TableInput", "StorageDescriptor", "Columns")) {
		column := each.(map[string]any)
		got = append(got, fmt.Sprint(column["Name"], " ", column["Type"]))
	}
	for _, column := range files.Columns() {
		want = append(want, column.Name+" "+string(column.Type))
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the table has the columns %v, want %v", got, want)
	}
	parameters := table.property("TableInput", "Parameters").(map[string]any)
	const template = "s3://{Data/DayFiles/Bucket}/analytics/workspace=${workspace}/day=${day}/"
	for name, want := range map[string]string{
		"projection.enabled":        "true",
		"projection.workspace.type": "injected",
		"projection.day.type":       "date",
		"storage.location.template": template,
	} {
		if got := made.data.text(parameters[name]); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	// The template is where the writer puts its files.
	key, err := files.Key("org_1", time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC), 1)
	if err != nil {
		t.Fatal(err)
	}
	path := strings.NewReplacer("${workspace}", "org_1", "${day}", "2026-11-01", "s3://{Data/DayFiles/Bucket}/", "").Replace(template)
	if folder := filepath.Dir(key) + "/"; folder != path {
		t.Errorf("files are in %q, and the table looks in %q", folder, path)
	}
}

func TestDayFiles_Workgroup(t *testing.T) {
	made := deployments[withEveryOption]
	group := made.data.at(t, "Data/DayFiles/Workgroup")
	for name, want := range map[string]any{
		"BytesScannedCutoffPerQuery":      float64(10 << 30),
		"EnforceWorkGroupConfiguration":   true,
		"PublishCloudWatchMetricsEnabled": false,
	} {
		if got := group.property("WorkGroupConfiguration", name); got != want {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	place := made.data.text(group.property("WorkGroupConfiguration", "ResultConfiguration", "OutputLocation"))
	if want := "s3://{Data/DayFiles/Bucket}/results/"; place != want {
		t.Errorf("results are in %s, want %s", place, want)
	}
	analytics := made.in(functionNamed(t, "analytics")).at(t, functionNamed(t, "analytics").home()+"/Fn")
	for _, name := range []string{"ANALYTICS_BUCKET", "ATHENA_WORKGROUP", "ATHENA_DATABASE"} {
		if analytics.property("Environment", "Variables", name) == nil {
			t.Errorf("analytics has no %s", name)
		}
	}
}

func functionNamed(t *testing.T, name string) Function {
	t.Helper()
	for _, function := range Manifest() {
		if function.Name == name {
			return function
		}
	}
	t.Fatalf("there is no function %s", name)
	return Function{}
}

// A stage that has not switched day files on has nothing of them.
func TestDayFiles_Off(t *testing.T) {
	onEachStage(t, func(t *testing.T, _ Stage, made deployment) {
		for _, in := range made.stacks() {
			for _, each := range in.Resources {
				if strings.HasPrefix(each.Type, "AWS::Glue::") || strings.HasPrefix(each.Type, "AWS::Athena::") ||
					strings.Contains(each.path(), "DayFiles") {
					t.Errorf("%s is there", each.path())
				}
			}
			for _, grant := range grants(t, in) {
				if strings.HasPrefix(grant.action, "athena:") || strings.HasPrefix(grant.action, "glue:") {
					t.Errorf("%s", grant)
				}
			}
		}
	})
}

// Who switches day files on pays nothing for them while nobody asks, except for what is stored.
func TestIdle_DayFiles(t *testing.T) {
	stage := Stages()[0]
	stage.AnalyticsFiles = true
	made, err := synthesize(stage, t.TempDir(), servedDocument)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := idleOf(t, made), idleOf(t, deployments[stage.Name]); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("with day files an idle stage has %v, want %v", got, want)
	}
}
