package setupstore

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"earshot/shared/feed"
	"earshot/shared/port/table"
	"earshot/shared/proposal"
	"earshot/shared/store/listenstore"
	"earshot/shared/store/rows"
)

// feeds decides what each chosen ref of a feed stands for. A feed shows the existing keywords of its own and of the
// feeds that are merged into it. A feed that was made before and is unchanged takes in what was applied since.
func (a *application) feeds(ctx context.Context, refs []string) error {
	all := a.rows[rows.FeedsKey(a.orgID)]
	none := rows.Integer(all, "feeds") == 0
	counted := table.Update{Table: rows.CoreTable, Key: rows.FeedsKey(a.orgID)}
	var added, heavier int64
	var fresh []proposal.Feed
	for _, f := range a.run.Proposal.Feeds {
		earlier, known := a.known.Feeds[f.Ref]
		row := a.rows[rows.FeedKey(a.orgID, earlier.ID)]
		switch {
		case !slices.Contains(refs, f.Ref):
		case known && earlier.Run == a.run.Number && row == nil:
			a.skip(f.Ref, SkipFeedDeleted, earlier.ID)
		case known && row != nil && (earlier.Run == a.run.Number || earlier.Name == f.Name):
			more, err := a.extend(f, earlier, row)
			if err != nil {
				return err
			}
			heavier += more
			a.done.Feeds = append(
				a.done.Feeds,
				AppliedFeed{Ref: f.Ref, ID: earlier.ID, Name: rows.Text(row, "name"), Created: earlier.By == a.by},
			)
		case len(a.shownBy(f)) == 0:
			a.skip(f.Ref, SkipEmpty, 0)
		default:
			fresh = append(fresh, f)
		}
	}
	ids, err := a.store.next(ctx, a.orgID, rows.SequenceOfFeeds, &a.drawn.feeds, len(fresh))
	if err != nil {
		return err
	}
	for i, f := range fresh {
		shown := a.shownBy(f)
		side, err := filterOf(shown, f.ContentTerms)
		if err != nil {
			return err
		}
		made := feed.Feed{ID: ids[i], Name: f.Name, SimpleFilters: side}
		if none && f.Purpose == proposal.ForBrand {
			none = false
			counted.Set = map[string]any{"default": made.ID}
		}
		put, weight := a.store.listen.PutFeed(a.orgID, &made)
		a.writes = append(a.writes, put)
		added, heavier = added+1, heavier+weight
		a.done.Feeds = append(a.done.Feeds, AppliedFeed{Ref: f.Ref, ID: made.ID, Name: made.Name, Created: true})
		a.noteFeed(f.Ref, madeFeed{ID: made.ID, By: a.by, Name: f.Name, Keywords: shown, Texts: a.textsOf(shown)})
	}
	place := func(f AppliedFeed) int {
		return slices.IndexFunc(a.run.Proposal.Feeds, func(of proposal.Feed) bool { return of.Ref == f.Ref })
	}
	slices.SortStableFunc(a.done.Feeds, func(x, y AppliedFeed) int { return place(x) - place(y) })
	switch {
	case rows.Integer(all, "feeds")+added > feed.MaxFeeds:
		return listenstore.ErrFeedLimit
	case heavier > 0 && rows.Integer(all, "weight")+heavier > feed.MaxTogether:
		return listenstore.ErrFeedTooLarge
	case added == 0 && heavier == 0:
		return nil
	}
	counted.Add = map[string]int64{"weight": heavier}
	if added > 0 {
		counted.Add["feeds"] = added
	}
	counted.If = table.All(rows.Room("feeds", added, feed.MaxFeeds), rows.Room("weight", heavier, feed.MaxTogether))
	if counted.Set != nil {
		counted.If = table.All(counted.If, table.Any(table.Missing("feeds"), table.Equal("feeds", int64(0))))
	}
	a.writes = append(a.writes, counted)
	return nil
}

