package mentionstore

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"earshot/shared/mention"
	"earshot/shared/parallel"
	"earshot/shared/port/table"
	"earshot/shared/store/rows"
)

// A collapsed list has, of each story, the newest mention that the query selects. It walks the same rows as the whole
// list. For a mention of a story it asks the index byStory for newer mentions of the story. If the query selects one of
// them, that mention stands for the story, and this one is left out.
//
// So each mention is decided alone, from the table and not from the pages before. A cursor therefore needs no list of
// the stories that were shown. The list shows the mentions that were stored when its first page was read, so that a
// mention which comes later neither hides a story that was not shown yet nor repeats one that was. A mention has its id
// a moment before it is stored, so the cursor also says which of the last ids had no mention then.

// Bounds of a collapsed page.
const (
	storyRows    = 100   // index rows of a story that one query reads
	storyCovered = 1_000 // index rows of a story that are read to pass over its older mentions
	storyTested  = 10    // mentions of a story that are read at once to see whether the query selects them
	storyCounted = 100   // mentions that one page reads to count its stories
	storyWidth   = 16    // stories that are looked up at the same time
	storyDrawn   = 256   // ids that may have been drawn for mentions on their way: of five batches of ingest
)

// A storyCursor is a position in a collapsed list.
type storyCursor struct {
	last   string // the moment of the row that was decided last; empty for the newest
	stored int64  // the largest id of a mention when the list began
	absent absent // the ids of mentions that were on their way then

	// A story may have more newer mentions than a page may read. The next page continues with them.
	undecided string // the moment of the mention that is not decided
	above     string // the moment down to which the query selects no newer mention of its story
}

func (c storyCursor) String() string {
	return fmt.Sprintf("%s|%d|%s|%s|%s", c.last, c.stored, c.absent, c.undecided, c.above)
}

// parseStoryCursor reads a cursor. Returns table.ErrInvalid if String did not write it.
func parseStoryCursor(text string) (c storyCursor, err error) {
	parts := strings.Split(text, "|")
	if len(parts) == 5 {
		c = storyCursor{last: parts[0], undecided: parts[3], above: parts[4]}
		var missing error
		c.absent, missing = parseAbsent(parts[2])
		if c.stored, err = strconv.ParseInt(parts[1], 10, 64); err == nil && c.stored > 0 && missing == nil {
			return c, nil
		}
	}
	return c, fmt.Errorf("continue a collapsed list at %q: %w", text, table.ErrInvalid)
}

// absent has bit n if the id n below storyCursor.stored had no mention.
type absent [storyDrawn / 8]byte

func (a absent) String() string {
	return base64.RawURLEncoding.EncodeToString(bytes.TrimRight(a[:], "\x00"))
}

func parseAbsent(text string) (a absent, err error) {
	bits, err := base64.RawURLEncoding.DecodeString(text)
	if copy(a[:], bits) < len(bits) {
		err = table.ErrInvalid
	}
	return a, err
}

func (a *absent) holds(below int64) bool {
	return below >= 0 && below < storyDrawn && a[below/8]>>(below%8)&1 != 0
}

// collapsedPage is a page in the making.
type collapsedPage struct {
	s    *Store
	q    MentionsQuery
	w    *walk
	from storyCursor
	at   storyCursor // behind the last mention that was decided
	page MentionsPage

	archive bool            // the archive has rows that the query may select
	shown   map[string]bool // stories that were decided on this page
	covered map[string]bool // moments of mentions that are older than a decided mention of their story
	counted int             // mentions that were read to count stories
}

// collapsed is Mentions of a query with Collapse.
func (s *Store) collapsed(ctx context.Context, q MentionsQuery) (MentionsPage, error) {
	if q.Author != nil {
		return MentionsPage{}, fmt.Errorf("collapse an author's mentions: %w", table.ErrInvalid)
	}
	c := &collapsedPage{s: s, q: q, shown: map[string]bool{}, covered: map[string]bool{}}
	var err error
	if q.After == "" {
		c.from, err = s.beginStories(ctx, q.WorkspaceID)
	} else {
		c.from, err = parseStoryCursor(q.After)
	}
	if err != nil {
		return MentionsPage{}, err
	}
	began := storyCursor{stored: c.from.stored, absent: c.from.absent}
	c.page = MentionsPage{Mentions: []mention.Mention{}, began: began}
	c.q.After, c.at = c.from.last, began
	c.at.last = c.from.last
	c.w = s.newWalk(c.q)
	if err := c.findArchive(ctx); err != nil {
		return MentionsPage{}, err
	}
	if err := c.fill(ctx); err != nil {
		return MentionsPage{}, err
	}
	if c.page.Next != "" {
		return c.page, nil
	}
	more, err := c.w.more(ctx)
	if err != nil {
		return MentionsPage{}, err
	}
	if more {
		c.page.Next = c.at.String()
	}
	return c.page, nil
}

