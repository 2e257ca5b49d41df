package relevance

import (
	"slices"
	"strings"

	"earshot/shared/judge/words"
)

// accounts returns the folded handles that mean the subject: first the keyword written as one, then those of the wish.
func accounts(w Wish, phrase []string) (out []string) {
	for _, name := range append([]string{strings.Join(phrase, "")}, w.Handles...) {
		handle := foldHandle(strings.ToLower(strings.TrimLeft(strings.TrimSpace(name), "@")))
		if handle != "" && len(out) < maxHandles && !slices.Contains(out, handle) {
			out = append(out, handle)
		}
	}
	return out
}

// maxHandles bounds the accounts of a subject.
const maxHandles = 32

// foldHandle removes what joins the words of a handle.
func foldHandle(handle string) string {
	if !strings.ContainsAny(handle, "_-") {
		return handle
	}
	return strings.NewReplacer("_", "", "-", "").Replace(handle)
}

// account returns the subject's account that a post addresses, or "".
func (subject *Subject) account(t Text) string {
	for i := range t.words {
		if t.words[i].Before == '@' && t.words[i].Kind != words.Link {
			handle := foldHandle(t.words[i].Text)
			for _, own := range subject.accounts {
				if handle == own || isSupport(handle, own) || isShort(handle, subject.accounts[0], own) {
					return own
				}
			}
		}
	}
	return ""
}

// isSupport reports whether a handle is another account of the same company, such as "@acmehelp" of "acme".
func isSupport(handle, own string) bool {
	const least = 4 // characters of a name that others hardly begin with
	suffix, ok := strings.CutPrefix(handle, own)
	return ok && len(own) >= least && slices.Contains(supports, suffix)
}

// isShort reports whether a handle shortens a name after the keyword, such as "@acmeair" for "acme" of "Acme Airways".
func isShort(handle, keyword, name string) bool {
	return len(handle) > len(keyword) && strings.HasPrefix(handle, keyword) && strings.HasPrefix(name, handle)
}

// supports are what companies add to their names for an account.
var supports = []string{
	"support", "help", "helps", "care", "cares", "customercare", "customerservice", "service", "services", "assist",
	"hq", "team", "official", "news", "status", "app", "inc", "us", "usa", "uk", "eu", "de", "fr", "es", "it", "br",
	"in", "jp", "ca", "au",
}
