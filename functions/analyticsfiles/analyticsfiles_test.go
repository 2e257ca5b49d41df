package analyticsfiles_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"earshot/functions/analyticsfiles"
	"earshot/shared/analytics/files"
	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/mention"
	"earshot/shared/port/blob"
	"earshot/shared/store/mentionstore"
	"earshot/shared/store/purgestore"
	"earshot/shared/worldtest"
)

var must = worldtest.Must

// A bench is the function over a World, with the keys of all files that it ever tried to store.
type bench struct {
	*worldtest.World
	options analyticsfiles.Options

	mu   sync.Mutex
	keys map[string]bool
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{World: worldtest.NewWorld(t), keys: map[string]bool{}}
	b.options = analyticsfiles.Options{
		Store: b.Store, Files: recorded{b, b.Blob()}, Clock: b.Clock, Log: slog.New(slog.DiscardHandler), Folder: t.TempDir(),
	}
	for i := range 60 {
		m := worldtest.Mention(int64(i+1), fmt.Sprint("s", i), worldtest.Now.Add(-time.Duration(i)*97*time.Minute))
		b.Put(t, b.Main.ID, m)
	}
	return b
}

type recorded struct {
	b *bench
	blob.Blob
}

func (r recorded) Put(ctx context.Context, key string, file blob.File) error {
	r.b.mu.Lock()
	r.b.keys[key] = true
	r.b.mu.Unlock()
	return r.Blob.Put(ctx, key, file)
}

func (b *bench) run(t testing.TB) error {
	return analyticsfiles.Run(t.Context(), b.options, b.Clock.Now())
}

func (b *bench) later(by time.Duration) { b.Clock.Freeze(b.Clock.Now().Add(by)) }

// settle runs the function hourly until it has had time for everything.
func (b *bench) settle(t testing.TB) {
	t.Helper()
	for range 6 {
		must(t, b.run(t))
		b.later(time.Hour)
	}
}

// A line is what tests compare of a mention.
type line struct {
	ID         int64   `parquet:"id"`
	PostedAt   int64   `parquet:"posted_at,timestamp(millisecond)"`
	Body       *string `parquet:"body"`
	Sentiment  *string `parquet:"sentiment"`
	Engagement int64   `parquet:"engagement"`
}

func (l line) String() string {
	text := func(p *string) string {
		if p == nil {
			return "-"
		}
		return *p
	}
	return fmt.Sprintf("%d %d %q %s %d", l.ID, l.PostedAt, text(l.Body), text(l.Sentiment), l.Engagement)
}

// stored lists the lines of a day's mentions, as the table has them.
func (b *bench) stored(t testing.TB, day time.Time) (lines []string) {
	t.Helper()
	must(t, b.Store.EachMention(t.Context(), b.Main.ID, day, day.AddDate(0, 0, 1), func(m *mention.Mention) error {
		l := line{ID: m.ID, PostedAt: m.PostedAt.UnixMilli(), Body: m.Body}
		if m.Sentiment != "" {
			text := string(m.Sentiment)
			l.Sentiment = &text
		}
		for metric, n := range m.Engagement {
			if metric != "views" {
				l.Engagement += n
			}
		}
		lines = append(lines, l.String())
		return nil
	}))
	return lines
}

func (b *bench) read(t testing.TB, key string) (lines []string) {
	t.Helper()
	opened, err := b.Files().Get(t.Context(), key)
	must(t, err)
	defer opened.Close()
	content, err := io.ReadAll(opened)
	must(t, err)
	read, err := parquet.Read[line](bytes.NewReader(content), int64(len(content)))
	must(t, err)
	for _, l := range read {
		lines = append(lines, l.String())
	}
	return lines
}

func (b *bench) manifests(t testing.TB) []mentionstore.DayFile {
	t.Helper()
	found, err := b.Store.DayFiles(t.Context(), b.Main.ID, time.Time{}, b.Clock.Now().AddDate(1, 0, 0))
	must(t, err)
	return found
}

