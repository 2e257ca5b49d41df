package mentionstore

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"earshot/shared/mention"
	"earshot/shared/parallel"
	"earshot/shared/port/table"
	"earshot/shared/store/rows"
)

// digestAfter is how long after its end a day is worth a digest: most late mentions have come by then.
const digestAfter = 24 * time.Hour

// DayVersions numbers the changes of the cells of the days from start on and before end. It reads a row a month. No day
// is settled until the store's release is.
func (s *Store) DayVersions(ctx context.Context, orgID string, start, end time.Time) (mention.DayVersions, error) {
	found := mention.DayVersions{
		Of:      map[time.Time]int64{},
		Kept:    map[time.Time]int64{},
		Settled: s.Clock.Now().Add(-digestAfter).UTC().Truncate(24 * time.Hour),
	}
	if !start.Before(end) {
		return found, nil
	}
	settled, err := s.settled(ctx)
	if err != nil {
		return found, err
	}
	if !settled {
		found.Settled = time.Time{}
	}
	query := table.Query{
		Table:      rows.CountersTable,
		Partition:  orgID,
		From:       rows.SortQuota + start.UTC().Format(rows.MonthForm),
		To:         rows.SortQuota + end.Add(-1).UTC().Format(rows.MonthForm),
		Consistent: true,
	}
	err = s.Each(ctx, query, func(item table.Item) {
		month, err := time.Parse(rows.MonthForm, strings.TrimPrefix(table.KeyOf(item).Sort, rows.SortQuota))
		if err != nil {
			return // not a key of a month
		}
		for name, value := range item {
			day, err := strconv.Atoi(strings.TrimLeft(name, "vk"))
			if err != nil {
				continue
			}
			at := month.AddDate(0, 0, day-1)
			switch name {
			case rows.VersionAttribute(at.Format(rows.DayForm)):
				found.Of[at], _ = value.(int64)
			case rows.KeptAttribute(at.Format(rows.DayForm)):
				found.Kept[at], _ = value.(int64)
			}
		}
	})
	if err != nil {
		return found, fmt.Errorf("read versions of days: %w", err)
	}
	return found, nil
}

// Digests lists the stored digests of a workspace, or of one keyword, whose first days are from start on and before
// end, the oldest first. It reads them eventually consistent, because an old one is of an old version.
func (s *Store) Digests(
	ctx context.Context, orgID string, keywordID int64, start, end time.Time,
) (found []mention.Digest, err error) {
	if !start.Before(end) {
		return nil, nil
	}
	prefix := digestPrefix(keywordID)
	query := table.Query{
		Table:     rows.CountersTable,
		Partition: orgID,
		From:      prefix + start.UTC().Format(rows.DayForm),
		To:        prefix + end.Add(-1).UTC().Format(rows.DayForm),
	}
	err = s.Each(ctx, query, func(item table.Item) {
		day, err := time.Parse(rows.DayForm, table.KeyOf(item).Sort[len(prefix):])
		if err != nil {
			return // not a key that PutDigests writes
		}
		if rows.Text(item, rows.AttrRelease) != s.releaseID() {
			return
		}
		found = append(found, mention.Digest{Day: day, Content: rows.Bytes(item, "content")})
	})
	if err != nil {
		return nil, fmt.Errorf("read digests: %w", err)
	}
	return found, nil
}

func digestPrefix(keywordID int64) string { return rows.SortDigest + rows.IDKey(keywordID) + "#" }

// PutDigests stores digests of a workspace, or of one keyword, in place of those with the same first days. Several
// callers at once do no harm: a content says of which versions its days are.
func (s *Store) PutDigests(ctx context.Context, orgID string, keywordID int64, digests []mention.Digest) error {
	expiry := s.Clock.Now().Add(summariesKept).Unix()
	errs := make([]error, len(digests))
	parallel.Few(summaryReads, len(digests), func(i int) {
		_, errs[i] = s.Table.Update(ctx, table.Update{
			Table: rows.CountersTable,
			Key: table.Key{
				Partition: orgID,
				Sort:      digestPrefix(keywordID) + digests[i].Day.UTC().Format(rows.DayForm),
			},
			Set: map[string]any{
				"content":             digests[i].Content,
				rows.AttrRelease:      s.releaseID(),
				table.ExpiryAttribute: expiry,
			},
		})
	})
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("store digests: %w", err)
	}
	return nil
}
