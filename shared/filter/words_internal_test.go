package filter

import (
	"slices"
	"strings"
	"testing"

	"github.com/rivo/uniseg"
)

// Words that are read the short way are those of Unicode's rules, in every text of up to four parts.
func TestSplit_AsUnicode(t *testing.T) {
	parts := []string{
		"", "a", "0", "Q", " ", ".", ",", "'", ":", "_", "-", "\n", "\r", "\"", "\u00a0", "\u0301",
		"\u00ad", "\u200d", "é", "א", "ア", "中",
		"™", "❤", "🇩", "\xff",
	}
	texts := []string{""}
	for range 4 {
		var longer []string
		for _, text := range texts {
			for _, part := range parts {
				longer = append(longer, text+part)
			}
		}
		texts = longer
	}
	for _, text := range texts {
		var want []string
		for rest, state := text, -1; rest != ""; {
			var segment string
			if segment, rest, state = uniseg.FirstWordInString(rest, state); strings.ContainsFunc(segment, ofWord) {
				want = append(want, segment)
			}
		}
		if got := split(text); !slices.Equal(got, want) {
			t.Fatalf("split(%q) = %q, want %q", text, got, want)
		}
	}
}

// BenchmarkSplit splits a post of 100 words.
func BenchmarkSplit(b *testing.B) {
	text := strings.Repeat("the harbor paged us at four in the morning, and it was right: nobody had looked for 20 days. ", 5)
	for b.Loop() {
		split(text)
	}
}
