package main

import (
	"fmt"
	"testing"

	"earshot/shared/delivery"
	"earshot/shared/port/queue"
)

// Watched stages tell operators of a sender that is broken, and of deliveries that nobody makes.
func TestDeliveries_Alarms(t *testing.T) {
	onEachStage(t, func(t *testing.T, stage Stage, made deployment) {
		for path, want := range map[string]struct {
			metric           string
			limit            float64
			period, in, last int
		}{
			"deliver/Disabled":   {"disabledWorkspaces Function=deliver", 5, 3600, 1, 1},
			"deliveries/Overdue": {"overdue Function=deliveries", 1, 300, 2, 3},
		} {
			var found []resource
			for _, alarm := range made.watch.of("AWS::CloudWatch::Alarm") {
				if alarm.path() == "Service/Watch/"+path {
					found = append(found, alarm)
				}
			}
			if !stage.Watched {
				if len(found) > 0 {
					t.Errorf("%s has the alarm %s", stage.Name, path)
				}
				continue
			}
			if len(found) != 1 {
				t.Fatalf("%s has %d alarms %s, want 1", stage.Name, len(found), path)
			}
			of := found[0]
			if got := watched(made.watch, of); len(got) != 1 || got[0] != "Earshot "+want.metric+" Stage="+stage.Name {
				t.Errorf("%s looks at %q, want %s", path, got, want.metric)
			}
			got := fmt.Sprint(of.Properties["Statistic"], of.Properties["Threshold"], of.Properties["Period"],
				of.Properties["DatapointsToAlarm"], of.Properties["EvaluationPeriods"], of.Properties["ComparisonOperator"])
			if want := fmt.Sprint("Sum", want.limit, want.period, want.in, want.last, "GreaterThanOrEqualToThreshold"); got != want {
				t.Errorf("%s goes off at %s, want %s", path, got, want)
			}
		}
	})
}

// A call of deliver takes one message, which names one endpoint. With more, an endpoint that takes 15 s an attempt
// would hold up those that came in its batch.
func TestDeliver_OneEndpointACall(t *testing.T) {
	taker := takerOf(queue.Deliveries, Manifest())
	trigger := taker.Trigger.(Queue)
	if trigger.Batch != 1 || trigger.Window != 0 {
		t.Errorf("deliver takes %v messages within %v, want one at once", trigger.Batch, trigger.Window)
	}
	if trigger.AtOnce < 2*delivery.InFlight {
		t.Errorf("deliver has %v calls at once, want room for many slow endpoints", trigger.AtOnce)
	}
}
