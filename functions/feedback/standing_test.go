package feedback_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"earshot/shared/embedded/fault"
	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/mention"
	"earshot/shared/store/mentionstore"
	"earshot/shared/worldtest"
)

// However many judge one mention at once, each keyword has one judgement, and the counts are theirs.
func TestJudgesAtOnce(t *testing.T) {
	d := newDesk(t)
	d.found(t, 42, mention.High)
	faulttest.AtOnce(20, func(n int) {
		kind := []string{"RELEVANT", "NOT_RELEVANT"}[n%2]
		if answer := d.Post(t, path,
			judgement(42, int64(7+n%3), kind, fmt.Sprintf(`"feedbackReason":"judge %d"`, n))); answer.Status != 200 {
			t.Errorf("%d %s", answer.Status, answer.Body)
		}
	})
	stats := d.stats(t)
	if stats.Total != 3 || len(stats.ByKeyword) != 3 {
		t.Errorf("%s", statsLine(stats))
	}
	relevant := 0
	for _, k := range stats.ByKeyword {
		if k.Total != 1 {
			t.Errorf("%s", statsLine(stats))
		}
		relevant += int(k.Relevant)
	}
	if shown := d.shown(t, 42); strings.HasPrefix(shown, "relevant") != (relevant > 0) {
		t.Errorf("%s, %s", shown, statsLine(stats))
	}
	d.counted(t, 0)
	d.thumb(t, 42, 3)
	if got := statsLine(d.stats(t)); got != "0=0+0 0.00" {
		t.Errorf("cleared: %s", got)
	}
}

// Judgements of many mentions at once are all counted, in the one row that counts.
func TestManyMentionsAtOnce(t *testing.T) {
	d := newDesk(t)
	for id := range int64(12) {
		d.found(t, id+1, mention.High)
	}
	faulttest.AtOnce(12, func(id int) {
		if answer := d.Post(t, path, judgement(int64(id+1), 7, "NOT_RELEVANT")); answer.Status != 200 {
			t.Errorf("%d %s", answer.Status, answer.Body)
		}
	})
	if got := statsLine(d.stats(t)); got != "12=0+12 1.00 7:0/12" {
		t.Error(got)
	}
}

// A crash after the write, and the repeat that the client sends.
func TestCrash(t *testing.T) {
	d := newDesk(t)
	d.found(t, 42, mention.High)
	d.CrashOnce("transact")
	d.Post(t, path, judgement(42, 7, "NOT_RELEVANT"), "Idempotency-Key", "k").Is(t, 500, "INTERNAL_ERROR")
	d.Post(t, path, judgement(42, 7, "NOT_RELEVANT"), "Idempotency-Key", "k").OK(t, nil)
	if got := statsLine(d.stats(t)); got != "1=0+1 1.00 7:0/1" {
		t.Error(got)
	}
	d.CrashOnce("transact")
	target := path + "?sourceId=post42&keywordId=7"
	d.Delete(t, target, "Idempotency-Key", "l").Is(t, 500, "INTERNAL_ERROR")
	d.Delete(t, target, "Idempotency-Key", "l").OK(t, nil)
	if got := statsLine(d.stats(t)); got != "0=0+0 0.00" {
		t.Error(got)
	}
	d.Fault(fault.Fault{Port: "table", Operation: "transact", Fault: fault.Error})
	d.Post(t, path, judgement(42, 7, "NOT_RELEVANT")).Is(t, 500, "INTERNAL_ERROR")
	d.Faults.Clear()
	if got := statsLine(d.stats(t)); got != "0=0+0 0.00" {
		t.Error(got)
	}
}

// A mention in the archive is judged as any other.
func TestArchived(t *testing.T) {
	d := newDesk(t)
	d.found(t, 42, mention.High)
	d.judge(t, 42, 8, "RELEVANT")
	d.Clock.Freeze(worldtest.Now.Add(200 * 24 * time.Hour))
	for range 2 {
		_, _, err := d.Store.Archive(t.Context(), d.Main.ID, 0)
		must(t, err)
		d.judge(t, 42, 7, "NOT_RELEVANT")
		if got, want := d.shown(t, 42)+" "+statsLine(d.stats(t)), "relevant 0 1 2=1+1 0.50 7:0/1 8:1/0"; got != want {
			t.Errorf("%s, want %s", got, want)
		}
		d.Clock.Freeze(d.Clock.Now().Add(2 * time.Hour))
	}
	d.withdraw(t, 42, 8)
	if got := d.shown(t, 42); got != "not_relevant 2 -1" {
		t.Error(got)
	}
}

