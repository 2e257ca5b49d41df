package keyword_test

import (
	"slices"
	"strings"
	"testing"

	"earshot/shared/keyword"
)

func TestAdmits(t *testing.T) {
	cases := []struct {
		source string
		reply  bool
		want   string // the platforms that take it
	}{
		{"reddit", false, "reddit"},
		{"reddit", true, "reddit_comment"},
		{"reddit_comment", true, "reddit_comment"},
		{"reddit_comment", false, "reddit_comment"},
		{"Reddit", false, "reddit"},
		{"bluesky", false, "bluesky firehose"},
		{"bluesky", true, "bluesky firehose"},
		{"firehose", false, "bluesky firehose"},
		{"hackernews", true, "hackernews"},
		{"hackernews", false, "hackernews"},
		{"twitter", true, "twitter"},
		{"lobsters", false, ""},
		{"", false, ""},
	}
	for _, c := range cases {
		var taking []string
		for _, platform := range keyword.Platforms() {
			if keyword.Admits(platform, c.source, c.reply) {
				taking = append(taking, platform)
			}
		}
		slices.Sort(taking)
		if got := strings.Join(taking, " "); got != c.want {
			t.Errorf("source %q, reply %v: taken by %q, want %q", c.source, c.reply, got, c.want)
		}
	}
}

// Every platform takes a source of its own: none can be chosen that nothing comes from.
func TestAdmits_OwnSource(t *testing.T) {
	for _, platform := range keyword.Platforms() {
		if !keyword.Admits(platform, platform, platform == "reddit_comment") {
			t.Errorf("%s takes nothing of the source %s", platform, platform)
		}
	}
}

func TestTakesAll(t *testing.T) {
	for _, c := range []struct {
		wide, narrow string
		want         bool
	}{
		{"", "", true},
		{"", "reddit", true},
		{"reddit", "", false},
		{"reddit twitter", "twitter", true},
		{"twitter", "reddit twitter", false},
		{"reddit", "reddit_comment", false},
		{"reddit_comment", "reddit", false},
		{"reddit_comment reddit", "reddit", true},
		{"firehose", "bluesky", true},
	} {
		if got := keyword.TakesAll(strings.Fields(c.wide), strings.Fields(c.narrow)); got != c.want {
			t.Errorf("TakesAll(%q, %q) = %t, want %t", c.wide, c.narrow, got, c.want)
		}
	}
}
