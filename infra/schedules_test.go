package main

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"
)

func TestFunctionsAreCalledAsTheirRowsSay(t *testing.T) {
	rates := map[string]string{"archive": "rate(1 hour)", "collect": "rate(1 minute)", "sweep": "rate(5 minutes)",
		"postshards": "rate(20 minutes)", "deliveries": "rate(1 minute)", "invitecleanup": "rate(15 minutes)",
		"purge": "rate(10 minutes)"}
	onEachStage(t, func(t *testing.T, _ Stage, made deployment) {
		count := 0
		for _, function := range Manifest() {
			trigger, ok := function.Trigger.(Schedule)
			if !ok {
				continue
			}
			count++
			own := function.home()
			in := made.in(function)
			schedule, invoked := in.at(t, own+"/Schedule"), in.at(t, own+"/Live/EventInvokeConfig")
			target := func(names ...string) any { return schedule.property(append([]string{"Target"}, names...)...) }
			for what, check := range map[string]struct{ got, want any }{
				"rate":           {schedule.Properties["ScheduleExpression"], rates[function.Name]},
				"window":         {schedule.property("FlexibleTimeWindow", "Mode"), "OFF"},
				"group":          {in.text(schedule.Properties["GroupName"]), "{Service/Schedules}"},
				"function":       {in.text(target("Arn")), "{" + own + "/Live}"},
				"role":           {in.text(target("RoleArn")), "{" + own + "/Caller.Arn}"},
				"input":          {target("Input"), `{"time":"<aws.scheduler.scheduled-time>"}`},
				"retries":        {target("RetryPolicy", "MaximumRetryAttempts"), trigger.Retries},
				"retries within": {target("RetryPolicy", "MaximumEventAgeInSeconds"), trigger.Every.Seconds()},
				"given up to":    {in.text(target("DeadLetterConfig", "Arn")), "{" + own + "/Missed.Arn}"},
				"void after":     {invoked.Properties["MaximumEventAgeInSeconds"], trigger.Every.Seconds()},
				"repeats":        {invoked.Properties["MaximumRetryAttempts"], 0},
			} {
				if fmt.Sprint(check.got) != fmt.Sprint(check.want) {
					t.Errorf("%s: %s is %v, want %v", function.Name, what, check.got, check.want)
				}
			}
			if function.Timeout >= trigger.Every {
				t.Errorf("%s may take %s and is called every %s", function.Name, function.Timeout, trigger.Every)
			}
		}
		found := 0
		for _, each := range made.stacks() {
			found += len(each.of("AWS::Scheduler::Schedule"))
		}
		if found != count || count == 0 {
			t.Errorf("%d schedules, want %d", found, count)
		}
	})
}

// A schedule's role calls one function, and only this stage's schedules can have it.
func TestARoleOfAScheduleIsForThisStagesSchedulesAlone(t *testing.T) {
	onEachStage(t, func(t *testing.T, _ Stage, made deployment) {
		for _, function := range Manifest() {
			if _, ok := function.Trigger.(Schedule); !ok {
				continue
			}
			in := made.in(function)
			role := in.at(t, function.home()+"/Caller")
			statements := list(role.property("AssumeRolePolicyDocument", "Statement"))
			statement := statements[0].(map[string]any)
			from := statement["Condition"].(map[string]any)["StringEquals"].(map[string]any)
			if group := in.text(from["aws:SourceArn"]); group != "{Service/Schedules.Arn}" {
				t.Errorf("%s may be assumed by schedules of %s", role.path(), group)
			}
			account := in.text(from["aws:SourceAccount"])
			if account != "{AWS::AccountId}" || len(from) != 2 || len(statement["Condition"].(map[string]any)) != 1 {
				t.Errorf("%s may be assumed under %v", role.path(), statement["Condition"])
			}
			who := maps.Clone(statement)
			delete(who, "Condition")
			const want = `{"Action":"sts:AssumeRole","Effect":"Allow","Principal":{"Service":"scheduler.amazonaws.com"}}`
			if got := in.text(who); got != want || len(statements) != 1 {
				t.Errorf("%s may be assumed by %s", role.path(), got)
			}
			var allowed []string
			for _, grant := range grants(t, in) {
				if grant.holder == "{"+role.path()+"}" {
					allowed = append(allowed, grant.action+" on "+grant.resource)
				}
			}
			own := "{" + function.home()
			if !slices.Equal(allowed,
				[]string{"lambda:InvokeFunction on " + own + "/Live}", "sqs:SendMessage on " + own + "/Missed.Arn}"}) {
				t.Errorf("%s may %q", role.path(), allowed)
			}
		}
	})
}

func TestRatesAreAsTheSchedulerWritesThem(t *testing.T) {
	for every, want := range map[time.Duration]string{
		time.Minute:      "rate(1 minute)",
		90 * time.Minute: "rate(90 minutes)",
		time.Hour:        "rate(1 hour)",
		48 * time.Hour:   "rate(48 hours)",
	} {
		if got := rate(every); got != want {
			t.Errorf("%s: %s", every, got)
		}
	}
	for _, every := range []time.Duration{0, time.Second, 90 * time.Second} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s is a rate", every)
				}
			}()
			rate(every)
		}()
	}
}
