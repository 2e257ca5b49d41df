package searchstore

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"earshot/shared/port/table"
	"earshot/shared/search"
	"earshot/shared/store"
	"earshot/shared/store/rows"
)

// CompleteSearch ends a search that found its results, and bills it. done has the statistics, the attempt and the parts
// of the results. fresh are the SourceIDs of the results that the workspace does not have. Those that no earlier search
// of the month returned count as mentions of the month, of which the workspace has most. If they do not all fit, the
// search ends quota_exhausted and costs nothing. CompleteSearch returns the search as it ended. If another attempt
// ended it, that attempt's end stands. Returns ErrNotFound if the search is gone.
func (s *Store) CompleteSearch(
	ctx context.Context, done search.Search, most int, fresh []string,
) (search.Search, error) {
	marks := map[int][]mark{}
	for _, sourceID := range fresh {
		m := markOf(sourceID)
		marks[m.row] = append(marks[m.row], m)
	}
	touched := slices.Sorted(maps.Keys(marks))
	var ended search.Search
	err := s.Settle(ctx, "complete a search", func() error {
		now := s.Clock.Now().UTC()
		quota := s.QuotaKey(done.WorkspaceID)
		month := quota.Sort[len(rows.SortQuota):]
		gets := []table.Get{
			{Table: rows.CountersTable, Key: searchKey(done.WorkspaceID, done.ID), Consistent: true},
			{Table: rows.CountersTable, Key: quota, Consistent: true},
		}
		for _, row := range touched {
			key := seenKey(done.WorkspaceID, month, row)
			gets = append(gets, table.Get{Table: rows.CountersTable, Key: key, Consistent: true})
		}
		items, err := table.GetAll(ctx, s.Table, gets)
		if err != nil {
			return err
		}
		if items[0] == nil {
			return store.ErrNotFound
		}
		if ended, err = toSearch(items[0]); err != nil || ended.Status.Ended() {
			return err
		}
		consumed := 0
		var writes []table.Write
		for i, row := range touched {
			known := toSeen(items[2+i])
			for _, m := range marks[row] {
				if known.add(m.hash) {
					consumed++
				}
			}
			writes = append(writes, known.write(gets[2+i].Key, now.Add(seenKept)))
		}
		if consumed > 0 && int(rows.Integer(items[1], "stored"))+consumed > most {
			// The checks hold what was read: what is new now is new when the search ends.
			return s.exhaust(ctx, &ended, done, gets[2:], items[2:])
		}
		ended = done
		ended.Status, ended.Stats.Consumed, ended.CompletedAt = search.Completed, consumed, s.Instant()
		item, err := fromSearch(ended)
		if err != nil {
			return err
		}
		writes = append(writes, table.Put{Table: rows.CountersTable, Item: item, If: table.Equal("ended", false)})
		if consumed > 0 {
			writes = append(writes, table.Update{
				Table: rows.CountersTable,
				Key:   quota,
				Add:   map[string]int64{"stored": int64(consumed)},
				If:    rows.Room("stored", int64(consumed), int64(most)),
			})
		}
		return s.Table.Transact(ctx, table.Transaction{Writes: writes})
	})
	return ended, err
}

// exhaust ends a search whose new results do not fit. seenAt and seenItems are the rows by which they are new.
func (s *Store) exhaust(
	ctx context.Context, ended *search.Search, done search.Search, seenAt []table.Get, seenItems []table.Item,
) error {
	*ended = done
	ended.Status, ended.CompletedAt, ended.Attempt, ended.Parts = search.QuotaExhausted, s.Instant(), "", 0
	ended.Problem = "The new results do not fit into what is left of the month's mentions."
	var writes []table.Write
	for i, at := range seenAt {
		check := table.Check{Table: rows.CountersTable, Key: at.Key, If: toSeen(seenItems[i]).unchanged()}
		writes = append(writes, check)
	}
	return s.endFree(ctx, *ended, writes)
}

// endFree ends a search that costs nothing, and gives it back to the searches for life.
func (s *Store) endFree(ctx context.Context, ended search.Search, writes []table.Write) error {
	item, err := fromSearch(ended)
	if err != nil {
		return err
	}
	writes = append(
		writes,
		table.Put{Table: rows.CountersTable, Item: item, If: table.Equal("ended", false)},
		table.Update{
			Table: rows.CountersTable,
			Key:   usedKey(ended.WorkspaceID),
			Add:   map[string]int64{"used": -1},
			If:    table.More("used", int64(0)),
		},
	)
	return s.Table.Transact(ctx, table.Transaction{Writes: writes})
}

// FailSearch ends a search that cannot be completed, for a reason that people can read. It costs nothing. FailSearch
// returns the search as it ended: what ended before stays. Returns ErrNotFound if the search is gone.
func (s *Store) FailSearch(ctx context.Context, orgID, id, reason string, at time.Time) (search.Search, error) {
	var ended search.Search
	err := s.Settle(ctx, "end a search", func() (err error) {
		ended, err = s.Search(ctx, orgID, id)
		if err != nil || ended.Status.Ended() {
			return err
		}
		ended.Status, ended.Problem, ended.CompletedAt = search.Failed, reason, at
		return s.endFree(ctx, ended, nil)
	})
	if errors.Is(err, store.ErrNotFound) {
		return search.Search{}, store.ErrNotFound
	}
	return ended, err
}
