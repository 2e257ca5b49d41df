package feature

// Sequence returns the hashes of the words, emoticons, emoji and marks that a net reads of an English text, in their order.
func Sequence(t *Tables, text string) []uint64 {
	var r reading
	r.split(&t.Lexicon, English, Whole, text)
	hashes := make([]uint64, min(r.count, maxRead))
	for i := range hashes {
		hashes[i] = r.tokens[i].hash
	}
	return hashes
}
