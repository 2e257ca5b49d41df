package main

import (
	"fmt"
	numbers "math"
	"regexp"
	"strings"
	"testing"
	"time"
)

// An idleItem is a line of what a stage costs in a month in which nobody uses it, by the words of the guide.
type idleItem string

const (
	alarmMetrics  idleItem = "metrics that alarms look at"
	dashboards    idleItem = "dashboards"
	ownCounts     idleItem = "metrics of the functions' own: `readUnits` of `collect`"
	scheduled     idleItem = "scheduled calls, the schedule's price and Lambda's"
	computing     idleItem = "time of scheduled calls, GB-seconds"
	reading       idleItem = "read units of scheduled calls"
	queueRequests idleItem = "requests by which Lambda asks the queues"
	tracing       idleItem = "traces of scheduled calls"
	logging       idleItem = "GB of logs of scheduled calls"
	customerKeys  idleItem = "keys of KMS (`CustomerKey`)"
	firewalls     idleItem = "web ACLs (`FirewallRate`)"
	firewallRules idleItem = "rules of web ACLs"
)

// idlePrices are list prices of us-east-1 in US dollars of one each, without any free tier, and where AWS states them.
var idlePrices = []struct {
	item    idleItem
	dollars float64
	source  string
}{
	{alarmMetrics, 0.10, "aws.amazon.com/cloudwatch/pricing, standard resolution alarm metric"},
	// The free ones show 50 metrics at most, and this one shows hundreds.
	{dashboards, 3.00, "aws.amazon.com/cloudwatch/pricing, dashboard"},
	{ownCounts, 0.30, "aws.amazon.com/cloudwatch/pricing, custom metric"},
	{computing, gbSecondPrice, "aws.amazon.com/lambda/pricing, Arm, duration"},
	{scheduled, 1.00e-6 + callPrice,
		"aws.amazon.com/eventbridge/pricing, Scheduler; aws.amazon.com/lambda/pricing, requests"},
	{queueRequests, messagePrice, "aws.amazon.com/sqs/pricing, standard queue"},
	{tracing, tracePrice, "aws.amazon.com/xray/pricing, trace recorded"},
	{reading, readUnitPrice, "aws.amazon.com/dynamodb/pricing/on-demand, read request unit"},
	{logging, logPrice * 1e9, "aws.amazon.com/cloudwatch/pricing, logs collected"},
	{customerKeys, 1.00, "aws.amazon.com/kms/pricing, customer managed key"},
	{firewalls, 5.00, "aws.amazon.com/waf/pricing, web ACL"},
	{firewallRules, 1.00, "aws.amazon.com/waf/pricing, rule"},
}

// What the templates do not say of a month: its length, how often Lambda asks a queue (5 pollers, 20 s each), and the
// lines of an idle call in the log: the function's record, and Lambda's two lines besides where the stage logs them.
const (
	month         = 730 * time.Hour
	pollers       = 5
	pollTakes     = 20 * time.Second
	recordBytes   = 750
	platformBytes = 750
)

// idleCalls are how long each scheduled function works when it is called, how many read units that takes, and whether
// it has something to do: only then it reports metrics. collect is counted with sources that are listened to by some;
// its time is measured in its record, milliseconds.
var idleCalls = map[string]struct {
	takes time.Duration
	units float64
	works bool
}{
	"collect":       {5 * time.Second, 15, true},
	"sweep":         {200 * time.Millisecond, 1, false},
	"invitecleanup": {100 * time.Millisecond, 1, false},
	"purge":         {100 * time.Millisecond, 1, false},
	"postshards":    {100 * time.Millisecond, 2, false},
	"archive":       {100 * time.Millisecond, 1, false},
	"deliveries":    {50 * time.Millisecond, 1, false},
	// Of a workspace without mentions, only where AnalyticsFiles is on: its announcement, its manifests, its days.
	"analyticsfiles": {100 * time.Millisecond, 4, false},
}

// A call that has nothing to do writes nothing, so that it reports no metric. The first two calls of the writer of day
// files announce files and note that all days were compared, which it does once a day.
func TestIdleCalls_OnlyRead(t *testing.T) {
	p := newPlay(t)
	for name, call := range idleCalls {
		if call.works {
			continue
		}
		if name == dayFilesWriter().Name {
			p.tick(name, time.Hour)
			p.tick(name, time.Hour)
			clear(p.police[name].used)
		}
		p.tick(name, time.Hour)
		if len(p.police[name].used) == 0 {
			t.Errorf("%s asks for nothing: does it run?", name)
		}
		for action := range p.police[name].used {
			if !strings.HasPrefix(action, "Query ") && !strings.Contains(action, "GetItem ") {
				t.Errorf("%s asks for %s with nothing to do", name, action)
			}
		}
	}
}

