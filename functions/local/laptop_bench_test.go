package main

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/pprof"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"earshot/functions/local/demo"
	"earshot/shared/embedded/sqlitefile"
	"earshot/shared/worldtest"
)

// besideVariable makes a child serve the minimal handlers too. It names the folder of their file.
const besideVariable = "EARSHOT_LOCAL_BENCH_MINIMAL"

// laptopMentions is how many mentions the benchmark lists from, laptopRequests how many requests of each side are one
// measurement: fewer than an hour's limit.
const (
	laptopMentions = 3_000
	laptopRequests = 200
)

// BenchmarkLaptop compares the workbench's answers with those of minimal handlers, by the processor time of the
// process that serves both: a list of 20, the same with three filters of which each takes every second mention, a
// mention, and a change.
//
// The minimal handlers use the same SQLite, the same HTTP server and the same mentions, in plain columns. They do no
// more than a query, a scan and an encoding: no key, limit, validation, cursor, day's count or log. Admitted ones also
// read a key and count the request, which no answer of the API can do without. The sides take turns. Each ratio is of
// one turn; their least and their median are printed. LAPTOP_PROFILES names a folder for a profile of each case, of the
// workbench's side alone.
func BenchmarkLaptop(b *testing.B) {
	folder := b.TempDir()
	served := serveBeside(b, folder)
	made := served.demo
	listed := func(filters string) string { return `{"simpleFilters":{` + filters + `}}` }
	three := `"source":["reddit"],"sentiment":["positive"],"language":["english"]`
	change := func(n int) string {
		return fmt.Sprintf(`{"action":"engage","postId":%d,"timestamp":%q,"engaged":%t}`,
			laptopID(7), laptopTime(7), n%2 == 0)
	}
	same := func(body string) func(int) string { return func(int) string { return body } }
	for _, c := range []struct {
		name, method, target, minimal, key string
		body                               func(n int) string
	}{
		{"list", "POST", "/api/v2/mentions", "/list", made.Keys.Read, same(`{}`)},
		{"filters", "POST", "/api/v2/mentions", "/filters", made.Keys.Read, same(listed(three))},
		{"get", "GET", "/api/v2/mentions/" + laptopSource(7), "/mentions/" + laptopSource(7), made.Keys.Read, same("")},
		{"patch", "PATCH", "/api/v2/mentions/" + laptopSource(7), "/mentions/" + laptopSource(7), made.Keys.Write, change},
	} {
		b.Run(c.name, func(b *testing.B) {
			sides := []struct{ name, url string }{
				{"whole", served.url + c.target},
				{"minimal", served.beside + c.minimal},
				{"admitted", served.beside + "/admitted" + c.minimal},
			}
			turn := func() (took [3]float64) {
				served.hour(b)
				for i, side := range sides {
					before := served.cpu(b)
					for n := range laptopRequests {
						served.send(b, c.method, side.url, c.key, c.body(n))
					}
					took[i] = float64((served.cpu(b) - before).Microseconds()) / laptopRequests
				}
				return took
			}
			turn()
			var took, ratios [3][]float64
			for b.Loop() {
				one := turn()
				for i := range one {
					took[i] = append(took[i], one[i])
					ratios[i] = append(ratios[i], one[0]/one[i])
				}
			}
			for i, side := range sides {
				b.ReportMetric(median(took[i]), side.name+"-cpu-µs")
				if i > 0 {
					b.ReportMetric(slices.Min(ratios[i]), "/"+side.name+"-min")
					b.ReportMetric(median(ratios[i]), "/"+side.name+"-median")
				}
			}
			b.ReportMetric(0, "ns/op")
			if to := os.Getenv("LAPTOP_PROFILES"); to != "" {
				served.profile(b, filepath.Join(to, c.name+".pprof"), func() {
					served.hour(b)
					for n := range laptopRequests {
						served.send(b, c.method, sides[0].url, c.key, c.body(n))
					}
				})
			}
		})
	}
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

// A servedBeside is a workbench in a process that serves the minimal handlers too.
type servedBeside struct {
	url, beside string
	demo        demo.Demo
	client      *http.Client
	at          time.Time // of the workbench's clock
}

func serveBeside(b *testing.B, folder string) *servedBeside {
	b.Helper()
	data, minimal := filepath.Join(folder, "data"), filepath.Join(folder, "minimal")
	if err := os.Mkdir(minimal, 0o700); err != nil {
		b.Fatal(err)
	}
	stdout := &output{}
	command := exec.Command(os.Args[0], "serve")
	command.Env = append(os.Environ(), childVariable+"=1", besideVariable+"="+minimal,
		"ADDR=127.0.0.1:0", "DATA="+data, "TABLE_ENDPOINT=", "DEMO=", "SOURCES=archive")
	command.Stdout, command.Stderr = stdout, os.Stderr
	if err := command.Start(); err != nil {
		b.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- command.Wait() }()
	b.Cleanup(func() {
		_ = command.Process.Kill()
		<-done
	})
	s := &servedBeside{
		client: &http.Client{Timeout: patience, Transport: &http.Transport{DisableCompression: true}},
		at:     time.Now().UTC(),
	}
	s.url = stdout.address(b, done)
	written, err := os.ReadFile(filepath.Join(minimal, "url"))
	if err != nil {
		b.Fatal(err)
	}
	s.beside = string(written)
	content, err := os.ReadFile(demo.Path(data))
	if err != nil {
		b.Fatal(err)
	}
	if err := json.Unmarshal(content, &s.demo); err != nil {
		b.Fatal(err)
	}
	var lines strings.Builder
	for i := range laptopMentions {
		lines.WriteString(laptopMention(i))
		lines.WriteByte('\n')
	}
	var report struct{ Stored int }
	answer := s.send(b, "POST", s.url+"/_local/mentions?workspace="+s.demo.Workspaces["northwind"], "", lines.String())
	if err := json.Unmarshal(answer, &report); err != nil || report.Stored != laptopMentions {
		b.Fatal(string(answer), err)
	}
	s.send(b, "POST", s.beside+"/fill", "", "")
	for _, same := range [][2]string{{"/api/v2/mentions", "/list"}} {
		whole := s.send(b, "POST", s.url+same[0], s.demo.Keys.Read, `{}`)
		if n := bytes.Count(whole, []byte(`"sourceId"`)); n != 20 ||
			n != bytes.Count(s.send(b, "POST", s.beside+same[1], "", ""), []byte(`"sourceId"`)) {
			b.Fatalf("%d mentions in %s", n, whole)
		}
	}
	return s
}

// hour turns the workbench's clock on by an hour, because a key has so many requests in an hour.
func (s *servedBeside) hour(b *testing.B) {
	s.at = s.at.Add(time.Hour)
	s.send(b, "POST", s.url+"/_local/clock", "", fmt.Sprintf(`{"now":%q}`, s.at.Format(time.RFC3339)))
}

// cpu asks how much processor time the process has used.
func (s *servedBeside) cpu(b *testing.B) time.Duration {
	used, err := strconv.ParseInt(string(s.send(b, "GET", s.beside+"/cpu", "", "")), 10, 64)
	if err != nil {
		b.Fatal(err)
	}
	return time.Duration(used)
}

// profile stores a profile of the process while it serves rounds.
func (s *servedBeside) profile(b *testing.B, file string, round func()) {
	taken := make(chan []byte)
	go func() { taken <- s.send(b, "GET", s.beside+"/profile?seconds=15", "", "") }()
	for {
		select {
		case content := <-taken:
			if err := os.WriteFile(file, content, 0o600); err != nil {
				b.Fatal(err)
			}
			return
		default:
			round()
		}
	}
}

func (s *servedBeside) send(b *testing.B, method, url, key, body string) []byte {
	request, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		b.Fatal(err)
	}
	if key != "" {
		request.Header.Set("Authorization", "Bearer "+key)
	}
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := s.client.Do(request)
	if err != nil {
		b.Fatal(err)
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		b.Fatal(response.StatusCode, string(content), err)
	}
	return content
}

