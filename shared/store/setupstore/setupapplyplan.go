package setupstore

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"earshot/shared/port/table"
	"earshot/shared/proposal"
	"earshot/shared/store"
	"earshot/shared/store/listenstore"
	"earshot/shared/store/rows"
	"earshot/shared/store/workspacestore"
	"earshot/shared/workspace"
)

// application is one attempt to apply a proposal: what was read, and what has to be written.
type application struct {
	store *Store
	orgID string
	limit int
	by    string
	drawn *ids
	draft proposal.Draft
	run   proposal.Run
	known applied // read, and then changed

	rows map[table.Key]table.Item
	tied map[string]int64 // refs to the keywords that there are

	writes         []table.Write
	added, heavier int  // keywords, and what they come to weigh
	changed        bool // a keyword that was there
	noted          bool // something is known that was not
	done           SetupApplied
}

// before returns the refs of this run's keywords that were applied.
func (a *application) before() map[string]EarlierKeyword {
	refs := map[string]EarlierKeyword{}
	for ref, k := range a.known.Keywords {
		if k.Run == a.run.Number {
			refs[ref] = EarlierKeyword{k.Option, k.Made, a.rows[rows.KeywordKey(a.orgID, k.ID)] == nil}
		}
	}
	return refs
}

// read reads all rows that the plan depends on: one round trip, and a second if keywords of the proposal are tracked
// already.
func (a *application) read(ctx context.Context) error {
	a.rows = map[table.Key]table.Item{}
	keys := []table.Key{a.listener(), rows.FeedsKey(a.orgID), rows.CompanyKey(a.orgID)}
	texts := []table.Key{}
	for _, k := range a.run.Proposal.Keywords {
		texts = append(texts, listenstore.KeywordTextKey(a.orgID, k.Keyword))
	}
	for _, ref := range slices.Sorted(maps.Keys(a.known.Keywords)) {
		id := a.known.Keywords[ref].ID
		keys = append(keys, rows.KeywordKey(a.orgID, id), cleanupKey(a.orgID, id))
	}
	for _, ref := range slices.Sorted(maps.Keys(a.known.Feeds)) {
		f := a.known.Feeds[ref]
		keys = append(keys, rows.FeedKey(a.orgID, f.ID))
		for _, id := range f.Keywords {
			keys = append(keys, rows.KeywordKey(a.orgID, id))
		}
	}
	if err := a.get(ctx, append(keys, texts...)); err != nil {
		return err
	}
	var tracked []table.Key
	for _, key := range texts {
		if row := a.rows[key]; row != nil {
			tracked = append(tracked, rows.KeywordKey(a.orgID, rows.Integer(row, "id")))
		}
	}
	return a.get(ctx, tracked)
}

// get reads the rows that were not read yet.
func (a *application) get(ctx context.Context, keys []table.Key) error {
	var gets []table.Get
	for _, key := range keys {
		if _, read := a.rows[key]; !read {
			a.rows[key] = nil
			gets = append(gets, table.Get{Table: rows.CoreTable, Key: key, Consistent: true})
		}
	}
	items, err := table.GetAll(ctx, a.store.Table, gets)
	if err != nil {
		return fmt.Errorf("read what a proposal is applied to: %w", err)
	}
	for i, item := range items {
		a.rows[gets[i].Key] = item
	}
	return nil
}

func (a *application) listener() table.Key {
	return table.Key{Partition: rows.Listeners, Sort: a.orgID}
}

// plan returns the writes, or none if all of the choice is in place.
func (a *application) plan(ctx context.Context, choice SetupChoice) ([]table.Write, error) {
	a.done = SetupApplied{
		Keywords: []AppliedKeyword{},
		Options:  []AppliedOption{},
		Feeds:    []AppliedFeed{},
		Skipped:  []SkippedRef{},
	}
	if err := a.keywords(ctx, choice); err != nil {
		return nil, err
	}
	if err := a.feeds(ctx, choice.Feeds); err != nil {
		return nil, err
	}
	said := a.company()
	if a.added > 0 || a.changed || said {
		counted := a.store.listen.Weighs(a.orgID, int64(a.added), a.heavier)
		if a.added > 0 {
			counted.If = table.All(rows.Room("keywords", int64(a.added), int64(a.limit)), counted.If)
		}
		a.writes = append(a.writes, counted)
	}
	if len(a.writes) == 0 && a.draft.Status == proposal.Applied && !a.noted {
		return nil, nil
	}
	content, err := store.Packed(a.known)
	if err != nil {
		return nil, err
	}
	return append(
		a.writes,
		table.Update{
			Table: rows.CoreTable,
			Key:   rows.DraftKey(a.orgID, a.draft.ID),
			If:    table.Equal("rev", a.draft.Revision),
			Set: map[string]any{
				"status":    string(proposal.Applied),
				"applied":   content,
				"updatedAt": rows.FromTime(a.store.Instant()),
				"rev":       a.draft.Revision + 1,
			},
		},
	), nil
}

func (a *application) skip(ref string, why Skip, id int64) {
	a.done.Skipped = append(a.done.Skipped, SkippedRef{Ref: ref, Why: why, ID: id})
}

// company is what the workspace says of itself from then on, where it has said nothing: what comes in is judged by it.
func (a *application) company() bool {
	if a.rows[rows.CompanyKey(a.orgID)] != nil {
		return false
	}
	p := a.run.Profile
	c := workspace.Company{
		Name:        cmp.Or(p.Company, a.run.Domain),
		Domain:      a.run.Domain,
		Description: p.Description,
		Products:    p.Products,
		Audience:    cut(p.Audience, maxAudience),
		Handles:     p.OwnHandles(),
		UpdatedAt:   a.store.Instant(),
		Revision:    1,
	}
	key := rows.CompanyKey(a.orgID)
	row := table.Item{table.PartitionAttribute: key.Partition, table.SortAttribute: key.Sort, "rev": c.Revision}
	maps.Copy(row, workspacestore.FromCompany(c))
	a.writes = append(a.writes, table.Put{Table: rows.CoreTable, Item: row, If: table.Absent()})
	return true
}

// maxAudience is how many characters a company's audience has; a profile's may have more.
const maxAudience = 500

func cut(text string, most int) string {
	characters := []rune(text)
	if len(characters) <= most {
		return text
	}
	return strings.TrimSpace(string(characters[:most]))
}
