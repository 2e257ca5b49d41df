package main

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsdynamodb"
	"github.com/aws/aws-cdk-go/awscdk/v2/awskms"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"

	"earshot/shared/port/table"
	"earshot/shared/store/rows"
)

// newTables makes a schema's table, and one for each that was restored from its backups, which `cdk import` fills in.
// The last is the one in use.
func newTables(scope constructs.Construct, stage Stage, schema table.Schema, key awskms.Key) []awsdynamodb.Table {
	// The table has no fixed name, so a change that replaces it can make the new one first.
	made := []awsdynamodb.Table{newTable(scope, title(schema.Name), nil, stage, schema, key)}
	for _, name := range stage.Restored[schema.Name] {
		made = append(made, newTable(scope, title(schema.Name)+" "+name, jsii.String(name), stage, schema, key))
	}
	return made
}

func newTable(
	scope constructs.Construct, id string, name *string, stage Stage, schema table.Schema, key awskms.Key,
) awsdynamodb.Table {
	props := awsdynamodb.TableProps{
		TableName:           name,
		PartitionKey:        stringAttribute(table.PartitionAttribute),
		SortKey:             stringAttribute(table.SortAttribute),
		BillingMode:         awsdynamodb.BillingMode_PAY_PER_REQUEST,
		TimeToLiveAttribute: jsii.String(table.ExpiryAttribute),
		PointInTimeRecoverySpecification: &awsdynamodb.PointInTimeRecoverySpecification{
			PointInTimeRecoveryEnabled: jsii.Bool(true),
			RecoveryPeriodInDays:       jsii.Number(stage.RecoveryDays),
		},
		Encryption:         awsdynamodb.TableEncryption_AWS_MANAGED,
		DeletionProtection: jsii.Bool(stage.protects(dataStack)),
		RemovalPolicy:      stage.removal(),
	}
	if name != nil && stage.Keep { // it has its data before the stack has it
		props.RemovalPolicy = awscdk.RemovalPolicy_RETAIN
	}
	if key != nil {
		props.Encryption, props.EncryptionKey = awsdynamodb.TableEncryption_CUSTOMER_MANAGED, key
	}
	if schema.InfrequentAccess {
		props.TableClass = awsdynamodb.TableClass_STANDARD_INFREQUENT_ACCESS
	}
	made := awsdynamodb.NewTable(scope, jsii.String(id), &props)
	for _, index := range schema.Indexes {
		projection := awsdynamodb.GlobalSecondaryIndexProps{
			IndexName:        jsii.String(index.Name),
			PartitionKey:     stringAttribute(index.Partition),
			SortKey:          stringAttribute(index.Sort),
			ProjectionType:   awsdynamodb.ProjectionType_INCLUDE,
			NonKeyAttributes: jsii.Strings(index.Projection()...),
		}
		made.AddGlobalSecondaryIndex(&projection)
	}
	return made
}

func stringAttribute(name string) *awsdynamodb.Attribute {
	return &awsdynamodb.Attribute{Name: jsii.String(name), Type: awsdynamodb.AttributeType_STRING}
}

// tableName matches DynamoDB's names of tables.
var tableName = regexp.MustCompile(`^[a-zA-Z0-9_.-]{3,255}$`)

// checkRestored returns what cannot be a list of restored tables.
func (s Stage) checkRestored() (faults []error) {
	fault := func(of, format string, values ...any) {
		faults = append(faults, fmt.Errorf("the stage "+s.Name+": Restored of "+of+": "+format, values...))
	}
	var known []string
	for _, schema := range rows.Schemas() {
		known = append(known, schema.Name)
	}
	seen := map[string]bool{}
	for _, of := range slices.Sorted(maps.Keys(s.Restored)) {
		if !slices.Contains(known, of) {
			fault("a table", "it is %q; it must be one of %s", of, strings.Join(known, ", "))
		}
		for _, name := range s.Restored[of] {
			if !tableName.MatchString(name) || seen[name] {
				fault(
					of, "it has %q; give the name of each restored table once, such as %s-%s-%s-20261122T0930", name,
					project, s.Name, of,
				)
			}
			seen[name] = true
		}
	}
	return faults
}
