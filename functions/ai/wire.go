package ai

import (
	"earshot/shared/web"
	"earshot/shared/web/filterwire"
	"earshot/shared/wizard"
)

// FilterWizardInput holds a request in plain words.
type FilterWizardInput struct{ Body FilterWizard }

// FilterWizard is the body of a request.
type FilterWizard struct {
	Query string `json:"query" minLength:"1" maxLength:"1000" doc:"What to show, in plain words."`
}

// FilterWizardResult is what a request comes to.
type FilterWizardResult struct {
	Filters     web.Null[filterwire.Either] `json:"filters" doc:"The filter, or null if the request is not understood."`
	IsAdvanced  bool                        `json:"isAdvanced" doc:"Whether the filter has groups."`
	Limit       web.Null[int]               `json:"limit" doc:"How many mentions the request asks for, 1 to 100."`
	IncludeAll  bool                        `json:"includeAll" doc:"Whether it asks for mentions that are not relevant too."`
	View        web.Null[int64]             `json:"view" doc:"The id of the feed that it names."`
	Explanation string                      `json:"explanation" doc:"What is shown, or what was not understood."`
}

func fromUnderstanding(u wizard.Understanding) (*FilterWizardResult, error) {
	result := &FilterWizardResult{
		IsAdvanced:  u.Advanced,
		Limit:       web.NullIfEmpty(u.Limit),
		IncludeAll:  u.IncludeAll,
		View:        web.NullIfEmpty(u.View),
		Explanation: u.Explanation,
	}
	if u.Filters != "" {
		var filters filterwire.Either
		if err := filters.UnmarshalJSON([]byte(u.Filters)); err != nil {
			return nil, err
		}
		result.Filters = web.Some(filters)
	}
	return result, nil
}

func example() FilterWizardResult {
	var filters filterwire.Either
	if err := filters.UnmarshalJSON(
		[]byte(`{"sentiment":["negative"],"keyword":[12],"startDate":"2026-11-16"}`)); err != nil {
		panic(err) // it is JSON
	}
	return FilterWizardResult{
		Filters:     web.Some(filters),
		Explanation: `Shows mentions: keyword "Northwind"; tone negative; posted since 2026-11-16 (UTC).`,
	}
}
