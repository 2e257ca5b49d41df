package ingest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"earshot/events/message"
	"earshot/functions/ingest"
	"earshot/shared/embedded/fault"
	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/embedded/sqlitequeue"
	"earshot/shared/judge"
	"earshot/shared/keyword"
	"earshot/shared/port/queue"
	"earshot/shared/post"
	"earshot/shared/worker"
	"earshot/shared/worldtest"
)

// handler is the intake's, with its log.
func handler(i *ingest.Intake) (worker.QueueHandler, *bytes.Buffer) {
	log := &bytes.Buffer{}
	return ingest.Handler(worker.Options{Function: ingest.Group, Log: slog.New(slog.NewJSONHandler(log, nil))}, i), log
}

// body is a message of posts.
func body(t testing.TB, posts ...post.Post) string {
	t.Helper()
	bodies, left := message.Pack(posts, queue.MaxBody)
	if len(bodies) != 1 || left > 0 {
		t.Fatal(len(bodies), left)
	}
	return string(bodies[0])
}

// call answers the messages that are to come again, m0, m1, ….
func call(t testing.TB, handle worker.QueueHandler, bodies ...string) (again []string) {
	t.Helper()
	event := events.SQSEvent{}
	for i, body := range bodies {
		event.Records = append(event.Records, events.SQSMessage{MessageId: fmt.Sprint("m", i), Body: body})
	}
	answer, err := handle(t.Context(), event)
	must(t, err)
	for _, failed := range answer.BatchItemFailures {
		again = append(again, failed.ItemIdentifier)
	}
	slices.Sort(again)
	return again
}

// counts are those of the last record of the log.
func counts(t testing.TB, log *bytes.Buffer) map[string]any {
	t.Helper()
	lines := bytes.Split(bytes.TrimSpace(log.Bytes()), []byte("\n"))
	var record struct {
		Counts map[string]any `json:"counts"`
	}
	must(t, json.Unmarshal(lines[len(lines)-1], &record))
	return record.Counts
}

func TestHandler(t *testing.T) {
	w := newWorld(t)
	handle, log := handler(w.intake())
	bad := saying(7, "northwind")
	bad.PostedAt = worldtest.Now.AddDate(1, 0, 0)
	if again := call(t, handle, body(t, many(3)...), body(t, saying(5, "nothing"), bad),
		body(t, saying(1, "northwind again"))); len(again) > 0 {
		t.Errorf("%v come again", again)
	}
	got := counts(t, log)
	for name, want := range map[string]any{"posts": 6.0, "stored": 3.0, "duplicates": 1.0, "unmatched": 1.0,
		"rejected": 1.0, "unreadable": 0.0} {
		if got[name] != want {
			t.Errorf("%s: %v, want %v", name, got[name], want)
		}
	}
	// One post's date cannot be read: the others of its message are taken in.
	one := strings.Replace(body(t, saying(20, "northwind"), saying(21, "northwind")), mentionTime(20), "yesterday", 1)
	if again := call(t, handle, one); len(again) > 0 {
		t.Errorf("%v come again", again)
	}
	if got := counts(t, log); got["unreadable"] != 1.0 || got["stored"] != 1.0 {
		t.Errorf("%v", got)
	}
}

func mentionTime(n int) string { return saying(n, "").PostedAt.Format("2006-01-02 15:04:05.000") }

// A body that is no message of posts fails alone, as its own fault.
func TestUnreadableBodies(t *testing.T) {
	for _, bad := range []string{"", "{", "null", "[]", "5", `"posts"`, "{}", `{"workspaceId": "org_a", "exportId": "e"}`,
		`{"posts": null}`, `{"posts": {}}`,
		"\xff", `{"posts": [}`} {
		w := newWorld(t)
		handle, log := handler(w.intake())
		if again := call(t, handle, body(t, many(1)...), bad, body(t, saying(9, "northwind"))); !slices.Equal(again, []string{"m1"}) {
			t.Errorf("%q: %v come again", bad, again)
		}
		if counts(t, log)["stored"] != 2.0 || !strings.Contains(log.String(), `"rejected":1`) ||
			strings.Contains(log.String(), "org_a") {
			t.Errorf("%q: %s", bad, log)
		}
	}
}

// Only the messages with posts of a workspace that failed come again, and then nothing is stored twice.
func TestPartOfABatchFails(t *testing.T) {
	w := newWorld(t)
	w.listen(t, w.Other.ID, keyword.Keyword{Text: "southwind"})
	options := w.options(w.Store)
	ill := &down{Store: w.Store, orgID: w.Other.ID}
	options.Mentions = ill
	handle, log := handler(ingest.New(options))
	bodies := []string{body(t, saying(0, "northwind")), body(t, saying(1, "southwind"), saying(2, "northwind")),
		body(t, saying(3, "nothing")), body(t, saying(4, "southwind northwind"))}
	if again := call(t, handle, bodies...); !slices.Equal(again, []string{"m1", "m3"}) {
		t.Errorf("%v come again", again)
	}
	if strings.Contains(log.String(), "southwind") {
		t.Error("the log holds text of a post")
	}
	ill.orgID = ""
	if again := call(t, handle, bodies[1], bodies[3]); len(again) > 0 {
		t.Errorf("%v come again", again)
	}
	if len(w.mentions(t, w.Main.ID)) != 3 || len(w.mentions(t, w.Other.ID)) != 2 {
		t.Error("something is not stored")
	}
	for _, org := range []string{w.Main.ID, w.Other.ID} {
		if stored, _, err := w.Store.Collected(t.Context(), org); err != nil || stored != len(w.mentions(t, org)) {
			t.Error(stored, err)
		}
	}
}

