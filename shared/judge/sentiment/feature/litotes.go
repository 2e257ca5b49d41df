package feature

// A fault is a kind of word that praises by its negation. Its number is how many words behind it the fault may stand.
type fault uint8

const (
	faultless fault = iota
	trouble         // "problem", at most one word behind the negation, not counting "de"
	poor            // "bad", at most two words behind it
	_
	complain // "complain", at most four words behind it: "não tenho do que reclamar"
)

// denial is the tone of a fault that is denied, as in "nada mal" and "ohne Probleme": against a negative and for a
// positive text. What negates it has no tone of its own.
const denial = -0.8

// faultOf returns which fault a lowercase word names in a language other than English. The classifier learned from
// English texts what their negations mean.
func faultOf(language Language, spelt []byte) fault {
	switch language {
	case French:
		switch string(spelt) {
		case "problème", "problèmes", "probleme", "problemes", "souci", "soucis", "bug", "bugs", "défaut", "défauts",
			"reproche", "reproches", "regret", "regrets":
			return trouble
		case "mal", "mauvais", "mauvaise", "dégueu":
			return poor
		case "plaindre", "redire":
			return complain
		}
	case German:
		switch string(spelt) {
		case "problem", "probleme", "problemen", "fehler", "mängel", "makel", "beanstandungen", "beschwerden", "bugs":
			return trouble
		case "schlecht", "schlechte", "schlechter", "schlechtes", "schlimm", "übel", "verkehrt":
			return poor
		case "beschweren", "klagen", "meckern", "beklagen", "bereuen", "bereut":
			return complain
		}
	case Italian:
		switch string(spelt) {
		case "problema", "problemi", "difetto", "difetti", "errore", "errori", "lamentela", "intoppo", "intoppi":
			return trouble
		case "male", "cattivo", "cattiva":
			return poor
		case "lamentarmi", "lamentare", "lamentarsi", "lamento":
			return complain
		}
	case Portuguese:
		switch string(spelt) {
		case "problema", "problemas", "defeito", "defeitos", "erro", "erros", "queixa", "queixas", "reclamação",
			"reclamações":
			return trouble
		case "mau", "mal", "má", "ruim":
			return poor
		case "reclamar", "queixar", "reclamo":
			return complain
		}
	case Spanish:
		switch string(spelt) {
		case "problema", "problemas", "queja", "quejas", "error", "errores", "fallo", "fallos", "defecto", "defectos",
			"pega", "pegas":
			return trouble
		case "mal", "malo", "mala":
			return poor
		case "quejarme", "quejar", "quejo", "arrepiento":
			return complain
		}
	}
	return faultless
}

// denied reports whether a negation before it denies a fault, and takes the negation's own tone.
func (r *reading) denied(language Language, at int) bool {
	kind := faultOf(language, r.spelt(at))
	if kind == faultless {
		return false
	}
	most, denied := int(kind), false
	if kind == trouble && at > 0 && isOf(r.spelt(at-1)) {
		most++
	}
	for back := 1; back <= most && at-back >= 0 && r.tokens[at-back].kind == word; back++ {
		t := &r.tokens[at-back]
		if t.negates && r.denies(at-back, back == 1 && kind == trouble) {
			t.tone, denied = Tone{}, true
		}
	}
	return denied
}

// denies reports whether a negation denies the fault behind it. "plus" may mean more, and "personne" a person. French
// needs a "de" between "pas" and a noun that it denies. "Not only" denies nothing.
func (r *reading) denies(at int, beforeNoun bool) bool {
	switch string(r.spelt(at)) {
	case "plus", "personne":
		return false
	case "pas":
		if beforeNoun {
			return false
		}
	}
	switch string(r.spelt(at + 1)) {
	case "nur", "solo", "sólo", "solamente", "soltanto", "só", "somente", "apenas", "seulement", "que":
		return false
	}
	return true
}

func (r *reading) spelt(at int) []byte { return r.bytes[r.tokens[at].start:r.tokens[at].end] }

// isOf reports whether a word is the preposition that may stand between a negation and a noun: "pas de problème".
func isOf(spelt []byte) bool { return string(spelt) == "de" || string(spelt) == "di" }
