package exports_test

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parquet-go/parquet-go"

	"earshot/events/message"
	"earshot/functions/exports"
	"earshot/shared/analytics/files"
	"earshot/shared/embedded/fault"
	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/mention"
	"earshot/shared/port/blob"
	"earshot/shared/port/queue"
	"earshot/shared/port/table"
	"earshot/shared/store/allstores"
	"earshot/shared/store/mentionstore"
	"earshot/shared/web/mentionwire"
	"earshot/shared/worker"
	"earshot/shared/worldtest"
)

// A bench is the worker over a World with 120 mentions, and an export of them that was asked for.
type bench struct {
	*worldtest.World
	export  mentionstore.Export
	options exports.Options
}

func newBench(t *testing.T, format mentionwire.Format) *bench {
	t.Helper()
	b := &bench{World: worldtest.NewWorld(t)}
	for i := range 120 {
		b.Put(t, b.Main.ID, worldtest.Mention(int64(i+1), fmt.Sprint("s", i),
			worldtest.Now.Add(-time.Duration(i)*time.Minute)))
	}
	b.options = exports.Options{Store: b.Store, Blob: b.Blob(), Clock: b.Clock, Folder: t.TempDir()}
	b.export = b.ask(t, "exp_1", format, `{"query":{"filters":[{"!tag":["hiring"]}]},"includeEngagementMetrics":true}`)
	return b
}

// ask stores an export, as the API does, with its slot.
func (b *bench) ask(t *testing.T, id string, format mentionwire.Format, request string) mentionstore.Export {
	t.Helper()
	e := mentionstore.Export{
		ID:          id,
		WorkspaceID: b.Main.ID,
		Status:      mentionstore.ExportQueued,
		Format:      string(format),
		Request:     []byte(request),
		CreatedAt:   worldtest.Now,
		ExpiresAt:   worldtest.Now.Add(mentionstore.ExportKept),
	}
	if ok, err := b.Store.PutExport(t.Context(), e); err != nil || !ok {
		t.Fatal(ok, err)
	}
	if held, err := b.Store.HoldExportSlot(t.Context(), b.Main.ID, id, mentionstore.ExportSlots,
		worldtest.Now.Add(time.Hour)); err != nil || !held {
		t.Fatal(held, err)
	}
	return e
}

// deliver brings the export's message, for the nth time, and answers whether it is to come again.
func (b *bench) deliver(t *testing.T, ctx context.Context, receives int, body ...string) (again bool) {
	t.Helper()
	if body == nil {
		text, err := json.Marshal(message.Export{WorkspaceID: b.export.WorkspaceID, ExportID: b.export.ID})
		if err != nil {
			t.Fatal(err)
		}
		body = []string{string(text)}
	}
	handler := exports.Handler(worker.Options{Function: exports.Group, Log: slog.New(slog.DiscardHandler), Clock: b.Clock},
		b.options)
	failed, err := worker.Deliver(handler, queue.Exports)(ctx,
		[]queue.Delivery{{ID: "m1", Body: []byte(body[0]), Receives: receives}})
	if err != nil {
		t.Fatal(err)
	}
	return len(failed) > 0
}

