package keywords_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"earshot/functions/keywords"
	"earshot/shared/keyword"
	"earshot/shared/mention"
	"earshot/shared/port/table"
	"earshot/shared/web"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

// The list is read in a bounded number of round trips, however many keywords there are.
func TestListRoundTrips(t *testing.T) {
	for _, n := range []int{20, 1000} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			w := worldtest.NewWorld(t)
			if err := w.Store.ChangeWorkspace(t.Context(), w.Main.ID,
				func(org *workspace.Workspace) error { org.Plan = workspace.Enterprise; return nil }); err != nil {
				t.Fatal(err)
			}
			var batch []mention.Mention
			for i := range n {
				k := keyword.Keyword{
					ID:           int64(i + 1),
					Text:         fmt.Sprint("keyword number ", i),
					ExactMatch:   true,
					Context:      strings.Repeat("a word ", 14),
					ExcludeWords: []string{"some", "other words"},
				}
				if err := w.Store.RestoreKeyword(t.Context(), w.Main.ID, k); err != nil {
					t.Fatal(err)
				}
				for month := range 2 {
					batch = append(batch, mentionOf(0, fmt.Sprint("post ", i, month), worldtest.Now.AddDate(0, -month, 5*month), int64(i+1)))
				}
			}
			if _, err := w.Store.Ingest(t.Context(), w.Main.ID, 1_000_000, batch); err != nil {
				t.Fatal(err)
			}
			c := serve(t, w)
			ctx, meter := table.WithMeter(t.Context())
			if _, err := w.Store.Keywords(ctx, w.Main.ID); err != nil {
				t.Fatal(err)
			}
			if _, err := w.Store.KeywordVolumes(ctx, w.Main.ID); err != nil {
				t.Fatal(err)
			}
			used := meter.Total()
			t.Logf("%d keywords: %d round trips, %v RCU", n, used.Reads, used.ReadUnits)
			if most := 1 + float64(n)*0.13; used.Reads != 2 || used.Writes != 0 || used.ReadUnits > most {
				t.Errorf("%+v", used)
			}
			var list keywords.KeywordList
			answer := c.Get(t, all)
			answer.OK(t, &list)
			if len(list.Data) != n || list.Data[n-1].Volume != (keywords.KeywordVolume{Last7d: 1, Last30d: 2}) {
				t.Errorf("%d keywords, the last %+v", len(list.Data), list.Data[len(list.Data)-1])
			}
		})
	}
}

// What a keyword is counted for is at least what it has in an answer, so that all that a workspace may have can be sent.
func TestKeywordsFitAnAnswer(t *testing.T) {
	w := worldtest.NewWorld(t)
	c := serve(t, w)
	made(t, c, `{"keyword":"x"}`)
	platforms, _ := json.Marshal(keyword.Platforms())
	for i, text := range []string{`\\\\`, "<&>", "\u2028a\u2028", "🦊", "ü", "a"} {
		long := strings.Repeat(text, 100/max(1, len([]rune(strings.NewReplacer(`\\`, "b", "\\u2028", "s").Replace(text)))))
		made(t, c, fmt.Sprintf(`{"keyword":"%d%s","context":"%s","additionalTerms":["%s"],"excludeWords":["%s"],"excludeAuthors":["%s","a"],"platforms":%s,"paused":true,`+
			`"tag":"industry_term","exactMatch":false}`, i, text, long+long, long, long, long, platforms))
	}
	stored, err := w.Store.Keywords(t.Context(), w.Main.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range stored {
		answer := c.Get(t, keywordPath(k.ID))
		answer.OK(t, nil)
		if got, room := web.Sent(answer.Body)+2*16, k.Weight(); got > room {
			t.Errorf("%q takes %d bytes, and counts for %d", k.Text, got, room)
		}
	}
	if keyword.MaxTogether > web.MaxSent {
		t.Error("what a workspace may have cannot be sent")
	}
}
