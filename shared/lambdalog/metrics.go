package lambdalog

import (
	"log/slog"
	"slices"
	"time"
)

// Namespace is the namespace of all metrics. The dimensions tell metrics apart: all have Stage, and those outside HTTP
// also have Function. Both names are case-sensitive.
const (
	Namespace         = "Earshot"
	DimensionStage    = "Stage"
	DimensionFunction = "Function" // the function's name in the manifest: "ingest", "setupstages/measure"
)

// A Metric is a member of a record that is a number, and its unit in CloudWatch.
type Metric struct{ Name, Unit string }

// Requests returns the metrics in the record of a request. Stage is their only dimension, so a stage has eight, however
// many functions it has.
//
// A metric costs 0.30 US dollars a month (us-east-1, the first 10,000 of an account; the first 10 are free), for the
// hours in which it is sent. A record therefore carries a metric only if there is something to report.
func Requests() []Metric {
	return []Metric{
		{"requests", count},             // 1
		{"failed", count},               // 1 for a response with status 5xx, of an operation that a tool called too
		{"limited", count},              // 1 for a RATE_LIMITED response, likewise
		{"mailStopped", count},          // mails of invitations that were not sent for a fault of the sender
		{"authMicros", microseconds},    // of an operation that needs a key
		{"handlerMicros", microseconds}, // of a request that reached its endpoint
		{"readUnits", count},            // capacity units of tables
		{"writeUnits", count},
	}
}

// Invocations returns the metrics in the record of an invocation outside HTTP, with Stage and Function as dimensions.
// Each is sent only if it is not zero, because each costs money (see Requests).
//
// A scheduled call that read tables and found nothing to do sends none. A stage that nobody uses has the readUnits of
// collect, which asks the platforms: 0.30 US dollars a month.
func Invocations() []Metric {
	return []Metric{
		{"readUnits", count}, // capacity units of tables
		{"writeUnits", count},
		{"failed", count},   // messages of a batch that will arrive again; 1 for any other failure
		{"rejected", count}, // messages that can never be understood
		{"left", count},     // messages that were not begun for lack of time
		// Work done.
		{"posts", count},   // that collect sent, and that ingest accepted
		{"stored", count},  // mentions
		{"rows", count},    // of exports
		{"granted", count}, // memberships of people who were invited
		{"modelRequests", count},
		{"modelFailures", count}, // those that the model did not answer
		{"modelTokens", count},   // in and out
		// Losses and delays.
		{"overQuota", count},  // mentions above a plan's quota; platforms asked too often
		{"tooLarge", count},   // mentions that do not fit in a row
		{"unreadable", count}, // posts of a message
		{"failures", count},   // of platforms
		{"unfinished", count}, // work that a scheduled call left to the next
		// Deliveries.
		{"disabledWorkspaces", count}, // workspaces of which deliver disabled a first endpoint in an hour
		{"mailStopped", count},        // mails of deliver that were not sent for a fault of the sender
		{"overdue", count},            // deliveries, digests and alerts that nobody works on, though they are long due
	}
}

// Units, as CloudWatch names them (MetricDatum).
const (
	count        = "Count"
	microseconds = "Microseconds"
)

// A Form tells CloudWatch which members of a record are metrics, in its Embedded Metric Format. It is made once for all
// records with the same metrics.
type Form struct{ directives any } // an array of a directive

type directive struct {
	Namespace  string
	Dimensions [][]string
	Metrics    []Metric
}

// NewForm makes a form. A record with this form needs all of the metrics and dimensions as members of its root, because
// the format finds them only there.
func NewForm(metrics []Metric, dimensions ...string) Form {
	return Form{[]directive{{Namespace, [][]string{dimensions}, metrics}}}
}

// Attr returns the record's member with the form. at is when the metrics were measured.
func (f Form) Attr(at time.Time) slog.Attr {
	return slog.GroupAttrs("_aws", slog.Int64("Timestamp", at.UnixMilli()), slog.Any("CloudWatchMetrics", f.directives))
}

// Measured returns the members of a record from which CloudWatch makes metrics of a function's work: those of values
// that Invocations has and that are not zero. It returns none without a stage.
func Measured(log *slog.Logger, function string, at time.Time, values map[string]float64) (attrs []slog.Attr) {
	stage := StageOf(log)
	metrics := slices.DeleteFunc(Invocations(), func(m Metric) bool { return values[m.Name] == 0 })
	if stage == "" || len(metrics) == 0 {
		return nil
	}
	attrs = append(attrs, NewForm(metrics, DimensionStage, DimensionFunction).Attr(at),
		slog.String(DimensionStage, stage), slog.String(DimensionFunction, function))
	for _, m := range metrics {
		attrs = append(attrs, slog.Float64(m.Name, values[m.Name]))
	}
	return attrs
}
