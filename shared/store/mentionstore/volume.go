package mentionstore

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"earshot/shared/filter"
	"earshot/shared/mention"
	"earshot/shared/parallel"
	"earshot/shared/port/table"
	"earshot/shared/store/rows"
)

// maxCellName keeps a cell's key below the bound of sort keys, however long a source's name is: a longer name is
// hashed.
const maxCellName = 512

// Attributes of a cell. Another hash would need another name: sums of different hashes cannot be subtracted.
const (
	attrSum    = "sum"
	attrSummed = "summed"
)

// Volumes lists a workspace's cells from the day of start up to, but not including, the day of end, day by day. It
// counts all mentions, or those of one keyword. It reads more than volumeDays days in parts at the same time.
func (s *Store) Volumes(ctx context.Context, orgID string, keywordID int64, start, end time.Time) ([]mention.Volume, error) {
	prefix := rows.SortVolume
	if keywordID != 0 {
		prefix = rows.SortVolumeOf + rows.IDKey(keywordID) + "#"
	}
	parts := volumeParts(start, end)
	found, errs := make([][]mention.Volume, len(parts)), make([]error, len(parts))
	parallel.Few(len(parts), len(parts), func(i int) {
		query := table.Query{
			Table:      rows.CountersTable,
			Partition:  orgID,
			From:       prefix + parts[i].from,
			To:         prefix + parts[i].to,
			Consistent: true,
		}
		errs[i] = s.Each(ctx, query, func(item table.Item) {
			if volume := toVolume(item); volume.Mentions != 0 {
				found[i] = append(found[i], volume)
			}
		})
	})
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("read volumes: %w", err)
	}
	return slices.Concat(append([][]mention.Volume{{}}, found...)...), nil
}

// How cells are read: in parts of at least so many days, and at most so many of them.
const (
	volumeDays      = 62
	mostVolumeParts = 4
)

// A dayRange is a part of a window: its first day, and the day after its last.
type dayRange struct{ from, to string }

// volumeParts divides a window. It returns nothing if the window is empty.
func volumeParts(start, end time.Time) (parts []dayRange) {
	if !start.Before(end) {
		return nil
	}
	first := start.UTC().Truncate(24 * time.Hour)
	days := int(end.UTC().Sub(first) / (24 * time.Hour))
	count := min(max(days/volumeDays, 1), mostVolumeParts)
	at := start.UTC()
	for n := 1; n < count; n++ {
		next := first.AddDate(0, 0, n*days/count)
		parts = append(parts, dayRange{at.Format(rows.DayForm), next.Format(rows.DayForm)})
		at = next
	}
	return append(parts, dayRange{at.Format(rows.DayForm), end.UTC().Format(rows.DayForm)})
}

// KeywordsCounted lists the ids of all keywords that mentions were ever counted for, deleted ones included, sorted.
// known are ids that are likely among them, which saves round trips.
func (s *Store) KeywordsCounted(ctx context.Context, orgID string, known []int64) ([]int64, error) {
	known = slices.Compact(slices.Sorted(slices.Values(known)))
	found := make([][]int64, len(known)+1)
	errs := make([]error, len(found))
	parallel.Few(gapsAtOnce, len(found), func(i int) {
		from, to := int64(0), int64(mention.MaxID)
		if i > 0 {
			from = known[i-1]
		}
		if i < len(known) {
			to = known[i]
		}
		found[i], errs[i] = s.countedBetween(ctx, orgID, from, to)
	})
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("list counted keywords: %w", err)
	}
	return slices.Concat(found...), nil
}

// gapsAtOnce is how many gaps between known keywords are read at the same time.
const gapsAtOnce = 8

// countedBetween lists the counted keywords from an id on and below another.
func (s *Store) countedBetween(ctx context.Context, orgID string, from, below int64) (ids []int64, err error) {
	for from < below {
		page, err := s.Table.Query(ctx, table.Query{
			Table:      rows.CountersTable,
			Partition:  orgID,
			From:       rows.SortVolumeOf + rows.IDKey(from),
			To:         rows.SortVolumeOf + rows.IDKey(below),
			Consistent: true,
			Limit:      1,
		})
		if err != nil || len(page.Items) == 0 {
			return ids, err
		}
		sort := rows.Text(page.Items[0], table.SortAttribute)
		id, err := strconv.ParseInt(sort[len(rows.SortVolumeOf):][:len(rows.IDKey(0))], 10, 64)
		if err != nil {
			return nil, fmt.Errorf("read the key of a cell: %w", err)
		}
		ids, from = append(ids, id), id+1
	}
	return ids, nil
}

func toVolume(item table.Item) mention.Volume {
	day, _ := time.Parse(rows.DayForm, rows.Text(item, "day"))
	volume := mention.Volume{
		Day:       day,
		Source:    rows.Text(item, "source"),
		Sentiment: mention.Sentiment(rows.Text(item, "sentiment")),
		Score:     small[mention.Score](item, "score"),
		Language:  rows.Text(item, "language"),
		Mentions:  rows.Integer(item, "n"),
		Sum:       rows.Integer(item, attrSum),
		Summed:    rows.Integer(item, attrSummed),
		Changed:   item[attrSum] != nil || item[attrSummed] != nil,
	}
	for _, tag := range rows.List(item, "tags") {
		if text, ok := tag.(string); ok {
			volume.Tags = append(volume.Tags, mention.Tag(text))
		}
	}
	for name, value := range item { // most cells have few hours
		if hour, ok := rows.HourOf(name); ok {
			volume.Hours[hour], _ = value.(int64)
		}
	}
	return volume
}

