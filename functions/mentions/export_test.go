package mentions_test

import (
	"encoding/csv"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"earshot/events/message"
	"earshot/functions/mentions"
	"earshot/shared/embedded/fault"
	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/port/blob"
	"earshot/shared/store/mentionstore"
	"earshot/shared/web/mentionwire"
	"earshot/shared/worldtest"
)

const exportTarget = "/api/v2/mentions/export"

// large stores more than can be answered at once: mentions with long texts.
func large(t testing.TB, w *worldtest.World) {
	t.Helper()
	long := strings.Repeat("long ", 60<<10) // 300 KB
	for i := range 15 {
		m := worldtest.Mention(int64(i+1), fmt.Sprint("s", i), worldtest.Now.Add(time.Duration(i)*time.Second))
		m.Body = &long
		w.Put(t, w.Main.ID, m)
	}
}

// hour turns the clock to the next window of exports.
func (d desk) hour() { d.Clock.Freeze(d.Clock.Now().Add(time.Hour)) }

func (d desk) accepted(t testing.TB, answer worldtest.Answer) (accepted mentions.ExportAccepted) {
	t.Helper()
	if answer.Status != http.StatusAccepted {
		t.Fatalf("%d %s", answer.Status, answer.Body)
	}
	answer.JSON(t, &accepted)
	if want := "https://" + worldtest.Domain + "/dev/api/v2/mentions/exports/" +
		accepted.ExportID; accepted.PollURL != want || answer.Header.Get("Location") != want ||
		answer.Header.Get("Retry-After") == "" {
		t.Errorf("%+v, Location %s", accepted, answer.Header.Get("Location"))
	}
	return accepted
}

func TestExportAtOnce(t *testing.T) {
	d := newDesk(t, worldtest.NewWorld(t))
	varied(t, d.World)
	answer := d.Post(t, exportTarget,
		`{"format":"csv","simpleFilters":{"!source":["twitter"]},"includeEngagementMetrics":true}`)
	if answer.Status != 200 || answer.Header.Get("Content-Type") != "text/csv; charset=utf-8" ||
		answer.Header.Get("X-Total-Count") != "5" ||
		answer.Header.Get("Content-Disposition") != `attachment; filename="mentions-20261120T101500Z.csv"` {
		t.Fatalf("%d %v", answer.Status, answer.Header)
	}
	rows, err := csv.NewReader(strings.NewReader(string(answer.Body))).ReadAll()
	if err != nil || len(rows) != 6 || !slices.Equal(rows[0], mentionwire.Columns()) || rows[1][0] != "6" ||
		rows[5][3] != "REDDIT" || rows[5][15] != `{"score":50}` {
		t.Errorf("%v %v", rows, err)
	}
	var file mentions.MentionFile
	answer = d.Post(t, exportTarget, `{"format":"json","includeAll":true}`)
	answer.OK(t, &file)
	if len(file.Data) != 7 || file.Total != 7 || file.Data[0].ID != 7 || file.Data[0].EngagementMetrics != nil ||
		answer.Header.Get("X-Total-Count") != "7" {
		t.Errorf("%s", answer.Body)
	}
	if !strings.Contains(answer.Header.Get("Access-Control-Expose-Headers"), "X-Total-Count") {
		t.Error("a script cannot read X-Total-Count")
	}
	d.Post(t, exportTarget, `{"format":"json","simpleFilters":{"engaged":true,"relevance":[2]}}`).OK(t, &file)
	if len(file.Data) != 0 {
		t.Errorf("%d mentions", len(file.Data))
	}
	if len(d.asked(t)) != 0 {
		t.Error("a worker was asked")
	}
	for _, c := range []struct{ body, want string }{{`{"format":"xlsx"}`, "format enum"}, {`{"limit":0}`,
		"limit minimum"}, {`{"limits":3}`, "limits unknown"}} {
		found := d.Post(t, exportTarget, c.body).Is(t, 400, "VALIDATION_ERROR")
		if got := found.Details[0].Path + " " + found.Details[0].Code; got != c.want {
			t.Errorf("%s: %s", c.body, got)
		}
	}
	d.as(d.AgentsKey).Post(t, exportTarget, `{`).Is(t, 403, "UPGRADE_REQUIRED")
}

