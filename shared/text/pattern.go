package text

import (
	"regexp"
	"sync"
)

// Pattern is a regular expression that is compiled at its first use instead of at process start. A repeat of up to two
// hundred takes a tenth of a millisecond to compile, and a function links dozens that most of its invocations never
// use. Its methods are those of regexp.Regexp by the same names. They are safe for concurrent use.
//
// Packages that would hold a regular expression in a variable use it. The few that compile fast do not need to.
type Pattern struct{ compiled func() *regexp.Regexp }

// NewPattern returns the pattern of an expression in the syntax of package regexp. A malformed expression panics at its
// first use.
func NewPattern(expression string) Pattern {
	return Pattern{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })}
}

// MatchString is regexp.Regexp's.
func (p Pattern) MatchString(s string) bool { return p.compiled().MatchString(s) }

// FindString is regexp.Regexp's.
func (p Pattern) FindString(s string) string { return p.compiled().FindString(s) }

// FindStringSubmatch is regexp.Regexp's.
func (p Pattern) FindStringSubmatch(s string) []string { return p.compiled().FindStringSubmatch(s) }

// FindAllString is regexp.Regexp's.
func (p Pattern) FindAllString(s string, n int) []string { return p.compiled().FindAllString(s, n) }

// FindAllStringIndex is regexp.Regexp's.
func (p Pattern) FindAllStringIndex(s string, n int) [][]int {
	return p.compiled().FindAllStringIndex(s, n)
}

// ReplaceAllString is regexp.Regexp's.
func (p Pattern) ReplaceAllString(s, by string) string { return p.compiled().ReplaceAllString(s, by) }

// ReplaceAllStringFunc is regexp.Regexp's.
func (p Pattern) ReplaceAllStringFunc(s string, by func(string) string) string {
	return p.compiled().ReplaceAllStringFunc(s, by)
}

// Split is regexp.Regexp's.
func (p Pattern) Split(s string, n int) []string { return p.compiled().Split(s, n) }
