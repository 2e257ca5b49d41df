package main

import (
	"fmt"
	"time"

	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/constructs-go/constructs/v10"
)

// disabledAtOnce is how many workspaces have an endpoint disabled within an hour before it is an alarm. One customer
// has a receiver that is gone, and may have many endpoints on it. Five customers within an hour have our sender in
// common.
const disabledAtOnce = 5

// alarmOnDeliveries watches the two functions that deliver for what their errors do not say: endpoints that are
// disabled because the sender is broken, and work that is due and that nobody does.
func alarmOnDeliveries(of lambda, stage Stage, watch constructs.Construct, topic *alarmTopic) {
	own := func(name string) awscloudwatch.Metric {
		return metric(ownMetrics, name, "Sum", map[string]*string{stageKey: &stage.Name, functionKey: &of.Name})
	}
	switch of.Name {
	case "deliver":
		hourly := own(disabledWorkspaces).With(&awscloudwatch.MetricOptions{Period: seconds(time.Hour)})
		says := fmt.Sprintf("%d workspaces and more had an endpoint disabled within an hour.", disabledAtOnce)
		alarm{"Disabled", says, hourly, disabledAtOnce, 1, 1}.warn(watch, topic)
	case "deliveries":
		alarm{"Overdue", "Deliveries, digests or alerts are due for 15 minutes, and nobody works on them.",
			own(overdue), 1, 2, 3}.warn(watch, topic)
	}
}
