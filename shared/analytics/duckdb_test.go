package analytics_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"earshot/shared/analytics"
	"earshot/shared/analytics/files"
	"earshot/shared/analytics/statement"
	"earshot/shared/filter"
	"earshot/shared/mention"
	"earshot/shared/parquetfile"
	"earshot/shared/port/warehouse"
	"earshot/shared/port/warehouse/warehousetest"
	"earshot/shared/worldtest"
)

// A duck is a DuckDB in a process of its own, which infra/peers/statements.py runs. It is a Warehouse.
type duck struct {
	root       string
	in         io.Writer
	out        *bufio.Scanner
	statements int
	failed     error // of the engine; the caller sees an error of the port
}

// newDuck starts the Python of DUCKDB_PYTHON, which has the package duckdb.
func newDuck(t *testing.T) *duck {
	t.Helper()
	python := os.Getenv("DUCKDB_PYTHON")
	if python == "" {
		t.Skip("DUCKDB_PYTHON is not set: no DuckDB to run SQL (see make peers)")
	}
	command := exec.CommandContext(t.Context(), python, "../../infra/peers/statements.py")
	command.Stderr = os.Stderr
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close()
		_ = command.Wait()
	})
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 64<<20)
	return &duck{in: in, out: lines}
}

func (d *duck) Query(ctx context.Context, s warehouse.Statement) (warehouse.Result, error) {
	if err := errors.Join(s.Check(), ctx.Err()); err != nil {
		return warehouse.Result{}, err
	}
	d.statements++
	request, err := json.Marshal(map[string]any{"root": d.root, "sql": s.SQL, "parameters": s.Parameters})
	if err != nil {
		return warehouse.Result{}, err
	}
	if _, err := d.in.Write(append(request, '\n')); err != nil {
		return warehouse.Result{}, err
	}
	if !d.out.Scan() {
		return warehouse.Result{}, errors.New("DuckDB ended")
	}
	var answer struct {
		Rows  [][]*string
		Error string
	}
	if err := json.Unmarshal(d.out.Bytes(), &answer); err != nil {
		return warehouse.Result{}, err
	}
	if answer.Error != "" {
		d.failed = fmt.Errorf("%s\n%s\n%v", answer.Error, s.SQL, s.Parameters)
		return warehouse.Result{}, d.failed
	}
	return warehouse.Result{Rows: answer.Rows}, nil
}

// The stand-in for Athena that runs SQL keeps the promises of the port too.
func TestSuite_OnDuckDB(t *testing.T) {
	engine := newDuck(t)
	engine.root = t.TempDir()
	put(t, engine.root, "org_1", worldtest.Now.Truncate(24*time.Hour), 1,
		[]mention.Mention{worldtest.Mention(1, "post", worldtest.Now)})
	warehousetest.Run(t, func(*testing.T, [][]*string) warehouse.Warehouse { return engine }, warehousetest.Options{})
}

// A library is a store with day files. Its first scan in a Run is over the budget, so that the files must answer.
type library struct {
	analytics.Store
	statement.Counter
	days    []analytics.FileDay
	scanned int
}

func (l *library) ValidDays(_ context.Context, _ string, start, end time.Time) (days []analytics.FileDay, err error) {
	for _, day := range l.days {
		if day.Day.Before(end) && day.Day.Add(24*time.Hour).After(start) {
			days = append(days, day)
		}
	}
	return days, nil
}

func (l *library) Scan(
	ctx context.Context, orgID string, f *filter.Predicate, start, end time.Time, budget int, all, each func(*filter.Row),
) (int, bool, error) {
	if l.scanned++; l.scanned == 1 {
		return 0, false, nil
	}
	return l.Store.Scan(ctx, orgID, f, start, end, budget, all, each)
}

// write writes files of most of the days that have mentions, and beside some of them a file that was replaced. Days
// without mentions need no file to be valid.
func (l *library) write(t *rapid.T, root, orgID string, all map[string]mention.Mention) {
	l.Location, l.days = root+"/", nil
	byDay := map[time.Time][]mention.Mention{}
	for _, m := range all {
		day := m.PostedAt.UTC().Truncate(24 * time.Hour)
		byDay[day] = append(byDay[day], m)
	}
	today := worldtest.Now.UTC().Truncate(24 * time.Hour)
	for day := today.AddDate(0, 0, -30); !day.After(today); day = day.AddDate(0, 0, 1) {
		if len(byDay[day]) == 0 {
			l.days = append(l.days, analytics.FileDay{Day: day})
			continue
		}
		state := rapid.SampledFrom([]string{"valid", "valid", "valid", "replaced", "dirty"}).Draw(t, "file of a day")
		mentions := byDay[day]
		slices.SortFunc(mentions, func(x, y mention.Mention) int { return -x.PostedAt.Compare(y.PostedAt) })
		key := put(t, root, orgID, day, 2, mentions)
		if state != "valid" {
			put(t, root, orgID, day, 1, mentions[:1]) // of before
		}
		if state != "dirty" {
			l.days = append(l.days, analytics.FileDay{Day: day, Key: key, Mentions: int64(len(mentions))})
		}
	}
}

