package analytics

import (
	"cmp"
	"context"
	"maps"
	"net/http"
	"slices"
	"strconv"

	"earshot/shared/analytics"
	"earshot/shared/mention"
	"earshot/shared/web"
	"earshot/shared/web/filterwire"
)

const path = "/api/v2/analytics/"

func (f figures) registerReads(api *web.API) {
	read := func(id, name, summary, more string, example any) web.Operation {
		return web.Operation{
			ID:          id,
			Method:      http.MethodGet,
			Path:        path + name,
			Group:       Group,
			Summary:     summary,
			Description: more + selectionRules,
			Codes:       selectionCodes,
			Example:     example,
		}
	}
	exact := Exactness{Exact: true}
	web.Register(api, read("getVolume", "volume", "Count mentions by time",
		"Empty buckets are left out unless `fill` is true. ",
		Volume{"day", exact, []VolumeRow{{"2026-11-20", 12, exampleFilter()}}}), f.volume)
	web.Register(api, read("getSentiment", "sentiment", "Count mentions by sentiment", "",
		SentimentCounts{exact, []SentimentRow{{"Positive", 12, exampleFilter()}}}), f.sentiment)
	web.Register(api, read("getSources", "sources", "Count mentions by platform", "",
		SourceCounts{exact, []SourceRow{{"reddit", 12, exampleFilter()}}}), f.sources)
	web.Register(api, read("getKeywordCounts", "keywords", "Count mentions by keyword",
		"A mention counts for each of its keywords, deleted keywords included. ",
		KeywordCounts{exact, []KeywordRow{{7, web.Some("northwind"), 12, exampleFilter()}}}), f.keywords)
	web.Register(api, read("getTagCounts", "tags", "Count mentions by topic",
		"A mention counts for each of its topics. `none` counts mentions without a topic. ",
		TagCounts{exact, []TagRow{{"pricing", 12, exampleFilter()}}}), f.tags)
	web.Register(api, read("getLanguages", "languages", "Count mentions by language", "",
		LanguageCounts{exact, []LanguageRow{{"english", 12, exampleFilter()}}}), f.languages)
	web.Register(api, read("getAuthors", "authors", "List the authors with the most mentions and the most followers",
		"`data` has the authors with the most mentions, and `byFollowers` those with the most followers. An author is a "+
			"handle on a platform. `total` is the number of authors. Mentions without an author are left out. Authors are counted "+
			"from rows, and a past day from its stored summary. If a day has more than 5,000 authors, they are counted from rows "+
			"each time. ",
		AuthorCounts{exact, 41, []AuthorRow{exampleAuthor()}, []AuthorRow{exampleAuthor()}}), f.authors)
}

func exampleFilter() (either filterwire.Either) {
	if err := either.UnmarshalJSON([]byte(
		`{"relevance":[0,1],"startDate":"2026-11-20 00:00:00.000","endDate":"2026-11-21 00:00:00.000"}`)); err != nil {
		panic(err)
	}
	return either
}

func exampleAuthor() AuthorRow {
	return AuthorRow{"quietharbor", "reddit", 3, web.Some[int64](120), exampleFilter()}
}

// VolumeInput selects mentions and buckets.
type VolumeInput struct {
	Selection
	Granularity analytics.Granularity `query:"granularity" enum:"hour,day,week,month" default:"day" doc:"The length of a bucket."`
	Fill        bool                  `query:"fill" default:"false" doc:"Whether to include empty buckets."`
}

// Volume counts mentions by time.
type Volume struct {
	Granularity string `json:"granularity" enum:"hour,day,week,month"`
	Exactness
	Data []VolumeRow `json:"data" doc:"In order of time."`
}

// VolumeRow counts the mentions of a bucket.
type VolumeRow struct {
	Bucket  Bucket            `json:"bucket"`
	Count   int64             `json:"count" minimum:"0"`
	Filters filterwire.Either `json:"filters"`
}

