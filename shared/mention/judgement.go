package mention

import (
	"cmp"
	"slices"
	"time"
)

// A Judgement is what a user thinks of a mention as one of a keyword. One stands for each keyword that the mention
// matched.
type Judgement struct {
	KeywordID int64
	Relevant  bool
	Reason    string // in the user's words, at most MaxReason characters; empty: none given
	Source    JudgementSource
	At        time.Time // zero: when it is stored
}

// MaxReason bounds a judgement's reason, in characters.
const MaxReason = 500

// JudgementSource is where a user judged.
type JudgementSource string

// The sources.
const (
	FromWeb   JudgementSource = "WEB"
	FromEmail JudgementSource = "EMAIL"
	FromSlack JudgementSource = "SLACK"
	FromAPI   JudgementSource = "API"
)

// What stands in JudgedScore when the judge gave no score: the mention was not relevant then, or it was.
const (
	unscored         Score = -1
	unscoredRelevant Score = -2
)

// Matched says whether the mention matched a keyword.
func (m *Mention) Matched(keywordID int64) bool {
	return slices.ContainsFunc(m.Keywords, func(k Keyword) bool { return k.ID == keywordID })
}

// Judgement is what stands for a keyword; false when nothing does.
func (m *Mention) Judgement(keywordID int64) (Judgement, bool) {
	at, found := m.judged(keywordID)
	if !found {
		return Judgement{}, false
	}
	return m.Judgements[at], true
}

func (m *Mention) judged(keywordID int64) (at int, found bool) {
	return slices.BinarySearchFunc(
		m.Judgements, keywordID, func(j Judgement, id int64) int { return cmp.Compare(j.KeywordID, id) },
	)
}

// Judge makes a judgement stand for its keyword, in place of what stood, and the mention's relevance follow: it is
// relevant when it is to any keyword, with the judge's score where that says so too and High where it does not; Low
// when it is to none that was judged. It answers whether anything changed: the same judgement again does not, whenever
// it was made.
func (m *Mention) Judge(j Judgement) (changed bool) {
	at, found := m.judged(j.KeywordID)
	switch {
	case !found:
		m.Judgements = slices.Insert(slices.Clone(m.Judgements), at, j)
		changed = true
	case m.Judgements[at].same(j):
	default:
		m.Judgements = slices.Clone(m.Judgements)
		m.Judgements[at] = j
		changed = true
	}
	return m.follow() || changed
}

// same says whether two judgements differ in nothing but when they were made.
func (j Judgement) same(other Judgement) bool {
	j.At = other.At
	return j == other
}

// Unjudge takes back what stands for a keyword, and the relevance follows; the judge's stands again when nothing is
// left. It answers whether anything changed.
func (m *Mention) Unjudge(keywordID int64) (changed bool) {
	at, found := m.judged(keywordID)
	switch {
	case !found:
		return false
	case len(m.Judgements) == 1:
		return m.Uphold()
	}
	m.Judgements = slices.Delete(slices.Clone(m.Judgements), at, at+1)
	m.follow()
	return true
}

// follow makes the relevance what the judgements, of which there is one, come to. A score that a user asked for stays
// while it says the same.
func (m *Mention) follow() (changed bool) {
	relevant := slices.ContainsFunc(m.Judgements, func(j Judgement) bool { return j.Relevant })
	if m.Relevant == relevant && m.FeedbackRelevant != nil && *m.FeedbackRelevant == thumb(relevant) {
		return false
	}
	judged := m.RelevanceScore
	if m.JudgedScore != nil {
		judged = m.JudgedScore
	}
	switch {
	case !relevant:
		return m.stand(Low)
	case judged != nil && *judged == Medium:
		return m.stand(Medium)
	}
	return m.stand(High)
}

// Overrule makes a user's score stand in place of the judge's, and a judgement of that kind for each of the mention's
// keywords; one that says the same already stays. It answers whether anything changed. High and Medium are a thumb up,
// Low is a thumb down.
func (m *Mention) Overrule(score Score) (changed bool) {
	var judgements []Judgement
	for _, keyword := range m.Keywords {
		j, found := m.Judgement(keyword.ID)
		if !found || j.Relevant != score.Relevant() {
			j, changed = Judgement{KeywordID: keyword.ID, Relevant: score.Relevant(), Source: FromAPI}, true
		}
		judgements = append(judgements, j)
	}
	m.Judgements = inOrder(judgements)
	return m.stand(score) || changed
}

