package web_test

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"earshot/shared/embedded/fault"
	"earshot/shared/lambdalog"
	"earshot/shared/lambdalog/emftest"
	"earshot/shared/lambdalog/tracetest"
	"earshot/shared/web"
	"earshot/shared/worldtest"
)

// Each kind of answer has the metrics that tell something, and none on a laptop.
func TestMetrics(t *testing.T) {
	all := []string{"authMicros", "handlerMicros", "readUnits", "requests", "writeUnits"}
	turnedAway := []string{"authMicros", "readUnits", "requests", "writeUnits"}
	for _, c := range []struct {
		name, target string
		status       int
		prepare      func(*testing.T, *bench)
		want         []string
	}{
		{"done", "/api/v2/things/abc", 200, nil, all},
		{"failed", "/api/v2/things/fail", 500, nil, append([]string{"failed"}, all...)},
		{"a panic", "/api/v2/things/panic", 500, nil, append([]string{"failed"}, all...)},
		{"public", "/api/v2/public", 200, nil, []string{"handlerMicros", "readUnits", "requests", "writeUnits"}},
		{"no such path", "/api/v2/nothing", 404, nil, []string{"readUnits", "requests", "writeUnits"}},
		{"no key", "/api/v2/who", 401, func(_ *testing.T, b *bench) { b.Token = "" }, turnedAway},
		{"limited", "/api/v2/who", 429, func(t *testing.T, b *bench) {
			for range web.HourlyLimit {
				if _, _, err := b.Store.Take(t.Context(), b.Main.ID, worldtest.Now.Truncate(time.Hour), web.HourlyLimit); err != nil {
					t.Fatal(err)
				}
			}
		}, append(slices.Clone(turnedAway), "limited")},
		{"the store is away", "/api/v2/who", 500, func(t *testing.T, b *bench) {
			b.fault(t, fault.Fault{Port: fault.TablePort, Fault: fault.Error})
		}, append(slices.Clone(turnedAway), "failed")},
	} {
		t.Run(c.name, func(t *testing.T) {
			ask := func(stage string) (line []byte) {
				b := newBenchOf(t, stage)
				if c.prepare != nil {
					c.prepare(t, b)
				}
				if answer := b.Get(t, c.target); answer.Status != c.status {
					t.Fatalf("%d, want %d: %s", answer.Status, c.status, answer.Body)
				}
				return bytes.TrimSpace(b.log.Bytes())
			}
			line := ask("staging")
			metrics, dimensions := emftest.Read(t, line, lambdalog.Requests())
			slices.Sort(c.want)
			if got := slices.Sorted(maps.Keys(metrics)); !slices.Equal(got, c.want) ||
				fmt.Sprint(dimensions) != "map[Stage:staging]" {
				t.Errorf("%v of %v, want %v: %s", got, dimensions, c.want, line)
			}
			if metrics["requests"] != 1 {
				t.Errorf("%v requests", metrics["requests"])
			}
			emftest.None(t, ask(""))
		})
	}
}

// A record names the trace that the invocation is part of, and nothing that does not look like one.
func TestRecord_Trace(t *testing.T) {
	b := newBench(t)
	for header, want := range map[string]string{
		"Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1": `"traceId":"1-5759e988-bd862e3fe1be46a994272793"`,
		"Root=first@northwind.example": "",
		"":                             "",
	} {
		b.log.Reset()
		_, err := b.Handler(tracetest.With(t.Context(), header), b.Event(worldtest.Request{Target: "/api/v2/who"}))
		if err != nil {
			t.Fatal(err)
		}
		if text := b.log.String(); !strings.Contains(text, want) || strings.Contains(text, "traceId") != (want != "") {
			t.Errorf("%q: %s", header, text)
		}
	}
}
