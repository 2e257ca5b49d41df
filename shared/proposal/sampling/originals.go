package sampling

import (
	"slices"
	"strings"
	"unicode"

	"earshot/shared/post"
)

// originals are the posts, each text once, by its oldest post, in the order of time. A post without any text is left
// out.
func originals(posts []*post.Post) []*post.Post {
	ordered := slices.Clone(posts)
	slices.SortStableFunc(ordered, compare)
	told := map[string]bool{} // titles of what has a body too
	for _, p := range ordered {
		if title := folded(of(p.Title)); len(title) >= tellingTitle && !p.IsReply && folded(of(p.Body)) != "" {
			told[title] = true
		}
	}
	type id struct{ source, id string }
	ids, texts := map[id]bool{}, map[string]bool{}
	return slices.DeleteFunc(ordered, func(p *post.Post) bool {
		title, body := folded(of(p.Title)), folded(of(p.Body))
		text := title + "\n" + body
		if title+body == "" {
			if text = strings.TrimSpace(p.Text()); text == "" { // links or signs alone
				return true
			}
		}
		name := id{p.Source, p.SourceID}
		if p.SourceID != "" && ids[name] || texts[text] || body == "" && !p.IsReply && told[title] {
			return true
		}
		ids[name], texts[text] = true, true
		return false
	})
}

const (
	tellingTitle = 20      // bytes of a folded title that two posts do not have by chance
	foldedBytes  = 2 << 10 // of a folded text tell it from others
)

// folded is what people say in a text: its letters and digits in lowercase, without links and without the head of a
// repost ("RT @name:"). What differs in signs, blanks, case or links alone is the same.
func folded(text string) string {
	var out strings.Builder
	number := 0
	repost := false
	for word := range strings.FieldsSeq(text) {
		number++
		switch {
		case number == 1 && word == "RT":
			repost = true
			continue
		case number == 2 && repost && strings.HasPrefix(word, "@"), strings.Contains(word, "://"):
			continue
		}
		for _, r := range word {
			if inWord(r) {
				out.WriteRune(unicode.ToLower(r))
			}
		}
		if out.Len() > foldedBytes {
			break
		}
	}
	return out.String()
}
