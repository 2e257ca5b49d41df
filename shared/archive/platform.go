package archive

import (
	"earshot/shared/keyword"
	"earshot/shared/post"
)

// PlatformOf returns the platform whose search would have found a post: the first that matches, of the platforms that a
// keyword can be limited to, or else the post's source.
func PlatformOf(p *post.Post) string {
	for _, platform := range keyword.Platforms() {
		if keyword.Admits(platform, p.Source, p.IsReply) {
			return platform
		}
	}
	return p.Source
}
