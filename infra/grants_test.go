package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// wide lists the only grants that may reach more than what they name, each with its reason.
var wide = map[string]string{
	"xray:PutTraceSegments on *":    "X-Ray has no resources to name",
	"xray:PutTelemetryRecords on *": "X-Ray has no resources to name",

	"xray:GetSamplingRules on *":   "X-Ray has no resources to name",
	"xray:GetSamplingTargets on *": "X-Ray has no resources to name",

	// What Step Functions logs it has delivered by CloudWatch, whose deliveries and resource policies have no resources to name.
	"logs:CreateLogDelivery on *":        "log deliveries have no resources to name",
	"logs:GetLogDelivery on *":           "log deliveries have no resources to name",
	"logs:UpdateLogDelivery on *":        "log deliveries have no resources to name",
	"logs:DeleteLogDelivery on *":        "log deliveries have no resources to name",
	"logs:ListLogDeliveries on *":        "log deliveries have no resources to name",
	"logs:PutResourcePolicy on *":        "log deliveries have no resources to name",
	"logs:DescribeResourcePolicies on *": "log deliveries have no resources to name",
	"logs:DescribeLogGroups on *":        "log deliveries have no resources to name",

	"states:DescribeExecution on arn:{AWS::Partition}:states:{AWS::Region}:{AWS::AccountId}:execution:{Service/Setup/Machine.Name}:*": "executions are named by drafts and runs, which a deployment cannot know",

	"cloudwatch:DescribeAlarms on arn:{AWS::Partition}:cloudwatch:{AWS::Region}:{AWS::AccountId}:alarm:*": "alarms are described by lists of names, and that is held against all of them",

	"s3:PutObject on {Data/Bucket.Arn}/org_*":    "files are in folders named by workspaces, which a deployment cannot know",
	"s3:GetObject on {Data/Bucket.Arn}/org_*":    "files are in folders named by workspaces, which a deployment cannot know",
	"s3:DeleteObject on {Data/Bucket.Arn}/org_*": "files are in folders named by workspaces, which a deployment cannot know",

	"s3:GetObject on {Data/Shards/Bucket.Arn}/archive/v1/*":    "shards are named when they are built",
	"s3:PutObject on {Data/Shards/Bucket.Arn}/archive/v1/*":    "shards are named when they are built",
	"s3:DeleteObject on {Data/Shards/Bucket.Arn}/archive/v1/*": "shards are named when they are built",

	"s3:GetObject on {Data/DayFiles/Bucket.Arn}/analytics/workspace=org_*":    "day files are in folders named by workspaces, which a deployment cannot know",
	"s3:PutObject on {Data/DayFiles/Bucket.Arn}/analytics/workspace=org_*":    "day files are in folders named by workspaces, which a deployment cannot know",
	"s3:DeleteObject on {Data/DayFiles/Bucket.Arn}/analytics/workspace=org_*": "day files are in folders named by workspaces, which a deployment cannot know",

	"s3:GetObject on {Data/DayFiles/Bucket.Arn}/results/*":            "Athena names results by the statement's id",
	"s3:PutObject on {Data/DayFiles/Bucket.Arn}/results/*":            "Athena names results by the statement's id",
	"s3:AbortMultipartUpload on {Data/DayFiles/Bucket.Arn}/results/*": "Athena names results by the statement's id",

	"s3:PutObject on {Service/Static/Bucket.Arn}/*":    "files of pages are named by their content",
	"s3:DeleteObject on {Service/Static/Bucket.Arn}/*": "files of pages are named by their content",
}

// wideOfStage is wide, with the stage in it.
func wideOfStage(stage string) map[string]string {
	all := maps.Clone(wide)
	for _, action := range []string{"GetAlias", "UpdateAlias", "GetProvisionedConcurrencyConfig"} {
		all["lambda:"+action+" on arn:{AWS::Partition}:lambda:{AWS::Region}:{AWS::AccountId}:function:earshot-"+stage+"-*"] =
			"the ARNs of the stage's functions would make a circle of what waits for what"
	}
	all["ssm:GetParameters on arn:{AWS::Partition}:ssm:{AWS::Region}:{AWS::AccountId}:parameter/earshot/"+stage+
		"/sources/*"] =
		"which credentials there are is decided by people, later"
	all["ssm:GetParameters on arn:{AWS::Partition}:ssm:{AWS::Region}:{AWS::AccountId}:parameter/earshot/"+stage+
		"/workspaces/*"] =
		"which workspaces have a Slack is decided by people, later"
	for _, action := range []string{"PutParameter", "DeleteParameter"} {
		all["ssm:"+action+" on arn:{AWS::Partition}:ssm:{AWS::Region}:{AWS::AccountId}:parameter/earshot/"+stage+
			"/workspaces/*"] =
			"which workspaces connect their Slack is decided by people, later"
	}
	return all
}

// wideKeyPolicy is what the account's administrators hold on a customer's key: without it no IAM policy could grant the
// key's use, and nobody could delete it.
const wideKeyPolicy = "kms:* on * to arn:{AWS::Partition}:iam::{AWS::AccountId}:root"

// wideServed is what CloudFront may read: all of a bucket that holds nothing else, for one distribution.
const (
	wideServed       = "s3:GetObject on {Service/Static/Bucket.Arn}/* to cloudfront.amazonaws.com"
	onlyDistribution = `{"StringEquals":{"AWS:SourceArn":{"Fn::Join":["",["arn:",{"Ref":"AWS::Partition"},":cloudfront::",` +
		`{"Ref":"AWS::AccountId"},":distribution/",{"Ref":"StaticDistribution54E0030E"}]]}}}`
)

