package fold_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"earshot/shared/text/fold"
)

// slowly is the normal form of a text of ASCII, byte by byte.
func slowly(text string, folded bool) string {
	var form strings.Builder
	blankBefore := false
	for _, c := range []byte(text) {
		switch {
		case strings.IndexByte("\t\n\v\f\r ", c) >= 0:
			if !blankBefore {
				form.WriteByte(' ')
			}
			blankBefore = true
			continue
		case folded && c >= 'A' && c <= 'Z':
			c += 'a' - 'A'
		}
		form.WriteByte(c)
		blankBefore = false
	}
	return form.String()
}

// Each byte has its form wherever it stands among eight.
func TestNormal_EachASCII(t *testing.T) {
	var n fold.Normalizer
	for c := range 0x80 {
		for at := range 16 {
			text := strings.Repeat("x", at) + string(rune(c)) + strings.Repeat("Y", 15-at)
			for _, folded := range []bool{true, false} {
				if got, _ := n.Normal(nil, nil, text, folded); string(got) != slowly(text, folded) {
					t.Errorf("Normal(%q, %v) = %q, want %q", text, folded, got, slowly(text, folded))
				}
			}
		}
	}
}

// Blanks of any number in any place become one each, also where a stretch of eight bytes ends.
func TestNormal_ASCII(t *testing.T) {
	var n fold.Normalizer
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`([ -~]{0,9}[ \t\r\n]{0,3}[\x00-\x7F]?){0,8}`).Draw(t, "text")
		folded := rapid.Bool().Draw(t, "folded")
		if got, _ := n.Normal(nil, nil, text, folded); string(got) != slowly(text, folded) {
			t.Errorf("Normal(%q, %v) = %q, want %q", text, folded, got, slowly(text, folded))
		}
	})
}

// A blank next to another alphabet's letter or wide blank joins with it as elsewhere.
func TestNormal_BesideOthers(t *testing.T) {
	var n fold.Normalizer
	for text, want := range map[string]string{
		"é        ABCDEFGH":        "é abcdefgh",
		"\u3000 ABCDEFGHI":         " abcdefghi",
		"ABCDEFG \u00a0 ABCDEFGH":  "abcdefg abcdefgh",
		"\u00a0ABCDEFG":            " abcdefg",
		"ABCDEFGe\u0301ABCDEFGe":   "abcdefgéabcdefge",
		"ABCDEFGHe\u0301 ABCDEFGH": "abcdefghé abcdefgh",
	} {
		if got, _ := n.Normal(nil, nil, text, true); string(got) != want {
			t.Errorf("Normal(%q) = %q, want %q", text, got, want)
		}
	}
}
