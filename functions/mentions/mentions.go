// Package mentions is the function of mentions ("mentions" in the contract). It lists them by filters, reads one by its
// id, finds an author's, stores members' corrections, and exports them. Another workspace's mention is treated exactly
// like one that does not exist.
package mentions

import (
	"earshot/shared/mention"
	"earshot/shared/port/blob"
	"earshot/shared/port/clock"
	"earshot/shared/port/queue"
	"earshot/shared/web"
	"earshot/shared/web/mentionwire"
)

// Group names the function, its tag and its folder.
const Group = "mentions"

// Store is the part of the store that the function uses.
type Store interface {
	Reader
	Selector
	Changer
	Exports
}

// Options configure the function. A document-only API needs none of them.
type Options struct {
	Store Store
	Queue queue.Queue // of exports that are not returned at once
	Blob  blob.Blob   // for the files of exports
	Clock clock.Clock
}

// Register adds the function's operations.
func Register(api *web.API, o Options) {
	registerList(api, list{o.Store, o.Store})
	registerRead(api, read{o.Store})
	registerChange(api, change{o.Store})
	registerByAuthor(api, byAuthor{o.Store})
	registerTags(api)
	registerExport(api, export{list{o.Store, o.Store}, o.Store, o.Queue, o.Blob, o.Clock})
}

// example returns the document's example.
func example() mentionwire.Mention {
	score := int64(mention.High)
	return mentionwire.Mention{
		ID:               4211,
		SourceID:         "hackernews_comment_41907231",
		URL:              "https://posts.example/hackernews/41907231",
		Body:             new("We moved our alerts to Northwind last month and it has been solid."),
		Source:           "hackernews",
		Timestamp:        "2026-11-20 09:30:00.000",
		Author:           new("quietharbor"),
		Relevance:        "relevant",
		RelevanceComment: "Speaks of using the product.",
		Sentiment:        new(mentionwire.Sentiment("Positive")),
		Language:         "english",
		Tags:             []mentionwire.Tag{"own_brand_mention", "customer_testimonial"},
		Keywords:         []mentionwire.MentionKeyword{{ID: 7, Keyword: "northwind"}},
		IsReply:          true,
		RelevanceScore:   &score,
		KeywordID:        7,
		StoryID:          new("9f3b21c07de4a865"),
	}
}
