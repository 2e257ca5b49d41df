package purgestore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"earshot/shared/parallel"
	"earshot/shared/port/identity"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/rows"
)

// Rows are deleted one by one, several at the same time. A transaction of a hundred deletes would be one round trip
// instead of a hundred, but cost twice the write units. Nobody waits for a purge, and nobody sees half of one, so
// neither needs a transaction.
//
// Rows are read consistently, at twice the price, because a look that finds nothing has to be right. Reads cost little
// compared to the deletes.
//
// A partition takes 1,000 write units a second. If the store throttles, fewer deletes run at the same time. Throttling
// is returned as an error only if a single delete is too many.
const (
	purgePage  = 100   // rows read at once, of each partition
	purgeWidth = 16    // partitions read, and rows and files taken away, at the same time
	purgeShare = 5_000 // rows after which other workspaces have their turn
)

// takeRows deletes every row except the purge's own. Returns false if the time or the share ran out. Rows by which
// others write go first, then rows that lead to rows elsewhere.
func (p *purge) takeRows(ctx context.Context) (all bool, err error) {
	if err := p.takeListings(ctx); err != nil {
		return false, err
	}
	for _, part := range []struct {
		table, partition string
		first            func(context.Context, []table.Item) (bool, error)
	}{
		{rows.CoreTable, p.orgID, p.namedByCore},
		{rows.CoreTable, rows.Deliveries(p.orgID), nil},
		{rows.MentionsTable, p.orgID, nil},
		{rows.ArchiveTable, p.orgID, nil},
		{rows.CountersTable, p.orgID, p.takeFiles},
	} {
		if all, err = p.empty(ctx, part.table, []string{part.partition}, part.first); err != nil || !all {
			return false, err
		}
	}
	return p.empty(ctx, rows.CountersTable, p.runsUnderWay(), nil)
}

// takeListings deletes the rows in others' partitions that name the workspace.
func (p *purge) takeListings(ctx context.Context) error {
	keys := []table.Key{
		{Partition: rows.Listeners, Sort: p.orgID},
		{Partition: rows.DirectoryOfWorkspaces, Sort: p.orgID},
		{Partition: rows.Upgrades, Sort: p.orgID},
	}
	if agency := rows.Text(p.row, rows.AttrForAgency); agency != "" {
		keys = append(keys, table.Key{Partition: agency, Sort: rows.SortMember + p.orgID})
	}
	items, err := p.All(ctx, keys)
	if err != nil {
		return fmt.Errorf("look where a workspace is listed: %w", err)
	}
	return p.take(ctx, rows.CoreTable, slices.DeleteFunc(items, func(item table.Item) bool { return item == nil }))
}

// empty deletes all rows of partitions, a page of each at a time. It calls first before it deletes a page, and stops if
// first returns false. It stops between pages if the share or the time runs out.
func (p *purge) empty(
	ctx context.Context, from string, partitions []string, first func(context.Context, []table.Item) (bool, error),
) (all bool, err error) {
	for group := range slices.Chunk(partitions, purgeWidth) {
		open := make([]table.Query, len(group))
		for i, partition := range group {
			open[i] = table.Query{Table: from, Partition: partition, Limit: purgePage, Consistent: true}
		}
		for len(open) > 0 {
			if deadline, ok := ctx.Deadline(); p.share <= 0 || ok && time.Until(deadline) < p.enough {
				return false, nil
			}
			listed, next, err := p.pages(ctx, open)
			if err != nil {
				return false, err
			}
			if first != nil {
				if all, err := first(ctx, listed); err != nil || !all {
					return false, err
				}
			}
			if err := p.take(ctx, from, listed); err != nil {
				return false, err
			}
			open = next
		}
	}
	return true, nil
}

// pages reads a page of each query, without the purge's own row, and returns the queries for the next pages.
func (p *purge) pages(ctx context.Context, queries []table.Query) (listed []table.Item, next []table.Query, err error) {
	pages := make([]table.Page, len(queries))
	reads := make([]func() error, len(queries))
	for i, query := range queries {
		reads[i] = func() (err error) {
			pages[i], err = p.Table.Query(ctx, query)
			return err
		}
	}
	if err := parallel.Together(reads...); err != nil {
		return nil, nil, fmt.Errorf("look for rows to take away: %w", err)
	}
	for i, page := range pages {
		listed = append(listed, page.Items...)
		if page.Next != nil {
			queries[i].After = page.Next
			next = append(next, queries[i])
		}
	}
	own := rows.PurgeKey(p.orgID)
	return slices.DeleteFunc(listed, func(row table.Item) bool { return table.KeyOf(row) == own }), next, nil
}

// take deletes rows.
func (p *purge) take(ctx context.Context, from string, listed []table.Item) error {
	return p.takeKeys(ctx, from, store.KeysOf(listed))
}

