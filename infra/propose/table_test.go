package propose

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"earshot/infra/terminal"
)

const example = `{"status":"needs_narrowing","model":"none","agentFallback":true,"startedAt":"2026-11-20T10:00:00Z","finishedAt":"2026-11-20T10:00:02.314Z",
 "degraded":[{"code":"sample_failed","message":"No posts."}],
 "proposal":{"archetype":"common_word","archetypeReason":"Box is a word.","confidence":0.5,
  "keywords":[{"ref":"a","keyword":"box","tag":"own_brand","route":"anchored","explanation":"You get box.","additionalTerms":["cloud","files"],"excludeWords":["cardboard"],
    "flags":["sparse","unverified"],"selectedByDefault":true,"volume":{"low":0.2,"high":12.4,"basis":"sparse"},"sample":{"scored":10,"relevanceRate":0.5},
    "reasons":[{"basis":"rule","ref":"K2","text":"A common word is never tracked bare."}]},
   {"ref":"b","keyword":"素晴らしいノースウィンドの製品とその仲間たちのこと","tag":"industry_term","route":"bare","volume":{"low":3,"high":3,"basis":"prior"}}],
  "options":[{"id":"only_reddit_a","keywordRef":"a","label":"Only on Reddit","description":"Only posts on Reddit: about 3 posts a month."}],
  "feeds":[{"ref":"f","name":"Brand","visible":false,"keywordRefs":["a","gone"]}],"platforms":{"on":["reddit"],"off":[{"source":"x","reason":"Noise."}]},
  "totals":{"dedupedMonthly":10,"allowance":5,"band":"blocked","narrowingApplied":[{"step":"split","target":"box","reason":"Less."}]},"warnings":[{"code":"w","keyword":"box","message":"Look."}]}}`

func written(t testing.TB, s status, wide int) string {
	t.Helper()
	var out bytes.Buffer
	if err := write(&out, s, wide); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestTable(t *testing.T) {
	var s status
	if err := json.Unmarshal([]byte(example), &s); err != nil {
		t.Fatal(err)
	}
	for _, wide := range []int{40, 60, 80, 120, 200} {
		out := written(t, s, wide)
		for _, line := range strings.Split(out, "\n") {
			if terminal.Width(line) > wide || strings.HasSuffix(line, " ") {
				t.Errorf("%d cells of %d: %q", terminal.Width(line), wide, line)
			}
		}
		for _, part := range []string{"NEEDS NARROWING: common_word.", "+ ", "box", "<1–12 sparse", "50 %", "unverified",
			"own_brand", "beside: cloud, files", "without: cardboard", "[rule K2]",
			"Brand (hidden): box, gone", "Only on Reddit: ", "not on x: Noise.", "Narrowed box: Less.", "Mind box: Look.",
			"Degraded (sample_failed)", "3 prior"} {
			if !strings.Contains(out, part) {
				t.Errorf("at %d it does not say %q:\n%s", wide, part, out)
			}
		}
		if strings.Contains(out, "sparse, unverified") {
			t.Error("the basis is said twice")
		}
	}
	if out := written(t, s, 120); !strings.Contains(out, "\n+  box ") {
		t.Errorf("%s", out)
	}
	if err := write(&bytes.Buffer{}, status{Status: "ready"}, 80); err == nil {
		t.Error("a proposal that is not there is written")
	}
	if err := write(broken{}, s, 80); err == nil {
		t.Error("nobody hears that it cannot be written")
	}
	if len(s.selected()) != 1 || len((status{}).selected()) != 0 {
		t.Error(s.selected())
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// Whatever strangers write, a terminal is not moved by it, and no line is longer than it may be unless a single word is.
func TestHostileText(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.Just("\x1b[2J\u009b1A\u202e\r\x07x"), rapid.StringOf(rapid.Rune())).
			Draw(rt, "text")
		wide := rapid.IntRange(20, 120).Draw(rt, "wide")
		var s status
		if err := json.Unmarshal([]byte(example), &s); err != nil {
			rt.Fatal(err)
		}
		k := &s.Proposal.Keywords[0]
		k.Keyword, k.Explanation, k.AdditionalTerms, k.Tag, k.Reasons[0].Text = text, text, []string{text}, text, text
		s.Proposal.Feeds[0].Name, s.Proposal.Warnings[0].Message, s.Proposal.Warnings[0].Keyword = text, text, text
		out := written(drawn{t, rt}, s, wide)
		if strings.ContainsFunc(out, func(r rune) bool { return r != '\n' && !unicode.IsGraphic(r) }) {
			rt.Fatalf("%q", out)
		}
		document, err := json.Marshal(text)
		if err != nil {
			rt.Fatal(err)
		}
		var back, want string
		shownJSON := terminal.EscapeJSON(document)
		if json.Unmarshal(document, &want) != nil || json.Unmarshal([]byte(shownJSON), &back) != nil || back != want {
			rt.Fatalf("%q is written %s", want, shownJSON)
		}
		if strings.ContainsFunc(shownJSON, func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }) {
			rt.Fatalf("%q", shownJSON)
		}
	})
}

// drawn fails the drawn test where a helper would fail the whole one.
type drawn struct {
	testing.TB
	rt *rapid.T
}

func (r drawn) Fatal(args ...any) { r.rt.Fatal(args...) }