func (f figures) volume(ctx context.Context, in *VolumeInput) (*Volume, error) {
	s, err := f.read(ctx, in.Selection)
	if err != nil {
		return nil, err
	}
	found, err := f.find(ctx, s, byTime(in.Granularity))
	if err != nil {
		return nil, err
	}
	return volumeFrom(found[0], in.Fill)
}

func byTime(g analytics.Granularity) analytics.Query {
	return analytics.Query{Granularity: g, Aggregates: []analytics.Aggregate{analytics.Count}}
}

func volumeFrom(f found, fill bool) (*Volume, error) {
	counts := map[int]int64{}
	for _, row := range f.Rows {
		counts[row.Bucket] = row.Mentions
	}
	open, g := f.openers, f.query.Granularity
	out := &Volume{Granularity: string(g), Exactness: f.exactness(), Data: []VolumeRow{}}
	for n, b := range open.buckets {
		if counts[n] == 0 && !fill {
			continue
		}
		filters, err := open.bucket(n)
		if err != nil {
			return nil, err
		}
		out.Data = append(out.Data, VolumeRow{bucketName(b, g, open.selected.period), counts[n], filters})
	}
	return out, nil
}

// found is the answer to a query, with what its rows are opened by.
type found struct {
	analytics.Answer
	openers
}

func (f found) exactness() Exactness { return Exactness{f.Exact, f.Why} }

// find answers queries about a selection.
func (f figures) find(ctx context.Context, s selected, queries ...analytics.Query) ([]found, error) {
	answers, err := f.run(ctx, s, queries...)
	if err != nil {
		return nil, err
	}
	all := make([]found, len(answers))
	for i, answer := range answers {
		all[i] = found{answer, newOpeners(s, queries[i])}
	}
	return all, nil
}

// each calls add for each row with the row's filters.
func (f found) each(add func(analytics.Row, filterwire.Either)) error {
	for _, row := range f.Rows {
		filters, err := f.row(row.Bucket, row.Values)
		if err != nil {
			return err
		}
		add(row, filters)
	}
	return nil
}

// ask reads a selection and answers one query about it.
func (f figures) ask(ctx context.Context, in Selection, q analytics.Query) (found, error) {
	s, err := f.read(ctx, in)
	if err != nil {
		return found{}, err
	}
	answers, err := f.find(ctx, s, q)
	if err != nil {
		return found{}, err
	}
	return answers[0], nil
}

func by(d analytics.Dimension) analytics.Query {
	return analytics.Query{
		Dimensions: []analytics.Dimension{d},
		Aggregates: []analytics.Aggregate{analytics.Count},
	}
}

// SentimentCounts counts mentions by sentiment.
type SentimentCounts struct {
	Exactness
	Data []SentimentRow `json:"data" doc:"The sentiments with mentions, the most frequent first."`
}

// SentimentRow counts the mentions of a sentiment.
type SentimentRow struct {
	Sentiment Tone              `json:"sentiment"`
	Count     int64             `json:"count" minimum:"1"`
	Filters   filterwire.Either `json:"filters"`
}

func (f figures) sentiment(ctx context.Context, in *Selection) (*SentimentCounts, error) {
	answer, err := f.ask(ctx, *in, by(analytics.Sentiment))
	if err != nil {
		return nil, err
	}
	return sentimentFrom(answer)
}

func sentimentFrom(f found) (*SentimentCounts, error) {
	out := &SentimentCounts{Exactness: f.exactness(), Data: []SentimentRow{}}
	return out, f.each(func(row analytics.Row, filters filterwire.Either) {
		out.Data = append(out.Data, SentimentRow{toneOf(row.Values[0]), row.Mentions, filters})
	})
}

// SourceCounts counts mentions by platform.
type SourceCounts struct {
	Exactness
	Data []SourceRow `json:"data" doc:"The most frequent platform first."`
}

// SourceRow counts the mentions of a platform.
type SourceRow struct {
	Source  string            `json:"source"`
	Count   int64             `json:"count" minimum:"1"`
	Filters filterwire.Either `json:"filters,omitzero" doc:"Left out if the platform's name has more than 64 characters."`
}

