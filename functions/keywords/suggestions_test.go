package keywords_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"earshot/functions/discovery"
	"earshot/functions/keywords"
	"earshot/functions/keywords/suggestions"
	"earshot/shared/embedded/fault"
	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/mention"
	"earshot/shared/store/allstores"
	"earshot/shared/web"
	"earshot/shared/worldtest"
)

const suggested = "/api/v2/keywords/suggestions"

// A shelf is a store that counts how often mentions are looked at.
type shelf struct {
	*allstores.Store
	looks atomic.Int64
}

func (s *shelf) RecentMentions(ctx context.Context, orgID string, keywords ...int64) ([]mention.Mention, error) {
	s.looks.Add(1)
	return s.Store.RecentMentions(ctx, orgID, keywords...)
}

func serveShelf(t testing.TB, w *worldtest.World) (*shelf, worldtest.Client) {
	t.Helper()
	s := &shelf{Store: w.Store}
	return s, worldtest.Serve(t, w, discovery.OpenAPI(), func(api *web.API) {
		keywords.Register(api, keywords.Options{Store: s})
		suggestions.Register(api, suggestions.Options{Store: s, Clock: w.Clock})
	})
}

// seals fills a workspace with mentions of the keyword "seal", which is made: those with "navy" are not relevant.
func seals(t testing.TB, w *worldtest.World, c worldtest.Client) keywords.Keyword {
	t.Helper()
	k := made(t, c, `{"keyword":"seal"}`)
	for i := range 36 {
		w.Put(t, w.Main.ID, sealed(k, i+1, []string{"The seal of the ship", "A navy seal"}[i%2], i%2 == 0))
	}
	return k
}

func sealed(k keywords.Keyword, id int, text string, relevant bool) mention.Mention {
	m := worldtest.Mention(int64(id), fmt.Sprintf("hackernews_story_%d", id),
		worldtest.Now.Add(-time.Duration(id)*time.Hour))
	body, author, score := fmt.Sprintf("%s %d", text, id), fmt.Sprintf("author%d", id), mention.High
	if !relevant {
		score = mention.Low
	}
	m.Title, m.Body, m.Author, m.Relevant, m.RelevanceScore = nil, &body, &author, relevant, &score
	m.Keywords = []mention.Keyword{{ID: k.ID, Text: k.Keyword}}
	return m
}

func listed(t testing.TB, c worldtest.Client) []suggestions.Suggestion {
	t.Helper()
	var list suggestions.SuggestionList
	c.Get(t, suggested).OK(t, &list)
	return list.Data
}

// only is the one suggestion that there is of a type.
func only(t testing.TB, c worldtest.Client, kind string) suggestions.Suggestion {
	t.Helper()
	of := slices.DeleteFunc(listed(t, c), func(s suggestions.Suggestion) bool { return s.Type != kind })
	if len(of) != 1 {
		t.Fatalf("%d suggestions to %s", len(of), kind)
	}
	return of[0]
}

func acceptance(id string) string { return suggested + "/" + id + "/accept" }
func rejection(id string) string  { return suggested + "/" + id + "/reject" }

const words = "add_exclude_words"

