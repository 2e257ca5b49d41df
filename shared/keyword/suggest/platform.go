package suggest

import (
	"slices"
	"strings"

	"earshot/shared/keyword"
)

// The two ways to read Bluesky are one source. Turning one off turns both off, because posts would still come by the
// other.
const (
	bluesky  = "bluesky"
	firehose = "firehose"
)

// platformOf returns the platform that a post came from, by which it can be turned off; empty if its source is no
// platform. For Bluesky it is the search.
func platformOf(source string, reply bool) string {
	for _, platform := range keyword.Platforms() {
		if keyword.Admits(platform, source, reply) {
			if platform == firehose {
				return bluesky
			}
			return platform
		}
	}
	return ""
}

// without returns the platforms that are left, of all platforms if the list is empty.
func without(platforms, off []string) []string {
	if platforms == nil {
		platforms = keyword.Platforms()
	}
	return slices.DeleteFunc(slices.Clone(platforms), func(platform string) bool {
		return slices.ContainsFunc(off, func(value string) bool {
			return strings.EqualFold(value, platform) ||
				strings.EqualFold(value, bluesky) && strings.EqualFold(platform, firehose)
		})
	})
}
