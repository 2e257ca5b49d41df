package judge

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"

	"earshot/shared/judge/relevance"
	"earshot/shared/mention"
)

// An opinion is the model's, of one post.
type opinion struct {
	score   mention.Score
	comment string
	tags    []mention.Tag
}

// maxAnswer is the most bytes of an answer that are read.
const maxAnswer = 32 << 10

var errAnswer = errors.New("score: the model's answer is not of the form that was asked for")

// readAdvice reads an answer: opinions by the place of their id. An answer that is no such JSON object, has other keys,
// or names a post that was not asked about or names one twice, counts for nothing. An entry with a value that there is
// not, or with a comment that is none, counts for nothing alone, and the error says so.
func readAdvice(text string, ids []string) (map[int]opinion, error) {
	if len(text) > maxAnswer {
		return nil, fmt.Errorf("%w: %d bytes", errAnswer, len(text))
	}
	var answer struct {
		Posts []struct {
			ID        *string   `json:"id"`
			Relevance *int      `json:"relevance"`
			Comment   *string   `json:"comment"`
			Tags      *[]string `json:"tags"`
		} `json:"posts"`
	}
	if err := json.Unmarshal([]byte(unfenced(text)), &answer, json.RejectUnknownMembers(true)); err != nil {
		return nil, fmt.Errorf("%w: not the JSON", errAnswer) // the cause quotes the answer, and that a post
	}
	opinions, bad, seen := map[int]opinion{}, 0, map[string]bool{}
	for _, p := range answer.Posts {
		if p.ID == nil || seen[*p.ID] || !slices.Contains(ids, *p.ID) {
			return nil, fmt.Errorf("%w: a post that was not asked about, or one twice", errAnswer)
		}
		seen[*p.ID] = true
		if p.Relevance == nil || p.Comment == nil || p.Tags == nil || *p.Relevance < int(mention.High) || *p.Relevance > int(mention.Low) {
			bad++
			continue
		}
		o := opinion{score: mention.Score(*p.Relevance), comment: relevance.Clean(*p.Comment, relevance.MaxComment-1)}
		known := true
		for _, tag := range *p.Tags {
			known = known && slices.Contains(mention.Tags(), mention.Tag(tag))
			o.tags = append(o.tags, mention.Tag(tag))
		}
		if !known || !presentable(o.comment) {
			bad++
			continue
		}
		opinions[slices.Index(ids, *p.ID)] = o
	}
	if missing := len(ids) - len(opinions); missing > 0 {
		return opinions, fmt.Errorf("%w: %d posts without an opinion, %d of them with one that cannot be", errAnswer, missing, bad)
	}
	return opinions, nil
}

// presentable says whether a comment may be shown: it has words, and neither a link nor markup, which a model would
// only write because a post made it.
func presentable(comment string) bool {
	lower := strings.ToLower(comment)
	return utf8.ValidString(comment) && strings.ContainsFunc(comment, func(r rune) bool { return r >= 'a' && r <= 'z' }) &&
		!strings.ContainsAny(comment, "<>`{}") && !strings.Contains(lower, "://") && !strings.Contains(lower, "www.") && !strings.Contains(lower, "](")
}

// unfenced takes off the fence of a code block, which models like to put around JSON.
func unfenced(text string) string {
	text = strings.TrimSpace(text)
	inner, ok := strings.CutPrefix(text, "```")
	if !ok {
		return text
	}
	inner = strings.TrimPrefix(inner, "json")
	return strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(inner), "```"))
}
