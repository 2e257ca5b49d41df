package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// protecting are the settings, by the type of a resource, by which people's data is protected; what roles may do is in
// grants.txt.
var protecting = map[string][]string{
	"AWS::ApiGateway::DomainName": {"SecurityPolicy", "EndpointConfiguration.Types"},
	"AWS::ApiGateway::Method":     {"AuthorizationType"},
	"AWS::ApiGateway::RestApi":    {"DisableExecuteApiEndpoint", "EndpointConfiguration.Types", "Policy"},
	"AWS::CloudFront::Distribution": {"DistributionConfig.DefaultCacheBehavior.ViewerProtocolPolicy",
		"DistributionConfig.DefaultCacheBehavior.AllowedMethods", "DistributionConfig.WebACLId"},
	"AWS::Cognito::UserPool": {"AdminCreateUserConfig", "AutoVerifiedAttributes", "DeletionProtection",
		"MfaConfiguration", "EnabledMfas", "Policies"},
	"AWS::Cognito::UserPoolDomain": {"Domain"},
	"AWS::Cognito::UserPoolClient": {"AllowedOAuthFlows", "AllowedOAuthScopes", "CallbackURLs",
		"EnableTokenRevocation", "ExplicitAuthFlows", "GenerateSecret", "PreventUserExistenceErrors"},
	"AWS::DynamoDB::Table":          {"DeletionProtectionEnabled", "PointInTimeRecoverySpecification", "SSESpecification"},
	"AWS::KMS::Key":                 {"EnableKeyRotation"},
	"AWS::Lambda::Function":         {"KmsKeyArn", "VpcConfig"},
	"AWS::Lambda::Url":              {"AuthType"},
	"AWS::Logs::LogGroup":           {"KmsKeyId", "RetentionInDays"},
	"AWS::S3::Bucket":               {"BucketEncryption", "OwnershipControls", "PublicAccessBlockConfiguration"},
	"AWS::SNS::Topic":               {"KmsMasterKeyId"},
	"AWS::SQS::Queue":               {"KmsMasterKeyId", "RedriveAllowPolicy", "SqsManagedSseEnabled"},
	"AWS::WAFv2::WebACL":            {"DefaultAction", "Rules"},
	"AWS::WAFv2::WebACLAssociation": {"ResourceArn"},
}

// facts are what protects a deployment: by the type of resource and what is so of it, the resources of which it is so.
func facts(made deployment) map[string][]string {
	found := map[string][]string{}
	for _, in := range made.stacks() {
		for _, id := range slices.Sorted(maps.Keys(in.Resources)) {
			resource := in.Resources[id]
			kind := strings.TrimPrefix(resource.Type, "AWS::")
			fact := func(format string, values ...any) {
				line := kind + "  " + fmt.Sprintf(format, values...)
				found[line] = append(found[line], resource.path())
			}
			for _, name := range protecting[resource.Type] {
				if value := resource.property(strings.Split(name, ".")...); value != nil {
					fact("%s %s", name, in.text(value))
				}
			}
			if resource.DeletionPolicy != "" {
				fact("without its stack: %s, replaced: %s", resource.DeletionPolicy, resource.UpdateReplacePolicy)
			}
			switch resource.Type {
			case "AWS::IAM::Role":
				for _, each := range list(resource.property("AssumeRolePolicyDocument", "Statement")) {
					fact("taken %s", statement(in, each))
				}
				for _, arn := range list(resource.Properties["ManagedPolicyArns"]) {
					fact("has the policy %s", in.text(arn))
				}
			case "AWS::Lambda::Permission":
				fact("%s may call, of %s %s", in.text(resource.Properties["Principal"]), in.text(resource.Properties["SourceArn"]),
					in.text(resource.Properties["SourceAccount"]))
			case "AWS::IAM::Policy":
			default:
				for _, name := range []string{"PolicyDocument", "KeyPolicy", "ResourcePolicy"} {
					for _, each := range list(resource.property(name, "Statement")) {
						fact("%s", statement(in, each))
					}
				}
			}
		}
	}
	return found
}

// statement is one line of a policy.
func statement(in template, of any) string {
	s := of.(map[string]any)
	var actions []string
	for _, action := range list(s["Action"]) {
		actions = append(actions, fmt.Sprint(action))
	}
	line := fmt.Sprintf("%s %s by %s", s["Effect"], strings.Join(actions, " "), in.text(s["Principal"]))
	if on := s["Resource"]; on != nil {
		var all []string
		for _, each := range list(on) {
			all = append(all, in.text(each))
		}
		line += " on " + strings.Join(all, " ")
	}
	if condition := s["Condition"]; condition != nil {
		line += " if " + in.text(condition)
	}
	return line
}

// described are the facts as lines: that of every resource of its type (where there are several) says so, and others name theirs.
func described(made deployment) map[string]bool {
	all, count := facts(made), map[string]int{}
	for _, in := range made.stacks() {
		for _, resource := range in.Resources {
			count[strings.TrimPrefix(resource.Type, "AWS::")]++
		}
	}
	lines := map[string]bool{}
	for fact, paths := range all {
		kind, what, _ := strings.Cut(fact, "  ")
		if count[kind] == len(paths) && len(paths) > 1 {
			lines[fmt.Sprintf("every %s: %s", kind, what)] = true
			continue
		}
		for _, path := range paths {
			lines[fmt.Sprintf("%s %s: %s", kind, path, what)] = true
		}
	}
	return lines
}

// The golden file is there to be read: what protects less, or is open to more, is a change that a reviewer sees.
func TestWhatProtectsADeploymentIsThatOfTheGoldenFile(t *testing.T) {
	var names []string
	of, in := map[string]map[string]bool{}, map[string]int{}
	for _, stage := range Stages() {
		names = append(names, stage.Name)
	}
	for _, name := range names {
		of[name] = described(deployments[name])
		for line := range of[name] {
			in[line]++
		}
	}
	var text strings.Builder
	write := func(title string, keep func(line string) bool, from map[string]bool) {
		fmt.Fprintf(&text, "# %s\n", title)
		for _, line := range slices.Sorted(maps.Keys(from)) {
			if keep(line) {
				text.WriteString(line + "\n")
			}
		}
	}
	write("on every stage", func(line string) bool { return in[line] == len(names) }, of[names[0]])
	for _, name := range names {
		write("on "+name, func(line string) bool { return in[line] < len(names) }, of[name])
	}
	write("with every option, besides what prod has", func(line string) bool { return !of["prod"][line] },
		described(deployments[withEveryOption]))
	got := text.String()
	matchesGolden(t, "what protects a deployment", "security.txt", got)
}
