package main

import (
	"fmt"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsdynamodb"
	"github.com/aws/aws-cdk-go/awscdk/v2/awskms"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssns"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"

	"earshot/shared/port/table"
	"earshot/shared/store"
)

// data is what survives a deployment of the code.
type data struct {
	schemas []table.Schema
	tables  map[string]awsdynamodb.Table // by the schema's name
	key     awskms.Key                   // nil: the tables have the account's AWS-managed key
	alarms  awssns.Topic
}

// newData fills the stack of data: a table for each of the store's schemas, and the topic that alarms speak to.
func newData(stack awscdk.Stack, stage Stage) data {
	made := data{
		schemas: store.Schemas(),
		tables:  map[string]awsdynamodb.Table{},
		alarms:  newAlarmTopic(stack),
	}
	if stage.CustomerKey {
		made.key = newKey(stack, stage)
	}
	for _, schema := range made.schemas {
		made.tables[schema.Name] = newTable(stack, stage, schema, made.key)
		alarmOnTable(schema, made.tables[schema.Name], made.alarms)
		output(stack, "Table"+title(schema.Name), "The table "+schema.Name, made.tables[schema.Name].TableName())
	}
	made.export(stack)
	return made
}

// export hands the other stack everything that it may ever refer to. CloudFormation keeps what another stack imports from
// being deleted or replaced; were exports made only as they are used, the last use of one could not be taken away, since
// the stack of data is deployed first and would drop an export that is still imported.
func (d data) export(stack awscdk.Stack) {
	share := func(value *string) { stack.ExportValue(value, nil) }
	for _, schema := range d.schemas {
		share(d.table(schema.Name).TableName())
		share(d.table(schema.Name).TableArn())
	}
	share(d.alarms.TopicArn())
	if d.key != nil {
		share(d.key.KeyArn())
	}
}

// newTable makes a table without a name of its own, so that a change that replaces it can make the new one first.
func newTable(scope constructs.Construct, stage Stage, schema table.Schema, key awskms.Key) awsdynamodb.Table {
	props := awsdynamodb.TableProps{
		PartitionKey:        stringAttribute(table.PartitionAttribute),
		SortKey:             stringAttribute(table.SortAttribute),
		BillingMode:         awsdynamodb.BillingMode_PAY_PER_REQUEST,
		TimeToLiveAttribute: jsii.String(table.ExpiryAttribute),
		PointInTimeRecoverySpecification: &awsdynamodb.PointInTimeRecoverySpecification{
			PointInTimeRecoveryEnabled: jsii.Bool(true),
			RecoveryPeriodInDays:       jsii.Number(stage.RecoveryDays),
		},
		Encryption:         awsdynamodb.TableEncryption_AWS_MANAGED,
		DeletionProtection: jsii.Bool(stage.Keep),
		RemovalPolicy:      stage.removal(),
	}
	if key != nil {
		props.Encryption, props.EncryptionKey = awsdynamodb.TableEncryption_CUSTOMER_MANAGED, key
	}
	if schema.InfrequentAccess {
		props.TableClass = awsdynamodb.TableClass_STANDARD_INFREQUENT_ACCESS
	}
	made := awsdynamodb.NewTable(scope, jsii.String(title(schema.Name)), &props)
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

// table panics on a name that no schema has: a mistake in the manifest.
func (d data) table(name string) awsdynamodb.Table {
	found, ok := d.tables[name]
	if !ok {
		panic(fmt.Sprintf("infra: the store has no table %q", name))
	}
	return found
}

// indexARNs names each index of a table, where a grant on index/* would reach those of later schemas too.
func (d data) indexARNs(name string) []*string {
	var arns []*string
	for _, schema := range d.schemas {
		if schema.Name != name {
			continue
		}
		for _, index := range schema.Indexes {
			arns = append(arns, jsii.String(*d.table(name).TableArn()+"/index/"+index.Name))
		}
	}
	return arns
}