// A Parquet file is never the response itself, however small it is.
func TestExportAsParquet(t *testing.T) {
	d := newDesk(t, worldtest.NewWorld(t))
	varied(t, d.World)
	accepted := d.accepted(t, d.Post(t, exportTarget, `{"format":"parquet","includeAll":true}`))
	var found mentions.Export
	d.Get(t, "/api/v2/mentions/exports/"+accepted.ExportID).OK(t, &found)
	if asked := d.asked(t); len(asked) != 1 || found.Format != mentionwire.Parquet || found.Status != "queued" {
		t.Errorf("%d messages for the worker, want 1: %+v", len(asked), found)
	}
}

// An export takes the body of a list, with all that pages it, and has every row; without a format it is JSON.
func TestExport_BodyOfList(t *testing.T) {
	d := newDesk(t, worldtest.NewWorld(t))
	varied(t, d.World)
	var page mentions.MentionList
	d.Post(t, "/api/v2/mentions", `{"includeAll":true,"limit":2}`).OK(t, &page)
	for _, body := range []string{
		`{"includeAll":true,"limit":2}`,
		fmt.Sprintf(`{"includeAll":true,"limit":2,"cursor":%q}`, page.Pagination.NextCursor.OrZero()),
		`{"includeAll":true,"cursor":"of another list"}`,
	} {
		d.hour()
		var file mentions.MentionFile
		answer := d.Post(t, exportTarget, body)
		answer.OK(t, &file)
		counted, kind := answer.Header.Get("X-Total-Count"), answer.Header.Get("Content-Type")
		if len(file.Data) != 7 || file.Total != 7 || counted != "7" || kind != "application/json" {
			t.Errorf("%s = %d rows, total %d, X-Total-Count %s, %s", body, len(file.Data), file.Total, counted, kind)
		}
	}
}

func TestExport_NoFormatInBackground(t *testing.T) {
	d := newDesk(t, worldtest.NewWorld(t))
	large(t, d.World)
	accepted := d.accepted(t, d.Post(t, exportTarget, `{"limit":1}`))
	var status mentions.Export
	d.Get(t, "/api/v2/mentions/exports/"+accepted.ExportID).OK(t, &status)
	if status.Format != mentionwire.JSON {
		t.Errorf("format = %q, want json", status.Format)
	}
}

// What is refused for its input counts against no limit.
func TestRefusedExportsDoNotCount(t *testing.T) {
	d := newDesk(t, worldtest.NewWorld(t))
	for range 10 {
		d.Post(t, exportTarget, `{"format":"csv","simpleFilters":{"keyword":[9]}}`).Is(t, 400, "MENTION_KEYWORD_UNKNOWN")
	}
	for range mentionstore.ExportsAnHour {
		d.Post(t, exportTarget, `{"format":"csv"}`).OK(t, nil)
	}
	for range 3 {
		refused := d.Post(t, exportTarget, `{"format":"csv"}`, "Idempotency-Key", "k")
		found := refused.Is(t, 429, "RATE_LIMITED")
		if refused.Header.Get("Retry-After") != "2700" || !strings.Contains(found.Message, "5 exports of this hour") {
			t.Errorf("%s %s", refused.Header.Get("Retry-After"), refused.Body)
		}
	}
	d.hour()
	answer := d.Post(t, exportTarget, `{"format":"csv"}`, "Idempotency-Key", "k")
	if answer.Status != 200 || answer.Header.Get("Idempotent-Replayed") != "" {
		t.Errorf("in the next hour: %d %s", answer.Status, answer.Body)
	}
}

