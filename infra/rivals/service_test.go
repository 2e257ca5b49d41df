package rivals_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// serviceMentions is how many mentions both services hold, serviceRequests how many requests are one measurement: fewer
// than an hour's limit.
const (
	serviceMentions = 3_000
	serviceRequests = 400
)

// A service is a process that serves the API or a rival's.
type service struct {
	process  *os.Process
	url, key string
	write    string // a key that may change mentions
}

// BenchmarkService asks the workbench and PocketBase for the same mentions over HTTP, and compares the processor time of
// their processes: a list of 20, the same with three filters, a mention, and a change. Both read a credential. The
// workbench also counts the request against a limit, and answers more properties.
func BenchmarkService(b *testing.B) {
	var lines []string
	newest := time.Now().UTC().Truncate(24 * time.Hour)
	for i := range serviceMentions {
		lines = append(lines, serviceMention(i, newest))
	}
	pocketbase := startPocketBase(b, lines)
	workbench := startWorkbench(b, lines)
	id, source := serviceID(7), serviceSource(7)
	record := fmt.Sprintf("/api/collections/mentions/records/m%014d", id)
	const list = "/api/collections/mentions/records?sort=-timestamp&perPage=20&skipTotal=1"
	const three = "&filter=(source%3D'reddit'%26%26sentiment%3D'Positive'%26%26language%3D'english')"
	clock := time.Now().UTC()
	for _, c := range []struct {
		name, method, path, body, theirs string
		change                           func(n int) (body, theirs string)
	}{
		{name: "list", method: "POST", path: "/api/v2/mentions", body: `{}`, theirs: list},
		{name: "filters", method: "POST", path: "/api/v2/mentions", theirs: list + three,
			body: `{"simpleFilters":{"source":["reddit"],"sentiment":["positive"],"language":["english"]}}`},
		{name: "get", method: "GET", path: "/api/v2/mentions/" + source, theirs: record},
		{
			name:   "patch",
			method: "PATCH",
			path:   "/api/v2/mentions/" + source,
			theirs: record,
			change: func(n int) (string, string) {
				return fmt.Sprintf(`{"action":"engage","postId":%d,"timestamp":%q,"engaged":%t}`, id, serviceTime(7, newest), n%2 == 0),
					fmt.Sprintf(`{"engaged":%t}`, n%2 == 0)
			},
		},
	} {
		b.Run(c.name, func(b *testing.B) {
			ask := func(n int) []byte {
				if c.change == nil {
					return workbench.send(b, c.method, c.path, workbench.key, c.body)
				}
				body, _ := c.change(n)
				return workbench.send(b, c.method, c.path, workbench.write, body)
			}
			askTheirs := func(n int) []byte {
				if c.change == nil {
					return pocketbase.send(b, "GET", c.theirs, pocketbase.key, "")
				}
				_, body := c.change(n)
				return pocketbase.send(b, "PATCH", c.theirs, pocketbase.key, body)
			}
			own, other := bytes.Count(ask(1), []byte(`"sourceId"`)), bytes.Count(askTheirs(1), []byte(`"sourceId"`))
			if c.change == nil && own != other {
				b.Fatalf("the workbench answers %d mentions, PocketBase %d", own, other)
			}
			var ours, theirs []float64
			for b.Loop() {
				clock = clock.Add(time.Hour) // another hour's limit
				workbench.send(b, "POST", "/_local/clock", "", fmt.Sprintf(`{"now":%q}`, clock.Format(time.RFC3339)))
				ours = append(ours, workbench.measured(b, ask))
				theirs = append(theirs, pocketbase.measured(b, askTheirs))
			}
			report(b, "pocketbase", ours, theirs, serviceRequests)
		})
	}
}

// measured returns the nanoseconds of processor time that the process takes for serviceRequests requests.
func (s *service) measured(b *testing.B, request func(n int) []byte) float64 {
	before := s.ticks(b)
	for n := range serviceRequests {
		request(n)
	}
	return float64(max(s.ticks(b)-before, 1)) * 1e7 // a tick is 10 ms on Linux
}

