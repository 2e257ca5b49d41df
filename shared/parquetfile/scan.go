package parquetfile

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/parquet-go/parquet-go"

	"earshot/shared/analytics/files"
	"earshot/shared/filter"
	"earshot/shared/mention"
)

// Wanted says which properties of mentions a scan reads. A property that is not wanted is missing in its rows.
type Wanted struct {
	Source, Language, Sentiment, Relevance, Tags, Keywords, Author, Followers, Engaged, Reply, Rating, Counters bool
	Engagement                                                                                                  bool // the sum of the counters, except views
}

// A Group is several mentions that are equal in all wanted properties and in the same time between two edges.
type Group struct {
	Row        *filter.Row // valid until the function that it was given to returns
	Newest     time.Time   // when the newest of them was posted
	Mentions   int64
	Engagement int64
}

// maxTuples bounds how many different combinations of properties a scan remembers.
const maxTuples = 4_000_000

// ErrTooVaried means that the mentions of a scan have more combinations of the wanted properties than fit into memory.
var ErrTooVaried = errors.New("parquetfile: the wanted properties have too many values")

// A Scanner counts the mentions in files. It works on the codes of values, and makes a row for each combination of
// values, not for each mention. Its memory is bounded by the combinations.
type Scanner struct {
	filter  *filter.Predicate
	edges   []int64 // in milliseconds, descending
	columns []*column
	fill    []func(*filter.Row, []parquet.Value)
	pairs   []pairing // of the tuple so far with the code of a column
	posted  raw
	sum     *raw
	texts   []*texts // that the filter decides by: the words, or title and body

	row     filter.Row
	verdict []int8 // by tuple: 1 if the filter takes its rows, or may take them by their texts, -1 if not
	count   []int64
	total   []int64 // of engagement
	newest  []int64
	touched []uint32
	each    func(Group)
}

// NewScanner makes a scanner of the mentions that a filter takes, which were posted between the first and the last of
// edges. Groups do not reach over an edge. edges ascend.
func NewScanner(f *filter.Predicate, wanted Wanted, edges []time.Time) *Scanner {
	s := &Scanner{filter: f, posted: raw{path: files.PostedAt}}
	for i := range edges {
		s.edges = append(s.edges, edges[len(edges)-1-i].UnixMilli())
	}
	if wanted.Engagement {
		s.sum = &raw{path: files.Engagement}
	}
	switch {
	case f.NeedsLetters():
		s.texts = []*texts{{path: files.Title}, {path: files.Body}}
	case f.NeedsText():
		s.texts = []*texts{{path: files.Words}}
	}
	for _, c := range []struct {
		wanted bool
		fill   func(*filter.Row, []parquet.Value)
		path   []string
	}{
		{wanted.Source, func(r *filter.Row, v []parquet.Value) { r.Source = v[0].String() }, []string{files.Source}},
		{wanted.Language, func(r *filter.Row, v []parquet.Value) { r.Language = v[0].String() }, []string{files.Language}},
		{wanted.Sentiment, func(r *filter.Row, v []parquet.Value) {
			r.Sentiment = mention.Sentiment(v[0].String())
		}, []string{files.Sentiment}},
		{wanted.Relevance, func(r *filter.Row, v []parquet.Value) { r.Score = int(v[0].Int32()) }, []string{files.Relevance}},
		{wanted.Engaged, func(r *filter.Row, v []parquet.Value) { r.Engaged = v[0].Boolean() }, []string{files.Engaged}},
		{wanted.Reply, func(r *filter.Row, v []parquet.Value) { r.IsReply = v[0].Boolean() }, []string{files.IsReply}},
		{wanted.Rating, func(r *filter.Row, v []parquet.Value) { r.Rating = v[0].Double() }, []string{files.ReviewRating}},
		{wanted.Tags, func(r *filter.Row, v []parquet.Value) {
			for _, tag := range v {
				r.Tags = append(r.Tags, tag.String())
			}
		}, []string{files.Tags, "list", "element"}},
		{wanted.Keywords, func(r *filter.Row, v []parquet.Value) {
			for _, id := range v {
				r.KeywordIDs = append(r.KeywordIDs, id.Int64())
			}
		}, []string{files.KeywordIDs, "list", "element"}},
		{wanted.Author, func(r *filter.Row, v []parquet.Value) { r.Author = v[0].String() }, []string{files.Author}},
		{wanted.Followers, func(r *filter.Row, v []parquet.Value) { r.Followers = v[0].Int64() },
			[]string{files.AuthorFollowers}},
		{wanted.Counters, func(r *filter.Row, v []parquet.Value) {
			for _, metric := range v {
				r.Engagement = append(r.Engagement, filter.Counter{Metric: metric.String()})
			}
		}, []string{files.EngagementMetrics, "key_value", "key"}},
		{wanted.Counters, func(r *filter.Row, v []parquet.Value) {
			for i, count := range v {
				r.Engagement[i].Count = count.Int64()
			}
		}, []string{files.EngagementMetrics, "key_value", "value"}},
	} {
		if c.wanted {
			s.columns, s.fill = append(s.columns, newColumn(c.path...)), append(s.fill, c.fill)
			s.pairs = append(s.pairs, pairing{})
		}
	}
	return s
}

