// Package site turns the HTML of a company's page into a profile. It fetches nothing and never fails: a page that says
// little gives a profile that says little. A stranger wrote the page: treat everything on it as hostile.
//
// The setup stage scan, outbound/website and the local program import it.
package site

// A Page is what was found under a domain.
type Page struct {
	URL  string // where it was found in the end, after redirects
	HTML []byte // UTF-8, at most MaxPage bytes; what was longer is cut
}

// MaxPage is how many bytes of a page are read: what a company says of itself it says early.
const MaxPage = 2 << 20

// Unreadable is the error of a page that cannot be had, for reasons that no repeat helps.
type Unreadable struct {
	Reason string // a sentence for people, with the remedy where there is one, and without a stranger's text
}

func (u *Unreadable) Error() string { return "site: " + u.Reason }
