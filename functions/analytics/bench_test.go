package analytics_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math"
	"math/rand/v2"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"earshot/functions/analytics"
	"earshot/shared/keyword"
	"earshot/shared/mention"
	"earshot/shared/web"
	"earshot/shared/worldtest"
)

// A kind is a kind of request, by how it is answered.
type kind struct{ name, request string } // a request that begins with { is the body of a query

func kinds() []kind {
	year := "startDate=" + worldtest.Now.AddDate(0, 0, -364).Format(time.DateOnly)
	recent := worldtest.Now.AddDate(0, 0, -89).Format(time.DateOnly)
	var all []kind
	for _, read := range []string{"volume", "sentiment", "sources", "keywords", "tags", "languages", "dashboard"} {
		all = append(all, kind{"cells/year/" + read, read + "?" + year})
	}
	for _, read := range []string{"authors", "share-of-voice"} {
		all = append(all, kind{"rows/year/" + read, read + "?" + year})
	}
	for _, read := range []string{"volume", "sentiment", "keywords", "dashboard"} {
		all = append(all, kind{"cells/30d/" + read, read})
	}
	body := `{"aggregates":["count"],"startDate":"` + recent + `",`
	return append(all,
		kind{"cells/90d/two-dimensions", body + `"dimensions":["source","sentiment"]}`},
		kind{"cells/90d/8-keywords-by-tag-and-day",
			body + `"dimensions":["keyword","tag"],"filters":{"keyword":[1,2,3,4,5,6,7,8]},"time":true,"limit":1000}`},
		kind{"scan/30d/share-of-voice-of-two-own-keywords", "share-of-voice"},
		kind{"scan/30d/authors", "authors"},
		kind{"scan/30d/text", `{"aggregates":["count"],"filters":{"text":["runbook"]}}`},
		kind{"scan/90d/engagement",
			`{"aggregates":["engagement","reach"],"startDate":"` + recent + `","dimensions":["source"]}`},
	)
}

