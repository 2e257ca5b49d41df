package relevance

import (
	_ "embed"
	"encoding/binary"
	"slices"
	"strings"

	"earshot/shared/judge/dictionary"
	"earshot/shared/judge/embedding"
	"earshot/shared/judge/words"
)

// brandWeights is the output of ./train: a logistic regression over the coordinates of a word's meaning, of length 1,
// and its bias. Each is 16 bits in units of 1/BrandParts, little endian.
//
//go:generate go run ./train brands.tsv
//go:embed brand.bin
var brandWeights string

// BrandParts is the unit of a weight in brand.bin.
const BrandParts = 1024

// Brand returns the probability that English texts mostly mean a brand by a word, by the company that the word keeps:
// "oracle" stands with names of companies, "medium" does not. It is 0 for a word that the space lacks.
func (s *Space) Brand(word string) float32 {
	rank, ok := s.rank(word)
	if !ok {
		return 0
	}
	meaning := s.Meaning(rank)
	sum := brandWeight(embedding.Dimensions)
	for i, value := range meaning {
		sum += brandWeight(i) * value
	}
	return probability(sum)
}

// Meaning returns the whole vector of the word of a rank, of length 1. What is common to all words tells a brand too:
// brands stand in texts of a kind.
func (s *Space) Meaning(rank int) [embedding.Dimensions]float32 {
	v := s.whole(rank)
	v.unit()
	return v
}

func brandWeight(i int) float32 {
	return float32(int16(binary.LittleEndian.Uint16([]byte(brandWeights[2*i:2*i+2])))) / BrandParts
}

// Log odds of a proper name by how a text writes it, for a word that is no brand to most people. A capital tells most
// where other words have none. Where nearly all words have one, or the first of a sentence, it tells little.
const (
	byCapital   = 1.0
	byTitleCase = 0.5
	byBeginning = 0.3
	byLowercase = -1.8 // in a text that has capitals
	byOtherName = -1.5 // another name right before, such as "Bird" before "Box"
	bySurname   = -1.5 // another name right behind, such as "Wilde" behind "Oscar"
	byGenitive  = 0.8
	byPlural    = -0.8
	byCompany   = 0.8 // a word about companies right behind
	byPeer      = 0.8 // a name of no dictionary in the same list, such as "Uber" in "Bolt or Uber"
	byBrand     = 1.5 // of a word that is a brand to all, in a text with capitals
	brandInLow  = 0.3 // share of byBrand if the text writes the word in lowercase all the same
)

// Shares of the evidence against a post that a sure name takes away. It takes away most of it, as for a distinctive
// name.
const (
	sureByBrand  = 0.3 // of a brand to all
	sureByNaming = 0.3 // a unit of log odds
)

// naming returns the evidence of how a text writes the keyword, as log odds of the subject's name. The occurrence that
// speaks most for the name counts. It is 0 if the keyword does not occur. What is a brand to all is known of English
// words alone. nouns reports whether every noun of the text has a capital, so that the name's own tells nothing.
func (subject *Subject) naming(t Text, found []int, language string, nouns bool) (most float32) {
	for i, at := range found {
		if said := subject.writing(t.words, at, language, nouns); i == 0 || said > most {
			most = said
		}
	}
	return most
}

// writing returns the evidence of one occurrence in a text of a language.
func (subject *Subject) writing(all []words.Word, at int, language string, nouns bool) (said float32) {
	known, elsewhere := float32(0), false // a brand to most people; a name of people or places too
	if language == English {
		known, elsewhere = subject.brand, subject.elsewhere
	}
	end := at + len(subject.phrase)
	from, to := sentence(all, at)
	capitals, small := 0, 0
	for i := from + 1; i < to; i++ {
		// Short words are small in title case too.
		if word := &all[i]; (i < at || i >= end) && word.Kind == words.Letters && len(word.Text) >= 4 {
			if word.Capital {
				capitals++
			} else {
				small++
			}
		}
	}
	name, brand, telling := &all[at], byBrand*known, float32(1)
	if elsewhere {
		telling = 0.5
	}
	switch {
	case capitals+small == 0 && (name.Upper || at == from): // nothing to compare it with
	case !name.Capital && capitals == 0 && !all[from].Capital: // the text has no capitals
	case !name.Capital:
		said = byLowercase*(1-known) + brandInLow*brand
	case nouns:
		if at > from && subject.apposed(&all[at-1], language) {
			said = byOtherName
		}
	case at == from:
		said = telling*byBeginning + brand
	case capitals > small:
		said = telling*byTitleCase + brand
	default:
		said = telling*byCapital + brand
		if before := &all[at-1]; before.Capital && !before.Upper && before.Ends == 0 && !before.Starts && before.Text != "i" {
			said += byOtherName
		}
	}
	if end < to && name.Capital && subject.elsewhere && subject.surname(&all[end-1], &all[end], language) {
		said += bySurname * (1 - subject.brand)
	}
	last, word := all[end-1].Text, subject.phrase[len(subject.phrase)-1]
	switch {
	case last == word+"s" && !nouns:
		said += byPlural
	case last == word+"'s":
		said += byGenitive
	}
	if end < to && slices.Contains(ofCompanies, all[end].Text) {
		said += byCompany
	}
	if language == English && (name.Capital || capitals == 0) && listed(all, at, end) {
		said += byPeer
	}
	return said
}

