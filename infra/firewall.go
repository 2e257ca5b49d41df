package main

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigateway"
	"github.com/aws/aws-cdk-go/awscdk/v2/awswafv2"
	"github.com/aws/jsii-runtime-go"
)

// Bounds of AWS WAF for the rate of an address.
const leastFirewallRate, mostFirewallRate = 10, 2_000_000_000

// keylessShare is how many times more an address may send with a credential than without. Requests without one are
// answered 401, or are public.
const keylessShare = 10

// managedRules returns AWS's own rules in the order in which they are asked. Each group lists the rules that only
// count, because they would turn away what the contract takes.
func managedRules() []managedGroup {
	return []managedGroup{
		{"AWSManagedRulesAmazonIpReputationList", nil},
		{"AWSManagedRulesKnownBadInputsRuleSet", nil},
		{
			"AWSManagedRulesCommonRuleSet",
			[]string{
				"SizeRestrictions_BODY",        // over 8 KB: the contract takes 1 MiB, and a setup proposal has that
				"SizeRestrictions_QUERYSTRING", // over 2 KB: filters are lists, with a cursor behind them
				"NoUserAgent_HEADER",           // the contract asks for none, and many programs send none
				// Bodies and filters are words that people search for, markup and addresses among them. They are never
				// shown as a page, run, or opened as a file.
				"CrossSiteScripting_BODY",
				"CrossSiteScripting_QUERYARGUMENTS",
				"GenericLFI_BODY",
				"GenericLFI_QUERYARGUMENTS",
				"GenericRFI_BODY",
				"GenericRFI_QUERYARGUMENTS",
			},
		},
	}
}

// A managedGroup is a group of rules by AWS.
type managedGroup struct {
	name   string
	counts []string
}

// newFirewall puts AWS WAF before the API, if the stage wants it. It counts the requests of each address and, if the
// stage wants that, turns away known attacks. A blocked request gets the gateway response WAF_FILTERED. The firewall
// keeps no logs and no samples, because they hold headers and so keys.
func newFirewall(stack awscdk.Stack, stage Stage, api awsapigateway.RestApi) {
	if stage.FirewallRate == 0 {
		return
	}
	rules := []any{
		rateRule("Rate", 0, stage.FirewallRate, nil),
		rateRule("Keyless", 1, float64(int(stage.FirewallRate/keylessShare)), withoutCredential()),
	}
	var groups []managedGroup
	if stage.FirewallRules {
		groups = managedRules()
	}
	for _, group := range groups {
		counted := make([]any, len(group.counts))
		for j, name := range group.counts {
			counted[j] = &awswafv2.CfnWebACL_RuleActionOverrideProperty{Name: jsii.String(name),
				ActionToUse: &awswafv2.CfnWebACL_RuleActionProperty{Count: &awswafv2.CfnWebACL_CountActionProperty{}}}
		}
		made := rule(group.name, len(rules), &awswafv2.CfnWebACL_StatementProperty{
			ManagedRuleGroupStatement: &awswafv2.CfnWebACL_ManagedRuleGroupStatementProperty{
				VendorName: jsii.String("AWS"), Name: jsii.String(group.name), RuleActionOverrides: counted,
			},
		})
		made.OverrideAction = &awswafv2.CfnWebACL_OverrideActionProperty{
			None: map[string]any{},
		} // each rule does what AWS has it do
		rules = append(rules, made)
	}
	acl := awswafv2.NewCfnWebACL(stack, jsii.String("Firewall"), &awswafv2.CfnWebACLProps{
		Scope:            jsii.String("REGIONAL"),
		Description:      jsii.String("Before the API of Earshot, stage " + stage.Name),
		DefaultAction:    &awswafv2.CfnWebACL_DefaultActionProperty{Allow: &awswafv2.CfnWebACL_AllowActionProperty{}},
		Rules:            rules,
		VisibilityConfig: seenBy(project + "-" + stage.Name),
	})
	awswafv2.NewCfnWebACLAssociation(stack, jsii.String("FirewallOfApi"), &awswafv2.CfnWebACLAssociationProps{
		WebAclArn: acl.AttrArn(), ResourceArn: api.DeploymentStage().StageArn(),
	})
	output(stack, "FirewallAcl", "ARN of the firewall's web ACL", acl.AttrArn())
}

// rateRule blocks an address while it sends more matching requests than the limit within five minutes.
func rateRule(
	name string, priority int, limit float64, of *awswafv2.CfnWebACL_StatementProperty,
) *awswafv2.CfnWebACL_RuleProperty {
	counted := &awswafv2.CfnWebACL_RateBasedStatementProperty{
		AggregateKeyType: jsii.String("IP"), Limit: jsii.Number(limit), EvaluationWindowSec: jsii.Number(300),
	}
	if of != nil {
		counted.ScopeDownStatement = of
	}
	made := rule(name, priority, &awswafv2.CfnWebACL_StatementProperty{RateBasedStatement: counted})
	made.Action = &awswafv2.CfnWebACL_RuleActionProperty{Block: &awswafv2.CfnWebACL_BlockActionProperty{}}
	return made
}

// withoutCredential matches a request whose Authorization header is missing or empty.
func withoutCredential() *awswafv2.CfnWebACL_StatementProperty {
	return &awswafv2.CfnWebACL_StatementProperty{NotStatement: &awswafv2.CfnWebACL_NotStatementProperty{
		Statement: &awswafv2.CfnWebACL_StatementProperty{
			SizeConstraintStatement: &awswafv2.CfnWebACL_SizeConstraintStatementProperty{
				FieldToMatch: &awswafv2.CfnWebACL_FieldToMatchProperty{
					SingleHeader: map[string]string{"Name": "authorization"},
				},
				ComparisonOperator: jsii.String("GT"),
				Size:               jsii.Number(0),
				TextTransformations: []any{
					&awswafv2.CfnWebACL_TextTransformationProperty{Priority: jsii.Number(0), Type: jsii.String("NONE")},
				},
			},
		},
	}}
}

func rule(name string, priority int, statement *awswafv2.CfnWebACL_StatementProperty) *awswafv2.CfnWebACL_RuleProperty {
	return &awswafv2.CfnWebACL_RuleProperty{
		Name:             jsii.String(name),
		Priority:         jsii.Number(float64(priority)),
		Statement:        statement,
		VisibilityConfig: seenBy(name),
	}
}

// seenBy counts requests in a metric and keeps no samples.
func seenBy(metric string) *awswafv2.CfnWebACL_VisibilityConfigProperty {
	return &awswafv2.CfnWebACL_VisibilityConfigProperty{MetricName: jsii.String(metric),
		CloudWatchMetricsEnabled: jsii.Bool(true), SampledRequestsEnabled: jsii.Bool(false)}
}
