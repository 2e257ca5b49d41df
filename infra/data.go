package main

import (
	"fmt"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscognito"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsdynamodb"
	"github.com/aws/aws-cdk-go/awscdk/v2/awskms"
	"github.com/aws/aws-cdk-go/awscdk/v2/awss3"
	"github.com/aws/jsii-runtime-go"

	"earshot/shared/port/table"
	"earshot/shared/store/rows"
)

// data holds what survives a deployment of the code.
type data struct {
	schemas  []table.Schema
	tables   map[string][]awsdynamodb.Table // by the schema's name: the first, and those that were restored
	key      awskms.Key                     // nil: the tables have the account's AWS-managed key
	queues   map[string]queues              // by the queue's name
	files    awss3.Bucket                   // of exports
	days     *dayFiles                      // nil: the stage writes none
	shards   awss3.Bucket                   // of the archive of posts
	people   awscognito.UserPool
	listener *listener // of accounts
	alarms   *alarmTopic
}

// newData fills the stack of data: a table for each of the store's schemas, the queues between functions, the bucket of
// exports, the directory of people with the function that it calls, and the topic that alarms speak to.
func newData(stack awscdk.Stack, stage Stage, functions []Function, binaries string) data {
	made := data{
		schemas: rows.Schemas(),
		tables:  map[string][]awsdynamodb.Table{},
		queues:  map[string]queues{},
		files:   newFiles(stack, stage),
		days:    newDayFiles(stack, stage),
		shards:  newShards(stack, stage),
		people:  newPeople(stack, stage),
		alarms:  newAlarmTopic(stack, stage),
	}
	newSignInPages(stack, stage, made.people)
	if stage.CustomerKey {
		made.key = newKey(stack, stage)
	}
	for _, schema := range made.schemas {
		made.tables[schema.Name] = newTables(stack, stage, schema, made.key)
		// The alarms stay with the first table, which keeps their names, and watch the one in use.
		alarmOnTable(made.tables[schema.Name][0], schema, made.table(schema.Name), made.alarms)
		output(stack, "Table"+title(schema.Name), "The table "+schema.Name, made.table(schema.Name).TableName())
	}
	for _, each := range MessageQueues() {
		pair := newQueues(stack, stage, each, takerOf(each.Name, functions), made.alarms)
		made.queues[each.Name] = pair
		output(stack, "Queue"+title(each.Name), "The queue "+each.Name, pair.live.QueueUrl())
		output(stack, "Dead"+title(each.Name), "The dead letters of the queue "+each.Name, pair.dead.QueueUrl())
	}
	made.listener = newListener(stack, stage, made, toldOfAccounts(functions), binaries)
	if stage.Canary {
		failing := map[string]awscloudwatch.Alarm{made.listener.Name: made.listener.failing}
		newCanaries(stack, stage, made.alarms, []lambda{made.listener.lambda}, failing, nil)
	}
	output(stack, "ExportsBucket", "The bucket of the files of exports", made.files.BucketName())
	output(stack, "ArchiveBucket", "The bucket of the shards of the archive of posts", made.shards.BucketName())
	output(stack, "UserPool", "The user pool of people's accounts", made.people.UserPoolId())
	made.export(stack)
	return made
}

// export hands the other stack everything that it may ever refer to. CloudFormation refuses to delete or replace what
// another stack imports. If exports were made only as they are used, the last use of one could not be removed: the
// stack of data is deployed first and would drop an export that is still imported.
func (d data) export(stack awscdk.Stack) {
	share := func(value *string) { stack.ExportValue(value, nil) }
	for _, schema := range d.schemas {
		for _, each := range d.tables[schema.Name] {
			share(each.TableName())
			share(each.TableArn())
		}
	}
	for _, each := range MessageQueues() {
		share(d.queues[each.Name].live.QueueUrl())
		share(d.queues[each.Name].live.QueueArn())
		share(d.queues[each.Name].live.QueueName())
		share(d.queues[each.Name].dead.QueueName())
	}
	share(d.files.BucketName())
	share(d.files.BucketArn())
	if d.days != nil {
		share(d.days.bucket.BucketName())
		share(d.days.bucket.BucketArn())
	}
	share(d.shards.BucketName())
	share(d.shards.BucketArn())
	share(d.people.UserPoolId())
	share(d.people.UserPoolArn())
	share(d.listener.deployed.FunctionName())
	share(d.listener.logs.LogGroupName())
	share(d.alarms.TopicArn())
	for _, each := range d.alarms.alarms {
		share(each.AlarmArn())
	}
	if d.key != nil {
		share(d.key.KeyArn())
	}
}

// table returns the table in use of a schema. It panics on an unknown name: the manifest has a mistake.
func (d data) table(name string) awsdynamodb.Table {
	found, ok := d.tables[name]
	if !ok {
		panic(fmt.Sprintf("infra: the store has no table %q", name))
	}
	return found[len(found)-1]
}

// queue returns a queue by its name. It panics on an unknown name: the manifest has a mistake.
func (d data) queue(name string) queues {
	found, ok := d.queues[name]
	if !ok {
		panic(fmt.Sprintf("infra: there is no queue %q", name))
	}
	return found
}

// indexARN names one index of a table. A grant on index/* would also reach the indexes of later schemas.
func (d data) indexARN(table, index string) *string {
	return jsii.String(*d.table(table).TableArn() + "/index/" + index)
}
