package main

import (
	"fmt"
	"strings"
	"testing"

	"earshot/shared/store"
)

// watched lists what an alarm looks at, each as namespace, metric and sorted dimensions.
func watched(in template, alarm resource) []string {
	var found []string
	add := func(metric map[string]any) {
		line := fmt.Sprint(metric["Namespace"], " ", metric["MetricName"])
		for _, each := range list(metric["Dimensions"]) {
			dimension := each.(map[string]any)
			line += fmt.Sprint(" ", dimension["Name"], "=", in.text(dimension["Value"]))
		}
		found = append(found, line)
	}
	if alarm.Properties["MetricName"] != nil {
		add(alarm.Properties)
	}
	for _, each := range list(alarm.Properties["Metrics"]) {
		if stat, ok := each.(map[string]any)["MetricStat"].(map[string]any); ok {
			add(stat["Metric"].(map[string]any))
		}
	}
	return found
}

func TestEveryAlarmReachesTheTopicAndSilenceIsNoAlarm(t *testing.T) {
	onEachStage(t, func(t *testing.T, _ Stage, made deployment) {
		for _, in := range []template{made.data, made.service} {
			for _, alarm := range in.of("AWS::CloudWatch::Alarm") {
				actions := list(alarm.Properties["AlarmActions"])
				if len(actions) != 1 || in.text(actions[0]) != "{Data/Alarms}" {
					t.Errorf("%s tells %v", alarm.path(), actions)
				}
				if alarm.Properties["TreatMissingData"] != "notBreaching" {
					t.Errorf("%s goes off when nobody asks", alarm.path())
				}
			}
		}
	})
}

func TestFunctionsAPITablesAndQueuesAreWatched(t *testing.T) {
	onEachStage(t, func(t *testing.T, stage Stage, made deployment) {
		seen := map[string]float64{} // what is watched → the limit
		for _, in := range []template{made.data, made.service} {
			for _, alarm := range in.of("AWS::CloudWatch::Alarm") {
				for _, metric := range watched(in, alarm) {
					seen[metric] = alarm.Properties["Threshold"].(float64)
				}
			}
		}
		want := func(metric string, limit float64) {
			t.Helper()
			if got, ok := seen[metric]; !ok || got != limit {
				t.Errorf("%s: watched %t with the limit %v, want %v", metric, ok, got, limit)
			}
			delete(seen, metric)
		}
		for _, function := range Manifest() {
			of := " FunctionName={Service/" + function.ID() + "/Fn}"
			want("AWS/Lambda Errors"+of, stage.ErrorsIn5Min)
			if function.AtOnce == 0 {
				want("AWS/Lambda Throttles"+of, 1)
			}
			if _, ok := function.Trigger.(Schedule); ok {
				want("AWS/SQS ApproximateNumberOfMessagesVisible QueueName={Service/"+function.ID()+"/Missed.QueueName}", 1)
			}
			if _, ok := function.Trigger.(Step); !ok {
				want("AWS/Lambda Duration"+of, milliseconds(function.Timeout)*0.8)
			}
		}
		for _, metric := range []string{"ExecutionsFailed", "ExecutionsTimedOut"} {
			want("AWS/States "+metric+" StateMachineArn={Service/Setup/Machine.Arn}", 1)
		}
		api := " ApiName=" + project + "-" + stage.Name + " Stage=" + stage.Name
		want("AWS/ApiGateway 5XXError"+api, stage.FailedShare)
		want("AWS/ApiGateway Latency"+api, milliseconds(stage.SlowestOf100))
		for _, schema := range store.Schemas() {
			table := "TableName={Data/" + title(schema.Name) + "}"
			for _, metric := range []string{"ReadThrottleEvents", "WriteThrottleEvents"} {
				want("AWS/DynamoDB "+metric+" "+table, 1)
				for _, index := range schema.Indexes {
					want("AWS/DynamoDB "+metric+" GlobalSecondaryIndexName="+index.Name+" "+table, 1)
				}
			}
			for _, operation := range []string{"GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem",
				"TransactWriteItems"} {
				want("AWS/DynamoDB SystemErrors Operation="+operation+" "+table, 1)
			}
		}
		for _, each := range MessageQueues() {
			name := "QueueName={Data/" + title(each.Name)
			want("AWS/SQS ApproximateNumberOfMessagesVisible "+name+"Dead.QueueName}", 1)
			want("AWS/SQS ApproximateAgeOfOldestMessage "+name+"Queue.QueueName}", each.Oldest.Seconds())
		}
		for metric := range seen {
			t.Errorf("%s is watched too", metric)
		}
	})
}

func TestTheAccountsAlarmsMayPublishAndOnlyEncryptedInTransit(t *testing.T) {
	onEachStage(t, func(t *testing.T, _ Stage, made deployment) {
		policy := made.data.text(made.data.of("AWS::SNS::TopicPolicy")[0].Properties["PolicyDocument"])
		for _, part := range []string{
			`"Principal":{"Service":"cloudwatch.amazonaws.com"}`, `"aws:SourceAccount":{"Ref":"AWS::AccountId"}`,
			`"aws:SecureTransport":"false"`,
		} {
			if !strings.Contains(policy, part) {
				t.Errorf("no %s in %s", part, policy)
			}
		}
	})
}
