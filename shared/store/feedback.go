package store

import (
	"context"
	"fmt"

	"earshot/shared/listening"
	"earshot/shared/mention"
	"earshot/shared/port/table"
)

// Rows of the core table, of what users think of mentions:
//
//	pk org_…  sk "feedback#<mention id>"  the standing judgement, with the mention's keywords and what the judge read in it
//
// A change raises "lessons" in the listeners' row, so that whoever judges learns of it.
const sortFeedback = "feedback#"

// Lessons lists what the workspace's users taught, that of the newest mentions first, at most limit judgements.
func (s *Store) Lessons(ctx context.Context, orgID string, limit int) ([]listening.Lesson, error) {
	var lessons []listening.Lesson
	query := table.Query{Table: CoreTable, Partition: orgID, Prefix: sortFeedback, Descending: true, Limit: limit, Consistent: true}
	for {
		page, err := s.table.Query(ctx, query)
		if err != nil {
			return nil, fmt.Errorf("read feedback: %w", err)
		}
		for _, item := range page.Items {
			ids, _ := item["keywordIds"].([]any)
			for _, id := range ids {
				id, _ := id.(int64)
				lessons = append(lessons, listening.Lesson{KeywordID: id, Relevant: boolean(item, "relevant"), Vector: bytes(item, "vector")})
			}
		}
		if query.Limit -= len(page.Items); page.Next == nil || query.Limit <= 0 {
			return lessons, nil
		}
		query.After = page.Next
	}
}

// lessons are the writes by which a mention's new judgement stands, none when it did not change.
func (s *Store) lessons(orgID string, old *mention.Mention, m mention.Mention) []table.Write {
	var before, after int
	if old != nil && old.FeedbackRelevant != nil {
		before = *old.FeedbackRelevant
	}
	if m.FeedbackRelevant != nil {
		after = *m.FeedbackRelevant
	}
	if before == after {
		return nil
	}
	key := table.Key{Partition: orgID, Sort: sortFeedback + idKey(m.ID)}
	learned := table.Update{Table: CoreTable, Key: table.Key{Partition: listeners, Sort: orgID}, Add: map[string]int64{"lessons": 1}}
	if after == 0 {
		return []table.Write{table.Delete{Table: CoreTable, Key: key}, learned}
	}
	ids := make([]any, len(m.Keywords))
	for i, keyword := range m.Keywords {
		ids[i] = keyword.ID
	}
	return []table.Write{table.Put{Table: CoreTable, Item: table.Item{
		table.PartitionAttribute: key.Partition, table.SortAttribute: key.Sort, "keywordIds": ids, "relevant": after > 0,
		"vector": m.Vector, "sourceId": m.SourceID, "at": fromTime(s.clock.Now()),
	}}, learned}
}
