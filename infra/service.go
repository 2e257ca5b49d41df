package main

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssqs"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsstepfunctions"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"
)

// newService fills the stack that can be made anew at any time.
func newService(
	stack awscdk.Stack, stage Stage, data data, functions []Function, routes []route, binaries string,
) {
	api, access := newAPI(stack, stage)
	pages := newSignIn(stack, stage, data.people, api)
	watch := newWatch(stack)
	called := newCalled(stack, stage, data, watch, functions, binaries)
	for _, each := range called.lambdas {
		pages.tellSignUp(each, stage)
	}
	machine := newMachine(stack, stage, steps(called.byName))
	alarmOnMachine(constructs.NewConstruct(watch, jsii.String("Setup")), machine, data.alarms)
	called.byMachine(machine, data)

	addRoutes(api, routes, called.byName)
	newDomain(stack, stage, api)
	newFirewall(stack, stage, api)

	failing := alarmOnAPI(api, stage, data.alarms)
	if stage.Canary {
		newCanaries(stack, stage, data.alarms, called.lambdas, called.failing, failing)
	}
	alarmOnMail(watch, stage, data.alarms)
	newDashboard(watch, watching{stage, data, called.lambdas, machine, access, called.missed})
	addQueries(watch, stage, called.lambdas, access)
}

// called are the functions with what calls them, but the API.
type called struct {
	lambdas []lambda // in the manifest's order
	byName  map[string]lambda
	failing map[string]awscloudwatch.Alarm // each function's, by its name
	missed  map[string]awssqs.Queue        // by what was not called: the queue of the calls that were given up
	watched map[string]constructs.Construct
}

// newCalled makes the functions, and has queues, schedules and the directory of people call theirs.
func newCalled(stack awscdk.Stack, stage Stage, data data, watch awscdk.NestedStack, functions []Function, binaries string) called {
	c := called{byName: map[string]lambda{}, failing: map[string]awscloudwatch.Alarm{}, missed: map[string]awssqs.Queue{},
		watched: map[string]constructs.Construct{}}
	schedules := newSchedules(stack)
	for _, function := range functions {
		watched := constructs.NewConstruct(watch, jsii.String(function.ID()))
		made := newLambda(stack, stage, data, function, binaries)
		c.lambdas, c.byName[function.Name], c.watched[function.Name] = append(c.lambdas, made), made, watched
		c.failing[function.Name] = alarmOnLambda(made, stage, watched, data.alarms)
		switch trigger := function.Trigger.(type) {
		case Queue:
			callByQueue(made, trigger, data.queue(trigger.Name))
		case Schedule:
			c.missed[function.Name] = callBySchedule(made, trigger, schedules, watched, data.alarms)
		case Account:
			callByAccounts(made, data.people)
		}
	}
	return c
}

// byMachine lets the function that starts executions do so, and has the one called that is told of their ends.
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
