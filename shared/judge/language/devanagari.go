package language

import (
	"strings"
	"sync"
)

// Function words that only one of the two languages has. Their n-grams are much the same in both, and the table's words
// end at every vowel sign.
const (
	ofHindi = `है हैं हूँ हूं था थी थे के की का को में से और यह वह ये वे नहीं कर लिए गया गई गए रहा रही रहे हुआ हुई हुए साथ अपने
		अपनी अपना उनके उसके इसके क्या कि कोई कुछ भी मैं हम आप मेरे मेरी मेरा होने जो इस उस एक`
	ofMarathi = `आहे आहेत आहेस आणि होते होतो होत्या नाही नाहीत केले केली केला मध्ये त्या त्यांनी त्यांच्या असे असून आले आली झाले
		झाली मी आम्ही तुम्ही माझ्या माझी माझा काय म्हणून पण हे साठी करून येथे येते करत असलेल्या त्याने होऊन`
)

// devanagari says of each function word how much it speaks for Hindi, and below 0 for Marathi.
var devanagari = sync.OnceValue(func() map[string]int {
	words := map[string]int{}
	for _, word := range strings.Fields(ofHindi) {
		words[word] = 1
	}
	for _, word := range strings.Fields(ofMarathi) {
		words[word] = -1
	}
	return words
})

// Hindi is written several times as much as Marathi. In a text of at most shortDevanagari n-grams without a function
// word, the n-grams of Marathi must lead by so much, in percent.
const (
	shortDevanagari = 12
	marathiLead     = 110
)

// maxDevanagari is how many bytes of a text are searched for function words.
const maxDevanagari = 1 << 10

// inDevanagari tells Hindi from Marathi: by the function words that only one of them has, else by the n-grams.
func (d *Detector) inDevanagari(s *scores, text string) string {
	balance := 0
	words := devanagari()
	for word := range strings.FieldsSeq(text[:min(len(text), maxDevanagari)]) {
		balance += words[strings.Trim(word, ".,;:!?…।\"'‘’“”()[]|-")]
	}
	lead := int32(100)
	if s.found+s.missing <= shortDevanagari {
		lead = marathiLead
	}
	if balance < 0 || balance == 0 && s.sum[d.marathi]*100 > s.sum[d.hindi]*lead {
		return marathi
	}
	return hindi
}
