package website

import (
	"bytes"
	"cmp"
	"context"
	"net/url"
	"strings"

	"github.com/temoto/robotstxt"
)

// rules are what a host's robots.txt says to Earshot.
type rules struct {
	group *robotstxt.Group // nil: everything is allowed
	no    error            // why nothing is; *site.Unreadable
}

// Bounds of a robots.txt: each pattern costs a compiled expression.
const (
	mostPatterns = 1_000
	longestRule  = 2 << 10 // bytes of a line
)

const forbidden = "The domain's robots.txt does not allow its page to be read. " + byHand

// allowed asks the robots.txt of an address's host. Errors: *site.Unreadable, when it forbids the address; the connection's.
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

// ask fetches a host's robots.txt, wherever it leads: the rules are then this host's all the same. One that cannot be had for its server's
// fault forbids everything, one that is not there nothing (RFC 9309, section 2.3.1).
func (f fetching) ask(ctx context.Context, host *url.URL) (rules, error) {
	at := &url.URL{Scheme: host.Scheme, Host: host.Host, Path: "/robots.txt"}
	for followed := range redirects + 1 {
		got, err := f.get(ctx, at, maxRobots)
		switch {
		case err != nil && followed > 0 && ctx.Err() == nil:
			return rules{no: unreadable("The domain's robots.txt leads to an address which %s. %s", reason(err), byHand)}, nil
		case err != nil:
			return rules{}, err
		}
		switch got.status / 100 {
		case 2:
			return got.rules(), nil
		case 3:
			if at, err = got.leads(at); err != nil {
				return rules{}, nil // it leads nowhere, so there is none
			}
			continue
		case 5:
			return rules{no: unreadable("The domain's server failed (%d) when it was asked what may be read. %s", got.status, byHand)}, nil
		}
		if got.status == 429 {
			return rules{no: unreadable("The domain's server asks to be left alone for now. Try again later.")}, nil
		}
		return rules{}, nil
	}
	return rules{}, nil
}

// rules are those of an answer. A page that stands in its place says nothing.
func (a answer) rules() rules {
	if media, _, _ := strings.Cut(a.header.Get("Content-Type"), ";"); strings.EqualFold(strings.TrimSpace(media), "text/html") {
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
