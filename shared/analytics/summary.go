package analytics

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/axiomhq/hyperloglog"

	"earshot/shared/filter"
	"earshot/shared/mention"
)

// summaryVersion is of the content's form. It is part of the stamp, so that summaries of another form are outdated.
const summaryVersion = 1

// The first byte of a summary's content.
const (
	listed   = 'L' // every mention
	sketched = 'S' // sketches of the authors
)

// A kind is what mentions of a summary share, except hour, author and followers.
type kind struct {
	source, sentiment string
	score             int
	language          string
	tags              []string
	keywords          []int64
	packed            string // its bytes in the list that it was read from
}

// An entry is a mention of a list. kind and author are indexes; author is -1 if the mention has none.
type entry struct {
	hour, kind, author int
	followers          int64
}

// A list holds the mentions of a day of UTC without their texts, the newest first.
type list struct {
	kinds   []kind
	authors []string // keys of authors
	entries []entry

	kindNumbers   map[string]int
	authorNumbers map[string]int
}

func newList() *list { return &list{kindNumbers: map[string]int{}, authorNumbers: map[string]int{}} }

// add appends a mention. Rows come newest first.
func (l *list) add(row *filter.Row) {
	hour := int(row.Timestamp[len("2006-01-02 ")]-'0')*10 + int(row.Timestamp[len("2006-01-02 1")]-'0')
	tags := slices.Compact(slices.Sorted(slices.Values(row.Tags)))
	keywords := slices.Compact(slices.Sorted(slices.Values(row.KeywordIDs)))
	of := kind{strings.ToLower(row.Source), string(row.Sentiment), row.Score, row.Language, tags, keywords, ""}
	name := string(of.append(nil))
	number, known := l.kindNumbers[name]
	if !known {
		number = len(l.kinds)
		l.kinds, l.kindNumbers[name] = append(l.kinds, of), number
	}
	author := -1
	if key := authorOf(row); key != "" {
		if author, known = l.authorNumbers[key]; !known {
			author = len(l.authors)
			l.authors, l.authorNumbers[key] = append(l.authors, key), author
		}
	}
	l.entries = append(l.entries, entry{hour, number, author, max(0, row.Followers)})
}

func (k kind) append(to []byte) []byte {
	for _, text := range []string{k.source, k.sentiment, k.language} {
		to = appendText(to, text)
	}
	to = appendInt(to, int64(k.score))
	to = appendInt(to, int64(len(k.tags)))
	for _, tag := range k.tags {
		to = appendText(to, tag)
	}
	to = appendInt(to, int64(len(k.keywords)))
	for _, id := range k.keywords {
		to = appendInt(to, id)
	}
	return to
}

// pack returns the list as the content of a summary. Numbers of followers are written where they differ from those of
// the author's newer mention.
func (l *list) pack() ([]byte, error) {
	plain := appendInt(nil, int64(len(l.kinds)))
	for _, k := range l.kinds {
		plain = k.append(plain)
	}
	plain = appendInt(plain, int64(len(l.authors)))
	for _, author := range l.authors {
		plain = appendText(plain, author)
	}
	plain = appendInt(plain, int64(len(l.entries)))
	for _, column := range []func(entry) int64{
		func(e entry) int64 { return int64(e.hour) },
		func(e entry) int64 { return int64(e.kind) },
		l.numbering(),
		l.followersOf(),
	} {
		for _, e := range l.entries {
			plain = appendInt(plain, column(e))
		}
	}
	return compressed(listed, plain)
}

// numbering returns the column of authors: -1 for none, 0 for the next new author, otherwise one more than its number.
func (l *list) numbering() func(entry) int64 {
	next := 0
	return func(e entry) int64 {
		switch e.author {
		case -1:
			return -1
		case next:
			next++
			return 0
		}
		return int64(e.author) + 1
	}
}

// followersOf returns the column of followers: 0 for as many as in the author's newer mention, otherwise one more than
// their number.
func (l *list) followersOf() func(entry) int64 {
	known := map[int]int64{}
	return func(e entry) int64 {
		if e.author < 0 || known[e.author] == e.followers {
			return 0
		}
		known[e.author] = e.followers
		return e.followers + 1
	}
}