func TestExportInTheBackground(t *testing.T) {
	d := newDesk(t, worldtest.NewWorld(t))
	large(t, d.World)
	accepted := d.accepted(t, d.Post(t, exportTarget, `{"format":"json"}`))
	want := []message.Export{{WorkspaceID: d.Main.ID, ExportID: accepted.ExportID}}
	if sent := d.asked(t); !slices.Equal(sent, want) {
		t.Fatalf("sent %v, want %v", sent, want)
	}
	target := "/api/v2/mentions/exports/" + accepted.ExportID
	var status mentions.Export
	answer := d.Get(t, target)
	answer.OK(t, &status)
	if status.Status != "queued" || status.Format != "json" || status.URL.Value != nil || status.FinishedAt.Value != nil ||
		status.ExpiresAt != "2026-11-27T10:15:00.000Z" || answer.Header.Get("X-Total-Count") != "" {
		t.Errorf("%s", answer.Body)
	}
	theirs, unused := d.as(d.OtherKey).Get(t, target), d.as(d.OtherKey).Get(t, target+"X")
	theirs.Is(t, 404, "NOT_FOUND")
	if string(theirs.Body) != string(unused.Body) {
		t.Errorf("%s and %s differ", theirs.Body, unused.Body)
	}
	done, err := d.Store.Export(t.Context(), d.Main.ID, accepted.ExportID)
	if err != nil {
		t.Fatal(err)
	}
	done.Status, done.Rows, done.Key, done.FinishedAt = mentionstore.ExportCompleted, 20, d.Main.ID+"/"+done.ID+".json",
		worldtest.Now.Add(time.Second)
	if err := d.Files().Put(t.Context(), done.Key,
		blob.File{Content: strings.NewReader("{}"), Size: 2, ContentType: "application/json", Name: "x.json"}); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Store.PutExport(t.Context(), done); err != nil {
		t.Fatal(err)
	}
	answer = d.Get(t, target)
	answer.OK(t, &status)
	if status.Status != "completed" || status.Rows != 20 || !strings.Contains(status.URL.OrZero(), done.Key) ||
		answer.Header.Get("X-Total-Count") != "20" {
		t.Errorf("%s", answer.Body)
	}
	d.Fault(fault.Fault{Port: fault.BlobPort, Operation: "link", Fault: fault.Error, Times: 1})
	d.Get(t, target).Is(t, 503, "EXPORT_LINK_UNAVAILABLE")
	d.Get(t, target).OK(t, nil)
	d.Clock.Freeze(worldtest.Now.Add(mentionstore.ExportKept))
	d.Get(t, target).Is(t, 404, "NOT_FOUND")
}

// An export that no worker settles counts as failed in the end.
func TestExportThatNobodyWrites(t *testing.T) {
	d := newDesk(t, worldtest.NewWorld(t))
	large(t, d.World)
	accepted := d.accepted(t, d.Post(t, exportTarget, `{"format":"json"}`))
	d.Clock.Freeze(worldtest.Now.Add(2 * time.Hour))
	var status mentions.Export
	d.Get(t, "/api/v2/mentions/exports/"+accepted.ExportID).OK(t, &status)
	if status.Status != "failed" || status.Error.OrZero() == "" ||
		status.FinishedAt.OrZero() != "2026-11-20T12:15:00.000Z" {
		t.Errorf("%+v", status)
	}
}

// Of 50 at once, two run, and the others count against nothing.
func TestTwoExportsAtOnce(t *testing.T) {
	d := newDesk(t, worldtest.NewWorld(t))
	large(t, d.World)
	accepted, busy := d.fifty(t)
	if accepted != mentionstore.ExportSlots || busy != 50-mentionstore.ExportSlots ||
		len(d.asked(t)) != mentionstore.ExportSlots {
		t.Errorf("%d were accepted, %d refused, %d sent", accepted, busy, len(d.asked(t)))
	}
	// Once their slots are free, three are left of the hour.
	for _, asked := range d.asked(t) {
		if err := d.Store.FreeExportSlot(t.Context(), asked.WorkspaceID, asked.ExportID, mentionstore.ExportSlots); err != nil {
			t.Fatal(err)
		}
	}
	small := `{"format":"csv","simpleFilters":{"engaged":true}}`
	for range mentionstore.ExportsAnHour - mentionstore.ExportSlots {
		d.Post(t, exportTarget, small).OK(t, nil)
	}
	d.Post(t, exportTarget, small).Is(t, 429, "RATE_LIMITED")
}

