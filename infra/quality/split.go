package main

import (
	"crypto/sha256"
	"fmt"
	"slices"
)

// A split is a part of the companies. The engine may be changed with the figures of dev in view, and never with those
// of test.
type split string

const (
	dev  split = "dev"
	test split = "test"
)

// howSplit says how split decides.
const howSplit = "a company is dev if the first byte of its domain's SHA-256 is even, and test if it is odd"

// split returns the company's split. It depends on the domain alone, so that a company never changes sides.
func (c company) split() split {
	if digest := sha256.Sum256([]byte(c.Domain)); digest[0]%2 == 0 {
		return dev
	}
	return test
}

// readSplits returns the splits that a text names. The empty text names both.
func readSplits(text string) ([]split, error) {
	switch s := split(text); s {
	case "":
		return []split{dev, test}, nil
	case dev, test:
		return []split{s}, nil
	}
	return nil, fmt.Errorf("%q is no split: name %s or %s, or leave it out for both", text, dev, test)
}

// among keeps the companies of some splits.
func among(all []company, splits []split) []company {
	return slices.DeleteFunc(slices.Clone(all), func(c company) bool { return !slices.Contains(splits, c.split()) })
}

// inSplit keeps the rows of a split.
func inSplit(rows []row, s split) []row {
	return slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return r.split() != s })
}
