package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigateway"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatchactions"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsdynamodb"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssns"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"

	"earshot/shared/port/table"
)

// newAlarmTopic makes the topic that every alarm speaks to. It is with the data because people subscribe to it by hand.
//
// It is not encrypted at rest: a message names a resource and a metric and holds nothing of anyone's data, and CloudWatch
// cannot publish to a topic under the AWS-managed key, only under a customer's, which has a monthly price. In transit it is.
func newAlarmTopic(scope constructs.Construct) awssns.Topic {
	topic := awssns.NewTopic(scope, jsii.String("Alarms"), &awssns.TopicProps{
		DisplayName: jsii.String("Earshot alarms"),
		EnforceSSL:  jsii.Bool(true),
	})
	// A topic with a policy of its own loses the default one, by which the account's alarms were allowed.
	topic.AddToResourcePolicy(awsiam.NewPolicyStatement(&awsiam.PolicyStatementProps{
		Sid:        jsii.String("AlarmsOfThisAccount"),
		Principals: &[]awsiam.IPrincipal{awsiam.NewServicePrincipal(jsii.String("cloudwatch.amazonaws.com"), nil)},
		Actions:    jsii.Strings("sns:Publish"),
		Resources:  &[]*string{topic.TopicArn()},
		Conditions: &map[string]any{"StringEquals": map[string]any{"aws:SourceAccount": awscdk.Aws_ACCOUNT_ID()}},
	}))
	output(scope, "AlarmTopic", "Subscribe to this topic to be told of alarms", topic.TopicArn())
	return topic
}

// An alarm goes off when its metric reaches the limit in breaching of the last periods of 5 minutes. No data is no alarm:
// nothing runs when nobody asks.
type alarm struct {
	id, says           string
	metric             awscloudwatch.IMetric
	limit              float64
	breaching, periods float64
}

func (a alarm) add(scope constructs.Construct, topic awssns.Topic) {
	awscloudwatch.NewAlarm(scope, jsii.String(a.id), &awscloudwatch.AlarmProps{
		AlarmDescription:   jsii.String(a.says + " What to do: infra/README.md, Alarms."),
		Metric:             a.metric,
		Threshold:          jsii.Number(a.limit),
		ComparisonOperator: awscloudwatch.ComparisonOperator_GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
		DatapointsToAlarm:  jsii.Number(a.breaching),
		EvaluationPeriods:  jsii.Number(a.periods),
		TreatMissingData:   awscloudwatch.TreatMissingData_NOT_BREACHING,
	}).AddAlarmAction(awscloudwatchactions.NewSnsAction(topic))
}

// alarmOnLambda watches one function: failures, invocations turned away, and answers that nearly took too long.
func alarmOnLambda(of lambda, stage Stage, topic awssns.Topic) {
	name := "functions/" + of.Name
	dimensions := map[string]*string{"FunctionName": of.deployed.FunctionName()}
	alarms := []alarm{
		{"Errors", name + " failed: it panicked, was killed or ran out of time.",
			metric("AWS/Lambda", "Errors", "Sum", dimensions), stage.ErrorsIn5Min, 1, 1},
	}
	if of.slowAt() > 0 {
		alarms = append(alarms, alarm{"Slow", fmt.Sprintf("%s takes %s and more; it is stopped at %s.", name, of.slowAt(), of.Timeout),
			metric("AWS/Lambda", "Duration", "p99", dimensions), milliseconds(of.slowAt()), 2, 3})
	}
	if of.AtOnce == 0 { // else to be turned away is what its cap is for
		alarms = append(alarms, alarm{"Throttles", name + " was turned away for want of concurrency.",
			metric("AWS/Lambda", "Throttles", "Sum", dimensions), 1, 1, 1})
	}
	for _, alarm := range alarms {
		alarm.add(of.scope, topic)
	}
}