// idle is what a stage has in a month in which nobody uses it: by item, how many.
type idle map[idleItem]float64

// idleCosts counts what the resources of a type cost when nobody uses them. A type that is in neither this nor idleFree
// fails the test.
var idleCosts = map[string]func(t *testing.T, count idle, in template, r resource){
	"AWS::CloudWatch::Alarm": func(t *testing.T, count idle, in template, r resource) {
		periods := []any{r.Properties["Period"]}
		for _, each := range list(r.Properties["Metrics"]) {
			if stat, ok := each.(map[string]any)["MetricStat"].(map[string]any); ok {
				periods = append(periods, stat["Period"])
			}
		}
		for _, period := range periods {
			if seconds, ok := period.(float64); ok && seconds < 60 {
				t.Errorf("%s has a period of %g s, which costs three times as much", r.path(), seconds)
			}
		}
		count[alarmMetrics] += float64(len(watched(in, r)))
	},
	"AWS::CloudWatch::Dashboard": func(_ *testing.T, count idle, _ template, _ resource) { count[dashboards]++ },
	"AWS::KMS::Key":              func(_ *testing.T, count idle, _ template, _ resource) { count[customerKeys]++ },
	"AWS::WAFv2::WebACL": func(_ *testing.T, count idle, _ template, r resource) {
		count[firewalls]++
		count[firewallRules] += float64(len(list(r.Properties["Rules"])))
	},
	"AWS::Lambda::EventSourceMapping": func(_ *testing.T, count idle, _ template, _ resource) {
		count[queueRequests] += pollers * float64(month/pollTakes)
	},
	"AWS::Scheduler::Schedule": func(t *testing.T, count idle, in template, r resource) {
		path := strings.TrimSuffix(r.path(), "/Schedule")
		called := in.at(t, path+"/Fn")
		call, ok := idleCalls[path[strings.LastIndex(path, "/")+1:]]
		if !ok {
			t.Errorf("idleCalls has no %s", path)
		}
		calls := float64(month / everyOf(t, r))
		count[scheduled] += calls
		count[computing] += calls * call.takes.Seconds() * called.Properties["MemorySize"].(float64) / 1024
		count[reading] += calls * call.units
		if call.works {
			count[ownCounts]++
		}
		// Of each second the first is traced, and there are no two in one.
		if called.property("TracingConfig", "Mode") == "Active" {
			count[tracing] += calls
		}
		bytes := float64(recordBytes)
		if called.property("LoggingConfig", "SystemLogLevel") != "WARN" {
			bytes += platformBytes
		}
		count[logging] += calls * bytes / 1e9
	},
	"AWS::ApiGateway::Stage": func(t *testing.T, _ idle, _ template, r resource) {
		for _, each := range list(r.Properties["MethodSettings"]) {
			if each.(map[string]any)["MetricsEnabled"] == true {
				t.Errorf("%s has detailed metrics: custom metrics of each path and method, which nothing reads", r.path())
			}
		}
		if r.Properties["CacheClusterEnabled"] == true {
			t.Errorf("%s has a cache, which is paid by the hour", r.path())
		}
	},
	"AWS::Lambda::Alias": func(t *testing.T, _ idle, _ template, r resource) {
		if r.Properties["ProvisionedConcurrencyConfig"] != nil {
			t.Errorf("%s has provisioned concurrency, which is paid by the hour", r.path())
		}
	},
	"AWS::DynamoDB::Table": func(t *testing.T, _ idle, _ template, r resource) {
		if r.Properties["BillingMode"] != "PAY_PER_REQUEST" {
			t.Errorf("%s has provisioned units, which are paid by the hour", r.path())
		}
	},
}