// When what is listened for cannot be read, everything comes again.
func TestNothingCanBeRead(t *testing.T) {
	w := newWorld(t)
	w.Fault(fault.Fault{Port: fault.TablePort, Operation: "query", Fault: fault.Error})
	handle, _ := handler(w.intake())
	if again := call(t, handle, body(t, many(1)...), "no message", body(t, saying(9, "northwind"))); !slices.Equal(again,
		[]string{"m0", "m1", "m2"}) {
		t.Errorf("%v come again", again)
	}
	w.Faults.Clear()
	if again := call(t, handle, body(t, many(1)...), body(t, saying(9, "northwind"))); len(again) > 0 ||
		len(w.mentions(t, w.Main.ID)) != 2 {
		t.Errorf("%v come again", again)
	}
}

// A post at which the judge panics fails its own message.
func TestJudgePanics(t *testing.T) {
	w := newWorld(t)
	options := w.options(w.Store)
	options.Judge = &judge.Judge{}
	handle, log := handler(ingest.New(options))
	if again := call(t, handle, body(t, saying(0, "nothing")), body(t, saying(1, "northwind is the text")),
		body(t, saying(2, "nothing"))); !slices.Equal(again, []string{"m1"}) {
		t.Errorf("%v come again", again)
	}
	if !strings.Contains(log.String(), "nil pointer") || !strings.Contains(log.String(), "ingest.go") ||
		strings.Contains(log.String(), "is the text") {
		t.Errorf("%s", log)
	}
}

// Through the queue: what cannot be understood ends as a dead letter, and everything else passes by it.
func TestPoisonMessages(t *testing.T) {
	w := newWorld(t)
	q, err := sqlitequeue.Open(filepath.Join(t.TempDir(), "queue.db"), []sqlitequeue.Definition{{Name: queue.Posts}}, w.Clock)
	must(t, err)
	t.Cleanup(func() { q.Close() })
	for n := range 12 {
		must(t, q.Send(t.Context(), queue.Posts, queue.Message{Body: []byte(body(t, saying(n, "northwind")))}))
		if n%4 == 0 {
			must(t, q.Send(t.Context(), queue.Posts, queue.Message{Body: fmt.Appendf(nil, "poison %d", n)}))
		}
	}
	handle, _ := handler(w.intake())
	deliver := worker.Deliver(handle, queue.Posts)
	for range 6 {
		for range 3 {
			depth, err := q.Depth(t.Context(), queue.Posts)
			must(t, err)
			if depth.Waiting == 0 {
				break
			}
			ctx, cancel := context.WithCancel(t.Context())
			must(t, q.Consume(ctx, queue.Posts, sqlitequeue.Consumer{},
				func(ctx context.Context, batch []queue.Delivery) ([]string, error) {
					cancel()
					return deliver(ctx, batch)
				}))
			cancel()
		}
		w.Clock.Freeze(w.Clock.Now().Add(sqlitequeue.DefaultVisibility + time.Second))
	}
	dead, err := q.Dead(t.Context(), queue.Posts)
	must(t, err)
	depth, err := q.Depth(t.Context(), queue.Posts)
	must(t, err)
	if len(dead) != 3 || depth != (sqlitequeue.Depth{Dead: 3}) || len(w.mentions(t, w.Main.ID)) != 12 {
		t.Errorf("%d dead letters, %+v, %d mentions", len(dead), depth, len(w.mentions(t, w.Main.ID)))
	}
	for _, letter := range dead {
		if !strings.HasPrefix(string(letter.Body), "poison") || letter.Receives != sqlitequeue.DefaultMaxReceives {
			t.Errorf("%+v", letter)
		}
	}
}

// A batch that is killed at any of its writes, and called again, stores and counts every post once.
func TestBatch_KilledAtEachWrite(t *testing.T) {
	faulttest.EachStep(t, 6, func(t *testing.T, step *faulttest.Step) {
		w := newWorld(t)
		w.listen(t, w.Other.ID, keyword.Keyword{Text: "northwind"})
		w.take(t, w.intake(), many(2)...)
		batch := many(10)
		for i := range batch {
			batch[i].Engagement, batch[i].EngagementObservedAt = map[string]int64{"points": 9}, worldtest.Now
		}
		handle, _ := handler(w.intake())
		var first []string
		_ = step.Die(t, w.Life, func() error {
			first = call(t, handle, body(t, batch...))
			return nil
		})
		if step.Met != (len(first) == 1) {
			t.Errorf("%v come again of a process that died: %v", first, step.Met)
		}
		handle, _ = handler(w.intake())
		if again := call(t, handle, body(t, batch...)); len(again) > 0 {
			t.Errorf("%v come again once more", again)
		}
		for _, org := range []string{w.Main.ID, w.Other.ID} {
			stored, _, err := w.Store.Collected(t.Context(), org)
			must(t, err)
			volumes, err := w.Store.Volumes(t.Context(), org, 0, worldtest.Now.AddDate(0, 0, -2), worldtest.Now.AddDate(0, 0, 2))
			must(t, err)
			counted := int64(0)
			for _, v := range volumes {
				counted += v.Mentions
			}
			all := w.mentions(t, org)
			if stored != 10 || counted != 10 || len(all) != 10 {
				t.Errorf("%d stored, %d counted, %d there, want 10", stored, counted, len(all))
			}
			for id, m := range all {
				if m.Engagement["points"] != 9 {
					t.Errorf("%s has the points %d, want 9", id, m.Engagement["points"])
				}
			}
		}
	})
}
