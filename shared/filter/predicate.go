package filter

import (
	"math"
	"strings"

	"earshot/shared/mention"
)

// roomy is how many words of bits fit without an allocation: 256 conditions.
const roomy = 4

// NeedsText reports whether Row can leave a mention undecided, so that Mention must decide.
func (p *Predicate) NeedsText() bool { return p.phrases.byWord != nil || p.phrases.literals != nil }

// Row returns false if the mention does not match, whatever its texts say. It returns true if the mention matches or,
// with NeedsText, if its texts decide. A negated condition on text excludes nothing here, because a digest is never
// certain that a word occurs. Row does not allocate unless there are more than 256 conditions.
func (p *Predicate) Row(row *Row) bool {
	if !p.inWindow(row.Timestamp) {
		return false
	}
	var room [roomy]uint64
	bits := p.room(&room)
	p.look(row, bits)
	if !p.NeedsText() {
		return p.holds(bits)
	}
	if sorted, telling := hashes(row.Words); telling {
		p.phrases.inDigest(sorted, bits)
	} else {
		bits.or(p.texts)
	}
	for i := range bits {
		bits[i] = bits[i] ^ p.negated[i] | p.negated[i]&p.texts[i]
	}
	return p.tree.holds(bits)
}

// Mention reports whether a mention matches.
func (p *Predicate) Mention(m *mention.Mention) bool {
	var row Row
	row.Fill(m)
	if !p.inWindow(row.Timestamp) {
		return false
	}
	var room [roomy]uint64
	bits := p.room(&room)
	p.look(&row, bits)
	if p.NeedsText() {
		for _, text := range []*string{m.Title, m.Body} {
			if text != nil {
				p.phrases.inText(*text, bits)
			}
		}
	}
	return p.holds(bits)
}

// NeedsLetters reports whether a condition on text has a value without a word, which RowWithWords cannot decide.
func (p *Predicate) NeedsLetters() bool { return p.phrases.literals != nil }

// RowWithWords reports whether a mention matches that has a row and the Words of its texts. It decides what Mention
// decides, without NeedsLetters.
func (p *Predicate) RowWithWords(row *Row, words string) bool {
	if !p.inWindow(row.Timestamp) {
		return false
	}
	var room [roomy]uint64
	bits := p.room(&room)
	p.look(row, bits)
	if p.NeedsText() {
		p.phrases.side(strings.Split(words, wordEnd), bits)
	}
	return p.holds(bits)
}

func (p *Predicate) inWindow(timestamp string) bool {
	return !p.never && timestamp >= p.start && (p.until == "" || timestamp < p.until)
}

func (p *Predicate) room(fixed *[roomy]uint64) set {
	if p.size <= roomy {
		return fixed[:p.size]
	}
	return p.newSet()
}

// holds evaluates the tree on the conditions that hold before negation.
func (p *Predicate) holds(bits set) bool {
	for i := range bits {
		bits[i] ^= p.negated[i]
	}
	return p.tree.holds(bits)
}

func (g *gate) holds(bits set) bool {
	for i, wanted := range g.mask {
		switch {
		case g.any && bits[i]&wanted != 0:
			return true
		case !g.any && bits[i]&wanted != wanted:
			return false
		}
	}
	for i := range g.kids {
		if g.kids[i].holds(bits) == g.any {
			return g.any
		}
	}
	return !g.any
}

// look sets the bit of every condition that the row satisfies, except those on texts, without negation.
func (p *Predicate) look(row *Row, bits set) {
	if p.sources.used() {
		bits.or(p.ofSource(row.Source))
	}
	if p.sentiments.used() {
		bits.or(p.sentiments.get(string(row.Sentiment), trait(string(row.Sentiment))))
	}
	if p.languages.used() {
		language := row.Language
		if language == "" {
			language = mention.Undetermined
		}
		bits.or(p.languages.get(language, trait(language)))
	}
	if p.tags.used() {
		for _, tag := range row.Tags {
			bits.or(p.tags.get(tag, trait(tag)))
		}
	}
	if p.keywords.used() {
		for _, id := range row.KeywordIDs {
			bits.or(p.keywords.get(id, idTrait(id)))
		}
	}
	if row.Score >= 0 && row.Score < len(p.scores) {
		bits.or(p.scores[row.Score])
	}
	if p.without != nil {
		p.lookMissing(row, bits)
	}
	bits.or(p.replies[choose(row.IsReply)])
	bits.or(p.engaged[choose(row.Engaged)])
	if stars := math.Floor(row.Rating + 0.5); stars >= 1 && stars <= 5 {
		bits.or(p.ratings[int(stars)])
	}
	if p.authors.used() && row.Author != "" {
		var room [MaxText]byte
		bits.or(getBytes(&p.authors, mention.AppendHandle(room[:0], row.Author)))
	}
	if p.followers != nil && row.Followers >= 0 && ofX(row.Source) {
		for _, f := range p.followers {
			if row.Followers >= f.least && row.Followers <= f.most {
				bits.add(f.bit)
			}
		}
	}
	for _, has := range row.Engagement {
		if p.metrics.mask>>trait(has.Metric)&1 == 0 {
			continue
		}
		place := p.metrics.find(has.Metric)
		if place < 0 {
			continue
		}
		for _, wanted := range p.comparisons[place] {
			if wanted.holds(has.Count) &&
				(wanted.source == row.Source || strings.EqualFold(wanted.source, row.Source)) {
				bits.add(wanted.bit)
			}
		}
	}
}

// lookMissing sets the bits of the conditions that hold because the row lacks a value.
func (p *Predicate) lookMissing(row *Row, bits set) {
	if row.Sentiment == "" {
		bits.or(p.without[Sentiment])
	}
	if len(row.Tags) == 0 {
		bits.or(p.without[Tag])
	}
	if len(row.KeywordIDs) == 0 {
		bits.or(p.without[Keyword])
	}
	if row.Score < 0 {
		bits.or(p.without[Relevance])
	}
}

// ofSource looks a source up, folded when it must be.
func (p *Predicate) ofSource(source string) set {
	for i := range len(source) {
		if c := source[i]; 'A' <= c && c <= 'Z' || c >= 0x80 {
			var room [MaxName]byte
			return getBytes(&p.sources, mention.AppendFolded(room[:0], source))
		}
	}
	return p.sources.get(source, trait(source))
}
