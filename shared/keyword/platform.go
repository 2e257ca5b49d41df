package keyword

import (
	"slices"
	"strings"
)

// Admits reports whether a keyword that is limited to platform takes a post of source. reply says that the post is a
// reply or a comment.
//
// A platform takes the source of its own name, with two exceptions. Reddit is one source and two platforms: "reddit"
// takes posts that start a thread, "reddit_comment" takes comments. Bluesky is one source with two ways to read it, its
// search and its firehose. Each platform also takes posts that came by the other. A source that is no platform (a
// forum, a review site) is taken only by keywords without a limit.
func Admits(platform, source string, reply bool) bool {
	platform, source = strings.ToLower(platform), strings.ToLower(source)
	switch platform {
	case "reddit":
		return source == "reddit" && !reply
	case "reddit_comment":
		return source == "reddit" && reply || source == "reddit_comment"
	case "bluesky", "firehose":
		return source == "bluesky" || source == "firehose"
	}
	return platform == source
}

// Takes reports whether a keyword that is limited to platforms takes a post of source. Without platforms it has no
// limit.
func Takes(platforms []string, source string, reply bool) bool {
	return len(platforms) == 0 ||
		slices.ContainsFunc(platforms, func(platform string) bool { return Admits(platform, source, reply) })
}

// TakesSome reports whether a keyword that is limited to platforms takes any posts of source.
func TakesSome(platforms []string, source string) bool {
	return Takes(platforms, source, false) || Takes(platforms, source, true)
}

// TakesAll reports whether the limit wide lets through every post that the limit narrow does.
func TakesAll(wide, narrow []string) bool {
	if len(wide) == 0 || len(narrow) == 0 {
		return len(wide) == 0
	}
	for _, source := range Platforms() {
		for _, reply := range []bool{false, true} {
			if Takes(narrow, source, reply) && !Takes(wide, source, reply) {
				return false
			}
		}
	}
	return true
}
