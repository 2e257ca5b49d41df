package main

import (
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/jsii-runtime-go"
)

// sources are the files that a deployment is made from, besides the code of this app.
type sources struct {
	binaries string // folder with <function>/bootstrap for each function of the manifest
	document string // the OpenAPI document: which path is served by which function
	static   string // folder with a folder of files for each page, as shared/static writes them
}

// deploy adds one stage's stacks to the app. After an error the app is incomplete: do not synthesize it.
func deploy(app awscdk.App, stage Stage, from sources) error {
	if err := stage.check(); err != nil {
		return err
	}
	functions := stage.Functions()
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
	if err := checkStatic(from.static); err != nil {
		return err
	}
	data := newData(
		newStack(app, stage, dataStack, "tables, queues, files and the topic of alarms"), stage, functions,
		from.binaries,
	)
	newService(
		newStack(app, stage, serviceStack, "functions, API, schedules and alarms"), stage, data, functions, routes,
		from,
	)

	suppress(app, stage, functions)

	tags := awscdk.Tags_Of(app)
	tags.Add(jsii.String("Project"), jsii.String(project), nil)
	tags.Add(jsii.String("Stage"), jsii.String(stage.Name), nil)
	return nil
}

// project prefixes the names that must differ within an account: those of the stacks and the API.
const project = "earshot"

// The ids of a stage's stacks.
const (
	dataStack    = "Data"
	serviceStack = "Service"
)

// stackIDs lists the stacks of a stage in the order in which they are deployed.
func stackIDs() []string { return []string{dataStack, serviceStack} }

// stackName returns the name of a stack in its account.
func (s Stage) stackName(id string) string { return project + "-" + s.Name + "-" + strings.ToLower(id) }

// newStack makes a stack. Its name has the stage, so that several stages fit into one account. Its id has not, so
// that resources have the same logical ids on every stage.
func newStack(app awscdk.App, stage Stage, id, holds string) awscdk.Stack {
	return awscdk.NewStack(app, jsii.String(id), &awscdk.StackProps{
		StackName:             jsii.String(stage.stackName(id)),
		Description:           jsii.String("Earshot, stage " + stage.Name + ": " + holds + "."),
		TerminationProtection: jsii.Bool(stage.protects(id)),
	})
}
