package suggest_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"earshot/shared/keyword"
	"earshot/shared/keyword/suggest"
	"earshot/shared/mention"
)

// BenchmarkFind looks at as many mentions as a look reads, of a few keywords that each matches: posts of usual length,
// and long ones.
func BenchmarkFind(b *testing.B) {
	for _, of := range []struct {
		name           string
		mentions, long int
	}{{"usual", 2_000, 1}, {"long", 500, 30}} {
		b.Run(of.name, func(b *testing.B) {
			keywords := []keyword.Keyword{with(func(k *keyword.Keyword) { k.ID = 1 }),
				with(func(k *keyword.Keyword) { k.ID, k.Text = 2, "ship" })}
			mentions := world(keywords[0], group{n: of.mentions / 2, text: "x", kind: "signal"},
				group{n: of.mentions / 2, text: "x", kind: "noise"})
			slices.SortStableFunc(mentions, func(a, b mention.Mention) int { return cmp.Compare(a.ID*7%101, b.ID*7%101) })
			size := 0
			for i := range mentions {
				m, leaning := &mentions[i], "navy"
				if m.Relevant {
					leaning = "gasket"
				}
				text := ""
				for n := range of.long {
					text += fmt.Sprintf("The %s seal of the ship was seen by number%d and word%d, %s.\n", leaning, i%50, (i*7+n)%900,
						strings.Repeat("something else of it ", 15))
				}
				m.Body, m.Keywords = &text, []mention.Keyword{{ID: 1}, {ID: 2}}
				size += len(text)
			}
			b.SetBytes(int64(size))
			for b.Loop() {
				if len(suggest.Find(keywords, mentions, nil)) == 0 {
					b.Fatal("nothing is found")
				}
			}
		})
	}
}
