package queuetest

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"pgregory.net/rapid"

	"earshot/shared/port/queue"
)

// testEverything sends more than one request takes, at once and one by one.
func testEverything(e *env) {
	var want []string
	for i := range 37 {
		want = append(want, fmt.Sprintf("message %d", i))
	}
	e.send(First, messages(want[:33]...)...)
	for _, body := range want[33:] {
		e.send(First, messages(body)...)
	}
	e.wants(First, want...)
	e.wants(First) // and only once it was not failed
}

func testNothing(e *env) {
	e.send(First)
	e.wants(First)
}

func testBodies(e *env) {
	bodies := []string{
		"x", " ", "\t\r\n ", "  space around  ", "line\r\nline\rline\nline", "\u0020\u007f\u0080\u0085\u009f",
		`{"a":"b \" \\ / \u0000 "}`, `<a href="&amp;">]]></a><![CDATA[x]]>`, "&lt;&#10;&#x0;", "100% + / ? # & = ;",
		"ÄÖÜ ß é e\u0301 ﷺ", "日本語 한국어 العربية עברית", "👩‍👩‍👧‍👦 🏳️‍🌈", "\u2028\u2029\ufeff\u200d\u00a0\u00ad",
		"\ud7ff\ue000\ufffd\U00010000\U0001fffe\U0010ffff",
	}
	e.send(First, messages(bodies...)...)
	e.wants(First, bodies...)
}

// testTexts sends any text: directly where allowed, otherwise in JSON.
func testTexts(e *env) {
	rapid.Check(e.T, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.OneOf(rapid.String(), rapid.StringOfN(hostile, 1, 200, -1)), 1, 12).
			Draw(t, "texts")
		var want []string
		for _, value := range values {
			body, err := queue.JSON(value)
			if err != nil {
				t.Fatal(err)
			}
			var back string
			if err := json.Unmarshal(body, &back); err != nil || utf8.ValidString(value) && back != value {
				t.Fatalf("%q was written as %q: %v", value, body, err)
			}
			want = append(want, string(body))
			if raw := (queue.Message{Body: []byte(value)}); queue.Check(raw) == nil {
				want = append(want, value)
			}
		}
		if err := e.Queue.Send(e.Context(), Second, messages(want...)...); err != nil {
			t.Fatal(err)
		}
		left := map[string]int{}
		for _, body := range want {
			left[body]++
		}
		for came := 0; came < len(want); {
			count, err := e.Receive(e.Context(), Second, func(batch []queue.Delivery) []string {
				for _, delivery := range batch {
					left[string(delivery.Body)]--
				}
				return nil
			})
			if err != nil || count == 0 {
				t.Fatalf("%d of %d messages came: %v", came, len(want), err)
			}
			came += count
		}
		for body, count := range left {
			if count != 0 {
				t.Fatalf("%q came %d times too seldom", body, count)
			}
		}
	})
}

var hostile = rapid.RuneFrom([]rune("aé漢👍 \t\n\r\x00\x01\x1f\x7f\u0085\u2028\ufffd\ufffe\uffff<&>\"'\\%"))

// testLarge sends messages of the largest size, more than one request holds, together with a small one.
func testLarge(e *env) {
	want := []string{
		strings.Repeat("a", queue.MaxBody),
		strings.Repeat("é", queue.MaxBody/2),
		strings.Repeat("\"", queue.MaxBody-1), // twice as long in JSON
		strings.Repeat("👍", queue.MaxBody/8),
		strings.Repeat("b", queue.MaxBody/2),
		"small",
	}
	e.send(First, messages(want...)...)
	e.wants(First, want...)
}
