package purgestore_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"earshot/shared/embedded/fault"
	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/embedded/sqlitetable"
	"earshot/shared/keyword"
	"earshot/shared/mention"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/listenstore"
	"earshot/shared/store/purgestore"
	"earshot/shared/store/rows"
	"earshot/shared/store/workspacestore"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

// aside is what a workspace has beside its rows: its group, and files that were asked to be taken away.
type aside struct {
	mu     sync.Mutex
	files  map[string]bool
	groups int // asked to be taken away
	fails  error

	connections int   // with Slack, asked to be taken away
	stays       error // why the connection is not
}

func (a *aside) beside() purgestore.Beside {
	taking := func(kind string) func(context.Context, string) error {
		return func(_ context.Context, key string) error {
			a.mu.Lock()
			defer a.mu.Unlock()
			if a.files == nil {
				a.files = map[string]bool{}
			}
			a.files[kind+key] = true
			return nil
		}
	}
	return purgestore.Beside{
		File:    taking(""),
		DayFile: taking("day:"),
		Group: func(context.Context, string) error {
			a.groups++
			return a.fails
		},
		Slack: func(context.Context, string) error {
			a.connections++
			return a.stays
		},
	}
}

// look is one call of Purge.
func look(t testing.TB, w *worldtest.World, orgID string, a *aside) purgestore.Purged {
	t.Helper()
	done, err := w.Store.Purge(t.Context(), orgID, a.beside(), 0)
	if err != nil {
		t.Fatal(err)
	}
	return done
}