// idleFree are the types that cost nothing while nobody uses them, and why.
var idleFree = map[string]string{
	"AWS::ApiGateway::Account":             "a setting",
	"AWS::ApiGateway::BasePathMapping":     "a setting",
	"AWS::ApiGateway::Deployment":          "a setting",
	"AWS::ApiGateway::DomainName":          "free",
	"AWS::ApiGateway::GatewayResponse":     "a setting",
	"AWS::ApiGateway::Method":              "paid by the request",
	"AWS::ApiGateway::RequestValidator":    "a setting",
	"AWS::ApiGateway::Resource":            "paid by the request",
	"AWS::ApiGateway::RestApi":             "paid by the request",
	"AWS::Athena::WorkGroup":               "paid by the byte that a statement reads",
	"AWS::Budgets::Budget":                 "without actions it is free",
	"AWS::CloudFormation::Stack":           "its resources are counted in its own template",
	"AWS::CloudFront::Distribution":        "paid by the request and the GB",
	"AWS::CloudFront::OriginAccessControl": "a setting",
	"AWS::CodeDeploy::Application":         "free for Lambda",
	"AWS::CodeDeploy::DeploymentGroup":     "free for Lambda",
	"AWS::Cognito::UserPool":               "paid by the person who signs in",
	"AWS::Cognito::UserPoolClient":         "paid by the person who signs in",
	"AWS::Cognito::UserPoolDomain":         "paid by the person who signs in",
	"AWS::Events::Rule":                    "events of AWS's own services are free",
	"AWS::Glue::Database":                  "free below a million objects of the catalog",
	"AWS::Glue::Table":                     "free below a million objects of the catalog; it has no stored partitions",
	"AWS::IAM::Policy":                     "free",
	"AWS::IAM::Role":                       "free",
	"AWS::Lambda::EventInvokeConfig":       "a setting",
	"AWS::Lambda::Function":                "paid by the call; scheduled calls are counted with their schedules",
	"AWS::Lambda::LayerVersion":            "free below 75 GB of code",
	"AWS::Lambda::Permission":              "a setting",
	"Custom::CDKBucketDeployment":          "its function is called by deployments alone",
	"AWS::Lambda::Version":                 "free",
	"AWS::Logs::LogGroup":                  "paid by the GB; lines of scheduled calls are counted with their schedules",
	"AWS::Logs::QueryDefinition":           "paid by the GB that a query looks at",
	"AWS::S3::Bucket":                      "paid by the GB and the request",
	"AWS::S3::BucketPolicy":                "a setting",
	"AWS::SNS::Topic":                      "paid by the message",
	"AWS::SNS::TopicPolicy":                "a setting",
	"AWS::SQS::Queue":                      "paid by the request; Lambda's are counted with their mappings",
	"AWS::SQS::QueuePolicy":                "a setting",
	"AWS::Scheduler::ScheduleGroup":        "free",
	"AWS::StepFunctions::StateMachine":     "paid by the transition",
	"AWS::WAFv2::WebACLAssociation":        "a setting",

	"AWS::SES::ConfigurationSet":                 "paid by the mail",
	"AWS::SES::ConfigurationSetEventDestination": "a setting; events of SES to EventBridge are free",
}

// everyOf returns the time between two calls of a schedule.
func everyOf(t *testing.T, schedule resource) time.Duration {
	t.Helper()
	text := fmt.Sprint(schedule.Properties["ScheduleExpression"])
	parts := regexp.MustCompile(`^rate\(([0-9]+) (minute|hour)s?\)$`).FindStringSubmatch(text)
	if parts == nil {
		t.Fatalf("%s is called at %s", schedule.path(), text)
	}
	every, err := time.ParseDuration(parts[1] + parts[2][:1])
	if err != nil {
		t.Fatal(err)
	}
	return every
}

// idleOf counts a deployment, from its templates.
func idleOf(t *testing.T, made deployment) idle {
	t.Helper()
	count := idle{}
	for _, in := range made.templates() {
		for _, r := range in.Resources {
			cost, free := idleCosts[r.Type], idleFree[r.Type]
			switch {
			case cost != nil && free != "":
				t.Errorf("%s is in idleCosts and in idleFree", r.Type)
			case cost != nil:
				cost(t, count, in, r)
			case free == "":
				t.Errorf("%s: what does %s cost when nobody uses it? Add the type to idleCosts or idleFree", r.path(), r.Type)
			}
		}
	}
	return count
}

// dollars returns what an item of the count costs in a month.
func (i idle) dollars(item idleItem) float64 {
	for _, price := range idlePrices {
		if price.item == item {
			return i[item] * price.dollars
		}
	}
	return numbers.NaN() // an item without a price shows in the sum
}