func TestSuggestionsAreListed(t *testing.T) {
	w := worldtest.NewWorld(t)
	s, c := serveShelf(t, w)
	if got := listed(t, c); len(got) != 0 {
		t.Errorf("from nothing there is %+v", got)
	}
	k := seals(t, w, c)
	c = c.As(w.Read)
	w.Clock.Freeze(worldtest.Now.Add(time.Hour))
	got := only(t, c, words)
	want := suggestions.SuggestionEvidence{Mentions: 36, Relevant: 18, NotRelevant: 18, WouldRemove: 18}
	if fmt.Sprint(got.Values) != "[navy]" || got.KeywordID != k.ID || got.Keyword != "seal" || got.Evidence != want ||
		got.CreatedAt != "2026-11-20T11:15:00.000Z" ||
		fmt.Sprint(got.Examples) != "[hackernews_story_2 hackernews_story_4 hackernews_story_6]" ||
		!strings.Contains(got.Reason, `"navy" stands in 18 of the 18`) {
		t.Errorf("%+v", got)
	}
	// Nothing has changed: nothing is looked at again for an hour.
	before := s.looks.Load()
	w.Clock.Freeze(worldtest.Now.Add(2*time.Hour - time.Millisecond))
	if again := only(t, c, words); fmt.Sprint(again) != fmt.Sprint(got) || s.looks.Load() != before {
		t.Errorf("%+v after %d further looks", again, s.looks.Load()-before)
	}
	// The same finding is the same suggestion.
	w.Put(t, w.Main.ID, sealed(k, 100, "A navy seal", false))
	w.Clock.Freeze(worldtest.Now.Add(2 * time.Hour))
	again := only(t, c, words)
	if s.looks.Load() == before || again.ID != got.ID || again.CreatedAt != got.CreatedAt ||
		again.Evidence.WouldRemove != 19 {
		t.Errorf("%+v", again)
	}
	// A user's thumb up counts at once.
	if _, err := w.Store.ChangeMention(t.Context(), w.Main.ID, "hackernews_story_100", func(m *mention.Mention) (bool, error) {
		return m.Overrule(mention.High), nil
	}); err != nil {
		t.Fatal(err)
	}
	for _, s := range listed(t, c) {
		if s.Type == words {
			t.Errorf("it would leave out what a user likes: %+v", s)
		}
	}
	if list := listed(t, c.As(w.OtherKey)); len(list) != 0 {
		t.Errorf("the other workspace has %+v", list)
	}
}

func TestSuggestionIsAccepted(t *testing.T) {
	w := worldtest.NewWorld(t)
	c := serve(t, w)
	k := seals(t, w, c)
	s := only(t, c, words)
	var first, second suggestions.AcceptedSuggestion
	w.Clock.Freeze(worldtest.Now.Add(time.Minute))
	c.As(w.Read).Post(t, acceptance(s.ID), "").Is(t, 403, "FORBIDDEN")
	c.Post(t, acceptance(s.ID), "").OK(t, &first)
	if !first.OK || first.Keyword.ID != k.ID || fmt.Sprint(first.Keyword.ExcludeWords) != "[navy]" ||
		first.Keyword.Volume.Last30d != 36 {
		t.Errorf("%+v", first)
	}
	w.Clock.Freeze(worldtest.Now.Add(2 * time.Minute))
	c.Post(t, acceptance(s.ID), "").OK(t, &second)
	if fmt.Sprint(second) != fmt.Sprint(first) {
		t.Errorf("%+v, then %+v", first, second)
	}
	stored, err := w.Store.Keyword(t.Context(), w.Main.ID, k.ID)
	if err != nil || stored.Revision != 2 {
		t.Errorf("it was changed to revision %d: %v", stored.Revision, err)
	}
	c.Post(t, rejection(s.ID), "").Is(t, 404, "SUGGESTION_NOT_FOUND")
	for _, s := range listed(t, c) {
		if s.Type == words {
			t.Errorf("%+v is there still", s)
		}
	}
	// Whoever takes the word out again is not told to put it in, and the suggestion does not do it once more.
	c.Patch(t, keywordPath(k.ID), `{"excludeWords":[]}`).OK(t, nil)
	c.Post(t, acceptance(s.ID), "").OK(t, &second)
	if len(second.Keyword.ExcludeWords) != 0 ||
		slices.ContainsFunc(listed(t, c), func(s suggestions.Suggestion) bool { return s.Type == words }) {
		t.Errorf("%+v", second)
	}
}

func TestSuggestionIsRejected(t *testing.T) {
	w := worldtest.NewWorld(t)
	c := serve(t, w)
	k := seals(t, w, c)
	s := only(t, c, words)
	for range 2 {
		var rejected suggestions.RejectedSuggestion
		c.Post(t, rejection(s.ID), "").OK(t, &rejected)
		if !rejected.OK {
			t.Error("it is not ok")
		}
	}
	c.Post(t, acceptance(s.ID), "").Is(t, 404, "SUGGESTION_NOT_FOUND")
	// Nor is the word suggested in other company.
	for i := range 18 {
		w.Put(t, w.Main.ID, sealed(k, 200+i, "A seal in a zoo", false))
	}
	w.Clock.Freeze(worldtest.Now.Add(20 * 24 * time.Hour))
	if s := only(t, c, words); fmt.Sprint(s.Values) != "[zoo]" {
		t.Errorf("%+v", s)
	}
}