// A tester is a test, or a run of one.
type tester interface {
	Helper()
	Fatal(...any)
}

// put writes a file of mentions, the newest first, and returns its key.
func put(t tester, root, orgID string, day time.Time, number int64, mentions []mention.Mention) string {
	t.Helper()
	key, err := files.Key(orgID, day, number)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(root, filepath.FromSlash(key))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := parquetfile.NewWriter(file)
	for i := range mentions {
		if err := w.Write(&mentions[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), file.Close()); err != nil {
		t.Fatal(err)
	}
	return key
}

// moreFilters are conditions that only rows and files can answer.
var moreFilters = []string{
	`{"engagement":[{"source":"Reddit","metric":"points","value":2},{"source":"twitter","metric":"it's \"?\"","value":1}]}`,
	`{"!engagement":[{"source":"hackernews","metric":"points","value":1,"operator":"<="}]}`,
	`{"minXFollowers":1}`, `{"!maxXFollowers":2}`, `{"postType":["reply"]}`, `{"!postType":["top-level"]}`,
	`{"!author":["@QUIETHARBOR"]}`,
	`{"author":["x' OR 1=1 --","nightferry"]}`, `{"!engaged":true}`, `{"reviewRating":[4]}`, `{"!tag":["none","hiring"]}`,
	`{"!keyword":["none"]}`,
	`{"!sentiment":["unknown"]}`, `{"!relevance":[2,"none"]}`, `{"language":["undetermined"]}`,
	`{"text":["NORTHWIND"]}`, `{"!text":["northwind"]}`, `{"text":["blows the"]}`, `{"text":["it's","strasse"]}`,
	`{"!text":["日","café"],"source":["reddit"]}`,
	`{"text":["\u200d❤"]}`, `{"text":["north wind"],"!text":["here"]}`, `{"text":["northwind the"]}`,
	`{"text":["'; DROP TABLE mentions --"]}`,
	`{"text":["two\nnorthwind"]}`, `{"text":["???"]}`, `{"!text":["???","northwind"]}`,
	`{"operator":"OR","groups":[{"operator":"AND","conditions":[{"text":["wind"]},{"!text":["it's here"]}]},{"operator":"OR","conditions":[{"author":["nightferry"]}]}]}`,
	`{"operator":"AND","groups":[{"operator":"OR","conditions":[{"keyword":[1]},{"keyword":[2]}]},{"operator":"OR","conditions":[{"!keyword":[2]},{"author":["nightferry"]}]}]}`,
}

// DuckDB runs the SQL of random queries over files that the writer wrote. With the days that have no valid file, its
// figures are those of a recount. It refuses what SQL cannot say: a text without a word.
func TestRun_DuckDBAgreesWithRecount(t *testing.T) {
	engine, w := newDuck(t), worldtest.NewWorld(t)
	run, tables, texts, refused := 0, 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		run++
		h := history{w, fmt.Sprint("org_", run), map[string]mention.Mention{}}
		for range rapid.IntRange(1, 10).Draw(t, "changes") {
			h.change(t)
		}
		if len(h.all) == 0 {
			t.Skip("no mention")
		}
		root, err := os.MkdirTemp("", "earshot-files-")
		must(t, err)
		defer os.RemoveAll(root)
		engine.root = root
		l := &library{Store: w.Store}
		l.Counter = statement.Counter{Warehouse: engine, Manifest: l}
		l.write(t, root, h.orgID, h.all)
		for range 3 {
			q, text := drawQuery(t, h.orgID)
			if rapid.Bool().Draw(t, "more") {
				text = rapid.SampledFrom(moreFilters).Draw(t, "filter of files")
				parsed, faults := filter.Parse([]byte(text))
				if len(faults) > 0 {
					t.Fatal(faults)
				}
				q.Filter = parsed
			}
			// Cells cannot say any of these.
			beyond := rapid.SampledFrom([]analytics.Aggregate{analytics.Engagement, analytics.Authors, analytics.Reach}).
				Draw(t, "beyond cells")
			q.Aggregates = append(q.Aggregates, beyond)
			want := recount(q, h.all)
			if slices.Contains(q.Dimensions, analytics.Keyword) && rapid.Bool().Draw(t, "grouped") {
				q.Groups = [][]int64{{3, 1}, {2}, {4, 2, 1}}
				scanned, err := analytics.Run(t.Context(), w.Store, q)
				must(t, err)
				want = keyed(q, scanned[0])
			}
			l.scanned, engine.failed = 0, nil
			before := engine.statements
			answers, err := analytics.Run(t.Context(), l, q)
			switch {
			case engine.failed != nil:
				t.Fatal(engine.failed)
			case errors.Is(err, analytics.ErrBudget):
				start, end := q.Window()
				days, _ := l.ValidDays(t.Context(), h.orgID, start, end)
				var part analytics.NotInFiles
				if errors.As(err, &part) != filter.Compile(q.Filter).NeedsLetters() && len(days) > 0 &&
					analytics.Scattered(days, start, end) <= analytics.MaxSpans {
					t.Fatalf("Run(%s) = %v", text, err)
				}
				refused++
				continue
			case err != nil:
				t.Fatal(err)
			case !answers[0].Exact:
				t.Fatalf("Run = not exact: %s", answers[0].Why)
			}
			got := keyed(q, answers[0])
			if !slices.Contains(q.Aggregates, analytics.Authors) && !slices.Contains(q.Aggregates, analytics.Reach) {
				got, want = peopleless(got), peopleless(want)
			}
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("Run(%s, %s) = %+v\nwant %+v", text, q.Dimensions, got, want)
			}
			tables += engine.statements - before
			if filter.Compile(q.Filter).NeedsText() {
				texts += engine.statements - before
			}
		}
	})
	t.Logf("%d statements agree, %d of them on texts, %d queries are refused", tables, texts, refused)
	if tables < 50 || texts < 10 {
		t.Errorf("%d statements ran, %d of them on texts, want at least 50 and 10", tables, texts)
	}
}

