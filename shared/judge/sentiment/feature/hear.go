package feature

// What a phrase adds to the logarithm of the odds of its class. Praise and blame take as much from each other, and half
// of it from Neutral.
const (
	idiomatic = 1.8
	factual   = 2.5
	asking    = 1.0
)

// leastRest is the number of words besides a courtesy from which on they alone tell the sentiment.
const leastRest = 3

// leastContrast is the number of words, with the contrast itself, that contradict a fact.
const leastContrast = 5

// hear finds a text's phrases, takes their words out, and returns what the phrases add to the odds.
func (r *reading) hear(p *Phrases, language Language) (lean [Classes]float32, heard bool) {
	if language == Unknown {
		return lean, false
	}
	var times [meanings]int
	anywhere, begins := root(language, false), root(language, true)
	for at := range r.count {
		r.tokens[at].list = r.list(p, anywhere^saltLists, at)
	}
	words, spoken := 0, false
	for at := 0; at < r.count; at++ {
		meaning, end := r.phrase(p, anywhere, begins, at)
		spoken = spoken || meaning != Meaningless
		switch meaning {
		case Meaningless:
			if r.tokens[at].kind == word {
				words++
			}
			continue
		case Query:
			words++
			if language == English || r.asked(end) {
				times[Query]++
			}
			continue
		case Courtesy, Thanks:
			for i := at; i < end; i++ {
				r.tokens[i].spent = polite
				if meaning == Thanks {
					r.tokens[i].spent = thankful
				}
			}
			at = end - 1
			continue
		case Fact:
			if r.negatedAt(at) {
				words++
				continue
			}
			var contrasted bool
			if end, contrasted = r.fact(end); contrasted {
				meaning = Meaningless // what follows tells
			}
			for at > 0 && !r.stops(at-1) {
				at--
			}
		case Praise:
			if r.takenBack(end) || r.cited(at, end) || r.supposed(language, at) {
				words++
				continue
			}
			if r.negatedAt(at) {
				meaning = Blame
			}
		case Blame:
			if r.negatedAt(at) || r.cited(at, end) || r.supposed(language, at) {
				words++
				continue
			}
		}
		if meaning != Meaningless {
			times[meaning]++
		}
		for i := at; i < end; i++ {
			if t := &r.tokens[i]; meaning != Blame || t.valence >= 0 {
				t.spent = told
			}
		}
		at = end - 1
	}
	if !spoken {
		return lean, false
	}
	tells := times[Blame]+times[Fact] > 0
	r.drop(tells || words >= leastRest, tells)
	for meaning, c := range [meanings]int{Blame: Negative, Fact: Neutral, Praise: Positive, Query: Neutral} {
		if times[meaning] == 0 {
			continue
		}
		switch Meaning(meaning) {
		case Blame, Praise:
			much := idiomatic * (1 + float32(min(times[meaning], 2)-1)/2)
			lean[c] += much
			lean[Positive-c] -= much
			lean[Neutral] -= much / 2
		case Fact:
			lean[Neutral] += factual
		case Query:
			lean[Neutral] += asking
		}
		heard = true
	}
	return lean, heard
}

// spent says why a token no longer counts.
type spent uint8

const (
	unspent  spent = iota
	told           // by its phrase's meaning
	polite         // a courtesy, which may have to tell all the same
	thankful       // thanks, likewise
)

// drop takes the spent tokens out.
func (r *reading) drop(courtesies, thanks bool) {
	length, count := 1, 0
	r.turned = 0
	for i := range r.tokens[:r.count] {
		t := r.tokens[i]
		if t.spent == told || t.spent == polite && courtesies || t.spent == thankful && thanks {
			continue
		}
		n := copy(r.bytes[length:], r.bytes[t.start:t.end])
		t.start, t.end = length, length+n
		length += n
		if t.turned {
			r.turned = length
		}
		r.bytes[length] = ' '
		length++
		r.tokens[count] = t
		count++
	}
	r.length, r.count = length, count
}

// stops reports whether a fact's clause ends at a token. A colon does not end it: "fix: a crash on start".
func (r *reading) stops(at int) bool {
	t := &r.tokens[at]
	return t.kind == face || t.kind == mark && r.bytes[t.start] != ':'
}

// fact returns where a fact ends that goes on at a token, and reports whether what follows contradicts it: "fixed a crash,
// but it is still slow". A clause that describes what was wrong may have a contrast of its own: "fixed a bug where the
// dialog opens, but stays blank". A few words only limit it: "but not on Windows".
func (r *reading) fact(at int) (end int, contrasted bool) {
	describes := false
	for ; at < r.count && !r.stops(at); at++ {
		describes = describes || describing(r.spelt(at))
		if !describes && contrasting(r.spelt(at)) && r.wordsFrom(at) >= leastContrast {
			return at, true
		}
	}
	const near = 3 // tokens: a mark, "and", "yet"
	for i := at; !describes && i < min(at+near, r.count); i++ {
		if contrasting(r.spelt(i)) && r.wordsFrom(i) >= leastContrast {
			return at, true
		}
	}
	return at, false
}

