package match

// postings maps each phrase to its rules.
type postings struct {
	first []uint32 // where the rules of each phrase begin, and one entry more
	rules []uint32
}

// newPostings inverts phrases, which has the phrase of each rule.
func newPostings(phrases []uint32, count int) postings {
	p := postings{first: make([]uint32, count+1), rules: make([]uint32, len(phrases))}
	for _, phrase := range phrases {
		p.first[phrase+1]++
	}
	for i := range count {
		p.first[i+1] += p.first[i]
	}
	next := append([]uint32(nil), p.first...)
	for rule, phrase := range phrases {
		p.rules[next[phrase]] = uint32(rule)
		next[phrase]++
	}
	return p
}

func (p *postings) rulesOf(phrase uint32) []uint32 { return p.rules[p.first[phrase]:p.first[phrase+1]] }