// Scan calls each with the groups of a file, in the order of their newest mentions, the newest first within two edges.
func (s *Scanner) Scan(from io.ReaderAt, size int64, each func(Group)) error {
	file, err := parquet.OpenFile(from, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return fmt.Errorf("parquetfile: open a file: %w", err)
	}
	if version, _ := file.Lookup(versionKey); version != fmt.Sprint(files.Version) {
		return fmt.Errorf("parquetfile: the file has version %q, not %d", version, files.Version)
	}
	s.each = each
	edge := 0
	for _, group := range file.RowGroups() {
		if err := s.group(file, group, &edge); err != nil {
			return err
		}
	}
	s.flush()
	return nil
}

// A reader is a leaf of a file that is read row by row.
type reader interface {
	open(*parquet.File, parquet.RowGroup) error
	left() (int, error)
}

// group counts a group of rows.
func (s *Scanner) group(file *parquet.File, group parquet.RowGroup, edge *int) (err error) {
	readers := []reader{&s.posted}
	for _, c := range s.columns {
		readers = append(readers, c)
	}
	if s.sum != nil {
		readers = append(readers, s.sum)
	}
	for _, c := range s.texts {
		readers = append(readers, c)
	}
	defer s.close()
	for _, r := range readers {
		if err := r.open(file, group); err != nil {
			return err
		}
	}
	for done := int64(0); done < group.NumRows(); {
		n := int(group.NumRows() - done)
		for _, r := range readers {
			left, err := r.left()
			if err != nil {
				return fmt.Errorf("parquetfile: read a column: %w", err)
			}
			n = min(n, left)
		}
		if err := s.rows(n, edge); err != nil {
			return err
		}
		done += int64(n)
	}
	return nil
}

// close closes what a group of rows has opened.
func (s *Scanner) close() {
	opened := []*parquet.Pages{&s.posted.pages}
	for _, c := range s.columns {
		opened = append(opened, &c.pages)
	}
	if s.sum != nil {
		opened = append(opened, &s.sum.pages)
	}
	for _, c := range s.texts {
		opened = append(opened, &c.pages)
	}
	for _, pages := range opened {
		if *pages != nil {
			(*pages).Close()
			*pages = nil
		}
	}
}

// rows counts the next n rows of all columns.
func (s *Scanner) rows(n int, edge *int) error {
	tuples := make([]uint32, n)
	for i, c := range s.columns {
		pair := &s.pairs[i]
		for k, code := range c.rows[c.next:][:n] {
			tuples[k] = pair.of(tuples[k], code)
		}
		c.next += n
	}
	for most := s.tuples(); len(s.count) < most; {
		grown := make([]int64, 2*most)
		copy(grown, s.count)
		s.count = grown
		s.newest, s.total = append(make([]int64, 0, 2*most), s.newest...)[:2*most],
			append(make([]int64, 0, 2*most), s.total...)[:2*most]
		s.verdict = append(make([]int8, 0, 2*most), s.verdict...)[:2*most]
	}
	if s.tuples() > maxTuples {
		return ErrTooVaried
	}
	for k, posted := range s.posted.rows[s.posted.next:][:n] {
		for *edge < len(s.edges) && posted < s.edges[*edge] {
			s.flush()
			*edge++
		}
		if *edge == 0 || *edge == len(s.edges) {
			continue // after the last edge, or before the first
		}
		tuple := tuples[k]
		if s.texts != nil && !s.takes(tuple, k, posted) {
			continue
		}
		if s.count[tuple] == 0 {
			s.touched, s.newest[tuple] = append(s.touched, tuple), posted
		}
		s.count[tuple]++
		if s.sum != nil {
			s.total[tuple] += s.sum.rows[s.sum.next+k]
		}
	}
	s.posted.next += n
	if s.sum != nil {
		s.sum.next += n
	}
	for _, c := range s.texts {
		c.next += n
	}
	return nil
}

