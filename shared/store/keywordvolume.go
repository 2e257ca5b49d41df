package store

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"earshot/shared/mention"
	"earshot/shared/port/table"
)

// Rows of the counters table: pk org_…, sk "days#<month>#<keyword>", whose "d01" to "d31" count the mentions of a keyword that were
// posted on those days of UTC. All keywords' volumes are one range; a change of a mention's tone, score or tags leaves it alone.
const sortDays = "days#"

const monthForm = "2006-01"

// daysKept is how long such a row is kept after the end of its month. The volumes look back a month at most.
const daysKept = 100 * 24 * time.Hour

// A KeywordVolume is how many mentions of a keyword were posted in the last 7 and 30 days of UTC, today included.
type KeywordVolume struct{ Last7, Last30 int64 }

const (
	volumeWeek  = 7  // days
	volumeMonth = 30 // days
)

// KeywordVolumes reads the volumes of all of a workspace's keywords, by their ids; those without a mention are not there. It is one
// range of two rows a keyword, three on the first of March.
func (s *Store) KeywordVolumes(ctx context.Context, orgID string) (map[int64]KeywordVolume, error) {
	today := s.today()
	query := table.Query{Table: CountersTable, Partition: orgID, From: sortDays + today.AddDate(0, 0, 1-volumeMonth).Format(monthForm),
		To: sortDays + today.Format(monthForm) + "~", Consistent: true}
	volumes := map[int64]KeywordVolume{}
	err := s.each(ctx, query, func(item table.Item) {
		month, text, _ := strings.Cut(strings.TrimPrefix(table.KeyOf(item).Sort, sortDays), "#")
		if id, err := strconv.ParseInt(text, 10, 64); err == nil {
			volume := volumes[id]
			volume.add(item, month, today)
			volumes[id] = volume
		}
	})
	if err != nil {
		return nil, fmt.Errorf("read the volumes of keywords: %w", err)
	}
	return volumes, nil
}

// KeywordVolume reads the volume of one keyword, in one round trip.
func (s *Store) KeywordVolume(ctx context.Context, orgID string, id int64) (volume KeywordVolume, err error) {
	today := s.today()
	var months []string // three on the first of March
	for back := range volumeMonth {
		if month := today.AddDate(0, 0, -back).Format(monthForm); !slices.Contains(months, month) {
			months = append(months, month)
		}
	}
	gets := make([]table.Get, len(months))
	for i, month := range months {
		gets[i] = table.Get{Table: CountersTable, Key: table.Key{Partition: orgID, Sort: daysKey(month, id)}, Consistent: true}
	}
	items, err := table.GetAll(ctx, s.table, gets)
	if err != nil {
		return volume, fmt.Errorf("read the volume of a keyword: %w", err)
	}
	for i, item := range items {
		volume.add(item, months[i], today)
	}
	return volume, nil
}

func (s *Store) today() time.Time { return s.clock.Now().UTC().Truncate(24 * time.Hour) }

// add adds what a month's row counts.
func (v *KeywordVolume) add(row table.Item, month string, today time.Time) {
	for back := range volumeMonth {
		day := today.AddDate(0, 0, -back)
		if day.Format(monthForm) != month {
			continue
		}
		n := integer(row, dayAttribute(day))
		v.Last30 += n
		if back < volumeWeek {
			v.Last7 += n
		}
	}
}

func daysKey(month string, keywordID int64) string { return sortDays + month + "#" + idKey(keywordID) }

func dayAttribute(day time.Time) string { return day.Format("d02") }

// daysOf is where a mention is counted for the volumes of its keywords. A month whose rows are gone counts nothing any more.
func daysOf(m mention.Mention, now time.Time) []tally {
	posted := m.PostedAt.UTC()
	expiry := time.Date(posted.Year(), posted.Month()+1, 1, 0, 0, 0, 0, time.UTC).Add(daysKept)
	if !expiry.After(now) {
		return nil
	}
	month, set, in := posted.Format(monthForm), map[string]any{table.ExpiryAttribute: expiry.Unix()}, []string{dayAttribute(posted)}
	tallies := make([]tally, len(m.Keywords))
	for i, keyword := range m.Keywords {
		tallies[i] = tally{daysKey(month, keyword.ID), set, in}
	}
	return tallies
}
