package deployment_test

import (
	"log/slog"
	"strings"
	"syscall"
	"testing"
	"time"

	"earshot/functions/local/deployment"
	"earshot/shared/web"
	"earshot/shared/worldtest"
)

// largestBody is how many bytes a body may have.
const largestBody = 1 << 20

// BenchmarkCostlyBodies measures requests that are made to be dear: many elements under a long name, many faults at a
// long path, and many destinations, each with objects of its own. cpu-ms/op is the process's time, answer-B the
// response.
func BenchmarkCostlyBodies(b *testing.B) {
	world := worldtest.NewWorld(b)
	log := slog.New(slog.DiscardHandler)
	functions := deployment.Functions(deployment.Parts{Store: world.Store, Clock: world.Clock, Log: log})
	long := func(name int, elements string) string {
		return `{"` + strings.Repeat("n", name) + `":[` + elements + `]}`
	}
	destination := `{"type":"EMAIL","time":"09:00","dayOfWeek":"monday","timezone":"UTC",` +
		`"emailDestination":{"emails":["alerts@northwind.example"]}}`
	for _, c := range []struct{ name, function, path, key, body string }{
		{"elements", "mentions", "/api/v2/mentions", world.Read, long(20_000, repeated("1", (largestBody-20_006)/2))},
		{"faults", "mentions", "/api/v2/mentions", world.Read, long(58_000, repeated("9e99", 400))},
		{"destinations", "feeds", "/api/v2/feeds", world.Write,
			`{"name":"All","destinations":[` + repeated(destination, 7_000) + `]}`},
	} {
		b.Run(c.name, func(b *testing.B) {
			client := worldtest.Client{Token: c.key}
			client.Handler = web.LambdaHandler(functions[c.function])
			header := []string{"Content-Type", "application/json"}
			event := client.Event(worldtest.Request{Method: "POST", Target: c.path, Body: c.body, Header: header})
			b.SetBytes(int64(len(c.body)))
			b.ReportAllocs()
			sent := 0
			before := processTime(b)
			for b.Loop() {
				world.Clock.Freeze(world.Clock.Now().Add(time.Hour)) // of another hourly limit
				response, err := client.Handler(b.Context(), event)
				if err != nil || response.StatusCode != 400 && response.StatusCode != 500 {
					b.Fatalf("%d %v", response.StatusCode, err)
				}
				sent = len(response.Body)
			}
			b.ReportMetric(float64((processTime(b)-before).Milliseconds())/float64(b.N), "cpu-ms/op")
			b.ReportMetric(float64(sent), "answer-B")
		})
	}
}

func repeated(element string, times int) string {
	return strings.TrimSuffix(strings.Repeat(element+",", times), ",")
}

// processTime is how long the process has computed, on all cores.
func processTime(b *testing.B) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
