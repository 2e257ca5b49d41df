// Package keywords is the function of what a workspace listens for: its keywords, and suggestions for them ("keywords" in the
// contract). A keyword is answered with its volume, which is counted and never estimated. Another workspace's keyword is treated
// exactly as one that does not exist.
package keywords

import (
	"context"
	"time"

	"earshot/shared/feed"
	"earshot/shared/keyword"
	"earshot/shared/port/clock"
	"earshot/shared/store/mentionstore"
	"earshot/shared/web"
)

// Group names the function, its tag and its folder.
const Group = "keywords"

// Store is what the function asks of the store.
type Store interface {
	Keywords
	Suggester
}

// Keywords keeps keywords and counts what was found for them.
type Keywords interface {
	Keywords(ctx context.Context, orgID string) ([]keyword.Keyword, error)
	KeywordVolumes(ctx context.Context, orgID string) (map[int64]mentionstore.KeywordVolume, error)
	// Keyword answers store.ErrNotFound.
	Keyword(ctx context.Context, orgID string, id int64) (keyword.Keyword, error)
	KeywordVolume(ctx context.Context, orgID string, id int64) (mentionstore.KeywordVolume, error)
	// CreateKeywordOnce makes one keyword for a request by that name, empty for none. Answers store.ErrKeywordTaken,
	// store.ErrKeywordLimit, store.ErrKeywordTooLarge, and store.ErrNotFound when what the request made is deleted.
	CreateKeywordOnce(ctx context.Context, orgID string, k keyword.Keyword, limit int, request string) (keyword.Keyword, error)
	// ChangeKeywordOnce calls change until nobody gets in between, and not for a repeated request that was done. Answers
	// store.ErrNotFound, store.ErrKeywordTaken, store.ErrKeywordTooLarge and store.ErrConflict.
	ChangeKeywordOnce(ctx context.Context, orgID string, id int64, request string, change func(*keyword.Keyword) error) (keyword.Keyword, error)
	// DeleteKeywordOnce answers the feeds that named the keyword, and store.ErrNotFound.
	DeleteKeywordOnce(ctx context.Context, orgID string, id int64, request string) ([]feed.Mended, error)
}

// Options are what the function works with. A document-only API needs none of it.
type Options struct {
	Store Store
	Clock clock.Clock
}

// Register adds the function's operations.
func Register(api *web.API, o Options) {
	registerRead(api, read{o.Store})
	registerCreate(api, create{o.Store})
	registerChange(api, change{o.Store})
	registerDelete(api, remove{o.Store})
	registerSuggestions(api, o)
}

// example is what the document shows.
func example() Keyword {
	made := time.Date(2026, 11, 2, 9, 30, 0, 0, time.UTC)
	return fromKeyword(keyword.Keyword{
		ID: 7, Text: "northwind", Context: "Northwind, the on-call and alerting product: customers, prices, problems, praise.",
		AdditionalTerms: []string{"alerting", "on-call"}, AdditionalTermsLogic: keyword.Any, ExactMatch: true, ExcludeWords: []string{"northwind traders"},
		Tag: keyword.OwnBrand, CreatedAt: made, UpdatedAt: made, Revision: 1,
	}, mentionstore.KeywordVolume{Last7: 41, Last30: 180})
}
