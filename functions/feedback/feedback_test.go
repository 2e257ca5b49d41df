package feedback_test

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"earshot/functions/discovery"
	"earshot/functions/feedback"
	"earshot/functions/mentions"
	"earshot/shared/keyword"
	"earshot/shared/mention"
	"earshot/shared/web"
	"earshot/shared/web/mentionwire"
	"earshot/shared/worldtest"
)

const path, statsPath = "/api/v2/feedback", "/api/v2/feedback/stats"

type desk struct{ worldtest.Desk }

func newDesk(t testing.TB) desk {
	t.Helper()
	d := desk{worldtest.NewDesk(t, discovery.OpenAPI(), func(api *web.API, w *worldtest.World) {
		feedback.Register(api, feedback.Options{Store: w.Store})
		mentions.Register(api, mentions.Options{Store: w.Store})
	})}
	for id, text := range map[int64]string{7: "northwind", 8: "lanternpage", 9: "outage"} {
		must(t, d.Store.RestoreKeyword(t.Context(), d.Main.ID, keyword.Keyword{ID: id, Text: text}))
	}
	return d
}

var must = worldtest.Must

// found stores a mention of the keywords 7 to 9, with the judge's score.
func (d desk) found(t testing.TB, id int64, score mention.Score) mention.Mention {
	t.Helper()
	m := worldtest.Mention(id, fmt.Sprint("post", id), worldtest.Now)
	m.RelevanceScore, m.Relevant, m.Vector = &score, score.Relevant(), []byte{byte(id)}
	m.Keywords = []mention.Keyword{{ID: 9, Text: "outage"}, {ID: 7, Text: "northwind"}, {ID: 8, Text: "lanternpage"}}
	d.Put(t, d.Main.ID, m)
	return m
}

// judgement is a body; more is what else it says.
func judgement(id, keywordID int64, kind string, more ...string) string {
	return fmt.Sprintf(`{"sourceId":"post%d","timestamp":"2026-11-20 10:15:00.000","keywordId":%d,"source":"hackernews","feedbackType":%q%s}`,
		id, keywordID, kind, strings.Join(append([]string{""}, more...), ","))
}

func (d desk) judge(t testing.TB, id, keywordID int64, kind string, more ...string) (f feedback.StandingFeedback) {
	t.Helper()
	d.Post(t, path, judgement(id, keywordID, kind, more...)).OK(t, &f)
	return f
}

func (d desk) withdraw(t testing.TB, id, keywordID int64) {
	t.Helper()
	var done feedback.Withdrawn
	d.Delete(t, fmt.Sprintf("%s?sourceId=post%d&keywordId=%d", path, id, keywordID)).OK(t, &done)
	if !done.OK {
		t.Error("it is not ok")
	}
}

func (d desk) thumb(t testing.TB, id int64, relevance int) {
	t.Helper()
	d.Patch(t, fmt.Sprint("/api/v2/mentions/post", id),
		fmt.Sprintf(`{"action":"relevance","postId":%d,"relevance":%d,"timestamp":"2026-11-20 10:15:00.000"}`, id,
			relevance)).OK(t, nil)
}

func (d desk) stats(t testing.TB) (s feedback.FeedbackStats) {
	t.Helper()
	d.As(d.Read).Get(t, statsPath).OK(t, &s)
	return s
}

// statsLine returns the statistics in a line: all, then each keyword as relevant/not relevant.
func statsLine(s feedback.FeedbackStats) string {
	text := fmt.Sprintf("%d=%d+%d %.2f", s.Total, s.Relevant, s.NotRelevant, s.FalsePositiveRate)
	for _, k := range s.ByKeyword {
		text += fmt.Sprintf(" %d:%d/%d", k.KeywordID, k.Relevant, k.NotRelevant)
	}
	return text
}

// shown is a mention's relevance in a line: public, score, thumb.
func (d desk) shown(t testing.TB, id int64) string {
	t.Helper()
	var m mentionwire.Mention
	d.Get(t, fmt.Sprint("/api/v2/mentions/post", id)).OK(t, &m)
	thumb := "none"
	if m.FeedbackRelevant != nil {
		thumb = fmt.Sprint(*m.FeedbackRelevant)
	}
	score := "none"
	if m.RelevanceScore != nil {
		score = fmt.Sprint(*m.RelevanceScore)
	}
	return fmt.Sprintf("%s %s %s", m.Relevance, score, thumb)
}

