package site

import (
	"net/url"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"earshot/shared/proposal"
)

// networks are where companies have accounts: the host, how its paths lead to one, and the platform's name.
var networks = []struct {
	hosts    []string
	path     *regexp.Regexp // its first group is the handle
	platform string
	not      []string // paths of the network's own
}{
	{[]string{"twitter.com", "x.com"}, regexp.MustCompile(`^/@?([A-Za-z0-9_]{1,15})/?$`), "twitter",
		[]string{"share", "intent", "home", "search", "hashtag", "i", "login", "explore"}},
	{[]string{"github.com"}, regexp.MustCompile(`^/(?:orgs/)?([A-Za-z0-9](?:[A-Za-z0-9-]{0,38}))(?:/.*)?$`), "github",
		[]string{"features", "pricing", "login", "join", "marketplace", "sponsors", "about", "orgs", "apps", "topics"}},
	{[]string{"bsky.app"}, regexp.MustCompile(`^/profile/([A-Za-z0-9.-]+)/?$`), "bluesky", nil},
	{[]string{"linkedin.com"}, regexp.MustCompile(`^/(?:company|school|showcase)/([^/?#]+)/?.*$`), "linkedin", nil},
	{[]string{"youtube.com"}, regexp.MustCompile(`^/(?:@|c/|user/)([A-Za-z0-9_.-]+)/?.*$`), "youtube", nil},
	{[]string{"tiktok.com"}, regexp.MustCompile(`^/@([A-Za-z0-9_.]+)/?$`), "tiktok", nil},
	{[]string{"instagram.com"}, regexp.MustCompile(`^/([A-Za-z0-9_.]+)/?$`), "instagram", []string{"p", "explore", "accounts"}},
	{[]string{"reddit.com"}, regexp.MustCompile(`^/(?:u|user|r)/([A-Za-z0-9_-]+)/?$`), "reddit", nil},
	{[]string{"medium.com"}, regexp.MustCompile(`^/@([A-Za-z0-9_.-]+)/?$`), "medium", nil},
	{[]string{"producthunt.com"}, regexp.MustCompile(`^/(?:products|posts|@)/?([A-Za-z0-9_-]+)/?.*$`), "producthunt", nil},
	{[]string{"dev.to"}, regexp.MustCompile(`^/([A-Za-z0-9_]+)/?$`), "dev", []string{"t", "search", "about"}},
	{[]string{"facebook.com"}, regexp.MustCompile(`^/([A-Za-z0-9.]+)/?$`), "facebook", []string{"sharer", "sharer.php", "share.php", "dialog"}},
}

// handles are the accounts that the page links, each once, in the order of networks.
func (r *reading) handles() []proposal.Handle {
	hrefs := append([]string{}, r.data.same...)
	for _, l := range r.links {
		hrefs = append(hrefs, l.href)
	}
	found := []proposal.Handle{}
	for _, network := range networks {
		taken := map[string]bool{}
		for _, href := range hrefs {
			at, err := url.Parse(strings.TrimSpace(href))
			if err != nil {
				continue
			}
			host := strings.TrimPrefix(strings.TrimPrefix(strings.ToLower(at.Hostname()), "www."), "m.")
			match := network.path.FindStringSubmatch(at.Path)
			if !contains(network.hosts, host) && !(host != "" && strings.HasSuffix(host, ".linkedin.com") && network.platform == "linkedin") || match == nil {
				continue
			}
			handle := text(match[1], proposal.MaxProfileName)
			if key := strings.ToLower(handle); !taken[key] && !contains(network.not, key) && handle != "" {
				taken[key] = true
				found = append(found, proposal.Handle{Platform: network.platform, Handle: handle, Linked: true})
			}
			// A page that links many accounts of a network lists customers or people, not itself.
			if len(taken) > 3 {
				break
			}
		}
		if len(taken) > 3 {
			found = r.likely(found, network.platform)
		}
	}
	return found[:min(len(found), proposal.MaxProfileTerms)]
}

