package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"earshot/shared/lambdalog"
	"earshot/shared/store/rows"
)

// sent lists the metrics that there are, each with the names of its dimensions: what a graph may show.
var sent = map[string][]string{
	"AWS/ApiGateway ApiName Stage": {"Count", "4XXError", "5XXError", "Latency", "IntegrationLatency"},
	"AWS/Lambda FunctionName":      {"Invocations", "Duration", "Errors", "Throttles"},
	"AWS/DynamoDB TableName": {"ConsumedReadCapacityUnits", "ConsumedWriteCapacityUnits", "ReadThrottleEvents",
		"WriteThrottleEvents"},
	"AWS/DynamoDB TableName GlobalSecondaryIndexName": {"ConsumedReadCapacityUnits", "ConsumedWriteCapacityUnits",
		"ReadThrottleEvents",
		"WriteThrottleEvents"},
	"AWS/DynamoDB TableName Operation": {"SuccessfulRequestLatency"},
	"AWS/SQS QueueName": {"ApproximateNumberOfMessagesVisible", "ApproximateAgeOfOldestMessage", "NumberOfMessagesSent",
		"NumberOfMessagesReceived",
		"NumberOfMessagesDeleted", "NumberOfEmptyReceives"},
	"AWS/States StateMachineArn": {"ExecutionsStarted", "ExecutionsSucceeded", "ExecutionsFailed", "ExecutionsTimedOut",
		"ExecutionsAborted"},
	"AWS/Logs LogGroupName":  {"IncomingBytes"},
	"Earshot Stage":          names(lambdalog.Requests()),
	"Earshot Stage Function": names(lambdalog.Invocations()),
}

func names(of []lambdalog.Metric) (all []string) {
	for _, metric := range of {
		all = append(all, metric.Name)
	}
	return all
}

// A widget is one of the dashboard.
type widget struct {
	Type                string
	X, Y, Width, Height int
	Properties          struct {
		Title, Markdown, Region string
		Metrics                 [][]any
		Alarms                  []string
	}
}

// widgets reads the dashboard, with references as text renders them.
func widgets(t *testing.T, in template) []widget {
	t.Helper()
	boards := in.of("AWS::CloudWatch::Dashboard")
	if len(boards) != 1 {
		t.Fatalf("%d dashboards", len(boards))
	}
	var body struct{ Widgets []widget }
	if err := json.Unmarshal([]byte(in.text(boards[0].Properties["DashboardBody"])), &body); err != nil {
		t.Fatal(err)
	}
	return body.Widgets
}

// onEachWatchedStage runs a test on the deployments that have a dashboard. The others have none.
func onEachWatchedStage(t *testing.T, test func(t *testing.T, stage Stage, made deployment)) {
	onEachStage(t, func(t *testing.T, stage Stage, made deployment) {
		if stage.Watched {
			test(t, stage, made)
			return
		}
		if boards := len(made.watch.of("AWS::CloudWatch::Dashboard")); boards > 0 {
			t.Errorf("%d dashboards, want none", boards)
		}
		if _, ok := made.service.Outputs["DashboardUrl"]; ok {
			t.Error("DashboardUrl leads nowhere")
		}
	})
}

func TestTheDashboardAnswersItsQuestionsInOrder(t *testing.T) {
	onEachWatchedStage(t, func(t *testing.T, _ Stage, made deployment) {
		var asked []string
		taken := map[[2]int]string{}
		for _, each := range widgets(t, made.watch) {
			if each.Type == "text" {
				asked = append(asked, strings.TrimPrefix(each.Properties.Markdown, "## "))
			}
			if each.X+each.Width > gridWidth {
				t.Errorf("%s is beyond the grid", each.Properties.Title)
			}
			for x := each.X; x < each.X+each.Width; x++ {
				for y := each.Y; y < each.Y+each.Height; y++ {
					if other, ok := taken[[2]int{x, y}]; ok {
						t.Fatalf("%s lies on %s", each.Properties.Title, other)
					}
					taken[[2]int{x, y}] = each.Properties.Title
				}
			}
		}
		if want := []string{"Is it up?", "Is it slow?", "Is it losing anything?", "What does it cost?"}; !slices.Equal(asked, want) {
			t.Errorf("%q", asked)
		}
	})
}

