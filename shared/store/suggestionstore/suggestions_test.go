package suggestionstore_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"earshot/shared/embedded/fault"
	"earshot/shared/keyword"
	"earshot/shared/keyword/suggest"
	"earshot/shared/store"
	"earshot/shared/store/allstores"
	"earshot/shared/store/suggestionstore"
	"earshot/shared/worldtest"
)

func finding(k keyword.Keyword, words ...string) suggest.Suggestion {
	return suggest.Suggestion{
		ID:        suggest.NewID(k.ID, suggest.AddExcludeWords, words),
		Type:      suggest.AddExcludeWords,
		KeywordID: k.ID,
		Keyword:   k.Text,
		Values:    words,
		Reason:    "Counted.",
		Evidence:  suggest.Evidence{Mentions: 9, WouldRemove: 5},
		Examples:  []string{"a_b_c"},
	}
}

// shelved keeps what a look found, and answers the ids that are open after it.
func shelved(t *testing.T, w *worldtest.World, found ...suggest.Suggestion) []suggest.Suggestion {
	t.Helper()
	open, err := w.Store.KeepSuggestions(t.Context(), w.Main.ID, suggestionstore.Learned{Version: 1},
		func([]suggest.Refused) []suggest.Suggestion { return found })
	if err != nil {
		t.Fatal(err)
	}
	kept, err := w.Store.Suggestions(t.Context(), w.Main.ID)
	if err != nil || fmt.Sprint(kept.Open) != fmt.Sprint(open) || !kept.FoundAt.Equal(w.Clock.Now()) ||
		kept.Of != (suggestionstore.Learned{Version: 1}) {
		t.Fatalf("%+v is kept of %+v: %v", kept, open, err)
	}
	return open
}

func TestSuggestionsAreKept(t *testing.T) {
	w := worldtest.NewWorld(t)
	k, err := w.Store.CreateKeyword(t.Context(), w.Main.ID, keyword.Keyword{Text: "seal"}, 5)
	if err != nil {
		t.Fatal(err)
	}
	navy, zoo, rose := finding(k, "navy", "war"), finding(k, "zoo"), finding(k, "rose")
	if open := shelved(t, w, navy, zoo, rose); len(open) != 3 || !open[0].CreatedAt.Equal(worldtest.Now) ||
		open[0].Keyword != "seal" || open[0].Evidence != navy.Evidence {
		t.Errorf("%+v", open)
	}
	// What is found again keeps its time, in whatever order its words are; its figures are the new ones.
	w.Clock.Freeze(worldtest.Now.Add(20 * 24 * time.Hour))
	navy = finding(k, "War", "navy")
	navy.Evidence.WouldRemove = 6
	if open := shelved(t, w, navy, zoo); len(open) != 2 || !open[0].CreatedAt.Equal(worldtest.Now) ||
		open[0].Evidence.WouldRemove != 6 {
		t.Errorf("%+v", open)
	}
	// rose was found last 31 days ago, zoo and navy 11.
	w.Clock.Freeze(worldtest.Now.Add(31 * 24 * time.Hour))
	for _, act := range []func(suggest.Suggestion) error{
		func(s suggest.Suggestion) error { return w.Store.RejectSuggestion(t.Context(), w.Main.ID, s.ID) },
		func(s suggest.Suggestion) error {
			_, err := w.Store.AcceptSuggestion(t.Context(), w.Main.ID, s.ID)
			return err
		},
	} {
		if err := act(rose); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("an old one: %v", err)
		}
	}
	if err := w.Store.RejectSuggestion(t.Context(), w.Main.ID, zoo.ID); err != nil {
		t.Error(err)
	}
	if after, err := w.Store.AcceptSuggestion(t.Context(), w.Main.ID, navy.ID); err != nil ||
		fmt.Sprint(after.ExcludeWords) != "[War navy]" || after.Revision != 2 {
		t.Errorf("%+v, %v", after, err)
	}
	// Listeners learn of the change.
	if kept, err := w.Store.Suggestions(t.Context(), w.Main.ID); err != nil || kept.Now.Version != 2 ||
		len(kept.Open) != 0 ||
		fmt.Sprint(kept.Refused) != fmt.Sprint([]suggest.Refused{{
			KeywordID: k.ID,
			Type:      suggest.AddExcludeWords,
			Values:    []string{"zoo"},
		}}) {
		t.Errorf("%+v, %v", kept, err)
	}
	for _, c := range []struct{ days, refused int }{{300, 1}, {420, 0}} { // a rejection stands for a year
		w.Clock.Freeze(worldtest.Now.Add(time.Duration(c.days) * 24 * time.Hour))
		kept, err := w.Store.Suggestions(t.Context(), w.Main.ID)
		if err != nil || len(kept.Refused) != c.refused {
			t.Errorf("after %d days %+v, %v", c.days, kept.Refused, err)
		}
	}
	if open := shelved(t, w, zoo, navy); len(open) == 0 {
		t.Error("nothing is open")
	}
}

