package main

import (
	"fmt"
	"testing"
)

// SES reports bounces of the stage's letters, and complaints, to one function; and letters lead back to the API.
func TestLettersAreReportedOn(t *testing.T) {
	made := deployments[withEveryOption]
	function := reportReader()
	own, in := function.home(), made.in(function)
	rule, permission, reports := in.at(t, own+"/Reported"), in.at(t, own+"/ReportsMayCall"), in.at(t, own+"/Reports")
	target := list(rule.Properties["Targets"])[0].(map[string]any)
	sender, _ := in.at(t, "Service/Deliveries/deliver/Fn").property("Environment", "Variables").(map[string]any)
	for what, check := range map[string]struct{ got, want any }{
		"pattern": {in.text(rule.Properties["EventPattern"]),
			`{"detail":{"mail":{"tags":{"ses:configuration-set":["earshot-prod-letters"]}}},` +
				`"detail-type":["Email Bounced","Email Complaint Received"],"source":["aws.ses"]}`},
		"target": {in.text(target["Arn"]), "{" + own + "/Live}"},
		"who":    {permission.Properties["Principal"], "events.amazonaws.com"},
		"of":     {in.text(permission.Properties["SourceArn"]), "{" + own + "/Reported.Arn}"},
		"set":    {in.at(t, own+"/Letters").Properties["Name"], "earshot-prod-letters"},
		"kinds":  {reports.property("EventDestination", "MatchingEventTypes"), []any{"bounce", "complaint"}},
		"bus": {in.text(reports.property("EventDestination", "EventBridgeDestination", "EventBusArn")),
			"arn:{AWS::Partition}:events:{AWS::Region}:{AWS::AccountId}:event-bus/default"},
		"sent by": {sender["MAIL_CONFIGURATION_SET"], "earshot-prod-letters"},
		"link":    {sender["API_URL"], "https://api.earshot.example"},
	} {
		if fmt.Sprint(check.got) != fmt.Sprint(check.want) {
			t.Errorf("%s: %v, want %v", what, check.got, check.want)
		}
	}
	onEachStage(t, func(t *testing.T, _ Stage, made deployment) {
		if sets := made.all("AWS::SES::ConfigurationSet"); len(sets) != 0 {
			t.Errorf("%d configuration sets without mail", len(sets))
		}
	})
}
