package mentionstore

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"earshot/shared/mention"
	"earshot/shared/parallel"
	"earshot/shared/port/table"
	"earshot/shared/store/rows"
)

// A file of a day holds what rows held when they were read. A row that changes later makes the file stale, also if its
// cells stay equal: a text that is corrected, counters that are refreshed. So who changes a mention marks its day, and
// a marked day's file is not read.
//
// A mark costs a write only if the day has a manifest that is not marked yet. The change itself costs what it cost
// before. A mark is written before its change. A change that dies in between marks a day for nothing.
//
// A change that found no manifest, or no announcement, may be under way still when a manifest is made. Nothing in a
// deployment runs longer than a quarter of an hour. So the rows of a day are read only after a time, longer than that,
// for which its manifest was there and was not marked.

// announcedFor is how long a Store relies on what it read of a workspace's announcement.
const announcedFor = 10 * time.Second

// DayState is how far the file of a day is.
type DayState string

// The states of a day.
const (
	DayOpen    DayState = "open"    // its changes are watched; the rows are not read yet
	DayWriting DayState = "writing" // a writer reads the rows and stores the file under Pending
	DayReady   DayState = "ready"   // the file under Key holds the day, unless the day is marked
)

// DayFile is the manifest of a day's file. The zero value is a day without one.
type DayFile struct {
	Day     time.Time // its start, in UTC
	State   DayState
	Since   time.Time // when the state began
	Marked  bool      // a mention of the day may have changed since the state began
	Number  int64     // of the last file that was begun
	Key     string    // of the complete file; empty if the day has none, or no mentions
	Pending string    // key of the file that is being written
	Rows    int64
	Bytes   int64
	Stamp   string // of the cells that the file was compared with
	Version int64  // of the file's columns
	Old     []OldFile
	rev     int64
}

// Valid reports whether the day's mentions are those of the file, whose columns have the version: no mention of the day
// has changed since. If Key is empty, the day has no mentions.
func (d DayFile) Valid(version int64) bool {
	return d.State == DayReady && !d.Marked && d.Version == version
}

// OldFile is a file that no manifest names as a day's any more.
type OldFile struct {
	Key   string
	Since time.Time
}

// AnnouncedFiles reads when a workspace's files were announced, and when all of its days were last compared with its
// files. Both are zero if nothing was announced.
func (s *Store) AnnouncedFiles(ctx context.Context, orgID string) (since, compared time.Time, err error) {
	item, err := s.Get(ctx, rows.CountersTable, rows.FilesKey(orgID))
	return rows.ToTime(rows.Text(item, "since")), rows.ToTime(rows.Text(item, "compared")), err
}

// AnnounceFiles stores that days of a workspace may have files from now on, and when its days were last compared.
func (s *Store) AnnounceFiles(ctx context.Context, orgID string, since, compared time.Time) error {
	key := rows.FilesKey(orgID)
	item := table.Item{
		table.PartitionAttribute: key.Partition,
		table.SortAttribute:      key.Sort,
		"since":                  rows.FromTime(since),
	}
	rows.Set(item, "compared", rows.FromTime(compared))
	if err := s.Table.Put(ctx, table.Put{Table: rows.CountersTable, Item: item}); err != nil {
		return fmt.Errorf("announce files: %w", err)
	}
	return nil
}

// DayFiles lists the manifests of the days from start on and before end, in their order.
func (s *Store) DayFiles(ctx context.Context, orgID string, start, end time.Time) ([]DayFile, error) {
	found := []DayFile{}
	if !start.Before(end) {
		return found, nil
	}
	query := table.Query{
		Table:      rows.CountersTable,
		Partition:  orgID,
		From:       rows.SortDayFile + start.UTC().Format(rows.DayForm),
		To:         rows.SortDayFile + end.Add(-1).UTC().Format(rows.DayForm),
		Consistent: true,
	}
	if err := s.Each(ctx, query, func(item table.Item) { found = append(found, toDayFile(item)) }); err != nil {
		return nil, fmt.Errorf("list files of days: %w", err)
	}
	return found, nil
}

