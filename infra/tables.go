package main

import (
	"github.com/aws/aws-cdk-go/awscdk/v2/awsdynamodb"
	"github.com/aws/aws-cdk-go/awscdk/v2/awskms"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"

	"earshot/shared/port/table"
)

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
		DeletionProtection: jsii.Bool(stage.protects(dataStack)),
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
