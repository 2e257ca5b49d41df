package listenstore_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"earshot/shared/embedded/fault"
	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/keyword"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/allstores"
	"earshot/shared/store/listenstore"
	"earshot/shared/store/rows"
	"earshot/shared/worldtest"
)

// Where transactions that meet are cancelled, as in DynamoDB, the cap is exact too and nobody is turned away for the crowd.
func TestCreateKeywordsWhileTransactionsConflict(t *testing.T) {
	w := worldtest.NewWorld(t)
	crowded := allstores.New(table.Retrying(&fault.Contended{Table: w.Table}), w.Clock)
	var mu sync.Mutex
	made, full := 0, 0
	faulttest.AtOnce(50, func(n int) {
		_, err := crowded.CreateKeyword(context.Background(), w.Main.ID, keyword.Keyword{Text: fmt.Sprint("keyword ", n)}, 20)
		mu.Lock()
		defer mu.Unlock()
		switch {
		case err == nil:
			made++
		case errors.Is(err, listenstore.ErrKeywordLimit):
			full++
		default:
			t.Error(err)
		}
	})
	if all, err := w.Store.Keywords(t.Context(), w.Main.ID); err != nil || len(all) != 20 || made != 20 || full != 30 {
		t.Error(len(all), made, full, err)
	}
}

// A plan without keywords has room for none.
func TestNoKeywords(t *testing.T) {
	w := worldtest.NewWorld(t)
	if _, err := w.Store.CreateKeyword(t.Context(), w.Agents.ID, keyword.Keyword{Text: "northwind"}, 0); !errors.Is(err,
		listenstore.ErrKeywordLimit) {
		t.Error(err)
	}
}

// A keyword's weight is counted exactly, and what would be too much together is refused whatever is done.
func TestKeywordsTogether(t *testing.T) {
	w := worldtest.NewWorld(t)
	weight := func() (sum int64) {
		item, err := w.Table.Get(t.Context(),
			table.Get{Table: rows.CoreTable, Key: table.Key{Partition: "listeners", Sort: w.Main.ID}, Consistent: true})
		if err != nil {
			t.Fatal(err)
		}
		sum, _ = item["weight"].(int64)
		return sum
	}
	counted := func(step string) {
		t.Helper()
		all, err := w.Store.Keywords(t.Context(), w.Main.ID)
		if err != nil {
			t.Fatal(err)
		}
		want := 0
		for _, k := range all {
			want += k.Weight()
		}
		if got := weight(); got != int64(want) {
			t.Errorf("%s: %d is counted, %d it is", step, got, want)
		}
	}
	terms := make([]string, keyword.MaxTerms)
	for i := range terms {
		terms[i] = fmt.Sprintf("%02d%s", i, strings.Repeat("🦊", 98))
	}
	heavy := func(n int) keyword.Keyword {
		return keyword.Keyword{
			Text:                 fmt.Sprint("heavy ", n),
			AdditionalTerms:      terms,
			ExcludeWords:         terms,
			WildcardExcludeWords: terms,
			ExcludeAuthors:       terms,
		}
	}
	last := keyword.Keyword{}
	for n := 0; ; n++ {
		k, err := w.Store.CreateKeyword(t.Context(), w.Main.ID, heavy(n), 1000)
		if errors.Is(err, listenstore.ErrKeywordTooLarge) && n > 10 {
			break
		}
		if err != nil || n > 1000 {
			t.Fatal(n, err)
		}
		last = k
	}
	counted("created")
	if weight() > keyword.MaxTogether {
		t.Errorf("%d", weight())
	}
	light, err := w.Store.CreateKeyword(t.Context(), w.Main.ID, keyword.Keyword{Text: "light"}, 1000)
	if err != nil {
		t.Fatal(err)
	}
	grow := func(k *keyword.Keyword) error {
		k.ExcludeWords, k.AdditionalTerms, k.ExcludeAuthors, k.WildcardExcludeWords = terms, terms, terms, terms
		return nil
	}
	if _, err := w.Store.ChangeKeyword(t.Context(), w.Main.ID, light.ID, grow); !errors.Is(err, listenstore.ErrKeywordTooLarge) {
		t.Error(err)
	}
	counted("refused")
	if _, err := w.Store.ChangeKeyword(t.Context(), w.Main.ID, last.ID,
		func(k *keyword.Keyword) error { k.AdditionalTerms, k.ExcludeWords = nil, nil; return nil }); err != nil {
		t.Fatal(err)
	}
	counted("shrunk")
	if err := w.Store.DeleteKeyword(t.Context(), w.Main.ID, last.ID); err != nil {
		t.Fatal(err)
	}
	counted("deleted")
	if _, err := w.Store.ChangeKeyword(t.Context(), w.Main.ID, light.ID, grow); err != nil {
		t.Error(err)
	}
	counted("grown")
}

// Characters that become many in the form by which texts match make a keyword as others do, once whatever their case.
func TestKeywordOfLongForm(t *testing.T) {
	w := worldtest.NewWorld(t)
	long := strings.Repeat("\U0001D160", keyword.MaxText-1) // notes, each of which becomes three characters of four bytes
	create := func(text string) error {
		_, err := w.Store.CreateKeyword(t.Context(), w.Main.ID, keyword.Keyword{Text: text}, 10)
		return err
	}
	for _, last := range []string{"a", "b"} {
		if err := create(long + last); err != nil {
			t.Error(err)
		}
	}
	if err := create(long + "A"); !errors.Is(err, listenstore.ErrKeywordTaken) {
		t.Error(err)
	}
	all, err := w.Store.Keywords(t.Context(), w.Main.ID)
	if err != nil || len(all) != 2 {
		t.Fatal(all, err)
	}
	for _, k := range all {
		if _, err := w.Store.ChangeKeyword(t.Context(), w.Main.ID, k.ID,
			func(k *keyword.Keyword) error { k.Text = fmt.Sprint("short ", k.ID); return nil }); err != nil {
			t.Error(err)
		}
	}
	if err := create(long + "A"); err != nil {
		t.Error(err)
	}
}

// A change that died before it could answer and is sent again is made once, and is no other's change to the one who sends it.
func TestKeywordIsChangedOnce(t *testing.T) {
	w := worldtest.NewWorld(t)
	k, err := w.Store.CreateKeyword(t.Context(), w.Main.ID, keyword.Keyword{Text: "northwind"}, 10)
	if err != nil {
		t.Fatal(err)
	}
	stale := errors.New("changed since it was read")
	for range 2 {
		changed, err := w.Store.ChangeKeywordOnce(t.Context(), w.Main.ID, k.ID, "a request", func(k *keyword.Keyword) error {
			if k.Revision != 1 {
				return stale
			}
			k.Context = "once"
			return nil
		})
		if err != nil || changed.Revision != 2 || changed.Context != "once" {
			t.Errorf("%+v, %v", changed, err)
		}
	}
	if err := w.Store.DeleteKeyword(t.Context(), w.Main.ID, k.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Store.ChangeKeywordOnce(t.Context(), w.Main.ID, k.ID, "a request", nil); !errors.Is(err, store.ErrNotFound) {
		t.Error(err)
	}
}
