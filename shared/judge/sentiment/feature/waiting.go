package feature

// waited is how far from the word for waiting the hours may stand, in words of the same clause.
const waited = 6

// waits reports whether a word says that someone waits, and hours or minutes stand near it. People who count them
// complain. Who counts days or weeks may look forward to something.
func (r *reading) waits(language Language, at int) bool {
	if !isWaiting(language, r.spelt(at)) {
		return false
	}
	for _, step := range []int{-1, 1} {
		for i := at + step; i >= 0 && i < r.count && (i-at)*step <= waited && r.tokens[i].kind == word; i += step {
			if isHours(r.spelt(i)) {
				return true
			}
		}
	}
	return false
}

// isWaiting reports whether a lowercase word of a language other than English says that someone waits.
func isWaiting(language Language, spelt []byte) bool {
	word := string(spelt)
	switch language {
	case French:
		return word == "attends" || word == "j'attends" || word == "attend" || word == "attendons" || word == "attente" ||
			word == "d'attente"
	case German:
		return word == "warte" || word == "warten" || word == "wartet" || word == "warteschleife" || word == "wartezeit"
	case Italian:
		return word == "aspetto" || word == "aspettiamo" || word == "aspettando" || word == "attesa" || word == "attendo" ||
			word == "d'attesa"
	case Portuguese:
		return word == "espera" || word == "esperando" || word == "aguardando" || word == "aguardo"
	case Spanish:
		return word == "espera" || word == "esperando" || word == "espero" || word == "esperamos"
	}
	return false
}

// isHours reports whether a word means hours or minutes in a language of the tones other than English.
func isHours(spelt []byte) bool {
	switch string(spelt) {
	case "heures", "minutes", "stunden", "stunde", "minuten", "ore", "minuti", "horas", "minutos":
		return true
	}
	return false
}
