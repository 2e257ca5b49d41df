// Package lazyregexp compiles regular expressions at first use instead of at process start. A repeat of up to two
// hundred takes a tenth of a millisecond to compile, and a function links dozens that most of its invocations never
// use.
//
// Packages that would hold a regular expression in a variable import it. The few that compile fast do not need to.
package lazyregexp

import (
	"regexp"
	"sync"
)

// A Pattern is a regular expression. Its methods are those of regexp.Regexp by the same names; they are safe for concurrent use.
type Pattern struct{ compiled func() *regexp.Regexp }

// New is the pattern of an expression in the syntax of package regexp. One that cannot be read panics when it is first used.
func New(expression string) Pattern {
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

// Split is regexp.Regexp's.
func (p Pattern) Split(s string, n int) []string { return p.compiled().Split(s, n) }
