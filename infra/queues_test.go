package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"earshot/functions/exports"
	"earshot/shared/port/queue"
)

func TestEveryQueueOfThePortIsThereWithOneTaker(t *testing.T) {
	var names, taken []string
	for _, each := range MessageQueues() {
		names = append(names, each.Name)
	}
	for _, function := range Manifest() {
		if trigger, ok := function.Trigger.(Queue); ok {
			taken = append(taken, trigger.Name)
		}
		for _, name := range function.Sends {
			if !slices.Contains(queue.Names(), name) {
				t.Errorf("%s sends to %q, which is no queue", function.Name, name)
			}
		}
	}
	want := slices.Sorted(slices.Values(queue.Names()))
	slices.Sort(names)
	slices.Sort(taken)
	if !slices.Equal(names, want) || !slices.Equal(taken, want) {
		t.Errorf("the port has the queues %q, the deployment %q, and functions take the messages of %q", want, names, taken)
	}
	onEachStage(t, func(t *testing.T, _ Stage, made deployment) {
		if live := len(made.data.of("AWS::SQS::Queue")); live != 2*len(names) {
			t.Errorf("%d queues in the stack of data, want %d and their dead letters'", live, len(names))
		}
	})
}

// Whatever a queue holds is encrypted, reached by TLS alone and given up in the end to a queue that keeps it longer.
func TestQueuesAreSafeAndGiveUpInTheEnd(t *testing.T) {
	onEachStage(t, func(t *testing.T, stage Stage, made deployment) {
		for _, in := range made.stacks() {
			encryptedInTransit := map[string]bool{}
			for _, policy := range in.of("AWS::SQS::QueuePolicy") {
				if text := in.text(policy.property("PolicyDocument")); strings.Contains(text, `"aws:SecureTransport":"false"`) &&
					strings.Contains(text, `"Effect":"Deny"`) && strings.Contains(text, `"Action":"sqs:*"`) {
					for _, of := range list(policy.Properties["Queues"]) {
						encryptedInTransit[in.text(of)] = true
					}
				}
			}
			for _, each := range in.of("AWS::SQS::Queue") {
				if each.Properties["SqsManagedSseEnabled"] != true {
					t.Errorf("%s is not encrypted", each.path())
				}
				if !encryptedInTransit["{"+each.path()+"}"] {
					t.Errorf("%s is reached without TLS", each.path())
				}
				dead := strings.HasSuffix(each.path(), "Dead") || strings.HasSuffix(each.path(), "Missed")
				if kept := each.Properties["MessageRetentionPeriod"]; dead && kept != float64(14*24*60*60) {
					t.Errorf("%s keeps dead letters for %v seconds", each.path(), kept)
				}
				if permission := each.property("RedriveAllowPolicy", "redrivePermission"); permission == nil ||
					permission == "allowAll" {
					t.Errorf("%s takes the dead letters of any queue", each.path())
				}
			}
		}
		for _, settings := range MessageQueues() {
			live, dead := made.data.at(t, "Data/"+title(settings.Name)+"Queue"),
				made.data.at(t, "Data/"+title(settings.Name)+"Dead")
			taker := takerOf(settings.Name, Manifest())
			name := "earshot-" + stage.Name + "-" + settings.Name
			for what, check := range map[string]struct{ got, want any }{
				"name":       {live.Properties["QueueName"], name},
				"hidden for": {live.Properties["VisibilityTimeout"], hiddenFor(taker).Seconds()},
				"dead":       {made.data.text(live.property("RedrivePolicy", "deadLetterTargetArn")), "{" + dead.path() + ".Arn}"},
				"receives":   {live.property("RedrivePolicy", "maxReceiveCount"), settings.Receives},
				"letters of": {made.data.text(list(dead.property("RedriveAllowPolicy", "sourceQueueArns"))[0]),
					"arn:{AWS::Partition}:sqs:{AWS::Region}:{AWS::AccountId}:" + name},
			} {
				if fmt.Sprint(check.got) != fmt.Sprint(check.want) {
					t.Errorf("%s: %s is %v, want %v", settings.Name, what, check.got, check.want)
				}
			}
			if hidden := hiddenFor(taker); hidden < 6*taker.Timeout || settings.Oldest <= hidden || hidden > 12*time.Hour {
				t.Errorf("%s: hidden for %s, of a function that takes %s; the alarm is at %s", settings.Name, hidden, taker.Timeout,
					settings.Oldest)
			}
			if settings.Receives < 3 || settings.Receives > 5 {
				t.Errorf("%s comes %g times", settings.Name, settings.Receives)
			}
		}
	})
}

// The function settles an export at the last coming of its message, so that it has to know which one is the last; and all of
// them have to be over when the API calls the export failed.
func TestAnExportIsSettledByItsLastMessage(t *testing.T) {
	const givenUp = 2 * time.Hour // by functions/mentions
	for _, settings := range MessageQueues() {
		if settings.Name != queue.Exports {
			continue
		}
		if settings.Receives != exports.DefaultAttempts {
			t.Errorf("a message comes %g times, and the function counts to %d", settings.Receives, exports.DefaultAttempts)
		}
		taker := takerOf(settings.Name, Manifest())
		if all := time.Duration(settings.Receives-1)*hiddenFor(taker) + taker.Timeout; all > givenUp {
			t.Errorf("all attempts take %s", all)
		}
	}
}

func TestFunctionsTakeMessagesAsTheirRowsSay(t *testing.T) {
	onEachStage(t, func(t *testing.T, _ Stage, made deployment) {
		count := 0
		for _, function := range Manifest() {
			trigger, ok := function.Trigger.(Queue)
			if !ok {
				continue
			}
			count++
			mapping := made.in(function).at(t, function.home()+"/Messages")
			window := "<nil>"
			if trigger.Window > 0 {
				window = fmt.Sprint(trigger.Window.Seconds())
			}
			for what, check := range map[string]struct{ got, want any }{
				"function": {made.service.text(mapping.Properties["FunctionName"]), `{"Fn::Select":[6,{"Fn::Split":[":",{"Ref":"` +
					made.in(function).at(t, function.home()+"/Live").id + `"}]}]}:live`},
				"queue": {made.service.text(mapping.Properties["EventSourceArn"]),
					"{Data/" + title(trigger.Name) + "Queue.Arn}"},
				"batch":    {mapping.Properties["BatchSize"], trigger.Batch},
				"window":   {mapping.Properties["MaximumBatchingWindowInSeconds"], window},
				"at once":  {mapping.property("ScalingConfig", "MaximumConcurrency"), trigger.AtOnce},
				"failures": {mapping.Properties["FunctionResponseTypes"], []any{"ReportBatchItemFailures"}},
			} {
				if fmt.Sprint(check.got) != fmt.Sprint(check.want) {
					t.Errorf("%s: %s is %v, want %v", function.Name, what, check.got, check.want)
				}
			}
		}
		found := len(made.service.of("AWS::Lambda::EventSourceMapping"))
		for _, group := range made.groups {
			found += len(group.of("AWS::Lambda::EventSourceMapping"))
		}
		if found != count {
			t.Errorf("%d functions take messages, want %d", found, count)
		}
	})
}
