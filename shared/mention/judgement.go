package mention

// What stands in JudgedScore when the judge gave no score: the mention was not relevant then, or it was.
const (
	unscored         Score = -1
	unscoredRelevant Score = -2
)

// Overrule makes a user's score stand in place of the judge's, which is kept with its reason, and answers whether anything changed. High and Medium
// are a thumb up, Low is a thumb down.
func (m *Mention) Overrule(score Score) (changed bool) {
	feedback := 1
	if !score.Relevant() {
		feedback = -1
	}
	same := m.RelevanceScore != nil && *m.RelevanceScore == score && m.FeedbackRelevant != nil && *m.FeedbackRelevant == feedback
	if same {
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

// Uphold takes a user's judgement back, so that the judge's stands again, and answers whether anything changed.
func (m *Mention) Uphold() (changed bool) {
	judged := m.JudgedScore
	if judged == nil && (m.FeedbackRelevant == nil || *m.FeedbackRelevant == 0) {
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
	m.JudgedScore, m.JudgedComment, m.FeedbackRelevant = nil, "", nil
	return true
}
