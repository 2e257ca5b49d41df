package mentionstore

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"earshot/shared/mention"
	"earshot/shared/port/table"
	"earshot/shared/store/rows"
)

// Tally counts judgements.
type Tally struct{ Relevant, NotRelevant int64 }

// Total returns the number of judgements.
func (t Tally) Total() int64 { return t.Relevant + t.NotRelevant }

// FeedbackTotals counts a workspace's current judgements.
type FeedbackTotals struct {
	All       Tally
	ByKeyword map[int64]Tally // of keywords with at least one, deleted ones too
}

// Feedback counts the current judgements, in one read.
func (s *Store) Feedback(ctx context.Context, orgID string) (FeedbackTotals, error) {
	item, err := s.Get(ctx, rows.CountersTable, table.Key{Partition: orgID, Sort: rows.SortJudged})
	if err != nil {
		return FeedbackTotals{}, err
	}
	totals := FeedbackTotals{
		All:       Tally{Relevant: rows.Integer(item, "r"), NotRelevant: rows.Integer(item, "n")},
		ByKeyword: map[int64]Tally{},
	}
	for name := range item {
		digits, ofKeyword := strings.CutPrefix(name, "k")
		id, err := strconv.ParseInt(strings.TrimRight(digits, "rn"), 10, 64)
		if !ofKeyword || err != nil {
			continue
		}
		tally := Tally{
			Relevant:    rows.Integer(item, tallyOf(id, true)),
			NotRelevant: rows.Integer(item, tallyOf(id, false)),
		}
		if tally != (Tally{}) {
			totals.ByKeyword[id] = tally
		}
	}
	return totals, nil
}

// tallyOf returns the attribute that counts a keyword's judgements of one kind.
func tallyOf(keywordID int64, relevant bool) string {
	return "k" + strconv.FormatInt(keywordID, 10) + kindOf(relevant)
}

func kindOf(relevant bool) string {
	if relevant {
		return "r"
	}
	return "n"
}

// Lessons lists what the workspace's users taught: each judgement of at most limit mentions, the newest mentions first.
func (s *Store) Lessons(ctx context.Context, orgID string, limit int) ([]mention.Lesson, error) {
	var lessons []mention.Lesson
	query := table.Query{
		Table:      rows.CoreTable,
		Partition:  orgID,
		Prefix:     rows.SortFeedback,
		Descending: true,
		Limit:      limit,
		Consistent: true,
	}
	for {
		page, err := s.Table.Query(ctx, query)
		if err != nil {
			return nil, fmt.Errorf("read feedback: %w", err)
		}
		for _, item := range page.Items {
			for _, j := range toJudgements(item) {
				lessons = append(
					lessons,
					mention.Lesson{KeywordID: j.KeywordID, Relevant: j.Relevant, Vector: rows.Bytes(item, "vector")},
				)
			}
		}
		if query.Limit -= len(page.Items); page.Next == nil || query.Limit <= 0 {
			return lessons, nil
		}
		query.After = page.Next
	}
}

// withJudgements adds users' judgements to a mention. A judgement also writes the mention, so a mention that is still
// as it was read has the same judgements.
func (s *Store) withJudgements(ctx context.Context, orgID string, m *mention.Mention) error {
	if m.FeedbackRelevant == nil || *m.FeedbackRelevant == 0 {
		return nil
	}
	item, err := s.Get(ctx, rows.CoreTable, rows.FeedbackKey(orgID, m.ID))
	m.Judgements = toJudgements(item)
	return err
}

// toJudgements reads a row's judgements, by keyword.
func toJudgements(item table.Item) []mention.Judgement {
	items, _ := item["judgements"].([]any)
	judgements := make([]mention.Judgement, 0, len(items))
	for _, row := range items {
		row, _ := row.(map[string]any)
		judgements = append(
			judgements,
			mention.Judgement{
				KeywordID: rows.Integer(row, "keywordId"),
				Relevant:  rows.Boolean(row, "relevant"),
				Reason:    rows.Text(row, "reason"),
				Source:    mention.JudgementSource(rows.Text(row, "source")),
				At:        rows.ToTime(rows.Text(row, "at")),
			},
		)
	}
	return judgements
}

func fromJudgements(judgements []mention.Judgement) []any {
	items := make([]any, len(judgements))
	for i, j := range judgements {
		row := table.Item{
			"keywordId": j.KeywordID,
			"relevant":  j.Relevant,
			"source":    string(j.Source),
			"at":        rows.FromTime(j.At),
		}
		rows.Set(row, "reason", j.Reason)
		items[i] = map[string]any(row)
	}
	return items
}

// date returns judgements, with the current time for those that have none.
func (s *Store) date(judgements []mention.Judgement) []mention.Judgement {
	dated := slices.Clone(judgements)
	for i := range dated {
		if dated[i].At.IsZero() {
			dated[i].At = s.Instant()
		}
	}
	return dated
}

// judgements returns the writes that store a mention's judgements: their row, the counts, and the listeners' count of
// lessons. Returns none if the judgements are unchanged.
func (s *Store) judgements(orgID string, old *mention.Mention, m mention.Mention) []table.Write {
	var before mention.Mention
	if old != nil {
		before = *old
	}
	if slices.Equal(before.Judgements, m.Judgements) &&
		(len(m.Judgements) == 0 || slices.Equal(before.Vector, m.Vector) && before.ID == m.ID) {
		return nil
	}
	key := rows.FeedbackKey(orgID, m.ID)
	var writes []table.Write
	if len(before.Judgements) > 0 && before.ID != m.ID {
		writes = append(writes, table.Delete{Table: rows.CoreTable, Key: rows.FeedbackKey(orgID, before.ID)})
	}
	switch {
	case len(m.Judgements) > 0:
		writes = append(writes, table.Put{Table: rows.CoreTable, Item: table.Item{
			table.PartitionAttribute: key.Partition,
			table.SortAttribute:      key.Sort,
			"judgements":             fromJudgements(m.Judgements),
			"vector":                 m.Vector,
			"sourceId":               m.SourceID,
		}})
	case before.ID == m.ID:
		writes = append(writes, table.Delete{Table: rows.CoreTable, Key: key})
	}
	counted := map[string]int64{}
	for _, j := range before.Judgements {
		counted[kindOf(j.Relevant)]--
		counted[tallyOf(j.KeywordID, j.Relevant)]--
	}
	for _, j := range m.Judgements {
		counted[kindOf(j.Relevant)]++
		counted[tallyOf(j.KeywordID, j.Relevant)]++
	}
	if add := notZero(counted); len(add) > 0 {
		writes = append(
			writes,
			table.Update{Table: rows.CountersTable, Key: table.Key{Partition: orgID, Sort: rows.SortJudged}, Add: add},
		)
	}
	// Lessons are who judged and how, not why.
	if !slices.EqualFunc(before.Judgements, m.Judgements, teachesTheSame) || !slices.Equal(before.Vector, m.Vector) {
		writes = append(
			writes,
			table.Update{
				Table: rows.CoreTable,
				Key:   table.Key{Partition: rows.Listeners, Sort: orgID},
				Add:   map[string]int64{"lessons": 1},
			},
		)
	}
	return writes
}

func teachesTheSame(a, b mention.Judgement) bool {
	return a.KeywordID == b.KeywordID && a.Relevant == b.Relevant
}

func notZero(counts map[string]int64) map[string]int64 {
	left := map[string]int64{}
	for name, n := range counts {
		if n != 0 {
			left[name] = n
		}
	}
	return left
}