// What is imported with a thumb is judged for each of its keywords, and stays what it is.
func TestImported(t *testing.T) {
	d := newDesk(t)
	m := d.found(t, 42, mention.Medium)
	down := -1
	m.FeedbackRelevant = &down
	for range 2 {
		d.Put(t, d.Main.ID, m)
		if got, want := d.shown(t, 42)+" "+statsLine(d.stats(t)), "relevant 1 -1 3=0+3 1.00 7:0/1 8:0/1 9:0/1"; got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	d.judge(t, 42, 7, "NOT_RELEVANT")
	if got := d.shown(t, 42); got != "not_relevant 2 -1" {
		t.Errorf("judged: %s", got)
	}
	d.thumb(t, 42, 3)
	if got := d.shown(t, 42); got != "relevant 1 none" {
		t.Errorf("cleared: %s", got)
	}
	// Another import in its place keeps no count of what is gone.
	d.thumb(t, 42, 0)
	m.FeedbackRelevant, m.Keywords = nil, m.Keywords[:1]
	d.Put(t, d.Main.ID, m)
	if got, want := d.shown(t, 42)+" "+statsLine(d.stats(t)), "relevant 1 none 0=0+0 0.00"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Whoever judges learns of judgements for the keywords that they are of, and only of those that teach something else.
func TestLessons(t *testing.T) {
	d := newDesk(t)
	d.found(t, 42, mention.High)
	lessons := func() (said string, version int64) {
		t.Helper()
		list, err := d.Store.Lessons(t.Context(), d.Main.ID, 10)
		must(t, err)
		for _, l := range list {
			said += fmt.Sprintf("%d:%v:%v ", l.KeywordID, l.Relevant, l.Vector)
		}
		listeners, err := d.Store.Listeners(t.Context())
		must(t, err)
		for _, l := range listeners {
			if l.WorkspaceID == d.Main.ID {
				version = l.Lessons
			}
		}
		return said, version
	}
	d.judge(t, 42, 9, "RELEVANT")
	d.judge(t, 42, 7, "NOT_RELEVANT")
	said, version := lessons()
	if said != "7:false:[42] 9:true:[42] " || version != 2 {
		t.Errorf("%s after %d", said, version)
	}
	d.judge(t, 42, 7, "NOT_RELEVANT")
	d.judge(t, 42, 7, "NOT_RELEVANT", `"feedbackReason":"The weather."`)
	if _, again := lessons(); again != 2 {
		t.Errorf("%d", again)
	}
	d.thumb(t, 42, 3)
	if said, version = lessons(); said != "" || version != 3 {
		t.Errorf("%s after %d", said, version)
	}
}

// The mention with the most keywords fits a transaction, whatever changes of it.
func TestMostKeywords(t *testing.T) {
	d := newDesk(t)
	m := worldtest.Mention(42, "post42", worldtest.Now)
	m.Keywords = nil
	for id := range int64(mention.MaxKeywords) {
		m.Keywords = append(m.Keywords, mention.Keyword{ID: id + 1, Text: fmt.Sprint("word ", id)})
	}
	d.Put(t, d.Main.ID, m)
	reason, err := json.Marshal(strings.Repeat("𝛑", mention.MaxReason))
	must(t, err)
	for id := range int64(mention.MaxKeywords) {
		d.judge(t, 42, id+1, "NOT_RELEVANT", `"feedbackReason":`+string(reason))
	}
	d.thumb(t, 42, 0)
	if got := statsLine(d.stats(t)); !strings.HasPrefix(got, fmt.Sprintf("%d=%d+0 0.00", mention.MaxKeywords, mention.MaxKeywords)) {
		t.Error(got)
	}
	// All keywords are others, on another day and of another tone.
	for i := range m.Keywords {
		m.Keywords[i].ID += 100
	}
	m.PostedAt, m.Sentiment = m.PostedAt.AddDate(0, -1, 0), mention.Negative
	up := 1
	m.FeedbackRelevant, m.ID = &up, 43
	if err := d.Store.PutMention(t.Context(), d.Main.ID, m); err != nil {
		t.Fatal(err)
	}
	totals, err := d.Store.Feedback(t.Context(), d.Main.ID)
	must(t, err)
	if totals.All != (mentionstore.Tally{Relevant: mention.MaxKeywords}) || len(totals.ByKeyword) != mention.MaxKeywords ||
		totals.ByKeyword[101].Relevant != 1 {
		t.Errorf("%+v", totals)
	}
}
