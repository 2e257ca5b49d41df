package summaries

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"earshot/shared/analytics"
	"earshot/shared/analytics/themes"
	"earshot/shared/filter"
	"earshot/shared/mention"
	"earshot/shared/parallel"
	"earshot/shared/summary"
	"earshot/shared/summary/compose"
	"earshot/shared/theme"
	"earshot/shared/worker"
)

// usualRelevance selects what counts unless the filters have a condition on relevance.
const usualRelevance = `{"relevance":[0,1]}`

// write returns what a summary says. It asks the model if there is one and mayAsk returns true. A model is asked once for
// a summary: an attempt that comes after one that asked, and died, quotes mentions.
func (o Options) write(
	ctx context.Context, s summary.Summary, mayAsk func(ctx context.Context) (bool, error),
) (content summary.Content, err error) {
	query, err := queryOf(s)
	if err != nil {
		return content, err
	}
	material := compose.Material{Start: s.Start, End: s.End}
	var texts analytics.Texts
	if err := parallel.Together(
		func() (err error) { material.Figures, err = o.figures(ctx, query); return err },
		func() (err error) { texts, err = analytics.Read(ctx, o.Store, query, themes.MostRead); return err },
	); err != nil {
		return content, err
	}
	material.Themes = themesOf(texts.Mentions)
	content = summary.Content{
		Headline: compose.Headline(material), Figures: material.Figures, Themes: compose.Rules(material),
	}
	if o.Writer == nil || len(material.Themes) == 0 {
		return content, nil
	}
	if asking, err := mayAsk(ctx); err != nil || !asking {
		return content, err
	}
	said, advice := o.Writer.Write(ctx, s.WorkspaceID, material)
	o.record(ctx, advice)
	if ctx.Err() != nil {
		return content, ctx.Err()
	}
	if content.Themes = said; advice.Kept > 0 {
		content.Model = o.Writer.ID
	}
	return content, nil
}

// record counts what the model was asked, and logs why it was of no help.
func (o Options) record(ctx context.Context, advice compose.Advice) {
	if advice.Err != nil {
		o.Log.WarnContext(ctx, "the model was of no help", slog.Any("cause", advice.Err))
	}
	if !advice.Asked {
		return
	}
	o.Log.InfoContext(ctx, "the model's sentences were checked", slog.Int("kept", advice.Kept),
		slog.Int("refused", advice.Left))
	worker.Count(ctx, "modelRequests", 1)
	worker.Count(ctx, "modelTokens", advice.Tokens)
	if advice.Failed {
		worker.Count(ctx, "modelFailures", 1)
	}
}

// queryOf returns the query that selects a summary's mentions.
func queryOf(s summary.Summary) (analytics.Query, error) {
	q := analytics.Query{
		WorkspaceID: s.WorkspaceID,
		Period:      analytics.Period{Start: s.Start, End: s.End, Zone: time.UTC},
	}
	var parts []filter.Filter
	for _, text := range append(slices.Clone(s.Selecting), usualRelevance) {
		part, faults := filter.Parse([]byte(text))
		if len(faults) > 0 {
			return q, errors.New("a stored filter is not valid: " + faults[0].Path + ": " + faults[0].Message)
		}
		parts = append(parts, part)
	}
	asked := filter.And(parts[:len(parts)-1]...)
	if slices.Contains(asked.Keys(), filter.Relevance) {
		q.Filter = asked.Undated() // the period is within its dates
	} else {
		q.Filter = filter.And(parts...).Undated()
	}
	return q, nil
}

// figures counts the mentions of a query's period and of the period before.
func (o Options) figures(ctx context.Context, query analytics.Query) (f summary.Figures, err error) {
	earlier := query
	query.Dimensions, query.Aggregates = []analytics.Dimension{analytics.Sentiment}, []analytics.Aggregate{analytics.Count}
	earlier.Period, earlier.Aggregates = query.Period.Before(), query.Aggregates
	var now, before []analytics.Answer
	err = parallel.Together(
		func() (err error) { now, err = analytics.Run(ctx, o.Store, query); return err },
		func() (err error) { before, err = analytics.Run(ctx, o.Store, earlier); return err },
	)
	if err != nil {
		return f, err
	}
	for _, row := range before[0].Rows {
		f.Before += row.Mentions
	}
	for _, row := range now[0].Rows {
		f.Mentions += row.Mentions
		sentiment := mention.Sentiment(row.Values[0].Text)
		if row.Values[0].Missing {
			sentiment = ""
		}
		add(&f.Sentiment, sentiment, row.Mentions)
	}
	switch {
	case !now[0].Exact:
		f.Why = now[0].Why
	case !before[0].Exact:
		f.Why = "Of the period before: " + before[0].Why
	}
	return f, nil
}

func add(tones *summary.Tones, sentiment mention.Sentiment, n int64) {
	switch sentiment {
	case mention.Positive:
		tones.Positive += n
	case mention.Neutral:
		tones.Neutral += n
	case mention.Negative:
		tones.Negative += n
	default:
		tones.Unknown += n
	}
}

// themesOf returns the largest themes of mentions, with the posts that may be cited.
func themesOf(mentions []mention.Mention) (found []compose.Theme) {
	stories := themes.Stories(mentions)
	posts := make([]theme.Post, len(stories))
	for i, s := range stories {
		posts[i] = s.Post()
	}
	list := theme.Find(posts, themes.Keywords(mentions)).List
	for _, one := range list[:min(len(list), summary.MaxThemes)] {
		t := compose.Theme{Theme: summary.Theme{
			Title: one.Label, Share: float64(len(one.Posts)) / float64(len(stories)), Sentences: []summary.Sentence{},
		}}
		t.English = slices.Contains([]string{"", mention.Undetermined, "english"}, stories[one.Posts[0]][0].Language)
		central := make([]themes.Story, len(one.Posts))
		for n, i := range one.Posts {
			central[n] = stories[i]
			for _, m := range stories[i] {
				t.Count++
				add(&t.Sentiment, m.Sentiment, 1)
			}
		}
		for _, m := range themes.Central(central, compose.MaxPosts) {
			t.Posts = append(t.Posts, compose.NewPost(m, one.Terms))
		}
		found = append(found, t)
	}
	return found
}
