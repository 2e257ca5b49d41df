package site

import (
	"net/url"
	"slices"
	"strings"

	"earshot/shared/proposal"
	"earshot/shared/text"
)

// A network is where companies have accounts.
type network struct {
	platform string
	hosts    []string
	path     text.Pattern // how its paths lead to an account; the first group is the handle
	not      []string     // paths of the network's own
	deeper   bool         // the path may go on below the account, to what is only somebody's
}

var networks = []network{
	{
		platform: "twitter",
		hosts:    []string{"twitter.com", "x.com"},
		path:     text.NewPattern(`^/@?([A-Za-z0-9_]{1,15})$`),
		not: []string{
			"share", "intent", "home", "search", "hashtag", "i", "login", "explore", "signup", "privacy", "tos",
			"about", "settings", "compose",
		},
	},
	{
		platform: "github",
		hosts:    []string{"github.com"},
		path:     text.NewPattern(`^/(?:orgs/|sponsors/)?([A-Za-z0-9][A-Za-z0-9-]{0,38})(/.*)?$`),
		deeper:   true,
		not: []string{
			"features", "pricing", "login", "join", "marketplace", "sponsors", "about", "orgs", "apps", "topics",
			"signup", "enterprise", "security", "readme", "collections", "trending", "explore", "contact", "site",
			"customer-stories", "issues", "pulls", "search", "settings", "new",
		},
	},
	{
		platform: "bluesky",
		hosts:    []string{"bsky.app"},
		path:     text.NewPattern(`^/profile/([A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+)$`),
	},
	{
		platform: "linkedin",
		hosts:    []string{"linkedin.com"},
		path:     text.NewPattern(`^/(?:company|school|showcase)/([^/]+)(?:/(?:about|jobs|posts|people|mycompany))?$`),
	},
	{
		platform: "youtube",
		hosts:    []string{"youtube.com"},
		path:     text.NewPattern(`^/(?:@|c/|user/)([A-Za-z0-9_.-]+)(?:/(?:videos|featured|streams|about|playlists))?$`),
	},
	{platform: "tiktok", hosts: []string{"tiktok.com"}, path: text.NewPattern(`^/@([A-Za-z0-9_.]+)$`)},
	{platform: "instagram", hosts: []string{"instagram.com"}, path: text.NewPattern(`^/([A-Za-z0-9_.]+)$`),
		not: []string{"p", "explore", "accounts", "reel", "reels", "stories", "about", "legal"}},
	{
		platform: "reddit",
		hosts:    []string{"reddit.com", "old.reddit.com"},
		path:     text.NewPattern(`^/(?:u|user)/([A-Za-z0-9_-]+)$`),
	},
	{platform: "medium", hosts: []string{"medium.com"}, path: text.NewPattern(`^/@([A-Za-z0-9_.-]+)$`)},
	{platform: "producthunt", hosts: []string{"producthunt.com"}, path: text.NewPattern(`^/@([A-Za-z0-9_-]+)$`)},
	{
		platform: "dev",
		hosts:    []string{"dev.to"},
		path:     text.NewPattern(`^/([A-Za-z0-9_]+)$`),
		not:      []string{"t", "search", "about", "tags", "enter", "settings"},
	},
	{
		platform: "facebook",
		hosts:    []string{"facebook.com", "fb.com"},
		path:     text.NewPattern(`^/([A-Za-z0-9.]{2,})$`),
		not: []string{
			"sharer", "sharer.php", "share.php", "dialog", "groups", "events", "profile.php", "login", "help",
			"policies", "privacy", "pages", "tr",
		},
	},
	{platform: "threads", hosts: []string{"threads.net", "threads.com"}, path: text.NewPattern(`^/@([A-Za-z0-9_.]+)$`)},
	{
		platform: "mastodon",
		hosts: []string{
			"mastodon.social", "hachyderm.io", "fosstodon.org", "mastodon.online", "mas.to", "infosec.exchange",
			"techhub.social",
		},
		path: text.NewPattern(`^/@([A-Za-z0-9_.]+)$`),
	},
}

