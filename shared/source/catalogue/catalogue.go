// Package catalogue is the table of all platforms that a keyword can name. For each platform that no published
// interface searches, it states the reason. It knows no adapter, so that packages that show settings or explain a
// proposal can import it.
//
// The engine's packages candidate and compose and the workbench import it.
package catalogue

import (
	"slices"

	"earshot/shared/keyword"
)

// A Platform is a place where people publish posts.
type Platform struct {
	Name string // from keyword.Platforms
	// Title is the name that people know.
	Title string
	// Closed says, in a sentence for people, why Earshot does not search the platform. It is empty if there is an
	// adapter. Posts of a closed platform can still be pushed in, and a keyword can still name it.
	Closed string
}

// Platforms lists all platforms, in the order of keyword.Platforms.
func Platforms() []Platform {
	all := make([]Platform, 0, len(entries))
	for _, name := range keyword.Platforms() {
		all = append(all, entries[name])
	}
	return all
}

// Find returns the platform with that name.
func Find(name string) (Platform, bool) {
	p, ok := entries[name]
	return p, ok
}

// Searched lists the names of the platforms that have an adapter.
func Searched() []string {
	return slices.DeleteFunc(keyword.Platforms(), func(name string) bool { return entries[name].Closed != "" })
}

var entries = byName([]Platform{
	{Name: "dev", Title: "DEV"},
	{Name: "github", Title: "GitHub"},
	{Name: "hackernews", Title: "Hacker News"},
	{Name: "linkedin", Title: "LinkedIn",
		Closed: "LinkedIn's API gives a member or a page its own posts and nobody a search of everyone's."},
	{Name: "producthunt", Title: "Product Hunt"},
	{Name: "reddit", Title: "Reddit"},
	{Name: "reddit_comment", Title: "Reddit comments",
		Closed: "Reddit's API searches posts by text, but not the comments below them."},
	{Name: "stackoverflow", Title: "Stack Overflow"},
	{Name: "twitter", Title: "X"},
	{Name: "youtube", Title: "YouTube"},
	{
		Name:   "tiktok",
		Title:  "TikTok",
		Closed: "TikTok opens its search to researchers of universities and non-profit institutions only, not to companies.",
	},
	{Name: "medium", Title: "Medium"},
	{Name: "bluesky", Title: "Bluesky"},
	{Name: "newsletter", Title: "Newsletters"},
	{Name: "podcasts", Title: "Podcasts"},
	{Name: "news", Title: "News"},
	{Name: "firehose", Title: "Firehose"},
	{
		Name:   "instagram",
		Title:  "Instagram",
		Closed: "Instagram's API finds posts by a hashtag at most, 30 of them a week for each account, and by no other text.",
	},
})

func byName(platforms []Platform) map[string]Platform {
	table := make(map[string]Platform, len(platforms))
	for _, p := range platforms {
		table[p.Name] = p
	}
	return table
}
