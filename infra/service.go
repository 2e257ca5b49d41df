package main

import (
	"slices"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssqs"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsstepfunctions"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"
)

// newService fills the stack that can be made anew at any time.
func newService(
	stack awscdk.Stack, stage Stage, data data, functions []Function, routes []route, from sources,
) {
	api, access := newAPI(stack, stage, routes)
	pages := newSignIn(stack, stage, data.people, api)
	groups := newGroups(stack, functions)
	watch := newWatch(stack)
	called := newCalled(groups, stage, data, watch, functions, from.binaries)
	for _, each := range called.lambdas {
		pages.tellSignUp(each, stage)
		tellAPI(each, stage, api)
		pages.tellSignIn(each, stage, data.people)
	}
	newStaticFiles(stack, stage, from.static).tell(called.byName[documented])

	machine := newMachine(stack, stage, steps(called.byName))
	alarmOnMachine(constructs.NewConstruct(watch, jsii.String("Setup")), machine, data.alarms)
	called.byMachine(machine, data)

	addRoutes(paths{api, groups, routes, called.byName})
	newDomain(stack, stage, api)
	newFirewall(stack, stage, api)

	failing := alarmOnAPI(api, stage, data.alarms)
	if stage.Canary {
		newCanaries(stack, stage, data.alarms, called.own(), called.failing, failing)
	}
	alarmOnMail(watch, stage, data.alarms)
	if stage.Watched {
		newDashboard(watch, watching{stage, data, called.lambdas, machine, access, called.missed})
	}
	addQueries(watch, stage, called.lambdas, access)
}

// documented is the function that has a page.
const documented = "discovery"

// called holds the functions with their callers, except the API.
type called struct {
	lambdas []lambda // in the manifest's order, with the one that is in the stack of data
	byName  map[string]lambda
	failing map[string]awscloudwatch.Alarm // by function's name, of those of this stack
	missed  map[string]awssqs.Queue        // by what was not called: the queue of the calls that were given up
	watched map[string]constructs.Construct
}

// own returns the functions that are in the stack of the service and in its groups.
func (c called) own() []lambda {
	return slices.DeleteFunc(slices.Clone(c.lambdas), func(each lambda) bool { return each.hearsOfAccounts() })
}

// newCalled makes the functions, except the one in the stack of data, and makes queues and schedules call theirs.
func newCalled(
	groups groups, stage Stage, data data, watch awscdk.NestedStack, functions []Function, binaries string,
) called {
	c := called{
		byName:  map[string]lambda{},
		failing: map[string]awscloudwatch.Alarm{},
		missed:  map[string]awssqs.Queue{},
		watched: map[string]constructs.Construct{},
	}
	schedules := newSchedules(groups.service)
	failures := newFailures(groups.service)
	for _, function := range functions {
		watched := constructs.NewConstruct(watch, jsii.String(function.ID()))
		var made lambda
		if function.hearsOfAccounts() {
			made = data.listener.lambda
		} else {
			made = newLambda(groups.of(function), stage, data, function, binaries)
			beside := made.scope
			if function.failuresApart() {
				beside = constructs.NewConstruct(failures, jsii.String(function.ID()))
			}
			c.failing[function.Name] = alarmOnFailures(made, beside, stage, data.alarms)
		}
		c.lambdas, c.byName[function.Name], c.watched[function.Name] = append(c.lambdas, made), made, watched
		alarmOnLambda(made, watched, data.alarms)
		alarmOnModel(made, stage, watched, data.alarms)
		alarmOnDeliveries(made, stage, watched, data.alarms)
		switch trigger := function.Trigger.(type) {
		case Queue:
			callByQueue(made, trigger, data.queue(trigger.Name))
		case Schedule:
			c.missed[function.Name] = callBySchedule(made, trigger, schedules, watched, data.alarms)
		case Reports:
			callByReports(made, stage)
		}
	}
	return c
}

// byMachine lets the function that starts executions do so, and makes their ends call the function that is told of
// them.
func (c called) byMachine(machine awsstepfunctions.CfnStateMachine, data data) {
	for _, each := range c.lambdas {
		if each.Starts {
			letStart(each, machine)
		}
		if schedule, ok := each.Trigger.(Schedule); ok && schedule.Ended {
			c.missed[each.Name+", of setup runs"] = tellEnds(each, schedule, machine, c.watched[each.Name], data.alarms)
		}
	}
}