// managed lists the only managed policies that a role may have, each with its reason.
var managed = map[string]string{
	"arn:{AWS::Partition}:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs": "API Gateway has one role for the logs of all APIs of an account and region, whose log groups cannot be named here",
}

// A grant is one line of a policy: an action on a resource, for whoever holds the policy.
type grant struct{ holder, action, resource, condition string }

func (g grant) String() string {
	line := fmt.Sprintf("%-24s %-27s %s", g.holder, g.action, g.resource)
	if g.condition != "" {
		line += " if " + g.condition
	}
	return line
}

// grants lists what every role of a template is allowed.
func grants(t *testing.T, in template) []grant {
	t.Helper()
	var found []grant
	for _, policy := range in.of("AWS::IAM::Policy") {
		for _, role := range list(policy.Properties["Roles"]) {
			found = append(found, allowed(t, in, in.text(role), policy.property("PolicyDocument", "Statement"))...)
		}
	}
	for _, role := range in.of("AWS::IAM::Role") {
		for _, inline := range list(role.Properties["Policies"]) {
			document := inline.(map[string]any)["PolicyDocument"].(map[string]any)
			found = append(found, allowed(t, in, "{"+role.path()+"}", document["Statement"])...)
		}
	}
	return found
}

// grants lists what every role of the deployment is allowed.
func (d deployment) grants(t *testing.T) (found []grant) {
	t.Helper()
	for _, in := range d.stacks() {
		found = append(found, grants(t, in)...)
	}
	return found
}

func allowed(t *testing.T, in template, holder string, statements any) []grant {
	t.Helper()
	var found []grant
	for _, each := range list(statements) {
		statement := each.(map[string]any)
		if statement["NotAction"] != nil || statement["NotResource"] != nil {
			t.Errorf("%s: a grant on all but some: %v", holder, statement)
		}
		if statement["Effect"] != "Allow" {
			continue
		}
		condition := in.text(statement["Condition"])
		for _, action := range list(statement["Action"]) {
			for _, resource := range list(statement["Resource"]) {
				found = append(found, grant{holder, action.(string), in.text(resource), condition})
			}
		}
	}
	return found
}

func TestNoGrantIsWiderThanItsReason(t *testing.T) {
	onEachStage(t, func(t *testing.T, stage Stage, made deployment) {
		checkWidth(t, stage, made)
		if found := made.grants(t); len(found) < 2*len(Manifest()) {
			t.Errorf("only %d grants found", len(found))
		}
	})
}

func checkWidth(t *testing.T, stage Stage, made deployment) {
	t.Helper()
	wide := wideOfStage(stage.Name)
	for _, in := range made.stacks() {
		for _, grant := range grants(t, in) {
			line := grant.action + " on " + grant.resource
			if strings.Contains(line, "*") && wide[line] == "" {
				t.Errorf("%s may %s", grant.holder, line)
			}
		}
		for _, role := range in.of("AWS::IAM::Role") {
			for _, arn := range list(role.Properties["ManagedPolicyArns"]) {
				if managed[in.text(arn)] == "" {
					t.Errorf("%s has the managed policy %s", role.path(), in.text(arn))
				}
			}
		}
		checkResourcePolicies(t, in)
	}
}

// checkResourcePolicies wants no resource to be open to everyone.
func checkResourcePolicies(t *testing.T, in template) {
	t.Helper()
	for _, resource := range in.Resources {
		for _, name := range []string{"PolicyDocument", "KeyPolicy", "ResourcePolicy"} {
			if resource.Type == "AWS::IAM::Policy" {
				continue
			}
			for _, each := range list(resource.property(name, "Statement")) {
				statement := each.(map[string]any)
				if statement["Effect"] != "Allow" {
					continue
				}
				principal, _ := statement["Principal"].(map[string]any)
				who := in.text(principal["AWS"]) + in.text(principal["Service"])
				for _, action := range list(statement["Action"]) {
					if condition, _ := json.Marshal(statement["Condition"]); string(condition) == onlyDistribution &&
						action.(string)+" on "+in.text(statement["Resource"])+" to "+who == wideServed {
						continue
					}
					line := action.(string) + " on " + in.text(statement["Resource"]) + " to " + who
					if (who == "" || strings.Contains(line, "*")) && line != wideKeyPolicy {
						t.Errorf("%s allows %s", resource.path(), line)
					}
				}
			}
		}
	}
}

// The golden file is there to be read: a function that may do more is a change that a reviewer sees.
func TestGrantsAreThoseOfTheGoldenFile(t *testing.T) {
	var lines []string
	for _, grant := range deployments["prod"].grants(t) {
		lines = append(lines, grant.String())
	}
	slices.Sort(lines)
	got := strings.Join(lines, "\n") + "\n"
	matchesGolden(t, "what functions may do", "grants.txt", got)
}

func TestEachRoleIsOfOneFunction(t *testing.T) {
	onEachStage(t, func(t *testing.T, _ Stage, made deployment) {
		holders := map[string]string{}
		for _, in := range made.stacks() {
			for _, lambda := range in.of("AWS::Lambda::Function") {
				role := in.text(lambda.Properties["Role"])
				if other := holders[role]; other != "" {
					t.Errorf("%s and %s share %s", lambda.path(), other, role)
				}
				holders[role] = lambda.path()
			}
		}
	})
}
