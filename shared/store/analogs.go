package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"earshot/shared/parallel"
	"earshot/shared/port/table"
	"earshot/shared/proposal"
)

const (
	mostTrackers = 5 // workspaces that track a text are looked at
	textsAtOnce  = 8 // are looked up
)

// Analog says what texts bring that are tracked bare somewhere: by whole words, with no case, terms, exclusions or platforms of their own,
// unpaused, in a workspace without filters whose month's mentions were never used up meanwhile, and unchanged for AnalogDays whole days at
// least. Of several trackers the one that found most a day counts: what is missing to the others was not collected. A text that nobody
// tracks so is not there. Nothing tells who tracks it.
//
// A text is one query of an index, half a read unit; a tracker is eight reads of one round trip.
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

// analogOf is what a text brings; nil when nothing is known.
func (s *Store) analogOf(ctx context.Context, text string) (best *proposal.Analog, err error) {
	form := formKey(text)
	if form == "" {
		return nil, nil
	}
	page, err := s.table.Query(ctx, table.Query{Table: CoreTable, Index: coreByText, Partition: form, Limit: mostTrackers})
	if err != nil {
		return nil, fmt.Errorf("look up who tracks a text: %w", err)
	}
	for _, row := range page.Items {
		here, ok, err := s.analog(ctx, table.KeyOf(row).Partition, integer(row, "id"), form)
		if err != nil {
			return nil, err
		}
		if ok && (best == nil || here.Posts*int64(best.Days) > best.Posts*int64(here.Days)) {
			best = &here
		}
	}
	return best, nil
}

// analog is what one workspace's keyword brings; false when that says nothing of its text.
func (s *Store) analog(ctx context.Context, orgID string, id int64, form string) (found proposal.Analog, ok bool, err error) {
	today := s.today()
	var months []string // of the longest window, newest first
	for back := range volumeMonth + 1 {
		if month := today.AddDate(0, 0, -back).Format(monthForm); !slices.Contains(months, month) {
			months = append(months, month)
		}
	}
	read := func(in string, key table.Key) table.Get { return table.Get{Table: in, Key: key} }
	gets := []table.Get{read(CoreTable, keywordKey(orgID, id)), read(CoreTable, table.Key{Partition: orgID, Sort: sortFilters}),
		read(CoreTable, table.Key{Partition: orgID, Sort: sortWorkspace})}
	first := len(gets)
	for _, month := range months {
		gets = append(gets, read(CountersTable, table.Key{Partition: orgID, Sort: sortQuota + month}),
			read(CountersTable, table.Key{Partition: orgID, Sort: daysKey(month, id)}))
	}
	rows, err := table.GetAll(ctx, s.table, gets)
	if err != nil {
		return found, false, fmt.Errorf("read what a text brings: %w", err)
	}
	if rows[0] == nil || rows[2] == nil {
		return found, false, nil
	}
	k, filters := toKeyword(rows[0]), toFilters(rows[1])
	bare := k.ExactMatch && !k.CaseSensitive && !k.Paused && k.Platforms == nil && formKey(k.Text) == form &&
		len(k.AdditionalTerms)+len(k.ExcludeWords)+len(k.WildcardExcludeWords)+len(k.ExcludeAuthors) == 0
	filtered := len(filters.NegativeKeywords)+len(filters.NegativeAuthors)+len(filters.NegativeSubreddits)+len(filters.PositiveSubreddits)+
		len(filters.NegativeRepos) > 0
	since := k.UpdatedAt
	if filters.UpdatedAt.After(since) {
		since = filters.UpdatedAt
	}
	whole := int(today.Sub(since.Truncate(24*time.Hour))/(24*time.Hour)) - 1 // neither the day of the change nor today
	if !bare || filtered || whole < proposal.AnalogDays {
		return found, false, nil
	}
	days := volumeMonth
	if whole < volumeMonth {
		days = volumeWeek
	}
	limit := int64(toWorkspace(rows[2]).MentionLimit())
	for back := 1; back <= days; back++ {
		day := today.AddDate(0, 0, -back)
		at := first + 2*slices.Index(months, day.Format(monthForm))
		if integer(rows[at], "stored") >= limit {
			return found, false, nil
		}
		found.Posts += integer(rows[at+1], dayAttribute(day))
	}
	found.Days = days
	return found, true, nil
}