// The mentions of the benchmark, the newest first. They are newer than the demo's.

func laptopID(i int) int64            { return int64(9_000_000 - i) }
func laptopSource(i int) string       { return fmt.Sprint("laptop_post_", laptopID(i)) }
func laptopTime(i int) string         { return laptopPosted(i).Format("2006-01-02 15:04:05.000") }
func half(i, by int) int              { return i / by % 2 }
func oneOf(i int, a ...string) string { return a[i] }

func laptopPosted(i int) time.Time {
	return time.Now().UTC().Truncate(24 * time.Hour).Add(-time.Duration(i) * time.Minute)
}

func laptopMention(i int) string {
	number := strconv.Itoa(i)
	written, _ := json.Marshal(map[string]any{
		"id": laptopID(i), "sourceId": laptopSource(i), "url": "https://posts.example/" + number, "title": "Post " + number,
		"body": "Northwind paged us at four in the morning and it was right: disk " + number +
			" of the primary was full, and nobody had looked.",
		"source": oneOf(half(i, 1), "reddit", "hackernews"), "timestamp": laptopTime(i), "author": "writer_" + number,
		"authorUrl": "https://posts.example/u/" + number, "relevance": "relevant", "relevanceScore": 0,
		"relevanceComment": "It is about the product.", "sentiment": oneOf(half(i, 2), "Positive", "Negative"),
		"language": oneOf(half(i, 4), "english", "german"), "tags": []string{"own_brand_mention"},
		"engaged": false, "isReply": false,
	})
	return string(written)
}

