package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"

	"earshot/shared/keyword"
	"earshot/shared/proposal"
	"earshot/shared/store/rows"
)

// Limits of CloudWatch's dashboards: alarms of a widget, metrics of a widget, and metrics of a dashboard with the
// hidden ones.
const (
	alarmsOfWidget     = 100
	metricsOfWidget    = 500
	metricsOfDashboard = 2500
)

// newDashboard answers from top to bottom: is it up, is it slow, is it losing anything, what does it cost. It shows
// all functions, queues and tables.
func newDashboard(scope constructs.Construct, of watching) {
	b := &board{region: *awscdk.Aws_REGION()}
	shown := newShown(of)
	shown.up(b)
	shown.slow(b)
	shown.losing(b)
	shown.costs(b)
	made := awscloudwatch.NewCfnDashboard(scope, jsii.String("Dashboard"), &awscloudwatch.CfnDashboardProps{
		DashboardBody: awscdk.Stack_Of(scope).
			ToJsonString(object{"start": "-PT12H", "periodOverride": "inherit", "widgets": b.widgets}, nil),
	})
	output(
		awscdk.Stack_Of(scope).NestedStackParent(),
		"DashboardUrl",
		"Is it up, is it slow, is it losing anything, what does it cost",
		jsii.String(fmt.Sprintf("https://%s.console.aws.amazon.com/cloudwatch/home?region=%s#dashboards/dashboard/%s",
			*awscdk.Aws_REGION(), *awscdk.Aws_REGION(), *made.Ref())),
	)
}

// shown holds everything that the dashboard shows, by name.
type shown struct {
	stage     string
	asks      bool     // a model
	mails     bool     // it sends mail
	api       []string // dimensions
	machine   []string // dimensions
	functions []shownFunction
	tables    []shownTable
	live      map[string]string // by queue: its name
	dead      map[string]string // by queue: the dead letters' name
	missed    map[string]string // by scheduled function: the name of its missed calls
	logs      []string
	alarms    []string
}

type shownFunction struct {
	Function
	dimensions []string
}

// A shownTable is a table or an index.
type shownTable struct {
	name, label string
	infrequent  bool
	dimensions  []string
}

func newShown(of watching) shown {
	made := shown{
		stage:   of.stage.Name,
		asks:    of.stage.Model != "",
		mails:   of.stage.MailFrom != "",
		api:     []string{"ApiName", project + "-" + of.stage.Name, "Stage", of.stage.Name},
		machine: []string{"StateMachineArn", *of.machine.AttrArn()},
		live:    map[string]string{}, dead: map[string]string{}, missed: map[string]string{},
		logs: []string{*of.access.LogGroupName()},
	}
	for _, each := range of.lambdas {
		made.functions = append(
			made.functions, shownFunction{each.Function, []string{"FunctionName", *each.deployed.FunctionName()}},
		)
		made.logs = append(made.logs, *each.logs.LogGroupName())
	}
	for _, schema := range rows.Schemas() {
		name := *of.data.table(schema.Name).TableName()
		made.tables = append(
			made.tables, shownTable{schema.Name, schema.Name, schema.InfrequentAccess, []string{"TableName", name}},
		)
		for _, index := range schema.Indexes {
			made.tables = append(
				made.tables,
				shownTable{schema.Name, schema.Name + "." + index.Name, schema.InfrequentAccess,
					[]string{"TableName", name, "GlobalSecondaryIndexName", index.Name}},
			)
		}
	}
	for _, each := range MessageQueues() {
		pair := of.data.queue(each.Name)
		made.live[each.Name], made.dead[each.Name] = *pair.live.QueueName(), *pair.dead.QueueName()
	}
	for of, queue := range of.missed {
		made.missed[of] = *queue.QueueName()
	}
	for _, each := range of.data.alarms.alarms {
		made.alarms = append(made.alarms, *each.AlarmArn())
	}
	return made
}

// own returns a metric of the API's functions together.
func (s shown) own(name, stat, label string) series {
	return of(ownMetrics, name, stat, label, stageKey, s.stage)
}

// ownOf returns a metric of a function that is not behind the API.
func (s shown) ownOf(function Function, name string) series {
	return of(ownMetrics, name, "Sum", function.Name+" "+name, stageKey, s.stage, functionKey, function.Name)
}

