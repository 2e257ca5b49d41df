package main

import (
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssqs"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"
)

// sources are the files that a deployment is made from, beside the code of this app.
type sources struct {
	binaries string // folder with <function>/bootstrap for each function of the manifest
	document string // the OpenAPI document: which path is served by which function
}

// deploy adds one stage's stacks to the app. An error leaves the app incomplete: it is not to be synthesized.
func deploy(app awscdk.App, stage Stage, from sources) error {
	if err := stage.check(); err != nil {
		return err
	}
	functions := Manifest()
	routes, err := readRoutes(from.document)
	if err != nil {
		return err
	}
	if err := matchRoutes(routes, functions); err != nil {
		return err
	}
	if err := checkBinaries(from.binaries, functions); err != nil {
		return err
	}
	data := newData(newStack(app, stage, "Data", "tables, queues, files and the topic of alarms"), stage, functions)
	newService(newStack(app, stage, "Service", "functions, API, schedules and alarms"), stage, data, functions, routes, from.binaries)

	suppress(app, stage, functions)

	tags := awscdk.Tags_Of(app)
	tags.Add(jsii.String("Project"), jsii.String(project), nil)
	tags.Add(jsii.String("Stage"), jsii.String(stage.Name), nil)
	return nil
}

// project prefixes what one account's stages tell each other apart by: stacks' names and the API's.
const project = "earshot"

// newStack has the stage in its name, so that several stages fit into one account, but not in its id, so that resources
// have the same logical ids on every stage.
func newStack(app awscdk.App, stage Stage, id, holds string) awscdk.Stack {
	return awscdk.NewStack(app, jsii.String(id), &awscdk.StackProps{
		StackName:             jsii.String(project + "-" + stage.Name + "-" + strings.ToLower(id)),
		Description:           jsii.String("Earshot, stage " + stage.Name + ": " + holds + "."),
		TerminationProtection: jsii.Bool(stage.Keep),
	})
}

// newService fills the stack that can be made anew at any time.
func newService(
	stack awscdk.Stack, stage Stage, data data, functions []Function, routes []route, binaries string,
) {
	api, access := newAPI(stack, stage)
	pages := newSignIn(stack, stage, data.people, api)
	watch := newWatch(stack)
	schedules := newSchedules(stack)
	lambdas := make(map[string]lambda, len(functions))
	var inOrder []lambda
	missed := map[string]awssqs.Queue{}
	errors := map[string]awscloudwatch.Alarm{}
	scopes := map[string]constructs.Construct{}
	watched := func(function Function) constructs.Construct {
		if scopes[function.Name] == nil {
			scopes[function.Name] = constructs.NewConstruct(watch, jsii.String(function.ID()))
		}
		return scopes[function.Name]
	}
	for _, function := range functions {
		made := newLambda(stack, stage, data, function, binaries)
		lambdas[function.Name] = made
		inOrder = append(inOrder, made)
		errors[function.Name] = alarmOnLambda(made, stage, watched(function), data.alarms)
		pages.tellSignUp(made, stage)
		switch trigger := function.Trigger.(type) {
		case Queue:
			callByQueue(made, trigger, data.queue(trigger.Name))
		case Schedule:
			missed[function.Name] = callBySchedule(made, trigger, schedules, watched(made.Function), data.alarms)
		case Account:
			callByAccounts(made, data.people)
		}
	}
	machine := newMachine(stack, stage, steps(lambdas))
	alarmOnMachine(constructs.NewConstruct(watch, jsii.String("Setup")), machine, data.alarms)
	for _, function := range functions {
		made := lambdas[function.Name]
		if function.Starts {
			letStart(made, machine)
		}
		if schedule, ok := function.Trigger.(Schedule); ok && schedule.Ended {
			missed[function.Name+", of setup runs"] = tellEnds(made, schedule, machine, watched(made.Function), data.alarms)
		}
	}
	addRoutes(api, routes, lambdas)
	failing := alarmOnAPI(api, stage, data.alarms)
	if stage.Canary {
		newCanaries(stack, stage, data.alarms, inOrder, errors, failing)
	}
	alarmOnMail(watch, stage, data.alarms)
	newDashboard(watch, watching{stage, data, inOrder, machine, access, missed})
	addQueries(watch, stage, inOrder, access)
	newDomain(stack, stage, api)
	newFirewall(stack, stage, api)
}
