package lambdalog_test

import (
	"bytes"
	"log/slog"
	"regexp"
	"slices"
	"testing"
	"time"

	"earshot/shared/lambdalog"
	"earshot/shared/lambdalog/emftest"
)

// A line with every metric of a table is a document of the format, and what is made of it is what it says.
func TestForm(t *testing.T) {
	for _, c := range []struct {
		table      []lambdalog.Metric
		dimensions []string
	}{
		{lambdalog.Requests(), []string{lambdalog.DimensionStage}},
		{lambdalog.Invocations(), []string{lambdalog.DimensionStage, lambdalog.DimensionFunction}},
	} {
		var out bytes.Buffer
		log := slog.New(lambdalog.Staged(slog.NewJSONHandler(&out, nil), "prod"))
		attrs := []slog.Attr{lambdalog.NewForm(c.table, c.dimensions...).Attr(time.UnixMilli(1_700_000_000_123))}
		for _, name := range c.dimensions {
			attrs = append(attrs, slog.String(name, "of "+name))
		}
		var names []string
		for i, m := range c.table {
			attrs = append(attrs, slog.Float64(m.Name, float64(i)+0.5))
			names = append(names, m.Name)
			if !regexp.MustCompile(`^[a-z][A-Za-z]+$`).MatchString(m.Name) || slices.Contains(names[:i], m.Name) {
				t.Errorf("%q is no name, or there already", m.Name)
			}
		}
		log.LogAttrs(t.Context(), slog.LevelInfo, "all", attrs...)
		metrics, dimensions := emftest.Read(t, out.Bytes(), c.table)
		for i, name := range names {
			if metrics[name] != float64(i)+0.5 {
				t.Errorf("%s is %v", name, metrics[name])
			}
		}
		if len(metrics) != len(c.table) || len(dimensions) != len(c.dimensions) || dimensions["Stage"] != "of Stage" {
			t.Errorf("%d metrics, dimensions %v", len(metrics), dimensions)
		}
		if !bytes.Contains(out.Bytes(), []byte(`"_aws":{"Timestamp":1700000000123,`)) {
			t.Errorf("%s", &out)
		}
	}
}

// The stage is the environment's, stays with what is made of the log, and is none on a laptop.
func TestStage(t *testing.T) {
	env := map[string]string{"STAGE": "prod", "AWS_LAMBDA_LOG_LEVEL": "WARN"}
	log := lambdalog.New(func(name string) string { return env[name] })
	if got := lambdalog.StageOf(log); got != "prod" || log.Enabled(t.Context(), slog.LevelInfo) ||
		!log.Enabled(t.Context(), slog.LevelWarn) {
		t.Errorf("stage %q", got)
	}
	if got := lambdalog.StageOf(log.With("a", 1)); got != "prod" {
		t.Errorf("stage %q", got)
	}
	if got := lambdalog.StageOf(lambdalog.New(func(string) string { return "" })); got != "" {
		t.Errorf("stage %q", got)
	}
	if got := lambdalog.StageOf(slog.New(slog.DiscardHandler)); got != "" {
		t.Errorf("stage %q", got)
	}
}