// wordsFrom counts the words from a token to the end of its sentence.
func (r *reading) wordsFrom(at int) (n int) {
	for ; at < r.count && !r.closes(at); at++ {
		if r.tokens[at].kind == word {
			n++
		}
	}
	return n
}

// closes reports whether a token is the mark that ends a sentence.
func (r *reading) closes(at int) bool {
	t := &r.tokens[at]
	return t.kind == mark && (r.bytes[t.start] == '.' || r.bytes[t.start] == '!' || r.bytes[t.start] == '?')
}

// contrasting reports whether a word says that what follows contradicts what was said.
func contrasting(spelt []byte) bool {
	switch string(spelt) {
	case "but", "yet", "however", "aber", "jedoch", "mais", "pourtant", "pero", "ma", "però", "mas", "porém", "maar",
		"echter", "ale", "jednak":
		return true
	}
	return false
}

// describing reports whether a word begins to say what was wrong.
func describing(spelt []byte) bool {
	switch string(spelt) {
	case "where", "when", "that", "which", "if", "causing", "wo", "wenn", "dass", "bei", "où", "quand", "qui", "que",
		"donde", "cuando", "onde", "quando", "che", "dove", "waar", "waarbij", "waardoor", "wanneer", "gdzie", "gdy",
		"przez", "który", "która":
		return true
	}
	return false
}

// asked reports whether the sentence that goes on at a token ends with the mark of a question.
func (r *reading) asked(at int) bool {
	for ; at < r.count; at++ {
		if r.closes(at) {
			return r.bytes[r.tokens[at].start] == '?'
		}
	}
	return false
}

// negatedAt reports whether one of the two words before a phrase negates it.
func (r *reading) negatedAt(at int) bool {
	for i := at - 1; i >= max(0, at-2) && r.tokens[i].kind == word; i-- {
		if r.tokens[i].negates && r.tokens[i].spent == unspent {
			return true
		}
	}
	return false
}

// cited reports whether a phrase stands in a quotation, and a text around the quotation says more: somebody else's words.
func (r *reading) cited(at, end int) bool {
	if !r.tokens[at].quoted || !r.tokens[end-1].quoted {
		return false
	}
	others := 0
	for i := range r.tokens[:r.count] {
		if t := &r.tokens[i]; t.kind == word && !t.quoted {
			others++
		}
	}
	return others >= leastRest
}

// supposed reports whether the clause that a phrase stands in begins with a word that only supposes what it says: "if it
// breaks down", "even if".
func (r *reading) supposed(language Language, at int) bool {
	for at > 0 && !r.stops(at-1) {
		at--
	}
	const most = 2 // words before the one that supposes
	for i := at; i <= min(at+most, r.count-1); i++ {
		if supposing(language, r.spelt(i)) {
			return true
		}
		if !contrasting(r.spelt(i)) && !leading(r.spelt(i)) {
			return false
		}
	}
	return false
}

// leading reports whether a word may stand before one that supposes.
func leading(spelt []byte) bool {
	switch string(spelt) {
	case "and", "or", "even", "only", "und", "oder", "selbst", "auch", "et", "ou", "même", "y", "o", "incluso", "e",
		"anche", "mesmo", "en", "of", "zelfs", "i", "lub", "nawet":
		return true
	}
	return false
}

// supposing reports whether a word of a language begins what is only supposed.
func supposing(language Language, spelt []byte) bool {
	switch string(spelt) {
	case "if", "unless", "whether", "imagine", "suppose", "supposing":
		return language == English
	case "wenn", "falls", "sofern":
		return language == German
	case "si":
		return language == French || language == Spanish
	case "se":
		return language == Italian || language == Portuguese
	case "indien":
		return language == Dutch
	case "jeśli", "jeżeli", "gdyby":
		return language == Polish
	}
	return false
}

// takenBack reports whether the words after a phrase, or the mark of a question that ends its clause, take it back.
func (r *reading) takenBack(at int) bool {
	for i := at; i < min(at+2, r.count); i++ {
		switch string(r.spelt(i)) {
		case "until", "till", "except", "before", "jusqu'à", "jusqu'au", "sauf", "bis", "außer", "hasta", "salvo",
			"excepto", "finché", "tranne", "até", "exceto", "tot", "behalve", "dopóki":
			return true
		}
		if contrasting(r.spelt(i)) {
			return true
		}
	}
	for at < r.count && r.tokens[at].kind != mark {
		at++
	}
	return at < r.count && r.bytes[r.tokens[at].start] == '?'
}
