package mentionstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"earshot/shared/mention"
	"earshot/shared/parallel"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/rows"
	"earshot/shared/workspace"
)

// Taken counts the outcomes of ingested mentions. Each mention counts as Stored, Duplicate, OverQuota or TooLarge.
type Taken struct {
	Stored    int
	Duplicate int // known before
	Refreshed int // of the duplicates: those that brought something new
	OverQuota int // not stored: the workspace's quota of the month is used up
	TooLarge  int // not stored: no row can hold them
}

// Add adds another outcome.
func (t *Taken) Add(other Taken) {
	t.Stored += other.Stored
	t.Duplicate += other.Duplicate
	t.Refreshed += other.Refreshed
	t.OverQuota += other.OverQuota
	t.TooLarge += other.TooLarge
}

// archiveAfter is the age at which mentions move to the archive, counted from their posting.
const archiveAfter = 180 * 24 * time.Hour

// refreshAfter is how much newer an observation of the same counters must be to be worth a write.
const refreshAfter = time.Hour

// Ingest stores the mentions found for a workspace, once per SourceID, however often they are sent. A mention, its
// counts and its share of the month's quota are one transaction. New mentions get their ids here. A known mention takes
// over what is new: newer engagement counters, missing facts of its author and further keywords. It also takes over
// their verdict, if that judges it more relevant and no user has judged it. A later edit by the author replaces the
// texts and what was made of them. limit bounds what the workspace stores in a month of UTC. With an error, Ingest
// returns how far it came; mentions that were not stored may be sent again.
func (s *Store) Ingest(ctx context.Context, orgID string, limit int, found []mention.Mention) (taken Taken, err error) {
	return s.IngestBilled(ctx, orgID, Bill{Limit: limit}, found)
}

// IngestBilled is Ingest with another way to pay. Returns ErrBackfillGone if the bill's backfill ended meanwhile.
func (s *Store) IngestBilled(
	ctx context.Context, orgID string, bill Bill, found []mention.Mention,
) (taken Taken, err error) {
	return s.IngestLooked(ctx, orgID, bill, found, Lookup{})
}

// A Lookup is what there was of a workspace at a moment. The zero Lookup has looked for nothing.
type Lookup struct {
	Workspace workspace.Workspace
	known     map[string]table.Item // rows of mentions by SourceID, nil of those that it did not have
}

// Look looks for the first mentions that IngestLooked would look for, and reads the workspace with them, and of what
// IngestLooked would read besides what s does not know yet. It is one request for up to 48 mentions, and two for more.
// Returns store.ErrNotFound if there is no such workspace.
func (s *Store) Look(ctx context.Context, orgID string, found []mention.Mention) (Lookup, error) {
	once := oncePerSource(found)
	once = once[:min(len(once), lookedAtOnce)]
	looked, now := Lookup{}, s.Clock.Now()
	beside := append(s.packing.unread(), side{rows.CoreTable, rows.OwnerKey(orgID), func(item table.Item) {
		looked.Workspace = rows.ToWorkspace(item)
	}})
	if _, fresh := s.announcement(orgID); !fresh && len(s.overDays(postedAt(once)...)) > 0 {
		beside = append(beside, side{rows.CountersTable, rows.FilesKey(orgID), func(item table.Item) {
			s.noteAnnouncement(orgID, announcement{now, rows.Text(item, "since") != ""})
		}})
	}
	var err error
	looked.known, err = s.known(ctx, orgID, once, beside...)
	if err == nil && looked.Workspace.ID == "" {
		err = store.ErrNotFound
	}
	return looked, err
}

// A side is a row that is read beside mentions, and who is told of it: nil is no row.
type side struct {
	from string
	key  table.Key
	read func(table.Item)
}

// lookedAtOnce is how many mentions one read looks for, in two tables.
const lookedAtOnce = table.MaxBatchGet / 2

