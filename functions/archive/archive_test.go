package archive_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"earshot/functions/archive"
	"earshot/shared/embedded/fault"
	"earshot/shared/keyword"
	"earshot/shared/port/table"
	"earshot/shared/store/allstores"
	"earshot/shared/store/mentionstore"
	"earshot/shared/store/rows"
	"earshot/shared/worker"
	"earshot/shared/worldtest"
)

var must = worldtest.Must

const day = 24 * time.Hour

// newWorld has mentions of all ages in two workspaces, a third of which are more than 180 days old.
func newWorld(t *testing.T) *worldtest.World {
	w := worldtest.NewWorld(t)
	for _, org := range []string{w.Main.ID, w.Other.ID} {
		_, err := w.Store.CreateKeyword(t.Context(), org, keyword.Keyword{Text: "northwind"}, 10)
		must(t, err)
		for n := range 30 {
			w.Put(t, org, worldtest.Mention(int64(n+1), fmt.Sprint("post", n),
				worldtest.Now.Add(-time.Duration(n)*9*day-3*time.Hour)))
		}
	}
	return w
}

// handler is the Lambda's, with its log.
func handler(w *worldtest.World, stored archive.Store) (worker.ScheduleHandler, *bytes.Buffer) {
	log := &bytes.Buffer{}
	return archive.Handler(worker.Options{
		Function: archive.Group,
		Log:      slog.New(slog.NewJSONHandler(log, nil)),
		Clock:    w.Clock,
	}, stored), log
}

func counted(t *testing.T, log *bytes.Buffer, want string) {
	t.Helper()
	var record struct{ Counts json.RawMessage }
	must(t, json.Unmarshal(log.Bytes(), &record))
	if string(record.Counts) != want {
		t.Errorf("counted %s, want %s", record.Counts, want)
	}
	log.Reset()
}

// readable says whether every mention is found, by its sourceId, its id and in the list.
func readable(t *testing.T, w *worldtest.World, orgID string) {
	t.Helper()
	listed, page := 0, mentionstore.MentionsPage{}
	for {
		var err error
		page, err = w.Store.Mentions(t.Context(),
			mentionstore.MentionsQuery{WorkspaceID: orgID, All: true, Limit: 100, After: page.Next})
		must(t, err)
		if listed += len(page.Mentions); page.Next == "" {
			break
		}
	}
	if listed != 30 {
		t.Errorf("%d are listed", listed)
	}
	for n := range 30 {
		m, err := w.Store.Mention(t.Context(), orgID, fmt.Sprint("post", n))
		must(t, err)
		if m, err = w.Store.MentionByID(t.Context(), orgID, m.ID); err != nil || m.SourceID != fmt.Sprint("post", n) {
			t.Error(n, err)
		}
	}
}

// in counts a table's rows of a workspace.
func in(t *testing.T, w *worldtest.World, name, orgID string) int {
	t.Helper()
	page, err := w.Table.Query(t.Context(), table.Query{Table: name, Partition: orgID, Consistent: true})
	must(t, err)
	return len(page.Items)
}

// Old mentions are copied in one hour and moved in the next; readers find all of them at every moment.
func TestArchive(t *testing.T) {
	w := newWorld(t)
	run, log := handler(w, w.Store)
	for hour, want := range []string{`{"copied":20,"moved":0}`, `{"copied":0,"moved":20}`, `{"copied":0,"moved":0}`} {
		w.Clock.Freeze(worldtest.Now.Add(time.Duration(hour) * 61 * time.Minute))
		must(t, run(t.Context(), json.RawMessage(`{}`)))
		counted(t, log, want)
		readable(t, w, w.Main.ID)
		readable(t, w, w.Other.ID)
	}
	if old, recent := in(t, w, rows.ArchiveTable, w.Main.ID), in(t, w, rows.MentionsTable, w.Main.ID); old != 10 ||
		recent != 20 {
		t.Errorf("%d and %d rows", old, recent)
	}
}