func TestDoors(t *testing.T) {
	d := newDesk(t)
	if got := d.Doors(t, feedback.Group, d.World); !slices.Equal(got,
		[]string{"getFeedbackStats", "submitFeedback", "withdrawFeedback"}) {
		t.Errorf("the operations are %v", got)
	}
}

// Each step says what the mention and the statistics are after it.
func TestRelevanceFollows(t *testing.T) {
	const up, down, away = "RELEVANT", "NOT_RELEVANT", ""
	type step struct {
		keywordID    int64 // 0: PATCH, of the relevance in kind
		kind         string
		shown, stats string
	}
	for name, c := range map[string]struct {
		judged mention.Score
		steps  []step
	}{
		"not relevant to one": {mention.High, []step{
			{7, down, "not_relevant 2 -1", "1=0+1 1.00 7:0/1"},
			{7, down, "not_relevant 2 -1", "1=0+1 1.00 7:0/1"},
			{8, up, "relevant 0 1", "2=1+1 0.50 7:0/1 8:1/0"},
			{7, up, "relevant 0 1", "2=2+0 0.00 7:1/0 8:1/0"},
			{8, down, "relevant 0 1", "2=1+1 0.50 7:1/0 8:0/1"},
			{7, away, "not_relevant 2 -1", "1=0+1 1.00 8:0/1"},
			{9, away, "not_relevant 2 -1", "1=0+1 1.00 8:0/1"},
			{8, away, "relevant 0 none", "0=0+0 0.00"},
			{8, away, "relevant 0 none", "0=0+0 0.00"},
		}},
		"the judge's medium": {mention.Medium, []step{
			{7, up, "relevant 1 1", "1=1+0 0.00 7:1/0"},
			{7, down, "not_relevant 2 -1", "1=0+1 1.00 7:0/1"},
			{7, up, "relevant 1 1", "1=1+0 0.00 7:1/0"},
			{7, away, "relevant 1 none", "0=0+0 0.00"},
		}},
		"the judge's low": {mention.Low, []step{
			{7, up, "relevant 0 1", "1=1+0 0.00 7:1/0"},
			{8, down, "relevant 0 1", "2=1+1 0.50 7:1/0 8:0/1"},
			{7, away, "not_relevant 2 -1", "1=0+1 1.00 8:0/1"},
			{8, away, "not_relevant 2 none", "0=0+0 0.00"},
		}},
		"by PATCH": {mention.High, []step{
			{0, "1", "relevant 1 1", "3=3+0 0.00 7:1/0 8:1/0 9:1/0"},
			{0, "0", "relevant 0 1", "3=3+0 0.00 7:1/0 8:1/0 9:1/0"},
			{0, "1", "relevant 1 1", "3=3+0 0.00 7:1/0 8:1/0 9:1/0"},
			{7, down, "relevant 1 1", "3=2+1 0.33 7:0/1 8:1/0 9:1/0"},
			{0, "2", "not_relevant 2 -1", "3=0+3 1.00 7:0/1 8:0/1 9:0/1"},
			{8, up, "relevant 0 1", "3=1+2 0.67 7:0/1 8:1/0 9:0/1"},
			{0, "3", "relevant 0 none", "0=0+0 0.00"},
			{0, "3", "relevant 0 none", "0=0+0 0.00"},
			{9, down, "not_relevant 2 -1", "1=0+1 1.00 9:0/1"},
			{0, "3", "relevant 0 none", "0=0+0 0.00"},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			d.found(t, 42, c.judged)
			for i, s := range c.steps {
				switch {
				case s.keywordID == 0:
					d.thumb(t, 42, int(s.kind[0]-'0'))
				case s.kind == away:
					d.withdraw(t, 42, s.keywordID)
				default:
					answer := d.judge(t, 42, s.keywordID, s.kind)
					if !strings.HasPrefix(s.shown, string(answer.Relevance)+" ") || answer.Type != s.kind ||
						answer.KeywordID != s.keywordID {
						t.Errorf("step %d answers %+v", i, answer)
					}
				}
				if got := d.shown(t, 42); got != s.shown {
					t.Errorf("step %d: the mention is %s, want %s", i, got, s.shown)
				}
				if got := statsLine(d.stats(t)); got != s.stats {
					t.Errorf("step %d: the statistics are %s, want %s", i, got, s.stats)
				}
				d.counted(t, i)
			}
		})
	}
}

