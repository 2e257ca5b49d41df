package analytics

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"earshot/shared/analytics"
	"earshot/shared/keyword"
	"earshot/shared/store"
	"earshot/shared/web"
	"earshot/shared/web/filterwire"
)

func (f figures) registerShareOfVoice(api *web.API) {
	web.Register(api, web.Operation{
		ID: "getShareOfVoice", Method: http.MethodGet, Path: path + "share-of-voice", Group: Group,
		Summary: "Compare mentions of the own brand to those of each competitor",
		Description: "The own brand is all keywords with the tag own_brand together: a mention of two of them counts once. " +
			"Each keyword with the tag competitor is a competitor. `share` is the part that a name has of all counts of its " +
			"bucket. Every name has a row in each bucket that has any mention. " + selectionRules,
		Codes: selectionCodes,
		Example: ShareOfVoice{"week", Exactness{Exact: true}, []VoiceRow{
			{"2026-11-16", "Northwind", []int64{7, 8}, 30, 0.75, exampleFilter()},
			{"2026-11-16", "Southwind", []int64{9}, 10, 0.25, exampleFilter()},
		}},
	}, f.shareOfVoice)
}

// ShareOfVoiceInput selects mentions and buckets.
type ShareOfVoiceInput struct {
	Selection
	Granularity analytics.Granularity `query:"granularity" enum:"hour,day,week,month" default:"week" doc:"The length of a bucket."`
}

// ShareOfVoice compares the own brand to its competitors.
type ShareOfVoice struct {
	Granularity string `json:"granularity" enum:"hour,day,week,month"`
	Exactness
	Data []VoiceRow `json:"data" doc:"In order of time. In a bucket the own brand comes first, then competitors by name."`
}

// VoiceRow counts the mentions of a name in a bucket.
type VoiceRow struct {
	Bucket     Bucket            `json:"bucket"`
	Name       string            `json:"name" doc:"The company's name, or a competitor's keyword."`
	KeywordIDs []int64           `json:"keywordIds"`
	Count      int64             `json:"count" minimum:"0"`
	Share      float64           `json:"share" minimum:"0" maximum:"1" doc:"The part of all counts of the bucket."`
	Filters    filterwire.Either `json:"filters"`
}

// A voice is a name that mentions are counted for.
type voice struct {
	name     string
	keywords []int64
}

func (f figures) shareOfVoice(ctx context.Context, in *ShareOfVoiceInput) (*ShareOfVoice, error) {
	s, err := f.read(ctx, in.Selection)
	if err != nil {
		return nil, err
	}
	voices, err := f.voices(ctx, s.ids)
	if err != nil {
		return nil, err
	}
	query := byTime(in.Granularity)
	query.Dimensions, query.Groups = []analytics.Dimension{analytics.Keyword}, [][]int64{}
	for _, v := range voices {
		query.Groups = append(query.Groups, v.keywords)
	}
	answers, err := f.find(ctx, s, query)
	if err != nil {
		return nil, err
	}
	return voicesFrom(answers[0], voices)
}

// voices lists the own brand and then the competitors by their names. ids are the keywords that the request names; nil
// for all.
func (f figures) voices(ctx context.Context, ids []int64) (voices []voice, err error) {
	org := web.CallerOf(ctx).Workspace.ID
	all, err := f.store.Keywords(ctx, org)
	if err != nil {
		return nil, err
	}
	if ids != nil {
		all = slices.DeleteFunc(all, func(k keyword.Keyword) bool { return !slices.Contains(ids, k.ID) })
	}
	slices.SortFunc(all, func(x, y keyword.Keyword) int { return int(x.ID - y.ID) })
	own := voice{}
	for _, k := range all {
		switch k.Tag {
		case keyword.OwnBrand:
			own.keywords = append(own.keywords, k.ID)
			if own.name == "" {
				own.name = k.Text
			}
		case keyword.Competitor:
			voices = append(voices, voice{k.Text, []int64{k.ID}})
		}
	}
	slices.SortStableFunc(voices,
		func(x, y voice) int { return cmp.Compare(strings.ToLower(x.name), strings.ToLower(y.name)) })
	if own.keywords == nil {
		return voices, nil
	}
	company, err := f.store.Company(ctx, org)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return nil, err
	}
	if company.Name != "" {
		own.name = company.Name
	}
	return append([]voice{own}, voices...), nil
}

func voicesFrom(f found, voices []voice) (*ShareOfVoice, error) {
	out := &ShareOfVoice{string(f.query.Granularity), f.exactness(), []VoiceRow{}}
	counts, totals := map[[2]int]int64{}, map[int]int64{} // by bucket and voice, and by bucket
	for _, row := range f.Rows {
		id, _ := strconv.ParseInt(row.Values[0].Text, 10, 64)
		at := slices.IndexFunc(voices, func(v voice) bool { return v.keywords[0] == id })
		counts[[2]int{row.Bucket, at}] = row.Mentions
		totals[row.Bucket] += row.Mentions
	}
	for n, b := range f.buckets {
		if totals[n] == 0 {
			continue
		}
		for i, v := range voices {
			value := analytics.Value{Text: strconv.FormatInt(v.keywords[0], 10)}
			filters, err := f.row(n, []analytics.Value{value})
			if err != nil {
				return nil, err
			}
			count := counts[[2]int{n, i}]
			out.Data = append(out.Data, VoiceRow{
				Bucket:     bucketName(b, f.query.Granularity, f.selected.period),
				Name:       v.name,
				KeywordIDs: v.keywords,
				Count:      count,
				Share:      float64(count) / float64(totals[n]),
				Filters:    filters,
			})
		}
	}
	return out, nil
}
