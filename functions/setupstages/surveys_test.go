package setupstages_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"testing"

	"earshot/functions/setupstages"
	"earshot/shared/proposal/survey"
	"earshot/shared/source"
)

type named struct {
	source.Source
	about source.About
}

func (n named) About() source.About { return n.about }

// A platform is asked itself where it can be. The archive is asked about the others, and left out when it fails.
func TestWithArchive(t *testing.T) {
	live := []source.Source{
		named{about: source.About{Name: "hackernews"}}, named{about: source.About{Name: "bluesky", Stream: true}},
	}
	var failure error
	archive := func(context.Context) ([]source.Source, error) {
		if failure != nil {
			return nil, failure
		}
		return []source.Source{
			named{about: source.About{Name: "bluesky"}},
			named{about: source.About{Name: "hackernews", Max: 7}},
			named{about: source.About{Name: "news"}},
		}, nil
	}
	var off error
	open := func(context.Context) ([]source.Source, error) { return live, off }
	asked := setupstages.WithArchive(open, archive, slog.New(slog.DiscardHandler))
	found, err := asked(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	names := survey.New(survey.Options{Sources: found}).Names()
	if want := []string{"bluesky", "hackernews", "news"}; !slices.Equal(names, want) {
		t.Errorf("the survey asks %q, want %q", names, want)
	}
	if first := found[0].About(); first.Name != "hackernews" || first.Max == 7 {
		t.Errorf("the first source is %+v, want Hacker News itself", first)
	}
	failure = errors.New("no table")
	if again, err := asked(t.Context()); err != nil || len(again) != len(live) {
		t.Errorf("%d sources without the archive (%v), want the %d live ones", len(again), err, len(live))
	}
	off = errors.New("no secrets")
	if _, err := asked(t.Context()); !errors.Is(err, off) {
		t.Errorf("without the live sources: %v, want %v", err, off)
	}
}
