package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"earshot/shared/analytics/files"
)

// Day files stay until the function that wrote them deletes them. Results go after a week.
func TestDayFiles_ResultsExpire(t *testing.T) {
	got := deployments[withEveryOption].data.at(t, "Data/DayFiles/Bucket").property("LifecycleConfiguration", "Rules")
	want := []any{
		map[string]any{"Status": "Enabled", "AbortIncompleteMultipartUpload": map[string]any{"DaysAfterInitiation": 1}},
		map[string]any{"Status": "Enabled", "ExpirationInDays": 7, "Prefix": "results/"},
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the rules are %v, want %v", got, want)
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
	path := strings.NewReplacer("${workspace}", "org_1", "${day}", "2026-11-01", "s3://{Data/DayFiles/Bucket}/", "").
		Replace(template)
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

// Who switches day files on pays for the hourly look at days and its alarm while nobody asks, and for what is stored.
// Bucket, table and workgroup cost nothing.
func TestIdle_DayFiles(t *testing.T) {
	stage := Stages()[0]
	stage.AnalyticsFiles = true
	made, err := synthesize(stage, t.TempDir(), servedDocument)
	if err != nil {
		t.Fatal(err)
	}
	on, off := idleOf(t, made), idleOf(t, deployments[stage.Name])
	for item := range on {
		switch more := on[item] - off[item]; item {
		case alarmMetrics:
			if more != 3 {
				t.Errorf("%s: %g more, want 3", item, more)
			}
		case scheduled:
			if more != 730 {
				t.Errorf("%s: %g more, want 730", item, more)
			}
		case computing, reading, tracing, logging:
		default:
			if more != 0 {
				t.Errorf("%s: %g more, want none", item, more)
			}
		}
	}
	said := fmt.Sprintf("it costs %.2f a month more on `dev`", on.sum()-off.sum())
	if !strings.Contains(strings.ReplaceAll(guide(t), "\n", " "), said) {
		t.Errorf("the guide has not %q", said)
	}
}

// The writer is there, and may write, only where day files are on.
func TestDayFiles_Writer(t *testing.T) {
	made, writer := deployments[withEveryOption], dayFilesWriter()
	fn := made.in(writer).at(t, writer.home()+"/Fn")
	if fn.property("Environment", "Variables", "ANALYTICS_BUCKET") == nil {
		t.Error("the writer has no ANALYTICS_BUCKET")
	}
	var got []string
	for _, grant := range made.grants(t) {
		if strings.Contains(grant.holder, writer.Name) && strings.HasPrefix(grant.action, "s3:") {
			got = append(got, grant.action+" "+grant.resource)
		}
	}
	slices.Sort(got)
	const days = " {Data/DayFiles/Bucket.Arn}/analytics/workspace=org_*"
	if want := []string{"s3:DeleteObject" + days, "s3:PutObject" + days}; !slices.Equal(got, want) {
		t.Errorf("the writer may %q, want %q", got, want)
	}
	onEachStage(t, func(t *testing.T, _ Stage, made deployment) {
		for _, in := range made.stacks() {
			for _, each := range in.Resources {
				if strings.Contains(each.path(), writer.Name) {
					t.Errorf("%s is there", each.path())
				}
			}
		}
	})
}
