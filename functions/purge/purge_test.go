package purge_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"earshot/events"
	"earshot/functions/purge"
	"earshot/shared/embedded/fault"
	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/embedded/foldersecret"
	"earshot/shared/keyword"
	"earshot/shared/member"
	"earshot/shared/outbound"
	"earshot/shared/outbound/slack"
	"earshot/shared/port/blob"
	"earshot/shared/port/table"
	"earshot/shared/store/listenstore"
	"earshot/shared/store/mentionstore"
	"earshot/shared/store/purgestore"
	"earshot/shared/worker"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

var must = worldtest.Must

// A world is a World with the function's log, and with a Slack that revokes tokens.
type world struct {
	*worldtest.World
	log     bytes.Buffer
	secrets foldersecret.Store
	slack   *slack.Slack
	revoked []string // the authorizations that Slack was sent
}

func newWorld(t *testing.T) *world {
	w := &world{World: worldtest.NewWorld(t), secrets: foldersecret.New(t.TempDir())}
	server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, in *http.Request) {
		w.revoked = append(w.revoked, in.URL.Path+" "+in.Header.Get("Authorization"))
		io.WriteString(out, `{"ok":true,"revoked":true}`)
	}))
	t.Cleanup(server.Close)
	w.slack = slack.New(slack.Options{
		Client: outbound.New(outbound.Options{AnyHost: true}), Secrets: w.secrets, Writer: w.secrets, Clock: w.Clock,
		BaseURL: server.URL,
	})
	return w
}

// connect gives a workspace a token of Slack.
func (w *world) connect(t *testing.T, orgID, token string) {
	t.Helper()
	must(t, w.secrets.Put(t.Context(), slack.SecretName(orgID), token))
}

// token returns the token of a workspace.
func (w *world) token(t *testing.T, orgID string) string {
	t.Helper()
	name := slack.SecretName(orgID)
	found, err := w.secrets.Get(t.Context(), name)
	must(t, err)
	return found[name]
}

// handler is the Lambda's.
func (w *world) handler(stored purge.Store) worker.ScheduleHandler {
	log := slog.New(slog.NewJSONHandler(&w.log, nil))
	return purge.Handler(worker.Options{Function: purge.Group, Log: log, Clock: w.Clock}, purge.Options{
		Store:     stored,
		Files:     w.Blob(),
		Directory: w.Directory(),
		Slack:     w.slack,
		Log:       log,
	})
}

// run calls the function as its schedule does.
func (w *world) run(t *testing.T) error {
	t.Helper()
	sample, err := events.Open(purge.Group, "tick")
	must(t, err)
	return w.handler(w.Store)(t.Context(), sample.Payload)
}

// counts are those of the last record.
func (w *world) counts(t *testing.T) map[string]int {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(w.log.String()), "\n")
	var record struct{ Counts map[string]int }
	must(t, json.Unmarshal([]byte(lines[len(lines)-1]), &record))
	return record.Counts
}

// give puts something into a workspace, with files, and a person into its group.
func (w *world) give(t *testing.T, orgID, accountID string) {
	t.Helper()
	ctx := t.Context()
	k, err := w.Store.CreateKeyword(ctx, orgID, keyword.Keyword{Text: "northwind"}, 10)
	must(t, err)
	must(t, w.Store.AddTask(ctx,
		listenstore.Task{WorkspaceID: orgID, KeywordID: k.ID, Source: "hackernews", DueAt: worldtest.Now}))
	w.Put(t, orgID, worldtest.Mention(1, "post1", worldtest.Now.Add(-time.Hour)),
		worldtest.Mention(2, "post2", worldtest.Now.AddDate(-1, 0, 0)))
	_, _, err = w.Store.Archive(ctx, orgID, 0)
	must(t, err)
	_, err = w.Store.AddMember(ctx, orgID,
		member.Member{Email: "first@northwind.example", Role: member.Admin, AccountID: accountID})
	must(t, err)
	for _, e := range worldtest.Exports(orgID) {
		_, err := w.Store.PutExport(ctx, e)
		must(t, err)
		content := strings.NewReader("id\n")
		must(t, w.Files().Put(ctx, e.FileKey(),
			blob.File{Content: content, Size: 3, ContentType: "text/csv", Name: "export.csv"}))
	}
	must(t, w.People().Join(ctx, orgID, accountID))
}

func (w *world) remove(t *testing.T, orgID string) {
	t.Helper()
	must(t, w.Store.DeleteWorkspace(t.Context(), orgID))
}

func (w *world) signUp(t *testing.T) string {
	t.Helper()
	account, _, err := w.People().SignUp(t.Context(), "first@northwind.example", "First")
	must(t, err)
	return account.ID
}

// beside says which of the files and groups of workspaces are there.
func (w *world) beside(t *testing.T, orgIDs ...string) (files int, groups []string) {
	t.Helper()
	for _, id := range orgIDs {
		for _, e := range worldtest.Exports(id) {
			file, err := w.Files().Get(t.Context(), e.FileKey())
			if err == nil {
				files++
				io.Copy(io.Discard, file)
				file.Close()
			}
		}
	}
	people, err := w.People().List(t.Context(), 10)
	must(t, err)
	for _, person := range people {
		groups = append(groups, person.Groups...)
	}
	slices.Sort(groups)
	return files, groups
}