// IngestLooked is IngestBilled for a caller that has looked a moment ago. It looks for the other mentions.
func (s *Store) IngestLooked(
	ctx context.Context, orgID string, bill Bill, found []mention.Mention, looked Lookup,
) (taken Taken, err error) {
	once := oncePerSource(found)
	taken.Duplicate = len(found) - len(once)
	for chunk := range slices.Chunk(once, lookedAtOnce) {
		known, err := s.knownIn(ctx, orgID, chunk, looked)
		if err != nil {
			return taken, err
		}
		var fresh []mention.Mention
		for _, m := range chunk {
			if known[m.SourceID] == nil {
				fresh = append(fresh, m)
			}
		}
		settled, err := s.store(ctx, orgID, bill, fresh)
		taken.Add(settled.Taken)
		if err != nil {
			return taken, err
		}
		for _, m := range chunk {
			was := known[m.SourceID]
			if was == nil && !settled.duplicates[m.SourceID] {
				continue
			}
			taken.Duplicate++
			if was != nil && !tells(toMention(was), m) {
				continue
			}
			refreshed, err := s.refresh(ctx, orgID, bill, m)
			if err != nil {
				return taken, err
			}
			if refreshed {
				taken.Refreshed++
			}
		}
	}
	return taken, nil
}

// oncePerSource keeps the last of several findings of one post, completed from the earlier ones.
func oncePerSource(found []mention.Mention) []mention.Mention {
	place := make(map[string]int, len(found))
	once := make([]mention.Mention, 0, len(found))
	for _, m := range found {
		at, known := place[m.SourceID]
		if !known {
			place[m.SourceID] = len(once)
			once = append(once, m)
			continue
		}
		earlier := once[at]
		if len(m.Engagement) == 0 {
			m.Engagement, m.EngagementObservedAt = earlier.Engagement, earlier.EngagementObservedAt
		}
		if earlier.EditedAt.After(m.EditedAt) {
			earlier.Engagement, earlier.EngagementObservedAt = m.Engagement, m.EngagementObservedAt
			m, earlier = earlier, m
		}
		complete(&m, earlier)
		m.Keywords = slices.Clone(m.Keywords)
		addKeywords(&m, earlier)
		once[at] = m
	}
	return once
}

// known looks for mentions that are stored already, by SourceID: nil of those that are not. It searches the archive too,
// whatever their dates, because a platform may change a post's date. It reads the sides with them.
func (s *Store) known(
	ctx context.Context, orgID string, chunk []mention.Mention, beside ...side,
) (map[string]table.Item, error) {
	var gets []table.Get
	for _, row := range beside {
		gets = append(gets, table.Get{Table: row.from, Key: row.key, Consistent: true})
	}
	known := map[string]table.Item{}
	for _, m := range chunk {
		known[m.SourceID] = nil
		key := table.Key{Partition: orgID, Sort: m.SourceID}
		gets = append(
			gets, table.Get{Table: rows.ArchiveTable, Key: key}, table.Get{Table: rows.MentionsTable, Key: key},
		)
	}
	items, err := table.GetAll(ctx, s.Table, gets)
	if err != nil {
		return nil, fmt.Errorf("look for mentions that are known: %w", err)
	}
	for i, item := range items {
		switch {
		case i < len(beside):
			beside[i].read(item)
		case item != nil:
			known[gets[i].Key.Sort] = item
		}
	}
	return known, nil
}

// knownIn is known of a lookup that was for all of the mentions, or else looks anew.
func (s *Store) knownIn(
	ctx context.Context, orgID string, chunk []mention.Mention, looked Lookup,
) (map[string]table.Item, error) {
	for _, m := range chunk {
		if _, there := looked.known[m.SourceID]; !there {
			return s.known(ctx, orgID, chunk)
		}
	}
	return looked.known, nil
}

// Known reports which mentions the workspace has, by their SourceIDs.
func (s *Store) Known(ctx context.Context, orgID string, found []mention.Mention) (map[string]bool, error) {
	all := map[string]bool{}
	for chunk := range slices.Chunk(oncePerSource(found), lookedAtOnce) {
		known, err := s.known(ctx, orgID, chunk)
		if err != nil {
			return nil, err
		}
		for sourceID, item := range known {
			if item != nil {
				all[sourceID] = true
			}
		}
	}
	return all, nil
}

// Having returns the mentions that the workspace has of those found, by their SourceIDs.
func (s *Store) Having(ctx context.Context, orgID string, found []mention.Mention) (map[string]mention.Mention, error) {
	return s.HavingLooked(ctx, orgID, found, Lookup{})
}

// HavingLooked is Having for a caller that has looked a moment ago.
func (s *Store) HavingLooked(
	ctx context.Context, orgID string, found []mention.Mention, looked Lookup,
) (map[string]mention.Mention, error) {
	all := map[string]mention.Mention{}
	for chunk := range slices.Chunk(oncePerSource(found), lookedAtOnce) {
		known, err := s.knownIn(ctx, orgID, chunk, looked)
		if err != nil {
			return nil, err
		}
		for sourceID, item := range known {
			if item != nil {
				all[sourceID] = toMention(item)
			}
		}
	}
	return all, nil
}

