package apigateway_test

import (
	"cmp"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"earshot/functions/local/apigateway"
	"earshot/functions/local/deployment"
	"earshot/shared/keyword"
	"earshot/shared/web"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

// data returns the lines of a file of real texts, which DATA_DIR has, or shared/data next to the repository.
func data(b *testing.B, name string) []string {
	b.Helper()
	folder := cmp.Or(os.Getenv("DATA_DIR"), filepath.Join("..", "..", "..", "..", "shared", "data"))
	content, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		b.Skipf("measures on data that is not there: %v", err)
	}
	return strings.Split(strings.TrimSpace(string(content)), "\n")
}

// BenchmarkGzip compares a response with the same in gzip: a page of 100 mentions and a list of 1,000 keywords. The
// figures are bytes of the body, and processor time from the request to the response, by the least and the median of
// turns.
func BenchmarkGzip(b *testing.B) {
	w := worldtest.NewWorld(b)
	err := w.Store.ChangeWorkspace(b.Context(), w.Main.ID, func(org *workspace.Workspace) error {
		org.Plan = workspace.Enterprise
		return nil
	})
	worldtest.Must(b, err)
	comments, words := data(b, "sentiment/goemotions_3class_dev.tsv"), data(b, "lists/scowl_words_le80.tsv")
	random := rand.New(rand.NewPCG(1, 2))
	word := func() string { text, _, _ := strings.Cut(words[random.IntN(len(words))], "\t"); return text }
	for i := range int64(100) {
		m := worldtest.Mention(i+1, fmt.Sprint("post", i), worldtest.Now.Add(-time.Duration(i)*time.Minute))
		_, body, _ := strings.Cut(comments[i], "\t")
		m.Body = &body
		w.Put(b, w.Main.ID, m)
	}
	for i := range int64(1000) {
		worldtest.Must(b, w.Store.RestoreKeyword(b.Context(), w.Main.ID, keyword.Keyword{
			ID: i + 1, Text: word() + " " + word(), ExactMatch: true, ExcludeWords: []string{word(), word()},
			Context: fmt.Sprintf("%s, the %s for %s.", word(), word(), word()),
		}))
	}
	functions := deployment.Functions(deployment.Parts{
		Store: w.Store, Clock: w.Clock, Queue: w.Queue(), BaseURL: "https://" + worldtest.Domain,
	})
	for _, c := range []struct{ name, group, method, target, body string }{
		{"100-mentions", "mentions", "POST", "/api/v2/mentions", `{"limit":100,"includeAll":true}`},
		{"1000-keywords", "keywords", "GET", "/api/v2/keywords", ""},
	} {
		b.Run(c.name, func(b *testing.B) {
			name := web.FunctionOf(c.group, c.target)
			gateway := apigateway.New(
				[]apigateway.Route{{Path: c.target, Function: name, Handler: functions[name]}},
				apigateway.Options{Clock: w.Clock, Log: slog.New(slog.DiscardHandler)},
			)
			codings := [...]string{"identity", "gzip"}
			const turn = 20
			var took [len(codings)][]float64
			var bytes [len(codings)]int
			for b.Loop() {
				for i, coding := range codings {
					w.Clock.Freeze(w.Clock.Now().Add(time.Hour)) // of another hourly limit
					begun := worldtest.ProcessorTime()
					for range turn {
						request := httptest.NewRequest(c.method, c.target, strings.NewReader(c.body))
						request.Header.Set("Authorization", "Bearer "+w.Read)
						request.Header.Set("Content-Type", "application/json")
						request.Header.Set("Accept-Encoding", coding)
						got := httptest.NewRecorder()
						gateway.ServeHTTP(got, request)
						if got.Code != http.StatusOK || (got.Header().Get("Content-Encoding") == "gzip") != (coding == "gzip") {
							b.Fatal(got.Code, got.Header(), got.Body.String()[:min(200, got.Body.Len())])
						}
						bytes[i] = got.Body.Len()
					}
					took[i] = append(took[i], float64((worldtest.ProcessorTime()-begun).Microseconds())/turn)
				}
			}
			b.ReportMetric(0, "ns/op")
			for i, coding := range codings {
				slices.Sort(took[i])
				b.ReportMetric(float64(bytes[i]), coding+"-bytes")
				b.ReportMetric(took[i][0], coding+"-cpu-µs-min")
				b.ReportMetric(took[i][len(took[i])/2], coding+"-cpu-µs")
			}
		})
	}
}
