package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/jsii-runtime-go"

	"earshot/shared/port/queue"
	"earshot/shared/store/rows"
)

func TestTablesAreTheStoresSchemas(t *testing.T) {
	onEachStage(t, func(t *testing.T, stage Stage, made deployment) {
		tables := map[string]resource{}
		for _, table := range made.data.of("AWS::DynamoDB::Table") {
			tables[table.path()] = table
		}
		if len(tables) != len(rows.Schemas()) || len(made.service.of("AWS::DynamoDB::Table")) != 0 {
			t.Errorf("%d tables in the stack of data, want %d", len(tables), len(rows.Schemas()))
		}
		for _, schema := range rows.Schemas() {
			table := tables["Data/"+title(schema.Name)]
			class := "<nil>"
			if schema.InfrequentAccess {
				class = "STANDARD_INFREQUENT_ACCESS"
			}
			for name, check := range map[string]struct{ got, want any }{
				"keys":       {keys(table.Properties), "pk HASH, sk RANGE"},
				"billing":    {table.Properties["BillingMode"], "PAY_PER_REQUEST"},
				"class":      {table.Properties["TableClass"], class},
				"encryption": {table.property("SSESpecification", "SSEEnabled"), true},
				"expiry": {table.Properties["TimeToLiveSpecification"],
					map[string]any{"AttributeName": "expiresAt", "Enabled": true}},
				"recovery": {table.Properties["PointInTimeRecoverySpecification"],
					map[string]any{"PointInTimeRecoveryEnabled": true, "RecoveryPeriodInDays": stage.RecoveryDays}},
				"protection": {table.Properties["DeletionProtectionEnabled"], stage.Keep},
			} {
				if fmt.Sprint(check.got) != fmt.Sprint(check.want) {
					t.Errorf("%s: %s is %v, want %v", schema.Name, name, check.got, check.want)
				}
			}
			indexes := list(table.Properties["GlobalSecondaryIndexes"])
			if len(indexes) != len(schema.Indexes) {
				t.Fatalf("%s has %d indexes", schema.Name, len(indexes))
			}
			for i, index := range schema.Indexes {
				got := indexes[i].(map[string]any)
				projection := fmt.Sprint(map[string]any{"ProjectionType": "INCLUDE", "NonKeyAttributes": index.Projection()})
				// Rows of every index tell whether they are expired.
				if !slices.Contains(index.Projection(), "expiresAt") {
					t.Errorf("%s: the index %s does not project %s", schema.Name, index.Name, "expiresAt")
				}
				if got["IndexName"] != index.Name || keys(got) != index.Partition+" HASH, "+index.Sort+" RANGE" ||
					fmt.Sprint(got["Projection"]) != projection {
					t.Errorf("%s: the index %s is %v", schema.Name, index.Name, got)
				}
			}
		}
	})
}

func keys(of map[string]any) string {
	var parts []string
	for _, each := range list(of["KeySchema"]) {
		key := each.(map[string]any)
		parts = append(parts, fmt.Sprint(key["AttributeName"], " ", key["KeyType"]))
	}
	return strings.Join(parts, ", ")
}

// stateful are the types of resources that hold what cannot be made anew.
var stateful = []string{"AWS::DynamoDB::Table", "AWS::S3::Bucket", "AWS::Logs::LogGroup", "AWS::KMS::Key"}

func TestProdKeepsItsDataAndTheOthersLeaveNothing(t *testing.T) {
	onEachStage(t, func(t *testing.T, stage Stage, made deployment) {
		want := "Delete"
		if stage.Name == "prod" {
			want = "RetainExceptOnCreate"
		}
		checkRemoval(t, made, want)
	})
}

func checkRemoval(t *testing.T, made deployment, want string) {
	t.Helper()
	count, replaced := 0, strings.TrimSuffix(want, "ExceptOnCreate") // CloudFormation has no such word for what is replaced
	for _, in := range made.stacks() {
		for _, kind := range stateful {
			for _, resource := range in.of(kind) {
				count++
				deleted, replaced := want, replaced
				if resource.path() == "Service/Static/Bucket" {
					deleted, replaced = "Delete", "Delete" // it has no data of people's, and is filled anew by each deployment
				}
				if resource.DeletionPolicy != deleted || resource.UpdateReplacePolicy != replaced {
					t.Errorf("%s: deleted %s, replaced %s; want %s, %s",
						resource.path(), resource.DeletionPolicy, resource.UpdateReplacePolicy, deleted, replaced)
				}
			}
		}
	}
	if least := len(rows.Schemas()) + len(Manifest()) + 2; count < least {
		t.Errorf("only %d of at least %d resources with state were found", count, least)
	}
}

