package listenstore

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"earshot/shared/feed"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/rows"
)

// DeleteKeyword deletes a keyword; its mentions stay. Returns ErrNotFound if there is none.
func (s *Store) DeleteKeyword(ctx context.Context, orgID string, id int64) error {
	_, err := s.DeleteKeywordOnce(ctx, orgID, id, "")
	return err
}

// DeleteKeywordOnce deletes a keyword, removes it from the filters of the feeds and alerts that name it, and returns
// those. Its mentions stay. If the feeds or the alerts are more than a transaction holds, the first are mended before
// the keyword goes with the last. A repeat of a request that died, by its name in Repeated of the HTTP kit, finishes
// the work and returns all feeds and alerts that the request mended, except those deleted since. A repeat without a
// name finishes the work and returns the remaining ones. Returns ErrNotFound, and ErrConflict if others keep changing
// what has to be mended.
func (s *Store) DeleteKeywordOnce(ctx context.Context, orgID string, id int64, request string) (feed.Mendings, error) {
	done, err := s.mendedBy(ctx, orgID, request)
	if err != nil {
		return feed.Mendings{}, err
	}
	err = s.Settle(ctx, "delete a keyword", func() error {
		item, err := s.Get(ctx, rows.CoreTable, rows.KeywordKey(orgID, id))
		if err != nil {
			return err
		}
		if item == nil {
			if done == nil { // unless this very request was sent twice at once
				done, err = s.mendedBy(ctx, orgID, request)
			}
			if err == nil && done == nil {
				err = store.ErrNotFound
			}
			return err
		}
		k := ToKeyword(item)
		mending, mended, err := s.mendFeeds(ctx, orgID, k)
		if err != nil {
			return err
		}
		alerts, alertsMended, err := s.mendAlerts(ctx, orgID, k)
		if err != nil {
			return err
		}
		backfills, err := s.withoutBackfills(ctx, orgID, id)
		if err != nil {
			return err
		}
		noted := func(writes []table.Write, after *mendings) error {
			if request != "" {
				writes = append(writes, s.Noting(orgID, request, fromMendings(after)))
			}
			if err := s.Table.Transact(ctx, table.Transaction{Writes: writes}); err != nil {
				return err
			}
			done = after
			return nil
		}
		for len(alerts) > alertsAtDeletion {
			n := min(len(alerts), alertsAtOnce)
			if err := noted(slices.Concat(alerts[:n]...), done.and(nil, alertsMended[:n])); err != nil {
				return err
			}
			alerts, alertsMended = alerts[n:], alertsMended[n:]
		}
		deletion := append(backfills,
			table.Delete{Table: rows.CoreTable, Key: rows.KeywordKey(orgID, id), If: table.Equal("rev", k.Revision)},
			table.Delete{Table: rows.CoreTable, Key: KeywordTextKey(orgID, k.Text)},
			s.Weighs(orgID, -1, -int(rows.Integer(item, "weight"))),
		)
		deletion = append(deletion, slices.Concat(alerts...)...)
		// leaves room for the record of what was mended
		for room := table.MaxTransaction - len(deletion) - 1; len(mending) > room; {
			if err := noted(mending[:room:room], done.and(mended[:room], nil)); err != nil {
				return err
			}
			mending, mended = mending[room:], mended[room:]
		}
		return noted(append(mending[:len(mending):len(mending)], deletion...), done.and(mended, alertsMended))
	})
	return done.sorted(), err
}

// mendings are the feeds and the alerts that a request mended, by id.
type mendings struct{ feeds, alerts map[int64]feed.Mended }

// and returns a copy with more feeds and alerts. The receiver may be nil.
func (m *mendings) and(feeds, alerts []feed.Mended) *mendings {
	all := &mendings{map[int64]feed.Mended{}, map[int64]feed.Mended{}}
	if m != nil {
		maps.Copy(all.feeds, m.feeds)
		maps.Copy(all.alerts, m.alerts)
	}
	for _, one := range feeds {
		all.feeds[one.ID] = one
	}
	for _, one := range alerts {
		all.alerts[one.ID] = one
	}
	return all
}

// sorted returns the mendings by id. The receiver may be nil.
func (m *mendings) sorted() (all feed.Mendings) {
	m = m.and(nil, nil)
	for _, id := range slices.Sorted(maps.Keys(m.feeds)) {
		all.Feeds = append(all.Feeds, m.feeds[id])
	}
	for _, id := range slices.Sorted(maps.Keys(m.alerts)) {
		all.Alerts = append(all.Alerts, m.alerts[id])
	}
	return all
}

// alertMark begins the ids of alerts in the record of a request. Those of feeds are bare numbers.
const alertMark = "a"

// fromMendings encodes which feeds and alerts were mended, and how. It leaves out their names, which are read again: a
// thousand of them could be more than a row holds.
func fromMendings(done *mendings) string {
	changes := map[string]string{}
	for id, m := range done.feeds {
		changes[strconv.FormatInt(id, 10)] = m.Change
	}
	for id, m := range done.alerts {
		changes[alertMark+strconv.FormatInt(id, 10)] = m.Change
	}
	text, _ := json.Marshal(changes) // of texts
	return string(text)
}

// mendedBy returns what an earlier request of this name mended, of the feeds and alerts that still exist; nil if there
// was no such request.
func (s *Store) mendedBy(ctx context.Context, orgID, request string) (*mendings, error) {
	made, err := s.Made(ctx, orgID, request)
	if err != nil || made == "" {
		return nil, err
	}
	changes := map[string]string{}
	if err := json.Unmarshal([]byte(made), &changes); err != nil {
		return nil, fmt.Errorf("read what was mended: %w", err)
	}
	feeds, err := s.Feeds(ctx, orgID)
	if err != nil {
		return nil, err
	}
	alerts, err := s.alertsNamed(ctx, orgID)
	if err != nil {
		return nil, err
	}
	var done *mendings
	done = done.and(nil, nil)
	for _, f := range feeds {
		if change := changes[strconv.FormatInt(f.ID, 10)]; change != "" {
			done.feeds[f.ID] = feed.Mended{ID: f.ID, Name: f.Name, Change: change}
		}
	}
	for id, name := range alerts {
		if change := changes[alertMark+strconv.FormatInt(id, 10)]; change != "" {
			done.alerts[id] = feed.Mended{ID: id, Name: name, Change: change}
		}
	}
	return done, nil
}