// slowAt is the duration at which a function is slow: one that needs four fifths of its time limit loses requests before long. A stage of
// the setup pipeline is never: it uses its time, for sources want to be asked slowly, and fails for itself when that is over.
func (f Function) slowAt() time.Duration {
	if _, ok := f.Trigger.(Step); ok {
		return 0
	}
	return f.Timeout * 4 / 5
}

// alarmOnAPI watches what clients get. 4xx answers are theirs to mend and no alarm.
func alarmOnAPI(api awsapigateway.RestApi, stage Stage, topic awssns.Topic) {
	dimensions := map[string]*string{"ApiName": api.RestApiName(), "Stage": jsii.String(stage.Name)}
	alarms := []alarm{
		{"Failed", fmt.Sprintf("%g %% and more of the API's answers are 5xx.", stage.FailedShare*100),
			metric("AWS/ApiGateway", "5XXError", "Average", dimensions), stage.FailedShare, 2, 3},
		{"Slow", fmt.Sprintf("One in a hundred of the API's answers takes %s and more.", stage.SlowestOf100),
			metric("AWS/ApiGateway", "Latency", "p99", dimensions), milliseconds(stage.SlowestOf100), 2, 3},
	}
	for _, alarm := range alarms {
		alarm.add(api, topic)
	}
}

// alarmOnTable watches one table with its indexes.
func alarmOnTable(schema table.Schema, of awsdynamodb.Table, topic awssns.Topic) {
	throttled := map[string]awscloudwatch.IMetric{}
	count := func(id string, dimensions map[string]*string) {
		throttled["r"+id] = metric("AWS/DynamoDB", "ReadThrottleEvents", "Sum", dimensions)
		throttled["w"+id] = metric("AWS/DynamoDB", "WriteThrottleEvents", "Sum", dimensions)
	}
	count("0", map[string]*string{"TableName": of.TableName()})
	for i, index := range schema.Indexes {
		count(fmt.Sprint(i+1), map[string]*string{
			"TableName": of.TableName(), "GlobalSecondaryIndexName": jsii.String(index.Name),
		})
	}
	failed := map[string]awscloudwatch.IMetric{}
	for i, operation := range []string{"GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem",
		"TransactWriteItems"} {
		failed[fmt.Sprintf("m%d", i)] = metric("AWS/DynamoDB", "SystemErrors", "Sum", map[string]*string{
			"TableName": of.TableName(), "Operation": jsii.String(operation),
		})
	}
	alarms := []alarm{
		{"Throttled", "The table " + schema.Name + " or an index of it turns requests away.", sum(throttled), 1, 2, 3},
		{"Errors", "DynamoDB fails on the table " + schema.Name + ".", sum(failed), 1, 2, 3},
	}
	for _, alarm := range alarms {
		alarm.add(of, topic)
	}
}

func metric(namespace, name, statistic string, dimensions map[string]*string) awscloudwatch.Metric {
	return awscloudwatch.NewMetric(&awscloudwatch.MetricProps{
		Namespace: jsii.String(namespace), MetricName: jsii.String(name), Statistic: jsii.String(statistic),
		DimensionsMap: &dimensions, Period: fiveMinutes(),
	})
}

// sum adds metrics up, of which DynamoDB sends only those that are not 0.
func sum(metrics map[string]awscloudwatch.IMetric) awscloudwatch.IMetric {
	terms := slices.Sorted(maps.Keys(metrics))
	for i, id := range terms {
		terms[i] = "FILL(" + id + ", 0)"
	}
	return awscloudwatch.NewMathExpression(&awscloudwatch.MathExpressionProps{
		Expression: jsii.String(strings.Join(terms, " + ")), UsingMetrics: &metrics, Period: fiveMinutes(),
	})
}

func fiveMinutes() awscdk.Duration { return awscdk.Duration_Minutes(jsii.Number(5)) }

func milliseconds(d time.Duration) float64 { return float64(d.Milliseconds()) }