// Of many at once that are answered at once, five have been in an hour.
func TestFiveExportsAnHour(t *testing.T) {
	d := newDesk(t, worldtest.NewWorld(t))
	answered := 0
	for range 3 {
		ok, _ := d.fifty(t)
		answered += ok
	}
	if answered != mentionstore.ExportsAnHour {
		t.Errorf("%d were answered", answered)
	}
}

func (d desk) fifty(t *testing.T) (ok, limited int) {
	t.Helper()
	var taken, refused atomic.Int64
	faulttest.AtOnce(50, func(int) {
		switch answer := d.Post(t, exportTarget, `{"format":"csv"}`); answer.Status {
		case 200, 202:
			taken.Add(1)
		case 429:
			refused.Add(1)
			if answer.Header.Get("Retry-After") == "" {
				t.Error("no Retry-After")
			}
		default:
			t.Errorf("%d %s", answer.Status, answer.Body)
		}
	})
	return int(taken.Load()), int(refused.Load())
}

// The message says which limit it is, and Retry-After when it is worth trying again.
func TestBusyIsToldApart(t *testing.T) {
	d := newDesk(t, worldtest.NewWorld(t))
	large(t, d.World)
	for range mentionstore.ExportSlots {
		d.accepted(t, d.Post(t, exportTarget, `{"format":"csv"}`))
	}
	refused := d.Post(t, exportTarget, `{"format":"csv"}`)
	if found := refused.Is(t, 429, "RATE_LIMITED"); refused.Header.Get("Retry-After") != "30" ||
		!strings.Contains(found.Message, "2 exports of this workspace are running") {
		t.Errorf("%s %s", refused.Header.Get("Retry-After"), refused.Body)
	}
	d.Clock.Freeze(d.Clock.Now().Add(15*time.Minute + time.Millisecond)) // no worker came
	d.accepted(t, d.Post(t, exportTarget, `{"format":"csv"}`))
}

// An export whose request died at any write goes on with the repeat of the request: one export, in one slot.
func TestExport_KilledAtEachWrite(t *testing.T) {
	faulttest.EachStep(t, 6, func(t *testing.T, step *faulttest.Step) {
		d := newDesk(t, worldtest.NewWorld(t))
		large(t, d.World)
		post := func() worldtest.Answer { return d.Post(t, exportTarget, `{"format":"csv"}`, "Idempotency-Key", "k") }
		_ = step.Die(t, d.Life, func() error { post(); return nil })
		d.Clock.Freeze(d.Clock.Now().Add(2 * time.Minute)) // the claim of the first is over
		accepted := d.accepted(t, post())
		ids := map[string]bool{}
		for _, asked := range d.asked(t) {
			ids[asked.ExportID] = true
		}
		if len(ids) != 1 || !ids[accepted.ExportID] {
			t.Errorf("sent %v, want the accepted %s alone", ids, accepted.ExportID)
		}
		// The one slot that it has is its own; the other is free.
		d.accepted(t, d.Post(t, exportTarget, `{"format":"csv"}`))
		d.Post(t, exportTarget, `{"format":"csv"}`).Is(t, 429, "RATE_LIMITED")
	})
}

func TestQueueThatFails(t *testing.T) {
	d := newDesk(t, worldtest.NewWorld(t))
	large(t, d.World)
	d.Fault(fault.Fault{Port: fault.QueuePort, Fault: fault.Error, Times: 3})
	for range 3 {
		d.Post(t, exportTarget, `{"format":"csv"}`, "Idempotency-Key", "k").Is(t, 500, "INTERNAL_ERROR")
	}
	first := d.accepted(t, d.Post(t, exportTarget, `{"format":"csv"}`, "Idempotency-Key", "k"))
	again := d.accepted(t, d.Post(t, exportTarget, `{"format":"csv"}`, "Idempotency-Key", "k"))
	if first != again || len(d.asked(t)) != 1 {
		t.Errorf("%v, then %v", first, again)
	}
}

