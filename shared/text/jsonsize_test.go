package text_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"pgregory.net/rapid"

	"earshot/shared/text"
	"earshot/shared/web"
)

// sent is what a text takes in an answer: the kit writes its JSON without regard to HTML, and Lambda's client that of
// the event with it.
func sent(t *rapid.T, text string) int {
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(text); err != nil {
		t.Fatal(err)
	}
	const around = 2 * len(`\"`) // the quotation marks
	return web.Sent(bytes.TrimSuffix(body.Bytes(), []byte("\n"))) - around
}

// No text takes more than it weighs, and what is plain weighs what it takes.
func TestJSONSize(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOf(rapid.OneOf(rapid.Rune(),
			rapid.SampledFrom([]rune("\"\\<>&\x00\x01\n\t\u2028\u2029\u007f€é日x")))).Draw(t, "text")
		if got, takes := text.JSONSize(s), sent(t, s); got < takes {
			t.Fatalf("%q weighs %d and takes %d", s, got, takes)
		}
		if text.JSONSize(s) != text.JSONSize([]byte(s)) {
			t.Fatalf("%q weighs something else as bytes", s)
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringMatching(`[ -!#-%'-;=?-\[\]-~é日]*`).Draw(t, "text")
		if got, takes := text.JSONSize(s), sent(t, s); got != takes {
			t.Fatalf("%q weighs %d and takes %d", s, got, takes)
		}
	})
}