// sum returns what all items cost in a month.
func (i idle) sum() (all float64) {
	for item := range i {
		all += i.dollars(item)
	}
	return all
}

// counted writes how many of an item there are: whole numbers with commas, small ones with two digits.
func counted(n float64) string {
	if n < 1 && n > 0 {
		return fmt.Sprintf("%.2f", n)
	}
	whole := fmt.Sprintf("%.0f", n)
	for at := len(whole) - 3; at > 0; at -= 3 {
		whole = whole[:at] + "," + whole[at:]
	}
	return whole
}

// What the guide says a stage costs that nobody uses is counted from its templates.
func TestTheGuideCountsIdleStages(t *testing.T) {
	counts := map[string]idle{}
	for _, stage := range Stages() {
		counts[stage.Name] = idleOf(t, deployments[stage.Name])
	}
	head, line := "| a month in which nobody uses the stage | one is |", "|---|---|"
	for _, stage := range Stages() {
		head, line = head+" "+stage.Name+" |", line+"---|"
	}
	table := head + "\n" + line + "\n"
	for _, price := range idlePrices {
		row, used := fmt.Sprintf("| %s | %s |", price.item, priced(price.dollars)), false
		for _, stage := range Stages() {
			count := counts[stage.Name]
			row += fmt.Sprintf(" %s: %.2f |", counted(count[price.item]), count.dollars(price.item))
			used = used || count[price.item] > 0
		}
		if used {
			table += row + "\n"
		}
	}
	sums := "| **in all** | |"
	for _, stage := range Stages() {
		sums += fmt.Sprintf(" **%.2f** |", counts[stage.Name].sum())
	}
	if table += sums; !strings.Contains(guide(t), table+"\n") {
		t.Errorf("the guide has not\n%s", table)
	}
	if want := fmt.Sprintf("beside %.2f for `prod`",
		counts["prod"].sum()); !strings.Contains(strings.ReplaceAll(guide(t), "\n", " "), want) {
		t.Errorf("the guide has not %q", want)
	}
}

// priced writes a price of one, or of a million where one is less than a cent.
func priced(dollars float64) string {
	if dollars < 0.01 {
		return fmt.Sprintf("%.3g a million", dollars*1e6)
	}
	return fmt.Sprintf("%.2f", dollars)
}

// idleLimit is the most that a stage may cost in a month in which nobody uses it. Of each, some 1.5 are for deliveries: a
// call a minute, a queue that is asked for messages, and their alarms. The alarms of alerts, ai, authorize and mcp cost 0.3
// each. The queue of summaries and its function are 0.8. The alarms on disabled endpoints and on overdue deliveries are 0.2.
var idleLimit = map[string]float64{"dev": 11.7, "staging": 28.5, "prod": 35.6}

func TestIdleStages_StayBelowTheirLimit(t *testing.T) {
	onEachStage(t, func(t *testing.T, stage Stage, made deployment) {
		if sum := idleOf(t, made).sum(); !(sum <= idleLimit[stage.Name]) {
			t.Errorf("%s costs %.2f, want at most %.2f", stage.Name, sum, idleLimit[stage.Name])
		}
	})
}

// Options have their items too.
func TestIdle_EveryOption(t *testing.T) {
	with, without := idleOf(t, deployments[withEveryOption]), idleOf(t, deployments["prod"])
	for item, want := range map[idleItem]float64{customerKeys: 1, firewalls: 1, firewallRules: 4} {
		if got := with[item] - without[item]; got != want && without[item] == 0 {
			t.Errorf("%s: %g more, want %g", item, got, want)
		}
	}
	if sum := with.sum(); !(sum > without.sum()) {
		t.Errorf("with every option it costs %.2f, without %.2f", sum, without.sum())
	}
}

func TestIdlePrices_HaveASource(t *testing.T) {
	seen := map[idleItem]bool{}
	for _, price := range idlePrices {
		if !strings.HasPrefix(price.source, "aws.amazon.com/") {
			t.Errorf("%s: the source is %q", price.item, price.source)
		}
		if seen[price.item] {
			t.Errorf("%s has two prices", price.item)
		}
		seen[price.item] = true
	}
	if got := (idle{"unheard of": 1}).sum(); !numbers.IsNaN(got) {
		t.Errorf("an item without a price costs %g, want no number", got)
	}
}
