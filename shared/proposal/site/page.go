// Package site reads what a company's page says of it: HTML becomes a profile. It fetches nothing, and never fails: a page that says
// little makes a profile that says little. Whatever stands on a page was written by a stranger.
//
// The function scan imports it.
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