// Rows, files, groups and tokens of Slack of deleted workspaces are gone after one call, and their neighbour has its own.
// An hour later nobody looks again.
func TestPurge(t *testing.T) {
	w := newWorld(t)
	account := w.signUp(t)
	for _, id := range []string{w.Main.ID, w.Other.ID, w.Member.ID} {
		w.give(t, id, account)
	}
	w.connect(t, w.Main.ID, "xoxb-gone")
	w.connect(t, w.Other.ID, "xoxb-stays")
	must(t, w.run(t))
	if counts := w.counts(t); len(counts) > 0 {
		t.Errorf("with nothing to do: %v", counts)
	}
	w.remove(t, w.Main.ID)
	w.remove(t, w.Member.ID)
	must(t, w.run(t))
	counts := w.counts(t)
	if counts["deleted"] < 40 || counts["files"] != 4 || counts["groups"] != 2 || counts["workspaces"] != 0 ||
		counts["refused"] != 0 {
		t.Errorf("%v", counts)
	}
	files, groups := w.beside(t, w.Main.ID, w.Member.ID)
	if kept, _ := w.beside(t, w.Other.ID); files != 0 || kept != 2 || !slices.Equal(groups, []string{w.Other.ID}) {
		t.Errorf("%d files are left, %d of the neighbour's; groups: %v", files, kept, groups)
	}
	if gone, stays := w.token(t, w.Main.ID), w.token(t, w.Other.ID); gone != "" || stays != "xoxb-stays" ||
		!slices.Equal(w.revoked, []string{"/auth.revoke Bearer xoxb-gone"}) {
		t.Errorf("tokens %q and %q after %q", gone, stays, w.revoked)
	}
	w.Clock.Freeze(worldtest.Now.Add(time.Hour))
	must(t, w.run(t))
	if counts := w.counts(t); counts["workspaces"] != 2 || counts["deleted"] != 0 {
		t.Errorf("%v", counts)
	}
	for _, id := range []string{w.Main.ID, w.Member.ID} {
		if left := worldtest.Left(t, w.World, id); len(left) > 0 {
			t.Errorf("left: %v", left)
		}
	}
	if page, err := w.Store.Mentions(t.Context(),
		mentionstore.MentionsQuery{WorkspaceID: w.Other.ID, All: true, Limit: 10}); err != nil || len(page.Mentions) != 2 {
		t.Errorf("the neighbour has %d mentions: %v", len(page.Mentions), err)
	}
}

// A group that the provider does not take away is told of, and asked for again; no address is in the log.
func TestRefusedGroup(t *testing.T) {
	w := newWorld(t)
	w.give(t, w.Main.ID, w.signUp(t))
	w.remove(t, w.Main.ID)
	w.Fault(fault.Fault{Port: fault.IdentityPort, Operation: "deleteGroup", Fault: fault.Error, Times: 1})
	must(t, w.run(t))
	counts := w.counts(t)
	if log := w.log.String(); counts["refused"] != 1 || counts["groups"] != 0 || !strings.Contains(log, "WARN") ||
		!strings.Contains(log, w.Main.ID) ||
		strings.Contains(log, "northwind") {
		t.Errorf("%v: %s", counts, log)
	}
	if _, groups := w.beside(t); len(groups) != 1 {
		t.Errorf("%v", groups)
	}
	for _, at := range []time.Duration{10 * time.Minute, 70 * time.Minute} {
		w.Clock.Freeze(worldtest.Now.Add(at))
		must(t, w.run(t))
	}
	if _, groups := w.beside(t); w.counts(t)["workspaces"] != 1 || len(groups) != 0 {
		t.Errorf("%v, %v", w.counts(t), groups)
	}
}

// A group that is refused again and again is an error, so that an alarm tells of it, until it is gone.
func TestGroupThatIsRefusedForLong(t *testing.T) {
	w := newWorld(t)
	w.give(t, w.Main.ID, w.signUp(t))
	w.remove(t, w.Main.ID)
	w.Fault(fault.Fault{Port: fault.IdentityPort, Operation: "deleteGroup", Fault: fault.Error, Times: 4})
	for refusals, at := range []time.Duration{0, 10 * time.Minute, 30 * time.Minute, 70 * time.Minute, 150 * time.Minute} {
		w.Clock.Freeze(worldtest.Now.Add(at))
		if err := w.run(t); (err != nil) != (refusals == 2 || refusals == 3) {
			t.Errorf("after %s: %v", at, err)
		}
		if over := w.counts(t)["workspaces"] == 1; over != (refusals == 4) {
			t.Errorf("after %s it is over: %t", at, over)
		}
	}
}