func (a *application) noteFeed(ref string, f madeFeed) {
	if a.known.Feeds == nil {
		a.known.Feeds = map[string]madeFeed{}
	}
	f.Run = a.run.Number
	a.known.Feeds[ref], a.noted = f, true
}

// shownBy returns the existing keywords of a feed and of those that are merged into it.
func (a *application) shownBy(f proposal.Feed) []int64 {
	ids, seen := []int64{}, map[string]bool{}
	var add func(f proposal.Feed)
	add = func(f proposal.Feed) {
		if seen[f.Ref] {
			return
		}
		seen[f.Ref] = true
		for _, ref := range f.KeywordRefs {
			if id := a.tied[ref]; id != 0 && !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
		for _, other := range a.run.Proposal.Feeds {
			if other.MergedIntoRef == f.Ref {
				add(other)
			}
		}
	}
	add(f)
	return ids
}

// extend adds keywords to a feed that is as it was made, and returns how much heavier it is. A feed that somebody has
// changed stays, unless only deleted keywords were removed from it.
func (a *application) extend(f proposal.Feed, earlier madeFeed, row table.Item) (heavier int64, err error) {
	there := slices.DeleteFunc(
		slices.Clone(earlier.Keywords), func(id int64) bool { return a.rows[rows.KeywordKey(a.orgID, id)] == nil },
	)
	shown := slices.Clone(there)
	for _, id := range a.shownBy(f) {
		if !slices.Contains(shown, id) {
			shown = append(shown, id)
		}
	}
	as, err := filterOf(there, f.ContentTerms)
	if err != nil {
		return 0, err
	}
	filter := rows.Bytes(row, "simpleFilters")
	untouched := string(filter) == string(as) || len(there) == 0 && earlier.leftBy(filter)
	if len(shown) > len(there) && untouched && rows.Bytes(row, "advancedFilters") == nil {
		changed := listenstore.ToFeed(row, nil)
		if changed.SimpleFilters, err = filterOf(shown, f.ContentTerms); err != nil {
			return 0, err
		}
		changed.Revision, changed.UpdatedAt = changed.Revision+1, a.store.Instant()
		weight := int64(changed.Weight())
		heavier = weight - rows.Integer(row, "weight")
		a.writes = append(
			a.writes,
			table.Put{
				Table: rows.CoreTable,
				Item:  listenstore.FromFeed(a.orgID, changed, weight),
				If:    table.Equal("rev", changed.Revision-1),
			},
		)
		earlier.Keywords, earlier.Texts = shown, a.textsOf(shown)
		a.noteFeed(f.Ref, earlier)
	} else if earlier.Run != a.run.Number {
		a.noteFeed(f.Ref, earlier)
	}
	return heavier, nil
}

// leftBy reports whether a filter is what the deletion of a feed's last keyword leaves: the keyword's text alone
// (feed.TextInstead).
func (f madeFeed) leftBy(filter []byte) bool {
	var left map[string][]string
	return json.Unmarshal(filter, &left) == nil && len(left) == 1 && len(left["text"]) == 1 &&
		slices.Contains(f.Texts, left["text"][0])
}

// textsOf returns the texts of keywords that the proposal's refs stand for.
func (a *application) textsOf(ids []int64) (texts []string) {
	for _, k := range a.run.Proposal.Keywords {
		if id := a.tied[k.Ref]; slices.Contains(ids, id) {
			text := k.Keyword
			if row := a.rows[rows.KeywordKey(a.orgID, id)]; row != nil {
				text = rows.Text(row, "text")
			}
			texts = append(texts, text)
		}
	}
	return texts
}

// filterOf returns a feed's filter as a client would write it.
func filterOf(keywords []int64, texts []string) ([]byte, error) {
	side, err := json.Marshal(struct {
		Keyword []int64  `json:"keyword"`
		Text    []string `json:"text,omitempty"`
	}{keywords, texts})
	if err != nil {
		return nil, fmt.Errorf("write a feed's filter: %w", err)
	}
	return side, nil
}