// PutDayFile stores a manifest in place of the one that was read. Returns false, and stores nothing, if it has changed
// since.
func (s *Store) PutDayFile(ctx context.Context, orgID string, d *DayFile) (ok bool, err error) {
	condition := table.Absent()
	if d.rev > 0 {
		condition = table.Equal("rev", d.rev)
	}
	item := fromDayFile(orgID, d)
	err = s.Table.Put(ctx, table.Put{Table: rows.CountersTable, Item: item, If: condition})
	var failed *table.ConditionFailed
	switch {
	case errors.As(err, &failed):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("store the manifest of a day: %w", err)
	}
	d.rev++
	return true, nil
}

func fromDayFile(orgID string, d *DayFile) table.Item {
	key := rows.DayFileKey(orgID, d.Day)
	item := table.Item{
		table.PartitionAttribute: key.Partition,
		table.SortAttribute:      key.Sort,
		"state":                  string(d.State),
		"since":                  rows.FromTime(d.Since),
		"number":                 d.Number,
		"rev":                    d.rev + 1,
	}
	rows.Set(item, "marked", d.Marked)
	rows.Set(item, rows.AttrFileKey, d.Key)
	rows.Set(item, rows.AttrPendingKey, d.Pending)
	rows.Set(item, "rows", d.Rows)
	rows.Set(item, "bytes", d.Bytes)
	rows.Set(item, "stamp", d.Stamp)
	rows.Set(item, "version", d.Version)
	var old []any
	for _, file := range d.Old {
		old = append(old, map[string]any{rows.AttrFileKey: file.Key, "since": rows.FromTime(file.Since)})
	}
	if old != nil {
		item[rows.AttrOldFiles] = old
	}
	return item
}

func toDayFile(item table.Item) DayFile {
	day, _ := time.Parse(rows.DayForm, table.KeyOf(item).Sort[len(rows.SortDayFile):])
	d := DayFile{
		Day:     day,
		State:   DayState(rows.Text(item, "state")),
		Since:   rows.ToTime(rows.Text(item, "since")),
		Marked:  rows.Boolean(item, "marked"),
		Number:  rows.Integer(item, "number"),
		Key:     rows.Text(item, rows.AttrFileKey),
		Pending: rows.Text(item, rows.AttrPendingKey),
		Rows:    rows.Integer(item, "rows"),
		Bytes:   rows.Integer(item, "bytes"),
		Stamp:   rows.Text(item, "stamp"),
		Version: rows.Integer(item, "version"),
		rev:     rows.Integer(item, "rev"),
	}
	for _, old := range rows.List(item, rows.AttrOldFiles) {
		file, _ := old.(map[string]any)
		d.Old = append(d.Old, OldFile{rows.Text(file, rows.AttrFileKey), rows.ToTime(rows.Text(file, "since"))})
	}
	return d
}

// DaysCounted lists the days from start on and before end that count mentions, in their order. It reads one cell a day.
func (s *Store) DaysCounted(ctx context.Context, orgID string, start, end time.Time) (days []time.Time, err error) {
	for day := start.UTC().Truncate(24 * time.Hour); day.Before(end); day = day.Add(24 * time.Hour) {
		page, err := s.Table.Query(ctx, table.Query{
			Table:     rows.CountersTable,
			Partition: orgID,
			From:      rows.SortVolume + day.Format(rows.DayForm),
			To:        rows.SortVolume + end.UTC().Format(rows.DayForm),
			Limit:     1,
		})
		if err != nil {
			return nil, fmt.Errorf("list days with mentions: %w", err)
		}
		if len(page.Items) == 0 {
			break
		}
		if day = toVolume(page.Items[0]).Day; !day.Before(end) {
			break
		}
		days = append(days, day)
	}
	return days, nil
}

// ErrIndexLags means that an index and its table disagree. Read again later.
var ErrIndexLags = errors.New("store: an index lags behind its table")