// of returns a metric of each wanted function.
func (s shown) of(wanted func(Function) bool, name, stat string) (lines []series) {
	for _, each := range s.functions {
		if wanted(each.Function) {
			lines = append(lines, of("AWS/Lambda", name, stat, each.Name, each.dimensions...))
		}
	}
	return lines
}

func anyFunction(Function) bool { return true }

func behindAPI(f Function) bool { return f.Trigger == (API{}) }

func byItself(f Function) bool { return !behindAPI(f) }

func takesMessages(f Function) bool { _, ok := f.Trigger.(Queue); return ok }

func (s shown) up(b *board) {
	b.asks("Is it up?")
	for i, alarms := range slices.Collect(slices.Chunk(s.alarms, alarmsOfWidget)) {
		b.place("alarm", gridWidth/2, 6, object{"title": fmt.Sprintf("Alarms, %d", i+1), "alarms": alarms,
			"states": []string{"ALARM", "INSUFFICIENT_DATA", "OK"}, "sortBy": "stateUpdatedTimestamp"})
	}
	b.line()
	b.graph("Requests", 8, "in 5 minutes", of("AWS/ApiGateway", "Count", "Sum", "all", s.api...),
		s.own(limited, "Sum", "over their workspace's limit"))
	b.graph(
		"5xx",
		8,
		"share of requests",
		of("AWS/ApiGateway", "5XXError", "Average", "share", s.api...),
		of(
			"AWS/ApiGateway",
			"5XXError",
			"Sum",
			"requests",
			s.api...).onRight(),
		s.own(failed, "Sum", "of them by a function").onRight(),
	)
	b.graph("4xx", 8, "share of requests", of("AWS/ApiGateway", "4XXError", "Average", "share", s.api...))
}

func (s shown) slow(b *board) {
	b.asks("Is it slow?")
	b.graph("The API's answers", 8, "ms", of("AWS/ApiGateway", "Latency", "p50", "half", s.api...),
		of("AWS/ApiGateway", "Latency", "p99", "one in a hundred", s.api...),
		of("AWS/ApiGateway", "IntegrationLatency", "p99", "one in a hundred, in the function", s.api...))
	b.graph("Within the functions", 8, "µs", s.own(authMicros, "p99", "key and limit, one in a hundred"),
		s.own(handlerMicros, "p50", "operation, half"),
		s.own(handlerMicros, "p99", "operation, one in a hundred"))
	var tables []series
	for _, each := range s.tables {
		if each.name != each.label {
			continue // an index has no latency of its own
		}
		for _, operation := range tableOperations() {
			tables = append(tables, of("AWS/DynamoDB", "SuccessfulRequestLatency", "Average", each.name+" "+operation,
				append(slices.Clone(each.dimensions), "Operation", operation)...))
		}
	}
	b.graph("Tables", 8, "ms", tables...)
	b.graph("Behind the API, one in a hundred", 12, "ms", s.of(behindAPI, "Duration", "p99")...)
	b.graph("By themselves, one in a hundred", 12, "ms", s.of(byItself, "Duration", "p99")...)
}

