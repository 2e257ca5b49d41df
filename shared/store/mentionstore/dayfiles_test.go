package mentionstore_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"earshot/shared/analytics/files"
	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/mention"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/allstores"
	"earshot/shared/store/mentionstore"
	"earshot/shared/worldtest"
)

var (
	yesterday = worldtest.Now.AddDate(0, 0, -1).Truncate(24 * time.Hour)
	dayBefore = yesterday.AddDate(0, 0, -1)
)

// withManifests returns a World with a mention at noon of each of two days, whose manifests are ready.
func withManifests(t *testing.T) *worldtest.World {
	t.Helper()
	w := worldtest.NewWorld(t)
	worldtest.Must(t, w.Store.AnnounceFiles(t.Context(), w.Main.ID, worldtest.Now, time.Time{}))
	w.Put(t, w.Main.ID, worldtest.Mention(1, "first", dayBefore.Add(12*time.Hour)),
		worldtest.Mention(2, "second", yesterday.Add(12*time.Hour)))
	for _, day := range []time.Time{dayBefore, yesterday} {
		ready(t, w, mentionstore.DayFile{Day: day})
	}
	return w
}

func ready(t *testing.T, w *worldtest.World, d mentionstore.DayFile) {
	t.Helper()
	d.State, d.Since, d.Marked = mentionstore.DayReady, worldtest.Now, false
	if ok, err := w.Store.PutDayFile(t.Context(), w.Main.ID, &d); err != nil || !ok {
		t.Fatal(ok, err)
	}
}

// marked lists the days that are marked.
func marked(t *testing.T, w *worldtest.World) (days []string) {
	t.Helper()
	found, err := w.Store.DayFiles(t.Context(), w.Main.ID, dayBefore.AddDate(-9, 0, 0), worldtest.Now.AddDate(9, 0, 0))
	worldtest.Must(t, err)
	for _, d := range found {
		if d.Marked {
			days = append(days, d.Day.Format(time.DateOnly))
		}
	}
	return days
}

func TestDayFiles_ChangesMarkTheirDay(t *testing.T) {
	ctx, first, second := t.Context(), dayBefore.Format(time.DateOnly), yesterday.Format(time.DateOnly)
	for name, c := range map[string]struct {
		change func(w *worldtest.World) error
		want   []string
	}{
		"nothing": {func(*worldtest.World) error { return nil }, nil},
		"text": {func(w *worldtest.World) error {
			_, err := w.Store.ChangeMention(ctx, w.Main.ID, "first", func(m *mention.Mention) (bool, error) {
				text := "corrected"
				m.Body = &text
				return true, nil
			})
			return err
		}, []string{first}},
		"counters": {func(w *worldtest.World) error {
			_, err := w.Store.Observe(ctx, w.Main.ID, "second", map[string]int64{"points": 99}, worldtest.Now.Add(time.Hour))
			return err
		}, []string{second}},
		"counters that are known": {func(w *worldtest.World) error {
			_, err := w.Store.Observe(ctx, w.Main.ID, "second", map[string]int64{}, worldtest.Now.Add(time.Hour))
			return err
		}, nil},
		"late post": {func(w *worldtest.World) error {
			_, err := w.Store.Ingest(ctx, w.Main.ID, 100,
				[]mention.Mention{worldtest.Mention(0, "late", yesterday.Add(time.Hour))})
			return err
		}, []string{second}},
		"post of today": {func(w *worldtest.World) error {
			_, err := w.Store.Ingest(ctx, w.Main.ID, 100, []mention.Mention{worldtest.Mention(0, "new", worldtest.Now)})
			return err
		}, nil},
		"moved to another day": {func(w *worldtest.World) error {
			return w.Store.PutMention(ctx, w.Main.ID, worldtest.Mention(1, "first", yesterday.Add(time.Hour)))
		}, []string{first, second}},
	} {
		w := withManifests(t)
		if err := c.change(w); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := marked(t, w); !slices.Equal(got, c.want) {
			t.Errorf("%s marks %v, want %v", name, got, c.want)
		}
	}
}

// What a change costs while no day has a file, and while the day is marked already, is what it cost before there were files.
func TestDayFiles_MarksCostNoWrite(t *testing.T) {
	cost := func(w *worldtest.World, points int64) float64 {
		ctx, used := table.WithMeter(t.Context())
		at := worldtest.Now.Add(time.Duration(points) * time.Hour)
		if changed, err := w.Store.Observe(ctx, w.Main.ID, "first", map[string]int64{"points": points}, at); err != nil ||
			!changed {
			t.Fatal(changed, err)
		}
		return used.Total().WriteUnits
	}
	without := worldtest.NewWorld(t)
	without.Put(t, without.Main.ID, worldtest.Mention(1, "first", dayBefore.Add(12*time.Hour)))
	first, second := cost(without, 100), cost(without, 101)
	if first == 0 || second == 0 {
		t.Fatal("a change costs nothing")
	}
	with := withManifests(t)
	if got := cost(with, 100); got != first+1 {
		t.Errorf("the change that marks a day costs %v write units, want %v and 1", got, first)
	}
	if got := cost(with, 101); got != second {
		t.Errorf("a change of a marked day costs %v write units, want %v", got, second)
	}
}