func TestSuggestionsThatAreNone(t *testing.T) {
	w := worldtest.NewWorld(t)
	c := serve(t, w)
	k := seals(t, w, c)
	s := only(t, c, words)
	unused := "sug_" + strings.Repeat("a", 26)
	for _, of := range []func(string) string{acceptance, rejection} {
		theirs, nobodys := c.As(w.OtherKey).Post(t, of(s.ID), ""), c.Post(t, of(unused), "")
		theirs.Is(t, 404, "SUGGESTION_NOT_FOUND")
		nobodys.Is(t, 404, "SUGGESTION_NOT_FOUND")
		if strings.ReplaceAll(string(theirs.Body), theirs.Header.Get("X-Request-Id"),
			"") != strings.ReplaceAll(string(nobodys.Body), nobodys.Header.Get("X-Request-Id"), "") {
			t.Errorf("%s and %s differ", theirs.Body, nobodys.Body)
		}
		for _, id := range []string{"0", "suggestions", "sug_", "SUG_" + unused[4:], unused + "a", "%00", strings.Repeat("x", 1500)} {
			c.Post(t, of(id), "").Is(t, 404, "SUGGESTION_NOT_FOUND")
		}
	}
	// A keyword that is paused has none; listening again, it has them again; deleted, none for ever.
	c.Post(t, keywordPath(k.ID)+"/pause", `{"paused":true}`).OK(t, nil)
	if got := listed(t, c); len(got) != 0 {
		t.Errorf("a paused keyword has %+v", got)
	}
	c.Post(t, acceptance(s.ID), "").Is(t, 404, "SUGGESTION_NOT_FOUND")
	c.Post(t, keywordPath(k.ID)+"/pause", `{"paused":false}`).OK(t, nil)
	if again := only(t, c, words); again.ID != s.ID {
		t.Errorf("%s, then %s", s.ID, again.ID)
	}
	c.Delete(t, keywordPath(k.ID)).OK(t, nil)
	if got := listed(t, c); len(got) != 0 {
		t.Errorf("a deleted keyword has %+v", got)
	}
	c.Post(t, acceptance(s.ID), "").Is(t, 404, "SUGGESTION_NOT_FOUND")
}

// What a person has done already is in place: the suggestion is gone, and accepting what was shown before changes nothing.
func TestSuggestionThatIsInPlace(t *testing.T) {
	w := worldtest.NewWorld(t)
	c := serve(t, w)
	k := seals(t, w, c)
	s := only(t, c, words)
	c.Patch(t, keywordPath(k.ID), `{"excludeWords":["Navy","ship yard"]}`).OK(t, nil)
	if slices.ContainsFunc(listed(t, c), func(other suggestions.Suggestion) bool { return other.ID == s.ID }) {
		t.Error("it is listed")
	}
	var accepted suggestions.AcceptedSuggestion
	c.Post(t, acceptance(s.ID), "").OK(t, &accepted)
	if fmt.Sprint(accepted.Keyword.ExcludeWords) != "[Navy ship yard]" {
		t.Errorf("%+v", accepted)
	}
}

// A suggestion can be acted on though it is no longer found, until it is old.
func TestSuggestionsStayWhileTheDataMovesOn(t *testing.T) {
	w := worldtest.NewWorld(t)
	c := serve(t, w)
	seals(t, w, c)
	s := only(t, c, words)
	w.Clock.Freeze(worldtest.Now.Add((29*24 + 20) * time.Hour)) // nearly all mentions are older than what is looked at
	if got := listed(t, c); len(got) != 0 {
		t.Errorf("%+v", got)
	}
	var accepted suggestions.AcceptedSuggestion
	c.Post(t, acceptance(s.ID), "").OK(t, &accepted)
	if len(accepted.Keyword.ExcludeWords) != 1 {
		t.Errorf("%+v", accepted)
	}
	w.Clock.Freeze(worldtest.Now.Add(60 * 24 * time.Hour))
	c.Post(t, acceptance(s.ID), "").Is(t, 404, "SUGGESTION_NOT_FOUND")
}