// Buckets of SQL are those of Go on days of 23, 24 and 25 hours, with summer time of half an hour, and in a zone that
// left out a day.
func TestCountDays_Buckets(t *testing.T) {
	engine := newDuck(t)
	l := &library{}
	for _, c := range []struct{ zone, start, end string }{
		{"Europe/Berlin", "2026-01-01", "2027-01-01"},
		{"America/New_York", "2026-03-01", "2026-11-20"},
		{"Australia/Lord_Howe", "2026-03-20", "2026-10-20"},
		{"Asia/Kolkata", "2026-10-01", "2026-11-20"},
		{"Pacific/Apia", "2011-12-01", "2012-02-01"},
	} {
		zone, err := time.LoadLocation(c.zone)
		if err != nil {
			t.Fatal(err)
		}
		first, _ := time.ParseInLocation(time.DateOnly, c.start, zone)
		last, _ := time.ParseInLocation(time.DateOnly, c.end, zone)
		period := analytics.Period{Start: first.Add(90 * time.Minute), End: last.Add(-7 * time.Minute), Zone: zone}
		root := t.TempDir()
		engine.root = root
		var mentions []mention.Mention
		for at := period.End.Add(-time.Millisecond); !at.Before(period.Start); at = at.Add(-31 * time.Minute) {
			mentions = append(mentions, worldtest.Mention(0, "post", at))
		}
		l.days = nil // all mentions are in the first day's file: conditions on times do not look at days
		for i, at := range []time.Time{period.Start, period.End} {
			day := at.UTC().Truncate(24 * time.Hour)
			key := put(t, root, "org_1", day, 1, mentions[:len(mentions)*(1-i)])
			l.days = append(l.days, analytics.FileDay{Day: day, Key: key, Mentions: int64(len(mentions))})
		}
		counter := statement.Counter{Manifest: l, Warehouse: engine, Location: root + "/"}
		for _, g := range analytics.Granularities() {
			q := analytics.Query{
				WorkspaceID: "org_1",
				Period:      period,
				Granularity: g,
				Aggregates:  []analytics.Aggregate{analytics.Count},
			}
			rows, err := counter.CountDays(t.Context(), q, l.days, nil)
			if err != nil {
				t.Fatal(err, engine.failed)
			}
			buckets, got := period.Buckets(g), map[int]int64{}
			for _, row := range rows {
				got[row.Bucket] += row.Mentions
			}
			want := map[int]int64{}
			bucket := len(buckets) - 1
			for _, m := range mentions {
				for m.PostedAt.Before(buckets[bucket].Start) {
					bucket--
				}
				want[bucket]++
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("CountDays by %s in %s = %v, want %v", g, c.zone, got, want)
			}
		}
	}
}

// peopleless drops the figures of authors, which a query did not ask for.
func peopleless(figures map[string]analytics.Figures) map[string]analytics.Figures {
	kept := map[string]analytics.Figures{}
	for key, f := range figures {
		f.Authors, f.Reach = 0, 0
		kept[key] = f
	}
	return kept
}
