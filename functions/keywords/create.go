package keywords

import (
	"context"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"earshot/shared/keyword"
	"earshot/shared/store/listenstore"
	"earshot/shared/web"
	"earshot/shared/web/problem"
	"earshot/shared/workspace"
)

type create struct{ store Keywords }

func registerCreate(api *web.API, c create) {
	web.Register(api, web.Operation{
		ID:      "createKeyword",
		Method:  http.MethodPost,
		Path:    "/api/v2/keywords",
		Group:   Group,
		Scope:   workspace.Write,
		ETag:    true,
		Summary: "Create a keyword",
		Description: "The first collection begins within a minute, on every source of the keyword. It covers " +
			"the last seven days where a source can. Mentions of these days that no other keyword finds are free of the " +
			"month's quota. They appear where they would be if they had been collected then.\n\nTexts and terms are trimmed. Of terms that differ only " +
			"in case the first is kept, unless the keyword is case sensitive. Search operators in `keyword` " +
			"would be matched literally and never hit. They are quotes, a leading `+`, a `-term`, `AND`, `OR`, " +
			"and an asterisk within the text. The response to them is KEYWORD_OPERATOR_SYNTAX. Its `suggestion` " +
			"is the text to track instead. `alternatives` has further texts without the suggestion, and " +
			"`excludeWords` the words to exclude. If no text would be left to track, as in `+` or `-term` " +
			"alone, the response is a VALIDATION_ERROR.\n\nA text that the workspace has already, in any case, " +
			"is ITEM_EXISTS, also when the plan has no room. The plan's limit is exact however many requests " +
			"create keywords at once. INVALID_INPUT means that the workspace's keywords would together be too " +
			"large to be listed.",
		Codes: []problem.Code{
			problem.KeywordOperatorSyntax, problem.ItemExists, problem.KeywordLimitExceeded, problem.InvalidInput,
			problem.KeywordNotFound,
		},
		Example: Example(),
	}, c.create)
}

// CreateKeyword is the body of a new keyword.
type CreateKeyword struct {
	Keyword string `json:"keyword" minLength:"1" doc:"The text to find in titles and bodies: 1 to 100 characters of plain text, without operators."`
	KeywordSettings
}

// CreateKeywordInput holds a new keyword.
type CreateKeywordInput struct{ Body CreateKeyword }

// Resolve reports faults that the schema cannot express.
func (c *CreateKeyword) Resolve(_ huma.Context, at *huma.PathBuffer) []error {
	faults := keywordFaults(at, c.Keyword)
	if len(faults) == 0 && withoutOperators(c.Keyword).nothing() {
		faults = []error{web.Fault(at, "keyword", "operator", nothingLeft)}
	}
	return append(faults, c.faults(at)...)
}

// ToKeyword returns the new keyword, or a problem with KEYWORD_OPERATOR_SYNTAX. The body must have no other fault.
func (c *CreateKeyword) ToKeyword() (keyword.Keyword, error) {
	k := keyword.Keyword{Text: strings.TrimSpace(c.Keyword), ExactMatch: true, AdditionalTermsLogic: keyword.Any}
	c.apply(&k)
	return k, refuseOperators(k.Text)
}

func (c create) create(ctx context.Context, in *CreateKeywordInput) (*Keyword, error) {
	k, err := in.Body.ToKeyword()
	if err != nil {
		return nil, err
	}
	caller, request := web.CallerOf(ctx), web.Repeated(ctx)
	made, err := c.store.CreateKeywordOnce(
		ctx, caller.Workspace.ID, k, caller.Workspace.Plan.Limits().Keywords, request,
	)
	if err != nil {
		return nil, Refused(ctx, err)
	}
	var volume listenstore.KeywordVolume // a new id has none
	if request != "" {
		if volume, err = c.store.KeywordVolume(ctx, caller.Workspace.ID, made.ID); err != nil {
			return nil, err
		}
	}
	web.Revision(ctx, made.Revision)
	answer := FromKeyword(made, volume)
	return &answer, nil
}
