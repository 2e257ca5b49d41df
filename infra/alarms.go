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

// An alarmTopic is the topic that every alarm notifies, with its alarms in the order in which they were made.
type alarmTopic struct {
	awssns.Topic
	watched bool // the stage
	alarms  []awscloudwatch.Alarm
}

// newAlarmTopic makes the topic that every alarm notifies. It is with the data because people subscribe to it by
// hand.
//
// It is encrypted in transit and not at rest. A message names a resource and a metric and holds nobody's data.
// CloudWatch cannot publish to a topic under the AWS-managed key, only under a customer's, which has a monthly price.
func newAlarmTopic(scope constructs.Construct, stage Stage) *alarmTopic {
	topic := awssns.NewTopic(scope, jsii.String("Alarms"), &awssns.TopicProps{
		DisplayName: jsii.String("Earshot alarms"),
		EnforceSSL:  jsii.Bool(true),
	})
	// A topic with its own policy loses the default one, which allowed the account's alarms.
	topic.AddToResourcePolicy(awsiam.NewPolicyStatement(&awsiam.PolicyStatementProps{
		Sid:        jsii.String("AlarmsOfThisAccount"),
		Principals: &[]awsiam.IPrincipal{awsiam.NewServicePrincipal(jsii.String("cloudwatch.amazonaws.com"), nil)},
		Actions:    jsii.Strings("sns:Publish"),
		Resources:  &[]*string{topic.TopicArn()},
		Conditions: &map[string]any{"StringEquals": map[string]any{"aws:SourceAccount": awscdk.Aws_ACCOUNT_ID()}},
	}))
	output(scope, "AlarmTopic", "Subscribe to this topic to be told of alarms", topic.TopicArn())
	if stage.MonthlyBudget > 0 {
		newBudget(scope, stage, topic)
	}
	return &alarmTopic{Topic: topic, watched: stage.Watched}
}

// An alarm goes off when its metric reaches the limit in breaching of its last periods. Periods are of 5 minutes
// unless the metric says otherwise. Missing data raises no alarm, because nothing runs when nobody asks.
type alarm struct {
	id, says           string
	metric             awscloudwatch.IMetric
	limit              float64
	breaching, periods float64
}

func (a alarm) add(scope constructs.Construct, topic *alarmTopic) awscloudwatch.Alarm {
	made := awscloudwatch.NewAlarm(scope, jsii.String(a.id), &awscloudwatch.AlarmProps{
		AlarmDescription:   jsii.String(a.says + " What to do: infra/ALARMS.md."),
		Metric:             a.metric,
		Threshold:          jsii.Number(a.limit),
		ComparisonOperator: awscloudwatch.ComparisonOperator_GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
		DatapointsToAlarm:  jsii.Number(a.breaching),
		EvaluationPeriods:  jsii.Number(a.periods),
		TreatMissingData:   awscloudwatch.TreatMissingData_NOT_BREACHING,
	})
	topic.hears(made)
	return made
}

// warn adds an alarm that goes off before anything fails. An unwatched stage has none.
func (a alarm) warn(scope constructs.Construct, topic *alarmTopic) {
	if topic.watched {
		a.add(scope, topic)
	}
}

// hears makes an alarm notify the topic.
func (t *alarmTopic) hears(made awscloudwatch.Alarm) {
	made.AddAlarmAction(awscloudwatchactions.NewSnsAction(t.Topic))
	t.alarms = append(t.alarms, made)
}

// alarmOnFailures watches one function for failures.
func alarmOnFailures(of lambda, scope constructs.Construct, stage Stage, topic *alarmTopic) awscloudwatch.Alarm {
	return alarm{"Errors", "functions/" + of.Name + " failed: it panicked, was killed or ran out of time.",
		metric("AWS/Lambda", "Errors", "Sum", map[string]*string{"FunctionName": of.deployed.FunctionName()}),
		stage.ErrorsIn5Min, 1, 1}.add(scope, topic)
}

// alarmOnLambda watches one function for invocations turned away, answers that were nearly too slow, and schedules
// that do not call it. Its alarms are in the nested stack, which has room.
func alarmOnLambda(of lambda, watch constructs.Construct, topic *alarmTopic) {
	name := "functions/" + of.Name
	dimensions := map[string]*string{"FunctionName": of.deployed.FunctionName()}
	var alarms []alarm
	if of.slowAt() > 0 {
		alarms = append(
			alarms,
			alarm{"Slow", fmt.Sprintf("%s takes %s and more; it is stopped at %s.", name, of.slowAt(), of.Timeout),
				metric("AWS/Lambda", "Duration", "p99", dimensions), milliseconds(of.slowAt()), 2, 3},
		)
	}
	if of.AtOnce == 0 { // else to be turned away is what its cap is for
		alarms = append(alarms, alarm{"Throttles", name + " was turned away for want of concurrency.",
			metric("AWS/Lambda", "Throttles", "Sum", dimensions), 1, 1, 1})
	}
	for _, alarm := range alarms {
		alarm.warn(watch, topic)
	}
	if schedule, ok := of.Trigger.(Schedule); ok {
		alarmOnSilence(of, schedule, watch, topic)
	}
}

// silentFor is the number of calls in a row that a scheduled function may miss before the alarm. A period is never
// shorter than the 5 minutes of other alarms.
const silentFor = 3

