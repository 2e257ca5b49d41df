package keyword

import "strings"

// Admits says whether a keyword that is narrowed to platform takes a post of source; reply tells a reply or a comment from what
// starts a thread.
//
// A platform takes the source of its own name, but for two that share a source. Reddit is one source and two platforms: "reddit"
// takes what starts a thread there, "reddit_comment" the comments. Bluesky is one source and two ways to read it, its search
// and its firehose: either platform takes posts that came by the other. A source that is no platform (a forum, a review site) is
// taken by keywords that are not narrowed, and by no others.
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
