package feature

// scorn is the tone of praise for what happens again, as in "Super, encore une panne", and of waiting for hours: for a
// negative and against a positive text.
const scorn = 0.9

// mock turns praise that alone begins a sentence, if the clause after it says that something happens again: "great,
// another outage". Such praise is irony, or speaks of the rest, which tells by itself.
func (r *reading) mock(language Language) {
	for i := 1; i+1 < r.count; i++ {
		praise := &r.tokens[i-1]
		if r.tokens[i].kind != mark || praise.kind != word || !isPraise(language, r.spelt(i-1)) {
			continue
		}
		if i > 1 && r.tokens[i-2].kind == word && !(len(r.spelt(i-2)) <= 2 && (i == 2 || r.tokens[i-3].kind != word)) {
			continue
		}
		next := i
		for next < r.count && r.tokens[next].kind == mark && r.bytes[r.tokens[next].start] != '?' {
			next++
		}
		if next < r.count && r.tokens[next].kind == word && r.again(language, next) {
			praise.turned, praise.mocked = true, true
			r.turned = max(r.turned, praise.end)
		}
	}
}

func isPraise(language Language, spelt []byte) bool {
	word := string(spelt)
	switch language {
	case English:
		switch word {
		case "great", "nice", "wonderful", "fantastic", "awesome", "brilliant", "lovely", "perfect", "cool", "super":
			return true
		}
	case French:
		switch word {
		case "super", "génial", "bravo", "parfait", "formidable", "excellent", "cool":
			return true
		}
	case German:
		switch word {
		case "super", "toll", "klasse", "prima", "großartig", "herrlich", "spitze", "wunderbar", "perfekt":
			return true
		}
	case Italian:
		switch word {
		case "ottimo", "bene", "benissimo", "fantastico", "perfetto", "bravi", "complimenti", "grande":
			return true
		}
	case Portuguese:
		switch word {
		case "ótimo", "maravilha", "perfeito", "legal", "beleza", "fantástico", "excelente", "parabéns":
			return true
		}
	case Spanish:
		switch word {
		case "genial", "perfecto", "estupendo", "fantástico", "bravo", "excelente", "maravilloso":
			return true
		}
	}
	return false
}

// again reports whether the word at a place begins what says that something happens again.
func (r *reading) again(language Language, at int) bool {
	first, second := string(r.spelt(at)), ""
	if at+1 < r.count {
		second = string(r.spelt(at + 1))
	}
	switch language {
	case English:
		return first == "another" || first == "yet" && second == "another" || first == "once" && second == "again"
	case French:
		return first == "encore" && (second == "un" || second == "une" || second == "des")
	case German:
		return first == "schon" && second == "wieder" ||
			(first == "wieder" || first == "noch") && (second == "ein" || second == "eine" || second == "mal")
	case Italian:
		return first == "un" && second == "altro" || first == "un'altra" || first == "di" && second == "nuovo" ||
			first == "ancora" && (second == "un" || second == "una")
	case Portuguese:
		return first == "mais" && (second == "um" || second == "uma") || first == "outra" && second == "vez" ||
			first == "de" && second == "novo"
	case Spanish:
		return (first == "otra" || first == "otro") || first == "de" && second == "nuevo"
	}
	return false
}
