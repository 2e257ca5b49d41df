// Package secrettest is the suite that every adapter of the port secret passes. It tests what the port's comments
// promise.
//
// Only tests of adapters import it.
package secrettest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"

	"earshot/shared/port/secret"
)

// Run runs the suite. open makes a store that holds these secrets and no other, which the test's cleanup takes away.
func Run(t *testing.T, open func(t *testing.T, secrets map[string]string) secret.Store) {
	for _, test := range []struct {
		name string
		run  func(t *testing.T, open func(t *testing.T, secrets map[string]string) secret.Store)
	}{
		{"Get", testGet},
		{"Many", testMany},
		{"Values", testValues},
		{"Invalid", testInvalid},
		{"Canceled", testCanceled},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, open) })
	}
}

// A Keeper reads and writes secrets.
type Keeper interface {
	secret.Store
	secret.Writer
}

// RunWriter runs the suite of writers. open makes a store without secrets, which the test's cleanup takes away.
func RunWriter(t *testing.T, open func(t *testing.T) Keeper) {
	t.Run("PutDelete", func(t *testing.T) {
		s := open(t)
		const name, other = "slack/01kagt3e5z7n0q4w8r2m6y9xjc", "slack/01kagt3e5z7n0q4w8r2m6y9xjd"
		for _, value := range []string{"one", " two words\n", strings.Repeat("s", secret.MaxValue)} {
			if err := errors.Join(s.Put(t.Context(), name, value), s.Put(t.Context(), other, "another")); err != nil {
				t.Fatal(err)
			}
			wants(t, s, map[string]string{name: value, other: "another"}, name, other)
		}
		for range 2 {
			if err := s.Delete(t.Context(), name); err != nil {
				t.Fatal(err)
			}
			wants(t, s, map[string]string{other: "another"}, name, other)
		}
		if err := s.Delete(t.Context(), other); err != nil {
			t.Fatal(err)
		}
	})
	t.Run("WriteInvalid", func(t *testing.T) {
		s := open(t)
		for _, c := range [][2]string{{"../x", "v"}, {"", "v"}, {"X", "v"}, {"x", ""}, {"x", strings.Repeat("s", secret.MaxValue+1)}} {
			if err := s.Put(t.Context(), c[0], c[1]); !errors.Is(err, secret.ErrInvalid) {
				t.Errorf("Put(%q, %d bytes) = %v, want ErrInvalid", c[0], len(c[1]), err)
			}
		}
		if err := s.Delete(t.Context(), "../x"); !errors.Is(err, secret.ErrInvalid) {
			t.Errorf("Delete(../x) = %v, want ErrInvalid", err)
		}
		wants(t, s, map[string]string{}, "x")
	})
	t.Run("WriteCanceled", func(t *testing.T) {
		s := open(t)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := s.Put(ctx, "x", "v"); !errors.Is(err, context.Canceled) {
			t.Errorf("Put(canceled) = %v", err)
		}
		if err := s.Delete(ctx, "x"); !errors.Is(err, context.Canceled) {
			t.Errorf("Delete(canceled) = %v", err)
		}
	})
}

func wants(t *testing.T, s secret.Store, want map[string]string, names ...string) {
	t.Helper()
	got, err := s.Get(t.Context(), names...)
	if err != nil {
		t.Fatal(err)
	}
	if got == nil || !maps.Equal(got, want) {
		t.Fatalf("%v: got %d secrets %q, want %q", names, len(got), got, want)
	}
}

func testGet(t *testing.T, open func(t *testing.T, secrets map[string]string) secret.Store) {
	s := open(t, map[string]string{"reddit/client-id": "the id", "reddit/client-secret": "the secret", "x": "one word"})
	wants(t, s, map[string]string{"reddit/client-id": "the id"}, "reddit/client-id")
	wants(t, s, map[string]string{"reddit/client-id": "the id", "x": "one word"}, "x", "reddit/client-id")
	wants(t, s, map[string]string{"x": "one word"}, "x", "x", "x")
	wants(t, s, map[string]string{"x": "one word"}, "missing", "x", "reddit", "reddit/client", "reddit/client-id/x")
	wants(t, s, map[string]string{}, "missing")
	wants(t, s, map[string]string{})
}

// testMany asks for more names than one request may have.
func testMany(t *testing.T, open func(t *testing.T, secrets map[string]string) secret.Store) {
	all, names := map[string]string{}, []string{}
	for i := range 23 {
		name := fmt.Sprintf("source-%d/token", i)
		names = append(names, name, fmt.Sprintf("missing-%d", i))
		all[name] = fmt.Sprintf("value %d", i)
	}
	wants(t, open(t, all), all, names...)
}

func testValues(t *testing.T, open func(t *testing.T, secrets map[string]string) secret.Store) {
	all := map[string]string{
		"long":    strings.Repeat("s", 4096),
		"json":    `{"a": "b\n", "c": ["\u00e9"]}`,
		"symbols": `!"§$%&/()=?;:-_#+*'<>| ` + "`",
		"lines":   "a\nb\n",
		"key":     "-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\n",
		"spaced":  "  space around  ",
		"equals":  "a=b==",
	}
	names := []string{}
	for name := range all {
		names = append(names, name)
	}
	wants(t, open(t, all), all, names...)
}

func testInvalid(t *testing.T, open func(t *testing.T, secrets map[string]string) secret.Store) {
	s := open(t, map[string]string{"x": "y"})
	for _, name := range []string{
		"", "/", "/x", "x/", "x//y", "../x", ".", "X", "x_y", "x y", "x\n", "é", "-x", "x-", "x--y", "*", "x:1",
		strings.Repeat("x", secret.MaxName+1),
	} {
		if got, err := s.Get(t.Context(), "x", name); !errors.Is(err, secret.ErrInvalid) || got != nil {
			t.Errorf("%q: %q, %v", name, got, err)
		}
	}
}

func testCanceled(t *testing.T, open func(t *testing.T, secrets map[string]string) secret.Store) {
	s := open(t, map[string]string{"x": "y"})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got, err := s.Get(ctx, "x"); !errors.Is(err, context.Canceled) || got != nil {
		t.Fatalf("Get(canceled) = %v, %v, want nil and context.Canceled", got, err)
	}
}