// listed reports whether a list or a choice puts a name that no dictionary has beside the words from at to end.
func listed(all []words.Word, at, end int) bool {
	const most = 6 // names on each side
	for i, n := end, 0; n < most; n++ {
		choice := i < len(all) && isChoice(all[i].Text)
		if !choice && all[i-1].Ends != ',' {
			break
		}
		if i < len(all) && joins(all[i].Text) {
			i++
		}
		if i >= len(all) || all[i].Starts {
			break
		}
		if isPeer(&all[i], choice) {
			return true
		}
		i++
	}
	for i, n := at, 0; n < most && i > 0 && !all[i].Starts; n++ {
		choice := isChoice(all[i-1].Text)
		switch {
		case joins(all[i-1].Text) && i > 1 && !all[i-1].Starts:
			i -= 2
		case all[i-1].Ends == ',':
			i--
		default:
			return false
		}
		if isPeer(&all[i], choice) {
			return true
		}
	}
	return false
}

// isChoice reports whether a word joins names between which someone chooses.
func isChoice(word string) bool {
	switch word {
	case "or", "vs", "versus", "than":
		return true
	}
	return false
}

// joins reports whether a word joins the last name of a list or of a choice.
func joins(word string) bool { return word == "and" || isChoice(word) }

// isPeer reports whether a word is a name that no dictionary has. Where someone chooses, it may be in lowercase.
func isPeer(word *words.Word, choice bool) bool {
	return word.Kind == words.Letters && (word.Capital || choice) && unlisted(word.Text)
}

// apposed reports whether the noun right before a name says that a person is meant, such as "Opa" before "Otto". A word
// of the profile or of companies says what company it is, such as "Versandhaus". An article may be a part of the name.
func (subject *Subject) apposed(before *words.Word, language string) bool {
	return before.Capital && !before.Upper && before.Ends == 0 && !before.Starts && before.Kind == words.Letters &&
		!subject.near.has(before.Text) && !dictionary.OfCompanies(before.Text, language) &&
		dictionary.Frequency(before.Text, language) < dictionary.Commonest
}

// surname reports whether the word right behind a name of people or places is a further part of such a name: a name
// itself, or no word of English or of the text's language. Words of the profile are none.
func (subject *Subject) surname(name, behind *words.Word, language string) bool {
	word := strings.TrimSuffix(behind.Text, "'s")
	return behind.Kind == words.Letters && behind.Capital && !behind.Upper && behind.Before == 0 && !behind.Starts &&
		name.Ends == 0 && !subject.near.words[word] && (dictionary.Named(word) ||
		!dictionary.Has(word) && dictionary.Frequency(word, language) == dictionary.Unlisted)
}

// sentence returns the range of the sentence around a word, at most reach words on each side.
func sentence(all []words.Word, at int) (from, to int) {
	from, to = at, at+1
	for from > 0 && at-from < reach && !all[from].Starts {
		from--
	}
	for to < len(all) && to-at < reach && !all[to].Starts {
		to++
	}
	return from, to
}

// ofCompanies are words that follow the name of a company: its form, its people, what it has, and what the news say
// that it does.
var ofCompanies = []string{
	"inc", "corp", "corporation", "ltd", "llc", "gmbh",
	"ceo", "cto", "cfo", "coo", "founder", "founders", "cofounder", "engineer", "engineers", "employee", "employees",
	"executive", "executives", "users", "user", "customer", "customers",
	"api", "app", "apps", "account", "accounts", "stock", "shares", "ipo",
	"announces", "announced", "launches", "launched", "releases", "released", "unveils", "unveiled", "acquires",
	"acquired", "buys", "bought", "sues", "sued", "raises", "raised", "hires", "says", "bans", "banned", "adds",
}
