package judge

import (
	"slices"
	"strings"

	"earshot/shared/judge/relevance"
	"earshot/shared/judge/words"
	"earshot/shared/keyword"
	"earshot/shared/mention"
	"earshot/shared/post"
)

// A Verdict is the judgement that a mention gets.
type Verdict struct {
	Score   mention.Score
	Comment string        // one sentence that says why; at most relevance.MaxComment characters
	Tags    []mention.Tag // in the order of mention.Tags
	Unsure  bool          // the score is near the threshold, so a model's opinion is worth asking for
}

// Thresholds of the log odds that a post is relevant. Even odds or better are Medium. Odds of two and a half to one are
// High. Within odds of three to one the judge is unsure.
const (
	mediumFrom   = 0.0
	highFrom     = 0.9
	unsureWithin = 1.1
)

// Judge judges a post for one workspace. subjects are those of the workspace's keywords that the post matched. The
// subject with the highest relevance decides. Without subjects the score is Low.
func (j *Judge) Judge(r Reading, p *post.Post, subjects []*Subject) Verdict {
	if len(subjects) == 0 {
		return Verdict{Score: mention.Low, Comment: "It matched none of your keywords.", Tags: r.topics}
	}
	var best relevance.Opinion
	v := Verdict{Score: mention.Low}
	brands := make([]mention.Tag, 0, 2)
	for i, subject := range subjects {
		opinion := j.space.Judge(subject.compiled, j.about(subject, r, p), r.language())
		if i == 0 || opinion.LogOdds > best.LogOdds {
			best = opinion
		}
		// A name in another meaning is no mention of the brand.
		if tag := brandTags[subject.keyword.Tag]; tag != "" && scoreOf(opinion).Relevant() &&
			!slices.Contains(brands, tag) {
			brands = append(brands, tag)
		}
	}
	v.Score, v.Comment = scoreOf(best), relevance.Clean(best.Comment(), relevance.MaxComment-1)
	v.Unsure = best.LogOdds < unsureWithin && best.LogOdds > -unsureWithin
	v.Tags = inOrder(append(brands, r.topics...))
	return v
}

// about returns the text to weigh for a subject. It is the text already read, unless the keyword first occurs later in
// a long post. Then it is the part around the keyword.
func (j *Judge) about(subject *Subject, r Reading, p *post.Post) relevance.Text {
	const part = 1 << 10 // bytes on each side
	if size(p.Title)+size(p.Body) <= words.MaxBytes || subject.compiled.In(r.text) {
		return r.text
	}
	text := p.Text()
	at := strings.Index(strings.ToLower(text), strings.ToLower(subject.keyword.Text))
	if at < 0 || at >= len(text) { // the lowercase text may be longer
		return r.text
	}
	return j.space.Read(words.Cut(strings.ToValidUTF8(text[max(0, at-part):min(len(text), at+part)], " ")))
}

func size(text *string) int {
	if text == nil {
		return 0
	}
	return len(*text)
}

// brandTags are the tags that a mention gets from its keyword's tag.
var brandTags = map[keyword.Tag]mention.Tag{
	keyword.OwnBrand:   "own_brand_mention",
	keyword.Competitor: "competitor_mention",
}

func scoreOf(o relevance.Opinion) mention.Score {
	switch {
	case o.LogOdds >= highFrom:
		return mention.High
	case o.LogOdds >= mediumFrom:
		return mention.Medium
	}
	return mention.Low
}

// inOrder returns each known tag once, in the order of mention.Tags.
func inOrder(found []mention.Tag) (out []mention.Tag) {
	for _, tag := range mention.Tags() {
		if slices.Contains(found, tag) {
			out = append(out, tag)
		}
	}
	return out
}