// likely leaves, of a network's accounts, those alone that have the domain's name in them.
func (r *reading) likely(found []proposal.Handle, platform string) []proposal.Handle {
	var kept []proposal.Handle
	for _, h := range found {
		if h.Platform != platform || strings.Contains(joined(h.Handle), joined(r.label)) {
			kept = append(kept, h)
		}
	}
	return append([]proposal.Handle{}, kept...)
}

// versus are ways in which a page names whom it competes with: "Acme vs Globex", "Globex alternative", "alternative to Globex",
// "switch from Globex", "compare with Globex".
var versus = []*regexp.Regexp{
	regexp.MustCompile(`(?i)^(.{2,40}?)\s+(?:vs\.?|versus)\s+(.{2,40})$`),
	regexp.MustCompile(`(?i)^(?:the\s+|a\s+|best\s+)*(?:open[- ]source\s+)?alternatives?\s+to\s+(.{2,40})$`),
	regexp.MustCompile(`(?i)^(.{2,40}?)\s+alternatives?$`),
	regexp.MustCompile(`(?i)^(?:switch(?:ing)?|migrat(?:e|ing)|mov(?:e|ing))\s+from\s+(.{2,40})$`),
	regexp.MustCompile(`(?i)^compare(?:d)?\s+(?:with|to)\s+(.{2,40})$`),
}

// competitors are whom the page compares its company with.
func (r *reading) competitors(company string) []string {
	own := map[string]bool{joined(company): true, joined(r.label): true, "": true, "us": true, "others": true, "competitors": true, "the competition": true}
	var found []string
	take := func(said string) {
		for _, pattern := range versus {
			match := pattern.FindStringSubmatch(strings.TrimSpace(said))
			if match == nil {
				continue
			}
			for _, name := range match[1:] {
				name = strings.TrimFunc(name, func(r rune) bool { return strings.ContainsRune(".,:;!?\"'()→› ", r) })
				if !own[joined(name)] && len(strings.Fields(name)) <= 4 {
					found = append(found, name)
				}
			}
			return
		}
	}
	for _, l := range r.links {
		take(l.text)
		take(fromPath(l.href))
	}
	for _, heading := range r.headings {
		take(heading)
	}
	return found
}

// fromPath is what the last part of a link's path says: "/compare/acme-vs-globex" is "Acme vs Globex".
func fromPath(href string) string {
	at, err := url.Parse(href)
	if err != nil || at.Host != "" {
		return ""
	}
	parts := strings.Split(strings.Trim(at.Path, "/"), "/")
	words := strings.Fields(strings.ReplaceAll(parts[len(parts)-1], "-", " "))
	if len(words) < 2 || len(words) > 8 || !contains(words, "vs") && !contains(words, "versus") && !contains(words, "alternative") && !contains(words, "alternatives") {
		return ""
	}
	for i, w := range words {
		if w != "vs" && w != "versus" && w != "to" && w != "alternative" && w != "alternatives" {
			first, size := utf8.DecodeRuneInString(w)
			words[i] = string(unicode.ToUpper(first)) + w[size:]
		}
	}
	return strings.Join(words, " ")
}

// industry is what the page calls its field: keywords of its meta and JSON-LD, and short headings of two to four words that its title or
// description repeats.
func (r *reading) industry() []string {
	terms := append([]string{}, r.data.terms...)
	for _, part := range strings.Split(r.meta["keywords"], ",") {
		terms = append(terms, strings.TrimSpace(part))
	}
	about := strings.ToLower(r.title + " " + r.meta["description"] + " " + r.data.description)
	for _, heading := range r.headings {
		words := len(strings.Fields(heading))
		if words >= 2 && words <= 4 && strings.Contains(about, strings.ToLower(heading)) {
			terms = append(terms, heading)
		}
	}
	kept := terms[:0:0]
	for _, term := range terms {
		if n := len(strings.Fields(term)); n >= 1 && n <= 5 {
			kept = append(kept, term)
		}
	}
	return kept
}
