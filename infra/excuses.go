package main

import (
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"
	"github.com/cdklabs/cdk-nag-go/cdknag/v2"
)

// An excuse is one rule of AWS Solutions that one construct need not keep, with the reason.
type excuse struct {
	path    string // of the construct
	rule    string
	finding string // the one thing that the rule may find there; empty: whatever it finds
	below   bool   // the rule is about what is below the construct too
	reason  string
}

// excuses lists all of them for a stage. A broken rule without an excuse is an error of the synthesis. An excuse that
// nothing needs any more fails a test.
func excuses(stage Stage, functions []Function) []excuse {
	const (
		here     = "arn:<AWS::Partition>:"
		account  = ":<AWS::Region>:<AWS::AccountId>:"
		unnamed  = "X-Ray has no resources to name. What else a role reaches is held to a list by TestNoGrantIsWiderThanItsReason."
		keys     = "Who asks is found out by the function: a key of a workspace or an agency, of which only the digest is kept, with its scope. Discovery is public, and unknown paths are answered by mocks."
		nextCall = "It is where calls go that were given up. It is read by people, whom an alarm tells, and there is nowhere further to go."
	)
	list := []excuse{
		{
			path:   "Data/Bucket",
			rule:   "S1",
			reason: "Access logs of S3 hold the addresses of who followed a link, and no log of this deployment does. Each link is signed by one function, which logs it, and files live for a week.",
		},
		{
			path:   "Data/People",
			rule:   "COG2",
			reason: "A second factor is offered to everyone. Signing in opens no data of a workspace: keys do, which people's sign-in does not give.",
		},
		{
			path:   "Data/People",
			rule:   "COG8",
			reason: "The plan with threat protection costs by each person who signs in. Passwords are long, a second factor is offered, and whether an address has an account is not told.",
		},
		{
			path:   "Service/Api",
			rule:   "APIG2",
			reason: "Requests are validated by the functions, from the types that the document is made of, so that all faults of a request come back together in the contract's envelope.",
		},
		{
			path:    "Service/Api/CloudWatchRole",
			rule:    "IAM4",
			finding: "Policy::" + here + "iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs",
			reason:  "API Gateway has one role for the logs of all APIs of an account and region, whose log groups cannot be named here.",
		},
		{
			path:   "Service/Api/DeploymentStage." + stage.Name,
			rule:   "APIG6",
			reason: "Execution logs would go to a group that API Gateway makes itself and keeps for ever, and hold what requests carry. The access log has each request and the errors of integrations.",
		},
		{path: "Service/Api/Default", rule: "APIG4", below: true, reason: keys},
		{path: "Service/Api/Default", rule: "COG4", below: true, reason: keys},
		{
			path:   "Service/Setup/Machine",
			rule:   "SF1",
			reason: "Step Functions keeps the history of each execution for 90 days by itself, and it is free. The log has what failed.",
		},
		{
			path:    "Service/Setup/Role/DefaultPolicy",
			rule:    "IAM5",
			finding: "Resource::*",
			reason:  "X-Ray and the deliveries of logs have no resources to name. The actions are held to a list by TestNoGrantIsWiderThanItsReason.",
		},
	}
	list = append(list, excusesOfStatic(stage)...)
	list = append(list, excuse{
		path:   "Data/Shards/Bucket",
		rule:   "S1",
		reason: "Only roles of the stage's functions read it, for searches and to build shards. The functions log what they do.",
	})
	if stage.AnalyticsFiles {
		list = append(list, excuse{
			path:   "Data/DayFiles/Bucket",
			rule:   "S1",
			reason: "Only roles of the stage's functions read it, for statements and for the files of days. The functions log what they do, and Athena keeps each statement for 45 days.",
		})
	}
	if stage.FirewallRate == 0 {
		list = append(list, excuse{
			path:   "Service/Api/DeploymentStage." + stage.Name,
			rule:   "APIG3",
			reason: "AWS WAF has a monthly price, and is an option of the stage (FirewallRate). Without it a flood is bounded by the API's own limits and the hourly one of each workspace.",
		})
	}
	if stage.Canary {
		for _, stack := range stackIDs() {
			list = append(list, excuse{
				path:   stack + "/Canary/Role/DefaultPolicy",
				rule:   "IAM5",
				reason: "The stage's functions are named by their names' beginning, since their ARNs would make a circle, and DescribeAlarms is held against all alarms. Both are held to a list by TestNoGrantIsWiderThanItsReason.",
			})
		}
	}
	excused := map[string]bool{}
	for _, function := range functions {
		if function.Group != "" && function.Trigger == (API{}) && !excused[function.Group] {
			excused[function.Group] = true
			list = append(
				list,
				excuse{path: pathsOf(function.Group), rule: "APIG4", below: true, reason: keys},
				excuse{path: pathsOf(function.Group), rule: "COG4", below: true, reason: keys},
			)
		}
		policy := func(finding, reason string) {
			list = append(
				list,
				excuse{
					path:    function.home() + "/Role/DefaultPolicy",
					rule:    "IAM5",
					finding: "Resource::" + finding,
					reason:  reason,
				},
			)
		}
		policy("*", unnamed)
		if len(function.Files) > 0 {
			policy(
				"<Bucket83908E77.Arn>"+ofWorkspaces,
				"Files are in folders named by their workspaces, which a deployment cannot know. Of the bucket it is these folders alone.",
			)
		}
		if len(function.Shards) > 0 {
			policy(
				"<ShardsBucket7B54EF81.Arn>"+allShards,
				"A shard is named by when it was built and a random part. Of the bucket it is the folder of shards alone.",
			)
		}
		if stage.AnalyticsFiles && len(function.DayFiles) > 0 {
			policy(
				"<DayFilesBucketB4607DB1.Arn>"+dayFilesOfWorkspaces,
				"Day files are in folders named by their workspaces, which a deployment cannot know. Of the bucket it is these folders alone.",
			)
		}
		if stage.AnalyticsFiles && function.Statements {
			policy("<DayFilesBucketB4607DB1.Arn>/"+resultsFolder+"*", "Athena names results by the statement's id.")
		}
		if function.Sources {
			policy(
				here+"ssm"+account+"parameter"+stage.sourcesPath()+"/*",
				"Which credentials of sources there are people decide later, below this path.",
			)
		}
		if len(function.Slack) > 0 {
			policy(
				here+"ssm"+account+"parameter"+stage.workspacesPath()+"/*",
				"Which workspaces have a Slack people decide later, below this path.",
			)
		}
		if function.Mail && stage.MailSandbox {
			policy(
				here+"ses"+account+"identity/*",
				"In its sandbox SES checks the right on each recipient's identity, which a deployment cannot know. The sender is held to one address by a condition.",
			)
		}
		if function.Starts {
			policy(
				here+"states"+account+"execution:<SetupMachine9A671055.Name>:*",
				"Executions are named by drafts and runs, which a deployment cannot know.",
			)
		}
		if parts := profile.FindStringSubmatch(stage.Model); function.Model && parts != nil {
			policy(
				here+"bedrock:*::foundation-model/"+parts[2],
				"The profile chooses the region. It is this one model, and through the profile alone.",
			)
		}
		if schedule, ok := function.Trigger.(Schedule); ok {
			list = append(list, excuse{path: function.home() + "/Missed", rule: "SQS3", reason: nextCall})
			if schedule.Ended {
				list = append(
					list, excuse{path: function.home() + "/EndedMissed", rule: "SQS3", reason: nextCall},
				)
			}
		}
	}
	return list
}

