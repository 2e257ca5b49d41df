package filter

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
)

// Sum returns a hash of what figures about authors depend on: when the mention was posted, its source, author,
// followers, verdict, language, tags and keywords. Counters, texts and ratings are left out, because they change often
// or are not counted.
//
// The hash has 40 bits, so that the sums of eight million mentions fit an int64. The store keeps such sums: they must
// never change for the same row. Hence the hash is of texts as they are stored, not of their folded forms.
func (r *Row) Sum() int64 {
	var room [512]byte
	facts := room[:0]
	for _, text := range []string{r.Timestamp, r.Source, r.Author, string(r.Sentiment), r.Language} {
		facts = appendText(facts, text)
	}
	facts = binary.AppendVarint(facts, int64(r.Score))
	facts = binary.AppendVarint(facts, max(0, r.Followers))
	tags := slices.Compact(slices.Sorted(slices.Values(r.Tags)))
	facts = binary.AppendUvarint(facts, uint64(len(tags)))
	for _, tag := range tags {
		facts = appendText(facts, tag)
	}
	for _, id := range slices.Compact(slices.Sorted(slices.Values(r.KeywordIDs))) {
		facts = binary.AppendVarint(facts, id)
	}
	digest := sha256.Sum256(facts)
	return int64(binary.BigEndian.Uint64(digest[:]) >> 24)
}

// appendText appends a text behind its length, so that no two lists of texts are the same bytes.
func appendText(to []byte, text string) []byte {
	return append(binary.AppendUvarint(to, uint64(len(text))), text...)
}
