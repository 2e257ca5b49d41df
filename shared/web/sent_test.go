package web_test

import (
	"encoding/json"
	"strings"
	"testing"

	"earshot/shared/web"
)

// A body's size on its way is that of the string that encoding/json makes of it, and no byte takes more than MostSent.
func TestSent(t *testing.T) {
	for _, text := range []string{"", "plain", `"quoted" \\ back`, "<b>&</b>", "\u2028\u2029\u2027", "line\none\ttab\x01",
		"é 🔥 \u00e2\u0080", strings.Repeat("<", 1000)} {
		escaped, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		// encoding/json writes some controls as two bytes, which is less.
		got, want := web.Sent([]byte(text)), len(escaped)-2
		if got < want || got > want+8 || got > web.MostSent*len(text) {
			t.Errorf("%q: %d, and it is %d", text, got, want)
		}
	}
}