// A request that died when the message was sent is answered by its repeat, with the same export.
func TestRequestThatDiedAfterSending(t *testing.T) {
	d := newDesk(t, worldtest.NewWorld(t))
	large(t, d.World)
	d.Fault(fault.Fault{Port: fault.QueuePort, Fault: fault.Crash, Times: 1})
	d.Post(t, exportTarget, `{"format":"csv"}`, "Idempotency-Key", "k").Is(t, 500, "INTERNAL_ERROR")
	asked := d.asked(t)[0]
	d.Clock.Freeze(d.Clock.Now().Add(2 * time.Minute))
	if accepted := d.accepted(t,
		d.Post(t, exportTarget, `{"format":"csv"}`, "Idempotency-Key", "k")); accepted.ExportID != asked.ExportID {
		t.Errorf("it began %s, and then %s", asked.ExportID, accepted.ExportID)
	}
	if err := d.Store.FreeExportSlot(t.Context(), d.Main.ID, asked.ExportID, mentionstore.ExportSlots); err != nil {
		t.Fatal(err)
	}
	for range mentionstore.ExportsAnHour - 1 { // it has taken one place of the hour
		d.Post(t, exportTarget, `{"format":"csv","simpleFilters":{"engaged":true}}`).OK(t, nil)
	}
	d.Post(t, exportTarget, `{"format":"csv","simpleFilters":{"engaged":true}}`).Is(t, 429, "RATE_LIMITED")
	// Another request with the key, or the same a day later, is another export.
	d.Clock.Freeze(d.Clock.Now().Add(25 * time.Hour))
	if accepted := d.accepted(t,
		d.Post(t, exportTarget, `{"format":"csv"}`, "Idempotency-Key", "k")); accepted.ExportID == asked.ExportID {
		t.Error("a day later it is still the same export")
	}
}

// The worker may be done before the request is repeated that died when it had asked for it.
func TestRepeatOfWhatIsDone(t *testing.T) {
	d := newDesk(t, worldtest.NewWorld(t))
	large(t, d.World)
	d.Fault(fault.Fault{Port: fault.QueuePort, Fault: fault.Crash, Times: 1})
	d.Post(t, exportTarget, `{"format":"csv"}`, "Idempotency-Key", "k").Is(t, 500, "INTERNAL_ERROR")
	asked := d.asked(t)[0]
	done, err := d.Store.Export(t.Context(), d.Main.ID, asked.ExportID)
	if err != nil {
		t.Fatal(err)
	}
	done.Status = mentionstore.ExportCompleted
	if _, err := d.Store.PutExport(t.Context(), done); err != nil {
		t.Fatal(err)
	}
	d.Clock.Freeze(d.Clock.Now().Add(2 * time.Minute))
	accepted := d.accepted(t, d.Post(t, exportTarget, `{"format":"csv"}`, "Idempotency-Key", "k"))
	if accepted.ExportID != asked.ExportID || accepted.Status != "completed" || len(d.asked(t)) != 1 {
		t.Errorf("%+v, %d sent", accepted, len(d.asked(t)))
	}
}

// What fails on this side costs none of the hour's exports, nor a slot.
func TestFailedExportsDoNotCount(t *testing.T) {
	d := newDesk(t, worldtest.NewWorld(t))
	large(t, d.World)
	d.Fault(fault.Fault{Port: fault.QueuePort, Operation: "send", Fault: fault.Error, Times: 7})
	for range 7 {
		d.Post(t, exportTarget, `{"format":"json","includeAll":true}`).Is(t, 500, "INTERNAL_ERROR")
	}
	for n := range mentionstore.ExportsAnHour {
		d.accepted(t, d.Post(t, exportTarget, `{"format":"json","includeAll":true}`))
		for _, asked := range d.asked(t) {
			if err := d.Store.FreeExportSlot(t.Context(), d.Main.ID, asked.ExportID, mentionstore.ExportSlots); err != nil {
				t.Fatal(n, err)
			}
		}
	}
	d.Post(t, exportTarget, `{"format":"json","includeAll":true}`).Is(t, 429, "RATE_LIMITED")
}