// Killed by a crash of the store at each of its operations, it goes on the next time.
func TestKilled(t *testing.T) {
	w := newWorld(t)
	for pass := range 40 {
		w.Fault(fault.Fault{
			Port:      fault.TablePort,
			Operation: []string{"transact", "batchGet", "query"}[pass%3],
			Fault:     fault.Crash,
			Times:     1,
		})
		run, _ := handler(w, w.Store)
		if err := run(t.Context(), nil); err == nil && pass < 10 {
			t.Error("it was not killed")
		}
		w.Faults.Clear()
		readable(t, w, w.Main.ID)
		w.Clock.Freeze(w.Clock.Now().Add(61 * time.Minute))
	}
	run, _ := handler(w, w.Store)
	for range 3 {
		must(t, run(t.Context(), nil))
		w.Clock.Freeze(w.Clock.Now().Add(61 * time.Minute))
	}
	for _, org := range []string{w.Main.ID, w.Other.ID} {
		if readable(t, w, org); in(t, w, rows.MentionsTable, org) > 20 {
			t.Errorf("%d rows are left", in(t, w, rows.MentionsTable, org))
		}
	}
}

// scripted stands for a store whose workspaces are too much for one invocation, or fail.
type scripted struct {
	*allstores.Store
	room int // workspaces that an invocation can finish
	bad  string
	seen []string

	gathered []string
}

func (s *scripted) Archive(_ context.Context, orgID string, _ time.Duration) (mentionstore.Archived, bool, error) {
	if orgID == s.bad {
		return mentionstore.Archived{}, false, errors.New("no answer")
	}
	s.seen = append(s.seen, orgID)
	return mentionstore.Archived{}, len(s.seen) < s.room, nil
}

// GatherTerms notes whose terms were gathered.
func (s *scripted) GatherTerms(_ context.Context, orgID string, _ time.Duration) (mentionstore.GatheredTerms, bool, error) {
	s.gathered = append(s.gathered, orgID)
	return mentionstore.GatheredTerms{}, true, nil
}

// The terms of each workspace are gathered once a day, whichever workspace fails to be archived.
func TestRun_GathersTermsDaily(t *testing.T) {
	w := newWorld(t)
	for _, bad := range []string{"", w.Main.ID} {
		gathered := map[string]int{}
		for hour := range 24 {
			s := &scripted{Store: w.Store, room: 5, bad: bad}
			w.Clock.Freeze(worldtest.Now.Add(time.Duration(hour) * time.Hour))
			run, _ := handler(w, s)
			if err := run(t.Context(), nil); (err != nil) != (bad != "") {
				t.Fatal(err)
			}
			for _, id := range s.gathered {
				gathered[id]++
			}
		}
		if len(gathered) != 2 || gathered[w.Main.ID] != 1 || gathered[w.Other.ID] != 1 {
			t.Errorf("with %q failing, terms were gathered so often: %v, want once a day each", bad, gathered)
		}
	}
}

// Whoever had no time in one hour is the first in another; one that fails stops nobody.
func TestOthersGoOn(t *testing.T) {
	w := newWorld(t)
	first := map[string]bool{}
	for hour := range 2 {
		s := &scripted{Store: w.Store, room: 1}
		w.Clock.Freeze(worldtest.Now.Add(time.Duration(hour) * time.Hour))
		run, log := handler(w, s)
		must(t, run(t.Context(), nil))
		if len(s.seen) != 1 {
			t.Errorf("%v", s.seen)
		}
		first[s.seen[0]] = true
		counted(t, log, `{"copied":0,"moved":0,"unfinished":2}`)
	}
	if len(first) != 2 {
		t.Errorf("%v are the only ones", first)
	}
	s := &scripted{Store: w.Store, room: 5, bad: w.Main.ID}
	run, _ := handler(w, s)
	if err := run(t.Context(), nil); err == nil || !strings.Contains(err.Error(), w.Main.ID) || len(s.seen) != 1 {
		t.Errorf("%v %v", s.seen, err)
	}
}