// tuples returns how many different tuples there are.
func (s *Scanner) tuples() int {
	if len(s.pairs) == 0 {
		return 1
	}
	return int(s.pairs[len(s.pairs)-1].next) + 1
}

// read fills the scanner's row with the values of a tuple.
func (s *Scanner) read(tuple uint32, posted int64) {
	s.row.Reset()
	s.row.Timestamp = mention.Timestamp(time.UnixMilli(posted))
	codes := make([]uint32, len(s.columns))
	for i := len(s.columns) - 1; i >= 0; i-- {
		tuple, codes[i] = s.pairs[i].split(tuple)
	}
	for i, code := range codes {
		if code != 0 {
			s.fill[i](&s.row, s.columns[i].values[code])
		}
	}
}

// judge reports whether the filter takes the rows of a tuple, or may take them by their texts.
func (s *Scanner) judge(tuple uint32, posted int64) bool {
	if s.verdict[tuple] == 0 {
		s.read(tuple, posted)
		s.verdict[tuple] = -1
		if s.filter.Row(&s.row) {
			s.verdict[tuple] = 1
		}
	}
	return s.verdict[tuple] > 0
}

// takes reports whether the filter takes a row by its texts.
func (s *Scanner) takes(tuple uint32, k int, posted int64) bool {
	if !s.judge(tuple, posted) {
		return false
	}
	s.read(tuple, posted)
	text := func(i int) *string { return &s.texts[i].rows[s.texts[i].next+k] }
	if !s.filter.NeedsLetters() {
		return s.filter.RowWithWords(&s.row, *text(0))
	}
	m := toMention(&s.row)
	m.PostedAt, m.Title, m.Body = time.UnixMilli(posted), text(0), text(1)
	return s.filter.Mention(&m)
}

// toMention returns a mention that has what a row has.
func toMention(row *filter.Row) mention.Mention {
	m := mention.Mention{
		Source: row.Source, Language: row.Language, Sentiment: row.Sentiment, IsReply: row.IsReply, Engaged: row.Engaged,
		Engagement: map[string]int64{},
	}
	if row.Score >= 0 {
		score := mention.Score(row.Score)
		m.RelevanceScore = &score
	}
	for _, tag := range row.Tags {
		m.Tags = append(m.Tags, mention.Tag(tag))
	}
	for _, id := range row.KeywordIDs {
		m.Keywords = append(m.Keywords, mention.Keyword{ID: id})
	}
	if row.Author != "" {
		m.Author = &row.Author
	}
	if row.Followers >= 0 {
		m.AuthorFollowers = &row.Followers
	}
	if row.Rating != 0 {
		m.Review = &mention.Review{Rating: row.Rating}
	}
	for _, counter := range row.Engagement {
		m.Engagement[counter.Metric] = counter.Count
	}
	return m
}

// flush hands over the groups since the last edge.
func (s *Scanner) flush() {
	for _, tuple := range s.touched {
		if s.texts != nil || s.judge(tuple, s.newest[tuple]) {
			s.read(tuple, s.newest[tuple])
			s.each(Group{&s.row, time.UnixMilli(s.newest[tuple]).UTC(), s.count[tuple], s.total[tuple]})
		}
		s.count[tuple], s.total[tuple] = 0, 0
	}
	s.touched = s.touched[:0]
}

// A pairing numbers pairs of numbers, from 0 on, in the order in which they are met.
type pairing struct {
	dense  []uint32 // of numbers below denseSide: one more than the pair's number
	sparse map[uint64]uint32
	pairs  []uint64
	next   uint32
}

const denseSide = 1 << 8

func (p *pairing) of(a, b uint32) uint32 {
	if a < denseSide && b < denseSide {
		if p.dense == nil {
			p.dense = make([]uint32, denseSide*denseSide)
		}
		at := &p.dense[a*denseSide+b]
		if *at == 0 {
			*at = p.add(a, b) + 1
		}
		return *at - 1
	}
	key := uint64(a)<<32 | uint64(b)
	number, known := p.sparse[key]
	if !known {
		if p.sparse == nil {
			p.sparse = map[uint64]uint32{}
		}
		number = p.add(a, b)
		p.sparse[key] = number
	}
	return number
}

func (p *pairing) add(a, b uint32) uint32 {
	p.pairs = append(p.pairs, uint64(a)<<32|uint64(b))
	p.next++
	return p.next - 1
}

func (p *pairing) split(number uint32) (a, b uint32) {
	return uint32(p.pairs[number] >> 32), uint32(p.pairs[number])
}
