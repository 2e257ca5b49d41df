package analytics

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"time"

	"earshot/shared/parallel"
)

// DayFiles counts mentions in the day files of a workspace, with an engine of its own. A Store that has day files
// implements it too.
type DayFiles interface {
	// ValidDays lists the days of UTC in a time whose files hold the mentions as they are now, ascending.
	ValidDays(ctx context.Context, orgID string, start, end time.Time) ([]FileDay, error)
	// CountDays counts the mentions of a query on some of these days. Authors in apart get rows of their own if the
	// query asks for authors or reach. Returns a NotInFiles if the engine cannot say it exactly, ErrBudget if it would
	// read too much, and ErrTooManyRows.
	CountDays(ctx context.Context, q Query, days []FileDay, apart []AuthorKey) ([]DayRow, error)
}

// A FileDay is a day of UTC whose file is valid.
type FileDay struct {
	Day      time.Time
	Key      string // of the file; empty if the day has no mentions
	Mentions int64  // in the file
}

func (d FileDay) same(other FileDay) bool {
	return d.Day.Equal(other.Day) && d.Key == other.Key && d.Mentions == other.Mentions
}

// An AuthorKey names an author.
type AuthorKey struct {
	Source string // lowercase
	Handle string // as mention.Handle returns it
}

// key returns the author's key in a tally.
func (k AuthorKey) key() string { return k.Source + "\x00" + k.Handle }

// A DayRow holds figures of a group of mentions in day files. Several rows may belong to one Row.
type DayRow struct {
	Row
	// Author is the only author of the row's mentions, who was asked for apart or is the value of a dimension. Nil: Row
	// counts all other authors, in Authors and Reach.
	Author *AuthorKey
	Seen   time.Time // when the mention was posted that Reach of Author is from. Zero: none says how many followers
}

// Bounds of a union of day files and rows of the table.
const (
	// maxSpans is how many times without a valid file a query scans. Each takes its share of ScanBudget.
	maxSpans = 8
	// maxApart is how many authors of the table are counted apart in the files.
	maxApart = 500
	// leastRow is fewer bytes than any row in the table has. More rows than fit need no scan to be too many.
	leastRow = 64
)

// countRows counts rows for several queries about the same mentions: from the table if that is within the limits, and
// otherwise from the day files, with the table for the days without a valid file.
func countRows(ctx context.Context, s *KeptCells, l limits, files DayFiles, all []*accumulator) error {
	first := all[0]
	if files == nil {
		return scanRows(ctx, s, l, all)
	}
	days, err := files.ValidDays(ctx, first.query.WorkspaceID, first.start, first.end)
	if err != nil {
		return err
	}
	mentions := int64(0)
	for _, day := range days {
		mentions += day.Mentions
	}
	over := ErrBudget
	if mentions <= int64(l.budget/leastRow) {
		attempts := spanned(all, span{first.start, first.end})
		err := scanRows(ctx, s, l, attempts)
		if err == nil {
			for i, a := range all {
				*a = *attempts[i]
			}
		}
		if !errors.Is(err, ErrBudget) || len(days) == 0 {
			return err
		}
		over = err
	}
	err = unite(ctx, s, l, files, days, all)
	var part NotInFiles
	if !errors.Is(err, ErrBudget) {
		return err
	} else if errors.As(err, &part) {
		return errors.Join(over, part)
	}
	return over
}

// A span is a time without a valid file.
type span struct{ start, end time.Time }

// spanned returns accumulators of the same queries that count the mentions of a span only, from nothing.
func spanned(all []*accumulator, s span) []*accumulator {
	copies := make([]*accumulator, len(all))
	for i, a := range all {
		narrowed := *a
		narrowed.start, narrowed.end, narrowed.tallies = s.start, s.end, map[string]*tally{}
		copies[i] = &narrowed
	}
	return copies
}