// alarmOnSilence watches a scheduled function, which can stop without failing. Missing data is its alarm.
func alarmOnSilence(of lambda, schedule Schedule, watch constructs.Construct, topic *alarmTopic) {
	period := max(schedule.Every, 5*time.Minute)
	topic.hears(awscloudwatch.NewAlarm(watch, jsii.String("Silent"), &awscloudwatch.AlarmProps{
		AlarmDescription: jsii.String(
			fmt.Sprintf("functions/%s was not called for %s. What to do: infra/ALARMS.md.", of.Name, silentFor*period),
		),
		Metric: metric(
			"AWS/Lambda", "Invocations", "Sum", map[string]*string{"FunctionName": of.deployed.FunctionName()},
		).
			With(&awscloudwatch.MetricOptions{Period: seconds(period)}),
		Threshold:          jsii.Number(1),
		ComparisonOperator: awscloudwatch.ComparisonOperator_LESS_THAN_THRESHOLD,
		DatapointsToAlarm:  jsii.Number(silentFor),
		EvaluationPeriods:  jsii.Number(silentFor),
		TreatMissingData:   awscloudwatch.TreatMissingData_BREACHING,
	}))
}

// Limits of SES's review of an account. At 5 % of bounces or 0.1 % of complaints SES reviews it. At twice that and
// more SES stops all mail.
const mailBounces, mailComplaints = 0.05, 0.001

// alarmOnMail watches bounces, complaints and mail that is not sent, on a stage that sends mail. SES counts the first two
// for the whole account. The functions count the third: deliver its own mails, and those behind the API together theirs.
func alarmOnMail(watch constructs.Construct, stage Stage, topic *alarmTopic) {
	if stage.MailFrom == "" {
		return
	}
	reputation := func(name string) awscloudwatch.IMetric {
		return metric(
			"AWS/SES", name, "Average", map[string]*string{},
		).With(&awscloudwatch.MetricOptions{Period: seconds(time.Hour)})
	}
	stopped := func(dimensions map[string]*string) awscloudwatch.IMetric {
		dimensions[stageKey] = &stage.Name
		return metric(ownMetrics, mailStopped, "Sum", dimensions)
	}
	for _, alarm := range []alarm{
		{"MailStopped", "The mail service sends no mail, because of a fault of the sender.",
			sum(map[string]awscloudwatch.IMetric{
				"deliver": stopped(map[string]*string{functionKey: jsii.String("deliver")}), "api": stopped(map[string]*string{}),
			}), 1, 1, 1},
		{"MailBounces", "Mail of the account bounces.", reputation("Reputation.BounceRate"), mailBounces, 1, 1},
		{"MailComplaints", "People complain of the account's mail.", reputation("Reputation.ComplaintRate"), mailComplaints,
			1, 1},
	} {
		alarm.add(watch, topic)
	}
}

// slowAt returns the duration at which a function is slow: four fifths of its time limit. A stage of the setup
// pipeline is never slow. It uses its time, because sources want to be asked slowly, and fails by itself at the
// limit.
func (f Function) slowAt() time.Duration {
	if _, ok := f.Trigger.(Step); ok {
		return 0
	}
	return f.Timeout * 4 / 5
}

// alarmOnAPI watches what clients get. 4xx answers raise no alarm, because only clients can mend them. It returns a
// second, faster alarm where the stage has canaries, and nil elsewhere: Failed looks at ten minutes, and a canary is
// over in five.
func alarmOnAPI(api awsapigateway.RestApi, stage Stage, topic *alarmTopic) awscloudwatch.Alarm {
	dimensions := map[string]*string{"ApiName": api.RestApiName(), "Stage": jsii.String(stage.Name)}
	alarm{"Failed", fmt.Sprintf("%g %% and more of the API's answers are 5xx.", stage.FailedShare*100),
		metric("AWS/ApiGateway", "5XXError", "Average", dimensions), stage.FailedShare, 2, 3}.add(api, topic)
	alarm{"Slow", fmt.Sprintf("One in a hundred of the API's answers takes %s and more.", stage.SlowestOf100),
		metric("AWS/ApiGateway", "Latency", "p99", dimensions), milliseconds(stage.SlowestOf100), 2, 3}.warn(api, topic)
	if !stage.Canary {
		return nil
	}
	return alarm{
		"Failing",
		fmt.Sprintf("%g %% and more of the API's answers of a minute are 5xx.", stage.FailedShare*100),
		metric(
			"AWS/ApiGateway", "5XXError", "Average", dimensions,
		).With(&awscloudwatch.MetricOptions{Period: seconds(time.Minute)}),
		stage.FailedShare,
		2,
		3,
	}.add(api, topic)
}

// alarmOnTable watches one table with its indexes. It makes the alarms within scope.
func alarmOnTable(scope constructs.Construct, schema table.Schema, of awsdynamodb.Table, topic *alarmTopic) {
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
	for i, operation := range tableOperations() {
		failed[fmt.Sprintf("m%d", i)] = metric("AWS/DynamoDB", "SystemErrors", "Sum", map[string]*string{
			"TableName": of.TableName(), "Operation": jsii.String(operation),
		})
	}
	alarms := []alarm{
		{"Throttled", "The table " + schema.Name + " or an index of it turns requests away.", sum(throttled), 1, 2, 3},
		{"Errors", "DynamoDB fails on the table " + schema.Name + ".", sum(failed), 1, 2, 3},
	}
	for _, alarm := range alarms {
		alarm.warn(scope, topic)
	}
}

// tableOperations lists the operations of DynamoDB that the store uses.
func tableOperations() []string {
	return []string{"GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem", "TransactWriteItems"}
}

func metric(namespace, name, statistic string, dimensions map[string]*string) awscloudwatch.Metric {
	return awscloudwatch.NewMetric(&awscloudwatch.MetricProps{
		Namespace: jsii.String(namespace), MetricName: jsii.String(name), Statistic: jsii.String(statistic),
		DimensionsMap: &dimensions, Period: fiveMinutes(),
	})
}

// sum adds metrics up. DynamoDB sends only those that are not 0.
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
