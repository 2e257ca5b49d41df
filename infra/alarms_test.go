package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"earshot/shared/store/rows"
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
		for _, in := range made.templates() {
			for _, alarm := range in.of("AWS::CloudWatch::Alarm") {
				actions := list(alarm.Properties["AlarmActions"])
				if len(actions) != 1 || in.text(actions[0]) != "{Data/Alarms}" {
					t.Errorf("%s tells %v", alarm.path(), actions)
				}
				heartbeat := strings.HasSuffix(alarm.path(), "/Silent")
				if heartbeat != (alarm.Properties["TreatMissingData"] == "breaching") ||
					!heartbeat && alarm.Properties["TreatMissingData"] != "notBreaching" {
					t.Errorf("%s goes off when nobody asks", alarm.path())
				}
			}
		}
	})
}

func TestFunctionsAPITablesAndQueuesAreWatched(t *testing.T) {
	onEachStage(t, func(t *testing.T, stage Stage, made deployment) {
		seen := map[string]float64{} // what is watched → the limit
		for _, in := range made.templates() {
			for _, alarm := range in.of("AWS::CloudWatch::Alarm") {
				for _, metric := range watched(in, alarm) {
					seen[metric] = alarm.Properties["Threshold"].(float64) // Failing and Failed look at the same
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
		warns := func(metric string, limit float64) {
			t.Helper()
			if stage.Watched {
				want(metric, limit)
			}
		}
		for _, function := range Manifest() {
			of := " FunctionName={" + function.home() + "/Fn}"
			want("AWS/Lambda Errors"+of, stage.ErrorsIn5Min)
			if function.AtOnce == 0 {
				warns("AWS/Lambda Throttles"+of, 1)
			}
			if _, ok := function.Trigger.(Schedule); ok {
				want("AWS/Lambda Invocations"+of, 1)
				want("AWS/SQS ApproximateNumberOfMessagesVisible QueueName={"+function.home()+"/Missed.QueueName}", 1)
			}
			if _, ok := function.Trigger.(Step); !ok {
				warns("AWS/Lambda Duration"+of, milliseconds(function.Timeout)*0.8)
			}
		}
		want("AWS/SQS ApproximateNumberOfMessagesVisible QueueName={Service/sweep/EndedMissed.QueueName}", 1)
		for _, metric := range []string{"ExecutionsFailed", "ExecutionsTimedOut"} {
			want("AWS/States "+metric+" StateMachineArn={Service/Setup/Machine.Arn}", 1)
		}
		api := " ApiName=" + project + "-" + stage.Name + " Stage=" + stage.Name
		want("AWS/ApiGateway 5XXError"+api, stage.FailedShare)
		warns("AWS/ApiGateway Latency"+api, milliseconds(stage.SlowestOf100))
		for _, schema := range rows.Schemas() {
			table := "TableName={Data/" + title(schema.Name) + "}"
			for _, metric := range []string{"ReadThrottleEvents", "WriteThrottleEvents"} {
				warns("AWS/DynamoDB "+metric+" "+table, 1)
				for _, index := range schema.Indexes {
					warns("AWS/DynamoDB "+metric+" GlobalSecondaryIndexName="+index.Name+" "+table, 1)
				}
			}
			for _, operation := range []string{"GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem",
				"TransactWriteItems"} {
				warns("AWS/DynamoDB SystemErrors Operation="+operation+" "+table, 1)
			}
		}
		for _, each := range MessageQueues() {
			name := "QueueName={Data/" + title(each.Name)
			want("AWS/SQS ApproximateNumberOfMessagesVisible "+name+"Dead.QueueName}", 1)
			warns("AWS/SQS ApproximateAgeOfOldestMessage "+name+"Queue.QueueName}", each.Oldest.Seconds())
		}
		// TestDeliveries_Alarms looks closer.
		warns("Earshot disabledWorkspaces Function=deliver Stage="+stage.Name, disabledAtOnce)
		if stage.MailFrom != "" {
			want("Earshot mailStopped Function=deliver Stage="+stage.Name, 1)
			want("Earshot mailStopped Stage="+stage.Name, 1)
		}
		warns("Earshot overdue Function=deliveries Stage="+stage.Name, 1)
		for metric := range seen {
			t.Errorf("%s is watched too", metric)
		}
	})
}

func TestDevIsNotWatched(t *testing.T) {
	for _, stage := range Stages() {
		if want := stage.Name != "dev"; stage.Watched != want {
			t.Errorf("%s: Watched is %t, want %t", stage.Name, stage.Watched, want)
		}
	}
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

// A schedule that calls nobody is found out, within three of its calls or a quarter of an hour.
func TestASilentScheduleIsAnAlarm(t *testing.T) {
	onEachStage(t, func(t *testing.T, _ Stage, made deployment) {
		count := 0
		for _, function := range Manifest() {
			schedule, ok := function.Trigger.(Schedule)
			if !ok {
				continue
			}
			count++
			alarm := made.watch.at(t, "Service/Watch/"+function.ID()+"/Silent")
			for what, check := range map[string]struct{ got, want any }{
				"below":   {alarm.Properties["ComparisonOperator"], "LessThanThreshold"},
				"limit":   {alarm.Properties["Threshold"], 1},
				"sum":     {alarm.Properties["Statistic"], "Sum"},
				"period":  {alarm.Properties["Period"], max(schedule.Every, 5*time.Minute).Seconds()},
				"periods": {alarm.Properties["EvaluationPeriods"], 3},
				"of them": {alarm.Properties["DatapointsToAlarm"], 3},
			} {
				if fmt.Sprint(check.got) != fmt.Sprint(check.want) {
					t.Errorf("%s: %s is %v, want %v", function.Name, what, check.got, check.want)
				}
			}
		}
		if count == 0 {
			t.Error("nothing is scheduled")
		}
	})
}

// What is off on every stage, on one that has it.
func TestMailABudgetAndAStepAsideAreSettings(t *testing.T) {
	stage, err := stageNamed("prod")
	if err != nil {
		t.Fatal(err)
	}
	stage.MailFrom, stage.MonthlyBudget, stage.SkipCanary = "mail@earshot.example", 120, true
	made, err := synthesize(stage, t.TempDir(), servedDocument)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string][]string{
		"Service/Watch/MailBounces":    {"AWS/SES Reputation.BounceRate", "0.05"},
		"Service/Watch/MailComplaints": {"AWS/SES Reputation.ComplaintRate", "0.001"},
		"Service/Watch/MailStopped": {
			"Earshot mailStopped Stage=prod", "Earshot mailStopped Function=deliver Stage=prod", "1",
		},
	} {
		alarm := made.watch.at(t, path)
		if got := append(watched(made.watch, alarm), fmt.Sprint(alarm.Properties["Threshold"])); !slices.Equal(got, want) {
			t.Errorf("%s looks at %q, want %q", path, got, want)
		}
	}
	var board string
	for _, in := range made.templates() {
		for _, each := range in.of("AWS::CloudWatch::Dashboard") {
			board += in.text(each.Properties["DashboardBody"])
		}
	}
	for _, series := range []string{`"mailStopped","Stage","prod",{`, `"mailStopped","Stage","prod","Function","deliver"`} {
		if !strings.Contains(board, series) {
			t.Errorf("the dashboard does not show %s", series)
		}
	}
	budget := made.data.at(t, "Data/Budget")
	if limit := made.data.text(budget.property("Budget", "BudgetLimit")); limit != `{"Amount":120,"Unit":"USD"}` {
		t.Errorf("the budget is %s", limit)
	}
	told := made.data.text(budget.Properties["NotificationsWithSubscribers"])
	for _, part := range []string{`"NotificationType":"ACTUAL","Threshold":80`, `"NotificationType":"FORECASTED","Threshold":100`,
		`{"Address":{"Ref":"` + made.data.at(t, "Data/Alarms").id + `"},"SubscriptionType":"SNS"}`} {
		if !strings.Contains(told, part) {
			t.Errorf("no %s in %s", part, told)
		}
	}
	policy := made.data.text(made.data.of("AWS::SNS::TopicPolicy")[0].Properties["PolicyDocument"])
	if !strings.Contains(policy, `"Principal":{"Service":"budgets.amazonaws.com"}`) ||
		!strings.Contains(policy, `:budgets::`) {
		t.Errorf("budgets may not publish: %s", policy)
	}
	// The groups stay, for the next deployment, and this one moves the aliases itself.
	if groups := made.all("AWS::CodeDeploy::DeploymentGroup"); len(groups) != len(stage.Functions()) {
		t.Errorf("%d groups", len(groups))
	}
	for _, alias := range made.all("AWS::Lambda::Alias") {
		if alias.UpdatePolicy != nil {
			t.Errorf("%s is moved by %v", alias.path(), alias.UpdatePolicy)
		}
	}
	for _, each := range Stages() {
		if each.MonthlyBudget != 0 || each.SkipCanary || len(deployments[each.Name].data.of("AWS::Budgets::Budget")) > 0 {
			t.Errorf("%s has a budget", each.Name)
		}
	}
}
