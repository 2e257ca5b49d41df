package sampling

import (
	"slices"
	"strings"

	"earshot/shared/post"
	"earshot/shared/theme"
)

// originals are the posts, each text once, by its oldest post, in the order of time. A post without any text is left
// out.
func originals(posts []*post.Post) []*post.Post {
	ordered := slices.Clone(posts)
	slices.SortStableFunc(ordered, compare)
	told := map[string]bool{} // titles of what has a body too
	for _, p := range ordered {
		if title := theme.Folded(of(p.Title)); len(title) >= tellingTitle && !p.IsReply && theme.Folded(of(p.Body)) != "" {
			told[title] = true
		}
	}
	type id struct{ source, id string }
	ids, texts := map[id]bool{}, map[string]bool{}
	return slices.DeleteFunc(ordered, func(p *post.Post) bool {
		title, body := theme.Folded(of(p.Title)), theme.Folded(of(p.Body))
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

const tellingTitle = 20 // bytes of a folded title that two posts do not have by chance
