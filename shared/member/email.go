package member

import (
	"regexp"
	"strings"
	"sync"

	"earshot/shared/port/identity"
)

// EmailPattern is what an address must look like, by "POST /agency/members/invite" of the description: letters, digits
// and the characters _ ' + - . before the at sign, no dot first or beside another, and a domain whose last label has at
// least 2 letters. A label of the domain is one by RFC 1035, section 2.3.1, as RFC 1123 amends it. It is written so
// that it means the same to ECMA-262.
const EmailPattern = `^[A-Za-z0-9_'+-]+(\.[A-Za-z0-9_'+-]+)*\.?@([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}$`

// Bounds of an address, in characters, which are bytes (RFC 5321, section 4.5.3.1, without the brackets of a path).
const (
	MaxEmail = 254
	MaxLocal = 64 // before the at sign
)

var emailPattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(EmailPattern) })

// ValidEmail reports whether a text is an address that can be invited.
func ValidEmail(email string) bool {
	return len(email) <= MaxEmail && strings.IndexByte(email, '@') <= MaxLocal && emailPattern().MatchString(email)
}

// Fold returns the form in which addresses are compared, because one person writes an address in several ways. It is
// the directory's form.
func Fold(email string) string { return identity.Fold(email) }