// beginStories returns where a collapsed list begins.
func (s *Store) beginStories(ctx context.Context, orgID string) (c storyCursor, err error) {
	// Mentions have their ids from this sequence, in the order in which they are stored, but for those on their way.
	key := table.Key{Partition: orgID, Sort: rows.SequenceOfMentions}
	sequence, err := s.Table.Get(ctx, table.Get{Table: rows.CountersTable, Key: key, Consistent: true})
	if err != nil {
		return c, fmt.Errorf("begin a collapsed list: %w", err)
	}
	c.stored = max(1, rows.Integer(sequence, "last"))
	query := table.Query{
		Table:     rows.MentionsTable,
		Index:     rows.MentionsByID,
		Partition: orgID,
		From:      rows.IDKey(max(1, c.stored-storyDrawn+1)),
		To:        rows.IDKey(c.stored),
	}
	for below := range min(c.stored, storyDrawn) {
		c.absent[below/8] |= 1 << (below % 8)
	}
	err = s.Each(ctx, query, func(item table.Item) {
		below := c.stored - idIn(item)
		c.absent[below/8] &^= 1 << (below % 8)
	})
	if err != nil {
		return c, fmt.Errorf("list the last mentions: %w", err)
	}
	return c, nil
}

// findArchive finds out whether the archive has mentions of the workspace in the query's window.
func (c *collapsedPage) findArchive(ctx context.Context) error {
	if !c.q.Start.IsZero() && mention.Timestamp(c.q.Start) >= c.w.cutoff {
		return nil
	}
	for _, stream := range []string{rows.StreamRelevant, rows.StreamOther} {
		page, err := c.s.Table.Query(ctx, table.Query{
			Table:      rows.ArchiveTable,
			Index:      rows.MentionsByTime,
			Partition:  c.q.WorkspaceID + stream,
			Descending: true,
			Limit:      1,
		})
		if err != nil {
			return fmt.Errorf("look for archived mentions: %w", err)
		}
		if c.archive = c.archive || len(page.Items) > 0 || page.Next != nil; c.archive {
			return nil
		}
	}
	return nil
}

// fill decides mentions until the page is full or its budget is spent. It sets Next only if a mention stays undecided.
func (c *collapsedPage) fill(ctx context.Context) error {
	for size, full := 0, false; len(c.page.Mentions) < c.q.Limit && !full && c.w.spent < c.w.budget; {
		room := pageBytes - size
		if len(c.page.Mentions) == 0 {
			room = table.MaxItemBytes + pageBytes
		}
		places, last, isFull, err := c.candidates(ctx, c.q.Limit-len(c.page.Mentions), room)
		if full = isFull; err != nil {
			return err
		}
		if len(places) == 0 {
			c.at.last = last
			return nil
		}
		items, err := c.s.rowsAt(ctx, places, c.q.promises)
		if err != nil {
			return err
		}
		looked, err := c.look(ctx, items)
		if err != nil {
			return err
		}
		for i, item := range items {
			if c.w.spent >= c.w.budget && c.at.last != c.from.last {
				c.page.Next = c.at.String()
				return nil
			}
			m := toMention(item)
			switch {
			case item == nil || !c.q.lists(&m) || c.covered[places[i].moment]:
				c.w.spent += billed(table.Size(item))
			case m.StoryID == "":
				c.show(m, 1)
				size += table.Size(item)
			case c.shown[m.StoryID]: // a story of more mentions than were covered
				c.w.spent += billed(table.Size(item))
				if err := c.cover(ctx, m.StoryID, places[i]); err != nil {
					return err
				}
			default:
				verdict, err := c.decide(ctx, places[i], looked[m.StoryID])
				if err != nil {
					return err
				}
				switch verdict {
				case unsure:
					c.page.Next = c.at.String()
					return nil
				case newest:
					n, err := c.count(ctx, places[i], looked[m.StoryID])
					if err != nil {
						return err
					}
					c.show(m, n)
					size += table.Size(item)
				case repeated:
					c.w.spent += billed(table.Size(item))
				}
				c.shown[m.StoryID] = true
				for _, older := range looked[m.StoryID].older(places[i].moment) {
					c.covered[older.moment] = true
				}
				if looked[m.StoryID].bottom == "" {
					break
				}
				if err := c.cover(ctx, m.StoryID, places[i]); err != nil {
					return err
				}
			}
			c.at.last = places[i].moment
		}
		c.at.last = last
	}
	return nil
}

