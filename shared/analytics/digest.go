package analytics

import (
	"context"
	"errors"
	"time"

	"earshot/shared/mention"
	"earshot/shared/parallel"
)

// A year of 100,000 mentions has some 75,000 cells, of 200 bytes each. So the first query that reads the cells of past
// days stores digests of them: the same cells, packed to 5 bytes each, a few days in a row. Later queries read those.
//
// Proof that figures stay exact: every transaction that changes a cell of a day adds one to the day's version. A query
// reads versions consistently, and takes a day from a digest only if the digest is of that version. A digest names a
// version that was read before its cells. While that version is the day's, no transaction has changed a cell since, so
// the digest has the cells as they are. Otherwise it is never read again, because a version only grows. Nothing has to
// be deleted: a killed writer leaves no digest, and of two writers at once the last one stays.

const (
	// digestDays is how many days are in a digest. More days are more to write anew after a change of one of them.
	digestDays = 8
	// digestCounts is how many counts are in a digest of several days, and maxDigest how many bytes are in any: a row of
	// the table holds 400 KB.
	digestCounts = 30_000
	maxDigest    = 350 << 10
	// wholeDays is a window that is read from cells without a look for digests.
	wholeDays = 2
	// gapDays is how many digested days between two outdated ones are read again, because a round trip costs more.
	gapDays = 3
)

// digestStart returns the first day that may share a digest with a day.
func digestStart(day time.Time) time.Time {
	days := day.Unix() / secondsOfDay
	return time.Unix((days-days%digestDays)*secondsOfDay, 0).UTC()
}

const secondsOfDay = 24 * 60 * 60

// readCells reads the cells of a workspace, or of a keyword, on the days from a day on and before another. It reads
// digests where they are up to date, and stores digests of the other days if those have many cells.
func (k *KeptCells) readCells(
	ctx context.Context, orgID string, keywordID int64, from, to time.Time,
) (*cellSet, error) {
	set := newCellSet()
	if to.Sub(from) <= wholeDays*oneDay {
		volumes, err := k.Volumes(ctx, orgID, keywordID, from, to)
		set.addVolumes(volumes)
		return set, err
	}
	// Digests at both ends have days outside the window, which are to stay in them.
	first, end := digestStart(from), digestStart(to.Add(digestDays*oneDay-1))
	var versions mention.DayVersions
	var digests []mention.Digest
	if err := parallel.Together(
		func() (err error) {
			versions, err = k.firstVersions(ctx, orgID, first, end)
			return err
		},
		func() (err error) {
			digests, err = k.Digests(ctx, orgID, keywordID, first, end)
			return err
		},
	); err != nil {
		return nil, err
	}
	known := map[time.Time]bool{} // days that set has as they are
	for _, digest := range digests {
		set.unpackDays(digest.Content, func(day time.Time, version int64) bool {
			if known[day] || version != versions.Of[day] || day.Before(first) || !day.Before(end) {
				return false
			}
			known[day] = true
			return true
		})
	}
	missing := gaps(known, from, to)
	found, errs := make([][]mention.Volume, len(missing)), make([]error, len(missing))
	parallel.Few(cellReads, len(missing), func(i int) {
		found[i], errs[i] = k.Volumes(ctx, orgID, keywordID, missing[i][0], missing[i][1])
	})
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	var fresh []time.Time // days that are worth a digest
	for i, gap := range missing {
		for day := gap[0]; day.Before(gap[1]); day = day.Add(oneDay) {
			delete(set.days, day) // read again between two outdated days
			if day.Before(versions.Settled) {
				fresh = append(fresh, day)
			}
		}
		set.addVolumes(found[i])
	}
	return set, k.keep(ctx, orgID, keywordID, set, versions, known, fresh)
}

// gaps lists the times of a window whose days are not known. Known days between close ones are in them.
func gaps(known map[time.Time]bool, from, to time.Time) (missing [][2]time.Time) {
	for day := from; day.Before(to); day = day.Add(oneDay) {
		if known[day] {
			continue
		}
		next := day.Add(oneDay)
		if last := len(missing) - 1; last >= 0 && day.Sub(missing[last][1]) <= gapDays*oneDay {
			missing[last][1] = next
		} else {
			missing = append(missing, [2]time.Time{day, next})
		}
	}
	return missing
}

