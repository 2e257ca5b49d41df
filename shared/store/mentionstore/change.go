package mentionstore

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"time"

	"earshot/shared/mention"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/rows"
)

// ChangeMention reads a mention and its judgements by its sourceId, changes it, and stores it together with its counts
// and with what the judgements teach. It announces the mention to the feeds that the change adds to Announced, within a
// day of its collection. The change may be called more than once. ID, SourceID, Source and PostedAt stay.
// Nothing is written if the change returns false. Returns ErrNotFound if there is no such mention, and ErrConflict if
// others keep changing it.
func (s *Store) ChangeMention(
	ctx context.Context, orgID, sourceID string, change func(*mention.Mention) (bool, error),
) (changed mention.Mention, err error) {
	err = s.Settle(ctx, "change a mention", func() error {
		from, item, err := s.mentionRow(ctx, orgID, sourceID)
		if err != nil {
			return err
		}
		old := toMention(item)
		if err := s.withJudgements(ctx, orgID, &old); err != nil {
			return err
		}
		changed = toMention(item) // a copy, because the change may write into its slices and maps
		changed.Judgements = slices.Clone(old.Judgements)
		differs, err := change(&changed)
		if err != nil || !differs {
			return err
		}
		changed.ID, changed.SourceID, changed.Source, changed.PostedAt = old.ID, old.SourceID, old.Source, old.PostedAt
		if !changed.Fresh(s.Clock.Now()) {
			changed.Announced = old.Announced // it is no news any more
		}
		changed.Adopt()
		changed.Judgements = s.date(changed.Judgements)
		return s.replaceMention(ctx, orgID, from, item, &old, changed)
	})
	return changed, err
}

// replaceMention stores a mention in place of the row that was read, which is nil if there was none. The row, its
// counts and its lessons are one transaction, which is canceled if the row has changed.
func (s *Store) replaceMention(
	ctx context.Context, orgID, to string, read table.Item, old *mention.Mention, m mention.Mention,
) error {
	packs, err := s.packs(ctx)
	if err != nil {
		return err
	}
	item := rowOf(orgID, m, packs, detailsIn(read, old, &m))
	condition := table.Absent()
	if read != nil {
		item["rev"] = rows.Integer(read, "rev") + 1
		if condition = table.All(table.Present(), table.Missing("rev")); read["rev"] != nil {
			condition = table.Equal("rev", rows.Integer(read, "rev"))
		}
	}
	posted := []time.Time{m.PostedAt}
	if old != nil {
		posted = append(posted, old.PostedAt)
	}
	if err := s.markDays(ctx, orgID, posted...); err != nil {
		return err
	}
	counted, now := counts{}, s.Clock.Now()
	if old != nil {
		counted.add(talliesOf(*old, now), -1)
	}
	counted.add(talliesOf(m, now), 1)
	writes := append([]table.Write{table.Put{Table: to, Item: item, If: condition}}, counted.writes(orgID)...)
	versions := counted.versions()
	kept := old != nil && old.PostedAt.Equal(m.PostedAt) && sameTexts(old, &m)
	if read != nil && (!kept || !bytes.Equal(digestIn(read), digestIn(item))) {
		renumber(versions, m.PostedAt.UTC().Format(rows.DayForm)) // its words are in no cell
	}
	changed := daysIn(versions)
	if kept {
		for _, day := range changed {
			versions[day[:len(rows.MonthForm)]][rows.KeptAttribute(day)] = 1
		}
	}
	writes = append(writes, versionWrites(orgID, versions)...)
	writes = append(writes, s.judgements(orgID, old, m)...)
	if told := newlyTold(old, m); len(told.Feeds) > 0 {
		writes = append(writes, s.tellOf(orgID, []Told{told})...)
	}
	err = s.Table.Transact(ctx, table.Transaction{Writes: writes})
	if err == nil && !kept {
		s.terms.add(orgID, []*mention.Mention{&m}, changed)
	}
	return err
}

// sameTexts reports whether two mentions have the same title and body.
func sameTexts(a, b *mention.Mention) bool {
	return sameText(a.Title, b.Title) && sameText(a.Body, b.Body)
}

func sameText(a, b *string) bool {
	return a == nil && b == nil || a != nil && b != nil && *a == *b
}

// mentionRow reads a mention's row and returns the table that holds it. It prefers the table of recent mentions to the
// archive. Returns ErrNotFound if there is none.
func (s *Store) mentionRow(ctx context.Context, orgID, sourceID string) (from string, item table.Item, err error) {
	if sourceID == "" || len(sourceID) > mention.MaxSourceID {
		return "", nil, store.ErrNotFound
	}
	for _, from := range []string{rows.MentionsTable, rows.ArchiveTable} {
		item, err := s.Get(ctx, from, table.Key{Partition: orgID, Sort: sourceID})
		if err != nil {
			return "", nil, err
		}
		if item != nil {
			return from, item, nil
		}
	}
	return "", nil, store.ErrNotFound
}

// PutMention stores a mention as it is, in place of one with its SourceID. Judgements of the earlier mention stay where
// they agree with FeedbackRelevant. Returns ErrIDTaken, as far as a lagging index can tell, and table.ErrTooLarge.
// Returns ErrConflict if others keep changing it.
func (s *Store) PutMention(ctx context.Context, orgID string, m mention.Mention) error {
	taken, err := s.byID(ctx, rows.MentionsTable, orgID, m.ID)
	if err != nil {
		return err
	}
	if taken != "" && taken != m.SourceID {
		return ErrIDTaken
	}
	if err := s.Reserve(ctx, orgID, rows.SequenceOfMentions, m.ID); err != nil {
		return err
	}
	return s.Settle(ctx, "store a mention", func() error {
		m := m
		to, read, err := s.mentionRow(ctx, orgID, m.SourceID)
		var old *mention.Mention
		switch {
		case errors.Is(err, store.ErrNotFound):
			to = rows.MentionsTable
		case err != nil:
			return err
		default:
			was := toMention(read)
			old = &was
			if err := s.withJudgements(ctx, orgID, old); err != nil {
				return err
			}
			if len(m.Judgements) == 0 {
				m.Judgements = old.Judgements
			}
		}
		m.Adopt()
		m.Judgements = s.date(m.Judgements)
		return s.replaceMention(ctx, orgID, to, read, old, m)
	})
}