// settled is the result of store. Its duplicates are mentions that another caller stored first.
type settled struct {
	Taken
	duplicates map[string]bool
}

// store writes mentions that were unknown when they were looked up.
func (s *Store) store(ctx context.Context, orgID string, bill Bill, fresh []mention.Mention) (settled, error) {
	done := settled{duplicates: map[string]bool{}}
	if len(fresh) == 0 {
		return done, nil
	}
	var first int64
	var packs bool
	err := parallel.Together(
		func() (err error) { packs, err = s.packs(ctx); return err },
		func() error { return s.markDays(ctx, orgID, postedAt(fresh)...) },
		func() (err error) { first, err = s.Draw(ctx, orgID, rows.SequenceOfMentions, len(fresh)); return err },
	)
	if err != nil {
		return done, err
	}
	now := s.Instant()
	for i := range fresh {
		fresh[i].ID, fresh[i].StoredAt = first+int64(i), now
		bill.announce(&fresh[i])
	}
	free, charged := bill.split(fresh)
	for _, part := range []struct {
		ways  []payment
		fresh []mention.Mention
	}{{s.payments(orgID, bill, true), free}, {s.payments(orgID, bill, false), charged}} {
		if err := s.storePaid(ctx, orgID, part.ways, part.fresh, packs, &done); err != nil {
			return done, err
		}
	}
	return done, nil
}

// postedAt returns when mentions were posted.
func postedAt(found []mention.Mention) []time.Time {
	posted := make([]time.Time, len(found))
	for i := range found {
		posted[i] = found[i].PostedAt
	}
	return posted
}

// storePaid writes mentions with their ids, and pays for them the first way that has room. packs is the form of rows.
func (s *Store) storePaid(
	ctx context.Context, orgID string, ways []payment, fresh []mention.Mention, packs bool, done *settled,
) error {
	way := ways[0]
	for len(fresh) > 0 {
		n, writes, versions := fill(orgID, fresh, packs, s.Clock.Now(), way)
		ofMonth := versions[way.month()]
		delete(versions, way.month())
		writes = append(writes, versionWrites(orgID, versions)...)
		paid := len(writes)
		writes = append(writes, way.pay(n, ofMonth)...)
		writes = append(writes, s.tellOf(orgID, toldOf(fresh[:n]))...)
		err := s.Table.Transact(ctx, table.Transaction{Writes: writes})
		var canceled *table.Canceled
		switch {
		case err == nil:
			done.Stored += n
			fresh = fresh[n:]
		case !errors.As(err, &canceled):
			return fmt.Errorf("store mentions: %w", err)
		default:
			left := slices.Clone(fresh[:0])
			for i, m := range fresh[:n] {
				switch canceled.Reasons[i].Code {
				case table.ReasonCondition:
					done.duplicates[m.SourceID] = true
				case table.ReasonTooLarge:
					done.TooLarge++
				default:
					left = append(left, m)
				}
			}
			spent, room, gone := way.refused(canceled, paid)
			if gone {
				return ErrBackfillGone
			}
			if len(left) == n && !spent {
				return fmt.Errorf("store mentions: %w", err) // conflicts that did not end
			}
			left = append(left, fresh[n:]...)
			if over := len(left) - room; spent && over > 0 {
				if len(ways) == 1 {
					done.OverQuota += over
				} else if err := s.storePaid(ctx, orgID, ways[1:], left[room:], packs, done); err != nil {
					return err
				}
				left = left[:room]
			}
			fresh = left
		}
	}
	return nil
}

// fill returns how many mentions fit into one transaction with the writes that pay and those of the months of their
// versions, their writes, rows first, and their versions.
func fill(
	orgID string, fresh []mention.Mention, packs bool, now time.Time, way payment,
) (n int, writes []table.Write, versions map[string]map[string]int64) {
	const mostBytes = 3 << 20
	most := table.MaxTransaction - way.writes()
	if len(toldOf(fresh)) > 0 {
		most-- // for the announcement
	}
	var listed []table.Write
	total, size, months := counts{}, 0, map[string]bool{}
	for _, m := range fresh {
		item, tallies := fromMention(orgID, m, packs), talliesOf(m, now)
		size += table.Size(item)
		months[m.PostedAt.UTC().Format(rows.MonthForm)] = true
		delete(months, way.month())
		counted := len(total) + total.missing(tallies) + len(months)
		if len(listed) > 0 && (len(listed)+1+counted > most || size > mostBytes) {
			break
		}
		total.add(tallies, 1)
		listed = append(listed, table.Put{Table: rows.MentionsTable, Item: item, If: table.Absent()})
	}
	return len(listed), append(listed, total.writes(orgID)...), total.versions()
}

