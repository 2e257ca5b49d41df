package suggest

import (
	"slices"
	"strings"

	"earshot/shared/keyword"
)

// The two ways to read Bluesky are one source: who turns one off means both, or posts would come by the other.
const (
	bluesky  = "bluesky"
	firehose = "firehose"
)

// platformOf is the platform that a post came from, by which it can be turned off; empty when its source is no platform. Of the two ways
// to read Bluesky it is the search.
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

// without are the platforms that are left, of all of them when there is no list.
func without(platforms, off []string) []string {
	if platforms == nil {
		platforms = keyword.Platforms()
	}
	return slices.DeleteFunc(slices.Clone(platforms), func(platform string) bool {
		return slices.ContainsFunc(off, func(value string) bool {
			return strings.EqualFold(value, platform) || strings.EqualFold(value, bluesky) && strings.EqualFold(platform, firehose)
		})
	})
}
