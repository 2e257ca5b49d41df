package mentionstore

import (
	"fmt"
	"strings"
	"testing"

	"earshot/shared/mention"
)

// However many mentions there are, and however they come, a bounded part of them is read, page by page.
func TestRecentMentionsAreBounded(t *testing.T) {
	long := strings.Repeat("seal ", 1<<17)
	for _, of := range []struct {
		name            string
		page            int
		text            string
		from, most, all int
	}{
		{"short ones", 100, "seal", 20, 20, 2_000},
		{"more than fit", 99, "seal", 21, 21, 2_000},
		{"pages of few", 1, "seal", 40, 40, 40},
		{"long ones", 5, long, 1, 9, 45},
	} {
		pages, id := 0, 0
		seen, err := recent(MentionsQuery{Limit: MaxMentionsPage}, func(q MentionsQuery) (page MentionsPage, err error) {
			if (q.After == "") != (pages == 0) || pages > 0 && q.After != fmt.Sprint(id) || q.Limit != MaxMentionsPage {
				t.Errorf("%s: after %d it asks for %+v", of.name, id, q)
			}
			for pages++; len(page.Mentions) < of.page; id++ {
				page.Mentions = append(page.Mentions, mention.Mention{Body: &of.text})
			}
			page.Next = fmt.Sprint(id)
			return page, nil
		})
		if err != nil || pages < of.from || pages > of.most || len(seen) == 0 || len(seen) > of.all {
			t.Errorf("%s: %d pages with %d mentions are read, %v", of.name, pages, len(seen), err)
		}
	}
}
