// Package browser tells the requests of browsers' pages from others. The workbench asks for no key under /_local/,
// and a browser on the same machine shows strangers' pages, so the workbench must recognize their requests.
//
// Only the workbench's own packages import it.
package browser

import (
	"mime"
	"net"
	"net/http"
	"strings"

	"earshot/functions/local/settings"
)

// ToThisMachine reports whether a request names this machine as its host. A page can make its own name resolve to
// this machine (DNS rebinding), and then has the workbench's origin. It cannot change the Host that the browser
// sends, which is the page's name.
func ToThisMachine(r *http.Request) bool {
	host := r.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return settings.Loopback(strings.Trim(host, "[]"))
}

// FromAnotherSite reports whether a page of another site may have made the browser send a request. A browser names
// the page's origin once in every request that changes something or whose answer the page may read (Fetch, sections
// 3.1 and 3.2). Two headers come from no browser, and are not trusted.
func FromAnotherSite(r *http.Request) bool {
	origins, sites := r.Header.Values("Origin"), r.Header.Values("Sec-Fetch-Site")
	if len(origins) > 1 || len(sites) > 1 {
		return true
	}
	same := len(sites) == 1 && sites[0] == "same-origin"
	if len(origins) == 1 && origins[0] != "http://"+r.Host && !(origins[0] == "null" && same) {
		return true // a page without a referrer sends null (Fetch, section 3.2)
	}
	// No header: no browser, or an old one. none: typed by the user.
	return len(sites) == 1 && !same && sites[0] != "none"
}

// ReadsHTML reports whether a client asks for HTML by name, as browsers do when they open a page.
func ReadsHTML(r *http.Request) bool {
	for wanted := range strings.SplitSeq(strings.Join(r.Header.Values("Accept"), ","), ",") {
		media, parameters, err := mime.ParseMediaType(wanted)
		weight, weighed := parameters["q"]
		refused := weighed && strings.Trim(weight, "0.") == "" // q=0 (RFC 9110, section 12.4.2)
		if err == nil && media == "text/html" && !refused {
			return true
		}
	}
	return false
}