func appendInt(to []byte, n int64) []byte { return binary.AppendVarint(to, n) }

func appendText(to []byte, text string) []byte {
	return append(binary.AppendUvarint(to, uint64(len(text))), text...)
}

// errSummary means that the content of a summary is malformed.
var errSummary = errors.New("analytics: a malformed summary")

// unpackList undoes pack. The list is valid until the next one is unpacked; its texts stay.
func (u *unpacker) unpackList(plain []byte) (*list, error) {
	r := newReader(plain)
	l := &u.list
	tags, keywords := u.tags[:0], u.keywords[:0] // of all kinds
	kinds := r.count()
	l.kinds = slices.Grow(l.kinds[:0], kinds)
	for range kinds {
		start := len(r.all) - len(r.left)
		k := kind{source: r.text(), sentiment: r.text(), language: r.text(), score: int(r.int())}
		first := len(tags)
		for range r.count() {
			tags = append(tags, r.text())
		}
		k.tags, first = tags[first:len(tags):len(tags)], len(keywords)
		for range r.count() {
			keywords = append(keywords, r.int())
		}
		k.keywords = keywords[first:len(keywords):len(keywords)]
		k.packed = r.all[start : len(r.all)-len(r.left)]
		l.kinds = append(l.kinds, k)
	}
	u.tags, u.keywords = tags, keywords
	l.authors = cleared(l.authors, r.count())
	for i := range l.authors {
		l.authors[i] = r.text()
	}
	l.entries = cleared(l.entries, r.count())
	for i := range l.entries {
		l.entries[i].hour = int(r.below(24))
	}
	for i := range l.entries {
		l.entries[i].kind = int(r.below(len(l.kinds)))
	}
	next := int64(0)
	for i := range l.entries {
		author := r.int()
		if author == 0 {
			author, next = next, next+1
		} else if author > 0 {
			author--
		}
		if author < -1 || author >= int64(len(l.authors)) {
			return nil, errSummary
		}
		l.entries[i].author = int(author)
	}
	u.known = cleared(u.known, len(l.authors))
	known := u.known
	for i := range l.entries {
		followers, author := r.int(), l.entries[i].author
		if author < 0 {
			continue
		}
		if followers > 0 {
			known[author] = followers - 1
		}
		l.entries[i].followers = known[author]
	}
	if r.failed || len(r.left) > 0 {
		return nil, errSummary
	}
	return l, nil
}

// A group holds the authors of a day's mentions that share a score and either a source or a keyword.
type group struct {
	source                     string
	keyword                    int64 // 0 for a group by source
	score                      int
	mentions, negative, judged int64
	authors                    *hyperloglog.Sketch
}

// sketches divides the list's authors by source and score, and by keyword and score.
func (l *list) sketches() []group {
	type name struct {
		source  string
		keyword int64
		score   int
	}
	groups := map[name]*group{}
	for _, e := range l.entries {
		k := l.kinds[e.kind]
		names := []name{{source: k.source, score: k.score}}
		for _, id := range k.keywords {
			names = append(names, name{keyword: id, score: k.score})
		}
		for _, n := range names {
			g := groups[n]
			if g == nil {
				g = &group{source: n.source, keyword: n.keyword, score: n.score, authors: hyperloglog.New14()}
				groups[n] = g
			}
			g.mentions++
			if k.sentiment != "" {
				g.judged++
			}
			if k.sentiment == string(mention.Negative) {
				g.negative++
			}
			if e.author >= 0 {
				g.authors.Insert([]byte(l.authors[e.author]))
			}
		}
	}
	sorted := make([]group, 0, len(groups))
	for _, n := range slices.SortedFunc(maps.Keys(groups), func(x, y name) int {
		return strings.Compare(fmt.Sprint(x), fmt.Sprint(y))
	}) {
		sorted = append(sorted, *groups[n])
	}
	return sorted
}