// BenchmarkKinds is what a request costs in a workspace with a year of 100,000 mentions of 8 keywords, by its kind:
// round trips and read units as the table counts them, and the time of the whole request. On the embedded table, or on
// the server that TABLE_ENDPOINT names. ANALYTICS_MENTIONS makes the year smaller.
func BenchmarkKinds(b *testing.B) {
	total := 100_000
	if text := os.Getenv("ANALYTICS_MENTIONS"); text != "" {
		total, _ = strconv.Atoi(text)
	}
	w := worldtest.NewWorld(b)
	d := newMetered(w)
	fillYear(b, w, total, 4)
	for _, k := range kinds() {
		b.Run(k.name, func(b *testing.B) {
			var used usage
			if status, _ := d.send(b, k.request); status != http.StatusOK {
				b.Fatalf("%s = %d", k.request, status)
			}
			b.ReportAllocs()
			status, busy := 0, worldtest.ProcessorTime()
			for b.Loop() {
				if status, used = d.send(b, k.request); status != http.StatusOK {
					b.Fatalf("%s = %d", k.request, status)
				}
			}
			b.ReportMetric(float64((worldtest.ProcessorTime()-busy).Microseconds())/1000/float64(b.N), "cpu-ms/op")
			b.ReportMetric(float64(b.Elapsed().Microseconds())/1000/float64(b.N), "ms/op")
			b.ReportMetric(used.ReadUnits, "RCU")
			b.ReportMetric(float64(used.Reads), "roundtrips")
			b.ReportMetric(float64(status), "status")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// A metered serves the operations, and reads from the log of a request what it used.
type metered struct {
	worldtest.Client
	log *bytes.Buffer
}

// unlimited counts requests as the store does, and lets every one through: a benchmark sends more than an hour allows.
type unlimited struct{ web.Windows }

func (u unlimited) Take(ctx context.Context, orgID string, start time.Time, _ int) (taken int, ok bool, err error) {
	_, ok, err = u.Windows.Take(ctx, orgID, start, math.MaxInt)
	return 1, ok, err
}

// usage is what a request used, as its log line says.
type usage struct {
	Reads, Writes int
	ReadUnits     float64
}

func newMetered(w *worldtest.World) metered {
	m := metered{log: &bytes.Buffer{}}
	api := web.New(web.Options{
		Credentials: w.Store,
		Windows:     unlimited{w.Store},
		Replays:     w.Store,
		Clock:       w.Clock,
		Log:         slog.New(slog.NewJSONHandler(m.log, nil)),
	})
	analytics.Register(api, analytics.Options{Store: w.Store, Clock: w.Clock})
	m.Handler, m.Token = api.LambdaHandler(), w.Write
	return m
}

// send sends a request of a kind: one of GET, a body for query, or the name of another POST, a blank and its body.
func (m metered) send(t testing.TB, request string) (status int, used usage) {
	t.Helper()
	event := m.Event(worldtest.Request{Target: path + request})
	if name, body, posted := strings.Cut(request, "{"); posted {
		event = m.Event(worldtest.Request{
			Method: http.MethodPost, Target: path + cmp.Or(strings.TrimSpace(name), "query"), Body: "{" + body,
			Header: []string{"Content-Type", "application/json"},
		})
	}
	m.log.Reset()
	answer, err := m.Handler(t.Context(), event)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(m.log.Bytes(), &used); err != nil {
		t.Fatalf("%s: %v", m.log, err)
	}
	return answer.StatusCode, used
}

// fillYear ingests mentions of a year, so many batches at once: of few sources, languages, topics and keywords most are
// of the most frequent ones.
func fillYear(b testing.TB, w *worldtest.World, total, atOnce int) {
	b.Helper()
	fillDays(b, w, total, total, atOnce)
}

// fillDays is fillYear of the newest mentions alone.
func fillDays(b testing.TB, w *worldtest.World, total, newest, atOnce int) {
	b.Helper()
	for id := range int64(8) {
		tag := []keyword.Tag{keyword.OwnBrand, keyword.Competitor, keyword.Competitor, keyword.IndustryTerm}[id%4]
		worldtest.Must(b, w.Store.RestoreKeyword(b.Context(), w.Main.ID,
			keyword.Keyword{ID: id + 1, Text: fmt.Sprint("term", id+1), Tag: tag}))
	}
	const chunk = 30
	var group sync.WaitGroup
	room := make(chan struct{}, atOnce)
	for from := 0; from < newest; from += chunk {
		room <- struct{}{}
		group.Go(func() {
			defer func() { <-room }()
			random := rand.New(rand.NewPCG(18, uint64(from)))
			var batch []mention.Mention
			for i := from; i < min(from+chunk, newest); i++ {
				batch = append(batch, drawn(random, i, total))
			}
			if _, err := w.Store.Ingest(b.Context(), w.Main.ID, 1<<30, batch); err != nil {
				b.Error(err)
			}
		})
	}
	group.Wait()
}

// drawn returns the mention with a number, posted in the year before worldtest.Now.
func drawn(random *rand.Rand, i, total int) mention.Mention {
	frequent := func(n int) int { return min(int(random.ExpFloat64()*float64(n)/5), n-1) }
	m := worldtest.Mention(0, fmt.Sprint("post_", i),
		worldtest.Now.Add(-time.Duration(i)*(364*24*time.Hour/time.Duration(total))))
	body := fmt.Sprintf("It paged us at four in the morning and it was right: disk %d of the primary was full, and the runbook that "+
		"came with the alert was the one that we needed.", i)
	handle, followers, score := fmt.Sprint("author_", frequent(20_000)), random.Int64N(5000), mention.Score(frequent(3))
	m.Body, m.Author, m.AuthorFollowers = &body, &handle, &followers
	m.Source = []string{"reddit", "twitter", "hackernews", "bluesky", "github", "news", "youtube", "linkedin"}[frequent(8)]
	m.Language = []string{"english", "german", "spanish", "french", "japanese"}[frequent(5)]
	m.Sentiment = mention.Sentiments()[random.IntN(3)]
	m.RelevanceScore, m.Relevant = &score, score.Relevant()
	m.Tags, m.Keywords = nil, nil
	for range random.IntN(3) {
		m.Tags = append(m.Tags, mention.Tags()[frequent(len(mention.Tags()))])
	}
	for n := range 1 + random.IntN(5)/4 {
		m.Keywords = append(m.Keywords, mention.Keyword{ID: int64(1 + (frequent(8)+n)%8), Text: "term"})
	}
	if len(m.Keywords) == 2 && m.Keywords[0] == m.Keywords[1] {
		m.Keywords = m.Keywords[:1]
	}
	return m
}
