// Package emftest reads a log record as CloudWatch does and returns the metrics that CloudWatch makes of it. Only tests
// import it.
package emftest

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"slices"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"earshot/shared/lambdalog"
)

//go:embed testdata/emf.schema.json
var schema []byte

// Read returns a line's metrics and dimensions, by name. It fails the test unless the line is one document of the
// Embedded Metric Format. Each metric must be in the table with the table's unit. Every member that the document names
// must be a member of the root, once.
func Read(
	t testing.TB, line []byte, table []lambdalog.Metric,
) (metrics map[string]float64, dimensions map[string]string) {
	t.Helper()
	valid(t, line)
	root := once(t, line)
	var head struct {
		CloudWatchMetrics []struct {
			Namespace  string
			Dimensions [][]string
			Metrics    []lambdalog.Metric
		}
	}
	must(t, json.Unmarshal(root["_aws"], &head))
	metrics, dimensions = map[string]float64{}, map[string]string{}
	for _, directive := range head.CloudWatchMetrics {
		if directive.Namespace != lambdalog.Namespace || len(directive.Dimensions) != 1 {
			t.Errorf(
				"namespace %q, dimensions %q: each set of dimensions is paid for", directive.Namespace,
				directive.Dimensions,
			)
		}
		for _, name := range slices.Concat(directive.Dimensions...) {
			var value string
			if err := json.Unmarshal(root[name], &value); err != nil || value == "" {
				t.Errorf("the dimension %s is %s, and must be text: %v", name, root[name], err)
			}
			dimensions[name] = value
		}
		for _, m := range directive.Metrics {
			var value float64
			if err := json.Unmarshal(root[m.Name], &value); err != nil {
				t.Errorf("the metric %s is %s, and must be a number: %v", m.Name, root[m.Name], err)
			}
			if !slices.Contains(table, m) {
				t.Errorf("the metric %+v is not in the table", m)
			}
			metrics[m.Name] = value
		}
	}
	return metrics, dimensions
}

// None fails the test if a line has metrics.
func None(t testing.TB, line []byte) {
	t.Helper()
	root := once(t, line)
	for _, name := range []string{"_aws", lambdalog.DimensionStage, lambdalog.DimensionFunction} {
		if root[name] != nil {
			t.Errorf("the line has %s: %s", name, line)
		}
	}
}

func valid(t testing.TB, line []byte) {
	t.Helper()
	parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	must(t, err)
	compiler := jsonschema.NewCompiler()
	must(t, compiler.AddResource("emf.json", parsed))
	compiled, err := compiler.Compile("emf.json")
	must(t, err)
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(line))
	must(t, err)
	if err := compiled.Validate(document); err != nil {
		t.Errorf("%v: %s", err, line)
	}
}

// once returns the members of a line's root. It fails the test if a member appears twice.
func once(t testing.TB, line []byte) map[string]json.RawMessage {
	t.Helper()
	members := map[string]json.RawMessage{}
	decoder := json.NewDecoder(bytes.NewReader(line))
	_, err := decoder.Token()
	must(t, err)
	for decoder.More() {
		name, err := decoder.Token()
		must(t, err)
		var value json.RawMessage
		must(t, decoder.Decode(&value))
		if _, again := members[name.(string)]; again {
			t.Errorf("%s is there twice: %s", name, line)
		}
		members[name.(string)] = value
	}
	return members
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