func packSketches(groups []group) ([]byte, error) {
	plain := appendInt(nil, int64(len(groups)))
	for _, g := range groups {
		plain = appendText(plain, g.source)
		for _, n := range []int64{g.keyword, int64(g.score), g.mentions, g.negative, g.judged} {
			plain = appendInt(plain, n)
		}
		g.authors.Estimate() // packs the sketch
		sketch, err := g.authors.MarshalBinary()
		if err != nil {
			return nil, fmt.Errorf("write a sketch: %w", err)
		}
		plain = appendText(plain, string(sketch))
	}
	return compressed(sketched, plain)
}

func unpackSketches(plain []byte) ([]group, error) {
	r := newReader(plain)
	groups := make([]group, r.count())
	for i := range groups {
		g := &groups[i]
		g.source, g.keyword, g.score = r.text(), r.int(), int(r.int())
		g.mentions, g.negative, g.judged = r.int(), r.int(), r.int()
		g.authors = &hyperloglog.Sketch{}
		if err := g.authors.UnmarshalBinary([]byte(r.text())); err != nil {
			return nil, fmt.Errorf("read a sketch: %w", err)
		}
	}
	if r.failed || len(r.left) > 0 {
		return nil, errSummary
	}
	return groups, nil
}

func compressed(form byte, plain []byte) ([]byte, error) {
	var out bytes.Buffer
	out.WriteByte(form)
	writer, err := flate.NewWriter(&out, flate.DefaultCompression)
	if err != nil {
		return nil, fmt.Errorf("compress a summary: %w", err)
	}
	if _, err := writer.Write(plain); err != nil {
		return nil, fmt.Errorf("compress a summary: %w", err)
	}
	if err := writer.Close(); err != nil {
		return nil, fmt.Errorf("compress a summary: %w", err)
	}
	return out.Bytes(), nil
}

// maxPlain bounds the bytes of a summary before compression.
const maxPlain = 64 << 20

// A summary is what was read of a stored summary: a list, or groups.
type summary struct {
	list   *list
	groups []group
}

// An unpacker reads contents one after the other, in the same memory.
type unpacker struct {
	inflate  io.ReadCloser
	plain    bytes.Buffer
	list     list
	tags     []string // of the list's kinds
	keywords []int64
	known    []int64 // followers, by author
}

func (u *unpacker) unpack(content []byte) (summary, error) {
	if len(content) == 0 {
		return summary{}, errSummary
	}
	if u.inflate == nil {
		u.inflate = flate.NewReader(nil)
	}
	if err := u.inflate.(flate.Resetter).Reset(bytes.NewReader(content[1:]), nil); err != nil {
		return summary{}, fmt.Errorf("decompress a summary: %w", err)
	}
	u.plain.Reset()
	if _, err := u.plain.ReadFrom(io.LimitReader(u.inflate, maxPlain)); err != nil {
		return summary{}, fmt.Errorf("decompress a summary: %w", err)
	}
	plain := u.plain.Bytes()
	switch content[0] {
	case listed:
		found, err := u.unpackList(plain)
		return summary{list: found}, err
	case sketched:
		groups, err := unpackSketches(plain)
		return summary{groups: groups}, err
	}
	return summary{}, errSummary
}

// A reader reads numbers and texts. After the first malformed one it returns zeros.
type reader struct {
	left   []byte
	all    string // what left is the end of; texts share its memory
	failed bool
}

func newReader(content []byte) *reader { return &reader{left: content, all: string(content)} }

func (r *reader) int() int64 {
	n, length := binary.Varint(r.left)
	if length <= 0 {
		r.left, r.failed = nil, true
		return 0
	}
	r.left = r.left[length:]
	return n
}

// below reads a number from 0 to bound-1.
func (r *reader) below(bound int) int64 {
	n := r.int()
	if n < 0 || n >= int64(bound) {
		r.left, r.failed = nil, true
		return 0
	}
	return n
}

// count reads how many follow. Each takes at least a byte.
func (r *reader) count() int {
	n := r.int()
	if n < 0 || n > int64(len(r.left)) {
		r.left, r.failed = nil, true
		return 0
	}
	return int(n)
}

func (r *reader) text() string {
	length, n := binary.Uvarint(r.left)
	if n <= 0 || length > uint64(len(r.left)-n) {
		r.left, r.failed = nil, true
		return ""
	}
	text := r.all[len(r.all)-len(r.left)+n:][:length]
	r.left = r.left[n+int(length):]
	return text
}
