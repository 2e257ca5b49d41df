package isolation_test

import (
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"earshot/shared/embedded/fault"
	"earshot/shared/lambdalog"
	"earshot/shared/store/allstores"
)

// A listener hears every line that any function logs, of whatever level, and holds it to DESIGN.md, "Security": no
// secret and no personal data. Nor does it let text through that somebody wrote, or what a workspace calls itself: who
// reads a log to mend something needs neither.
//
// What a line may have is what Earshot made itself, by which a line is found and an effect looked up in the tables: the
// ids of workspaces, agencies, keys, drafts, exports, requests, messages and accounts; the ids of mentions, which name
// a platform's post and nobody; names of operations, routes, functions, queues, platforms, stages and error codes;
// numbers and times. A draft's domain is business data and not personal; it is not in any line either, and so it is not
// let through.
type listener struct {
	t     *testing.T
	marks []string // in lower case

	mu      sync.Mutex
	lines   int
	during  string
	said    map[string]bool // what was told already
	records map[string]int  // by message and function or operation
	failed  map[string]int  // faults that came to pass, by port
}

// mark is in whatever somebody could have written.
const mark = "quillmark"

var (
	// Versions of modules stand in stacks as addresses do: module@v1.2.3.
	addresses = regexp.MustCompile(`[\w.+-]+@[\w-]*[a-z][\w-]*\.[a-z]{2,}`)
	tokens    = regexp.MustCompile(`es_key_[0-9A-Za-z]{26}_|[Bb]earer [\w-]`)
)

// Write takes one line, as slog writes each by itself.
func (l *listener) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines++
	var record struct{ Msg, Function, Operation string }
	if err := json.Unmarshal(line, &record); err != nil {
		l.t.Errorf("%s: no JSON: %s", l.during, line)
	}
	l.records[strings.TrimSpace(record.Msg+" "+record.Function+record.Operation)]++
	text := strings.ToLower(string(line))
	found := slices.Concat(addresses.FindAllString(text, 1), tokens.FindAllString(string(line), 1))
	for _, mark := range l.marks {
		if strings.Contains(text, mark) {
			found = append(found, mark)
		}
	}
	for _, what := range found {
		if once := record.Msg + record.Function + record.Operation + what; !l.said[once] {
			l.said[once] = true
			at := strings.Index(text, strings.ToLower(what))
			l.t.Errorf("%s: the line %q of %s%s has %q: …%s…", l.during, record.Msg, record.Function, record.Operation, what,
				line[max(0, at-120):min(len(line), at+120)])
		}
	}
	return len(line), nil
}

func (l *listener) now(during string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.during = during
}

// everyFault names the operations of all ports that can go wrong.
func everyFault() map[string][]string {
	return map[string][]string{
		fault.TablePort:    fault.TableOperations(),
		fault.QueuePort:    fault.QueueOperations(),
		fault.BlobPort:     fault.BlobOperations(),
		fault.MailPort:     fault.MailOperations(),
		fault.IdentityPort: fault.IdentityOperations(),
		fault.FlowPort:     fault.FlowOperations(),
	}
}

// overheard is a bench with a listener in place of its logs, and ports that fail as the set says, at once and for good:
// what would be tried again would only be the same a moment later.
func overheard(t *testing.T, w world) (*bench, *listener, *fault.Set) {
	t.Helper()
	folder := t.TempDir()
	must(t, os.CopyFS(folder, os.DirFS(w.folder)))
	heard := &listener{
		t:       t,
		marks:   []string{mark},
		said:    map[string]bool{},
		records: map[string]int{},
		failed:  map[string]int{},
	}
	for _, of := range w.a.tenants {
		heard.marks = append(heard.marks, strings.ToLower(of.Name))
	}
	set := fault.NewSet(everyFault(), 0) // what is slow is only counted
	b := open(t, folder, func(b *bench) {
		log := slog.New(lambdalog.Staged(slog.NewJSONHandler(heard, &slog.HandlerOptions{Level: slog.LevelDebug}), "dev"))
		b.Log, b.Quiet = log, log
		b.Store = allstores.New(fault.Table(b.table, set), b.clock)
		b.Queue, b.Blob, b.Mail = fault.Queue(b.Queue, set), fault.Blob(b.Blob, set), fault.Mail(b.Mail, set)
		b.Identity, b.Setup.Flow = fault.Identity(b.Identity, set), fault.Flow(b.Setup.Flow, set)
	})
	return b, heard, set
}

// failing does something again and again, each time with another operation of a port that fails, before or after it is
// done, until none is left that it does.
func (l *listener) failing(t *testing.T, set *fault.Set, do func(what string)) {
	t.Helper()
	for port := range everyFault() {
		for _, kind := range []fault.Kind{fault.Error, fault.Crash} {
			for before := range 12 {
				set.Clear()
				if before > 0 {
					must(t, set.Add(fault.Fault{Port: port, Fault: fault.Slow, Times: before}))
				}
				must(t, set.Add(fault.Fault{Port: port, Fault: kind, Times: 1}))
				do(string(kind) + " of the " + port)
				if len(set.List()) > 0 {
					break
				}
				l.failed[port]++
			}
		}
	}
	set.Clear()
}

// Every name that a record has is that of a function's folder, by which its metrics are found.
func (l *listener) named(t *testing.T) {
	t.Helper()
	for record := range l.records {
		for _, kind := range []string{"batch ", "schedule ", "call ", "trigger "} {
			if name, is := strings.CutPrefix(record, kind); is {
				if err := isFunction(name); err != nil {
					t.Errorf("the record of %s: %v", name, err)
				}
			}
		}
	}
}

// isFunction returns an error unless a function of that name has a main, on top or in the folder of its group.
func isFunction(name string) (err error) {
	for _, group := range []string{"", "ai", "feeds", "keywords", "members", "search", "setupstages"} {
		if _, err = os.Stat(filepath.Join("..", "..", group, name, "lambda", "main.go")); err == nil {
			return nil
		}
	}
	return err
}
