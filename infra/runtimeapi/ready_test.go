package runtimeapi_test

import (
	"testing"
	"time"

	"earshot/infra/runtimeapi"
	"earshot/shared/proposal"
)

// BenchmarkReady is the time from the start of a worker's process to its first wish for an event, against that of hello
// world, both built in the same way: what its tables and clients take before the first message. The starts alternate.
func BenchmarkReady(b *testing.B) {
	aws := newEmptyAWS(b)
	names := []string{"hello", "archive", "collect", "exports", "ingest", "scan", "sweep"}
	for _, stage := range proposal.Pipeline() {
		names = append(names, "setupstages/"+string(stage.Name))
	}
	binaries := []string{build(b, "earshot/infra/runtimeapi/hello")}
	for _, name := range names[1:] {
		binaries = append(binaries, build(b, lambdaOf(b, name)))
	}
	took := make([][]time.Duration, len(names))
	for b.Loop() {
		for i, binary := range binaries {
			function, err := runtimeapi.Start(b.Context(), binary, aws.variables())
			if err != nil {
				b.Fatal(err)
			}
			took[i] = append(took[i], function.Timing().Ready)
			function.Close()
		}
	}
	for i, name := range names {
		b.ReportMetric(float64(median(took[i]).Microseconds())/1000, name+"-ms")
		if i > 0 {
			b.ReportMetric(float64(median(took[i]))/float64(median(took[0])), name+"/hello")
		}
	}
	b.ReportMetric(0, "ns/op")
}