// A process that dies after it wrote, and the repeat that the client sends.
func TestSuggestionAcceptedThroughCrashes(t *testing.T) {
	w := worldtest.NewWorld(t)
	c := serve(t, w)
	k := seals(t, w, c)
	broken := func(kind fault.Kind, times int) {
		t.Helper()
		w.Fault(fault.Fault{Port: fault.TablePort, Operation: "transact", Fault: kind, Times: times})
	}
	// What is found and cannot be kept is answered all the same, and kept the next time.
	broken(fault.Error, 0)
	found := only(t, c, words)
	c.Post(t, acceptance(found.ID), "").Is(t, 404, "SUGGESTION_NOT_FOUND")
	w.Faults.Clear()
	broken(fault.Crash, 1)
	c.Get(t, suggested).Is(t, 500, "INTERNAL_ERROR")
	s := only(t, c, words)
	if s.ID != found.ID {
		t.Errorf("%s, then %s", found.ID, s.ID)
	}
	broken(fault.Crash, 1)
	c.Post(t, acceptance(s.ID), "", "Idempotency-Key", "k").Is(t, 500, "INTERNAL_ERROR")
	var accepted suggestions.AcceptedSuggestion
	c.Post(t, acceptance(s.ID), "", "Idempotency-Key", "k").OK(t, &accepted)
	stored, err := w.Store.Keyword(t.Context(), w.Main.ID, k.ID)
	if err != nil || stored.Revision != 2 || fmt.Sprint(accepted.Keyword.ExcludeWords) != "[navy]" {
		t.Errorf("%+v, %+v, %v", accepted, stored, err)
	}
}

// Of acceptances and rejections at once, one kind is told that it was done, and it was, once.
func TestSuggestionsAtOnce(t *testing.T) {
	w := worldtest.NewWorld(t)
	c := serve(t, w)
	k := seals(t, w, c)
	s := only(t, c, words)
	w.Clock.Freeze(worldtest.Now.Add(time.Hour))
	var accepted, rejected atomic.Int64
	post := func(target string, count *atomic.Int64) func(int) {
		return func(int) {
			switch got := c.Post(t, target, ""); got.Status {
			case 200:
				count.Add(1)
			case 404:
			default:
				t.Errorf("POST %s = %d %s, want 200 or 404", target, got.Status, got.Body)
			}
		}
	}
	faulttest.AtOnce(4, post(acceptance(s.ID), &accepted), post(rejection(s.ID), &rejected), func(int) {
		if got := c.Get(t, suggested); got.Status != 200 {
			t.Errorf("GET %s = %d %s, want 200", suggested, got.Status, got.Body)
		}
	})
	stored, err := w.Store.Keyword(t.Context(), w.Main.ID, k.ID)
	if err != nil {
		t.Fatal(err)
	}
	if accepted.Load()+rejected.Load() != 4 || accepted.Load() > 0 && rejected.Load() > 0 ||
		(accepted.Load() > 0) != (len(stored.ExcludeWords) == 1) ||
		(stored.Revision > 1) != (accepted.Load() > 0) || stored.Revision > 2 {
		t.Errorf("accepted %d times and rejected %d times: %+v", accepted.Load(), rejected.Load(), stored)
	}
}

// "suggestions" is a path of its own and never a keyword's id.
func TestSuggestionsAreNoKeyword(t *testing.T) {
	w := worldtest.NewWorld(t)
	c := serve(t, w)
	var shape map[string]json.RawMessage
	c.Get(t, suggested).OK(t, &shape)
	if len(shape) != 1 || shape["data"] == nil {
		t.Errorf("%v", shape)
	}
	c.Post(t, suggested, `{}`).Is(t, 404, "NOT_FOUND")
	c.Get(t, suggested+"/").Is(t, 404, "NOT_FOUND")
}
