package listenstore_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/keyword"
	"earshot/shared/port/table"
	"earshot/shared/worldtest"
)

// Of however many change the filters at once, each changes them once, and the listeners learn of each.
func TestChangeFilters(t *testing.T) {
	w := worldtest.NewWorld(t)
	none, err := w.Store.GlobalFilters(t.Context(), w.Main.ID)
	if err != nil || none.Revision != 0 || !none.UpdatedAt.IsZero() || none.NegativeRepos == nil {
		t.Errorf("%+v %v", none, err)
	}
	faulttest.AtOnce(16, func(n int) {
		_, err := w.Store.ChangeFilters(t.Context(), w.Main.ID, func(f *keyword.Filters) (bool, error) {
			f.NegativeKeywords = append(f.NegativeKeywords, fmt.Sprint("word ", n))
			return true, nil
		})
		if err != nil {
			t.Error(err)
		}
	})
	refused := errors.New("refused")
	for want, change := range map[error]func(*keyword.Filters) (bool, error){
		nil:     func(f *keyword.Filters) (bool, error) { f.NegativeKeywords = nil; return false, nil },
		refused: func(f *keyword.Filters) (bool, error) { return true, refused },
		table.ErrTooLarge: func(f *keyword.Filters) (bool, error) {
			f.NegativeKeywords = []string{strings.Repeat("x", table.MaxItemBytes)}
			return true, nil
		},
	} {
		if _, err := w.Store.ChangeFilters(t.Context(), w.Main.ID, change); !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
	}
	kept, err := w.Store.GlobalFilters(t.Context(), w.Main.ID)
	if err != nil || len(kept.NegativeKeywords) != 16 || kept.Revision != 16 || !kept.UpdatedAt.Equal(worldtest.Now) {
		t.Errorf("%+v %v", kept, err)
	}
	listeners, err := w.Store.Listeners(t.Context())
	if err != nil || len(listeners) != 1 || listeners[0].Version != 16 {
		t.Errorf("%+v %v", listeners, err)
	}
}

// Who read the filters before another changed them reads them again, also when there were none.
func TestChangeFiltersInBetween(t *testing.T) {
	w := worldtest.NewWorld(t)
	add := func(value string, before func()) {
		t.Helper()
		_, err := w.Store.ChangeFilters(t.Context(), w.Main.ID, func(f *keyword.Filters) (bool, error) {
			before()
			before = func() {}
			f.NegativeKeywords = append(f.NegativeKeywords, value)
			return true, nil
		})
		if err != nil {
			t.Error(err)
		}
	}
	for n := range 2 {
		add(fmt.Sprint("outer", n), func() { add(fmt.Sprint("inner", n), func() {}) })
	}
	kept, err := w.Store.GlobalFilters(t.Context(), w.Main.ID)
	if got := strings.Join(kept.NegativeKeywords, " "); err != nil || got != "inner0 outer0 inner1 outer1" {
		t.Errorf("%s %v", got, err)
	}
}
