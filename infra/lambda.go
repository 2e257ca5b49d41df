package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslogs"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"
)

// A lambda is a deployed Function; its scope holds everything that belongs to it.
type lambda struct {
	Function
	scope    constructs.Construct
	logs     awslogs.LogGroup
	role     awsiam.Role
	deployed awslambda.Function
	live     awslambda.Alias // of the version that is in use: what everything calls
}

// newLambda makes a function with a log group and a role of its own.
func newLambda(parent constructs.Construct, stage Stage, data data, function Function, binaries string) lambda {
	scope := constructs.NewConstruct(parent, jsii.String(function.ID()))
	logs := newLogGroup(scope, "Logs", stage)
	environment := environmentOf(function, stage, data)
	role := newRole(scope, function, stage, data, logs)
	props := awslambda.FunctionProps{
		Description:  stage.describe(function),
		Runtime:      awslambda.Runtime_PROVIDED_AL2023(),
		Architecture: awslambda.Architecture_ARM_64(),
		Handler:      jsii.String("bootstrap"),
		Code:         awslambda.Code_FromAsset(jsii.String(filepath.Join(binaries, function.folder())), nil),

		MemorySize:                   jsii.Number(function.MemoryMiB),
		Timeout:                      awscdk.Duration_Seconds(jsii.Number(function.Timeout.Seconds())),
		ReservedConcurrentExecutions: stage.reserved(function),
		Environment:                  &environment,

		Role:     role,
		LogGroup: logs,
		// The functions write JSON themselves. This makes Lambda's own lines JSON too.
		LoggingFormat:         awslambda.LoggingFormat_JSON,
		ApplicationLogLevelV2: stage.FunctionLogs,
		SystemLogLevelV2:      stage.PlatformLogs,
		Tracing:               awslambda.Tracing_ACTIVE,

		CurrentVersionOptions: &awslambda.VersionOptions{RemovalPolicy: stage.versionRemoval()},
	}
	if function.DiskMiB > 0 {
		props.EphemeralStorageSize = awscdk.Size_Mebibytes(jsii.Number(function.DiskMiB))
	}
	deployed := awslambda.NewFunction(scope, jsii.String("Fn"), &props)
	alias := awslambda.AliasProps{AliasName: jsii.String(liveName), Version: deployed.CurrentVersion()}
	if schedule, ok := function.Trigger.(Schedule); ok {
		// A call that waits is void once the next is due. The next call does what a failed one left.
		alias.MaxEventAge, alias.RetryAttempts = seconds(schedule.Every), jsii.Number(0)
	}
	return lambda{function, scope, logs, role, deployed, awslambda.NewAlias(scope, jsii.String("Live"), &alias)}
}

// coreMiB is the memory with which a Lambda has one core.
const coreMiB = 1769

// environmentOf returns the variables that name what the function may reach.
func environmentOf(function Function, stage Stage, data data) map[string]*string {
	environment := map[string]*string{"STAGE": jsii.String(stage.Name)}
	if function.MemoryMiB <= coreMiB {
		// Lambda shows two processors and gives a share of one. Go spends a tenth to a quarter of the processor time on
		// waking a second thread, and that looks for work until it sleeps again.
		environment["GOMAXPROCS"] = jsii.String("1")
	}
	for _, grant := range function.Tables {
		environment["TABLE_"+strings.ToUpper(grant.Table)] = data.table(grant.Table).TableName()
	}
	for _, name := range function.Sends {
		environment["QUEUE_"+strings.ToUpper(name)] = data.queue(name).live.QueueUrl()
	}
	if len(function.Files) > 0 {
		environment["BLOB_BUCKET"] = data.files.BucketName()
	}
	if len(function.Shards) > 0 {
		environment["ARCHIVE_BUCKET"] = data.shards.BucketName()
	}
	if data.days != nil {
		data.days.environment(function, environment)
	}
	if function.Sources {
		environment["SECRET_PATH"] = jsii.String(stage.sourcesPath())
		if stage.Contact != "" {
			environment["SOURCES_CONTACT"] = jsii.String(stage.Contact)
		}
	}
	if len(function.Slack) > 0 {
		environment["SECRET_PATH"] = jsii.String(stage.workspacesPath())
	}
	if function.SlackApp {
		environment["SLACK_APP_PATH"] = jsii.String(stage.appsPath())
	}
	if function.Mail && stage.MailFrom != "" {
		environment["MAIL_FROM"] = jsii.String(stage.MailFrom)
		if function.Letters {
			environment["MAIL_CONFIGURATION_SET"] = jsii.String(stage.lettersName())
		}
	}
	if len(function.People) > 0 && !function.hearsOfAccounts() { // each of its events names the pool
		environment["USER_POOL_ID"] = data.people.UserPoolId()
	}
	if function.invites() && stage.SignUpURL != "" {
		environment["SIGNUP_URL"] = jsii.String(stage.SignUpURL)
	}
	if (function.Model || function.ModelName) && stage.Model != "" {
		environment["MODEL_ID"] = jsii.String(stage.Model)
		if stage.ModelTokens > 0 {
			environment["MODEL_DAILY_TOKENS"] = jsii.String(strconv.Itoa(stage.ModelTokens))
		}
	}
	return environment
}

// newLogGroup makes a log group that keeps lines for the stage's time. One that Lambda or API Gateway made by itself
// would keep them for ever.
func newLogGroup(scope constructs.Construct, id string, stage Stage) awslogs.LogGroup {
	return awslogs.NewLogGroup(scope, jsii.String(id), &awslogs.LogGroupProps{
		Retention:     stage.LogDays,
		RemovalPolicy: stage.removal(),
	})
}

// checkBinaries returns in one line what the CDK would say in a stack trace.
func checkBinaries(folder string, functions []Function) error {
	for _, function := range functions {
		if _, err := os.Stat(filepath.Join(folder, function.folder(), "bootstrap")); err != nil {
			return fmt.Errorf("the binary of functions/%s: %w", function.folder(), err)
		}
	}
	return nil
}