func (c *collapsedPage) show(m mention.Mention, stories int) {
	c.page.Mentions, c.page.Stories = append(c.page.Mentions, m), append(c.page.Stories, stories)
}

// candidates takes rows like walk.candidates, without those that are covered or were stored after the list began. last
// is the moment down to which rows were taken or passed over.
func (c *collapsedPage) candidates(ctx context.Context, want, room int) ([]place, string, bool, error) {
	var taken []place
	full := false
	for len(taken) < want && !full {
		places, isFull, err := c.w.candidates(ctx, 1, room)
		if err != nil {
			return nil, "", false, err
		}
		if full = isFull; len(places) == 0 {
			break
		}
		at := places[0].moment
		if c.covered[at] || !c.listed(at) {
			continue
		}
		room -= bytesOf(places[0].row)
		taken = append(taken, places[0])
	}
	return taken, c.w.last, full, nil
}

// lastDrawn is the largest id that the sequence of mentions gives. An id beyond it came from outside, at any time.
const lastDrawn = 1 << 52

// listed reports whether the mention at a moment was stored when the list began. An archived one was.
func (c *collapsedPage) listed(at string) bool {
	id, _ := strconv.ParseInt(at[strings.LastIndexByte(at, '#')+1:], 10, 64)
	return id > lastDrawn || id <= c.from.stored && (at < c.w.cutoff || !c.from.absent.holds(c.from.stored-id))
}

// A storyLook is what the index says of a story.
type storyLook struct {
	id     string
	places []place // of its mentions, newest first
	bottom string  // the moment down to which the index was read; empty if that is all of the window
}

// newer returns the places of mentions that are newer than a moment.
func (l *storyLook) newer(at string) []place {
	n := slices.IndexFunc(l.places, func(p place) bool { return p.moment <= at })
	if n < 0 {
		return l.places
	}
	return l.places[:n]
}

// older returns the places of mentions that are older than a moment.
func (l *storyLook) older(at string) []place {
	n := slices.IndexFunc(l.places, func(p place) bool { return p.moment < at })
	if n < 0 {
		return nil
	}
	return l.places[n:]
}

// look reads the stories of mentions from the index, the newest storyRows of each.
func (c *collapsedPage) look(ctx context.Context, items []table.Item) (map[string]*storyLook, error) {
	looked := map[string]*storyLook{}
	var all []*storyLook
	for _, item := range items {
		id := storyIn(item)
		if id == "" || c.shown[id] || looked[id] != nil {
			continue
		}
		looked[id] = &storyLook{id: id}
		all = append(all, looked[id])
	}
	spent, errs := make([]int, len(all)), make([]error, len(all))
	parallel.Few(storyWidth, len(all), func(i int) {
		l := all[i]
		l.places, l.bottom, spent[i], errs[i] = c.members(ctx, l.id, c.windowStart(), c.windowEnd(), storyRows)
	})
	for i, err := range errs {
		if err != nil {
			return nil, err
		}
		c.w.spent += spent[i]
	}
	return looked, nil
}

func (c *collapsedPage) windowStart() string {
	if c.q.Start.IsZero() {
		return ""
	}
	return mention.Timestamp(c.q.Start)
}

func (c *collapsedPage) windowEnd() string {
	if c.q.End.IsZero() {
		return ""
	}
	return mention.Timestamp(c.q.End) // a moment is longer, so that no row has this one
}

