package analytics

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"earshot/shared/analytics"
	"earshot/shared/filter"
	"earshot/shared/mention"
	"earshot/shared/port/table"
	"earshot/shared/web"
	"earshot/shared/web/problem"
)

// Selection selects the mentions that a read counts. Lists can be repeated or separated by commas.
type Selection struct {
	StartDate  string   `query:"startDate" minLength:"1" doc:"The first day of timezone, or the first moment, that counts. Default: 30 days before the end." example:"2026-11-01"`
	EndDate    string   `query:"endDate" minLength:"1" doc:"The first day of timezone, or the first moment, that no longer counts. Default: the end of today." example:"2026-11-08"`
	Timezone   string   `query:"timezone" minLength:"1" default:"UTC" doc:"The time zone of days, by its exact IANA name, such as Europe/Berlin."`
	KeywordIDs []string `query:"keywordIds,explode" minItems:"1" minLength:"1" doc:"Count mentions that matched one of the keywords with these ids."`
	Platforms  []string `query:"platforms,explode" minItems:"1" minLength:"1" doc:"Count mentions from these platforms." example:"[\"reddit\"]"`
	Tags       []string `query:"tag,explode" minItems:"1" minLength:"1" doc:"Count mentions with one of these topics. none stands for mentions without a topic."`
	Sentiments []string `query:"sentiment,explode" minItems:"1" minLength:"1" doc:"Count mentions with one of these tones, in any case: positive, neutral, negative, unknown."`
	Relevance  []string `query:"relevance,explode" minItems:"1" minLength:"1" doc:"Count mentions with one of these scores: 0 high, 1 medium, 2 low, none. Default: 0 and 1."`
}

// selectionCodes are the codes for a refused selection.
var selectionCodes = []problem.Code{problem.InvalidTimezone, problem.KeywordsNotFound, problem.InvalidInput}

// selectionRules tells clients how a selection is read.
const selectionRules = "Counts relevant mentions, unless `relevance` says otherwise. A period has at most 365 days. " +
	"A date without a time is a day of `timezone`. `exact` says whether the figures are those of a recount at this " +
	"moment. If not, `why` says what differs. The `filters` of a row open its mentions in `POST /api/v2/mentions` " +
	"with `includeAll: true`. A selection that would read too many rows is refused with INVALID_INPUT. It needs to " +
	"read rows if it names several keywords, or if a date or a time zone is not at a full hour of UTC. What was read of " +
	"past days is kept as summaries, so that the same selection may be answered if it is asked again."

// Resolve reports the faults that the schema cannot express.
func (s *Selection) Resolve(huma.Context) []error {
	_, _, faults := s.conditions()
	return web.Faults(append(faults, s.dated().faults()...)...)
}

func (s Selection) dated() dated { return dated{s.StartDate, s.EndDate, s.Timezone, "query."} }

// A selected is a selection that was read.
type selected struct {
	period analytics.Period
	filter filter.Filter
	rows   analytics.RowFilter
	ids    []int64 // of keywords
}

// read checks a selection against the workspace.
func (f figures) read(ctx context.Context, s Selection) (selected, error) {
	conditions, ids, _ := s.conditions() // Resolve has reported the faults
	period, err := s.dated().period(f.clock.Now())
	if err != nil {
		return selected{}, err
	}
	if err := f.checkKeywords(ctx, ids); err != nil {
		return selected{}, err
	}
	written, err := json.Marshal(conditions)
	if err != nil {
		return selected{}, fmt.Errorf("write a filter: %w", err)
	}
	return newSelected(period, written, ids)
}

// newSelected combines a period with a filter in JSON, which may be empty.
func newSelected(period analytics.Period, written []byte, ids []int64) (selected, error) {
	found := selected{period: period, ids: ids}
	if len(written) > 0 {
		parsed, faults := filter.Parse(written)
		if len(faults) > 0 {
			return found, fmt.Errorf("read a filter: %s: %s", faults[0].Path, faults[0].Message)
		}
		found.filter = parsed
	}
	var err error
	found.rows, err = analytics.NewRowFilter(written)
	return found, err
}