func (f figures) sources(ctx context.Context, in *Selection) (*SourceCounts, error) {
	answer, err := f.ask(ctx, *in, by(analytics.Source))
	if err != nil {
		return nil, err
	}
	return sourcesFrom(answer)
}

func sourcesFrom(f found) (*SourceCounts, error) {
	out := &SourceCounts{Exactness: f.exactness(), Data: []SourceRow{}}
	return out, f.each(func(row analytics.Row, filters filterwire.Either) {
		out.Data = append(out.Data, SourceRow{row.Values[0].Text, row.Mentions, filters})
	})
}

// KeywordCounts counts mentions by keyword.
type KeywordCounts struct {
	Exactness
	Data []KeywordRow `json:"data" doc:"The most frequent keyword first."`
}

// KeywordRow counts the mentions of a keyword.
type KeywordRow struct {
	KeywordID int64             `json:"keywordId" minimum:"1" maximum:"9007199254740991"`
	Keyword   web.Null[string]  `json:"keyword" doc:"The keyword's text. Null if the keyword was deleted."`
	Count     int64             `json:"count" minimum:"1"`
	Filters   filterwire.Either `json:"filters,omitzero" doc:"Left out if the keyword was deleted."`
}

func (f figures) keywords(ctx context.Context, in *Selection) (*KeywordCounts, error) {
	s, err := f.read(ctx, *in)
	if err != nil {
		return nil, err
	}
	texts, query, err := f.byKeyword(ctx, s)
	if err != nil {
		return nil, err
	}
	answers, err := f.find(ctx, s, query)
	if err != nil {
		return nil, err
	}
	return keywordsFrom(answers[0], texts)
}

// byKeyword returns the query that counts each keyword, and the texts of those that are not deleted.
func (f figures) byKeyword(
	ctx context.Context, s selected,
) (texts map[int64]string, query analytics.Query, err error) {
	org := web.CallerOf(ctx).Workspace.ID
	known, err := f.store.Keywords(ctx, org)
	if err != nil {
		return nil, query, err
	}
	texts = map[int64]string{}
	for _, k := range known {
		texts[k.ID] = k.Text
	}
	query = by(analytics.Keyword)
	if s.ids != nil {
		return texts, query, nil
	}
	counted, err := f.store.KeywordsCounted(ctx, org, slices.Collect(maps.Keys(texts)))
	if err != nil {
		return nil, query, err
	}
	query.Groups = make([][]int64, len(counted))
	for i, id := range counted {
		query.Groups[i] = []int64{id}
	}
	return texts, query, nil
}

func keywordsFrom(f found, texts map[int64]string) (*KeywordCounts, error) {
	out := &KeywordCounts{Exactness: f.exactness(), Data: []KeywordRow{}}
	return out, f.each(func(row analytics.Row, filters filterwire.Either) {
		id, _ := strconv.ParseInt(row.Values[0].Text, 10, 64)
		if texts[id] == "" {
			filters = filterwire.Either{} // a list refuses the id of a deleted keyword
		}
		out.Data = append(out.Data, KeywordRow{id, web.NullIfEmpty(texts[id]), row.Mentions, filters})
	})
}

// TagCounts counts mentions by topic.
type TagCounts struct {
	Exactness
	Data []TagRow `json:"data" doc:"The most frequent topic first."`
}

// TagRow counts the mentions of a topic.
type TagRow struct {
	Tag     string            `json:"tag" doc:"A topic, or none."`
	Count   int64             `json:"count" minimum:"1"`
	Filters filterwire.Either `json:"filters"`
}

func (f figures) tags(ctx context.Context, in *Selection) (*TagCounts, error) {
	answer, err := f.ask(ctx, *in, by(analytics.Tag))
	if err != nil {
		return nil, err
	}
	return tagsFrom(answer)
}