// Every function, queue, table, log group and alarm is in it; no graph shows what nothing sends, nor more than CloudWatch takes.
func TestTheDashboardShowsWhatThereIsAndNothingElse(t *testing.T) {
	onEachWatchedStage(t, func(t *testing.T, stage Stage, made deployment) {
		shown, alarms, all := map[string]bool{}, map[string]bool{}, 0
		for _, each := range widgets(t, made.watch) {
			if len(each.Properties.Metrics) > metricsOfWidget || len(each.Properties.Alarms) > alarmsOfWidget {
				t.Errorf("%s shows %d metrics and %d alarms", each.Properties.Title, len(each.Properties.Metrics),
					len(each.Properties.Alarms))
			}
			for _, alarm := range each.Properties.Alarms {
				alarms[alarm] = true
			}
			known := map[string]bool{}
			for _, line := range each.Properties.Metrics {
				options := line[len(line)-1].(map[string]any)
				if id, ok := options["id"].(string); ok {
					if known[id] {
						t.Errorf("%s has two series %s", each.Properties.Title, id)
					}
					known[id] = true
				}
			}
			for _, line := range each.Properties.Metrics {
				options := line[len(line)-1].(map[string]any)
				if expression, ok := options["expression"].(string); ok {
					checkExpression(t, each.Properties.Title, expression, known)
					continue
				}
				all++
				kind, metric := line[0].(string), line[1].(string)
				for i := 2; i+1 < len(line); i += 2 {
					kind += " " + line[i].(string)
					shown[fmt.Sprint(line[i], "=", line[i+1])] = true
				}
				if !slices.Contains(sent[kind], metric) || options["stat"] == nil {
					t.Errorf("%s: nothing sends %s of %s", each.Properties.Title, metric, kind)
				}
			}
		}
		if all > metricsOfDashboard {
			t.Errorf("%d metrics", all)
		}
		want := map[string]bool{"ApiName=earshot-" + stage.Name: true, "Stage=" + stage.Name: true,
			"StateMachineArn={Service/Setup/Machine.Arn}": true, "LogGroupName={Service/AccessLogs}": true,
			"QueueName={Service/sweep/EndedMissed.QueueName}": true}
		for _, function := range Manifest() {
			own := "{" + function.home()
			want["FunctionName="+own+"/Fn}"], want["LogGroupName="+own+"/Logs}"] = true, true
			if _, ok := function.Trigger.(Schedule); ok {
				want["QueueName="+own+"/Missed.QueueName}"] = true
			}
			if function.Trigger != (API{}) && len(function.Tables) > 0 {
				want["Function="+function.Name] = true
			}
		}
		for _, each := range MessageQueues() {
			want["QueueName={Data/"+title(each.Name)+"Queue.QueueName}"],
				want["QueueName={Data/"+title(each.Name)+"Dead.QueueName}"] = true, true
		}
		for _, schema := range rows.Schemas() {
			want["TableName={Data/"+title(schema.Name)+"}"] = true
			for _, index := range schema.Indexes {
				want["GlobalSecondaryIndexName="+index.Name] = true
			}
		}
		for _, operation := range tableOperations() {
			want["Operation="+operation] = true
		}
		compare(t, "shows", shown, want)
		there := map[string]bool{}
		for _, in := range made.templates() {
			for _, alarm := range in.of("AWS::CloudWatch::Alarm") {
				there["{"+alarm.path()+".Arn}"] = true
			}
		}
		compare(t, "has the alarm", alarms, there)
	})
}

func compare(t *testing.T, does string, got, want map[string]bool) {
	t.Helper()
	for each := range got {
		if !want[each] {
			t.Errorf("it %s %s, which is not there", does, each)
		}
	}
	for each := range want {
		if !got[each] {
			t.Errorf("nothing %s %s", does, each)
		}
	}
}

// checkExpression wants each name of an expression to be a function of metric math or a series of the widget.
func checkExpression(t *testing.T, where, expression string, known map[string]bool) {
	t.Helper()
	for _, word := range strings.FieldsFunc(expression, func(r rune) bool { return strings.ContainsRune(" ()[],+*/", r) }) {
		if strings.Trim(word, "0123456789.") != "" && !known[word] &&
			!slices.Contains([]string{"SUM", "FILL", "PERIOD"}, word) {
			t.Errorf("%s: there is no %s in %s", where, word, expression)
		}
	}
	if len(expression) > 2048 {
		t.Errorf("%s: an expression of %d characters", where, len(expression))
	}
}