// tells reports whether a post has news for its stored mention.
func tells(m, seen mention.Mention) bool {
	return renew(&m, seen)
}

// renew takes over the news in a post, and reports whether that changed the mention.
func renew(m *mention.Mention, seen mention.Mention) bool {
	edited, observed := edit(m, seen), observe(m, seen)
	further, completed := addKeywords(m, seen), complete(m, seen)
	return edited || observed || further || completed
}

// complete takes over missing facts of the author: another way to the same post may know more.
func complete(m *mention.Mention, seen mention.Mention) bool {
	before := *m
	m.Author, m.AuthorURL = cmp.Or(m.Author, seen.Author), cmp.Or(m.AuthorURL, seen.AuthorURL)
	m.AuthorAvatar, m.AuthorFollowers = cmp.Or(m.AuthorAvatar, seen.AuthorAvatar), cmp.Or(
		m.AuthorFollowers, seen.AuthorFollowers,
	)
	m.AuthorName = cmp.Or(m.AuthorName, seen.AuthorName)
	return m.Author != before.Author || m.AuthorURL != before.AuthorURL || m.AuthorAvatar != before.AuthorAvatar ||
		m.AuthorFollowers != before.AuthorFollowers || m.AuthorName != before.AuthorName
}

// refresh updates a stored mention with what its post says now.
func (s *Store) refresh(
	ctx context.Context, orgID string, bill Bill, seen mention.Mention,
) (refreshed bool, err error) {
	_, err = s.ChangeMention(ctx, orgID, seen.SourceID, func(m *mention.Mention) (bool, error) {
		matched, edited := len(m.Keywords), m.EditedAt
		refreshed = renew(m, seen)
		if len(m.Keywords) > matched || !m.EditedAt.Equal(edited) {
			bill.announce(m)
		}
		if m.EditedAt.Equal(seen.EditedAt) {
			m.StoryID = cmp.Or(m.StoryID, seen.StoryID) // of a row of old; no news by itself
		}
		return refreshed, nil
	})
	if errors.Is(err, store.ErrNotFound) {
		return false, nil // deleted meanwhile
	}
	if errors.Is(err, table.ErrTooLarge) {
		return false, nil // no row can hold the news: what is stored stays
	}
	return refreshed, err
}

// observe takes over newer engagement counters. A counter that is missing from the newer ones keeps its value.
func observe(m *mention.Mention, seen mention.Mention) bool {
	if len(seen.Engagement) == 0 || !seen.EngagementObservedAt.After(m.EngagementObservedAt) {
		return false
	}
	counters := maps.Clone(m.Engagement)
	if counters == nil {
		counters = map[string]int64{}
	}
	maps.Copy(counters, seen.Engagement)
	if maps.Equal(counters, m.Engagement) && seen.EngagementObservedAt.Sub(m.EngagementObservedAt) < refreshAfter {
		return false
	}
	m.Engagement, m.EngagementObservedAt = counters, seen.EngagementObservedAt
	return true
}

// addKeywords adds the keywords that the mention did not match before. It adds none that an earlier text matched.
func addKeywords(m *mention.Mention, seen mention.Mention) bool {
	further := false
	if seen.EditedAt.Before(m.EditedAt) && !sameTexts(m, &seen) {
		return false
	}
	for _, keyword := range seen.Keywords {
		known := slices.ContainsFunc(m.Keywords, func(k mention.Keyword) bool { return k.ID == keyword.ID })
		if !known && len(m.Keywords) < mention.MaxKeywords {
			m.Keywords, further = append(m.Keywords, keyword), true
		}
	}
	judged := m.FeedbackRelevant != nil && *m.FeedbackRelevant != 0
	better := seen.RelevanceScore != nil && (m.RelevanceScore == nil || *seen.RelevanceScore < *m.RelevanceScore)
	if further && better && !judged {
		m.Relevant, m.RelevanceScore, m.RelevanceComment, m.Tags = seen.Relevant, seen.RelevanceScore, seen.RelevanceComment,
			seen.Tags
	}
	return further
}