func tagsFrom(f found) (*TagCounts, error) {
	out := &TagCounts{Exactness: f.exactness(), Data: []TagRow{}}
	return out, f.each(func(row analytics.Row, filters filterwire.Either) {
		out.Data = append(out.Data, TagRow{cmp.Or(row.Values[0].Text, "none"), row.Mentions, filters})
	})
}

// LanguageCounts counts mentions by language.
type LanguageCounts struct {
	Exactness
	Data []LanguageRow `json:"data" doc:"The most frequent language first."`
}

// LanguageRow counts the mentions of a language.
type LanguageRow struct {
	Language string            `json:"language" doc:"Its full lowercase English name, or undetermined."`
	Count    int64             `json:"count" minimum:"1"`
	Filters  filterwire.Either `json:"filters,omitzero" doc:"Left out if no filter knows the language."`
}

func (f figures) languages(ctx context.Context, in *Selection) (*LanguageCounts, error) {
	answer, err := f.ask(ctx, *in, by(analytics.Language))
	if err != nil {
		return nil, err
	}
	return languagesFrom(answer)
}

func languagesFrom(f found) (*LanguageCounts, error) {
	out := &LanguageCounts{Exactness: f.exactness(), Data: []LanguageRow{}}
	return out, f.each(func(row analytics.Row, filters filterwire.Either) {
		out.Data = append(out.Data, LanguageRow{row.Values[0].Text, row.Mentions, filters})
	})
}

// AuthorsInput selects mentions and how many authors to list.
type AuthorsInput struct {
	Selection
	Limit int `query:"limit" minimum:"1" maximum:"100" default:"20" doc:"The largest number of authors in each list."`
}

// AuthorCounts lists authors.
type AuthorCounts struct {
	Exactness
	Total       int         `json:"total" minimum:"0" doc:"The number of different authors."`
	Data        []AuthorRow `json:"data" doc:"The authors with the most mentions."`
	ByFollowers []AuthorRow `json:"byFollowers" doc:"The authors with the most followers, without those whose followers are unknown."`
}

// AuthorRow counts the mentions of an author.
type AuthorRow struct {
	Author    string            `json:"author" doc:"The handle in lower case, without a leading @."`
	Source    string            `json:"source" doc:"The platform of the handle."`
	Count     int64             `json:"count" minimum:"1"`
	Followers web.Null[int64]   `json:"followers" doc:"Followers as of the newest mention that has a number. Null if unknown or none."`
	Filters   filterwire.Either `json:"filters,omitzero" doc:"Left out if the handle has more than 200 characters."`
}

func (f figures) authors(ctx context.Context, in *AuthorsInput) (*AuthorCounts, error) {
	query := by(analytics.Author)
	query.Aggregates = []analytics.Aggregate{analytics.Count, analytics.Reach}
	query.Top = in.Limit
	answer, err := f.ask(ctx, in.Selection, query)
	if err != nil {
		return nil, err
	}
	out := &AuthorCounts{Exactness: answer.exactness(), Total: answer.Total}
	if out.Data, err = authorRows(answer.openers, answer.Rows, in.Limit); err != nil {
		return nil, err
	}
	followed := slices.DeleteFunc(answer.Rows, func(row analytics.Row) bool { return row.Reach == 0 })
	slices.SortStableFunc(followed, func(x, y analytics.Row) int { return cmp.Compare(y.Reach, x.Reach) })
	out.ByFollowers, err = authorRows(answer.openers, followed, in.Limit)
	return out, err
}

func authorRows(open openers, found []analytics.Row, limit int) ([]AuthorRow, error) {
	list := make([]AuthorRow, 0, min(limit, len(found)))
	for _, row := range found[:min(limit, len(found))] {
		filters, err := open.row(0, row.Values)
		if err != nil {
			return nil, err
		}
		author, name := row.Values[0], mention.LowerHandle(row.Values[0].Text)
		list = append(list, AuthorRow{name, author.Source, row.Mentions, web.NullIfEmpty(row.Reach), filters})
	}
	return list, nil
}
