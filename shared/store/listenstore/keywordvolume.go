package listenstore

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"earshot/shared/port/table"
	"earshot/shared/store/rows"
)

// KeywordVolume is how many mentions of a keyword were posted in the last 7 and 30 days of UTC, including today.
type KeywordVolume struct{ Last7, Last30 int64 }

// KeywordVolumes reads the volumes of a workspace's keywords, by id, without keywords that have no mention. It reads
// one range with two rows a keyword, or three on the first of March.
func (s *Store) KeywordVolumes(ctx context.Context, orgID string) (map[int64]KeywordVolume, error) {
	today := s.Today()
	query := table.Query{
		Table:      rows.CountersTable,
		Partition:  orgID,
		From:       rows.SortDays + today.AddDate(0, 0, 1-rows.VolumeMonth).Format(rows.MonthForm),
		To:         rows.SortDays + today.Format(rows.MonthForm) + "~",
		Consistent: true,
	}
	volumes := map[int64]KeywordVolume{}
	if err := s.addVolumes(ctx, query, today, volumes); err != nil {
		return nil, err
	}
	return volumes, nil
}

// KeywordVolumesBetween is KeywordVolumes for the keywords whose ids are from first to last. It reads two ranges with a
// row a keyword each, or three on the first of March.
func (s *Store) KeywordVolumesBetween(
	ctx context.Context, orgID string, first, last int64,
) (map[int64]KeywordVolume, error) {
	today, volumes := s.Today(), map[int64]KeywordVolume{}
	for _, month := range volumeMonths(today) {
		err := s.addVolumes(ctx, table.Query{
			Table:      rows.CountersTable,
			Partition:  orgID,
			From:       rows.DaysKey(month, first),
			To:         rows.DaysKey(month, last),
			Consistent: true,
		}, today, volumes)
		if err != nil {
			return nil, err
		}
	}
	return volumes, nil
}

// addVolumes adds the counts of a range of months' rows.
func (s *Store) addVolumes(
	ctx context.Context, query table.Query, today time.Time, volumes map[int64]KeywordVolume,
) error {
	err := s.Each(ctx, query, func(item table.Item) {
		month, text, _ := strings.Cut(strings.TrimPrefix(table.KeyOf(item).Sort, rows.SortDays), "#")
		if id, err := strconv.ParseInt(text, 10, 64); err == nil {
			volume := volumes[id]
			volume.add(item, month, today)
			volumes[id] = volume
		}
	})
	if err != nil {
		return fmt.Errorf("read the volumes of keywords: %w", err)
	}
	return nil
}

// volumeMonths returns the months that have days of a volume: two, or three on the first of March.
func volumeMonths(today time.Time) (months []string) {
	for back := range rows.VolumeMonth {
		if month := today.AddDate(0, 0, -back).Format(rows.MonthForm); !slices.Contains(months, month) {
			months = append(months, month)
		}
	}
	return months
}

// KeywordVolume reads the volume of one keyword, in one round trip.
func (s *Store) KeywordVolume(ctx context.Context, orgID string, id int64) (volume KeywordVolume, err error) {
	today := s.Today()
	months := volumeMonths(today)
	gets := make([]table.Get, len(months))
	for i, month := range months {
		gets[i] = table.Get{
			Table:      rows.CountersTable,
			Key:        table.Key{Partition: orgID, Sort: rows.DaysKey(month, id)},
			Consistent: true,
		}
	}
	items, err := table.GetAll(ctx, s.Table, gets)
	if err != nil {
		return volume, fmt.Errorf("read the volume of a keyword: %w", err)
	}
	for i, item := range items {
		volume.add(item, months[i], today)
	}
	return volume, nil
}

// add adds the counts of a month's row.
func (v *KeywordVolume) add(row table.Item, month string, today time.Time) {
	for back := range rows.VolumeMonth {
		day := today.AddDate(0, 0, -back)
		if day.Format(rows.MonthForm) != month {
			continue
		}
		n := rows.Integer(row, rows.DayAttribute(day))
		v.Last30 += n
		if back < rows.VolumeWeek {
			v.Last7 += n
		}
	}
}
