package story

import "earshot/shared/mention"

// OfMention returns the fingerprint of a mention's texts. A review's title does not stand for the review, because many
// people give the same title to different reviews. Who makes a mention sets its StoryID by it.
func OfMention(m *mention.Mention) Fingerprint {
	title, body := "", ""
	if m.Title != nil {
		title = *m.Title
	}
	if m.Body != nil {
		body = *m.Body
	}
	if m.Review != nil {
		title, body = "", title+"\n"+body
	}
	return Of(title, body, m.URL)
}