func TestPutDayFile_Changed(t *testing.T) {
	w := withManifests(t)
	ctx := t.Context()
	read := func() mentionstore.DayFile {
		found, err := w.Store.DayFiles(ctx, w.Main.ID, yesterday, yesterday.Add(1))
		if err != nil || len(found) != 1 {
			t.Fatal(found, err)
		}
		return found[0]
	}
	stale := read()
	_, err := w.Store.Observe(ctx, w.Main.ID, "second", map[string]int64{"points": 99}, worldtest.Now.Add(time.Hour))
	worldtest.Must(t, err)
	stale.Rows = 7
	if ok, err := w.Store.PutDayFile(ctx, w.Main.ID, &stale); err != nil || ok {
		t.Errorf("PutDayFile of a manifest that was marked since = %v, %v", ok, err)
	}
	now := read()
	if now.Rows != 0 || !now.Marked {
		t.Errorf("the manifest is %+v", now)
	}
	now.Rows, now.Old = 7, []mentionstore.OldFile{{Key: "k", Since: worldtest.Now}}
	if ok, err := w.Store.PutDayFile(ctx, w.Main.ID, &now); err != nil || !ok {
		t.Errorf("PutDayFile = %v, %v", ok, err)
	}
	if again := read(); again.Rows != 7 || len(again.Old) != 1 || again.Old[0] != now.Old[0] {
		t.Errorf("the manifest is %+v", again)
	}
	if ok, err := w.Store.PutDayFile(ctx, w.Main.ID, &mentionstore.DayFile{Day: yesterday}); err != nil || ok {
		t.Errorf("PutDayFile of a day's first manifest, which has one = %v, %v", ok, err)
	}
}

// A change that dies leaves its day marked, or itself undone. A mark never comes after its change.
func TestDayFiles_KilledAtEachWrite(t *testing.T) {
	faulttest.EachStep(t, 2, func(t *testing.T, step *faulttest.Step) {
		w := withManifests(t)
		_ = step.Die(t, w.Life, func() error {
			_, err := w.Store.Observe(t.Context(), w.Main.ID, "first", map[string]int64{"points": 99},
				worldtest.Now.Add(time.Hour))
			return err
		})
		m, err := w.Store.Mention(t.Context(), w.Main.ID, "first")
		worldtest.Must(t, err)
		if m.Engagement["points"] == 99 && len(marked(t, w)) == 0 {
			t.Error("a mention changed, and its day is not marked")
		}
	})
}

