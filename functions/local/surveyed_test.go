package main

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"earshot/shared/embedded/fault"
	"earshot/shared/source"
)

// platform is a live source.
type platform string

func (p platform) About() source.About { return source.About{Name: string(p)} }
func (p platform) Search(context.Context, source.Query) (source.Page, error) {
	return source.Page{}, nil
}

func names(sources []source.Source) (all []string) {
	for _, s := range sources {
		all = append(all, s.About().Name)
	}
	return all
}

// Where there is a network, the platforms are asked; where there is none, or no source is open, what came in is.
// Whether there is one is looked for again after a while, and not for each question.
func TestSurveyed(t *testing.T) {
	text := "lantern"
	archive := func(context.Context) ([]source.Source, error) { return []source.Source{platform("reddit")}, nil }
	faults := fault.NewSet(map[string][]string{fault.SourcePort: fault.SourceOperations()}, fault.DefaultWait)
	synctest.Test(t, func(t *testing.T) {
		online, looks := false, 0
		asked := &surveyed{live: []source.Source{platform("hackernews"), platform("news")}, archive: archive, faults: faults,
			network: func(context.Context) bool { looks++; return online }}
		is := func(what string, looked int, want ...string) {
			t.Helper()
			if got := names(asked.sources(t.Context())); !slices.Equal(got, want) || looks != looked {
				t.Errorf("%s: %v, looked %d times; want %v, %d", what, got, looks, want, looked)
			}
		}
		is("no network", 1, "reddit")
		online = true
		is("at once", 1, "reddit")
		time.Sleep(lookAgain + time.Second)
		is("after a while", 2, "hackernews", "news")
		is("at once again", 2, "hackernews", "news")
		asked.live = nil
		is("SOURCES=archive", 2, "reddit")
		if err := faults.Add(fault.Fault{Port: fault.SourcePort, Fault: fault.Error, Times: 1}); err != nil {
			t.Fatal(err)
		}
		var gone *source.Unavailable
		if _, err := asked.sources(t.Context())[0].Search(t.Context(), source.Query{Text: text}); !errors.As(err, &gone) {
			t.Errorf("a fault that was asked for is not met: %v", err)
		}
	})
}

// The end of the one who asks is not taken for the end of the network.
func TestSurveyedByOneWhoLeft(t *testing.T) {
	archive := func(context.Context) ([]source.Source, error) { return nil, nil }
	asked := &surveyed{live: []source.Source{platform("hackernews")}, archive: archive, faults: fault.NewSet(nil, 0),
		network: func(ctx context.Context) bool { return ctx.Err() == nil }}
	left, leave := context.WithCancel(t.Context())
	leave()
	asked.sources(left)
	if got := names(asked.sources(t.Context())); !slices.Equal(got, []string{"hackernews"}) {
		t.Errorf("%v", got)
	}
}
