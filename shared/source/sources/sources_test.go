package sources

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"earshot/shared/port/clock"
	"earshot/shared/source"
	"earshot/shared/source/catalogue"
	"earshot/shared/source/fetch"
)

type held struct {
	secrets map[string]string
	err     error
}

func (h held) Get(_ context.Context, names ...string) (map[string]string, error) {
	found := map[string]string{}
	for _, name := range names {
		if value, ok := h.secrets[name]; ok {
			found[name] = value
		}
	}
	return found, h.err
}

func names(abouts []source.About) (names []string) {
	for _, about := range abouts {
		names = append(names, about.Name)
	}
	slices.Sort(names)
	return names
}

// Every platform that the catalogue says is searched has one adapter, and no other has.
func TestComplete(t *testing.T) {
	want := slices.Sorted(slices.Values(catalogue.Searched()))
	if got := names(all(Options{Client: fetch.New(fetch.Options{})})); !slices.Equal(got, want) {
		t.Errorf("there are adapters for %v, the catalogue says %v", got, want)
	}
}

func TestOpen(t *testing.T) {
	client := fetch.New(fetch.Options{})
	every := map[string]string{}
	needy := 0
	for _, about := range all(Options{Client: client}) {
		need := false
		for _, credential := range about.Credentials {
			every[credential.Name] = "a secret"
			need = need || !credential.Optional
		}
		if need {
			needy++
		}
	}
	for _, c := range []struct {
		name          string
		secrets       map[string]string
		open, lacking int
	}{
		{"with all credentials", every, len(makers), 0},
		{"with none", nil, len(makers) - needy, needy},
	} {
		open, lacking, err := Open(t.Context(), Options{Client: client}, held{secrets: c.secrets})
		if err != nil || len(open) != c.open || len(lacking) != c.lacking {
			t.Errorf("%s: %d open, %d lacking (%v); should be %d and %d", c.name, len(open), len(lacking), err, c.open, c.lacking)
		}
	}
	broken := errors.New("throttled")
	if _, _, err := Open(t.Context(), Options{Client: client}, held{err: broken}); !errors.Is(err, broken) {
		t.Errorf("the secret store's error is lost: %v", err)
	}
}

// A deployment's log tells each source that is off, once; a secret store that does not answer has an end.
func TestFromEnvironment(t *testing.T) {
	env := func(string) string { return "" }
	var told bytes.Buffer
	log := slog.New(slog.NewTextHandler(&told, nil))
	open, err := FromEnvironment(env, held{}, clock.System{}, log)
	if err != nil {
		t.Fatal(err)
	}
	for _, about := range all(Options{Client: fetch.New(fetch.Options{})}) {
		off := !slices.ContainsFunc(open, func(s source.Source) bool { return s.About().Name == about.Name })
		if times := strings.Count(told.String(), "source="+about.Name+"\n"); off != lacks(about, nil) ||
			off != (times == 1) || times > 1 {
			t.Errorf("%s is off: %t, and told of %d times", about.Name, off, times)
		}
	}
	synctest.Test(t, func(t *testing.T) {
		if _, err := FromEnvironment(env, silent{}, clock.System{}, log); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a store that does not answer: %v", err)
		}
	})
}

// The sources are opened when they are first asked for, once, and again after an error.
func TestWhenAsked(t *testing.T) {
	store := &counted{held: held{err: errors.New("throttled")}}
	open := WhenAsked(func(string) string { return "" }, store, clock.System{}, slog.New(slog.DiscardHandler))
	if store.asked != 0 {
		t.Errorf("secrets were read %d times before the sources were asked for", store.asked)
	}
	if found, err := open(t.Context()); !errors.Is(err, store.err) || found != nil {
		t.Errorf("with a store that fails: %v, %v", found, err)
	}
	store.err = nil
	for range 2 {
		if found, err := open(t.Context()); err != nil || len(found) == 0 {
			t.Errorf("with a store that answers: %v, %v", found, err)
		}
	}
	if store.asked != 2 {
		t.Errorf("secrets were read %d times, want 2", store.asked)
	}
}

// counted counts how often it is read.
type counted struct {
	held
	asked int
}

func (c *counted) Get(ctx context.Context, names ...string) (map[string]string, error) {
	c.asked++
	return c.held.Get(ctx, names...)
}

// A silent store never answers.
type silent struct{}

func (silent) Get(ctx context.Context, _ ...string) (map[string]string, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

// Without its credentials a source says so and asks nothing.
func TestSource_NoCredentials(t *testing.T) {
	client := fetch.New(fetch.Options{})
	for _, make := range makers {
		made := make(Options{Client: client}, nil)
		if !lacks(made.About(), nil) {
			continue
		}
		if _, err := made.Search(t.Context(), source.Query{Text: "x", Max: 1}); !errors.Is(err, source.ErrNoCredentials) {
			t.Errorf("%s answers %v", made.About().Name, err)
		}
	}
}
