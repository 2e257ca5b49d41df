package mentions

import (
	"context"
	"net/http"

	"earshot/shared/mention"
	"earshot/shared/web"
	"earshot/shared/web/mentionwire"
)

func registerTags(api *web.API) {
	web.Register(api, web.Operation{
		ID: "listTags", Method: http.MethodGet, Path: "/api/v2/tags", Group: Group,
		Summary:     "List the topics that mentions are tagged with",
		Description: "The same for every workspace, and all that the filter `tag` takes.",
		Example:     TagList{Data: []TopicTag{{"pricing", meanings["pricing"]}}},
	}, func(context.Context, *struct{}) (*TagList, error) {
		tags := &TagList{Data: []TopicTag{}}
		for _, tag := range mention.Tags() {
			tags.Data = append(tags.Data, TopicTag{mentionwire.Tag(tag), meanings[tag]})
		}
		return tags, nil
	})
}

// TagList is every topic.
type TagList struct {
	Data []TopicTag `json:"data"`
}

// TopicTag is a topic and what it means.
type TopicTag struct {
	Tag         mentionwire.Tag `json:"tag"`
	Description string          `json:"description"`
}

var meanings = map[mention.Tag]string{
	"buy_intent":           "The author is looking for a product to buy, or asks which to choose.",
	"competitor_mention":   "A competitor is spoken of.",
	"customer_testimonial": "Someone who uses the product tells what it did for them.",
	"promotional_post":     "It advertises something.",
	"own_brand_mention":    "The workspace's own brand is spoken of.",
	"industry_insights":    "A finding, a figure or a trend of the industry.",
	"hiring":               "A job is offered or looked for.",
	"event":                "A conference, a meetup, a webinar or the like.",
	"product_question":     "A question about what the product does, or how.",
	"pricing":              "What something costs, or whether it is worth it.",
	"churn_intent":         "The author is leaving the product, or thinks of it.",
	"launch_announcement":  "A product, a feature or a version is announced.",
	"bug_report":           "Something does not work.",
	"user_feedback":        "An opinion or a wish about the product.",
	"ai_generated":         "The text reads as if a language model had written it.",
}
