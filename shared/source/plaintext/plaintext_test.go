package plaintext_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"earshot/shared/source/plaintext"
)

func TestFromHTML(t *testing.T) {
	for _, c := range []struct{ name, html, want string }{
		{"nothing", "", ""},
		{"plain", "  a  b\n c ", "a  b\n c"},
		{"entities", "a &amp; b &lt;c&gt; &#x27;d&#39; &quot;e&quot; f&nbsp;g &euro;", "a & b <c> 'd' \"e\" f\u00a0g €"},
		{"no entity", "AT&T &nosuch; R&D", "AT&T &nosuch; R&D"},
		{"paragraphs", "one<p>two</p>\n<p>three", "one\n\ntwo\n\nthree"},
		{"breaks", "one<br>two<br/>\nthree<br><br><br><br>four", "one\ntwo\nthree\n\nfour"},
		{"inline", "<b>bo</b>ld <i>and</i> <a href='javascript:x'>link</a>ed", "bold and linked"},
		{"white space", "<p> a \n\t b <b> c </b> d", "a b c d"},
		{"code", "<pre><code>if a &lt; b {\n\tc  d\n}\n</code></pre>after", "if a < b {\n\tc  d\n}\n\n\nafter"},
		{"list", "<ul><li>one</li><li>two <b>2</b></li></ul>end", "- one\n- two 2\n\nend"},
		{"list of paragraphs", "<ul>\n<li><p>one</p>\n<p>more</p>\n</li>\n<li>\n<p>two</p></li>\n</ul>end",
			"- one\n\nmore\n\n- two\n\nend"},
		{"list in a list", "<ul><li>one<ul><li>two</li></ul></li></ul>", "- one\n\n- two"},
		{"script without an end", "<script/>alert(1)</script>a<iframe/>b</iframe>c", "ac"},
		{"drawing without content", "<svg/>a<math/>b", "ab"},
		{"table", "<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "a b\nc"},
		{"hidden", "a<script>alert('<p>b')</script><style>p{}</style><!-- c --><svg><text>d</text></svg><title>e</title>f",
			"af"},
		{"hidden without an end", "a<script>b", "a"},
		{"images", `a <img src=x onerror=alert(1) alt="b"> c`, "a c"},
		{"angle brackets", "a < b and c > d <3", "a < b and c > d <3"},
		{"ends too many", "</pre></div></p>a  b</ul>", "a b"},
		{"broken", "a<b", "a"},
	} {
		if got := plaintext.FromHTML(c.html); got != c.want {
			t.Errorf("%s: %q, not %q", c.name, got, c.want)
		}
	}
}

// However deep it goes, and however long it is.
func TestHostile(t *testing.T) {
	for _, hostile := range []string{
		strings.Repeat("<div>", 1_000_000), strings.Repeat("<ul><li>", 500_000), strings.Repeat("<", 1_000_000),
		strings.Repeat("&", 1_000_000),
		"<a " + strings.Repeat("x=y ", 1_000_000) + ">", strings.Repeat("<pre>", 500_000) + "x",
	} {
		if got := plaintext.FromHTML(hostile); len(got) > 2*plaintext.Max {
			t.Errorf("%.20s…: %d bytes", hostile, len(got))
		}
	}
}

func FuzzFromHTML(f *testing.F) {
	for _, seed := range []string{"a<p>b", "<pre>\n a", "&nGt;&nGt;", "<script>", "<li><li>", "\xff<b>\x00"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, html string) {
		got := plaintext.FromHTML(html)
		if len(got) > 3*len(html) {
			t.Errorf("%d bytes become %d", len(html), len(got))
		}
		if utf8.ValidString(html) && !utf8.ValidString(got) {
			t.Errorf("%q becomes %q", html, got)
		}
		if got != strings.TrimSpace(got) {
			t.Errorf("white space stands around %q", got)
		}
	})
}
