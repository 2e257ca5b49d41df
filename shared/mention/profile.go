package mention

import (
	"net/url"
	"slices"
	"strings"
	"unicode"
)

// A profileForm is how a platform writes the address of an author's page.
type profileForm struct {
	source string
	shown  string   // for people
	hosts  []string // without www. and the like
	under  []string // the path's element before the handle is one of these; nil: there is none
	at     bool     // an @ stands before the handle
	query  string   // the handle is this parameter of the query, and not in the path
}

var profileForms = []profileForm{
	{source: "twitter", shown: "https://x.com/<handle>", hosts: []string{"x.com", "twitter.com"}},
	{
		source: "reddit",
		shown:  "https://www.reddit.com/user/<handle>",
		hosts:  []string{"reddit.com"},
		under:  []string{"user", "u"},
	},
	{
		source: "hackernews",
		shown:  "https://news.ycombinator.com/user?id=<handle>",
		hosts:  []string{"news.ycombinator.com"},
		under:  []string{"user"},
		query:  "id",
	},
	{source: "github", shown: "https://github.com/<handle>", hosts: []string{"github.com"}},
	{
		source: "bluesky",
		shown:  "https://bsky.app/profile/<handle>",
		hosts:  []string{"bsky.app"},
		under:  []string{"profile"},
	},
	{source: "dev", shown: "https://dev.to/<handle>", hosts: []string{"dev.to"}},
	{source: "medium", shown: "https://medium.com/@<handle>", hosts: []string{"medium.com"}, at: true},
	{source: "youtube", shown: "https://www.youtube.com/@<handle>", hosts: []string{"youtube.com"}, at: true},
	{
		source: "linkedin",
		shown:  "https://www.linkedin.com/in/<handle>",
		hosts:  []string{"linkedin.com"},
		under:  []string{"in"},
	},
	{
		source: "producthunt",
		shown:  "https://www.producthunt.com/@<handle>",
		hosts:  []string{"producthunt.com"},
		at:     true,
	},
	{source: "tiktok", shown: "https://www.tiktok.com/@<handle>", hosts: []string{"tiktok.com"}, at: true},
	{source: "instagram", shown: "https://www.instagram.com/<handle>", hosts: []string{"instagram.com"}},
}

// ProfileForms lists the addresses that ParseProfile reads, for people.
func ProfileForms() []string {
	forms := make([]string, len(profileForms))
	for i, form := range profileForms {
		forms[i] = form.shown
	}
	return forms
}

// ParseProfile reads the platform and the handle out of the address of an author's page, with or without its scheme; ok
// is false for one that is not of ProfileForms.
func ParseProfile(address string) (source, handle string, ok bool) {
	if !strings.Contains(address, "://") {
		address = "https://" + address
	}
	parsed, err := url.Parse(strings.TrimSpace(address))
	if err != nil || parsed.Scheme != "https" && parsed.Scheme != "http" || parsed.User != nil {
		return "", "", false
	}
	host := strings.ToLower(parsed.Hostname())
	for _, device := range []string{"www.", "m.", "mobile.", "old.", "new."} {
		host = strings.TrimPrefix(host, device)
	}
	path := strings.Split(strings.Trim(parsed.Path, "/"), "/")
	for _, form := range profileForms {
		if slices.Contains(form.hosts, host) {
			handle, ok := form.handle(path, parsed.Query())
			return form.source, handle, ok
		}
	}
	return "", "", false
}

func (f profileForm) handle(path []string, query url.Values) (handle string, ok bool) {
	if f.under != nil {
		if !slices.Contains(f.under, strings.ToLower(path[0])) {
			return "", false
		}
		path = path[1:]
	}
	switch {
	case f.query != "":
		if len(path) > 0 {
			return "", false
		}
		handle = query.Get(f.query)
	case len(path) != 1:
		return "", false
	default:
		handle = path[0]
	}
	bare, at := strings.CutPrefix(handle, "@")
	if f.at && !at || bare == "" ||
		strings.ContainsFunc(bare, func(c rune) bool { return unicode.IsSpace(c) || unicode.IsControl(c) }) {
		return "", false
	}
	return bare, true
}
