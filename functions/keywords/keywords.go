// Package keywords is the function of what a workspace listens for: its keywords ("keywords" in the contract). The
// function below it has the suggestions for them. A keyword's response includes its volume, which is counted and never
// estimated. Another workspace's keyword is treated exactly like one that does not exist.
package keywords

import (
	"context"
	"time"

	"earshot/shared/feed"
	"earshot/shared/keyword"
	"earshot/shared/store/listenstore"
	"earshot/shared/web"
)

// Group names the function, its tag and its folder.
const Group = "keywords"

// Keywords stores keywords and counts their mentions.
type Keywords interface {
	// KeywordsAfter lists keywords in the order of their ids, at most limit with an id above after. more reports
	// whether there are others. A limit of 0 is no limit.
	KeywordsAfter(
		ctx context.Context, orgID string, after int64, limit int,
	) (found []keyword.Keyword, more bool, err error)
	KeywordVolumes(ctx context.Context, orgID string) (map[int64]listenstore.KeywordVolume, error)
	// KeywordVolumesBetween is KeywordVolumes for the ids from first to last.
	KeywordVolumesBetween(
		ctx context.Context, orgID string, first, last int64,
	) (map[int64]listenstore.KeywordVolume, error)
	// Keyword returns store.ErrNotFound if there is none.
	Keyword(ctx context.Context, orgID string, id int64) (keyword.Keyword, error)
	KeywordVolume(ctx context.Context, orgID string, id int64) (listenstore.KeywordVolume, error)
	// CreateKeywordOnce makes one keyword for a request by that name, empty for none. Returns store.ErrKeywordTaken,
	// store.ErrKeywordLimit, store.ErrKeywordTooLarge, and store.ErrNotFound if the keyword that the request made is
	// deleted.
	CreateKeywordOnce(
		ctx context.Context, orgID string, k keyword.Keyword, limit int, request string,
	) (keyword.Keyword, error)
	// ChangeKeywordOnce calls change until no other writer gets in between. It does not call it for a repeated request
	// that was done. Returns store.ErrNotFound, store.ErrKeywordTaken, store.ErrKeywordTooLarge and store.ErrConflict.
	ChangeKeywordOnce(
		ctx context.Context, orgID string, id int64, request string, change func(*keyword.Keyword) error,
	) (keyword.Keyword, error)
	// DeleteKeywordOnce returns the feeds and alerts that named the keyword. Returns store.ErrNotFound if there is none.
	DeleteKeywordOnce(ctx context.Context, orgID string, id int64, request string) (feed.Mendings, error)
}

// Options configure the function. A document-only API needs none of them.
type Options struct {
	Store Keywords
}

// Register adds the function's operations.
func Register(api *web.API, o Options) {
	registerRead(api, read{o.Store})
	registerCreate(api, create{o.Store})
	registerChange(api, change{o.Store})
	registerDelete(api, remove{o.Store})
}

// Example returns the keyword that the document shows.
func Example() Keyword {
	made := time.Date(2026, 11, 2, 9, 30, 0, 0, time.UTC)
	return FromKeyword(keyword.Keyword{
		ID:                   7,
		Text:                 "northwind",
		Context:              "Northwind, the on-call and alerting product: customers, prices, problems, praise.",
		AdditionalTerms:      []string{"alerting", "on-call"},
		AdditionalTermsLogic: keyword.Any,
		ExactMatch:           true,
		ExcludeWords:         []string{"northwind traders"},
		Tag:                  keyword.OwnBrand,
		CreatedAt:            made,
		UpdatedAt:            made,
		Revision:             1,
	}, listenstore.KeywordVolume{Last7: 41, Last30: 180})
}
