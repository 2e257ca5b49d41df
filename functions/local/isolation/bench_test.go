package isolation_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"earshot/functions/discovery"
	"earshot/functions/local/apigateway"
	"earshot/functions/local/deployment"
	"earshot/shared/delivery"
	"earshot/shared/embedded/diskblob"
	"earshot/shared/embedded/outboxmail"
	"earshot/shared/embedded/sqliteidentity"
	"earshot/shared/embedded/sqlitetable"
	"earshot/shared/feed"
	"earshot/shared/port/clock"
	"earshot/shared/port/queue"
	"earshot/shared/port/table"
	"earshot/shared/store/allstores"
	"earshot/shared/store/rows"
	"earshot/shared/worker"
	"earshot/shared/worldtest"
)

// A bench is the whole API in front of the files of one folder, as the workbench puts it together, but for changes. Its
// clock stands at worldtest.Now.
type bench struct {
	deployment.Parts
	folder string
	api    http.Handler
	table  *sqlitetable.Table
	people *sqliteidentity.Directory
	mails  *outboxmail.Outbox
	files  *diskblob.Blob
	clock  *clock.Adjustable
	sent   *outbox
	meter  *meter
	close  func()
}

func open(t testing.TB, folder string, changes ...func(*bench)) *bench {
	t.Helper()
	b := &bench{folder: folder, clock: &clock.Adjustable{}, sent: &outbox{}, meter: &meter{t: t}}
	b.clock.Freeze(worldtest.Now)
	var err error
	b.table, err = sqlitetable.Open(filepath.Join(folder, "earshot.db"), rows.Schemas(),
		sqlitetable.Options{Clock: b.clock})
	must(t, err)
	b.people, err = sqliteidentity.Open(filepath.Join(folder, "identity.db"), b.clock)
	must(t, err)
	b.mails, err = outboxmail.Open(filepath.Join(folder, "mail.db"), b.clock)
	must(t, err)
	b.files, err = diskblob.Open(filepath.Join(folder, "files"), "http://127.0.0.1:8080", b.clock)
	must(t, err)
	b.close = sync.OnceFunc(func() {
		for _, c := range []interface{ Close() error }{b.table, b.people, b.mails} {
			must(t, c.Close())
		}
	})
	t.Cleanup(b.close)
	b.Parts = deployment.Parts{
		Store:     allstores.New(table.Retrying(b.table), b.clock),
		Queue:     b.sent,
		Blob:      b.files,
		Mail:      b.mails,
		Identity:  b.people,
		Clock:     b.clock,
		SignUpURL: "https://people.example/signup",
		Slack:     slack{b.sent},
		Webhook:   webhook{b.sent},
		Setup:     deployment.Setup{Flow: b.sent},
		Log:       slog.New(b.meter),
		Quiet:     slog.New(slog.DiscardHandler),
		Lookup: func(context.Context, string) ([]netip.Addr, error) {
			return []netip.Addr{netip.MustParseAddr("93.184.216.34")}, nil
		},
	}
	for _, change := range changes {
		change(b)
	}
	routes, err := deployment.Routes(discovery.OpenAPI(), deployment.Functions(b.Parts))
	must(t, err)
	b.api = apigateway.New(routes, apigateway.Options{Clock: b.clock, Log: b.Log})
	return b
}

// twins are two benches that are the same to the last byte.
func twins(t testing.TB, folder string) (here, there *bench) {
	t.Helper()
	copied := func() *bench {
		to := t.TempDir()
		must(t, os.CopyFS(to, os.DirFS(folder)))
		return open(t, to)
	}
	return copied(), copied()
}

// A request is what a client sends. org is what the header names, for a master key.
type request struct {
	method, target, body string
	token, org, once     string
	header               http.Header // others
}

// An answer is what came back, and what it cost of the store.
type answer struct {
	status        int
	header        http.Header
	body          string
	reads, writes int64
}

func (b *bench) send(t testing.TB, r request) answer {
	t.Helper()
	sent := httptest.NewRequest(r.method, r.target, strings.NewReader(r.body))
	for name, value := range map[string]string{
		"Authorization": "Bearer " + r.token, "x-earshot-organization-id": r.org, "Idempotency-Key": r.once} {
		if value != "" {
			sent.Header.Set(name, value)
		}
	}
	if r.body != "" {
		sent.Header.Set("Content-Type", "application/json")
	}
	maps.Copy(sent.Header, r.header)
	written := httptest.NewRecorder()
	b.api.ServeHTTP(written, sent)
	reads, writes := b.meter.last()
	return answer{written.Code, written.Header(), written.Body.String(), reads, writes}
}