// conditions returns the selection as a simple filter.
func (s Selection) conditions() (conditions map[string]any, ids []int64, faults []problem.Detail) {
	conditions = map[string]any{}
	fault := func(name, code, message string) {
		faults = append(faults, problem.Detail{Path: "query." + name, Code: code, Message: message})
	}
	collect := func(name string, key filter.Key, given []string, value func(string) any) {
		var values []any
		for _, text := range split(given) {
			v := value(text)
			if v == nil {
				return
			}
			if !slices.Contains(values, v) {
				values = append(values, v)
			}
		}
		switch {
		case len(values) > filter.MaxValues:
			fault(name, "max_items", fmt.Sprintf("Expected at most %d values.", filter.MaxValues))
		case len(values) > 0:
			conditions[string(key)] = values
		}
	}
	collect("keywordIds", filter.Keyword, s.KeywordIDs, func(text string) any {
		id, ok := whole(text)
		if !ok {
			fault("keywordIds", "type", "Expected ids of keywords: integers from 1 on.")
			return nil
		}
		ids = append(ids, id)
		return id
	})
	collect("platforms", filter.Source, s.Platforms, func(text string) any {
		if n := utf8.RuneCountInString(text); n < 1 || n > filter.MaxName {
			fault("platforms", "max_length", fmt.Sprintf("Expected names of 1 to %d characters.", filter.MaxName))
			return nil
		}
		return strings.ToLower(text)
	})
	among := func(name string, key filter.Key) func(string) any {
		allowed := allowedTexts(key)
		return func(text string) any {
			if slices.Contains(allowed, text) {
				return text
			}
			fault(name, "enum", "Expected one of "+strings.Join(allowed, ", ")+".")
			return nil
		}
	}
	collect("tag", filter.Tag, s.Tags, among("tag", filter.Tag))
	tone := among("sentiment", filter.Sentiment)
	collect("sentiment", filter.Sentiment, s.Sentiments, func(text string) any { return tone(strings.ToLower(text)) })
	collect("relevance", filter.Relevance, s.Relevance, func(text string) any {
		switch text {
		case "0", "1", "2":
			return int64(text[0] - '0')
		case "none":
			return text
		}
		fault("relevance", "enum", "Expected one of 0, 1, 2, none.")
		return nil
	})
	if len(s.Relevance) == 0 {
		conditions[string(filter.Relevance)] = usualRelevance()
	}
	slices.Sort(ids)
	return conditions, slices.Compact(ids), faults
}

// usualRelevance is the relevance that counts unless the request gives another.
func usualRelevance() []any { return []any{int64(mention.High), int64(mention.Medium)} }

// allowedTexts lists the texts that a key of the filters' grammar takes.
func allowedTexts(key filter.Key) []string {
	definitions := filter.Definitions()
	at := slices.IndexFunc(definitions, func(d filter.Definition) bool { return d.Key == key })
	return definitions[at].Allowed()
}

// split divides values at commas. It leaves out an empty one, which the schema refuses.
func split(given []string) (values []string) {
	for _, text := range given {
		if text == "" {
			continue
		}
		for part := range strings.SplitSeq(text, ",") {
			values = append(values, strings.TrimSpace(part))
		}
	}
	return values
}

// whole reads an id in its one spelling.
func whole(text string) (int64, bool) {
	id, err := strconv.ParseInt(text, 10, 64)
	return id, err == nil && id >= 1 && id <= mention.MaxID && strconv.FormatInt(id, 10) == text
}

// checkKeywords refuses ids that the workspace has no keyword for. ids are sorted and unique.
func (f figures) checkKeywords(ctx context.Context, ids []int64) error {
	var unknown []string
	for some := range slices.Chunk(ids, table.MaxBatchGet) {
		known, err := f.store.KeywordsKnown(ctx, web.CallerOf(ctx).Workspace.ID, some)
		if err != nil {
			return err
		}
		for _, id := range some {
			if !known[id] {
				unknown = append(unknown, strconv.FormatInt(id, 10))
			}
		}
	}
	if len(unknown) > 0 {
		return problem.New(
			problem.KeywordsNotFound,
			"The workspace has no keyword with the id %s. GET /api/v2/keywords lists them.", strings.Join(unknown, " or "),
		)
	}
	return nil
}

// run answers queries about a selection.
func (f figures) run(ctx context.Context, s selected, queries ...analytics.Query) ([]analytics.Answer, error) {
	first := &queries[0]
	first.WorkspaceID, first.Period, first.Filter = web.CallerOf(ctx).Workspace.ID, s.period, s.filter
	answers, err := analytics.Run(ctx, f.store, queries...)
	var over analytics.OverBudget
	var part analytics.NotInFiles
	switch {
	case errors.As(err, &over) && over.Kept > 0:
		return nil, problem.New(
			problem.InvalidInput,
			"Counting this reads more than %d MiB of mentions. %d days were counted and kept. Ask again to count on from "+
				"there, or ask for a shorter period.",
			analytics.ScanBudget>>20, over.Kept,
		)
	case errors.As(err, &part):
		return nil, problem.New(
			problem.InvalidInput,
			"Counting this would read more than %d MiB of mentions. The files of days hold them, but cannot be asked for %s. "+
				"Ask for a shorter period, or without it.",
			analytics.ScanBudget>>20, part.Part,
		)
	case errors.Is(err, analytics.ErrBudget):
		return nil, problem.New(
			problem.InvalidInput,
			"Counting this would read more than %d MiB of mentions. Ask for a shorter period. Figures of at most one "+
				"keyword, without authors, texts or followers, in a time zone of full hours, have no such bound.",
			analytics.ScanBudget>>20,
		)
	case errors.Is(err, analytics.ErrTooManyAuthors):
		return nil, problem.New(
			problem.InvalidInput,
			"This would compare more than %d different authors. Ask for a shorter period or fewer platforms. Their number "+
				"alone, without reach and names, is estimated.",
			analytics.MaxAuthors,
		)
	case errors.Is(err, analytics.ErrTooManyRows):
		return nil, problem.New(
			problem.InvalidInput,
			"The response would have more than %d rows. Ask for a coarser granularity, fewer dimensions or a shorter period.",
			analytics.MaxRows,
		)
	}
	return answers, err
}
