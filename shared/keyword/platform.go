package keyword

import "strings"

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