// counted holds the volumes of a workspace with one mention to that mention.
func (d desk) counted(t testing.TB, step int) {
	t.Helper()
	m, err := d.Store.Mention(t.Context(), d.Main.ID, "post42")
	must(t, err)
	for _, keywordID := range []int64{0, 7, 8, 9} {
		volumes, err := d.Store.Volumes(t.Context(), d.Main.ID, keywordID, worldtest.Now.Add(-24*time.Hour),
			worldtest.Now.Add(48*time.Hour))
		must(t, err)
		if len(volumes) != 1 || volumes[0].Mentions != 1 || *volumes[0].Score != *m.RelevanceScore {
			t.Errorf("step %d: keyword %d is counted %+v, of score %d", step, keywordID, volumes, *m.RelevanceScore)
		}
	}
}

func TestAnswers(t *testing.T) {
	d := newDesk(t)
	d.found(t, 42, mention.High)
	first := d.judge(t, 42, 7, "NOT_RELEVANT", `"feedbackReason":"  The weather.\nNot us. "`, `"feedbackSource":"SLACK"`)
	if first.SourceID != "post42" || first.Reason.OrZero() != "The weather.\nNot us." || first.From != "SLACK" ||
		first.CreatedAt != "2026-11-20T10:15:00.000Z" {
		t.Errorf("%+v", first)
	}
	d.Clock.Freeze(worldtest.Now.Add(time.Hour))
	if again := d.judge(t, 42, 7, "NOT_RELEVANT", `"feedbackReason":"The weather.\nNot us."`,
		`"feedbackSource":"SLACK"`); again.CreatedAt != first.CreatedAt {
		t.Errorf("the same again is of %s", again.CreatedAt)
	}
	if other := d.judge(t, 42, 7, "NOT_RELEVANT"); other.CreatedAt != "2026-11-20T11:15:00.000Z" ||
		other.Reason.Value != nil || other.From != "API" {
		t.Errorf("%+v", other)
	}
	// PATCH leaves what says the same already.
	d.judge(t, 42, 7, "NOT_RELEVANT", `"feedbackReason":"Ours to keep."`, `"feedbackSource":"WEB"`)
	d.thumb(t, 42, 2)
	d.Clock.Freeze(worldtest.Now.Add(2 * time.Hour))
	if kept := d.judge(t, 42, 7, "NOT_RELEVANT", `"feedbackReason":"Ours to keep."`,
		`"feedbackSource":"WEB"`); kept.CreatedAt != "2026-11-20T11:15:00.000Z" {
		t.Errorf("%+v", kept)
	}
	stats := d.stats(t)
	if stats.ByKeyword[0].Keyword.OrZero() != "northwind" {
		t.Errorf("%+v", stats)
	}
	must(t, d.Store.DeleteKeyword(t.Context(), d.Main.ID, 7))
	if stats = d.stats(t); stats.ByKeyword[0].Keyword.Value != nil ||
		stats.ByKeyword[1].Keyword.OrZero() != "lanternpage" {
		t.Errorf("%+v", stats)
	}
	// What was deleted since is judged still.
	if judged := d.judge(t, 42, 7, "RELEVANT"); judged.Relevance != "relevant" {
		t.Errorf("%+v", judged)
	}
	if empty := newDesk(t).stats(t); statsLine(empty) != "0=0+0 0.00" || empty.ByKeyword == nil {
		t.Errorf("%+v", empty)
	}
}

