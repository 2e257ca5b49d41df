package controls_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"earshot/shared/store"
	"earshot/shared/store/mentionstore"
)

type report struct {
	Received, Stored, RejectedCount int
	Rejected                        []struct {
		Line    int
		Message string
	}
}

// line is the least Mention there is.
func line(id int, sourceID, more string) string {
	return fmt.Sprintf(`{"id":%d,"sourceId":%q,"source":"news","timestamp":"2026-11-01 00:00:00.000"%s}`, id, sourceID, more)
}

func (d desk) mentions(t testing.TB, body io.Reader) report {
	t.Helper()
	var got report
	d.do("POST", "/_local/mentions?workspace="+d.Main.ID, body).ok(t, &got)
	if got.Received != got.Stored+got.RejectedCount || got.Rejected == nil {
		t.Errorf("%d received, %d stored, %d rejected", got.Received, got.Stored, got.RejectedCount)
	}
	return got
}

func TestLinesThatAreRejected(t *testing.T) {
	d := newDesk(t)
	large := strings.Repeat("x", 500_000) // over what a row can be, within what a line can be
	body := strings.Join([]string{
		line(1, "a", ""), "", "  \t ", line(2, "b", "") + "\r",
		`{"sourceId":"c","source":"news","timestamp":"2026-11-01 00:00:00.000"}`,
		line(4, "d", `,"titel":"x"`), line(5, "e", `,"keywords":[{"id":1,"keyword":"k"},{"id":"2"}]`),
		line(6, "f", `,"id":6`), `{"id":7`,
		line(8, "g", "") + line(9, "h", ""), line(10, "i", `,"relevance":"high"`), line(11, "j", `,"tags":["typo"]`),
		line(12, "k", `,"keywordId":3`), line(1, "l", ""), line(13, "m", `,"body":"`+large+`"`), strings.Repeat("y", 1<<20+1),
		strings.Replace(line(14, "n", ""), "2026-11-01", "yesterday", 1), line(15, "o", ""),
	}, "\n")
	got := d.mentions(t, strings.NewReader(body))
	if got.Received != 16 || got.Stored != 3 {
		t.Errorf("%d received, %d stored", got.Received, got.Stored)
	}
	want := []struct {
		line    int
		message string
	}{{5, "id: "}, {6, "titel: There is no such field"}, {7, "keywords[1].id: "}, {8, "id: The name is given twice"}, {9,
		"it ends too early"},
		{10, "--data-binary"}, {11, "relevance: "}, {12, "typo"}, {13, "keywordId: "}, {14, "id: another mention"},
		{15, "larger than a row"},
		{16, "more than 1048576 bytes"}, {17, "timestamp: "}}
	for i, rejected := range got.Rejected {
		if i >= len(want) || rejected.Line != want[i].line || !strings.Contains(rejected.Message, want[i].message) {
			t.Errorf("%+v", rejected)
		}
	}
	if len(got.Rejected) != len(want) {
		t.Errorf("%d rejected, want %d", len(got.Rejected), len(want))
	}
	for _, id := range []string{"a", "b", "o"} {
		if _, err := d.Store.Mention(t.Context(), d.Main.ID, id); err != nil {
			t.Errorf("%s: %v", id, err)
		}
	}
}

func TestWorkspaceOfMentions(t *testing.T) {
	d := newDesk(t)
	d.post("/_local/mentions?workspace=org_nothing", line(1, "a", "")).is(t, 404, "ORG_NOT_FOUND")
	for target, want := range map[string]string{"": "query.workspace required", "?workspace=": "query.workspace required",
		"?workspaces=x":            "query.workspaces unknown",
		"?workspace=a&workspace=b": "query.workspace duplicate", "?%zz": "query syntax"} {
		if got := d.post("/_local/mentions"+target, line(1, "a", "")).is(t, 400, "VALIDATION_ERROR"); got[0] != want {
			t.Errorf("%s: %v", target, got)
		}
	}
	if _, err := d.Store.Mention(t.Context(), d.Main.ID, "a"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("it was stored: %v", err)
	}
}