// A minimalMention is what a minimal handler sends, with the API's names.
type minimalMention struct {
	ID               int64   `json:"id"`
	SourceID         string  `json:"sourceId"`
	URL              string  `json:"url"`
	Title            *string `json:"title"`
	Body             *string `json:"body"`
	Source           string  `json:"source"`
	Timestamp        string  `json:"timestamp"`
	Author           *string `json:"author"`
	AuthorURL        *string `json:"authorUrl"`
	Relevance        string  `json:"relevance"`
	RelevanceScore   *int64  `json:"relevanceScore"`
	RelevanceComment string  `json:"relevanceComment"`
	Sentiment        *string `json:"sentiment"`
	Language         string  `json:"language"`
	Tags             tagList `json:"tags"`
	Engaged          bool    `json:"engaged"`
	IsReply          bool    `json:"isReply"`
}

// A tagList is stored as the JSON that is sent.
type tagList = json.RawMessage

const minimalColumns = "id, sourceId, url, title, body, source, timestamp, author, authorUrl, relevance, relevanceScore, " +
	"relevanceComment, sentiment, language, tags, engaged, isReply"

func (m *minimalMention) places() []any {
	return []any{&m.ID, &m.SourceID, &m.URL, &m.Title, &m.Body, &m.Source, &m.Timestamp, &m.Author, &m.AuthorURL,
		&m.Relevance,
		&m.RelevanceScore, &m.RelevanceComment, &m.Sentiment, &m.Language, (*[]byte)(&m.Tags), &m.Engaged, &m.IsReply}
}

// serveMinimal serves the minimal handlers in this process, and writes their address into the file url of the folder.
func serveMinimal(folder string) error {
	db, err := sqlitefile.Open(filepath.Join(folder, "minimal.db"), patience, true, "journal_mode(WAL)")
	if err != nil {
		return err
	}
	if _, err := db.Exec("CREATE TABLE mentions (" + minimalColumns + ", PRIMARY KEY (sourceId)) WITHOUT ROWID;" +
		"CREATE INDEX byTime ON mentions (timestamp); CREATE TABLE keys (id PRIMARY KEY, hits);" +
		"INSERT INTO keys VALUES ('key', 0)"); err != nil {
		return err
	}
	prepared := func(text string) *sql.Stmt {
		statement, prepareErr := db.Prepare(text)
		if prepareErr != nil {
			err = prepareErr
		}
		return statement
	}
	list := prepared("SELECT " + minimalColumns + " FROM mentions ORDER BY timestamp DESC LIMIT 20")
	filters := prepared("SELECT " + minimalColumns + " FROM mentions WHERE source IN (?) AND sentiment IN (?) AND " +
		"language IN (?) ORDER BY timestamp DESC LIMIT 20")
	get := prepared("SELECT " + minimalColumns + " FROM mentions WHERE sourceId = ?")
	patch := prepared("UPDATE mentions SET engaged = ? WHERE sourceId = ? AND id = ?")
	key, count := prepared("SELECT hits FROM keys WHERE id = ?"), prepared("UPDATE keys SET hits = hits + 1 WHERE id = ?")
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	send := func(out http.ResponseWriter, body any, err error) {
		if err != nil {
			http.Error(out, err.Error(), http.StatusInternalServerError)
			return
		}
		out.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(out).Encode(body)
	}
	several := func(statement *sql.Stmt, args ...any) (answer struct {
		Data []minimalMention `json:"data"`
	}, err error) {
		rows, err := statement.Query(args...)
		if err != nil {
			return answer, err
		}
		defer rows.Close()
		for rows.Next() {
			var m minimalMention
			if err := rows.Scan(m.places()...); err != nil {
				return answer, err
			}
			answer.Data = append(answer.Data, m)
		}
		return answer, rows.Err()
	}
	mux.HandleFunc("POST /list", func(out http.ResponseWriter, r *http.Request) {
		answer, err := several(list)
		send(out, answer, err)
	})
	mux.HandleFunc("POST /filters", func(out http.ResponseWriter, r *http.Request) {
		var body struct {
			Simple struct{ Source, Sentiment, Language []string } `json:"simpleFilters"`
		}
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			send(out, nil, err)
			return
		}
		answer, err := several(filters, body.Simple.Source[0],
			strings.ToTitle(body.Simple.Sentiment[0][:1])+body.Simple.Sentiment[0][1:], body.Simple.Language[0])
		send(out, answer, err)
	})
	mux.HandleFunc("GET /mentions/{id}", func(out http.ResponseWriter, r *http.Request) {
		var m minimalMention
		err := get.QueryRow(r.PathValue("id")).Scan(m.places()...)
		send(out, &m, err)
	})
	mux.HandleFunc("PATCH /mentions/{id}", func(out http.ResponseWriter, r *http.Request) {
		var body struct {
			PostID  int64 `json:"postId"`
			Engaged bool  `json:"engaged"`
		}
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			send(out, nil, err)
			return
		}
		_, err := patch.Exec(body.Engaged, r.PathValue("id"), body.PostID)
		send(out, map[string]bool{"ok": true}, err)
	})
	mux.HandleFunc("/admitted/", func(out http.ResponseWriter, r *http.Request) {
		var hits int
		if err := key.QueryRow("key").Scan(&hits); err != nil {
			send(out, nil, err)
			return
		}
		if _, err := count.Exec("key"); err != nil {
			send(out, nil, err)
			return
		}
		http.StripPrefix("/admitted", mux).ServeHTTP(out, r)
	})
	mux.HandleFunc("GET /profile", pprof.Profile)
	mux.HandleFunc("GET /cpu", func(out http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(out, worldtest.ProcessorTime().Nanoseconds())
	})
	mux.HandleFunc("POST /fill", func(out http.ResponseWriter, _ *http.Request) { send(out, nil, fillMinimal(db)) })
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	go func() { _ = http.Serve(listener, mux) }()
	return os.WriteFile(filepath.Join(folder, "url"), []byte("http://"+listener.Addr().String()), 0o600)
}

func fillMinimal(db *sql.DB) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	for i := range laptopMentions {
		var m minimalMention
		if err := json.Unmarshal([]byte(laptopMention(i)), &m); err != nil {
			return err
		}
		values := m.places()
		values[14] = []byte(m.Tags)
		if _, err := tx.Exec("INSERT INTO mentions VALUES (?"+strings.Repeat(", ?", len(values)-1)+")", values...); err != nil {
			return err
		}
	}
	return tx.Commit()
}
