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
		Description: "The topics are the same for every workspace. They are the values of the filter `tag`.",
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

// TopicTag is a topic and its meaning.
type TopicTag struct {
	Tag         mentionwire.Tag `json:"tag"`
	Description string          `json:"description"`
}

var meanings = map[mention.Tag]string{
	"buy_intent":           "The author is looking for a product to buy, or asks which to choose.",
	"competitor_mention":   "The post mentions a competitor.",
	"customer_testimonial": "Somebody who uses the product describes what it did for them.",
	"promotional_post":     "The post advertises something.",
	"own_brand_mention":    "The post mentions the workspace's own brand.",
	"industry_insights":    "The post states a finding, a figure or a trend of the industry.",
	"hiring":               "Somebody offers or looks for a job.",
	"event":                "The post is about a conference, a meetup, a webinar or a similar event.",
	"product_question":     "Somebody asks what the product does, or how it does it.",
	"pricing":              "The post is about what something costs, or whether it is worth it.",
	"churn_intent":         "The author is leaving the product, or considers it.",
	"launch_announcement":  "Somebody announces a product, a feature or a version.",
	"bug_report":           "Somebody reports that something does not work.",
	"user_feedback":        "Somebody states an opinion or a wish about the product.",
	"ai_generated":         "The text reads as if a language model wrote it.",
}
