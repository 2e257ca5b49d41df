package main

import (
	"encoding/json"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// restoredCore is the table that the guide restores.
const restoredCore = "earshot-prod-core-20261122T0930"

// swapped is prod before and after its core was restored, twice.
func swapped(t *testing.T) (before, after deployment) {
	t.Helper()
	stage, err := stageNamed("prod")
	if err != nil {
		t.Fatal(err)
	}
	stage.Restored = map[string][]string{"core": {"earshot-prod-core-of-old", restoredCore}}
	if after, err = synthesize(stage, t.TempDir(), servedDocument); err != nil {
		t.Fatal(err)
	}
	return deployments["prod"], after
}

// An import takes only what is added, by a type and a name that CloudFormation can import, and with a policy for its
// deletion. Nothing of the first table, and no export, may change: the stack of the service imports it until it is
// deployed. Alarms and accountcreated change with the deployment that follows, since an import leaves out every change.
func TestRestored_CanBeImported(t *testing.T) {
	before, after := swapped(t)
	added := map[string]resource{}
	for id, got := range after.data.Resources {
		if _, there := before.data.Resources[id]; !there && got.Type != "AWS::Lambda::Version" { // skipped: the guide says how
			added[id] = got
		}
	}
	first, names := before.data.at(t, "Data/Core"), []string{}
	for _, got := range added {
		names = append(names, got.Properties["TableName"].(string))
		properties := maps.Clone(got.Properties)
		delete(properties, "TableName")
		if got.Type != first.Type || got.DeletionPolicy != "Retain" {
			t.Errorf("%s is a %s, on deletion %s; want a table that is kept", got.path(), got.Type, got.DeletionPolicy)
		}
		if !reflect.DeepEqual(properties, first.Properties) {
			t.Errorf("%s is %v, want it as the first is, %v", got.path(), properties, first.Properties)
		}
	}
	if slices.Sort(names); !slices.Equal(names, []string{"earshot-prod-core-20261122T0930", "earshot-prod-core-of-old"}) {
		t.Errorf("the stack has the tables %q besides", names)
	}
	for id, was := range before.data.Resources {
		is, there := after.data.Resources[id]
		if was.Type == "AWS::Lambda::Version" {
			continue
		}
		later := was.Type == "AWS::CloudWatch::Alarm" || strings.HasPrefix(was.path(), "Data/accountcreated/")
		if !there || is.Type != was.Type || !later && !reflect.DeepEqual(is, was) {
			t.Errorf("%s changes with a restored table", was.path())
		}
	}
	for id, was := range before.data.Outputs {
		if is := after.data.Outputs[id]; was.Export.Name != nil && !reflect.DeepEqual(is, was) {
			t.Errorf("the export %s changes while another stack imports it", id)
		}
	}
}

// Every function, right, alarm, graph and output that named the first table names the last, and nothing else changes.
func TestRestored_IsInUse(t *testing.T) {
	before, after := swapped(t)
	const last = "{Data/Core " + restoredCore
	first, named := regexp.MustCompile(`\{Data/Core([.}])`), 0 // and not what is within it
	kinds := []string{"AWS::Lambda::Function", "AWS::IAM::Policy", "AWS::CloudWatch::Dashboard", "AWS::CloudWatch::Alarm"}
	pairs := map[string][2]template{
		"data":    {before.data, after.data},
		"service": {before.service, after.service},
		"watch":   {before.watch, after.watch},
	}
	for name, group := range before.groups {
		pairs[name] = [2]template{group, after.groups[name]}
	}
	for what, pair := range pairs {
		for _, kind := range kinds {
			if what == "data" && kind == "AWS::CloudWatch::Alarm" {
				continue // below
			}
			for _, was := range pair[0].of(kind) {
				is := readable(t, pair[1], pair[1].at(t, was.path()).Properties)
				named += strings.Count(is, last)
				if want := first.ReplaceAllString(readable(t, pair[0], was.Properties), last+"$1"); is != want {
					t.Errorf("%s: %s is\n%s\nwant\n%s", what, was.path(), is, want)
				}
			}
		}
	}
	if named < len(Manifest()) {
		t.Errorf("the restored table is named %d times", named)
	}
	if got := after.data.text(after.data.Outputs["TableCore"].Value); got != last+"}" {
		t.Errorf("the output TableCore is %s", got)
	}
	for _, was := range before.data.of("AWS::CloudWatch::Alarm") {
		is := watched(after.data, after.data.at(t, was.path()))
		for i, metric := range watched(before.data, was) {
			if want := first.ReplaceAllString(metric, last+"$1"); is[i] != want {
				t.Errorf("%s looks at %s, want %s", was.path(), is[i], want)
			}
		}
	}
}

// readable renders a value with every reference in it as template.text does.
func readable(t *testing.T, in template, value any) string {
	t.Helper()
	var resolve func(any) any
	resolve = func(value any) any {
		switch value := value.(type) {
		case []any:
			all := make([]any, len(value))
			for i, each := range value {
				all[i] = resolve(each)
			}
			return all
		case map[string]any:
			for _, reference := range []string{"Ref", "Fn::GetAtt", "Fn::Join", "Fn::ImportValue"} {
				if value[reference] != nil {
					return in.text(value)
				}
			}
			all := map[string]any{}
			for name, each := range value {
				all[name] = resolve(each)
			}
			return all
		}
		return value
	}
	text, err := json.Marshal(resolve(value))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestRestored_Check(t *testing.T) {
	for name, c := range map[string]struct {
		restored map[string][]string
		want     string
	}{
		"none": {nil, ""},
		"one":  {map[string][]string{"core": {restoredCore}}, ""},
		"no such table": {map[string][]string{"cores": {restoredCore}},
			`it is "cores"; it must be one of core, mentions, archive`},
		"no name": {map[string][]string{"core": {""}}, `it has ""; give the name`},
		"an ARN":  {map[string][]string{"core": {"arn:aws:dynamodb:eu-north-1:1:table/x"}}, "give the name"},
		"twice":   {map[string][]string{"core": {restoredCore}, "mentions": {restoredCore}}, "once"},
	} {
		stage, err := stageNamed("prod")
		if err != nil {
			t.Fatal(err)
		}
		stage.Restored = c.restored
		if err := stage.check(); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: check() = %v, want %q", name, err, c.want)
		}
	}
}

// The guide gives a restored table all that a restore leaves out and the template says, and names no stack, setting or
// output that there is not.
func TestTheGuideRestoresAWholeTable(t *testing.T) {
	_, guide, found := strings.Cut(guidePage(t, "RECOVERY.md"), "### A whole table\n")
	if !found {
		t.Fatal("the guide restores no whole table")
	}
	data := deployments["prod"].data
	core, archive := data.at(t, "Data/Core"), data.at(t, "Data/Archive")
	says := func(of resource, property, value string) bool {
		return strings.Contains(data.text(of.Properties[property]), value)
	}
	for part, is := range map[string]bool{
		"PointInTimeRecoveryEnabled=true,RecoveryPeriodInDays=35": says(core, "PointInTimeRecoverySpecification",
			`{"PointInTimeRecoveryEnabled":true,"RecoveryPeriodInDays":35}`),
		"--time-to-live-specification Enabled=true,AttributeName=expiresAt": says(core, "TimeToLiveSpecification",
			`{"AttributeName":"expiresAt","Enabled":true}`),
		"--deletion-protection-enabled":                         says(core, "DeletionProtectionEnabled", "true"),
		"--sse-specification-override Enabled=true,SSEType=KMS": says(core, "SSESpecification", `{"SSEEnabled":true}`),
		"--table-class STANDARD_INFREQUENT_ACCESS":              says(archive, "TableClass", "STANDARD_INFREQUENT_ACCESS"),
		`"Key=Project,Value=earshot" "Key=Stage,Value=$STAGE"`:  says(core, "Tags", `"Key":"Project","Value":"earshot"`),
		"TABLE=$TABLE_CORE RESTORED=" + restoredCore:            data.Outputs["TableCore"].Value != nil,
		// The setting is one of the compiler's, and the stack's id and name those of newStack.
		`Restored: map[string][]string{"core": {"` + restoredCore + `"}},`: Stage{Restored: map[string][]string{
			"core": {restoredCore}}}.checkRestored() == nil,
		"cdk import Data --force":               strings.HasPrefix(core.path(), "Data/"),
		`--stack-name "earshot-$STAGE-service"`: project == "earshot",
		`--stack-name "earshot-$STAGE-data"`:    project == "earshot",
	} {
		if !strings.Contains(guide, part) {
			t.Errorf("the guide has not %s", part)
		}
		if !is {
			t.Errorf("the templates are not as the guide has it: %s", part)
		}
	}
	// All that the template says of a table is what a restore carries over, or a command of the guide sets.
	carried := []string{"AttributeDefinitions", "BillingMode", "GlobalSecondaryIndexes", "KeySchema"}
	set := []string{"DeletionProtectionEnabled", "PointInTimeRecoverySpecification", "SSESpecification", "Tags",
		"TableClass",
		"TimeToLiveSpecification"}
	for _, each := range deployments["prod"].data.of("AWS::DynamoDB::Table") {
		for name := range each.Properties {
			if !slices.Contains(carried, name) && !slices.Contains(set, name) {
				t.Errorf("%s has %s, which no command gives a restored table", each.path(), name)
			}
		}
	}
	// What is stopped is what there is, and is taken back.
	for _, kind := range regexp.MustCompile(`(?m)^ +of (\w+) \|`).FindAllStringSubmatch(guide, -1) {
		if len(deployments["prod"].service.of("AWS::Lambda::"+kind[1])) == 0 {
			t.Errorf("the service has no %s to stop", kind[1])
		}
		if strings.Count(guide, "of "+kind[1]+" |") != 2 {
			t.Errorf("the service's %s are not stopped once and started once", kind[1])
		}
	}
}
