package controls

import (
	"net"
	"net/http"
	"strings"

	"earshot/functions/local/settings"
	"earshot/shared/web/problem"
)

// fromHere refuses what a page of another site can make a browser send. A page can have its own name resolve to this
// machine, but cannot change the Host that the browser then sends; and it cannot keep the browser from naming the page's
// origin with every request that it may read the answer of or that changes something (Fetch, sections 3.1 and 3.2).
func fromHere(r *http.Request) error {
	host := r.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	if !settings.Loopback(strings.Trim(host, "[]")) {
		return problem.New(problem.Forbidden, "%s is for this machine only: call it by 127.0.0.1 or localhost.", Prefix)
	}
	for _, origin := range r.Header.Values("Origin") {
		if origin != "http://"+r.Host {
			return problem.New(problem.Forbidden, "%s does not answer to pages of other sites.", Prefix)
		}
	}
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none": // no browser, this very server's page, or typed by the user
		return nil
	}
	return problem.New(problem.Forbidden, "%s does not answer to pages of other sites.", Prefix)
}
