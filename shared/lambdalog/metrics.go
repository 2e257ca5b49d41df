package lambdalog

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"time"
)

// Namespace is that of all metrics, and the dimensions are by what they are told apart: Stage for all, and Function besides for those of
// what is not HTTP. Both are case-sensitive.
const (
	Namespace         = "Earshot"
	DimensionStage    = "Stage"
	DimensionFunction = "Function" // the function's name in the manifest: "ingest", "setupstages/measure"
)

// A Metric is a member of a record that is a number, and its unit in CloudWatch.
type Metric struct{ Name, Unit string }

// Requests are the metrics in the record of a request, by Stage alone: seven for a stage, whatever number of functions answers.
//
// A metric costs 0.30 US dollars a month (us-east-1, the first 10,000 of an account; the first 10 are free), for the hours of it in which it
// is sent. Who sends none pays nothing: a metric is only in a record that has something to tell by it.
func Requests() []Metric {
	return []Metric{
		{"requests", count},             // 1
		{"failed", count},               // 1, of an answer that is 5xx
		{"limited", count},              // 1, of an answer that is RATE_LIMITED
		{"authMicros", microseconds},    // of an operation that asks for a key
		{"handlerMicros", microseconds}, // of a request that came to its endpoint
		{"readUnits", count},            // capacity units of tables
		{"writeUnits", count},
	}
}

// Invocations are the metrics in the record of an invocation that is no request, by Stage and Function. All are sent only when they are
// not zero, so that each costs what a metric does (see Requests) for the functions that have it: collect, archive, sweep, invitecleanup and
// purge are called by the clock and read a table each time, which is 5 readUnits, or 1.50 US dollars a month, of a stage that nobody uses.
func Invocations() []Metric {
	return []Metric{
		{"readUnits", count}, // capacity units of tables
		{"writeUnits", count},
		{"failed", count},   // messages of a batch that come again; 1 of anything else that failed
		{"rejected", count}, // messages that cannot be understood, and never will be
		{"left", count},     // messages that were not begun for want of time
		// What was done.
		{"posts", count},   // that collect sent and ingest took
		{"stored", count},  // mentions
		{"rows", count},    // of exports
		{"granted", count}, // memberships of people who were invited
		{"modelRequests", count},
		{"modelFailures", count}, // of those, that the model did not answer
		{"modelTokens", count},   // in and out
		// What was lost, or is late.
		{"overQuota", count},  // mentions above a plan's quota; platforms asked too often
		{"tooLarge", count},   // mentions that do not fit in a row
		{"unreadable", count}, // posts of a message
		{"failures", count},   // of platforms
		{"unfinished", count}, // what a call by the clock left to the next
	}
}

// Units, as CloudWatch names them (MetricDatum).
const (
	count        = "Count"
	microseconds = "Microseconds"
)

// A Form tells CloudWatch which members of a record are metrics, in its Embedded Metric Format. It is made once for all records that have
// the same metrics.
type Form struct{ directives json.RawMessage }

// NewForm makes a form. The record has all of the metrics and the dimensions as members of its root, for that is the only place where the
// format finds them.
func NewForm(metrics []Metric, dimensions ...string) Form {
	type directive struct {
		Namespace  string
		Dimensions [][]string
		Metrics    []Metric
	}
	directives, err := json.Marshal([]directive{{Namespace, [][]string{dimensions}, metrics}})
	if err != nil {
		panic(fmt.Sprintf("lambdalog: %v", err)) // strings always marshal
	}
	return Form{directives}
}

// Attr is the record's member that has the form. at is when the metrics were measured.
func (f Form) Attr(at time.Time) slog.Attr {
	return slog.GroupAttrs("_aws", slog.Int64("Timestamp", at.UnixMilli()), slog.Any("CloudWatchMetrics", f.directives))
}
