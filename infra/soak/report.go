package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// tell writes a line of how it goes.
func (s *soak) tell(ctx context.Context) {
	var u usage
	asking, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	_ = s.api.local(asking, "GET", "/process", nil, &u) // a process that does not say is shown with zeros
	resident := "–"
	if u.ResidentBytes != nil {
		resident = megabytes(*u.ResidentBytes)
	}
	fired := 0
	for _, n := range s.faults.counted() {
		fired += n
	}
	findings, _ := s.findings.shown()
	s.tally.mu.Lock()
	defer s.tally.mu.Unlock()
	c := s.tally.classes
	fmt.Fprintf(
		s.to,
		"%6s  %d operations, %d requests: %d 2xx, %d 4xx, %d 429, %d 5xx, %d broken · %d faults, %d kills · late by %s, 99 %% %s · %s (heap %s), %d goroutines · %d findings\n",
		time.Since(s.began).
			Round(time.Second),
		s.tally.operations,
		s.tally.requests,
		c["2xx"],
		c["4xx"],
		c["429"],
		c["5xx"],
		c["broken"],
		fired,
		s.kills,
		quantile(s.tally.lateness, 0.5),
		quantile(s.tally.lateness, 0.99),
		resident,
		megabytes(u.HeapBytes),
		u.Goroutines,
		findings,
	)
}

// summarize writes the result.
func (s *soak) summarize() {
	s.tally.mu.Lock()
	defer s.tally.mu.Unlock()
	to := tabwriter.NewWriter(s.to, 0, 0, 2, ' ', 0)
	row := func(name, format string, args ...any) {
		fmt.Fprintf(to, "%s\t%s\n", name, fmt.Sprintf(format, args...))
	}
	t, c := s.tally, s.tally.classes
	fmt.Fprintln(to)
	row(
		"time", "%s, of which %s for starts, checks and measurements", time.Since(s.began).Round(time.Second),
		s.paused.Round(time.Second),
	)
	row("operations", "%d by %d clients, %d requests", t.operations, len(s.clients), t.requests)
	row(
		"answers", "%d 2xx, %d 3xx, %d 4xx, %d 429, %d 5xx, %d broken by a kill, %d given again", c["2xx"], c["3xx"],
		c["4xx"], c["429"], c["5xx"], c["broken"], t.replays,
	)
	row(
		"latency", "half within %s, 99 %% within %s, all within %s", quantile(t.latency, 0.5),
		quantile(t.latency, 0.99), quantile(t.latency, 1),
	)
	row(
		"lateness", "half within %s, 99 %% within %s, all within %s", quantile(t.lateness, 0.5),
		quantile(t.lateness, 0.99), quantile(t.lateness, 1),
	)
	called, missing := s.covered()
	row("API", "%d operations called, %d not: %s", called, len(missing), strings.Join(missing, ", "))
	row("exports", "%s", counts(t.exports))
	row("kills", "%d; the ledgers were compared %d times", s.kills, s.checks)
	things := map[string]int{}
	for _, client := range s.clients {
		for kind := range client.ledger.things {
			_, there := client.ledger.count(kind, func(state string) bool { return state != "" })
			things[kind] += there
		}
	}
	row("ledgers", "%s", counts(things))
	row("the end", "%s", s.atEnd)
	row("webhooks", "%s", s.heardInAll())
	row("the clock", "%s ahead", time.Duration(s.api.ahead.Load()).Round(time.Minute))
	for _, port := range s.firedByPort() {
		row("faults of "+port.name, "%d: %s", port.fired, strings.Join(port.operations, ", "))
	}
	g := s.growth
	row(
		"idle heap", "%s after %d requests, %s in a new process on the same data", megabytes(g.long.HeapBytes),
		g.long.age, megabytes(g.fresh.HeapBytes),
	)
	if leak, oldest, known := g.leak(); known {
		row(
			"", "%.0f bytes a request beside what the data explains, over %d samples; the longest life had %d requests",
			leak, len(g.idle), oldest,
		)
	}
	row("idle heaps", "%s", heaps(g.idle))
	row("idle goroutines", "%s", goroutines(g.idle))
	row("log", "%s, %d bytes a request", megabytes(s.logAt), s.logAt/int64(max(t.requests, 1)))
	to.Flush()
	count, first := s.findings.shown()
	if count == 0 {
		fmt.Fprintln(s.to, "\nAll of it holds.")
		return
	}
	fmt.Fprintf(s.to, "\n%d findings; the first:\n\n", count)
	for _, finding := range first {
		fmt.Fprintf(s.to, "- %s\n", finding)
	}
}

// covered returns how many operations of the document were called, and which were not.
func (s *soak) covered() (called int, missing []string) {
	for _, operation := range s.api.document.Operations() {
		if s.tally.routes[operation.Method+" "+operation.Path] > 0 {
			called++
			continue
		}
		id, _ := operation.Described["operationId"].(string)
		missing = append(missing, id)
	}
	return called, missing
}

// firedOf returns how often the faults of a port have fired.
type firedOf struct {
	name       string
	fired      int
	operations []string
}

// firedByPort counts the fired faults, and shows those that never fired.
func (s *soak) firedByPort() (ports []firedOf) {
	counted := s.faults.counted()
	for _, place := range s.faults.places {
		if len(ports) == 0 || ports[len(ports)-1].name != place.Port {
			ports = append(ports, firedOf{name: place.Port})
		}
		port := &ports[len(ports)-1]
		port.fired += counted[named(place)]
		port.operations = append(
			port.operations, fmt.Sprintf("%s %s %d", place.Operation, place.Fault, counted[named(place)]),
		)
	}
	return ports
}

func counts(of map[string]int) string {
	var texts []string
	for _, name := range slices.Sorted(maps.Keys(of)) {
		texts = append(texts, fmt.Sprintf("%d %s", of[name], name))
	}
	return strings.Join(texts, ", ")
}

// heaps shows the heap of each process, from sample to sample.
func heaps(idle []sample) string {
	var text strings.Builder
	for n, s := range idle {
		switch {
		case n == 0:
		case s.life != idle[n-1].life:
			text.WriteString(" | ")
		default:
			text.WriteString(" → ")
		}
		fmt.Fprintf(&text, "%.1f", float64(s.HeapBytes)/(1<<20))
	}
	return text.String() + " MiB"
}

// goroutines shows each process's first and last.
func goroutines(idle []sample) string {
	var texts []string
	for n, s := range idle {
		if n+1 == len(idle) || idle[n+1].life != s.life {
			first := slices.IndexFunc(idle, func(other sample) bool { return other.life == s.life })
			texts = append(texts, fmt.Sprintf("%d→%d", idle[first].Goroutines, s.Goroutines))
		}
	}
	return strings.Join(texts, ", ") + " from the start to the end of each process"
}