// inOrder sorts judgements by keyword; of a keyword that a mention has twice there is one.
func inOrder(judgements []Judgement) []Judgement {
	slices.SortStableFunc(judgements, func(a, b Judgement) int { return cmp.Compare(a.KeywordID, b.KeywordID) })
	return slices.CompactFunc(judgements, func(a, b Judgement) bool { return a.KeywordID == b.KeywordID })
}

// stand puts a user's score in the place of the judge's, which is kept with its reason.
func (m *Mention) stand(score Score) (changed bool) {
	feedback := thumb(score.Relevant())
	if m.RelevanceScore != nil && *m.RelevanceScore == score && m.FeedbackRelevant != nil &&
		*m.FeedbackRelevant == feedback {
		return false
	}
	if m.JudgedScore == nil {
		judged := unscored
		switch {
		case m.RelevanceScore != nil:
			judged = *m.RelevanceScore
		case m.Relevant:
			judged = unscoredRelevant
		}
		m.JudgedScore, m.JudgedComment = &judged, m.RelevanceComment
	}
	m.Relevant, m.RelevanceScore, m.FeedbackRelevant = score.Relevant(), &score, &feedback
	m.RelevanceComment = "A member of the workspace marked it as relevant."
	if !score.Relevant() {
		m.RelevanceComment = "A member of the workspace marked it as not relevant."
	}
	return true
}

// thumb is how FeedbackRelevant says it.
func thumb(relevant bool) int {
	if relevant {
		return 1
	}
	return -1
}

// Uphold takes users' judgements back, so that the judge's stands again, and answers whether anything changed.
func (m *Mention) Uphold() (changed bool) {
	judged := m.JudgedScore
	if judged == nil && len(m.Judgements) == 0 && (m.FeedbackRelevant == nil || *m.FeedbackRelevant == 0) {
		return false
	}
	switch {
	case judged == nil:
	case *judged == unscored, *judged == unscoredRelevant:
		m.Relevant, m.RelevanceScore = *judged == unscoredRelevant, nil
	default:
		m.Relevant, m.RelevanceScore = judged.Relevant(), judged
	}
	if judged != nil {
		m.RelevanceComment = m.JudgedComment
	}
	m.JudgedScore, m.JudgedComment, m.FeedbackRelevant, m.Judgements = nil, "", nil, nil
	return true
}

// Rejudge puts the judge's verdict on a newer text in the place of its earlier one. What a user has judged stands.
func (m *Mention) Rejudge(score *Score, comment string) {
	relevant := score != nil && score.Relevant()
	if m.JudgedScore == nil && (m.FeedbackRelevant == nil || *m.FeedbackRelevant == 0) {
		m.Relevant, m.RelevanceScore, m.RelevanceComment = relevant, score, comment
		return
	}
	judged := unscored
	if score != nil {
		judged = *score
	}
	m.JudgedScore, m.JudgedComment = &judged, comment
}

// Adopt makes the judgements agree with FeedbackRelevant, where something else than Judge and Overrule set it, as what
// is imported does: a thumb is one for each of the keywords, none is for none. Relevance and score stay as they are.
// Those that were taken for keywords that the mention does not have any more go.
func (m *Mention) Adopt() {
	if m.FeedbackRelevant == nil || *m.FeedbackRelevant == 0 {
		m.Judgements = nil
		return
	}
	relevant := *m.FeedbackRelevant > 0
	kept := slices.DeleteFunc(slices.Clone(m.Judgements), func(j Judgement) bool { return !m.Matched(j.KeywordID) })
	agree := slices.ContainsFunc(kept, func(j Judgement) bool { return j.Relevant }) == relevant
	if agree && len(kept) > 0 {
		m.Judgements = kept
		return
	}
	m.Judgements = nil
	for _, keyword := range m.Keywords {
		m.Judgements = append(m.Judgements, Judgement{KeywordID: keyword.ID, Relevant: relevant, Source: FromAPI})
	}
	m.Judgements = inOrder(m.Judgements)
}
