package website

import (
	"bytes"
	"cmp"
	"context"
	"net/url"
	"strings"

	"github.com/temoto/robotstxt"
)

// rules are a host's robots.txt, as far as they concern Earshot.
type rules struct {
	group *robotstxt.Group // nil: everything is allowed
	no    error            // why nothing may be read: *site.Unreadable; nil otherwise
}

// Bounds of a robots.txt: each pattern costs a compiled expression.
const (
	mostPatterns = 1_000
	longestRule  = 2 << 10 // bytes of a line
)

const forbidden = "The domain's robots.txt does not allow its page to be read. " + byHand

// allowed returns nil if the robots.txt of an address's host allows the address, and *site.Unreadable if not. Other
// errors are the connection's.
func (f fetching) allowed(ctx context.Context, at *url.URL) error {
	origin := at.Scheme + "://" + at.Host
	said, known := f.robots[origin]
	if !known {
		var err error
		if said, err = f.ask(ctx, at); err != nil {
			return err
		}
		f.robots[origin] = said
	}
	switch {
	case said.no != nil:
		return said.no
	case said.group != nil && !said.group.Test(cmp.Or(at.RequestURI(), "/")):
		return unreadable(forbidden)
	}
	return nil
}

// ask fetches a host's robots.txt. It follows redirects; the result still applies to this host. A robots.txt that its
// server fails to send forbids everything, and a missing one forbids nothing (RFC 9309, section 2.3.1).
func (f fetching) ask(ctx context.Context, host *url.URL) (rules, error) {
	at := &url.URL{Scheme: host.Scheme, Host: host.Host, Path: "/robots.txt"}
	for followed := range redirects + 1 {
		got, err := f.get(ctx, at, maxRobots)
		switch {
		case err != nil && followed > 0 && ctx.Err() == nil:
			return rules{
				no: unreadable("The domain's robots.txt leads to an address which %s. %s", reason(err), byHand),
			}, nil
		case err != nil:
			return rules{}, err
		}
		switch got.status / 100 {
		case 2:
			return got.rules(), nil
		case 3:
			if at, err = got.leads(at); err != nil {
				return rules{}, nil // a redirect to nowhere is no robots.txt
			}
			continue
		case 5:
			return rules{
				no: unreadable("The domain's server failed (%d) to send its robots.txt. %s", got.status, byHand),
			}, nil
		}
		if got.status == 429 {
			return rules{no: unreadable("The domain's server refuses requests for now. Try again later.")}, nil
		}
		return rules{}, nil
	}
	return rules{}, nil
}

// rules returns the rules in a response. A web page in the place of the file has no rules.
func (a boundedResponse) rules() rules {
	if media, _, _ := strings.Cut(a.header.Get("Content-Type"), ";"); strings.EqualFold(
		strings.TrimSpace(media), "text/html",
	) {
		return rules{}
	}
	patterns := 0
	for line := range bytes.Lines(a.body) {
		line = bytes.TrimSpace(line)
		key, value, found := bytes.Cut(line[:min(len(line), longestRule+1)], []byte(":"))
		if key = bytes.ToLower(bytes.TrimSpace(key)); !found || string(key) != "allow" && string(key) != "disallow" {
			continue
		}
		if bytes.ContainsAny(bytes.TrimSpace(value), "*$") {
			patterns++
		}
		if patterns > mostPatterns || len(line) > longestRule {
			return rules{no: unreadable("The domain's robots.txt has more rules than are read. %s", byHand)}
		}
	}
	parsed, err := robotstxt.FromBytes(a.body)
	if err != nil {
		return rules{}
	}
	return rules{group: parsed.FindGroup(product)}
}
