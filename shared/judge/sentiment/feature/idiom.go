package feature

// idiomatic is what an idiom of praise adds to the logarithm of the odds of Positive, and takes from that of Negative.
// Half of it is taken from that of Neutral.
const idiomatic = 1.5

// praises reports whether an English text has an idiom that praises by bad words: "never had any issues", "couldn't be
// happier", "can't complain". What comes after "until", "except" or "but", or a question mark, takes it back.
func (r *reading) praises() bool {
	for i := range r.tokens[:r.count] {
		end := r.idiom(i)
		if end > 0 && !r.takenBack(end) {
			return true
		}
	}
	return false
}

// idiom returns where the idiom ends that begins at a token, or 0 if none does.
func (r *reading) idiom(at int) int {
	switch r.wordAt(at) {
	case "zero", "no", "never", "without", "haven't", "havent":
		if next := r.wordAt(at + 1); r.wordAt(at+2) == "back" && next == "looked" {
			return at + 3
		}
		return r.troubleless(at)
	case "couldn't", "couldnt":
		return r.better(at + 1)
	case "could":
		if r.wordAt(at+1) == "not" {
			return r.better(at + 2)
		}
	case "can't", "cant", "cannot":
		switch next := r.wordAt(at + 1); {
		case next == "complain" || next == "fault":
			return at + 2
		case next == "live" && r.wordAt(at+2) == "without":
			return at + 3
		case next == "recommend":
			for i := at + 2; i < at+7; i++ {
				if r.wordAt(i) == "enough" {
					return i + 1
				}
			}
		}
	}
	return 0
}

// better returns the end of "be happier", which "could not" begins.
func (r *reading) better(at int) int {
	if r.wordAt(at) == "be" {
		switch r.wordAt(at + 1) {
		case "happier", "better", "easier", "simpler", "prouder":
			return at + 2
		case "more":
			switch r.wordAt(at + 2) {
			case "pleased", "happy", "satisfied", "impressed", "grateful":
				return at + 3
			}
		}
	}
	return 0
}

// troubleless returns the end of "no issues" and "never had a single problem", or 0. "No problem" is an answer.
func (r *reading) troubleless(at int) int {
	for i := at + 1; i < at+5; i++ {
		switch r.wordAt(i) {
		case "issues", "problems", "complaints", "regrets", "hiccups":
			return i + 1
		case "issue", "problem", "complaint", "hiccup":
			if i > at+1 {
				return i + 1
			}
			return 0
		case "had", "have", "has", "a", "any", "single", "one", "major":
		default:
			return 0
		}
	}
	return 0
}

// takenBack reports whether the word after an idiom, or a mark of a question, takes it back.
func (r *reading) takenBack(at int) bool {
	for i := at; i < min(at+2, r.count); i++ {
		switch string(r.spelt(i)) {
		case "until", "till", "except", "but", "before", "?":
			return true
		}
	}
	return false
}

// wordAt returns the word at a token, or "" if there is none.
func (r *reading) wordAt(at int) string {
	if at >= r.count || r.tokens[at].kind != word {
		return ""
	}
	return string(r.spelt(at))
}