func (s shown) losing(b *board) {
	b.asks("Is it losing anything?")
	var dead, oldest, own, throttled []series
	for _, names := range []map[string]string{s.dead, s.missed} {
		for _, name := range slices.Sorted(maps.Keys(names)) {
			dead = append(
				dead, of("AWS/SQS", "ApproximateNumberOfMessagesVisible", "Maximum", name, "QueueName", names[name]),
			)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.live)) {
		oldest = append(
			oldest, of("AWS/SQS", "ApproximateAgeOfOldestMessage", "Maximum", name, "QueueName", s.live[name]),
		)
	}
	for _, each := range s.functions {
		if takesMessages(each.Function) {
			own = append(
				own, s.ownOf(each.Function, failed), s.ownOf(each.Function, rejected), s.ownOf(each.Function, left),
			)
		}
	}
	for _, each := range s.tables {
		throttled = append(
			throttled, of("AWS/DynamoDB", "ReadThrottleEvents", "Sum", each.label+" reads", each.dimensions...),
			of("AWS/DynamoDB", "WriteThrottleEvents", "Sum", each.label+" writes", each.dimensions...),
		)
	}
	var asked []series
	for _, each := range s.functions {
		if s.asks && each.Model {
			asked = append(asked, s.ownOf(each.Function, modelRequests), s.ownOf(each.Function, modelFailures))
		}
	}
	var untold []series
	for _, each := range s.functions {
		switch each.Name {
		case "deliver":
			untold = append(untold, s.ownOf(each.Function, disabledWorkspaces))
			if s.mails {
				untold = append(
					untold,
					s.ownOf(each.Function, mailStopped),
					s.own(mailStopped, "Sum", "invitations "+mailStopped),
				)
			}
		case "deliveries":
			untold = append(untold, s.ownOf(each.Function, overdue))
		}
	}
	b.graph("Dead letters and missed calls", 8, "waiting", dead...)
	b.graph("Oldest message", 8, "s", oldest...)
	b.graph("Messages that failed", 8, "in 5 minutes", own...)
	b.graph("Calls that failed", 8, "in 5 minutes", s.of(anyFunction, "Errors", "Sum")...)
	b.graph("Calls turned away", 8, "in 5 minutes", s.of(anyFunction, "Throttles", "Sum")...)
	b.graph("Tables turning away", 8, "in 5 minutes", throttled...)
	b.graph("Setup runs", 8, "in 5 minutes", of("AWS/States", "ExecutionsSucceeded", "Sum", "succeeded", s.machine...),
		of("AWS/States", "ExecutionsFailed", "Sum", "failed", s.machine...),
		of("AWS/States", "ExecutionsTimedOut", "Sum", "timed out", s.machine...),
		of("AWS/States", "ExecutionsAborted", "Sum", "stopped", s.machine...))
	b.graph("Deliveries", 8, "in 5 minutes", untold...)
	if len(asked) > 0 {
		b.graph("The model", 8, "in 5 minutes", asked...)
	}
}

// Prices are list prices of us-east-1 in US dollars without any free tier, as in COSTS.md: for a million, except for
// a GB of logs.
const (
	perCalls       = 0.20
	perGBSeconds   = 13.33
	perRequests    = 3.50
	perWrites      = 0.625
	perReads       = 0.125
	perWritesIA    = 0.78
	perReadsIA     = 0.155
	perMessages    = 0.40
	perTransitions = 25.0
	perLogs        = 0.50
)

func (s shown) costs(b *board) {
	b.asks("What does it cost?")
	b.graph("Calls", 8, "in 5 minutes", s.of(anyFunction, "Invocations", "Sum")...)
	var computed, bytes, reads, writes, messages []series
	for i, each := range s.functions {
		id := fmt.Sprint("d", i)
		computed = append(computed, of("AWS/Lambda", "Duration", "Sum", "", each.dimensions...).as(id),
			math(each.Name, fmt.Sprintf("%s * %g / 1024 / 1000", id, each.MemoryMiB)))
	}
	for _, each := range s.tables {
		reads = append(reads, of("AWS/DynamoDB", "ConsumedReadCapacityUnits", "Sum", each.label, each.dimensions...))
		writes = append(writes, of("AWS/DynamoDB", "ConsumedWriteCapacityUnits", "Sum", each.label, each.dimensions...))
	}
	b.graph("GB-seconds", 8, "in 5 minutes", computed...)
	b.graph("Dollars", 8, "an hour, at list prices", s.dollars()...)
	b.graph("Read units by table", 8, "in 5 minutes", reads...)
	b.graph("Write units by table", 8, "in 5 minutes", writes...)
	own := []series{s.own(readUnits, "Sum", "API "+readUnits), s.own(writeUnits, "Sum", "API "+writeUnits)}
	for _, each := range s.functions {
		if byItself(each.Function) && len(each.Tables) > 0 {
			own = append(own, s.ownOf(each.Function, readUnits), s.ownOf(each.Function, writeUnits))
		}
	}
	b.graph("Units by function", 8, "in 5 minutes", own...)
	for _, name := range slices.Sorted(maps.Keys(s.live)) {
		messages = append(messages, of("AWS/SQS", "NumberOfMessagesSent", "Sum", name, "QueueName", s.live[name]))
	}
	b.graph("Messages", 8, "in 5 minutes", messages...)
	b.graph(
		"State transitions", 8, "in 5 minutes",
		of("AWS/States", "ExecutionsStarted", "Sum", "", s.machine...).as("started"),
		math("about", fmt.Sprintf("started * %d", transitions())),
	)
	for i, name := range s.logs {
		bytes = append(bytes, of("AWS/Logs", "IncomingBytes", "Sum", "", "LogGroupName", name).as(fmt.Sprint("l", i)))
	}
	b.graph("Logs", 8, "bytes in 5 minutes", append(bytes, math("all", total(ids("l", len(s.logs)))))...)
}