// keep stores digests of fresh days that were read after versions, unless they have few cells. They are stored together
// with the known days of the same digests.
func (k *KeptCells) keep(
	ctx context.Context, orgID string, keywordID int64, s *cellSet, versions mention.DayVersions,
	known map[time.Time]bool, fresh []time.Time,
) error {
	cells := 0
	for _, day := range fresh {
		if found := s.days[day]; found != nil {
			cells += found.number
		}
	}
	if cells < max(1, k.limits.digested) {
		return nil
	}
	starts := map[time.Time]bool{}
	for _, day := range fresh {
		known[day] = s.days[day].packable()
		starts[digestStart(day)] = starts[digestStart(day)] || known[day]
	}
	var digests []mention.Digest
	for start, changed := range starts {
		if !changed {
			continue
		}
		var days []time.Time
		for day := start; day.Before(start.Add(digestDays * oneDay)); day = day.Add(oneDay) {
			if known[day] && day.Before(versions.Settled) {
				days = append(days, day)
			}
		}
		digests = append(digests, s.digests(days, versions)...)
	}
	return k.PutDigests(ctx, orgID, keywordID, digests)
}

// digests packs days of one digest. It takes more than one if there are many cells.
func (s *cellSet) digests(days []time.Time, versions mention.DayVersions) (all []mention.Digest) {
	for len(days) > 0 {
		n, counts := 0, 0
		for ; n < len(days); n++ {
			if day := s.days[days[n]]; day != nil {
				counts += len(day.counts)
			}
			if n > 0 && counts > digestCounts {
				break
			}
		}
		start := days[0]
		if len(all) == 0 {
			start = digestStart(start) // in place of the one that was there
		}
		if content := s.packDays(days[:n], versions); len(content) <= maxDigest {
			all = append(all, mention.Digest{Day: start, Content: content})
		}
		days = days[n:]
	}
	return all
}

// packable reports whether hours count all of the day's mentions, as a digest does.
func (d *dayCells) packable() bool {
	if d == nil {
		return true
	}
	n := int64(0)
	for _, c := range d.counts {
		n += c.mentions
	}
	return n == d.mentions
}

// digestVersion is of the content's form.
const digestVersion = 1

// Flags of a packed day.
const (
	flagSummed = 1 << iota
	flagChanged
)

// The byte of a count: the hour, and whether more than one mention follows, and whether it is the last of its cell.
const (
	hourBits = 1<<5 - 1
	countBit = 1 << 5
	lastBit  = 1 << 6
)

// packDays returns days as the content of a digest: tables of sources, languages, tones and tags, and then by day its
// cells, each as indexes of the tables and its counts.
func (s *cellSet) packDays(days []time.Time, versions mention.DayVersions) []byte {
	var tables [4]table
	packed := map[int32][]byte{} // indexes, by kind
	var plain []byte
	for _, at := range days {
		plain = appendInt(plain, at.Unix()/secondsOfDay)
		plain = appendInt(plain, versions.Of[at])
		day := s.days[at]
		if day == nil {
			plain = appendInt(plain, 0)
			continue
		}
		plain = appendInt(plain, int64(day.number))
		plain = appendInt(plain, day.mentions)
		plain = appendInt(plain, day.sum)
		flags := byte(0)
		if day.summed {
			flags |= flagSummed
		}
		if day.changed {
			flags |= flagChanged
		}
		plain = append(append(plain, flags), day.stamp()...)
		plain = appendInt(plain, int64(len(day.counts)))
		for i, c := range day.counts {
			if i == 0 || day.counts[i-1].kind != c.kind {
				indexes, known := packed[c.kind]
				if !known {
					for n, entry := range s.kinds[c.kind].entries() {
						indexes = appendInt(indexes, tables[n].index(entry))
					}
					packed[c.kind] = indexes
				}
				plain = append(plain, indexes...)
			}
			of := c.hour
			if c.mentions != 1 {
				of |= countBit
			}
			if i+1 == len(day.counts) || day.counts[i+1].kind != c.kind {
				of |= lastBit
			}
			if plain = append(plain, of); c.mentions != 1 {
				plain = appendInt(plain, c.mentions)
			}
		}
	}
	content := []byte{digestVersion}
	for _, one := range tables {
		content = appendInt(content, int64(len(one.entries)))
		for _, entry := range one.entries {
			content = append(content, entry...)
		}
	}
	return append(appendInt(content, int64(len(days))), plain...)
}