// EachMention calls each with every mention of a workspace that was posted from start on and before end, relevant or
// not, newest first. It reads the rows consistently. Returns ErrIndexLags if a row is not where an index says.
func (s *Store) EachMention(
	ctx context.Context, orgID string, start, end time.Time, each func(*mention.Mention) error,
) error {
	w := s.newWalk(MentionsQuery{WorkspaceID: orgID, All: true, Start: start, End: end, Limit: MaxMentionsPage})
	w.budget = math.MaxInt
	for {
		places, _, err := w.candidates(ctx, MaxMentionsPage, table.MaxItemBytes+pageBytes)
		if err != nil || len(places) == 0 {
			return err
		}
		items, err := s.read(ctx, places, true)
		if err != nil {
			return err
		}
		for i, item := range items {
			if item == nil || rows.Text(item, rows.AttrMoment) != places[i].moment {
				return ErrIndexLags
			}
			m := toMention(item)
			if err := each(&m); err != nil {
				return err
			}
		}
	}
}

// markDays marks the days in UTC of times, at which mentions were posted that are about to change. Days that are not
// over have no files.
func (s *Store) markDays(ctx context.Context, orgID string, posted ...time.Time) error {
	days := s.overDays(posted...)
	if len(days) == 0 {
		return nil
	}
	announced, err := s.announced(ctx, orgID)
	if err != nil || !announced {
		return err
	}
	marks := make([]func() error, len(days))
	for i, day := range days {
		marks[i] = func() error { return s.mark(ctx, rows.DayFileKey(orgID, day)) }
	}
	for some := range slices.Chunk(marks, marksAtOnce) {
		if err := parallel.Together(some...); err != nil {
			return fmt.Errorf("mark days: %w", err)
		}
	}
	return nil
}

// overDays returns the days in UTC of times, each once, that are over.
func (s *Store) overDays(posted ...time.Time) (days []time.Time) {
	for _, at := range posted {
		day := at.UTC().Truncate(24 * time.Hour)
		if day.Before(s.Today()) && !slices.Contains(days, day) {
			days = append(days, day)
		}
	}
	return days
}

// marksAtOnce is how many days are marked at the same time.
const marksAtOnce = 8

// mark marks a day, if it has a manifest that is not marked.
func (s *Store) mark(ctx context.Context, manifest table.Key) error {
	item, err := s.Get(ctx, rows.CountersTable, manifest)
	if err != nil || item == nil || rows.Boolean(item, "marked") {
		return err
	}
	_, err = s.Table.Update(ctx, table.Update{
		Table: rows.CountersTable,
		Key:   manifest,
		If:    table.Present(), // a purge may have deleted it
		Set:   map[string]any{"marked": true},
		Add:   map[string]int64{"rev": 1},
	})
	var gone *table.ConditionFailed
	if errors.As(err, &gone) {
		return nil
	}
	return err
}

// announced reports whether days of a workspace may have files. It reads that at most once in announcedFor.
func (s *Store) announced(ctx context.Context, orgID string) (bool, error) {
	known, fresh := s.announcement(orgID)
	if fresh {
		return known.yes, nil
	}
	now := s.Clock.Now()
	since, _, err := s.AnnouncedFiles(ctx, orgID)
	if err != nil {
		return false, err
	}
	s.noteAnnouncement(orgID, announcement{now, !since.IsZero()})
	return !since.IsZero(), nil
}

// announcement returns what s knows of a workspace's announcement, and whether that was read within announcedFor.
func (s *Store) announcement(orgID string) (known announcement, fresh bool) {
	s.announcing.Lock()
	defer s.announcing.Unlock()
	known, found := s.announcements[orgID]
	age := s.Clock.Now().Sub(known.at)
	return known, found && age >= 0 && age < announcedFor
}

func (s *Store) noteAnnouncement(orgID string, known announcement) {
	s.announcing.Lock()
	defer s.announcing.Unlock()
	if len(s.announcements) >= maxAnnouncements {
		clear(s.announcements)
	}
	s.announcements[orgID] = known
}

// announcement is what a Store knows of a workspace's announcement since a time.
type announcement struct {
	at  time.Time
	yes bool
}

// maxAnnouncements bounds what a Store remembers.
const maxAnnouncements = 10_000