func TestNotFound(t *testing.T) {
	d := newDesk(t)
	d.found(t, 42, mention.High)
	theirs := worldtest.Mention(43, "post43", worldtest.Now)
	d.Put(t, d.Other.ID, theirs)
	foreign, unused := d.Post(t, path, judgement(43, 7, "RELEVANT")), d.Post(t, path, judgement(44, 7, "RELEVANT"))
	foreign.Is(t, 404, "POST_NOT_FOUND")
	if string(foreign.Body) != string(unused.Body) {
		t.Errorf("%s and %s differ", foreign.Body, unused.Body)
	}
	query := func(id, keywordID int, more string) string {
		return fmt.Sprintf("%s?sourceId=post%d&keywordId=%d%s", path, id, keywordID, more)
	}
	foreign, unused = d.Delete(t, query(43, 7, "")), d.Delete(t, query(44, 7, ""))
	foreign.Is(t, 404, "POST_NOT_FOUND")
	if string(foreign.Body) != string(unused.Body) {
		t.Errorf("%s and %s differ", foreign.Body, unused.Body)
	}
	good := judgement(42, 7, "NOT_RELEVANT")
	for _, wrong := range []string{
		strings.Replace(good, "10:15:00.000", "10:15:00.001", 1),
		strings.Replace(good, "hackernews", "reddit", 1),
		strings.Replace(good, "2026-11-20 10:15:00.000", "2026-11-20T10:15:00+01:00", 1),
	} {
		d.Post(t, path, wrong).Is(t, 404, "POST_NOT_FOUND")
	}
	d.Post(t, path, judgement(42, 10, "NOT_RELEVANT")).Is(t, 404, "KEYWORD_NOT_FOUND")
	d.Delete(t, query(42, 10, "")).Is(t, 404, "KEYWORD_NOT_FOUND")
	d.Delete(t, query(42, 7, "&source=reddit")).Is(t, 404, "POST_NOT_FOUND")
	d.Delete(t, query(42, 7, "&timestamp="+url.QueryEscape("2026-11-20 10:15:01.000"))).Is(t, 404, "POST_NOT_FOUND")
	if statsLine(d.stats(t)) != "0=0+0 0.00" {
		t.Errorf("a refused judgement stands: %s", statsLine(d.stats(t)))
	}
	// The same in other forms is meant.
	d.Post(t, path, strings.Replace(strings.Replace(good, "hackernews", "HackerNews", 1), "2026-11-20 10:15:00.000",
		"2026-11-20T11:15:00.0001+01:00", 1)).OK(t, nil)
	d.Delete(t, query(42, 7, "&source=HACKERNEWS&timestamp="+url.QueryEscape("2026-11-20T11:15:00+01:00"))).OK(t, nil)
}

func TestFaults(t *testing.T) {
	d := newDesk(t)
	d.found(t, 42, mention.High)
	long := strings.Repeat("é", 501)
	for _, c := range []struct{ body, want string }{
		{`{}`, "[feedbackType required keywordId required source required sourceId required timestamp required]"},
		{`[]`, "[body type]"},
		{judgement(42, 0, "MAYBE", `"more":1`), "[feedbackType enum keywordId minimum more unknown]"},
		{judgement(42, 7, "RELEVANT", `"feedbackSource":"web"`, `"feedbackReason":""`),
			"[feedbackReason min_length feedbackSource enum]"},
		{judgement(42, 7, "RELEVANT", `"feedbackSource":null`, `"feedbackReason":null`),
			"[feedbackReason type feedbackSource type]"},
		{judgement(42, 7, "RELEVANT", `"feedbackReason":" \t "`), "[feedbackReason min_length]"},
		{judgement(42, 7, "RELEVANT", `"feedbackReason":"a\u0000b"`), "[feedbackReason pattern]"},
		{judgement(42, 7, "RELEVANT", `"feedbackReason":"`+long+`"`), "[feedbackReason max_length]"},
		{strings.Replace(judgement(42, 7, "RELEVANT"), "2026-11-20 ", "2026-02-30 ", 1), "[timestamp format]"},
		{strings.Replace(judgement(42, 7, "RELEVANT"), "2026-11-20 ", "today", 1), "[timestamp pattern]"},
		{`{"sourceId":1,"timestamp":2,"keywordId":"7","source":true,"feedbackType":null}`,
			"[feedbackType type keywordId type source type sourceId type timestamp type]"},
	} {
		var got []string
		for _, detail := range d.Post(t, path, c.body).Is(t, 400, "VALIDATION_ERROR").Details {
			got = append(got, detail.Path+" "+detail.Code)
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("%.200s: %v, want %s", c.body, got, c.want)
		}
	}
	for _, c := range []struct{ query, want string }{
		{"", "[query.keywordId required query.sourceId required]"},
		{"?sourceId=post42&keywordId=0&timestamp=today&source=",
			"[query.keywordId minimum query.source required query.timestamp pattern]"},
		{"?sourceId=post42&keywordId=seven&timestamp=2026-02-30%2010:15:00.000",
			"[query.keywordId type query.timestamp format]"},
	} {
		var got []string
		for _, detail := range d.Delete(t, path+c.query).Is(t, 400, "VALIDATION_ERROR").Details {
			got = append(got, detail.Path+" "+detail.Code)
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("%s: %v, want %s", c.query, got, c.want)
		}
	}
	if longest := d.judge(t, 42, 7, "RELEVANT",
		`"feedbackReason":" `+strings.Repeat("é", 500)+` "`); len([]rune(longest.Reason.OrZero())) != 500 {
		t.Errorf("%+v", longest)
	}
}