// A table of a digest numbers entries.
type table struct {
	entries []string
	numbers map[string]int64
}

func (t *table) index(entry string) int64 {
	number, known := t.numbers[entry]
	if !known {
		if t.numbers == nil {
			t.numbers = map[string]int64{}
		}
		number = int64(len(t.entries))
		t.entries, t.numbers[entry] = append(t.entries, entry), number
	}
	return number
}

// entries returns the kind's entries of the tables.
func (k *cellKind) entries() [4]string {
	tags := appendInt(nil, int64(len(k.tags)))
	for _, tag := range k.tags {
		tags = appendText(tags, tag)
	}
	return [4]string{
		string(appendText(nil, k.source)),
		string(appendText(nil, k.language)),
		string(appendInt(appendText(nil, string(k.sentiment)), int64(k.score))),
		string(tags),
	}
}

// unpackDays adds the days of a digest that are wanted. It leaves out days of a malformed content, and those after
// them. wanted is called for each day that is added, and for others.
func (s *cellSet) unpackDays(content []byte, wanted func(day time.Time, version int64) bool) {
	if len(content) == 0 || content[0] != digestVersion {
		return
	}
	r := newReader(content[1:])
	parts := [4][]cellKind{}
	for n := range parts {
		parts[n] = make([]cellKind, r.count())
		for i := range parts[n] {
			k := &parts[n][i]
			switch n {
			case 0:
				k.source = r.text()
			case 1:
				k.language = r.text()
			case 2:
				k.sentiment, k.score = mention.Sentiment(r.text()), int(r.int())
			default:
				for range r.count() {
					k.tags = append(k.tags, r.text())
				}
			}
		}
	}
	numbers := map[[4]int32]int32{} // of kinds, by indexes
	for range r.count() {
		at := time.Unix(r.int()*secondsOfDay, 0).UTC()
		version := r.int()
		day := s.unpackDay(r, &parts, numbers)
		if r.failed {
			return
		}
		if wanted(at, version) && day.number > 0 {
			s.days[at] = day
		}
	}
}

func (s *cellSet) unpackDay(r *reader, parts *[4][]cellKind, numbers map[[4]int32]int32) *dayCells {
	day := &dayCells{set: s, number: r.count()}
	if day.number == 0 {
		return day
	}
	day.mentions, day.sum = r.int(), r.int()
	flags := r.bytes(1 + stampBytes)
	if r.failed {
		return day
	}
	day.summed, day.changed, day.hash = flags[0]&flagSummed != 0, flags[0]&flagChanged != 0, flags[1:]
	day.counts = make([]cellCount, r.count())
	kind, last := int32(0), true
	for i := range day.counts {
		if last {
			var indexes [4]int32
			for n := range indexes {
				indexes[n] = int32(r.below(len(parts[n]))) //nolint:gosec // below a length
			}
			if r.failed {
				return day
			}
			var known bool
			if kind, known = numbers[indexes]; !known {
				tone := &parts[2][indexes[2]]
				kind = s.number(cellKind{
					source:    parts[0][indexes[0]].source,
					language:  parts[1][indexes[1]].language,
					sentiment: tone.sentiment,
					score:     tone.score,
					tags:      parts[3][indexes[3]].tags,
				})
				numbers[indexes] = kind
			}
		}
		of := r.bytes(1)
		if r.failed || of[0]&hourBits >= 24 {
			r.failed = true
			return day
		}
		day.counts[i] = cellCount{kind, of[0] & hourBits, 1}
		if of[0]&countBit != 0 {
			day.counts[i].mentions = r.int()
		}
		last = of[0]&lastBit != 0
	}
	return day
}

// bytes reads so many bytes. They share memory with the content.
func (r *reader) bytes(n int) []byte {
	if n > len(r.left) {
		r.left, r.failed = nil, true
		return nil
	}
	read := r.left[:n]
	r.left = r.left[n:]
	return read
}
