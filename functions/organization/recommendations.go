package organization

import (
	"context"
	"fmt"
	"net/http"

	"earshot/shared/judge/vocabulary"
	"earshot/shared/keyword"
	"earshot/shared/keyword/recommend"
	"earshot/shared/web"
	"earshot/shared/web/workspacewire"
	"earshot/shared/workspace"
)

// RecommendationStore is the part of the store that the recommendations use.
type RecommendationStore interface {
	Keywords(ctx context.Context, orgID string) ([]keyword.Keyword, error)
	Company(ctx context.Context, orgID string) (workspace.Company, error)
}

type recommended struct{ store RecommendationStore }

func registerRecommendations(api *web.API, o Options) {
	r := recommended{o.Store}
	web.Register(api, web.Operation{
		ID:      "listMonitoringRecommendations",
		Method:  http.MethodGet,
		Path:    "/api/v2/monitoring/recommendations",
		Group:   Group,
		Agents:  true,
		Summary: "List keywords that the workspace should monitor and does not yet",
		Description: "Lists the company's name, domain and products as keywords that can be created as they " +
			"are. Without a company profile the list is empty. A name that is a common word comes with " +
			"additional terms, one of which must occur too. `canTrack` says whether the plan has room for " +
			"another keyword.",
		Example: RecommendationList{
			Data:     []Recommendation{exampleRecommendation()},
			Plan:     workspacewire.PlanName(workspace.Pro),
			CanTrack: true,
			Keywords: KeywordRoom{Count: 3, Limit: 20},
		},
	}, r.list)
}

// RecommendationList is what a workspace should monitor, and whether its plan has room.
type RecommendationList struct {
	Data     []Recommendation       `json:"data"`
	Plan     workspacewire.PlanName `json:"plan"`
	CanTrack bool                   `json:"canTrack" doc:"Whether the plan has room for another keyword."`
	Keywords KeywordRoom            `json:"keywords"`
}

// KeywordRoom is how many keywords a workspace has, and can have.
type KeywordRoom struct {
	Count int `json:"count" minimum:"0"`
	Limit int `json:"limit" minimum:"0"`
}

// Recommendation is a keyword to create.
type Recommendation struct {
	ID                   string   `json:"id" doc:"Id of the recommendation. The same keyword always has the same id."`
	Keyword              string   `json:"keyword"`
	Tag                  string   `json:"tag" enum:"own_brand,competitor,industry_term"`
	Context              string   `json:"context" doc:"Tells the judge of relevance whose keyword this is and what it should find."`
	ExactMatch           bool     `json:"exactMatch"`
	AdditionalTerms      []string `json:"additionalTerms" doc:"Terms that must occur too, as additionalTermsLogic says. Empty: none."`
	AdditionalTermsLogic string   `json:"additionalTermsLogic" enum:"any,all"`
	Reason               string   `json:"reason" doc:"Why the keyword and its settings are recommended."`
}

func exampleRecommendation() Recommendation {
	return Recommendation{
		ID:                   "rec_0d3b6a1f9c2e4875",
		Keyword:              "northwind.example",
		Tag:                  "own_brand",
		Context:              "Links to northwind.example, the site of Northwind, and mentions of it.",
		ExactMatch:           true,
		AdditionalTerms:      []string{},
		AdditionalTermsLogic: "any",
		Reason:               "A post that links to the company's site is about the company.",
	}
}

func (r recommended) list(ctx context.Context, _ *struct{}) (*RecommendationList, error) {
	w := web.CallerOf(ctx).Workspace
	company, err := r.store.Company(ctx, w.ID)
	if err != nil {
		return nil, err
	}
	keywords, err := r.store.Keywords(ctx, w.ID)
	if err != nil {
		return nil, err
	}
	words, err := vocabulary.Open()
	if err != nil {
		return nil, fmt.Errorf("open the word list: %w", err)
	}
	limit := w.Plan.Limits().Keywords
	list := &RecommendationList{
		Data:     []Recommendation{},
		Plan:     workspacewire.PlanName(w.Plan),
		CanTrack: len(keywords) < limit,
		Keywords: KeywordRoom{len(keywords), limit},
	}
	for _, one := range recommend.Of(company, keywords, &words) {
		k := one.Keyword
		list.Data = append(
			list.Data,
			Recommendation{
				ID:         one.ID,
				Keyword:    k.Text,
				Tag:        string(k.Tag),
				Context:    k.Context,
				ExactMatch: k.ExactMatch,
				AdditionalTerms: append(
					[]string{},
					k.AdditionalTerms...),
				AdditionalTermsLogic: string(k.AdditionalTermsLogic),
				Reason:               one.Reason,
			},
		)
	}
	return list, nil
}