func (b *bench) now(t *testing.T) mentionstore.Export {
	t.Helper()
	e, err := b.Store.Export(t.Context(), b.export.WorkspaceID, b.export.ID)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// free is how many of the workspace's slots are free now.
func (b *bench) free(t *testing.T) (n int) {
	t.Helper()
	for i := range mentionstore.ExportSlots {
		held, err := b.Store.HoldExportSlot(t.Context(), b.Main.ID, fmt.Sprint("probe", i), mentionstore.ExportSlots,
			b.Clock.Now().Add(time.Minute))
		if err != nil {
			t.Fatal(err)
		}
		if held {
			n++
		}
	}
	for i := range mentionstore.ExportSlots {
		if err := b.Store.FreeExportSlot(t.Context(), b.Main.ID, fmt.Sprint("probe", i), mentionstore.ExportSlots); err != nil {
			t.Fatal(err)
		}
	}
	return n
}

func (b *bench) content(t *testing.T) string {
	t.Helper()
	file, err := b.Files().Get(t.Context(), b.now(t).Key)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	text, err := io.ReadAll(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// mustBeComplete fails the test unless the export is completed and its file is whole.
func (b *bench) mustBeComplete(t *testing.T) {
	t.Helper()
	e := b.now(t)
	if e.Status != mentionstore.ExportCompleted || e.Rows != 120 || e.Key != b.Main.ID+"/exp_1."+e.Format ||
		e.FinishedAt.IsZero() || e.Problem != "" {
		t.Errorf("%+v", e)
	}
	rows, err := csv.NewReader(strings.NewReader(b.content(t))).ReadAll()
	if err != nil || len(rows) != 121 || rows[1][0] != "1" || rows[120][0] != "120" {
		t.Errorf("%d lines, %v", len(rows), err)
	}
	if free := b.free(t); free != mentionstore.ExportSlots {
		t.Errorf("%d slots are free", free)
	}
	if left, err := os.ReadDir(b.options.Folder); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

func TestExport(t *testing.T) {
	b := newBench(t, mentionwire.CSV)
	for range 2 { // a message may come twice
		if b.deliver(t, t.Context(), 1) {
			t.Fatal("it is to come again")
		}
		b.mustBeComplete(t)
	}
}

// peeking lists a folder whenever a file is put.
type peeking struct {
	blob.Blob
	folder string
	seen   []os.DirEntry
}

func (p *peeking) Put(ctx context.Context, key string, file blob.File) error {
	seen, err := os.ReadDir(p.folder)
	p.seen = append(p.seen, seen...)
	return errors.Join(err, p.Blob.Put(ctx, key, file))
}

// A process that is killed midway leaves no file on the disk: up to 400 MB, and the next one needs the room.
func TestExport_FileHasNoName(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("an open file keeps its name there")
	}
	b := newBench(t, mentionwire.CSV)
	files := &peeking{Blob: b.options.Blob, folder: b.options.Folder}
	b.options.Blob = files
	if b.deliver(t, t.Context(), 1) {
		t.Fatal("it is to come again")
	}
	if len(files.seen) > 0 {
		t.Errorf("while it is stored, the folder has %v, want nothing", files.seen)
	}
	b.mustBeComplete(t)
}

func TestExportAsJSON(t *testing.T) {
	b := newBench(t, mentionwire.JSON)
	if b.deliver(t, t.Context(), 1) {
		t.Fatal("it is to come again")
	}
	var file struct {
		Data  []mentionwire.Mention
		Total int
	}
	if err := json.Unmarshal([]byte(b.content(t)), &file); err != nil || len(file.Data) != 120 ||
		file.Data[0].EngagementMetrics["points"] != 12 {
		t.Errorf("%d mentions, %v", len(file.Data), err)
	}
	if file.Total != 120 {
		t.Errorf("total = %d, want 120", file.Total)
	}
}

func TestExportAsParquet(t *testing.T) {
	b := newBench(t, mentionwire.Parquet)
	if b.deliver(t, t.Context(), 1) {
		t.Fatal("it is to come again")
	}
	content := b.content(t)
	file, err := parquet.OpenFile(strings.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	if e := b.now(t); file.NumRows() != 120 || e.Rows != 120 || e.Truncated || e.Status != mentionstore.ExportCompleted {
		t.Errorf("the file has %d rows, want 120: %+v", file.NumRows(), e)
	}
	fields := file.Schema().Fields()
	named := func(f parquet.Field, c files.Column) bool { return f.Name() == c.Name }
	if !slices.EqualFunc(fields, files.ExportColumns(), named) {
		t.Errorf("the file has other columns than package files: %v", file.Schema())
	}
}

// DuckDB reads from an exported file what is stored, hostile texts too.
func TestParquet_OnDuckDB(t *testing.T) {
	python := os.Getenv("DUCKDB_PYTHON")
	if python == "" {
		t.Skip("DUCKDB_PYTHON is not set: no DuckDB to read the file (see make peers)")
	}
	b := newBench(t, mentionwire.Parquet)
	want := map[int64]mention.Mention{}
	for i, text := range []string{"'; DROP TABLE mentions; --", "two\nlines, \"quoted\"", "nul \x00 and \u202e turned", "漢字 🦔", ""} {
		m := worldtest.Mention(int64(500+i), fmt.Sprint("hostile", i), worldtest.Now.Add(-time.Duration(i)*time.Hour))
		m.Title, m.Body = nil, &text
		if i == 1 {
			m.Author, m.AuthorFollowers, m.Sentiment, m.RelevanceScore, m.Tags = nil, nil, "", nil, nil
		}
		b.Put(t, b.Main.ID, m)
	}
	worldtest.Must(t, b.Store.EachMention(
		t.Context(), b.Main.ID, worldtest.Now.AddDate(0, 0, -1), worldtest.Now.Add(time.Hour),
		func(m *mention.Mention) error { want[m.ID] = *m; return nil },
	))
	if b.deliver(t, t.Context(), 1) {
		t.Fatal("it is to come again")
	}
	file := filepath.Join(t.TempDir(), "export.parquet")
	worldtest.Must(t, os.WriteFile(file, []byte(b.content(t)), 0o600))
	printed, err := exec.CommandContext(t.Context(), python, "../../infra/peers/parquet.py", file).Output()
	if err != nil {
		t.Fatal(err)
	}
	type counter struct{ Key, Value any }
	for line := range strings.Lines(string(printed)) {
		var row struct {
			ID, Posted, Engagement int64
			SourceID               string `json:"source_id"`
			Source                 string
			Title, Body, Author    *string
			Followers              *int64 `json:"author_followers"`
			Sentiment              *string
			Relevance              *mention.Score
			Tags                   []mention.Tag
			KeywordIDs             []int64 `json:"keyword_ids"`
			Counters               []counter
		}
		worldtest.Must(t, json.Unmarshal([]byte(line), &row))
		m, ok := want[row.ID]
		delete(want, row.ID)
		ids, sum := []int64{}, int64(0)
		for _, k := range m.Keywords {
			ids = append(ids, k.ID)
		}
		for name, n := range m.Engagement {
			if name != "views" {
				sum += n
			}
		}
		sentiment := (*string)(&m.Sentiment)
		if m.Sentiment == "" {
			sentiment = nil
		}
		for what, same := range map[string]bool{
			"mention":   ok,
			"sourceId":  row.SourceID == m.SourceID && row.Source == strings.ToLower(m.Source),
			"time":      row.Posted == m.PostedAt.UnixMilli(),
			"title":     reflect.DeepEqual(row.Title, m.Title),
			"body":      reflect.DeepEqual(row.Body, m.Body),
			"author":    reflect.DeepEqual(row.Author, m.Author) && reflect.DeepEqual(row.Followers, m.AuthorFollowers),
			"sentiment": reflect.DeepEqual(row.Sentiment, sentiment),
			"relevance": reflect.DeepEqual(row.Relevance, m.RelevanceScore),
			"tags":      slices.Equal(row.Tags, slices.Compact(slices.Sorted(slices.Values(m.Tags)))),
			"keywords":  slices.Equal(row.KeywordIDs, ids),
			"counters":  row.Engagement == sum && len(row.Counters) == len(m.Engagement),
		} {
			if !same {
				t.Errorf("the file has another %s: %s", what, line)
			}
		}
	}
	if len(want) > 0 {
		t.Errorf("the file lacks %d mentions", len(want))
	}
}

// A Parquet file ends with the page that its time ends with, and says that more mentions match.
func TestParquet_TimeEnds(t *testing.T) {
	b := newBench(t, mentionwire.Parquet)
	read := 0
	b.options.Store = pages{b.Store, mentionstore.MaxMentionsPage, &read}
	ctx, cancel := context.WithTimeout(t.Context(), 40*time.Second) // less than is kept to store the file
	defer cancel()
	if b.deliver(t, ctx, 1) || read != 1 || b.now(t).Rows != mentionstore.MaxMentionsPage || !b.now(t).Truncated ||
		b.now(t).Status != mentionstore.ExportCompleted {
		t.Errorf("after %d pages: %+v", read, b.now(t))
	}
}

// An export makes few round trips to the tables in a row, and few requests in all: what does not depend on another is
// read or written with it.
func TestExport_RoundTripsInARow(t *testing.T) {
	t.Setenv("TABLE_ENDPOINT", "") // the clock of a bubble stands still while something waits for the network
	synctest.Test(t, func(t *testing.T) {
		b := &bench{World: worldtest.NewWorld(t)}
		b.Put(t, b.Main.ID, worldtest.Mention(1, "s1", worldtest.Now))
		asked := &worldtest.Requests{Table: b.Mortal(b.Table)}
		b.options = exports.Options{
			Store: allstores.New(table.Retrying(asked), b.Clock), Blob: b.Blob(), Clock: b.Clock, Folder: t.TempDir(),
		}
		b.export = b.ask(t, "exp_1", mentionwire.CSV, `{}`)
		b.Fault(fault.Fault{Port: fault.TablePort, Fault: fault.Slow}) // a second each
		began := time.Now()
		if b.deliver(t, t.Context(), 1) {
			t.Fatal("it is to come again")
		}
		// The export, the first page's places with the status and the slot, those of the archive with the first page,
		// whether the export is open still, and that it is completed, with the slot.
		if took := time.Since(began); took != 5*time.Second {
			t.Errorf("round trips of %v in a row, want 5 s", took)
		}
		want := []string{ // and the file is put
			"batchGet mentions", "get counters export", "put counters export", "query archive byTime",
			"query mentions byTime", "transact counters export, counters exportslot",
			"transact counters export, counters exportslot",
		}
		if got := asked.Take(); !slices.Equal(got, want) {
			t.Errorf("%d requests, want %d:\n%s", len(got), len(want), strings.Join(got, "\n"))
		}
	})
}

// The worker may die at any of its writes. The message comes again, and in the end the export is whole, once.
func TestExport_KilledAtEachWrite(t *testing.T) {
	faulttest.EachStep(t, 4, func(t *testing.T, step *faulttest.Step) {
		b := newBench(t, mentionwire.CSV)
		again := false
		_ = step.Die(t, b.Life, func() error {
			again = b.deliver(t, t.Context(), 1)
			return nil
		})
		if again != step.Met {
			t.Errorf("the message comes again: %v, want %v", again, step.Met)
		}
		if b.deliver(t, t.Context(), 2) {
			t.Error("the message comes a third time")
		}
		b.mustBeComplete(t)
	})
}

// An export fails for good with the last coming of its message, which goes on to be a dead letter; one that is redriven
// from there changes nothing.
func TestLastAttempt(t *testing.T) {
	b := newBench(t, mentionwire.CSV)
	b.Fault(fault.Fault{Port: fault.BlobPort, Operation: "put", Fault: fault.Error})
	for receives := 1; receives <= exports.DefaultAttempts; receives++ {
		if !b.deliver(t, t.Context(), receives) {
			t.Fatal("it is not to come again")
		}
		if settled := b.now(t).Status.Settled(); settled != (receives == exports.DefaultAttempts) {
			t.Fatalf("attempt %d: %+v", receives, b.now(t))
		}
	}
	if e := b.now(t); e.Status != mentionstore.ExportFailed || e.Problem == "" || e.FinishedAt.IsZero() ||
		strings.Contains(e.Problem, "fault") {
		t.Errorf("%+v", e)
	}
	if b.free(t) != mentionstore.ExportSlots {
		t.Error("it has its slot still")
	}
	b.Faults.Clear()
	if b.deliver(t, t.Context(), 1) || b.now(t).Status != mentionstore.ExportFailed {
		t.Errorf("%+v", b.now(t))
	}
}

// Without enough time an attempt ends in time, and the next begins anew.
func TestTimeThatIsNotEnough(t *testing.T) {
	b := newBench(t, mentionwire.CSV)
	b.options.Store = slow{b.Store}
	ctx, cancel := context.WithTimeout(t.Context(), 4500*time.Millisecond)
	defer cancel()
	if !b.deliver(t, ctx, 1) || ctx.Err() != nil || b.now(t).Status != mentionstore.ExportRunning {
		t.Errorf("%v %+v", ctx.Err(), b.now(t))
	}
	b.options.Store = b.Store
	if b.deliver(t, t.Context(), 2) {
		t.Error("it is to come again")
	}
	b.mustBeComplete(t)
}

// slow is a store whose pages come when the context ends.
type slow struct{ exports.Store }

func (s slow) Mentions(ctx context.Context, _ mentionstore.MentionsQuery) (mentionstore.MentionsPage, error) {
	<-ctx.Done()
	return mentionstore.MentionsPage{}, ctx.Err()
}

// pages is a store with more pages than an export may read, of so many mentions each.
type pages struct {
	exports.Store
	each int
	read *int
}

func (p pages) Mentions(_ context.Context, q mentionstore.MentionsQuery) (mentionstore.MentionsPage, error) {
	page := mentionstore.MentionsPage{Next: "on"}
	for range min(p.each, q.Limit) {
		page.Mentions = append(page.Mentions, worldtest.Mention(1, "s", worldtest.Now))
	}
	*p.read++
	return page, nil
}

func TestBounds(t *testing.T) {
	b := newBench(t, mentionwire.CSV)
	read := 0
	b.options.Store = pages{b.Store, mentionstore.MaxMentionsPage, &read}
	if b.deliver(t, t.Context(), 1) || b.now(t).Rows != mentionstore.MaxExportRows ||
		b.now(t).Status != mentionstore.ExportCompleted || !b.now(t).Truncated ||
		read != mentionstore.MaxExportPages {
		t.Errorf("%+v after %d pages", b.now(t), read)
	}
	b = newBench(t, mentionwire.CSV)
	b.options.Store = pages{b.Store, mentionstore.MaxMentionsPage - 1, &read} // each page a row short
	if b.deliver(t, t.Context(), 1) || b.now(t).Rows != 99*mentionstore.MaxExportPages ||
		b.now(t).Status != mentionstore.ExportCompleted || !b.now(t).Truncated ||
		b.free(t) != mentionstore.ExportSlots {
		t.Errorf("%+v", b.now(t))
	}
}

// An export whose slot was lost waits for one; its message comes again.
func TestNoSlot(t *testing.T) {
	b := newBench(t, mentionwire.CSV)
	b.Clock.Freeze(worldtest.Now.Add(2 * time.Hour)) // its lease is over
	for _, id := range []string{"exp_2", "exp_3"} {
		if held, err := b.Store.HoldExportSlot(t.Context(), b.Main.ID, id, mentionstore.ExportSlots,
			b.Clock.Now().Add(time.Hour)); err != nil || !held {
			t.Fatal(held, err)
		}
	}
	if !b.deliver(t, t.Context(), 1) || b.now(t).Status != mentionstore.ExportQueued {
		t.Errorf("%+v", b.now(t))
	}
	if err := b.Store.FreeExportSlot(t.Context(), b.Main.ID, "exp_2", mentionstore.ExportSlots); err != nil {
		t.Fatal(err)
	}
	if b.deliver(t, t.Context(), 2) || b.now(t).Status != mentionstore.ExportCompleted {
		t.Errorf("%+v", b.now(t))
	}
}

func TestMessagesOfNoExport(t *testing.T) {
	b := newBench(t, mentionwire.CSV)
	for body, again := range map[string]bool{
		`{`: true, `{}`: true, `{"workspaceId":"org_x"}`: true,
		`{"workspaceId":"org_x","exportId":"exp_1"}`: false, // another workspace's, or gone
	} {
		if got := b.deliver(t, t.Context(), 1, body); got != again {
			t.Errorf("%s is to come again: %v", body, got)
		}
	}
	if b.now(t).Status != mentionstore.ExportQueued || b.free(t) != 1 {
		t.Errorf("%+v", b.now(t))
	}
}