// members reads at most limit index rows of a story between two moments, newest first. It returns the places of those
// mentions that are in a stream of the list and were stored when the list began. bottom is the moment down to which it
// read, empty if it read all. spent is how many bytes that were.
func (c *collapsedPage) members(
	ctx context.Context, storyID, from, to string, limit int,
) (places []place, bottom string, spent int, err error) {
	tables := []string{rows.MentionsTable}
	if c.archive && from < c.w.cutoff {
		tables = append(tables, rows.ArchiveTable)
	}
	for _, name := range tables {
		query := table.Query{
			Table:      name,
			Index:      rows.MentionsByStory,
			Partition:  storyKey(c.q.WorkspaceID, storyID),
			From:       from,
			To:         to,
			Descending: true,
		}
		for read := 0; ; {
			query.Limit = limit - read
			page, err := c.s.Table.Query(ctx, query)
			if err != nil {
				return nil, "", spent, fmt.Errorf("look up a story: %w", err)
			}
			last, size := "", 0
			for _, row := range page.Items {
				size += table.Size(row)
				last = rows.Text(row, rows.AttrMoment)
				inList := c.q.All || rows.Text(row, rows.AttrStream) == c.q.WorkspaceID+rows.StreamRelevant
				if inList && c.listed(last) {
					places = append(places, place{from: name, row: row, moment: last})
				}
			}
			spent += billed(size)
			read += len(page.Items)
			if query.After = page.Next; page.Next == nil {
				break
			}
			if read >= limit {
				bottom = max(bottom, last)
				break
			}
		}
	}
	// A mention on its way into the archive is in both tables.
	slices.SortStableFunc(places, func(a, b place) int { return strings.Compare(b.moment, a.moment) })
	places = slices.CompactFunc(places, func(a, b place) bool { return a.moment == b.moment })
	return slices.DeleteFunc(places, func(p place) bool { return p.moment < bottom }), bottom, spent, nil
}

// A verdict says what a mention is to its story.
type verdict int

const (
	newest   verdict = iota // the query selects no newer mention of the story
	repeated                // the query selects a newer one
	unsure                  // the budget ended first; c.at says where to continue
)

// decide finds out whether the query selects a mention of the story that is newer than the one at a place.
func (c *collapsedPage) decide(ctx context.Context, p place, l *storyLook) (verdict, error) {
	newer, bottom := l.newer(p.moment), l.bottom
	if c.from.undecided == p.moment && bottom != "" {
		newer, bottom = nil, min(bottom, c.from.above) // the pages before have tested those above
	}
	for began := false; ; began = true {
		for some := range slices.Chunk(newer, storyTested) {
			n, err := c.selected(ctx, l.id, some)
			if err != nil {
				return 0, err
			}
			if n > 0 {
				return repeated, nil
			}
		}
		if bottom <= p.moment { // or empty: all of the story was read
			return newest, nil
		}
		if began && c.w.spent >= c.w.budget {
			c.at.undecided, c.at.above = p.moment, bottom
			return unsure, nil
		}
		more, reached, spent, err := c.members(ctx, l.id, p.moment, bottom, storyRows)
		if err != nil {
			return 0, err
		}
		c.w.spent += spent
		newer = slices.DeleteFunc(more, func(n place) bool { return n.moment <= p.moment || n.moment >= bottom })
		bottom = reached
	}
}

// selected returns how many of a story's mentions at places the query selects.
func (c *collapsedPage) selected(ctx context.Context, storyID string, places []place) (n int, err error) {
	// That the filter refuses a row is no reason to read it again: the index of stories knows little of it.
	ofStory := func(item table.Item) bool { return storyIn(item) == storyID }
	items, err := c.s.rowsAt(ctx, places, ofStory)
	if err != nil {
		return 0, err
	}
	for _, item := range items {
		c.w.spent += billed(table.Size(item))
		if m := toMention(item); c.q.promises(item) && c.q.lists(&m) {
			n++
		}
	}
	return n, nil
}

// count returns how many mentions of a story the query selects, of which the one at a place is the newest. It returns 0
// if the story or the page has too many to count. A list without a filter is counted by the index alone.
func (c *collapsedPage) count(ctx context.Context, p place, l *storyLook) (int, error) {
	older := l.older(p.moment)
	switch {
	case l.bottom != "":
		return 0, nil
	case c.q.Filter == nil || len(older) == 0:
		return 1 + len(older), nil
	case c.counted+len(older) > storyCounted:
		return 0, nil
	}
	c.counted += len(older)
	n, err := c.selected(ctx, l.id, older)
	return 1 + n, err
}

// cover notes the older mentions of a story that was decided, so that the page passes over them without reading them.
func (c *collapsedPage) cover(ctx context.Context, storyID string, p place) error {
	older, _, spent, err := c.members(ctx, storyID, c.windowStart(), p.moment, storyCovered)
	if err != nil {
		return err
	}
	c.w.spent += spent
	for _, o := range older {
		c.covered[o.moment] = o.moment < p.moment
	}
	return nil
}

// billed returns the bytes that a read is charged: each 4 KiB, at half a unit, counts whole.
func billed(size int) int {
	const unit = 4 << 10
	return max(1, (size+unit-1)/unit) * unit
}