// mustBeRight fails the test if a file that a reader would use differs from its day's mentions. It returns the number
// of such files.
func (b *bench) mustBeRight(t testing.TB) (valid int) {
	t.Helper()
	for _, d := range b.manifests(t) {
		if !d.Valid(files.Version) {
			continue
		}
		valid++
		var got []string
		if d.Key != "" {
			got = b.read(t, d.Key)
		}
		if want := b.stored(t, d.Day); !slices.Equal(got, want) || d.Rows != int64(len(want)) {
			t.Errorf("%s has a file of %d rows that differs from its %d mentions:\n%s\n%s", d.Day.Format(time.DateOnly), d.Rows, len(want),
				strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
	return valid
}

// mustBeNamed fails the test if a file exists that no manifest names.
func (b *bench) mustBeNamed(t testing.TB) (there int) {
	t.Helper()
	named := map[string]bool{}
	for _, d := range b.manifests(t) {
		named[d.Key], named[d.Pending] = true, true
		for _, old := range d.Old {
			named[old.Key] = true
		}
	}
	for key := range b.keys {
		file, err := b.Files().Get(t.Context(), key)
		if errors.Is(err, blob.ErrNotFound) {
			continue
		}
		must(t, err)
		file.Close()
		if there++; !named[key] {
			t.Errorf("no manifest names the file %s", key)
		}
	}
	return there
}

func (b *bench) change(t testing.TB, sourceID, body string) error {
	_, err := b.Store.ChangeMention(t.Context(), b.Main.ID, sourceID, func(m *mention.Mention) (bool, error) {
		m.Body = &body
		return true, nil
	})
	return err
}

func TestRun_WritesDaysThatAreOver(t *testing.T) {
	b := newBench(t)
	must(t, b.run(t)) // announces
	if found := b.manifests(t); len(found) != 0 {
		t.Fatalf("%d days have manifests before their files were announced for long", len(found))
	}
	b.later(time.Hour)
	must(t, b.run(t)) // opens
	if valid := b.mustBeRight(t); valid != 0 || len(b.manifests(t)) != 4 {
		t.Fatalf("%d of %d days have files at once", valid, len(b.manifests(t)))
	}
	b.later(19 * time.Minute)
	must(t, b.run(t))
	if valid := b.mustBeRight(t); valid != 0 {
		t.Fatalf("%d days have files before they were quiet for long", valid)
	}
	b.later(time.Minute)
	must(t, b.run(t)) // writes
	if valid := b.mustBeRight(t); valid != 4 {
		t.Errorf("%d days have files, want those 4 that are over", valid)
	}
	first, err := files.Key(b.Main.ID, worldtest.Now.AddDate(0, 0, -1), 1)
	if must(t, err); !b.keys[first] {
		t.Errorf("there is no file %s", first)
	}
	puts := len(b.keys)
	b.settle(t)
	if len(b.keys) != puts {
		t.Errorf("%d files were written again though nothing changed", len(b.keys)-puts)
	}
	b.later(24 * time.Hour)
	b.settle(t)
	if valid := b.mustBeRight(t); valid != 5 {
		t.Errorf("a day later %d days have files, want 5", valid)
	}
}

// A process that is killed midway leaves no file on the disk.
func TestRun_FileHasNoName(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("an open file keeps its name there")
	}
	b := newBench(t)
	files := &peeking{Files: b.options.Files, folder: b.options.Folder}
	b.options.Files = files
	b.settle(t)
	if files.puts == 0 || len(files.seen) > 0 {
		t.Errorf("while %d files are stored, the folder has %v, want nothing", files.puts, files.seen)
	}
}

// peeking lists a folder whenever a file is put.
type peeking struct {
	analyticsfiles.Files
	folder string
	puts   int
	seen   []os.DirEntry
}

func (p *peeking) Put(ctx context.Context, key string, file blob.File) error {
	seen, err := os.ReadDir(p.folder)
	p.puts, p.seen = p.puts+1, append(p.seen, seen...)
	return errors.Join(err, p.Files.Put(ctx, key, file))
}

// Corrections and late posts make a file stale at once, and the next ones right. Old files go.
func TestRun_WritesChangedDaysAnew(t *testing.T) {
	b := newBench(t)
	b.settle(t)
	before, files := b.mustBeRight(t), b.mustBeNamed(t)
	must(t, b.change(t, "s20", "corrected"))
	_, err := b.Store.Ingest(t.Context(), b.Main.ID, 1000,
		[]mention.Mention{worldtest.Mention(0, "late", worldtest.Now.AddDate(0, 0, -3))})
	must(t, err)
	if valid := b.mustBeRight(t); valid != before-2 {
		t.Errorf("%d of %d files are used after changes of two days", valid, before)
	}
	b.settle(t)
	if valid := b.mustBeRight(t); valid != before {
		t.Errorf("%d files are used, want %d", valid, before)
	}
	if there := b.mustBeNamed(t); there != files {
		t.Errorf("%d files are there, want %d: old ones stay", there, files)
	}
	// A day far back, which had no mentions, has its first.
	_, err = b.Store.Ingest(t.Context(), b.Main.ID, 1000,
		[]mention.Mention{worldtest.Mention(0, "old", worldtest.Now.AddDate(-1, 0, 0))})
	must(t, err)
	b.later(24 * time.Hour)
	b.settle(t)
	if valid := b.mustBeRight(t); valid != before+2 {
		t.Errorf("%d files are used, want one more for today and one for a day a year ago, %d", valid, before+2)
	}
}

// Files of columns of before are not valid, and are written anew.
func TestRun_WritesOtherVersionsAnew(t *testing.T) {
	b := newBench(t)
	b.settle(t)
	before := b.mustBeRight(t)
	for _, d := range b.manifests(t)[:2] {
		d.Version = files.Version - 1
		ok, err := b.Store.PutDayFile(t.Context(), b.Main.ID, &d)
		if must(t, err); !ok {
			t.Fatal("the manifest has changed")
		}
	}
	if valid := b.mustBeRight(t); valid != before-2 {
		t.Errorf("%d of %d files are valid though 2 have columns of before", valid, before)
	}
	puts := len(b.keys)
	b.settle(t)
	if valid := b.mustBeRight(t); valid != before || len(b.keys) != puts+2 {
		t.Errorf("%d files are valid after %d were written, want %d after 2", valid, len(b.keys)-puts, before)
	}
	b.mustBeNamed(t)
}

// A reader that found a file may still open it after the file was replaced.
func TestRun_OldFilesStayForAWhile(t *testing.T) {
	b := newBench(t)
	b.settle(t)
	old := b.manifests(t)[1]
	must(t, b.change(t, "s20", "corrected"))
	for _, d := range b.manifests(t) {
		if d.Marked {
			old = d
		}
	}
	must(t, b.run(t))
	b.later(20 * time.Minute)
	must(t, b.run(t))
	b.later(59 * time.Minute)
	must(t, b.run(t))
	if len(b.read(t, old.Key)) == 0 {
		t.Error("the old file is empty")
	}
	b.later(time.Minute)
	must(t, b.run(t))
	if _, err := b.Files().Get(t.Context(), old.Key); !errors.Is(err, blob.ErrNotFound) {
		t.Errorf("the old file is there after an hour: %v", err)
	}
}

func TestRun_KilledAtEachStep(t *testing.T) {
	faulttest.EachStep(t, 12, func(t *testing.T, step *faulttest.Step) {
		b := newBench(t)
		must(t, b.run(t))
		b.later(time.Hour)
		_ = step.Die(t, b.Life, func() error {
			for range 2 { // opens, and writes
				if err := b.run(t); err != nil {
					return err
				}
				b.later(time.Hour)
			}
			return nil
		})
		b.mustBeRight(t)
		b.mustBeNamed(t)
		must(t, b.change(t, "s20", "corrected"))
		b.mustBeRight(t)
		b.settle(t)
		if valid, there := b.mustBeRight(t), b.mustBeNamed(t); valid < 4 || there != valid {
			t.Errorf("%d files are used and %d are there, want 4 or more, and no others", valid, there)
		}
	})
}

// Another may change a mention at each step of a writer. A file that is used has the change, or its day is marked.
func TestRun_ChangeAtEachStep(t *testing.T) {
	faulttest.EachStep(t, 6, func(t *testing.T, step *faulttest.Step) {
		b := newBench(t)
		must(t, b.run(t))
		b.later(time.Hour)
		must(t, b.run(t))
		b.later(time.Hour)
		err, otherErr := step.Come(b.Life, func() error { return b.run(t) },
			func() error { return b.change(t, "s20", "corrected") })
		if must(t, err); step.Met {
			must(t, otherErr)
		}
		b.mustBeRight(t)
		b.settle(t)
		if valid := b.mustBeRight(t); valid < 4 {
			t.Errorf("%d files are used, want 4 or more", valid)
		}
	})
}

func TestRun_TwoWritersAtEachStep(t *testing.T) {
	faulttest.EachStep(t, 6, func(t *testing.T, step *faulttest.Step) {
		b := newBench(t)
		must(t, b.run(t))
		b.later(time.Hour)
		must(t, b.run(t))
		b.later(time.Hour)
		err, otherErr := step.Come(b.Life, func() error { return b.run(t) }, func() error { return b.run(t) })
		if must(t, err); step.Met {
			must(t, otherErr)
		}
		if valid := b.mustBeRight(t); valid != 4 {
			t.Errorf("%d files are used, want 4", valid)
		}
		b.settle(t)
		if valid, there := b.mustBeRight(t), b.mustBeNamed(t); there != valid {
			t.Errorf("%d files are used and %d are there", valid, there)
		}
	})
}

func TestRun_WritersAtOnce(t *testing.T) {
	b := newBench(t)
	must(t, b.run(t))
	for range 3 {
		b.later(time.Hour)
		faulttest.AtOnce(4, func(int) {
			if err := b.run(t); err != nil {
				t.Error(err)
			}
		})
	}
	if valid := b.mustBeRight(t); valid != 4 {
		t.Errorf("%d files are used, want 4", valid)
	}
	b.mustBeNamed(t)
}

// A day whose rows do not count what its cells do has no file.
func TestRun_LostRow(t *testing.T) {
	b := newBench(t)
	b.options.Store = losing{b.Store}
	b.settle(t)
	if valid := b.mustBeRight(t); valid != 0 {
		t.Errorf("%d files are used though each day lost a row", valid)
	}
	b.options.Store = b.Store
	b.later(24 * time.Hour)
	b.settle(t)
	if valid := b.mustBeRight(t); valid != 5 {
		t.Errorf("%d files are used, want 5", valid)
	}
}

type losing struct{ analyticsfiles.Store }

func (l losing) EachMention(ctx context.Context, orgID string, start, end time.Time,
	each func(*mention.Mention) error) error {
	first := true
	return l.Store.EachMention(ctx, orgID, start, end, func(m *mention.Mention) error {
		if first {
			first = false
			return nil
		}
		return each(m)
	})
}

// A purge leaves no file of a deleted workspace.
func TestRun_Purged(t *testing.T) {
	b := newBench(t)
	b.settle(t)
	if there := b.mustBeNamed(t); there == 0 {
		t.Fatal("there are no files")
	}
	must(t, b.Store.DeleteWorkspace(t.Context(), b.Main.ID))
	b.settle(t) // writes nothing for it
	for range 4 {
		_, err := b.Store.Purge(t.Context(), b.Main.ID, purgestore.Beside{
			File: b.Blob().Delete, DayFile: b.options.Files.Delete,
			Group: func(context.Context, string) error { return nil },
			Slack: func(context.Context, string) error { return nil },
		}, 0)
		must(t, err)
		b.later(time.Hour)
	}
	if there := b.mustBeNamed(t); there != 0 || len(b.manifests(t)) != 0 {
		t.Errorf("%d files and %d manifests of a deleted workspace are left", there, len(b.manifests(t)))
	}
}

// The time of a call may end between any two days. The next call continues.
func TestRun_TimeEnds(t *testing.T) {
	b := newBench(t)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second) // less than another day is begun with
	defer cancel()
	for range 3 {
		must(t, analyticsfiles.Run(ctx, b.options, b.Clock.Now()))
		b.later(time.Hour)
	}
	if found := b.manifests(t); len(found) != 0 {
		t.Errorf("%d days were begun without time", len(found))
	}
}

// Over a random history of changes, corrections, moves, crashes and calls of the function, a file that is used is always
// the day's mentions.
func TestRun_RandomHistory(t *testing.T) {
	seed := uint64(18)
	r := rand.New(rand.NewPCG(seed, seed))
	b := newBench(t)
	next, used := int64(1000), 0
	for range 400 {
		source := fmt.Sprint("s", r.IntN(60))
		switch r.IntN(8) {
		case 0:
			must(t, b.change(t, source, fmt.Sprint("text ", r.IntN(1000))))
		case 1:
			_, err := b.Store.Observe(t.Context(), b.Main.ID, source, map[string]int64{"points": r.Int64N(100)}, b.Clock.Now())
			must(t, err)
		case 2:
			_, err := b.Store.ChangeMention(t.Context(), b.Main.ID, source, func(m *mention.Mention) (bool, error) {
				m.Sentiment = mention.Sentiments()[r.IntN(3)]
				return true, nil
			})
			must(t, err)
		case 3:
			next++
			late := worldtest.Mention(0, fmt.Sprint("late", next), worldtest.Now.Add(-time.Duration(r.IntN(100))*time.Hour))
			_, err := b.Store.Ingest(t.Context(), b.Main.ID, 10_000, []mention.Mention{late})
			must(t, err)
		case 4:
			old, err := b.Store.Mention(t.Context(), b.Main.ID, source)
			must(t, err)
			old.PostedAt = worldtest.Now.Add(-time.Duration(r.IntN(100)) * time.Hour)
			must(t, b.Store.PutMention(t.Context(), b.Main.ID, old))
		default:
			b.later(time.Duration(10+r.IntN(60)) * time.Minute)
			if r.IntN(3) == 0 {
				b.Life.DieAt(r.IntN(12)+1, r.IntN(2) == 0)
				_ = faulttest.Crashing(func() error { return b.run(t) })
				b.Life.Revive()
			} else {
				must(t, b.run(t))
			}
		}
		used += b.mustBeRight(t)
	}
	b.mustBeNamed(t)
	if used < 100 {
		t.Errorf("files were used %d times, want at least 100: the history is too busy", used)
	}
}
