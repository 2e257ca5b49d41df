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
		if of := made.service.text(associations[0].Properties["ResourceArn"]); of != api+"{Service/Api/DeploymentStage."+
			stage.Name+"}" {
			t.Errorf("it is before %s", of)
		}
		if acls[0].Properties["Scope"] != "REGIONAL" || acls[0].property("DefaultAction", "Allow") == nil {
			t.Errorf("%v", acls[0].Properties)
		}
		seen := []any{acls[0].Properties["VisibilityConfig"]}
		var groups []string
		var rates []resource
		for i, each := range list(acls[0].Properties["Rules"]) {
			rule := resource{Properties: each.(map[string]any)}
			seen = append(seen, rule.Properties["VisibilityConfig"])
			if got := rule.Properties["Priority"]; got != float64(i) {
				t.Errorf("rule %d is asked as %v", i, got)
			}
			if rate := rule.property("Statement", "RateBasedStatement"); rate != nil {
				rates = append(rates, rule)
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
		for _, each := range seen {
			config := each.(map[string]any)
			if config["CloudWatchMetricsEnabled"] != true || config["SampledRequestsEnabled"] != false ||
				config["MetricName"] == "" {
				t.Errorf("%v: requests are to be counted and not kept", config)
			}
		}
		checkRates(t, stage, rates)
		if !stage.FirewallRules {
			if len(groups) > 0 {
				t.Errorf("the rules of AWS are paid for, which nobody wanted: %q", groups)
			}
			return
		}
		for _, name := range []string{"AWSManagedRulesAmazonIpReputationList", "AWSManagedRulesKnownBadInputsRuleSet",
			"AWSManagedRulesCommonRuleSet",
			"SizeRestrictions_BODY"} {
			if !slices.Contains(groups, name) {
				t.Errorf("there is no %s in %q", name, groups)
			}
		}
	})
}

// checkRates wants two limits on an address: one for all that it sends, and a tenth of it for what has no credential.
func checkRates(t *testing.T, stage Stage, rates []resource) {
	t.Helper()
	if len(rates) != 2 {
		t.Fatalf("%d rules count what an address sends, want 2", len(rates))
	}
	for i, limit := range []float64{stage.FirewallRate, stage.FirewallRate / 10} {
		rate, _ := rates[i].property("Statement", "RateBasedStatement").(map[string]any)
		if rate["AggregateKeyType"] != "IP" || rate["Limit"] != limit || rate["EvaluationWindowSec"] != 300.0 {
			t.Errorf("rule %d counts %v, want a limit of %g on an address", i, rate, limit)
		}
		if rates[i].property("Action", "Block") == nil {
			t.Errorf("rule %d does %v, want it to block", i, rates[i].Properties["Action"])
		}
	}
	if all := rates[0].property("Statement", "RateBasedStatement", "ScopeDownStatement"); all != nil {
		t.Errorf("the first rule counts %v alone, want all requests", all)
	}
	header := rates[1].property("Statement", "RateBasedStatement", "ScopeDownStatement", "NotStatement", "Statement",
		"SizeConstraintStatement")
	want := map[string]any{"FieldToMatch": map[string]any{"SingleHeader": map[string]any{"Name": "authorization"}},
		"ComparisonOperator": "GT",
		"Size":               0.0, "TextTransformations": []any{map[string]any{"Priority": 0.0, "Type": "NONE"}}}
	if fmt.Sprint(header) != fmt.Sprint(want) {
		t.Errorf("the second rule leaves out %v, want what has a credential", header)
	}
}

// A flood must meet a firewall where customers are.
func TestProd_HasAFirewall(t *testing.T) {
	prod, err := stageNamed("prod")
	if err != nil {
		t.Fatal(err)
	}
	if prod.FirewallRate == 0 {
		t.Error("prod has no FirewallRate")
	}
}
