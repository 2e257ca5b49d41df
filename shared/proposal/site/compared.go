package site

import (
	"slices"
	"strings"

	"earshot/shared/text"
)

// tabled notes that a table begins.
func (r *reader) tabled() {
	r.rows = 0
	section := ""
	for _, above := range r.sections {
		section = first(above, section)
	}
	if len(r.tables) < maxTables {
		r.tables = append(r.tables, table{section: section})
	} else {
		r.rows = maxRows + 1
	}
}

// cell reports whether the text of the cell that begins is to be taken.
func (r *reader) cell() bool {
	return len(r.tables) > 0 && r.rows > 0 && r.rows <= maxRows
}

// celled notes the text of a cell.
func (r *reader) celled(said string) {
	if len(r.tables) == 0 {
		return
	}
	t := &r.tables[len(r.tables)-1]
	switch {
	case r.rows == 1 && len(t.heads) < maxCells:
		t.heads = append(t.heads, said)
	case r.rows > 1 && answer.MatchString(said):
		t.answers++
	}
	if r.rows > 1 && r.column == 1 && len(t.firsts) < maxCells {
		t.firsts = append(t.firsts, said)
	}
}

// answer finds cells that say yes or no.
var answer = text.NewPattern(`(?i)^(?:[✓✔✅✗✘✕❌×—–-]|yes|no|ja|nein|nee|oui|non|sí|si|não|sim|tak|nie|○|◯|はい|いいえ)$`)

// compares reports whether a table says of several what each of them has.
func (t table) compares() bool {
	return t.answers > 1 || groupOf(t.section) == ofComparisons || comparing.MatchString(t.section)
}

// comparing finds headings of tables that compare.
var comparing = text.NewPattern(
	`(?i)\bcompar|\bbenchmark|\bversus\b|\bvs\b|\balternativ|\bvergl[ei]+ch|\bconfront|porówn|比較`)

// unlike finds whom a sentence says that the company is unlike: "Unlike Globex and Initech, we…". German writes all nouns
// as names, so that it is left out.
var unlike = text.NewPattern(
	`(?:^|[.!?]\s+)(?i:unlike|contrairement à|a diferencia de|a differenza di|ao contrário d[aeo]|diferente d[aeo]|` +
		`w przeciwieństwie do|in tegenstelling tot)\s+([^.,;:!?()]{2,60}(?:,\s(?:\p{Lu}[\p{L}\d.]+\s?){1,3}){0,3}),`,
)

// lesser finds than what a text calls something cheaper or simpler: "a simpler system than Globex or Initech". German
// writes all nouns as names, so that it is left out.
var lesser = text.NewPattern(
	`(?:(?i:\b(?:cheaper|simpler|easier|lighter|faster)(?:\s\p{L}+){0,3}?\s+than|` +
		`\b(?:plus\s+(?:simple|léger|rapide|facile)s?|moins\s+ch(?:er|ère)s?)\s+que|` +
		`\bm(?:ás|ais)\s+(?:simple|sencill[oa]|barat[oa]|rápid[oa]|fácil)(?:es|s)?\s+(?:do\s+)?que|` +
		`\bpiù\s+(?:semplice|economic[oa]|veloce|facile|legger[oa])\s+di|` +
		`\b(?:goedkoper|eenvoudiger|sneller|makkelijker|lichter)\s+dan|` +
		`\b(?:tańsz|prostsz|szybsz|łatwiejsz|lżejsz)\p{L}*(?:\s\p{L}+){0,2}?\s+niż))\s+` + namesInTurn,
)

// left finds whom customers leave, as a sentence says it: "Most teams switch from Globex or Initech". People come and
// move from towns too, so these words need "to us".
var left = text.NewPattern(
	`(?:(?i:\bswitch(?:ed|ing)?\s+(?:over\s+)?(?:to us\s+)?from|\bmigrat(?:ed?|ing)\s+(?:over\s+)?(?:to us\s+)?from|` +
		`\b(?:come|came|moved?)\s+to us\s+from|\b(?:reprise|migr\p{L}+|bascul\p{L}+)(?:\s[\p{L}’'-]+){0,4}?\s+depuis|` +
		`\b(?:migr|cambi)\p{L}+(?:\s\p{L}+){0,2}?\s+desde|\bmigr\p{L}+\s+da|\boverst\p{L}+\s+van))\s+` + namesInTurn,
)

// leftInGerman finds the same in German, which says at the end that customers come to the company.
var leftInGerman = text.NewPattern(`(?i:\b(?:kommen|wechseln|wechselten)\s+von)\s+` + namesInTurn + `\s?zu uns\b`)

// namesInTurn are names one after the other, the last behind a word. A point within a name stays: "monday.com".
const (
	nameWord    = `\p{Lu}[\p{L}\d]*(?:\.[\p{L}\d]+)*`
	namesInTurn = `((?:` + nameWord + `\s?){1,3}(?:(?:,\s)?(?:,|and|or|und|oder|et|ou|y|o|e|en|of|i|lub|albo)\s` +
		`(?:` + nameWord + `\s?){1,3})*)`
)

// tabulated are whom the page compares its company with in tables: the other heads of a row or column that has the
// company, or a thing that is called by it and more ("AcmeDB 3.2").
func (r *reading) tabulated(company string, mine func(string) bool) (found []string) {
	prose := r.sentences()
	for _, t := range r.tables {
		own := func(head string) bool {
			return mine(head) || company != "" && strings.HasPrefix(joined(firstWord(head)), joined(company))
		}
		heads := t.heads
		if !slices.ContainsFunc(heads, own) {
			heads = t.firsts
		}
		if !t.compares() || !slices.ContainsFunc(heads, own) {
			continue
		}
		for _, head := range heads {
			small := strings.ToLower(head)
			if !own(head) && capitalised(head) && r.own.start(head) == "" && groupOf(head) == other &&
				(small == head || !strings.Contains(prose, " "+small+" ")) { // "Candles", of which the page speaks
				found = append(found, head)
			}
		}
	}
	return found
}

// contrasted are whom the company's own sentences say that it is unlike, cheaper or simpler than, or chosen after.
func (r *reading) contrasted(company string) (found []string) {
	for _, paragraph := range r.voiced {
		for _, pattern := range []text.Pattern{lesser, left, leftInGerman} {
			for _, than := range pattern.FindAllString(paragraph, mostNameWords) {
				parts := pattern.FindStringSubmatch(than)
				for _, name := range conjunctions.Split(strings.TrimSpace(parts[1]), mostNameWords) {
					if name = strings.TrimRight(name, ". "); capitalised(name) {
						found = append(found, name)
					}
				}
			}
		}
		if !r.speaksOf(paragraph, company) && !speaker(paragraph) {
			continue
		}
		parts := unlike.FindStringSubmatch(paragraph)
		if parts == nil {
			continue
		}
		for _, name := range conjunctions.Split(parts[1], mostNameWords) {
			if capitalised(name) {
				found = append(found, name)
			}
		}
	}
	return found
}

// capitalised reports whether all words of a text begin as names do, and are not those of pages that every site has.
func capitalised(name string) bool {
	words := strings.Fields(name)
	return len(words) > 0 && len(words) <= mostNameWords && !generic(name) &&
		!slices.ContainsFunc(words, func(word string) bool { return !cased(word) })
}
