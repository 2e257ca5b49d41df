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
	"earshot/shared/port/model"
)

// An opinion is the model's opinion of one post.
type opinion struct {
	score   mention.Score
	comment string
	tags    []mention.Tag
}

// maxAnswer bounds a model's response, in bytes.
const maxAnswer = 32 << 10

var errAnswer = errors.New("judge: the model's response does not have the requested form")

// readAdvice reads a model's response and returns its opinions by the index of their id. It rejects a response that is
// not the requested JSON object, has other keys, names an unknown post, or names a post twice. It skips an entry with
// an impossible value or an unpresentable comment, and the error counts such entries.
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
	if err := json.Unmarshal([]byte(model.Unfenced(text)), &answer, json.RejectUnknownMembers(true)); err != nil {
		// without the cause, which quotes the response, which quotes posts
		return nil, fmt.Errorf("%w: not the requested JSON object", errAnswer)
	}
	opinions, bad, seen := map[int]opinion{}, 0, map[string]bool{}
	for _, p := range answer.Posts {
		if p.ID == nil || seen[*p.ID] || !slices.Contains(ids, *p.ID) {
			return nil, fmt.Errorf("%w: an unknown post, or a post named twice", errAnswer)
		}
		seen[*p.ID] = true
		if p.Relevance == nil || p.Comment == nil || p.Tags == nil || *p.Relevance < int(mention.High) ||
			*p.Relevance > int(mention.Low) {
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
		return opinions, fmt.Errorf(
			"%w: %d posts without a usable opinion, %d of them with an invalid one", errAnswer, missing, bad,
		)
	}
	return opinions, nil
}

// presentable reports whether a comment may be shown. It must have words, and neither a link nor markup, which only a
// post would make a model write.
func presentable(comment string) bool {
	lower := strings.ToLower(comment)
	return utf8.ValidString(comment) && strings.ContainsFunc(comment, func(r rune) bool { return r >= 'a' && r <= 'z' }) &&
		!strings.ContainsAny(comment, "<>`{}") && !strings.Contains(lower, "://") && !strings.Contains(lower, "www.") &&
		!strings.Contains(lower, "](")
}