// A manifest that a purge has deleted does not come back.
func TestDayFiles_MarkAfterPurge(t *testing.T) {
	w := withManifests(t)
	gone := &goneTable{Table: w.Table}
	stored := allstores.New(gone, w.Clock)
	if _, err := stored.Observe(t.Context(), w.Main.ID, "first", map[string]int64{"points": 99},
		worldtest.Now.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if !gone.met {
		t.Fatal("nothing was marked")
	}
	found, err := w.Store.DayFiles(t.Context(), w.Main.ID, dayBefore, dayBefore.Add(1))
	if err != nil || len(found) != 0 {
		t.Errorf("DayFiles = %v, %v, want none", found, err)
	}
}

// A goneTable deletes a row just before it is updated for the first time.
type goneTable struct {
	table.Table
	met bool
}

func (g *goneTable) Update(ctx context.Context, update table.Update) (table.Item, error) {
	if !g.met {
		g.met = true
		if err := g.Table.Delete(ctx, table.Delete{Table: update.Table, Key: update.Key}); err != nil {
			return nil, err
		}
	}
	return g.Table.Update(ctx, update)
}

// An announcement takes effect after the time for which its absence is remembered.
func TestDayFiles_AnnouncedLater(t *testing.T) {
	w := worldtest.NewWorld(t)
	w.Put(t, w.Main.ID, worldtest.Mention(1, "first", yesterday.Add(12*time.Hour)))
	worldtest.Must(t, w.Store.AnnounceFiles(t.Context(), w.Main.ID, worldtest.Now, time.Time{}))
	ready(t, w, mentionstore.DayFile{Day: yesterday})
	w.Clock.Freeze(worldtest.Now.Add(11 * time.Second))
	_, err := w.Store.Observe(t.Context(), w.Main.ID, "first", map[string]int64{"points": 99},
		worldtest.Now.Add(time.Hour))
	if got := marked(t, w); err != nil || len(got) != 1 {
		t.Errorf("%v, %v are marked, want yesterday", got, err)
	}
}

func TestDaysCounted(t *testing.T) {
	w := worldtest.NewWorld(t)
	for i, days := range []int{0, 1, 2, 30, 400} {
		w.Put(t, w.Main.ID, worldtest.Mention(int64(i+1), "s"+time.Duration(i).String(), worldtest.Now.AddDate(0, 0, -days)))
	}
	days, err := w.Store.DaysCounted(t.Context(), w.Main.ID, time.Time{}, yesterday.AddDate(0, 0, 1))
	if err != nil || len(days) != 4 || !days[3].Equal(yesterday) || !days[0].Equal(yesterday.AddDate(0, 0, -399)) {
		t.Errorf("DaysCounted = %v, %v", days, err)
	}
	if days, err := w.Store.DaysCounted(t.Context(), w.Member.ID, time.Time{}, worldtest.Now); err != nil ||
		len(days) != 0 {
		t.Errorf("DaysCounted of another workspace = %v, %v", days, err)
	}
}

// The mentions of a day count as its cells do, wherever they are kept.
func TestEachMention_AgreesWithCells(t *testing.T) {
	w := worldtest.NewWorld(t)
	day := worldtest.Now.AddDate(0, 0, -200).Truncate(24 * time.Hour)
	for i := range 250 {
		m := worldtest.Mention(int64(i+1), "s"+time.Duration(i).String(), day.Add(time.Duration(i)*5*time.Minute))
		if i%3 == 0 {
			m.Source, m.Tags, m.Relevant, m.RelevanceScore = "REDDIT", nil, false, nil
		}
		w.Put(t, w.Main.ID, m)
	}
	for range 2 { // before and while they are in the archive too
		counted, last := files.Count{}, mentionstore.MentionsPage{}.PositionOf(worldtest.Mention(1, "s", worldtest.Now))
		err := w.Store.EachMention(t.Context(), w.Main.ID, day, day.AddDate(0, 0, 1), func(m *mention.Mention) error {
			if at := (mentionstore.MentionsPage{}).PositionOf(*m); at >= last {
				t.Errorf("%s comes after %s", at, last)
			} else {
				last = at
			}
			counted.Add(m)
			return nil
		})
		worldtest.Must(t, err)
		cells, err := w.Store.Volumes(t.Context(), w.Main.ID, 0, day, day.AddDate(0, 0, 1))
		worldtest.Must(t, err)
		if counted.Stamp() != files.Stamp(cells) || len(counted) < 2 {
			t.Errorf("%d cells of mentions are not the %d that are stored", len(counted), len(cells))
		}
		if _, _, err := w.Store.Archive(t.Context(), w.Main.ID, 0); err != nil {
			t.Fatal(err)
		}
	}
	stop := errors.New("stop")
	if err := w.Store.EachMention(t.Context(), w.Main.ID, day, worldtest.Now,
		func(*mention.Mention) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("EachMention = %v, want the error of its function", err)
	}
}

// A look reads in one request whether days have files, and what is stored after it marks its day.
func TestLook_MarksDays(t *testing.T) {
	w := withManifests(t)
	asked := &worldtest.Requests{Table: w.Table}
	s := allstores.New(asked, w.Clock) // it has not read the announcement
	found := []mention.Mention{worldtest.Mention(0, "third", yesterday.Add(13*time.Hour))}
	looked, err := s.Look(t.Context(), w.Main.ID, found)
	worldtest.Must(t, err)
	if want := []string{"batchGet archive, core workspace, counters files, mentions"}; !slices.Equal(asked.Take(), want) {
		t.Errorf("Look asks for something else than %q", want)
	}
	if looked.Workspace.ID != w.Main.ID {
		t.Errorf("Look reads the workspace %q, want %q", looked.Workspace.ID, w.Main.ID)
	}
	_, err = s.IngestLooked(t.Context(), w.Main.ID, mentionstore.Bill{Limit: 10}, found, looked)
	worldtest.Must(t, err)
	if got, want := marked(t, w), []string{yesterday.Format(time.DateOnly)}; !slices.Equal(got, want) {
		t.Errorf("marked %v, want %v", got, want)
	}
	if slices.Contains(asked.Take(), "get counters files") {
		t.Error("the announcement is read again")
	}
	if _, err := s.Look(t.Context(), "org_gone", found); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("Look(a workspace that is gone) = %v, want ErrNotFound", err)
	}
}