// A list that has no room takes nothing, and is told so.
func TestSuggestionsOfKeywordsThatAreFull(t *testing.T) {
	w := worldtest.NewWorld(t)
	var full []string
	for i := range keyword.MaxTerms {
		full = append(full, fmt.Sprint("word", i))
	}
	k, err := w.Store.CreateKeyword(t.Context(), w.Main.ID, keyword.Keyword{Text: "seal", ExcludeWords: full[1:]}, 5)
	if err != nil {
		t.Fatal(err)
	}
	two, one := finding(k, "navy", "war"), finding(k, "zoo")
	shelved(t, w, two, one)
	after, err := w.Store.AcceptSuggestion(t.Context(), w.Main.ID, two.ID)
	if err != nil || len(after.ExcludeWords) != keyword.MaxTerms || after.ExcludeWords[keyword.MaxTerms-1] != "navy" ||
		after.ExcludeWords[0] != "word1" {
		t.Errorf("%v, %v", after.ExcludeWords, err)
	}
	if _, err := w.Store.AcceptSuggestion(t.Context(), w.Main.ID, one.ID); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("there is room: %v", err)
	}
}

// Who accepts while another rejects, or changes the keyword, does it as if it were after that.
func TestSuggestionsWhileOthersGetIn(t *testing.T) {
	w := worldtest.NewWorld(t)
	k, err := w.Store.CreateKeyword(t.Context(), w.Main.ID, keyword.Keyword{Text: "seal"}, 5)
	if err != nil {
		t.Fatal(err)
	}
	navy, zoo, rose := finding(k, "navy"), finding(k, "zoo"), finding(k, "rose")
	shelved(t, w, navy, zoo, rose)
	between := &fault.Hooked{Table: w.Table}
	meddled := allstores.New(between, w.Clock)
	reject := func(s suggest.Suggestion) func() {
		return func() {
			if err := w.Store.RejectSuggestion(t.Context(), w.Main.ID, s.ID); err != nil {
				t.Error(err)
			}
		}
	}
	between.Before = reject(navy)
	if _, err := meddled.AcceptSuggestion(t.Context(), w.Main.ID, navy.ID); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("accepted though it was rejected: %v", err)
	}
	between.Before = func() {
		if _, err := w.Store.ChangeKeyword(t.Context(), w.Main.ID, k.ID,
			func(k *keyword.Keyword) error { k.Context = "An animal."; return nil }); err != nil {
			t.Error(err)
		}
	}
	if after, err := meddled.AcceptSuggestion(t.Context(), w.Main.ID, zoo.ID); err != nil ||
		after.Context != "An animal." || fmt.Sprint(after.ExcludeWords) != "[zoo]" {
		t.Errorf("%+v, %v", after, err)
	}
	between.Before = reject(rose)
	rose.Evidence.WouldRemove++
	open, err := meddled.KeepSuggestions(t.Context(), w.Main.ID, suggestionstore.Learned{},
		func([]suggest.Refused) []suggest.Suggestion { return []suggest.Suggestion{rose} })
	if err != nil || len(open) != 0 {
		t.Errorf("%+v is open though it was rejected: %v", open, err)
	}
}