func due(t testing.TB, w *worldtest.World) []string {
	t.Helper()
	ids, err := w.Store.Purges(t.Context(), 10)
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

func later(w *worldtest.World, by time.Duration) { w.Clock.Freeze(w.Clock.Now().Add(by)) }

func remove(t testing.TB, w *worldtest.World, orgID string) {
	t.Helper()
	if err := w.Store.DeleteWorkspace(t.Context(), orgID); err != nil {
		t.Fatal(err)
	}
}

// kinds are the kinds of rows, by their tables and the ways their keys begin.
func kinds(listed []worldtest.Row) []string {
	found := map[string]bool{}
	for _, row := range listed {
		partition, _, _ := strings.Cut(row.Partition, "#")
		sort, _, _ := strings.Cut(row.Sort, "#")
		if prefix, _, named := strings.Cut(partition, "_"); named {
			partition = prefix
		}
		found[row.Table+" "+partition+" "+sort] = true
	}
	return slices.Sorted(maps.Keys(found))
}

// others are the rows that do not name a workspace, and have not expired at a time.
func others(t testing.TB, w *worldtest.World, orgID string, at time.Time) (listed []worldtest.Row) {
	t.Helper()
	naming := map[string]bool{}
	for _, row := range worldtest.Left(t, w, orgID) {
		naming[row.String()] = true
	}
	for _, row := range worldtest.Rows(t, w) {
		if !naming[row.String()] && !table.Expired(row.Item, at) {
			listed = append(listed, row)
		}
	}
	return listed
}

// Of a workspace with something of everything nothing is left that names it, in whatever table, but for what expires;
// its neighbours, one of the same agency and one of none, are the same to the last attribute.
func TestPurgeLeavesNothing(t *testing.T) {
	w := worldtest.NewWorld(t)
	gone := w.Member.ID
	for _, id := range []string{gone, w.Anchor.ID, w.Main.ID} {
		worldtest.Fill(t, w, id)
	}
	for _, schema := range rows.Schemas() {
		if !slices.ContainsFunc(worldtest.Left(t, w, gone), func(row worldtest.Row) bool { return row.Table == schema.Name }) {
			t.Fatalf("nothing of %s is filled", schema.Name)
		}
	}
	last := worldtest.Now.Add(time.Hour)
	neighbours := others(t, w, gone, worldtest.Now)
	lasting := others(t, w, gone, last)
	if err := w.Store.DeleteAgencyWorkspace(t.Context(), w.Agency.ID, gone, "asked once"); err != nil {
		t.Fatal(err)
	}
	if ids := due(t, w); !slices.Equal(ids, []string{gone}) {
		t.Fatalf("%v are due", ids)
	}
	var a aside
	done := look(t, w, gone, &a)
	if done.Rows == 0 || !done.Group || done.More || done.Over {
		t.Errorf("the first look: %+v", done)
	}
	// What the request has made, the link to the upgrade page, and that the agency has told somebody, expire.
	if found := kinds(worldtest.Left(t, w, gone)); !slices.Equal(found,
		[]string{"core agc invitee", "core org purge", "counters agc made", "counters upgrade link"}) {
		t.Errorf("left: %v", worldtest.Left(t, w, gone))
	}
	for _, row := range worldtest.Left(t, w, gone) {
		if row.Item[table.ExpiryAttribute] == nil && row.Sort != "purge" {
			t.Errorf("%v stays for ever", row)
		}
	}
	if found := others(t, w, gone, worldtest.Now); !reflect.DeepEqual(found, neighbours) {
		t.Errorf("the neighbours have %d rows and had %d: %v", len(found), len(neighbours), difference(neighbours, found))
	}
	var files []string
	for _, e := range worldtest.Exports(gone) {
		files = append(files, e.FileKey())
	}
	for _, key := range worldtest.DayFileKeys(gone) {
		files = append(files, "day:"+key)
	}
	slices.Sort(files)
	if done.Files != len(files) || !slices.Equal(slices.Sorted(maps.Keys(a.files)), files) {
		t.Errorf("the files %v are gone, want %v", a.files, files)
	}
	// Nothing was written since: the second look is the last.
	w.Clock.Freeze(last.Add(-time.Second))
	if done := look(t, w, gone, &a); !reflect.DeepEqual(done, purgestore.Purged{}) || len(due(t, w)) > 0 {
		t.Errorf("before its time: %+v", done)
	}
	w.Clock.Freeze(last)
	if done := look(t, w, gone, &a); done.Rows > 0 || !done.Over || a.groups != 2 {
		t.Errorf("the last look: %+v, %d groups", done, a.groups)
	}
	if found := kinds(worldtest.Left(t, w, gone)); !slices.Equal(found, []string{"core agc invitee", "counters agc made"}) {
		t.Errorf("left: %v", worldtest.Left(t, w, gone))
	}
	if found := others(t, w, gone, last); !reflect.DeepEqual(found, lasting) {
		t.Errorf("the neighbours differ: %v", difference(lasting, found))
	}
	if done := look(t, w, gone, &a); !reflect.DeepEqual(done, purgestore.Purged{}) {
		t.Errorf("once more: %+v", done)
	}
}

// difference names rows of one list that are not in the other as they are.
func difference(before, after []worldtest.Row) (differ []string) {
	for _, row := range before {
		if !slices.ContainsFunc(after, func(other worldtest.Row) bool { return reflect.DeepEqual(other, row) }) {
			differ = append(differ, row.String())
		}
	}
	return differ
}

// What was under way at the deletion and writes after the first look is found by another, an hour later, and then
// another until one has found nothing.
func TestPurgeFindsWhatCameLate(t *testing.T) {
	w := worldtest.NewWorld(t)
	ctx, gone := t.Context(), w.Main.ID
	worldtest.Fill(t, w, gone)
	run := w.BegunRun(t)
	remove(t, w, gone)
	var a aside
	look(t, w, gone, &a)
	// A collector, an ingest, an export, a request and a stage, all of which began before.
	if err := w.Store.AddTask(ctx,
		listenstore.Task{WorkspaceID: gone, KeywordID: 1, Source: "reddit", DueAt: worldtest.Now}); err != nil {
		t.Fatal(err)
	}
	if taken, err := w.Store.Ingest(ctx, gone, 1000, worldtest.Mentions(10)); err != nil || taken.Stored != 10 {
		t.Fatal(taken, err)
	}
	late := worldtest.Exports(gone)[1]
	late.ID = "exp_late"
	if ok, err := w.Store.PutExport(ctx, late); err != nil || !ok {
		t.Fatal(ok, err)
	}
	if _, err := w.Store.CreateKeyword(ctx, gone, keyword.Keyword{Text: "late"}, 10); err != nil {
		t.Fatal(err)
	}
	if ok, err := w.Store.SpendSurvey(ctx, run, 1, 10); err != nil || !ok {
		t.Fatal(ok, err)
	}
	later(w, time.Hour)
	if done := look(t, w, gone, &a); done.Rows < 20 || done.Over || !a.files[late.FileKey()] {
		t.Errorf("the second look: %+v %v", done, a.files)
	}
	if listed := worldtest.Left(t, w, gone); !slices.Equal(kinds(listed), []string{"core agc invitee", "core org purge"}) {
		t.Errorf("left: %v", listed)
	}
	later(w, time.Hour)
	if done := look(t, w, gone, &a); !done.Over {
		t.Errorf("the third look: %+v", done)
	}
}

// A look that finds nothing ends the purge an hour after the deletion, and no sooner.
func TestPurgeWaitsForWhatIsUnderWay(t *testing.T) {
	w := worldtest.NewWorld(t)
	remove(t, w, w.Main.ID)
	var a aside
	for _, minutes := range []int{0, 60} {
		w.Clock.Freeze(worldtest.Now.Add(time.Duration(minutes) * time.Minute))
		done := look(t, w, w.Main.ID, &a)
		if done.Over != (minutes == 60) || len(due(t, w)) != 0 {
			t.Errorf("after %d minutes: %+v", minutes, done)
		}
	}
}

// The group is asked for again until it is gone, more and more seldom, and the rest is gone meanwhile.
func TestPurgeOfARefusedGroup(t *testing.T) {
	w := worldtest.NewWorld(t)
	worldtest.Fill(t, w, w.Main.ID)
	remove(t, w, w.Main.ID)
	a := aside{fails: errors.New("no answer")}
	var pauses []time.Duration
	for range 10 {
		began := w.Clock.Now()
		if done := look(t, w, w.Main.ID, &a); done.Refused == nil || done.Group || done.Over {
			t.Fatalf("%+v", done)
		}
		for len(due(t, w)) == 0 {
			later(w, 10*time.Minute)
		}
		pauses = append(pauses, w.Clock.Now().Sub(began))
	}
	if want := "[10m0s 20m0s 40m0s 1h20m0s 2h40m0s 5h20m0s 10h40m0s 21h20m0s 24h0m0s 24h0m0s]"; fmt.Sprint(
		pauses) != want {
		t.Errorf("it was asked after %v, want %s", pauses, want)
	}
	if listed := worldtest.Left(t, w, w.Main.ID); !slices.Equal(kinds(listed), []string{"core agc invitee", "core org purge"}) {
		t.Errorf("left: %v", listed)
	}
	a.fails = nil
	if done := look(t, w, w.Main.ID, &a); !done.Over {
		t.Errorf("%+v", done)
	}
}

// A connection with Slack that cannot be taken away is an error, and is asked for again. The group goes meanwhile.
func TestPurgeOfAConnectionThatStays(t *testing.T) {
	w := worldtest.NewWorld(t)
	worldtest.Fill(t, w, w.Main.ID)
	remove(t, w, w.Main.ID)
	a := aside{stays: errors.New("no answer")}
	for failures := range int64(2) {
		done, err := w.Store.Purge(t.Context(), w.Main.ID, a.beside(), 0)
		if !errors.Is(err, a.stays) || !done.Group || done.Failures != failures+1 || done.Over {
			t.Errorf("%+v, %v", done, err)
		}
		later(w, time.Hour)
	}
	a.stays = nil
	if done := look(t, w, w.Main.ID, &a); !done.Over || a.connections != 3 {
		t.Errorf("%+v after %d calls", done, a.connections)
	}
}

// A workspace that is there is never purged, whatever says so; and none is made of which something is being taken away.
func TestPurgeTakesNothingOfWhatIsThere(t *testing.T) {
	w := worldtest.NewWorld(t)
	worldtest.Fill(t, w, w.Main.ID)
	before := worldtest.Rows(t, w)
	row := table.Item{
		table.PartitionAttribute: w.Main.ID,
		table.SortAttribute:      "purge",
		"work":                   "purge",
		"dueAt":                  "2026-11-20T10:00:00.000Z",
	}
	if err := w.Table.Put(t.Context(), table.Put{Table: rows.CoreTable, Item: row}); err != nil {
		t.Fatal(err)
	}
	var a aside
	if _, err := w.Store.Purge(t.Context(), w.Main.ID, a.beside(), 0); !errors.Is(err, purgestore.ErrNotPurged) ||
		a.groups > 0 {
		t.Errorf("%v, %d groups", err, a.groups)
	}
	if err := w.Table.Delete(t.Context(), table.Delete{Table: rows.CoreTable, Key: table.KeyOf(row)}); err != nil {
		t.Fatal(err)
	}
	if after := worldtest.Rows(t, w); !reflect.DeepEqual(after, before) {
		t.Errorf("it differs: %v", difference(before, after))
	}
	remove(t, w, w.Main.ID)
	again := workspace.Workspace{ID: w.Main.ID, Name: "Again", Plan: workspace.Pro, CreatedAt: worldtest.Now}
	for range 2 {
		if err := w.Store.CreateWorkspace(t.Context(), again); !errors.Is(err, store.ErrConflict) {
			t.Errorf("made while it is purged: %v", err)
		}
		look(t, w, w.Main.ID, &a)
	}
	later(w, time.Hour)
	if done := look(t, w, w.Main.ID, &a); !done.Over {
		t.Fatalf("%+v", done)
	}
	if err := w.Store.CreateWorkspace(t.Context(), again); err != nil {
		t.Errorf("made when nothing is left: %v", err)
	}
}

// A creation and the purge that is due of it meet, each at every operation of the other: the workspace is there with
// all that it was made with, or nothing is left of it, its place with the agency included.
func TestPurge_MeetsCreation(t *testing.T) {
	opened, lost := 0, 0
	meet := func(t *testing.T, step *faulttest.Step, purges bool) {
		w, ctx := worldtest.NewWorld(t), t.Context()
		w.Life.Counts = nil
		place, err := w.Store.ReserveWorkspace(ctx, w.Agency.ID, "request")
		worldtest.Must(t, err)
		if ids := due(t, w); slices.Contains(ids, place.WorkspaceID) {
			t.Fatal("a place is purged while it is kept")
		}
		w.Clock.Freeze(place.Until)
		var a aside
		var done purgestore.Purged
		create := func() error {
			_, err := w.Store.OpenWorkspace(ctx, place, workspace.Workspace{Name: "New", Plan: workspace.Pro},
				workspace.Company{Domain: "new.example"})
			return err
		}
		purge := func() (err error) {
			done, err = w.Store.Purge(ctx, place.WorkspaceID, a.beside(), 0)
			return err
		}
		var made, unpurged error
		if purges {
			unpurged, made = step.Come(w.Life, purge, create)
		} else {
			made, unpurged = step.Come(w.Life, create, purge)
		}
		worldtest.Must(t, unpurged)
		is, err := w.Store.AgencyWorkspace(ctx, w.Agency.ID, place.WorkspaceID)
		switch {
		case made == nil && err == nil:
			opened++
			if is.Domain != "new.example" || done != (purgestore.Purged{}) || a.groups > 0 ||
				slices.Contains(due(t, w), place.WorkspaceID) {
				t.Errorf("%+v was made, purged %+v, %d groups, %v are due", is, done, a.groups, due(t, w))
			}
			if places, err := w.Store.AgencyPlaces(ctx, w.Agency.ID); err != nil || places != 3 {
				t.Errorf("AgencyPlaces = %d, %v, want 3", places, err)
			}
			remove(t, w, place.WorkspaceID)
			look(t, w, place.WorkspaceID, &a)
		case errors.Is(made, workspacestore.ErrReservationLost) && errors.Is(err, store.ErrNotFound):
			lost++
			if a.groups != 1 {
				t.Errorf("the group was asked for %d times, want 1", a.groups)
			}
			if err := w.Store.AbandonWorkspace(ctx, place); err != nil && !errors.Is(err, workspacestore.ErrReservationLost) {
				t.Errorf("AbandonWorkspace = %v, want nil or ErrReservationLost", err)
			}
		default:
			t.Fatalf("OpenWorkspace = %v, AgencyWorkspace = %v", made, err)
		}
		later(w, time.Hour)
		if done := look(t, w, place.WorkspaceID, &a); !done.Over {
			t.Errorf("Purge an hour later = %+v, want over", done)
		}
		for _, row := range worldtest.Left(t, w, place.WorkspaceID) {
			if row.Item[table.ExpiryAttribute] == nil { // what the request made is noted for a day
				t.Errorf("%v is left", row)
			}
		}
		if places, err := w.Store.AgencyPlaces(ctx, w.Agency.ID); err != nil || places != 2 {
			t.Errorf("AgencyPlaces = %d, %v, want 2", places, err)
		}
	}
	t.Run("a purge comes", func(t *testing.T) {
		faulttest.EachStep(t, 1, func(t *testing.T, step *faulttest.Step) { meet(t, step, false) })
	})
	t.Run("a creation comes", func(t *testing.T) {
		faulttest.EachStep(t, 5, func(t *testing.T, step *faulttest.Step) { meet(t, step, true) })
	})
	if opened < 4 || lost < 4 {
		t.Errorf("%d were made and %d lost: they hardly meet", opened, lost)
	}
}

// A call that outlives its lease does not change what the call after it has scheduled.
func TestPurge_LeaseOver(t *testing.T) {
	w := worldtest.NewWorld(t)
	worldtest.Fill(t, w, w.Main.ID)
	remove(t, w, w.Main.ID)
	dueAt := func() string {
		t.Helper()
		row, err := w.Store.Get(t.Context(), rows.CoreTable, rows.PurgeKey(w.Main.ID))
		worldtest.Must(t, err)
		return rows.Text(row, rows.AttrDueAt)
	}
	var slow, next aside
	beside := slow.beside()
	scheduled := ""
	beside.Group = func(context.Context, string) error {
		later(w, 10*time.Minute) // the lease
		look(t, w, w.Main.ID, &next)
		scheduled = dueAt()
		later(w, time.Minute)
		return nil
	}
	_, err := w.Store.Purge(t.Context(), w.Main.ID, beside, 0)
	worldtest.Must(t, err)
	if next.groups != 1 || scheduled == "" {
		t.Fatalf("the second call asked for %d groups and scheduled %q, want 1 and a time", next.groups, scheduled)
	}
	if got := dueAt(); got != scheduled {
		t.Errorf("the next look is due at %s, want %s as the second call scheduled it", got, scheduled)
	}
}

// Several at once do the work once.
func TestPurgeAtOnce(t *testing.T) {
	w := worldtest.NewWorld(t)
	worldtest.Fill(t, w, w.Main.ID)
	remove(t, w, w.Main.ID)
	var mu sync.Mutex
	looked := 0
	faulttest.AtOnce(8, func(int) {
		var a aside
		done := look(t, w, w.Main.ID, &a)
		mu.Lock()
		defer mu.Unlock()
		if !reflect.DeepEqual(done, purgestore.Purged{}) {
			looked++
		}
	})
	if looked != 1 {
		t.Errorf("%d have looked", looked)
	}
}

// A table that is asked for too much is asked for less at once; one that takes nothing is left alone for a while, and
// so is one that fails.
func TestPurgeOfATableThatThrottles(t *testing.T) {
	w := worldtest.NewWorld(t)
	worldtest.Fill(t, w, w.Main.ID)
	remove(t, w, w.Main.ID)
	fail := func(kind fault.Kind, times int) {
		t.Helper()
		w.Fault(fault.Fault{Port: fault.TablePort, Operation: "delete", Fault: kind, Times: times})
	}
	var a aside
	for pass, kind := range []fault.Kind{fault.Throttle, fault.Error} {
		fail(kind, 0)
		if _, err := w.Store.Purge(t.Context(), w.Main.ID, a.beside(), 0); err == nil {
			t.Error("it did what cannot be done")
		}
		w.Faults.Clear()
		if ids := due(t, w); len(ids) > 0 {
			t.Errorf("it is due at once: %v", ids)
		}
		later(w, 10*time.Minute<<pass)
		if ids := due(t, w); len(ids) != 1 {
			t.Errorf("%v are due after the pause", ids)
		}
	}
	fail(fault.Throttle, 19) // all four attempts at a row while sixteen at once, eight, four and two are tried, and three more
	if done := look(t, w, w.Main.ID, &a); done.Rows == 0 || !done.Group {
		t.Errorf("%+v", done)
	}
}

// Pages that are shorter than asked, and an index that lags, cost time and nothing else.
func TestPurgeOfATableThatMisbehaves(t *testing.T) {
	w := worldtest.NewWorld(t)
	embedded, ok := w.Table.(*sqlitetable.Table)
	if !ok {
		t.Skip("a server does not misbehave as it is told")
	}
	worldtest.Fill(t, w, w.Main.ID)
	worldtest.Fill(t, w, w.Other.ID)
	remove(t, w, w.Main.ID)
	neighbour := others(t, w, w.Main.ID, worldtest.Now)
	misbehave := func(how sqlitetable.Misbehave) {
		t.Helper()
		if err := embedded.Misbehave(how); err != nil {
			t.Fatal(err)
		}
	}
	misbehave(sqlitetable.Misbehave{PageRows: 3, BatchReads: 1, IndexLag: true})
	var a aside
	look(t, w, w.Main.ID, &a)
	if ids := due(t, w); len(ids) != 0 { // the index says that it is
		t.Errorf("%v are due", ids)
	}
	later(w, time.Hour)
	if done := look(t, w, w.Main.ID, &a); !done.Over {
		t.Errorf("%+v", done)
	}
	w.Clock.Freeze(worldtest.Now)
	misbehave(sqlitetable.Misbehave{})
	if listed := worldtest.Left(t, w, w.Main.ID); !slices.Equal(kinds(listed),
		[]string{"core agc invitee", "counters upgrade link"}) {
		t.Errorf("left: %v", listed)
	}
	if found := others(t, w, w.Main.ID, worldtest.Now); !reflect.DeepEqual(found, neighbour) {
		t.Errorf("the neighbour differs: %v", difference(neighbour, found))
	}
}

// A workspace of 10,000 mentions takes its turns, behind others that are due; how much each row costs.
func TestPurgeOfManyMentions(t *testing.T) {
	w := worldtest.NewWorld(t)
	many := 10_000
	if testing.Short() {
		many = 6_000
	}
	body := strings.Repeat("northwind paged me ", 50)
	var mentions []mention.Mention
	for n := range many {
		m := worldtest.Mention(0, fmt.Sprint("post", n), worldtest.Now.Add(-time.Duration(n)*time.Millisecond))
		m.Body = &body
		mentions = append(mentions, m)
	}
	if taken, err := w.Store.Ingest(t.Context(), w.Main.ID, many, mentions); err != nil || taken.Stored != many {
		t.Fatalf("%+v", taken)
	}
	remove(t, w, w.Main.ID)
	later(w, time.Second)
	remove(t, w, w.Other.ID)
	later(w, time.Second)
	ctx, meter := table.WithMeter(t.Context())
	var a aside
	calls, listed := 0, 0
	for more := true; more; {
		done, err := w.Store.Purge(ctx, w.Main.ID, a.beside(), 0)
		if err != nil {
			t.Fatal(err)
		}
		calls, listed, more = calls+1, listed+done.Rows, done.More
		if done.Rows > 5_100 {
			t.Errorf("%d rows in one call", done.Rows)
		}
		if later(w, time.Millisecond); more && calls == 1 && !slices.Equal(due(t, w), []string{w.Other.ID, w.Main.ID}) {
			t.Errorf("due are %v", due(t, w))
		}
	}
	used := meter.Total()
	t.Logf("%d rows in %d calls: %d round trips to read and %d to write, %.2f read and %.2f write units a row", listed,
		calls, used.Reads, used.Writes,
		used.ReadUnits/float64(listed), used.WriteUnits/float64(listed))
	if listed < many || calls < 2 || used.Reads+used.Writes > listed+listed/50 || used.WriteUnits > 5.1*float64(listed) ||
		used.ReadUnits > float64(listed) {
		t.Errorf("%d rows, %d calls, %+v", listed, calls, used)
	}
	if left := worldtest.Left(t, w, w.Main.ID); len(left) != 1 {
		t.Errorf("%d rows are left", len(left))
	}
}

// Why rows go by single deletes: as parts of a transaction they would cost twice as much of the table.
func TestDeletesOfATransactionCostMore(t *testing.T) {
	w := worldtest.NewWorld(t)
	if _, err := w.Store.Ingest(t.Context(), w.Main.ID, 1000, worldtest.Mentions(table.MaxTransaction)); err != nil {
		t.Fatal(err)
	}
	page, err := w.Table.Query(t.Context(), table.Query{Table: rows.MentionsTable, Partition: w.Main.ID, Consistent: true})
	if err != nil || len(page.Items) != table.MaxTransaction {
		t.Fatal(len(page.Items), err)
	}
	single, singles := table.WithMeter(t.Context())
	together, transaction := table.WithMeter(t.Context())
	var deletes []table.Write
	for _, row := range page.Items {
		del := table.Delete{Table: rows.MentionsTable, Key: table.KeyOf(row)}
		deletes = append(deletes, del)
		if err := w.Table.Delete(single, del); err != nil {
			t.Fatal(err)
		}
		if err := w.Table.Put(t.Context(), table.Put{Table: rows.MentionsTable, Item: row}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Table.Transact(together, table.Transaction{Writes: deletes}); err != nil {
		t.Fatal(err)
	}
	one, all := singles.Total(), transaction.Total()
	t.Logf("%d mentions: %v write units in %d round trips, or %v in %d", len(deletes), one.WriteUnits, one.Writes,
		all.WriteUnits, all.Writes)
	if one.WriteUnits >= all.WriteUnits {
		t.Errorf("%v and %v", one.WriteUnits, all.WriteUnits)
	}
}

// Where no time is left nothing is begun, and the next call goes on.
func TestPurgeWithoutTime(t *testing.T) {
	w := worldtest.NewWorld(t)
	worldtest.Fill(t, w, w.Main.ID)
	remove(t, w, w.Main.ID)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var a aside
	if done, err := w.Store.Purge(ctx, w.Main.ID, a.beside(), time.Hour); err != nil || !done.More || a.groups > 0 {
		t.Fatalf("%+v %v", done, err)
	}
	later(w, time.Millisecond)
	if ids := due(t, w); len(ids) != 1 {
		t.Fatalf("%v are due", ids)
	}
	if done := look(t, w, w.Main.ID, &a); done.Rows == 0 || done.More || !done.Group {
		t.Errorf("%+v", done)
	}
}