// counts holds what a transaction adds to the rows that count mentions, by sort key.
type counts map[string]*cellChange

type cellChange struct {
	set map[string]any
	add map[string]int64
}

// tally is a row that counts a mention, and the attributes that do so.
type tally struct {
	key string
	set map[string]any // the row's attributes besides its counters
	in  []string
	sum int64 // what the mention adds to the row's sum
}

// add counts a mention of these tallies n times: 1 if it comes, -1 if it goes.
func (c counts) add(tallies []tally, n int64) {
	for _, p := range tallies {
		if c[p.key] == nil {
			c[p.key] = &cellChange{set: p.set, add: map[string]int64{}}
		}
		for _, counter := range p.in {
			c[p.key].add[counter] += n
		}
		c[p.key].add[attrSum] += n * p.sum
	}
}

// missing returns how many rows the tallies would add.
func (c counts) missing(tallies []tally) (n int) {
	for _, p := range tallies {
		if c[p.key] == nil {
			n++
		}
	}
	return n
}

// versions returns the writes that number the changes of cells: by month, the days whose cells change. No write that
// cancels out counts.
func (c counts) versions() map[string]map[string]int64 {
	months := map[string]map[string]int64{}
	for _, change := range c {
		day, cell := change.set["day"].(string)
		if !cell || !slices.ContainsFunc(slices.Collect(maps.Values(change.add)), func(n int64) bool { return n != 0 }) {
			continue
		}
		renumber(months, day)
	}
	return months
}

// renumber adds a change of a day's cells or words to versions.
func renumber(months map[string]map[string]int64, day string) {
	month := day[:len(rows.MonthForm)]
	if months[month] == nil {
		months[month] = map[string]int64{}
	}
	months[month][rows.VersionAttribute(day)] = 1
}

// versionWrites returns the parts of a transaction that add to the numbers of months.
func versionWrites(orgID string, months map[string]map[string]int64) []table.Write {
	var writes []table.Write
	for _, month := range slices.Sorted(maps.Keys(months)) {
		writes = append(writes, table.Update{
			Table: rows.CountersTable,
			Key:   table.Key{Partition: orgID, Sort: rows.SortQuota + month},
			Add:   months[month],
		})
	}
	return writes
}

// talliesOf returns the rows that count a mention at that time.
func talliesOf(m mention.Mention, now time.Time) []tally {
	day := m.PostedAt.UTC().Format(rows.DayForm)
	set, name := cellOf(m)
	set["day"] = day
	in := []string{"n", rows.HourAttribute(m.PostedAt.UTC().Hour())}
	var row filter.Row
	row.Fill(&m)
	tallies := []tally{{rows.SortVolume + day + "#" + name, set, append([]string{attrSummed}, in...), row.Sum()}}
	for _, keyword := range m.Keywords {
		tallies = append(tallies, tally{rows.SortVolumeOf + rows.IDKey(keyword.ID) + "#" + day + "#" + name, set, in, 0})
	}
	return append(tallies, daysOf(m, now)...)
}

// cellOf returns the cell that counts a mention, as attributes and as a unique name that fits a sort key.
func cellOf(m mention.Mention) (set map[string]any, name string) {
	source := strings.ToLower(m.Source)
	set = map[string]any{"source": source, "sentiment": string(m.Sentiment), "language": m.Language}
	score := "-"
	if m.RelevanceScore != nil {
		score = fmt.Sprint(int(*m.RelevanceScore))
		set["score"] = int64(*m.RelevanceScore)
	}
	tags := slices.Compact(slices.Sorted(slices.Values(m.Tags)))
	if len(tags) > 0 {
		set["tags"] = rows.FromTexts(tags)
	}
	parts := []string{url.QueryEscape(source), string(m.Sentiment), score, url.QueryEscape(m.Language)}
	for _, tag := range tags {
		parts = append(parts, string(tag))
	}
	name = strings.Join(parts, "#")
	if len(name) > maxCellName {
		digest := sha256.Sum256([]byte(name))
		name = hex.EncodeToString(digest[:])
	}
	return set, name
}

// writes returns the changes as parts of a transaction, ordered by key. Changes that cancel out are left out.
func (c counts) writes(orgID string) []table.Write {
	var writes []table.Write
	for _, key := range slices.Sorted(maps.Keys(c)) {
		change := c[key]
		maps.DeleteFunc(change.add, func(_ string, n int64) bool { return n == 0 })
		if len(change.add) > 0 {
			writes = append(
				writes,
				table.Update{
					Table: rows.CountersTable,
					Key:   table.Key{Partition: orgID, Sort: key},
					Set:   change.set,
					Add:   change.add,
				},
			)
		}
	}
	return writes
}