// languagesOf are the hosts of a network by country: de.linkedin.com.
var countryHost = text.NewPattern(`^(?:www|m|mobile|[a-z]{2})\.`)

func isNetwork(host string) bool {
	return slices.ContainsFunc(networks, func(n network) bool { return n.has(host) })
}

func (n network) has(host string) bool {
	host = strings.ToLower(host)
	return slices.Contains(n.hosts, host) || slices.Contains(n.hosts, countryHost.ReplaceAllString(host, ""))
}

// account is whose account of the network an address leads to, and whether to something below it.
func (n network) account(href string) (handle string, below, ok bool) {
	at, err := url.Parse(strings.TrimSpace(href))
	if err != nil || !n.has(at.Hostname()) {
		return "", false, false
	}
	found := n.path.FindStringSubmatch(strings.TrimRight(at.Path, "/"))
	if found == nil {
		return "", false, false
	}
	handle = clean(found[1], proposal.MaxProfileName)
	if handle == "" || strings.ContainsAny(handle, " /\\") || slices.Contains(n.not, strings.ToLower(handle)) {
		return "", false, false
	}
	return handle, n.deeper && len(found) > 2 && found[2] != "", true
}

// mostHandles is how many accounts of one network are a company's: one for news, one for help, one for status.
const mostHandles = 3

// handles are the accounts that the site says are its company's: what JSON-LD and meta name, those that are called as
// the company is, and else the one of a network that stands where sites link their own. Accounts of customers, of
// authors and of tools stand on pages too.
func (r *reading) handles(company string) []proposal.Handle {
	found := []proposal.Handle{}
	for _, n := range networks {
		var certain, likely []string
		add := func(to *[]string, handle string) {
			if !slices.ContainsFunc(*to, func(other string) bool { return strings.EqualFold(other, handle) }) {
				*to = append(*to, handle)
			}
		}
		for _, href := range r.data.accounts {
			if handle, below, ok := n.account(href); ok && !below {
				add(&certain, handle)
			}
		}
		if at := strings.TrimPrefix(strings.TrimSpace(r.meta["twitter:site"]), "@"); n.platform == "twitter" &&
			at != "" {
			if handle, _, ok := n.account("https://twitter.com/" + url.PathEscape(at)); ok {
				add(&certain, handle)
			}
		}
		for _, l := range r.links {
			handle, below, ok := n.account(l.href)
			switch {
			case !ok:
			case r.own.related(handle) || holds(joined(handle), joined(company)):
				add(&certain, handle)
			case l.rel == "me" || strings.Contains(l.rel, "me ") || strings.HasSuffix(l.rel, " me"):
				add(&certain, handle)
			case !below && !l.quoted && (l.framed || n.called(l.text)):
				add(&likely, handle)
			}
		}
		if len(certain) == 0 && len(likely) == 1 {
			certain = likely
		}
		for _, handle := range certain[:min(len(certain), mostHandles)] {
			found = append(found, proposal.Handle{Platform: n.platform, Handle: handle, Linked: true})
		}
	}
	return found[:min(len(found), proposal.MaxProfileTerms)]
}

// called says whether a link's text says no more than the network: an icon, "GitHub", "Follow us on X".
func (n network) called(text string) bool {
	for _, word := range strings.FieldsFunc(strings.ToLower(text),
		func(c rune) bool { return strings.ContainsRune(" .,:!()/-", c) }) {
		if word != n.platform && !slices.Contains(networkWords, word) {
			return false
		}
	}
	return true
}

var networkWords = []string{
	"x", "follow", "us", "on", "twitter", "formerly", "our", "page", "profile", "account", "channel", "link", "icon",
	"logo", "find", "join", "visit", "watch", "star", "connect", "with", "the", "company", "opens", "in", "a", "new",
	"tab", "window", "go", "to", "at", "via", "social", "media", "fb", "ig", "yt",
}
