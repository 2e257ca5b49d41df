package mentions_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"earshot/functions/mentions"
	"earshot/shared/embedded/fault"
	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/mention"
	"earshot/shared/web/mentionwire"
	"earshot/shared/worldtest"
)

func (d desk) patch(t testing.TB, id, body string, header ...string) worldtest.Answer {
	t.Helper()
	return d.Do(t, worldtest.Request{
		Method: http.MethodPatch,
		Target: "/api/v2/mentions/" + id,
		Body:   body,
		Header: header,
	})
}

const itsTime = `"timestamp":"2026-11-20 10:15:00.000"`

func (d desk) mention(t testing.TB, id string) (m mentionwire.Mention) {
	t.Helper()
	d.Get(t, byID(id)).OK(t, &m)
	return m
}

// counted is how many mentions the workspace's counts have with a score and a tone.
func (d desk) counted(t testing.TB, score *mention.Score, tone mention.Sentiment) (n int64) {
	t.Helper()
	volumes, err := d.Store.Volumes(t.Context(), d.Main.ID, 0, worldtest.Now.Add(-24*time.Hour),
		worldtest.Now.Add(48*time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range volumes {
		if v.Sentiment == tone && (score == nil) == (v.Score == nil) && (score == nil || *score == *v.Score) {
			n += v.Mentions
		}
	}
	return n
}

func TestChanges(t *testing.T) {
	d := newDesk(t, worldtest.NewWorld(t))
	d.Put(t, d.Main.ID, worldtest.Mention(42, "a_b_c", worldtest.Now))
	d = d.as(d.Write)
	ok := func(body string) mentionwire.Mention {
		t.Helper()
		var done mentions.Done
		d.patch(t, "a_b_c", body).OK(t, &done)
		if !done.OK {
			t.Error("it is not ok")
		}
		return d.mention(t, "a_b_c")
	}
	relevance := func(score int) mentionwire.Mention {
		t.Helper()
		return ok(fmt.Sprintf(`{"action":"relevance","postId":42,"relevance":%d,%s}`, score, itsTime))
	}
	if m := ok(`{"action":"engage","postId":42,"engaged":true,` + itsTime + `}`); !m.Engaged {
		t.Error("it is not engaged")
	}
	if m := ok(`{"action":"engage","postId":42,"engaged":true,"timestamp":"2026-11-20T11:15:00+01:00"}`); !m.Engaged {
		t.Error("it was toggled")
	}
	if m := ok(`{"action":"engage","postId":42.0,"engaged":false,` + itsTime + `}`); m.Engaged {
		t.Error("it is engaged")
	}
	for _, c := range []struct {
		score     int
		relevance string
		feedback  int64
	}{{2, "not_relevant", -1}, {1, "relevant", 1}, {1, "relevant", 1}, {0, "relevant", 1}, {2, "not_relevant", -1}} {
		m := relevance(c.score)
		if string(m.Relevance) != c.relevance || *m.RelevanceScore != int64(c.score) || *m.FeedbackRelevant != c.feedback {
			t.Errorf("relevance %d: %s %d %d", c.score, m.Relevance, *m.RelevanceScore, *m.FeedbackRelevant)
		}
		score := mention.Score(c.score)
		if n := d.counted(t, &score, mention.Positive); n != 1 {
			t.Errorf("relevance %d: %d are counted so", c.score, n)
		}
		var page mentions.MentionList
		d.Post(t, "/api/v2/mentions", `{}`).OK(t, &page)
		if (len(page.Data) == 1) != (c.relevance == "relevant") {
			t.Errorf("relevance %d: the list has %d", c.score, len(page.Data))
		}
	}
	for range 2 {
		if m := relevance(3); m.Relevance != "relevant" || *m.RelevanceScore != 0 || m.FeedbackRelevant != nil {
			t.Errorf("cleared: %s %d %v", m.Relevance, *m.RelevanceScore, m.FeedbackRelevant)
		}
	}
	if m := ok(`{"action":"sentiment","sentimentLabel":"Negative",` + itsTime + `}`); *m.Sentiment != "Negative" {
		t.Errorf("the tone is %v", *m.Sentiment)
	}
	high := mention.High
	if d.counted(t, &high, mention.Negative) != 1 || d.counted(t, &high, mention.Positive) != 0 {
		t.Error("the counts did not follow the tone")
	}
	ok(`{"action":"sentiment","postId":42,"sentimentLabel":"Neutral",` + itsTime + `}`)
}

// What changes nothing writes nothing.
func TestSameStateIsNotWritten(t *testing.T) {
	d := newDesk(t, worldtest.NewWorld(t))
	d.Put(t, d.Main.ID, worldtest.Mention(42, "a_b_c", worldtest.Now))
	d = d.as(d.Write)
	bodies := []string{`{"action":"engage","postId":42,"engaged":true,` + itsTime + `}`,
		`{"action":"relevance","postId":42,"relevance":2,` + itsTime + `}`,
		`{"action":"sentiment","sentimentLabel":"Neutral",` + itsTime + `}`}
	for _, body := range bodies {
		d.patch(t, "a_b_c", body).OK(t, nil)
	}
	d.Fault(fault.Fault{Port: "table", Operation: "transact", Fault: fault.Error})
	for _, body := range bodies {
		d.patch(t, "a_b_c", body).OK(t, nil)
	}
}

func TestChangesThatAreRefused(t *testing.T) {
	d := newDesk(t, worldtest.NewWorld(t))
	d.Put(t, d.Main.ID, worldtest.Mention(42, "ours", worldtest.Now))
	d.Put(t, d.Other.ID, worldtest.Mention(42, "theirs", worldtest.Now))
	engage := `{"action":"engage","postId":42,"engaged":true,` + itsTime + `}`
	d.patch(t, "ours", engage).Is(t, 403, "FORBIDDEN")
	d.as(d.AgentsKey).patch(t, "ours", `{`).Is(t, 403, "UPGRADE_REQUIRED")
	d = d.as(d.Write)
	unused, theirs := d.patch(t, "unused", engage), d.patch(t, "theirs", engage)
	theirs.Is(t, 404, "POST_NOT_FOUND")
	if string(unused.Body) != string(theirs.Body) {
		t.Errorf("%s and %s differ", unused.Body, theirs.Body)
	}
	for _, body := range []string{
		`{"action":"engage","postId":43,"engaged":true,` + itsTime + `}`,
		`{"action":"engage","postId":42,"engaged":true,"timestamp":"2026-11-20 10:15:00.001"}`,
		`{"action":"relevance","postId":43,"relevance":3,` + itsTime + `}`,
		`{"action":"sentiment","postId":43,"sentimentLabel":"Neutral",` + itsTime + `}`,
		`{"action":"sentiment","sentimentLabel":"Neutral","timestamp":"2026-11-20T10:15:00+01:00"}`,
	} {
		d.patch(t, "ours", body).Is(t, 404, "POST_NOT_FOUND")
	}
	for _, c := range []struct{ body, want string }{
		{`{}`, "[action required]"},
		{`{"action":"like","x":1}`, "[action enum]"},
		{`{"action":null}`, "[action type]"},
		{`[]`, "[body type]"},
		{`{"action":"engage"}`, "[engaged required postId required timestamp required]"},
		{`{"action":"engage","postId":0,"engaged":"yes","timestamp":"today"}`,
			"[engaged type postId minimum timestamp pattern]"},
		{`{"action":"engage","postId":42,"engaged":true,"timestamp":"today"}`, "[timestamp pattern]"},
		{`{"action":"engage","postId":42,"engaged":true,"timestamp":"2026-02-30 10:15:00.000"}`, "[timestamp format]"},
		{`{"action":"engage","postId":0,"engaged":1,"timestamp":"2026-02-30 10:15:00.000"}`,
			"[engaged type postId minimum timestamp format]"},
		{`{"action":"engage","postId":42,"engaged":true,"relevance":1,` + itsTime + `}`, "[relevance unknown]"},
		{`{"action":"relevance","postId":42,"relevance":4,` + itsTime + `}`, "[relevance maximum]"},
		{`{"action":"relevance","postId":42,"relevance":"1",` + itsTime + `}`, "[relevance type]"},
		{`{"action":"sentiment","sentimentLabel":"positive",` + itsTime + `}`, "[sentimentLabel enum]"},
		{`{"action":"sentiment","postId":null,"sentimentLabel":"Positive",` + itsTime + `}`, "[postId type]"},
	} {
		var got []string
		for _, detail := range d.patch(t, "ours", c.body).Is(t, 400, "VALIDATION_ERROR").Details {
			got = append(got, detail.Path+" "+detail.Code)
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("%s: %v, want %s", c.body, got, c.want)
		}
	}
	if m := d.mention(t, "ours"); m.Engaged {
		t.Error("a refused change was made")
	}
}

func TestChangesThatFail(t *testing.T) {
	d := newDesk(t, worldtest.NewWorld(t))
	d.Put(t, d.Main.ID, worldtest.Mention(42, "a_b_c", worldtest.Now))
	d = d.as(d.Write)
	d.Fault(fault.Fault{Port: "table", Operation: "transact", Fault: fault.Error})
	d.patch(t, "a_b_c", `{"action":"engage","postId":42,"engaged":true,`+itsTime+`}`).Is(t, 500, "ENGAGE_FAILED")
	d.patch(t, "a_b_c", `{"action":"relevance","postId":42,"relevance":2,`+itsTime+`}`).
		Is(t, 500, "RELEVANCE_UPDATE_FAILED")
	d.patch(t, "a_b_c", `{"action":"sentiment","sentimentLabel":"Neutral",`+itsTime+`}`).Is(t, 500, "INTERNAL_ERROR")
	d.Faults.Clear()
	// A crash after the write, and the repeat that the client sends.
	d.CrashOnce("transact")
	body := `{"action":"relevance","postId":42,"relevance":2,` + itsTime + `}`
	d.patch(t, "a_b_c", body, "Idempotency-Key", "k").Is(t, 500, "INTERNAL_ERROR")
	d.patch(t, "a_b_c", body, "Idempotency-Key", "k").OK(t, nil)
	low := mention.Low
	if n := d.counted(t, &low, mention.Positive); n != 1 {
		t.Errorf("%d are counted", n)
	}
}

// Changes of different things at once are all made, and counted once.
func TestChangesAtOnce(t *testing.T) {
	d := newDesk(t, worldtest.NewWorld(t))
	d.Put(t, d.Main.ID, worldtest.Mention(42, "a_b_c", worldtest.Now))
	d = d.as(d.Write)
	change := func(body string) func(int) {
		return func(int) {
			if answer := d.patch(t, "a_b_c", body); answer.Status != 200 {
				t.Errorf("PATCH %s = %d %s, want 200", body, answer.Status, answer.Body)
			}
		}
	}
	faulttest.AtOnce(3, change(`{"action":"engage","postId":42,"engaged":true,`+itsTime+`}`),
		change(`{"action":"relevance","postId":42,"relevance":1,`+itsTime+`}`))
	medium := mention.Medium
	if m := d.mention(t, "a_b_c"); !m.Engaged || *m.RelevanceScore != 1 || d.counted(t, &medium, mention.Positive) != 1 {
		t.Errorf("%+v", m)
	}
}
