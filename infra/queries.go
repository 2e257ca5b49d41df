package main

import (
	"slices"

	"github.com/aws/aws-cdk-go/awscdk/v2/awslogs"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"
)

// A query is a saved query of Logs Insights, over the log groups of its functions and the API's access log.
type query struct {
	name   string
	about  func(Function) bool // nil: none
	access bool
	text   string
}

func named(names ...string) func(Function) bool {
	return func(f Function) bool { return slices.Contains(names, f.Name) }
}

// makesProposals reports whether a function logs drafts.
func makesProposals(f Function) bool {
	_, stage := f.Trigger.(Step)
	return stage || named("setup", "scan", "sweep")(f)
}

// queries are the usual questions. The words in capitals are to be replaced.
func queries() []query {
	return []query{
		{
			"a request by its id",
			anyFunction,
			true,
			`fields @timestamp, @log, msg, operation, status, code, cause, gatewayResponse, traceId, @message
| filter requestId = "REQUEST-ID"
| sort @timestamp`,
		},
		{
			"5xx and their causes",
			behindAPI,
			false,
			`fields @timestamp, requestId, operation, workspace, status, code, cause, panic
| filter msg = "request" and status >= 500
| sort @timestamp desc
| limit 200`,
		},
		{"5xx without a function", nil, true, `filter status like /^5/
| stats count(*) as answers by resourcePath, status, gatewayResponse, integrationError
| sort answers desc`},
		{"slowest operations", behindAPI, false, `filter msg = "request"
| stats count(*) as requests, pct(totalMicros, 50) / 1000 as p50ms, pct(totalMicros, 99) / 1000 as p99ms, pct(authMicros, 99) / 1000 as auth99ms by operation
| sort p99ms desc`},
		{"who is rate limited", behindAPI, false, `filter msg = "request" and code = "RATE_LIMITED"
| stats count(*) as turnedAway by workspace, bin(1h)
| sort turnedAway desc`},
		{"what a workspace consumes", behindAPI, false, `filter msg = "request" and ispresent(workspace)
| stats count(*) as requests, sum(readUnits) as readUnitsInAll, sum(writeUnits) as writeUnitsInAll, sum(totalMicros) / 1000000 as seconds by workspace
| sort writeUnitsInAll desc`},
		{
			"why messages fail",
			takesMessages,
			false,
			`fields @timestamp, function, requestId, messages, failed, rejected, left, causes.0, causes.1, causes.2, panic
| filter msg = "batch" and failed > 0
| sort @timestamp desc
| limit 200`,
		},
		{"sources that fail", named("collect"), false, `filter msg = "source failed"
| stats count(*) as times, max(failures) as inARow, max(retryAfter) as waits by source, reason
| sort times desc`},
		{
			"a setup run by its draft",
			makesProposals,
			false,
			`fields @timestamp, function, msg, draft, run, source, milliseconds, readUnits, writeUnits, cause, @message
| filter draft = "DRAFT-ID"
| sort @timestamp`,
		},
		{
			"scheduled calls",
			func(f Function) bool { _, ok := f.Trigger.(Schedule); return ok },
			false,
			`fields @timestamp, function, due, milliseconds, readUnits, writeUnits, cause, @message
| filter msg = "schedule"
| sort @timestamp desc
| limit 200`,
		},
		{
			"cold starts",
			anyFunction,
			false,
			`filter type = "platform.report" and ispresent(record.metrics.initDurationMs)
| stats count(*) as starts, pct(record.metrics.initDurationMs, 50) as p50ms, pct(record.metrics.initDurationMs, 99) as p99ms, max(record.metrics.maxMemoryUsedMB) as memoryMB by @log
| sort p99ms desc`,
		},
	}
}

// queriesOf returns the prefix of the stage's queries.
func (s Stage) queriesOf() string { return project + "/" + s.Name + "/" }

// addQueries saves the queries. They are free until one is run, and then cost by the bytes that it reads.
func addQueries(scope constructs.Construct, stage Stage, lambdas []lambda, access awslogs.LogGroup) {
	for _, each := range queries() {
		var groups []any
		for _, of := range lambdas {
			if each.about != nil && each.about(of.Function) {
				groups = append(groups, of.logs.LogGroupName())
			}
		}
		if each.access {
			groups = append(groups, access.LogGroupName())
		}
		awslogs.NewCfnQueryDefinition(scope, jsii.String("Query "+each.name), &awslogs.CfnQueryDefinitionProps{
			Name:          jsii.String(stage.queriesOf() + each.name),
			QueryString:   jsii.String(each.text),
			LogGroupNames: &groups,
		})
	}
}