// A purge that is killed at any operation of any port, on either side of it, is finished by the calls that follow:
// nothing is left, and the neighbour is untouched.
func TestPurge_KilledAnywhere(t *testing.T) {
	w := newWorld(t)
	w.Life.Counts = nil
	account := w.signUp(t)
	w.give(t, w.Other.ID, account)
	neighbour := fmt.Sprint(items(worldtest.Left(t, w.World, w.Other.ID)))
	faulttest.EachStep(t, 39, func(t *testing.T, step *faulttest.Step) {
		w.Clock.Freeze(worldtest.Now)
		gone := workspace.NewID(workspace.PrefixWorkspace, worldtest.Now)
		must(t, w.Store.CreateWorkspace(t.Context(),
			workspace.Workspace{ID: gone, Plan: workspace.Pro, CreatedAt: worldtest.Now}))
		w.give(t, gone, account)
		w.remove(t, gone)
		finish := func() error {
			for range 20 {
				if err := w.run(t); err != nil || len(worldtest.Left(t, w.World, gone)) == 0 {
					return err
				}
				w.Clock.Freeze(w.Clock.Now().Add(10 * time.Minute)) // when the schedule calls again
			}
			return fmt.Errorf("it does not end: %v", worldtest.Left(t, w.World, gone))
		}
		if err := step.Die(t, w.Life, finish); err != nil {
			w.Clock.Freeze(w.Clock.Now().Add(10 * time.Minute))
			must(t, finish())
		}
		if files, groups := w.beside(t, gone); files > 0 || !slices.Equal(groups, []string{w.Other.ID}) {
			t.Errorf("%d files, groups %v, want the neighbour's alone", files, groups)
		}
		if after := fmt.Sprint(items(worldtest.Left(t, w.World, w.Other.ID))); after != neighbour {
			t.Errorf("the neighbour has %s, want %s", after, neighbour)
		}
	})
}

func items(rows []worldtest.Row) (items []table.Item) {
	for _, row := range rows {
		items = append(items, row.Item)
	}
	return items
}

// scripted stands for a store with purges of so many shares each; who is bad fails, who is worse panics.
type scripted struct {
	due        []string
	shares     map[string]int
	bad, worse string
	seen       []string
	end        func(seen int)
}

func (s *scripted) Purges(context.Context, int) ([]string, error) { return slices.Clone(s.due), nil }

func (s *scripted) Purge(_ context.Context, orgID string, _ purgestore.Beside, _ time.Duration) (purgestore.Purged, error) {
	s.seen = append(s.seen, orgID)
	if s.end != nil {
		s.end(len(s.seen))
	}
	if orgID == s.worse {
		panic("no row")
	}
	s.due = slices.DeleteFunc(s.due, func(id string) bool { return id == orgID })
	if orgID == s.bad {
		return purgestore.Purged{}, errors.New("no answer")
	}
	s.shares[orgID]--
	if more := s.shares[orgID] > 0; more {
		s.due = append(s.due, orgID)
		return purgestore.Purged{Rows: 5000, More: true}, nil
	}
	return purgestore.Purged{Rows: 1}, nil
}

// One with much to take away has its turns beside the others; one that fails, or makes it panic, keeps nobody.
func TestTurns(t *testing.T) {
	w := newWorld(t)
	s := &scripted{due: []string{"big", "bad", "small", "worse", "last"}, bad: "bad", worse: "worse",
		shares: map[string]int{"big": 3, "small": 1, "last": 2}}
	err := w.handler(s)(t.Context(), nil)
	if err == nil || !strings.Contains(err.Error(), "panicked") {
		t.Error(err)
	}
	if got := fmt.Sprint(s.seen); got != "[big bad small worse last big last big]" {
		t.Error(got)
	}
	s = &scripted{due: []string{"bad", "small"}, bad: "bad", shares: map[string]int{}}
	if err := w.handler(s)(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "purge bad: no answer") ||
		len(s.seen) != 2 {
		t.Errorf("%v, %v", s.seen, err)
	}
}

// ending is an invocation whose time is over at once when somebody says so.
type ending struct {
	context.Context
	over *bool
}

func (e ending) Deadline() (time.Time, bool) { return time.Now().Add(time.Second), *e.over }

// When the time is over nothing is begun, and what is left is counted: those that have more, and those that had no turn.
func TestNoTimeLeft(t *testing.T) {
	w := newWorld(t)
	log := slog.New(slog.NewJSONHandler(&w.log, nil))
	for seen, want := range map[int]int{0: 3, 1: 3, 2: 2} {
		over := seen == 0
		s := &scripted{
			due:    []string{"big", "second", "third"},
			shares: map[string]int{"big": 100},
			end:    func(n int) { over = n == seen },
		}
		handle := worker.Schedule(worker.Options{Function: purge.Group, Log: log, Clock: w.Clock},
			func(ctx context.Context, _ worker.Tick) error {
				return purge.Run(ending{ctx, &over},
					purge.Options{Store: s, Files: w.Files(), Directory: w.People(), Slack: w.slack, Log: log})
			})
		must(t, handle(t.Context(), nil))
		if got := w.counts(t)["unfinished"]; len(s.seen) != seen || got != want {
			t.Errorf("%v, %d are left, want %d", s.seen, got, want)
		}
	}
}