// Lines of one mention end as if they had been stored one after the other.
func TestTheLastLineOfAMentionStands(t *testing.T) {
	d := newDesk(t)
	var body strings.Builder
	for round := range 40 {
		for id := 1; id <= 5; id++ {
			fmt.Fprintln(&body, line(id, fmt.Sprint("s", id), fmt.Sprintf(`,"url":"round %d"`, round)))
		}
	}
	if got := d.mentions(t, strings.NewReader(body.String())); got.Stored != 200 {
		t.Errorf("%+v", got)
	}
	for id := 1; id <= 5; id++ {
		if found, err := d.Store.Mention(t.Context(), d.Main.ID, fmt.Sprint("s", id)); err != nil || found.URL != "round 39" {
			t.Errorf("%s %v", found.URL, err)
		}
	}
}

// repeated is a body of many times the same text, which is never in memory as a whole.
type repeated struct {
	text  []byte
	times int
	at    int
}

func (r *repeated) Read(to []byte) (int, error) {
	if r.times == 0 {
		return 0, io.EOF
	}
	n := copy(to, r.text[r.at:])
	if r.at += n; r.at == len(r.text) {
		r.at = 0
		r.times--
	}
	return n, nil
}

// A body may be of any length: it is not held in memory, and neither are the rejections of all its lines.
func TestLongBody(t *testing.T) {
	d := newDesk(t)
	body := &repeated{text: append(bytes.Repeat([]byte("z"), 1<<19), '\n'), times: 256} // 128 MiB
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got := d.mentions(t, body)
	runtime.ReadMemStats(&after)
	if got.Received != 256 || got.RejectedCount != 256 {
		t.Errorf("%d received", got.Received)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 64<<20 {
		t.Errorf("%d MiB allocated for 128 MiB", used>>20)
	}
	many := d.mentions(t, &repeated{text: []byte("{}\n"), times: 5000})
	if many.RejectedCount != 5000 || len(many.Rejected) != 1000 || many.Rejected[999].Line != 1000 {
		t.Errorf("%d rejected, %d told", many.RejectedCount, len(many.Rejected))
	}
}

// What the store does not take is told by its line, and the others are stored: after a crash, all but those that were
// in one batch with it.
func TestStoreThatFails(t *testing.T) {
	d := newDesk(t)
	const batches = 3
	for round, kind := range []string{"crash", "error"} {
		d.post("/_local/faults", fmt.Sprintf(`{"port":"table","operation":"transact","fault":%q,"times":1}`, kind)).ok(t, nil)
		var body strings.Builder
		for i := range batches * mentionstore.MaxPut {
			fmt.Fprintln(&body, line(1000*round+i+10, kind+fmt.Sprint(i), ""))
		}
		got := d.mentions(t, strings.NewReader(body.String()))
		want := map[string]int{"crash": batches - 1, "error": batches}[kind] * mentionstore.MaxPut // an error is tried again
		if got.Stored != want {
			t.Errorf("%s: %d stored, want %d: %.300v", kind, got.Stored, want, got.Rejected)
		}
	}
	d.post("/_local/faults", `{"port":"table","operation":"transact","fault":"throttle","times":0}`).ok(t, nil)
	if got := d.mentions(t, strings.NewReader(line(1, "a", ""))); got.Stored != 0 ||
		!strings.Contains(got.Rejected[0].Message, "send it again") {
		t.Errorf("%+v", got)
	}
}

// A body that breaks off is refused, and says how far it came.
func TestBodyThatBreaksOff(t *testing.T) {
	d := newDesk(t)
	body := io.MultiReader(strings.NewReader(line(1, "a", "")+"\n"+line(2, "b", "")), &broken{})
	refused := d.do("POST", "/_local/mentions?workspace="+d.Main.ID, body)
	refused.is(t, 400, "INVALID_INPUT")
	if !strings.Contains(refused.Body.String(), "after line 1; 1 mention") {
		t.Errorf("%s", refused.Body)
	}
	if _, err := d.Store.Mention(t.Context(), d.Main.ID, "b"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("half a line was stored: %v", err)
	}
}

type broken struct{}

func (*broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }
