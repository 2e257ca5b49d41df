package mentionstore

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"earshot/shared/filter"
	"earshot/shared/mention"
)

// Bounds of the mentions in which suggestions are found and changes of keywords are tried.
//
// A page of 100 short posts takes about 60 read units: half a unit for 4 KiB, and the rows of the index. A page that
// its texts fill takes 650. All pages take 1,200 units, or about 3,000 if all texts are as long as possible.
const (
	recentFor   = 30 * 24 * time.Hour
	recentMost  = 2_000
	recentPages = 2 * recentMost / MaxMentionsPage // pages of long mentions are short
	recentText  = 12 << 20                         // bytes of texts in memory at once
)

// RecentMentions reads a workspace's newest mentions, relevant or not: at most 2,000 of the last 30 days, and no more
// once their texts reach 12 MiB. With keywords it reads only their mentions, unless there are more keywords than a
// filter may name.
func (s *Store) RecentMentions(ctx context.Context, orgID string, keywords ...int64) ([]mention.Mention, error) {
	query := MentionsQuery{WorkspaceID: orgID, All: true, Start: s.Clock.Now().Add(-recentFor), Limit: MaxMentionsPage}
	if len(keywords) > 0 && len(keywords) <= filter.MaxValues { // else most mentions are wanted in any case
		raw, err := json.Marshal(map[string][]int64{"keyword": keywords})
		if err != nil {
			return nil, fmt.Errorf("write a filter of keywords: %w", err)
		}
		of, faults := filter.ParseSimple(raw)
		if len(faults) > 0 {
			return nil, fmt.Errorf("filter by keywords: %s", faults[0].Message)
		}
		query.Filter = filter.Compile(of)
	}
	return recent(query, func(q MentionsQuery) (MentionsPage, error) { return s.Mentions(ctx, q) })
}

// recent reads pages of a query until there are no more, or enough.
func recent(query MentionsQuery, read func(MentionsQuery) (MentionsPage, error)) ([]mention.Mention, error) {
	var seen []mention.Mention
	for pages, text := 0, 0; pages < recentPages && len(seen) < recentMost && text < recentText; pages++ {
		page, err := read(query)
		if err != nil {
			return nil, err
		}
		seen = append(seen, page.Mentions...)
		if page.Next == "" {
			break
		}
		for _, m := range page.Mentions {
			for _, part := range []*string{m.Title, m.Body} {
				if part != nil {
					text += len(*part)
				}
			}
		}
		query.After = page.Next
	}
	return seen[:min(len(seen), recentMost)], nil
}