func TestEveryLogGroupForgets(t *testing.T) {
	days := map[string]string{"dev": "7", "staging": "30", "prod": "90"}
	onEachStage(t, func(t *testing.T, stage Stage, made deployment) {
		for _, logs := range made.all("AWS::Logs::LogGroup") {
			if got := fmt.Sprint(logs.Properties["RetentionInDays"]); got != days[stage.Name] {
				t.Errorf("%s keeps %s days, want %s", logs.path(), got, days[stage.Name])
			}
		}
	})
}

// A table that functions use is protected from being replaced by an export that they import; an export that came and
// went with its use could not be taken away (see data.export). So the exports are looked at where nothing uses them.
func TestTheStackOfDataExportsWhetherUsedOrNot(t *testing.T) {
	folder := t.TempDir()
	app := awscdk.NewApp(&awscdk.AppProps{
		Outdir: jsii.String(folder), Context: &map[string]any{"aws:cdk:enable-path-metadata": true},
	})
	stage := Stage{Name: "alone", RecoveryDays: 1, CustomerKey: true, Watched: true}
	newData(newStack(app, stage, "Data", "data alone"), stage, Manifest(), binaries)
	app.Synth(nil)
	data, err := readTemplate(filepath.Join(folder, "Data.template.json"))
	if err != nil {
		t.Fatal(err)
	}
	var exported []string
	for _, output := range data.Outputs {
		if output.Export.Name != nil {
			exported = append(exported, data.text(output.Value))
		}
	}
	want := []string{"{Data/Alarms}", "{Data/Key.Arn}", "{Data/Bucket}", "{Data/Bucket.Arn}",
		"{Data/Shards/Bucket}", "{Data/Shards/Bucket.Arn}", "{Data/People}", "{Data/People.Arn}",
		"{Data/accountcreated/Fn}", "{Data/accountcreated/Logs}", "{Data/accountcreated/Errors.Arn}"}
	for _, schema := range rows.Schemas() {
		table := "Data/" + title(schema.Name)
		want = append(want, "{"+table+"}", "{"+table+".Arn}", "{"+table+"/Throttled.Arn}", "{"+table+"/Errors.Arn}")
	}
	for _, name := range queue.Names() {
		of, dead := "Data/"+title(name)+"Queue", "Data/"+title(name)+"Dead"
		want = append(want, "{"+of+"}", "{"+of+".Arn}", "{"+of+".QueueName}", "{"+of+"/Waiting.Arn}",
			"{"+dead+".QueueName}", "{"+dead+"/Letters.Arn}")
	}
	slices.Sort(exported)
	slices.Sort(want)
	if !slices.Equal(exported, want) {
		t.Errorf("exported %q, want %q", exported, want)
	}
}

func TestACustomersKeyEncryptsTheTablesAndIsUsedThroughThemOnly(t *testing.T) {
	stage, err := stageNamed("prod")
	if err != nil {
		t.Fatal(err)
	}
	stage.CustomerKey, stage.ReservedConcurrency = true, 7
	made, err := synthesize(stage, t.TempDir(), servedDocument)
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range made.data.of("AWS::DynamoDB::Table") {
		if key := made.data.text(table.property("SSESpecification", "KMSMasterKeyId")); key != "{Data/Key.Arn}" {
			t.Errorf("%s is encrypted with %q", table.path(), key)
		}
	}
	holders := map[string]bool{}
	for _, grant := range made.grants(t) {
		if !strings.HasPrefix(grant.action, "kms:") {
			continue
		}
		holders[grant.holder] = true
		if grant.resource != "{Data/Key.Arn}" || !strings.Contains(grant.condition, "kms:ViaService") {
			t.Errorf("%s", grant)
		}
	}
	for _, function := range Manifest() {
		if holders["{"+function.home()+"/Role}"] != (len(function.Tables) > 0) {
			t.Errorf("%s: reaches tables and not their key, or the reverse", function.Name)
		}
	}
	for _, lambda := range made.all("AWS::Lambda::Function") {
		if lambda.path() == "Service/"+fillsBucket {
			continue
		}
		want := "7"
		if lambda.path() == "Service/collect/Fn" {
			want = "1" // its row's
		}
		if reserved := fmt.Sprint(lambda.Properties["ReservedConcurrentExecutions"]); reserved != want {
			t.Errorf("%s has %s reserved", lambda.path(), reserved)
		}
	}
	if rotates := made.data.of("AWS::KMS::Key")[0].Properties["EnableKeyRotation"]; rotates != true {
		t.Error("the key does not rotate")
	}
	checkRemoval(t, made, "RetainExceptOnCreate")
	checkWidth(t, stage, made)
}