// transitions is the most that a setup run enters: every stage, the stages of each source for every platform, and the
// state that spreads them.
func transitions() int {
	count := 0
	for _, stage := range proposal.Pipeline() {
		count++
		if stage.Each {
			count += 1 + len(keyword.Platforms())
		}
	}
	return count
}

// dollars returns what everything paid by use costs in an hour. Storage, alarms, models, mail and unknown costs are
// not in it. SQS bills requests, and one may carry ten messages, so SQS is counted at most.
func (s shown) dollars() []series {
	var terms []series
	add := func(prefix string, lines ...series) string {
		for i, each := range lines {
			terms = append(terms, each.as(fmt.Sprint(prefix, i)))
		}
		return total(ids(prefix, len(lines)))
	}
	calls := add("i", s.of(anyFunction, "Invocations", "Sum")...)
	var computed []string
	for _, memory := range s.memories() {
		computed = append(computed, fmt.Sprintf(
			"%g * %s",
			memory/1024/1000,
			add(
				fmt.Sprintf("m%g_", memory),
				s.of(func(f Function) bool { return f.MemoryMiB == memory }, "Duration", "Sum")...),
		))
	}
	tables := map[string][]series{}
	for _, each := range s.tables {
		r, w := "r", "w"
		if each.infrequent {
			r, w = "ri", "wi"
		}
		tables[r] = append(tables[r], of("AWS/DynamoDB", "ConsumedReadCapacityUnits", "Sum", "", each.dimensions...))
		tables[w] = append(tables[w], of("AWS/DynamoDB", "ConsumedWriteCapacityUnits", "Sum", "", each.dimensions...))
	}
	units := []string{}
	for _, priced := range []struct {
		id    string
		price float64
	}{{"r", perReads}, {"w", perWrites}, {"ri", perReadsIA}, {"wi", perWritesIA}} {
		units = append(units, fmt.Sprintf("%g * %s", priced.price, add(priced.id, tables[priced.id]...)))
	}
	var requests, logs []series
	for _, name := range slices.Sorted(maps.Keys(s.live)) {
		for _, metric := range []string{"NumberOfMessagesSent", "NumberOfMessagesReceived", "NumberOfMessagesDeleted",
			"NumberOfEmptyReceives"} {
			requests = append(requests, of("AWS/SQS", metric, "Sum", "", "QueueName", s.live[name]))
		}
	}
	for _, name := range s.logs {
		logs = append(logs, of("AWS/Logs", "IncomingBytes", "Sum", "", "LogGroupName", name))
	}
	const hourly = " / 1000000 * 3600 / PERIOD(i0)"
	priced := []series{
		math(
			"Lambda",
			fmt.Sprintf("(%g * %s + %g * (%s))", perCalls, calls, perGBSeconds, strings.Join(computed, " + "))+hourly,
		),
		math("DynamoDB", "("+strings.Join(units, " + ")+")"+hourly),
		math(
			"API Gateway",
			fmt.Sprintf("%g * %s", perRequests, add("a", of("AWS/ApiGateway", "Count", "Sum", "", s.api...)))+hourly,
		),
		math("SQS, at most", fmt.Sprintf("%g * %s", perMessages, add("q", requests...))+hourly),
		math("Step Functions", fmt.Sprintf("%g * %s", perTransitions*float64(transitions()),
			add("x", of("AWS/States", "ExecutionsStarted", "Sum", "", s.machine...)))+hourly),
		// Logs are priced by the GB, not by the million.
		math("Logs", fmt.Sprintf("%g / 1000 * %s", perLogs, add("l", logs...))+hourly),
	}
	for i := range priced {
		priced[i].id = fmt.Sprint("e", i)
	}
	return append(append(terms, priced...), math("all", total(ids("e", len(priced)))))
}

// memories returns the memory sizes in use. Each has its own price.
func (s shown) memories() []float64 {
	var found []float64
	for _, each := range s.functions {
		found = append(found, each.MemoryMiB)
	}
	return slices.Compact(slices.SortedFunc(slices.Values(found), cmp.Compare[float64]))
}