// excusesOfStatic are the excuses of the constructs that serve and store the files of pages.
func excusesOfStatic(stage Stage) []excuse {
	const distribution = "Service/Static/Distribution"
	list := []excuse{
		{path: "Service/Static/Bucket", rule: "S1",
			reason: "The bucket holds the public files of pages and nothing else, and CloudFront alone reads it."},
		{path: distribution, rule: "CFR1", reason: "The documentation is for everybody."},
		{
			path:   distribution,
			rule:   "CFR3",
			reason: "Access logs of CloudFront hold the addresses of who reads the documentation, and no log of this deployment does.",
		},
		{
			path:   distribution,
			rule:   "CFR4",
			reason: "A distribution without a name and certificate of its own has CloudFront's TLS policy. What it serves is public, and pages check each file's digest.",
		},
		{path: "Service/Static/Role/DefaultPolicy", rule: "IAM5", finding: "Resource::<StaticBucket42064B42.Arn>/*",
			reason: "Files are named by their content. The bucket has nothing else in it."},
		{
			path:   "Service/" + fillsBucket,
			rule:   "L1",
			reason: "The function is the CDK's own, with the runtime that the CDK tests it with. It runs while the stack is deployed, and at no other time.",
		},
	}
	if stage.StaticFirewall == "" {
		list = append(list, excuse{path: distribution, rule: "CFR2",
			reason: "A web ACL has a monthly price, and is an option of the stage (StaticFirewall)."})
	}
	return list
}

// suppress applies the excuses to their constructs. It panics if a construct is missing: the list has a mistake.
func suppress(app awscdk.App, stage Stage, functions []Function) {
	for _, excuse := range excuses(stage, functions) {
		var at constructs.IConstruct = app
		for part := range strings.SplitSeq(excuse.path, "/") {
			if at = at.Node().TryFindChild(jsii.String(part)); at == nil {
				panic("infra: there is nothing to excuse at " + excuse.path)
			}
		}
		told := cdknag.NagPackSuppression{
			Id:     jsii.String("AwsSolutions-" + excuse.rule),
			Reason: jsii.String(excuse.reason),
		}
		if excuse.finding != "" {
			told.AppliesTo = &[]any{excuse.finding}
		}
		cdknag.NagSuppressions_AddResourceSuppressions(
			at, &[]*cdknag.NagPackSuppression{&told}, jsii.Bool(excuse.below),
		)
	}
}