// unite counts days with valid files by the files, and the rest of the window by a scan.
//
// Counts add up. Authors do not: one may be in both. So the authors that the scan found get rows of their own from the
// files, and every other author of the files is in the files alone. Of an author in both, the newest mention that says
// how many followers there are decides, as in a scan. No span touches a day with a valid file, so that days tell which
// mention is newer.
func unite(ctx context.Context, s *KeptCells, l limits, files DayFiles, days []FileDay, all []*accumulator) error {
	first := all[0]
	spans := without(days, first.start, first.end)
	if len(spans) > maxSpans {
		return ErrBudget
	}
	// Every author of the table has to be known by name: no sketches.
	l.mentions = math.MaxInt64
	l.budget /= max(1, len(spans))
	parts := make([][]*accumulator, len(spans))
	for i, one := range spans {
		parts[i] = spanned(all, one)
		if err := scanRows(ctx, s, l, parts[i]); err != nil {
			return err
		}
	}
	found, errs := make([][]DayRow, len(all)), make([]error, len(all))
	parallel.Few(cellReads, len(all), func(i int) {
		var scans []*accumulator
		for _, part := range parts {
			scans = append(scans, part[i])
		}
		apart := authorsOf(scans)
		if len(apart) > maxApart {
			errs[i] = ErrBudget
			return
		}
		found[i], errs[i] = files.CountDays(ctx, all[i].query, days, apart)
	})
	if err := errors.Join(errs...); err != nil {
		return err
	}
	current, err := stillValid(ctx, s, files, days, first)
	if err != nil {
		return err
	}
	for i, a := range all {
		u := union{a, map[*tally]map[string]time.Time{}}
		for n, part := range parts {
			u.addScan(part[i], spans[n].start)
		}
		for _, row := range found[i] {
			u.addFiles(row)
		}
		for _, day := range days {
			a.scanned += day.Mentions
		}
		if !current {
			a.why = lagging
		}
	}
	return nil
}

// without returns the times of a window that are on none of the days.
func without(days []FileDay, start, end time.Time) (spans []span) {
	for _, day := range days {
		if day.Day.After(start) {
			spans = append(spans, span{start, day.Day})
		}
		start = day.Day.Add(24 * time.Hour)
	}
	if start.Before(end) {
		spans = append(spans, span{start, end})
	}
	return spans
}

// authorsOf lists the authors that scans found, each once.
func authorsOf(scans []*accumulator) (authors []AuthorKey) {
	seen := map[string]bool{}
	for _, a := range scans {
		for _, t := range a.tallies {
			t.eachAuthor(func(key string, _ int64) {
				if !seen[key] {
					seen[key] = true
					source, handle, _ := strings.Cut(key, "\x00")
					authors = append(authors, AuthorKey{source, handle})
				}
			})
		}
	}
	slices.SortFunc(authors, func(x, y AuthorKey) int { return cmp.Compare(x.key(), y.key()) })
	return authors
}

// stillValid reports whether the days' files are valid after they were read, and hold as many mentions as the cells
// count.
func stillValid(ctx context.Context, s Store, files DayFiles, days []FileDay, a *accumulator) (bool, error) {
	again, err := files.ValidDays(ctx, a.query.WorkspaceID, a.start, a.end)
	if err != nil {
		return false, err
	}
	for _, day := range days {
		if !slices.ContainsFunc(again, day.same) {
			return false, nil
		}
	}
	from, to := days[0].Day, days[len(days)-1].Day.Add(24*time.Hour)
	volumes, err := s.Volumes(ctx, a.query.WorkspaceID, 0, from, to)
	if err != nil {
		return false, err
	}
	counted := map[int64]int64{}
	for _, v := range volumes {
		for _, n := range v.Hours {
			counted[v.Day.Unix()] += n
		}
	}
	for _, day := range days {
		if counted[day.Day.Unix()] != day.Mentions {
			return false, nil
		}
	}
	return true, nil
}

// A union adds up what scans and day files counted.
type union struct {
	*accumulator
	seen map[*tally]map[string]time.Time // by author: when the newest number of followers was said
}

// addScan adds what a scan of a span counted.
func (u *union) addScan(part *accumulator, start time.Time) {
	u.scanned += part.scanned
	if part.why != "" {
		u.why = part.why
	}
	for _, counted := range part.tallies {
		t := u.at(counted.Bucket, counted.Values)
		t.addFigures(counted.Figures)
		counted.eachAuthor(func(author string, followers int64) { u.follow(t, author, followers, start) })
	}
}

// addFiles adds a row of the day files.
func (u *union) addFiles(row DayRow) {
	t := u.at(row.Bucket, row.Values)
	figures := row.Figures
	figures.Authors, figures.Reach = 0, 0
	t.addFigures(figures)
	if row.Author == nil {
		t.Authors += row.Authors
		t.Reach += row.Reach
		return
	}
	u.follow(t, row.Author.key(), row.Reach, row.Seen)
}

// addFigures adds counts, without those of authors.
func (t *tally) addFigures(f Figures) {
	t.Mentions += f.Mentions
	t.Negative += f.Negative
	t.Judged += f.Judged
	t.Engagement += f.Engagement
}

// follow counts an author once, with the followers that were said last.
func (u *union) follow(t *tally, author string, followers int64, at time.Time) {
	if t.followers == nil {
		t.followers = map[string]int64{}
	}
	if u.seen[t] == nil {
		u.seen[t] = map[string]time.Time{}
	}
	last, known := u.seen[t][author]
	if followers <= 0 {
		t.followers[author] += 0
		return
	}
	if !known || at.After(last) {
		t.followers[author], u.seen[t][author] = followers, at
	}
}