// ticks returns the process's processor time, in the ticks of proc(5).
func (s *service) ticks(b *testing.B) (used int) {
	content, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.process.Pid))
	must(b, err)
	_, after, _ := strings.Cut(string(content), ") ") // the command's name may have spaces
	fields := strings.Fields(after)
	for _, field := range fields[11:13] { // utime and stime
		ticks, err := strconv.Atoi(field)
		must(b, err)
		used += ticks
	}
	return used
}

func (s *service) send(b *testing.B, method, path, key, body string) []byte {
	request, err := http.NewRequest(method, s.url+path, strings.NewReader(body))
	must(b, err)
	if key != "" {
		request.Header.Set("Authorization", "Bearer "+key)
	}
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := http.DefaultClient.Do(request)
	must(b, err)
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	must(b, err)
	if response.StatusCode != http.StatusOK {
		b.Fatal(method, path, response.StatusCode, string(content))
	}
	return content
}

func startPocketBase(b *testing.B, lines []string) *service {
	b.Helper()
	program := start(b, "POCKETBASE", writeLines(b, lines))
	s := &service{process: program.process}
	s.url, s.key, _ = strings.Cut(program.line(), " ")
	return s
}

func startWorkbench(b *testing.B, lines []string) *service {
	b.Helper()
	program, data := os.Getenv("EARSHOT"), b.TempDir()
	if program == "" {
		b.Skip("EARSHOT names no program")
	}
	command := exec.Command(program, "serve")
	command.Env = append(os.Environ(), "ADDR=127.0.0.1:0", "DATA="+data, "TABLE_ENDPOINT=", "DEMO=", "SOURCES=archive")
	command.Stderr = os.Stderr
	must(b, command.Start())
	b.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	})
	var demo struct {
		BaseURL    string
		Keys       struct{ Read, Write string }
		Workspaces map[string]string
	}
	for begun := time.Now(); ; time.Sleep(100 * time.Millisecond) {
		content, err := os.ReadFile(filepath.Join(data, "demo.json"))
		if err == nil && json.Unmarshal(content, &demo) == nil && demo.BaseURL != "" {
			break
		}
		if time.Since(begun) > time.Minute {
			b.Fatal("the workbench did not start")
		}
	}
	s := &service{process: command.Process, url: demo.BaseURL, key: demo.Keys.Read, write: demo.Keys.Write}
	var stored struct{ Stored int }
	answer := s.send(b, "POST", "/_local/mentions?workspace="+demo.Workspaces["northwind"], "", strings.Join(lines, "\n"))
	if json.Unmarshal(answer, &stored) != nil || stored.Stored != len(lines) {
		b.Fatal(string(answer))
	}
	return s
}

func serviceID(i int) int64      { return int64(9_000_000 - i) }
func serviceSource(i int) string { return fmt.Sprint("rival_post_", serviceID(i)) }

func serviceTime(i int, newest time.Time) string {
	return newest.Add(-time.Duration(i) * time.Minute).Format("2006-01-02 15:04:05.000")
}

// serviceMention is a mention as both services take it. The newest are newer than the demo's.
func serviceMention(i int, newest time.Time) string {
	number, oneOf := strconv.Itoa(i), func(by int, a ...string) string { return a[i/by%2] }
	written, _ := json.Marshal(map[string]any{
		"id": serviceID(i), "sourceId": serviceSource(i), "url": "https://posts.example/" + number, "title": "Post " + number,
		"body": "Northwind paged us at four in the morning and it was right: disk " + number +
			" of the primary was full, and nobody had looked.",
		"source": oneOf(1, "reddit", "hackernews"), "timestamp": serviceTime(i, newest), "author": "writer_" + number,
		"authorUrl": "https://posts.example/u/" + number, "relevance": "relevant", "relevanceScore": 0,
		"relevanceComment": "It is about the product.", "sentiment": oneOf(2, "Positive", "Negative"),
		"language": oneOf(4, "english", "german"), "tags": []string{"own_brand_mention"}, "engaged": false, "isReply": false,
	})
	return string(written)
}
