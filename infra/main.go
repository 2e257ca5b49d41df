// Command infra is the CDK app: it turns one stage's settings, the manifest of functions, the store's schemas and the
// served OpenAPI document into two CloudFormation stacks. The stack of data holds what must survive (tables, queues,
// files, the topic of alarms); the stack of the service holds what is made anew from the code at any time (functions,
// API, schedules, alarms).
//
// As an app it reads and writes nothing but files: the same inputs give the same templates, to the byte. It runs from
// the top of the repository, by `cdk` (see cdk.json), with the stage in the environment as STAGE or on the command line
// as -c stage=.
//
// "infra deploy" (make deploy) is the other way round: it runs `cdk deploy`, twice for a stage's first deployment
// (rollout.go).
package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/jsii-runtime-go"
)

func main() {
	err := run(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "infra:", err)
	}
	// Closing may say "exited abnormally: waitid: no child processes": two parts of the runtime wait for its process,
	// and one of them is late. Nothing is wrong then.
	jsii.Close()
	if err != nil {
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) > 0 && args[0] == rolloutCommand {
		return newRollout(os.Getenv("STAGE"), args[1:])
	}
	app := awscdk.NewApp(nil)
	option, _ := app.Node().TryGetContext(jsii.String("stage")).(string)
	name := os.Getenv("STAGE")
	if name != "" && option != "" && name != option {
		return fmt.Errorf("the environment says STAGE=%s and the command line stage=%s: give one", name, option)
	}
	stage, err := stageNamed(cmp.Or(name, option))
	if err != nil {
		return err
	}
	if err := stage.readOptions(os.Getenv); err != nil {
		return err
	}
	err = deploy(
		app, stage, sources{binaries: "dist", document: "functions/discovery/openapi.json", static: "dist/static"},
	)
	if errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("%w (run from the top of the repository, after make build)", err)
	}
	if err != nil {
		return err
	}
	holdToSolutions(app)
	app.Synth(nil)
	return nil
}