// code is that of the error; empty when there is none.
func (a answer) code() string {
	var envelope struct{ Error struct{ Code string } }
	_ = json.Unmarshal([]byte(a.body), &envelope) // a file is none
	return envelope.Error.Code
}

// into reads an answer that must not be an error.
func (a answer) into(t testing.TB, into any) {
	t.Helper()
	if a.status >= 300 {
		t.Fatalf("%d %s", a.status, a.body)
	}
	if into != nil {
		must(t, json.Unmarshal([]byte(a.body), into))
	}
}

// work has the workers take what the queues hold for them.
func (b *bench) work(t testing.TB) {
	t.Helper()
	handlers := deployment.Consumers(b.Parts, nil)
	for _, m := range b.sent.take() {
		if m.queue == queue.Scans {
			continue // there are no sites to read
		}
		failed, err := worker.Deliver(handlers[m.queue], m.queue)(t.Context(),
			[]queue.Delivery{{ID: "m", Body: m.body, Receives: 1}})
		must(t, err)
		if len(failed) > 0 {
			t.Fatalf("a message of %s comes again: %s", m.queue, m.body)
		}
	}
}

// outbox keeps what is sent out by other ways than mail: messages, executions, posts. lines are all of it.
type outbox struct {
	mu       sync.Mutex
	lines    []string
	messages []queued
}

type queued struct {
	queue string
	body  []byte
}

func (o *outbox) note(parts ...any) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.lines = append(o.lines, fmt.Sprint(parts...))
	return nil
}

func (o *outbox) take() []queued {
	o.mu.Lock()
	defer o.mu.Unlock()
	taken := o.messages
	o.messages = nil
	return taken
}

func (o *outbox) Send(_ context.Context, name string, messages ...queue.Message) error {
	for _, m := range messages {
		o.mu.Lock()
		o.messages = append(o.messages, queued{name, m.Body})
		o.mu.Unlock()
		_ = o.note("queue ", name, " ", string(m.Body))
	}
	return queue.Check(messages...)
}

func (o *outbox) Start(_ context.Context, name string, input []byte) error {
	return o.note("flow ", name, " ", string(input))
}

type webhook struct{ *outbox }

func (w webhook) Post(_ context.Context, url string, m delivery.Message) (delivery.Outcome, error) {
	return delivery.Outcome{Status: 200, Response: url}, w.note("webhook ", url, " ", string(m.Body))
}

// slack is a Slack of each workspace's own, with one channel.
type slack struct{ *outbox }

func channelOf(orgID string) string { return "C" + orgID[len(orgID)-9:] }

func (slack) Team(_ context.Context, orgID string) (feed.Team, error) {
	return feed.Team{ID: "T" + orgID[len(orgID)-9:], Name: "Team of " + orgID}, nil
}

func (slack) Channels(_ context.Context, orgID string) ([]feed.Channel, error) {
	return []feed.Channel{{ID: channelOf(orgID), Name: "mentions"}}, nil
}

func (slack) Authorize(_ context.Context, redirect, state string) (string, error) {
	return "https://slack.example/authorize?redirect_uri=" + redirect, nil
}

func (slack) Connect(_ context.Context, orgID, _, _ string) (feed.Team, error) {
	return feed.Team{ID: "T1", Name: orgID}, nil
}

func (s slack) Disconnect(_ context.Context, orgID string) error {
	return s.note("slack ", orgID, " disconnected")
}

func (s slack) Post(_ context.Context, orgID, channelID string, m feed.SlackMessage) error {
	return s.note("slack ", orgID, " ", channelID, " ", m.Text, string(m.Blocks))
}

// meter is the log. It keeps what the last request cost of the store, and takes no error for an answer.
type meter struct {
	t             testing.TB
	mu            sync.Mutex
	reads, writes int64
}

func (m *meter) last() (reads, writes int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.reads, m.writes
}

func (m *meter) Enabled(context.Context, slog.Level) bool { return true }

func (m *meter) Handle(_ context.Context, r slog.Record) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	var told []string
	r.Attrs(func(a slog.Attr) bool {
		switch a.Key {
		case "reads":
			m.reads = a.Value.Int64()
		case "writes":
			m.writes = a.Value.Int64()
		}
		told = append(told, a.String())
		return true
	})
	if r.Level >= slog.LevelWarn {
		m.t.Errorf("the log says %q: %v", r.Message, told)
	}
	return nil
}

func (m *meter) WithAttrs([]slog.Attr) slog.Handler { return m }
func (m *meter) WithGroup(string) slog.Handler      { return m }

var must = worldtest.Must
