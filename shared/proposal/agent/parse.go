package agent

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"earshot/shared/keyword"
	"earshot/shared/proposal"
)

// ErrForm means that a text is not a proposal of the form that was asked for. Errors tell the place and what is wrong
// there, and repeat nothing of the text.
var ErrForm = errors.New("agent: not of the form")

// formFault is what a model is told of an error of Parse.
func formFault(err error) string {
	return strings.TrimPrefix(err.Error(), ErrForm.Error()+": ")
}

// maxSubmission bounds a submission in bytes.
const maxSubmission = 64 << 10

// submission is proposal.Decisions as a model writes it: what is left out is told from what is given.
type submission struct {
	Keywords *[]decision `json:"keywords"`
	Options  []option    `json:"options"`
	Feeds    *[]feed     `json:"feeds"`
}

type decision struct {
	Ref                  *string             `json:"ref"`
	Route                *proposal.Route     `json:"route"`
	ExactMatch           *bool               `json:"exactMatch"`
	CaseSensitive        *bool               `json:"caseSensitive"`
	AdditionalTerms      []string            `json:"additionalTerms"`
	AdditionalTermsLogic *proposal.Logic     `json:"additionalTermsLogic"`
	ExcludeWords         []string            `json:"excludeWords"`
	WildcardExcludeWords []string            `json:"wildcardExcludeWords"`
	ExcludeAuthors       []string            `json:"excludeAuthors"`
	Platforms            platforms           `json:"platforms"`
	Context              *string             `json:"context"`
	Explanation          *string             `json:"explanation"`
	Reasons              []proposal.Reason   `json:"reasons"`
	Confidence           *float64            `json:"confidence"`
	SelectedByDefault    *bool               `json:"selectedByDefault"`
	OptionGroup          *string             `json:"optionGroup"`
	Approvals            []proposal.Approval `json:"approvals"`
}

// platforms tells null, which is all of them, from nothing said.
type platforms struct {
	said  bool
	names []string
}

// UnmarshalJSONFrom reads a list or null.
func (p *platforms) UnmarshalJSONFrom(decoder *jsontext.Decoder) error {
	p.said = true
	return json.UnmarshalDecode(decoder, &p.names)
}

type option struct {
	ID                *string  `json:"id"`
	KeywordRef        *string  `json:"keywordRef"`
	Label             *string  `json:"label"`
	Description       *string  `json:"description"`
	Explanation       *string  `json:"explanation"`
	AdditionalTerms   []string `json:"additionalTerms"`
	SelectedByDefault bool     `json:"selectedByDefault"`
}

type feed struct {
	Ref         *string           `json:"ref"`
	Name        *string           `json:"name"`
	Purpose     *proposal.Purpose `json:"purpose"`
	KeywordRefs []string          `json:"keywordRefs"`
}

// Parse reads what a model submits, strictly: one JSON object in UTF-8 of at most 64 KiB, each name known and given
// once, no null but for platforms; refs are the candidates', values of enumerations exist, a reason rests on a rule of
// the catalogue, the guide or judgement, never on a measurement; texts are single lines within the bounds of what they
// become.
//
// What is left out is the candidate's: exactMatch, caseSensitive, context, platforms (of which null and none are all);
// or else empty, "any", and selected unless the handle is to be confirmed. Texts are trimmed. What Parse answers,
// written as JSON, it reads as the same. Errors: ErrForm.
func Parse(text string, candidates proposal.Candidates) (proposal.Decisions, error) {
	if len(text) > maxSubmission {
		return proposal.Decisions{}, fmt.Errorf("%w: it is longer than %d bytes", ErrForm, maxSubmission)
	}
	if err := noNulls(text); err != nil {
		return proposal.Decisions{}, err
	}
	var s submission
	if err := json.Unmarshal([]byte(text), &s, json.RejectUnknownMembers(true)); err != nil {
		return proposal.Decisions{}, formError(err)
	}
	r := reader{candidates: candidates}
	d := r.decisions(s)
	if r.fault != "" {
		return proposal.Decisions{}, fmt.Errorf("%w: %s", ErrForm, r.fault)
	}
	return d, nil
}

// noNulls reads one JSON value and refuses null where it does not mean something.
func noNulls(text string) error {
	decoder := jsontext.NewDecoder(bytes.NewBufferString(text))
	for {
		token, err := decoder.ReadToken()
		switch {
		case errors.Is(err, io.EOF) && decoder.StackDepth() == 0:
			return nil
		case err != nil:
			return formError(err)
		case token.Kind() == jsontext.KindNull && !narrowed(decoder.StackPointer()):
			return fmt.Errorf("%w: %s: null is no value", ErrForm, place(decoder.StackPointer()))
		}
	}
}

// narrowed says whether a pointer is /keywords/n/platforms.
func narrowed(pointer jsontext.Pointer) bool {
	tokens := strings.Split(string(pointer), "/")
	return len(tokens) == 4 && tokens[1] == "keywords" && tokens[3] == "platforms"
}

// formError tells what is wrong by the place.
func formError(err error) error {
	var syntactic *jsontext.SyntacticError
	var semantic *json.SemanticError
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName) && errors.As(err, &syntactic):
		return fmt.Errorf("%w: %s: the name is given twice", ErrForm, place(syntactic.JSONPointer))
	case errors.Is(err, json.ErrUnknownName) && errors.As(err, &semantic):
		return fmt.Errorf("%w: %s: there is no such field", ErrForm, place(semantic.JSONPointer))
	case errors.As(err, &semantic):
		return fmt.Errorf("%w: %s: the value is not of the field's type", ErrForm, place(semantic.JSONPointer))
	case errors.As(err, &syntactic):
		return fmt.Errorf("%w: it is not one JSON object, at byte %d", ErrForm, syntactic.ByteOffset)
	}
	return fmt.Errorf("%w: it is not one JSON object", ErrForm)
}

// place writes a pointer as rules name places: keywords[2].route. A name that is not one of the form's is not repeated.
func place(pointer jsontext.Pointer) string {
	var out strings.Builder
	for token := range pointer.Tokens() {
		switch {
		case len(token) < 6 && token != "" && strings.Trim(token, "0123456789") == "":
			fmt.Fprintf(&out, "[%s]", token)
		case !strings.Contains(names, " "+token+" ") || strings.Contains(token, " "):
			out.WriteString(".?")
		default:
			out.WriteString("." + token)
		}
	}
	if out.Len() == 0 {
		return "the whole"
	}
	return strings.TrimPrefix(out.String(), ".")
}

// names are those of the form.
const names = " keywords options feeds ref route exactMatch caseSensitive additionalTerms additionalTermsLogic excludeWords " +
	"wildcardExcludeWords excludeAuthors platforms context explanation reasons confidence selectedByDefault optionGroup approvals basis text " +
	"setting terms approval reason id keywordRef label description name purpose keywordRefs "

// Bounds of a submission's texts, in characters. The gate's are narrower where a rule has one.
const (
	maxSentence = 600
	maxName     = keyword.MaxText
)
