// Package blobtest is the suite that every adapter of the port blob passes. It tests what the port's comments promise.
//
// Only tests of adapters and decorators import it.
package blobtest

import (
	"context"
	"io"
	"testing"

	"earshot/shared/port/blob"
)

// A Fetched is the response to a request that follows a link.
type Fetched struct {
	Status      int // of HTTP: 200, or the status of the refusal
	Body        []byte
	ContentType string
	Disposition string // the header Content-Disposition
}

// A Medium is an adapter, with the access to its links that the suite needs.
type Medium struct {
	Blob blob.Blob

	// Fetch follows a link, as anyone could.
	Fetch func(ctx context.Context, link string) (Fetched, error)
}

// Options list what an adapter, or the server behind it, cannot do.
type Options struct {
	Skip map[string]string // the reason for each skipped test, by its name
}

// Run runs the suite. open makes an empty blob, which the test's cleanup takes away.
func Run(t *testing.T, open func(t *testing.T) Medium, options Options) {
	for _, test := range []struct {
		name string
		run  func(e *env)
	}{
		{"Contents", testContents},
		{"Replace", testReplace},
		{"Replacing", testReplacing},
		{"Keys", testKeys},
		{"Missing", testMissing},
		{"Delete", testDelete},
		{"Large", testLarge},
		{"Ranges", testRanges},
		{"RangesReplaced", testRangesReplaced},
		{"InvalidRanges", testInvalidRanges},
		{"Link", testLink},
		{"ChangedLink", testChangedLink},
		{"InvalidKeys", testInvalidKeys},
		{"InvalidFiles", testInvalidFiles},
		{"InvalidExpiry", testInvalidExpiry},
		{"Canceled", testCanceled},
	} {
		t.Run(test.name, func(t *testing.T) {
			if reason, skip := options.Skip[test.name]; skip {
				t.Skip(reason)
			}
			test.run(&env{t, open(t)})
		})
	}
}

// An env is one test with its medium.
type env struct {
	*testing.T
	Medium
}

func (e *env) must(err error) {
	e.Helper()
	if err != nil {
		e.Fatal(err)
	}
}

func (e *env) put(key, content string) {
	e.Helper()
	e.must(e.Blob.Put(e.Context(), key, text(content)))
}

func (e *env) get(key string) string {
	e.Helper()
	opened, err := e.Blob.Get(e.Context(), key)
	e.must(err)
	defer opened.Close()
	content, err := io.ReadAll(opened)
	e.must(err)
	return string(content)
}

func (e *env) wants(key, want string) {
	e.Helper()
	if got := e.get(key); got != want {
		e.Fatalf("%s has %d bytes %.100q, want %d bytes %.100q", key, len(got), got, len(want), want)
	}
}
