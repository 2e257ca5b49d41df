package mentionstore

import (
	"context"
	"time"

	"earshot/shared/mention"
	"earshot/shared/parallel"
	"earshot/shared/port/table"
	"earshot/shared/store/rows"
)

// MaxPut is how many mentions PutMentions stores best: what it reads of them fits in one request.
const MaxPut = table.MaxBatchGet / 2

// PutMentions stores mentions as PutMention does, one after the other, but those that are new share transactions. It
// returns the error of each, in the order of the mentions; nil: the mention is stored.
func (s *Store) PutMentions(ctx context.Context, orgID string, mentions []mention.Mention) []error {
	failures := make([]error, len(mentions))
	stored := s.putNew(ctx, orgID, mentions)
	for i, m := range mentions {
		if !stored[i] {
			failures[i] = s.PutMention(ctx, orgID, m)
		}
	}
	if s.terms.due(orgID, s.Clock.Now()) {
		_ = s.storeTerms(ctx, orgID) // the mentions are stored, and lists find them without terms
	}
	return failures
}

// putNew stores mentions that are new, without judgements, and the only ones with their ids. It reports which are
// stored. It leaves a transaction's mentions to PutMention, which finds out why, if any of them stands in its way.
func (s *Store) putNew(ctx context.Context, orgID string, mentions []mention.Mention) (stored []bool) {
	stored = make([]bool, len(mentions))
	candidates, err := s.newOnes(ctx, orgID, mentions)
	if err != nil || len(candidates) == 0 {
		return stored
	}
	var posted []time.Time
	highest := int64(0)
	for _, i := range candidates {
		posted, highest = append(posted, mentions[i].PostedAt), max(highest, mentions[i].ID)
	}
	packs, err := s.packs(ctx)
	if err != nil {
		return stored
	}
	if s.Reserve(ctx, orgID, rows.SequenceOfMentions, highest) != nil || s.markDays(ctx, orgID, posted...) != nil {
		return stored
	}
	for len(candidates) > 0 {
		n, writes, days := s.fillNew(orgID, mentions, candidates, packs)
		if s.Table.Transact(ctx, table.Transaction{Writes: writes}) == nil {
			var added []*mention.Mention
			for _, i := range candidates[:n] {
				stored[i] = true
				added = append(added, &mentions[i])
			}
			s.terms.add(orgID, added, days)
		}
		candidates = candidates[n:]
	}
	return stored
}

// newOnes returns the indices of the mentions that putNew can store.
func (s *Store) newOnes(ctx context.Context, orgID string, mentions []mention.Mention) (candidates []int, err error) {
	sources, ids := map[string]int{}, map[int64]int{}
	for _, m := range mentions {
		sources[m.SourceID]++
		ids[m.ID]++
	}
	for i, m := range mentions {
		judged := m.FeedbackRelevant != nil && *m.FeedbackRelevant != 0 || len(m.Judgements) > 0
		named := m.SourceID != "" && len(m.SourceID) <= mention.MaxSourceID
		if named && !judged && sources[m.SourceID] == 1 && ids[m.ID] == 1 {
			candidates = append(candidates, i)
		}
	}
	asked := make([]mention.Mention, len(candidates))
	taken := make([]string, len(candidates))
	reads := make([]func() error, len(candidates))
	for at, i := range candidates {
		asked[at] = mentions[i]
		reads[at] = func() (err error) {
			taken[at], err = s.byID(ctx, rows.MentionsTable, orgID, mentions[i].ID)
			return err
		}
	}
	if err := parallel.Together(reads...); err != nil {
		return nil, err
	}
	known, err := s.Known(ctx, orgID, asked)
	if err != nil {
		return nil, err
	}
	fresh := candidates[:0]
	for at, i := range candidates {
		if taken[at] == "" && !known[mentions[i].SourceID] {
			fresh = append(fresh, i)
		}
	}
	return fresh, nil
}

// fillNew returns how many of the candidates fit into one transaction, its writes, and the days of the mentions.
func (s *Store) fillNew(
	orgID string, mentions []mention.Mention, candidates []int, packs bool,
) (n int, writes []table.Write, days []string) {
	const mostBytes = 3 << 20
	total, size, months, now := counts{}, 0, map[string]bool{}, s.Clock.Now()
	for _, i := range candidates {
		m := mentions[i]
		m.Adopt()
		months[m.PostedAt.UTC().Format(rows.MonthForm)] = true
		tallies := talliesOf(m, now)
		if n > 0 && n+1+len(total)+total.missing(tallies)+len(months) > table.MaxTransaction {
			break
		}
		item := fromMention(orgID, m, packs)
		if size += table.Size(item); n > 0 && size > mostBytes {
			break
		}
		total.add(tallies, 1)
		writes = append(writes, table.Put{Table: rows.MentionsTable, Item: item, If: table.Absent()})
		n++
	}
	writes = append(writes, total.writes(orgID)...)
	versions := total.versions()
	return n, append(writes, versionWrites(orgID, versions)...), daysIn(versions)
}