func (p *purge) takeKeys(ctx context.Context, from string, keys []table.Key) error {
	for len(keys) > 0 {
		some := keys[:min(p.width, len(keys))]
		deletes := make([]func() error, len(some))
		for i, key := range some {
			deletes[i] = func() error { return p.Table.Delete(ctx, table.Delete{Table: from, Key: key}) }
		}
		err := parallel.Together(deletes...)
		if errors.Is(err, table.ErrThrottled) && p.width > 1 {
			p.width /= 2
			continue
		}
		if err != nil {
			return fmt.Errorf("take rows of %s away: %w", from, err)
		}
		keys = keys[len(some):]
		p.done.Rows += len(some)
		p.share -= len(some)
	}
	return nil
}

// namedByCore deletes what rows of the workspace's core partition lead to, before those rows go: rows of people, and
// what runs stored.
func (p *purge) namedByCore(ctx context.Context, listed []table.Item) (all bool, err error) {
	var persons []table.Key
	var contents []string
	underWay := map[string]any{}
	for _, row := range listed {
		sort := table.KeyOf(row).Sort
		switch {
		case strings.HasPrefix(sort, rows.SortMembership), strings.HasPrefix(sort, rows.SortInvitation):
			// A person's row belongs to the workspace by its key, whatever it names.
			persons = append(persons, rows.PersonKey(p.orgID, identity.Fold(rows.Text(row, "email"))))
		case strings.HasPrefix(sort, rows.SortDraft):
			// the runs whose rows are gone
			for number := int64(1); number <= rows.Integer(row, "run")-rows.RunsKept; number++ {
				contents = append(contents, rows.SetupContent(p.orgID, sort[len(rows.SortDraft):], number))
			}
		case strings.HasPrefix(sort, rows.SortRun):
			if content := p.contentOf(sort); content != "" {
				contents = append(contents, content)
				if row["finishedAt"] == nil {
					underWay[sort] = true
				}
			}
		}
	}
	if len(underWay) > 0 {
		_, err := p.Table.Update(
			ctx, table.Update{Table: rows.CoreTable, Key: rows.PurgeKey(p.orgID), If: table.Present(), Set: underWay},
		)
		if err != nil {
			return false, fmt.Errorf("note which runs are under way: %w", err)
		}
		for name := range underWay {
			p.row[name] = true
		}
	}
	if err := p.takeKeys(ctx, rows.CoreTable, persons); err != nil {
		return false, err
	}
	return p.empty(ctx, rows.CountersTable, contents, nil)
}

// contentOf returns the partition of what a run stored, by the sort key of the run's own row. It is empty for rows that
// belong to a run.
func (p *purge) contentOf(sort string) string {
	draftID, text, _ := strings.Cut(strings.TrimPrefix(sort, rows.SortRun), "#")
	number, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return ""
	}
	return rows.SetupContent(p.orgID, draftID, number)
}

// runsUnderWay returns the partitions of what runs stored that were under way when their rows were deleted.
func (p *purge) runsUnderWay() (partitions []string) {
	for name := range p.row {
		if strings.HasPrefix(name, rows.SortRun) {
			partitions = append(partitions, p.contentOf(name))
		}
	}
	slices.Sort(partitions)
	return partitions
}

// takeFiles deletes the files of exports and of days, including files that a running writer may have stored without
// recording them.
func (p *purge) takeFiles(ctx context.Context, listed []table.Item) (bool, error) {
	var takes []func() error
	for _, row := range listed {
		if sort := table.KeyOf(row).Sort; strings.HasPrefix(sort, rows.SortExport) {
			key := cmp.Or(
				rows.Text(row, "key"), rows.ExportFile(p.orgID, sort[len(rows.SortExport):], rows.Text(row, "format")),
			)
			takes = append(takes, func() error { return p.beside.File(ctx, key) })
		} else if strings.HasPrefix(sort, rows.SortDayFile) {
			for _, key := range filesOfDay(row) {
				takes = append(takes, func() error { return p.beside.DayFile(ctx, key) })
			}
		}
	}
	for some := range slices.Chunk(takes, purgeWidth) {
		if err := parallel.Together(some...); err != nil {
			return false, fmt.Errorf("take files away: %w", err)
		}
		p.done.Files += len(some)
	}
	return true, nil
}

// filesOfDay returns the keys of all files that a manifest names.
func filesOfDay(manifest table.Item) (keys []string) {
	named := []table.Item{{rows.AttrFileKey: manifest[rows.AttrFileKey]},
		{rows.AttrFileKey: manifest[rows.AttrPendingKey]}}
	for _, old := range rows.List(manifest, rows.AttrOldFiles) {
		file, _ := old.(map[string]any)
		named = append(named, file)
	}
	for _, file := range named {
		if key := rows.Text(file, rows.AttrFileKey); key != "" {
			keys = append(keys, key)
		}
	}
	return keys
}
