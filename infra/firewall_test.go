package main

import (
	"fmt"
	"slices"
	"testing"
)

func TestAFirewallIsBeforeTheAPIWhereTheStageWantsOne(t *testing.T) {
	onEachDeployment(t, func(t *testing.T, stage Stage, made deployment) {
		acls, associations := made.service.of("AWS::WAFv2::WebACL"), made.service.of("AWS::WAFv2::WebACLAssociation")
		if stage.FirewallRate == 0 {
			if len(acls)+len(associations) > 0 {
				t.Errorf("a firewall is paid for that nobody wanted: %v, %v", acls, associations)
			}
			return
		}
		if len(acls) != 1 || len(associations) != 1 || len(made.service.of("AWS::WAFv2::LoggingConfiguration")) != 0 {
			t.Fatalf("%d firewalls, %d associations", len(acls), len(associations))
		}
		const api = "arn:{AWS::Partition}:apigateway:{AWS::Region}::/restapis/{Service/Api}/stages/"
		if of := made.service.text(associations[0].Properties["ResourceArn"]); of != api+"{Service/Api/DeploymentStage."+stage.Name+"}" {
			t.Errorf("it is before %s", of)
		}
		if acls[0].Properties["Scope"] != "REGIONAL" || acls[0].property("DefaultAction", "Allow") == nil {
			t.Errorf("%v", acls[0].Properties)
		}
		seen := []any{acls[0].Properties["VisibilityConfig"]}
		var groups []string
		for i, each := range list(acls[0].Properties["Rules"]) {
			rule := resource{Properties: each.(map[string]any)}
			seen = append(seen, rule.Properties["VisibilityConfig"])
			if got := rule.Properties["Priority"]; got != float64(i) {
				t.Errorf("rule %d is asked as %v", i, got)
			}
			if rate := rule.property("Statement", "RateBasedStatement"); rate != nil {
				want := map[string]any{"AggregateKeyType": "IP", "Limit": stage.FirewallRate, "EvaluationWindowSec": 300.0}
				if fmt.Sprint(rate) != fmt.Sprint(want) || rule.property("Action", "Block") == nil {
					t.Errorf("the rate of an address: %v, %v", rate, rule.Properties["Action"])
				}
				continue
			}
			group := rule.property("Statement", "ManagedRuleGroupStatement").(map[string]any)
			if group["VendorName"] != "AWS" || rule.property("OverrideAction", "None") == nil {
				t.Errorf("%v", each)
			}
			groups = append(groups, group["Name"].(string))
			for _, override := range list(group["RuleActionOverrides"]) {
				counts := resource{Properties: override.(map[string]any)}
				if counts.property("ActionToUse", "Count") == nil {
					t.Errorf("%v", override)
				}
				groups = append(groups, counts.Properties["Name"].(string))
			}
		}
		for _, name := range []string{"AWSManagedRulesAmazonIpReputationList", "AWSManagedRulesKnownBadInputsRuleSet", "AWSManagedRulesCommonRuleSet",
			"SizeRestrictions_BODY"} {
			if !slices.Contains(groups, name) {
				t.Errorf("there is no %s in %q", name, groups)
			}
		}
		for _, each := range seen {
			config := each.(map[string]any)
			if config["CloudWatchMetricsEnabled"] != true || config["SampledRequestsEnabled"] != false || config["MetricName"] == "" {
				t.Errorf("%v: requests are to be counted and not kept", config)
			}
		}
	})
}
