package setupstore

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"earshot/shared/parallel"
	"earshot/shared/port/table"
	"earshot/shared/proposal"
	"earshot/shared/store/listenstore"
	"earshot/shared/store/rows"
)

const (
	mostTrackers = 5 // workspaces that track a text are looked at
	textsAtOnce  = 8 // are looked up
)

// Analog returns what texts bring that some workspace tracks bare: by whole words, without case, terms, exclusions or
// platforms, unpaused, and unchanged for at least AnalogDays whole days. The workspace must have no filters and must
// not have used up a month's mentions meanwhile. Of several trackers the one that found most a day counts, because the
// others missed posts. A text without such a tracker is left out. Nothing in the result names the tracker.
//
// A text is one query of an index, half a read unit; a tracker is eight reads in one round trip.
func (s *Store) Analog(ctx context.Context, texts []string) (map[string]proposal.Analog, error) {
	of, errs := make([]*proposal.Analog, len(texts)), make([]error, len(texts))
	parallel.Few(textsAtOnce, len(texts), func(i int) { of[i], errs[i] = s.analogOf(ctx, texts[i]) })
	if err := cmp.Or(errs...); err != nil {
		return nil, err
	}
	found := map[string]proposal.Analog{}
	for i, text := range texts {
		if of[i] != nil {
			found[text] = *of[i]
		}
	}
	return found, nil
}

// analogOf returns what a text brings, or nil if nothing is known.
func (s *Store) analogOf(ctx context.Context, text string) (best *proposal.Analog, err error) {
	form := listenstore.FormKey(text)
	if form == "" {
		return nil, nil
	}
	page, err := s.Table.Query(
		ctx, table.Query{Table: rows.CoreTable, Index: rows.CoreByText, Partition: form, Limit: mostTrackers},
	)
	if err != nil {
		return nil, fmt.Errorf("look up who tracks a text: %w", err)
	}
	for _, row := range page.Items {
		here, ok, err := s.analog(ctx, table.KeyOf(row).Partition, rows.Integer(row, "id"), form)
		if err != nil {
			return nil, err
		}
		if ok && (best == nil || here.Posts*int64(best.Days) > best.Posts*int64(here.Days)) {
			best = &here
		}
	}
	return best, nil
}

// analog returns what one workspace's keyword brings. ok is false if that says nothing about its text.
func (s *Store) analog(
	ctx context.Context, orgID string, id int64, form string,
) (found proposal.Analog, ok bool, err error) {
	today := s.Today()
	var months []string // of the longest window, newest first
	for back := range rows.VolumeMonth + 1 {
		if month := today.AddDate(0, 0, -back).Format(rows.MonthForm); !slices.Contains(months, month) {
			months = append(months, month)
		}
	}
	read := func(in string, key table.Key) table.Get { return table.Get{Table: in, Key: key} }
	gets := []table.Get{
		read(rows.CoreTable, rows.KeywordKey(orgID, id)),
		read(rows.CoreTable, table.Key{Partition: orgID, Sort: rows.SortFilters}),
		read(rows.CoreTable, table.Key{Partition: orgID, Sort: rows.SortWorkspace}),
	}
	first := len(gets)
	for _, month := range months {
		gets = append(gets, read(rows.CountersTable, table.Key{Partition: orgID, Sort: rows.SortQuota + month}),
			read(rows.CountersTable, table.Key{Partition: orgID, Sort: rows.DaysKey(month, id)}))
	}
	items, err := table.GetAll(ctx, s.Table, gets)
	if err != nil {
		return found, false, fmt.Errorf("read what a text brings: %w", err)
	}
	if items[0] == nil || items[2] == nil {
		return found, false, nil
	}
	k, filters := listenstore.ToKeyword(items[0]), listenstore.ToFilters(items[1])
	bare := k.ExactMatch && !k.CaseSensitive && !k.Paused && k.Platforms == nil &&
		listenstore.FormKey(k.Text) == form &&
		len(k.AdditionalTerms)+len(k.ExcludeWords)+len(k.WildcardExcludeWords)+len(k.ExcludeAuthors) == 0
	filtered := len(filters.NegativeKeywords)+len(filters.NegativeAuthors)+len(filters.NegativeSubreddits)+len(
		filters.PositiveSubreddits,
	)+
		len(filters.NegativeRepos) > 0
	since := k.UpdatedAt
	if filters.UpdatedAt.After(since) {
		since = filters.UpdatedAt
	}
	whole := int(today.Sub(since.Truncate(24*time.Hour))/(24*time.Hour)) - 1 // neither the day of the change nor today
	if !bare || filtered || whole < proposal.AnalogDays {
		return found, false, nil
	}
	days := rows.VolumeMonth
	if whole < rows.VolumeMonth {
		days = rows.VolumeWeek
	}
	limit := int64(rows.ToWorkspace(items[2]).MentionLimit())
	for back := 1; back <= days; back++ {
		day := today.AddDate(0, 0, -back)
		at := first + 2*slices.Index(months, day.Format(rows.MonthForm))
		if rows.Integer(items[at], "stored") >= limit {
			return found, false, nil
		}
		found.Posts += rows.Integer(items[at+1], rows.DayAttribute(day))
	}
	found.Days = days
	return found, true, nil
}
