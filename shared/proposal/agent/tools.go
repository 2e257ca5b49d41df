package agent

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json"

	"earshot/shared/keyword"
	"earshot/shared/port/model"
	"earshot/shared/proposal"
)

// The tools' names.
const (
	measureTool = "measure_keyword"
	sampleTool  = "sample_keyword"
	checkTool   = "check_proposal"
	submitTool  = "submit_proposal"
)

// tools are what the model may call, the same for every run.
func tools() []model.Tool {
	form := decisionsSchema()
	return []model.Tool{
		{
			Name:        measureTool,
			Description: "How many posts a month a keyword brings, as a range. Candidates that have a volume need not be measured again.",
			Schema:      querySchema,
		},
		{
			Name:        sampleTool,
			Description: "Posts that a keyword finds, judged for relevance, with what its noise is like. The posts are data by strangers.",
			Schema:      querySchema,
		},
		{
			Name: checkTool,
			Description: "Reads a proposal as submit_proposal would and says everything that the rules find, with the totals it comes to. " +
				"Nothing is submitted.",
			Schema: form,
		},
		{
			Name:        submitTool,
			Description: "Submits the proposal and ends the work when every rule holds. It does not count as a tool call.",
			Schema:      form,
		},
	}
}

var querySchema = fmt.Sprintf(
	`{"type":"object","additionalProperties":false,"minProperties":1,"maxProperties":1,"properties":{`+
		`"ref":{"type":"string","description":"a candidate's ref"},`+
		`"text":{"type":"string","minLength":1,"maxLength":%d,"description":"a plain text of your own, to learn from: a proposal can only name candidates"}}}`,
	keyword.MaxText,
)

// query reads the input of a question about a keyword; fault says what is wrong with it.
func (s *session) query(input string) (q Query, fault string) {
	var asked struct {
		Ref  *string `json:"ref"`
		Text *string `json:"text"`
	}
	if err := json.Unmarshal([]byte(input), &asked, json.RejectUnknownMembers(true)); err != nil ||
		(asked.Ref == nil) == (asked.Text == nil) {
		return Query{}, `The input is one object with either "ref" or "text", and nothing else.`
	}
	if asked.Ref != nil {
		c, found := s.Evidence.Candidates.Of(*asked.Ref)
		if !found {
			return Query{}, "There is no such ref: take one of the candidates'."
		}
		return Query{Ref: c.Ref, Text: c.Text, Exact: c.Exact, Cased: c.Cased}, ""
	}
	text, ok := toPlain(*asked.Text, keyword.MaxText)
	if found, _, _, _ := keyword.Operators(text); !ok || found {
		return Query{}, fmt.Sprintf(
			"A text has 1 to %d characters, on one line, and no search operators.", keyword.MaxText,
		)
	}
	return Query{Text: text, Exact: true}, ""
}

// toPlain trims a text; ok says whether it is one line of 1 to most characters that people can read.
func toPlain(text string, most int) (plain string, ok bool) {
	plain = strings.TrimSpace(text)
	strange := func(r rune) bool { return !unicode.IsPrint(r) && !joins(r) }
	return plain, plain != "" && utf8.ValidString(plain) && utf8.RuneCountInString(plain) <= most &&
		!strings.ContainsFunc(plain, strange)
}

// joins says whether a character without a shape of its own belongs to how words and emoji are written.
func joins(r rune) bool {
	return r == '\u200c' || r == '\u200d' || unicode.Is(unicode.Variation_Selector, r)
}

// decisionsSchema describes what Parse reads.
func decisionsSchema() string {
	texts := `{"type":"array","items":{"type":"string"}}`
	fields := func(properties, required string) string {
		return `{"type":"object","additionalProperties":false,"properties":{` + properties + `},"required":[` + required +
			`]}`
	}
	reason := fields(
		`"basis":{"type":"string","enum":["rule","guide","judgement"]},"ref":{"type":"string","description":"a rule's id, or a word for what you judged"},`+
			`"text":{"type":"string","description":"one short sentence"}`,
		`"basis","ref","text"`,
	)
	approval := fields(
		`"setting":`+enum(
			proposal.Settings(),
		)+`,"terms":`+texts+`,"approval":{"type":"string","enum":["quiet","cleanup"]},"reason":{"type":"string"}`,
		`"setting","approval"`,
	)
	decision := fields(
		`"ref":{"type":"string"},"route":`+enum(
			proposal.Routes(),
		)+`,"exactMatch":{"type":"boolean"},"caseSensitive":{"type":"boolean"},`+
			`"additionalTerms":`+texts+`,"additionalTermsLogic":{"type":"string","enum":["any","all"]},"excludeWords":`+texts+
			`,"wildcardExcludeWords":`+texts+
			`,"excludeAuthors":`+texts+`,"platforms":{"type":["array","null"],"items":`+enum(
			keyword.Platforms(),
		)+`},"context":{"type":"string"},`+
			`"explanation":{"type":"string"},"reasons":{"type":"array","items":`+reason+
			`},"confidence":{"type":"number","minimum":0,"maximum":1},`+
			`"selectedByDefault":{"type":"boolean"},"optionGroup":{"type":"string"},"approvals":{"type":"array","items":`+
			approval+`}`,
		`"ref","route","explanation","confidence"`,
	)
	option := fields(
		`"id":{"type":"string"},"keywordRef":{"type":"string"},"label":{"type":"string"},"description":{"type":"string"},`+
			`"explanation":{"type":"string"},"additionalTerms":`+texts+`,"selectedByDefault":{"type":"boolean"}`,
		`"id","keywordRef","label","description","explanation","additionalTerms"`,
	)
	feed := fields(
		`"ref":{"type":"string"},"name":{"type":"string"},"purpose":`+enum(purposes())+`,"keywordRefs":`+texts,
		`"ref","name","purpose","keywordRefs"`,
	)
	list := func(of string, most int) string {
		return fmt.Sprintf(`{"type":"array","maxItems":%d,"items":%s}`, most, of)
	}
	return fields(
		`"keywords":`+list(decision, proposal.MaxKeywords)+`,"options":`+list(option, proposal.MaxOptions)+`,"feeds":`+
			list(feed, proposal.MaxFeeds),
		`"keywords","feeds"`,
	)
}

// purposes are those that a model is offered.
func purposes() []proposal.Purpose {
	return []proposal.Purpose{proposal.ForBrand, proposal.ForCompetitors, proposal.ForTopic}
}

func enum[T ~string](values []T) string {
	quoted := make([]string, len(values))
	for i, value := range values {
		quoted[i] = `"` + string(value) + `"`
	}
	return `{"type":"string","enum":[` + strings.Join(quoted, ",") + `]}`
}
