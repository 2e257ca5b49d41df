package main

import (
	"errors"
	"slices"
)

// closing holds what is closed at the end of a run, in the order in which it was opened.
type closing []func() error

func (c *closing) add(f func() error) { *c = append(*c, f) }

// does adds what cannot fail.
func (c *closing) does(f func()) { c.add(func() error { f(); return nil }) }

// close closes everything, the last one opened first. Returns what failed.
func (c *closing) close() (err error) {
	for _, f := range slices.Backward(*c) {
		err = errors.Join(err, f())
	}
	return err
}
