package proposal

// Decisions are what is to be decided of a proposal, by code or by a model: everything else of it (volumes, samples,
// totals, gates of feeds, platforms, the archetype) the engine fills in from what it measured, so that nobody can claim
// a figure. Its JSON, strictly read, is what the model submits.
type Decisions struct {
	Keywords []Decision       `json:"keywords"`
	Options  []OptionDecision `json:"options"`
	Feeds    []FeedDecision   `json:"feeds"`
	// ByCode reports whether code decided, and no model. A model cannot say it of itself, so it is no part of the JSON.
	ByCode bool `json:"-"`
}

// A Decision is how one candidate is tracked. A candidate that none names is not proposed.
type Decision struct {
	Ref                  string     `json:"ref"`
	Route                Route      `json:"route"`
	ExactMatch           bool       `json:"exactMatch"`
	CaseSensitive        bool       `json:"caseSensitive"`
	AdditionalTerms      []string   `json:"additionalTerms"`
	AdditionalTermsLogic Logic      `json:"additionalTermsLogic"`
	ExcludeWords         []string   `json:"excludeWords"`
	WildcardExcludeWords []string   `json:"wildcardExcludeWords"`
	ExcludeAuthors       []string   `json:"excludeAuthors"`
	Platforms            []string   `json:"platforms"` // nil: all
	Context              string     `json:"context"`
	Explanation          string     `json:"explanation"`
	Reasons              []Reason   `json:"reasons"` // by rule, guide or judgement; the engine adds those that quote measurements
	Confidence           float64    `json:"confidence"`
	SelectedByDefault    bool       `json:"selectedByDefault"`
	OptionGroup          string     `json:"optionGroup,omitempty"`
	Approvals            []Approval `json:"approvals"`
	// Dear reports whether only the total kept code from selecting it. A model cannot say so: it is no part of the JSON.
	Dear bool `json:"-"`
}

// An OptionDecision is another scoping of a keyword.
type OptionDecision struct {
	ID                string   `json:"id"`
	KeywordRef        string   `json:"keywordRef"`
	Label             string   `json:"label"`
	Description       string   `json:"description"`
	Explanation       string   `json:"explanation"`
	AdditionalTerms   []string `json:"additionalTerms"`
	SelectedByDefault bool     `json:"selectedByDefault"`
	// Platforms are in place of the keyword's; nil: its own. Only code narrows so, so that it is no part of the JSON.
	Platforms []string `json:"-"`
}

// A FeedDecision is which keywords are shown together.
type FeedDecision struct {
	Ref         string   `json:"ref"`
	Name        string   `json:"name"`
	Purpose     Purpose  `json:"purpose"`
	KeywordRefs []string `json:"keywordRefs"`
}
