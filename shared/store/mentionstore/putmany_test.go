package mentionstore_test

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"earshot/shared/embedded/fault"
	"earshot/shared/mention"
	"earshot/shared/store/rows"
	"earshot/shared/worldtest"
)

// severalToPut returns mentions that are new, and mentions that share an id with each other or with one that is there.
func severalToPut() []mention.Mention {
	var several []mention.Mention
	put := func(m mention.Mention) { several = append(several, m) }
	for id := range int64(70) {
		m := worldtest.Mention(id+10, fmt.Sprint("post", id), worldtest.Now.AddDate(0, 0, -int(id%40)))
		m.Keywords = []mention.Keyword{{ID: id%3 + 1, Text: "a"}, {ID: 9, Text: "b"}}
		put(m)
	}
	up, large := 1, strings.Repeat("large ", 100_000)
	judged := worldtest.Mention(100, "judged", worldtest.Now)
	judged.FeedbackRelevant = &up
	put(judged)
	tooLarge := worldtest.Mention(101, "large", worldtest.Now)
	tooLarge.Body = &large
	put(tooLarge)
	again := worldtest.Mention(102, "twice", worldtest.Now)
	put(again)
	again.Engaged = true
	put(again)
	put(worldtest.Mention(103, "first with its id", worldtest.Now))
	put(worldtest.Mention(103, "second with its id", worldtest.Now))
	put(worldtest.Mention(2, "takes the id of one that is there", worldtest.Now))
	renewed := worldtest.Mention(1, "there", worldtest.Now.AddDate(0, 0, -3))
	renewed.Sentiment = mention.Negative
	put(renewed)
	return several
}

// PutMentions leaves the tables as PutMention does that is called for one mention after the other, and returns the same
// errors.
func TestPutMentions_AsOneByOne(t *testing.T) {
	w := worldtest.NewWorld(t)
	for _, orgID := range []string{w.Main.ID, w.Other.ID} {
		w.Put(t, orgID, worldtest.Mention(1, "there", worldtest.Now), worldtest.Mention(2, "there too", worldtest.Now))
	}
	several := severalToPut()
	want := make([]error, len(several))
	for i, m := range several {
		want[i] = w.Store.PutMention(t.Context(), w.Main.ID, m)
	}
	got := w.Store.PutMentions(t.Context(), w.Other.ID, several)
	for i := range several {
		if fmt.Sprint(got[i]) != fmt.Sprint(want[i]) {
			t.Errorf("%s: %v, want %v", several[i].SourceID, got[i], want[i])
		}
	}
	if failed := len(several) - len(slices.DeleteFunc(want, func(err error) bool { return err != nil })); failed != 3 {
		t.Errorf("%d mentions were not stored, want 3", failed)
	}
	if got, want := ofWorkspace(t, w, w.Other.ID), ofWorkspace(t, w, w.Main.ID); !reflect.DeepEqual(got, want) {
		for at := range maps.Keys(want) {
			if !reflect.DeepEqual(got[at], want[at]) {
				t.Errorf("%s: %v, want %v", at, got[at], want[at])
			}
		}
		t.Errorf("%d rows, want %d", len(got), len(want))
	}
}

// ofWorkspace returns the mentions of a workspace and their counts, by table and key. What numbers changes or reserves
// ids depends on the number of transactions: of such rows it has the attributes' names.
func ofWorkspace(t *testing.T, w *worldtest.World, orgID string) map[string]any {
	found := map[string]any{}
	for _, row := range worldtest.Rows(t, w) {
		if row.Table == rows.CoreTable || row.Partition != orgID {
			continue
		}
		item := maps.Clone(row.Item)
		for name, value := range item {
			if text, ok := value.(string); ok {
				item[name] = strings.ReplaceAll(text, orgID, "")
			}
		}
		if row.Sort == rows.SequenceOfMentions || strings.HasPrefix(row.Sort, rows.SortQuota) {
			found[row.Table+" "+row.Sort] = slices.Sorted(maps.Keys(item))
			continue
		}
		found[row.Table+" "+row.Sort] = item
	}
	return found
}

// If the response to a transaction of several is lost for good, each mention is stored by itself. None counts twice.
func TestPutMentions_ResponseLost(t *testing.T) {
	w := worldtest.NewWorld(t)
	several := severalToPut()[:5]
	w.Put(t, w.Main.ID, several...)
	lost := fault.Fault{Port: fault.TablePort, Operation: "transact", Fault: fault.Lost, Times: 4}
	worldtest.Must(t, w.Faults.Add(lost))
	for i, err := range w.Store.PutMentions(t.Context(), w.Other.ID, several) {
		if err != nil {
			t.Errorf("%s: %v", several[i].SourceID, err)
		}
	}
	got, want := ofWorkspace(t, w, w.Other.ID), ofWorkspace(t, w, w.Main.ID)
	for at := range want {
		if !strings.HasPrefix(at, rows.MentionsTable) && !reflect.DeepEqual(got[at], want[at]) { // they count as changed
			t.Errorf("%s: %v, want %v", at, got[at], want[at])
		}
	}
	for _, m := range several {
		if _, err := w.Store.Mention(t.Context(), w.Other.ID, m.SourceID); err != nil {
			t.Errorf("%s: %v", m.SourceID, err)
		}
	}
}
