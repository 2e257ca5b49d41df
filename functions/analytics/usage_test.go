package analytics_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"earshot/shared/analytics"
	"earshot/shared/filter"
	"earshot/shared/keyword"
	"earshot/shared/port/table"
	"earshot/shared/worldtest"
)

// cost returns what a read of the store uses.
func cost(read func(context.Context) error) (used usage, err error) {
	ctx, meter := table.WithMeter(context.Background())
	err = read(ctx)
	total := meter.Total()
	return usage{total.Reads, total.Writes, total.ReadUnits}, err
}

func (u usage) and(more ...usage) usage {
	for _, other := range more {
		u.Reads += other.Reads
		u.ReadUnits += other.ReadUnits
	}
	return u
}

// A read uses no more than the documented parts: the key's row, the list of keywords and the search for counted ones
// where the read needs them, the versions of the window's days, its digests and cells once for the workspace and for
// each keyword, and rows only where cells cannot answer.
func TestReads_UseNoMoreThanTheirParts(t *testing.T) {
	for seed := range uint64(15) {
		random := rand.New(rand.NewPCG(18, seed))
		w := worldtest.NewWorld(t)
		keywords := 1 + random.IntN(6)
		for id := range int64(keywords) {
			tag := []keyword.Tag{keyword.OwnBrand, keyword.Competitor, keyword.IndustryTerm}[min(id, 2)]
			worldtest.Must(t, w.Store.RestoreKeyword(t.Context(), w.Main.ID,
				keyword.Keyword{ID: id + 1, Text: fmt.Sprint("term", id), Tag: tag}))
		}
		total := []int{0, 7, 150}[seed%3]
		for from := 0; from < total; from += 30 {
			batch := worldtest.Mentions(0)
			for i := from; i < min(from+30, total); i++ {
				m := drawn(random, i, total)
				m.Keywords = worldtest.KeywordsOf(1+random.IntN(keywords), 1)
				batch = append(batch, m)
			}
			if _, err := w.Store.Ingest(t.Context(), w.Main.ID, 1<<30, batch); err != nil {
				t.Fatal(err)
			}
		}
		deleted := random.IntN(2)
		if deleted > 0 {
			worldtest.Must(t, w.Store.DeleteKeyword(t.Context(), w.Main.ID, int64(keywords)))
		}
		days := 1 + random.IntN(364)
		end := analytics.Tomorrow(worldtest.Now, time.UTC)
		start := end.AddDate(0, 0, -days)
		part := func(read func(context.Context) error) usage {
			used, err := cost(read)
			if err != nil {
				t.Fatal(err)
			}
			return used
		}
		// A digest begins up to 7 days earlier and ends up to 7 days later.
		numbers := func(start, end time.Time) usage {
			return part(func(ctx context.Context) error {
				_, err := w.Store.DayVersions(ctx, w.Main.ID, start.AddDate(0, 0, -7), end.AddDate(0, 0, 7))
				return err
			})
		}
		digested := func(id int64, start, end time.Time) usage {
			return part(func(ctx context.Context) error {
				_, err := w.Store.Digests(ctx, w.Main.ID, id, start.AddDate(0, 0, -7), end.AddDate(0, 0, 7))
				return err
			})
		}
		cells := func(id int64, start, end time.Time) usage {
			volumes := part(func(ctx context.Context) error {
				_, err := w.Store.Volumes(ctx, w.Main.ID, id, start, end)
				return err
			})
			return volumes.and(digested(id, start, end))
		}
		door, all := usage{1, 0, 2}.and(numbers(start, end)), cells(0, start, end)
		list := part(func(ctx context.Context) error {
			_, err := w.Store.Keywords(ctx, w.Main.ID)
			return err
		})
		each := usage{}
		for id := range int64(keywords) {
			each = each.and(cells(id+1, start, end))
		}
		search := usage{2*keywords + 2, 0, float64(2*keywords + 2)} // one in each gap between keywords, one after each that was found
		scan := part(func(ctx context.Context) error {
			_, _, err := w.Store.Scan(ctx, w.Main.ID, filter.Compile(filter.Filter{}), start, end, analytics.ScanBudget,
				func(*filter.Row) {}, func(*filter.Row) {})
			return err
		})
		few := usage{2, 0, 2} // rows of the workspace: its month, its company
		month := usage{3, 0, 3}
		served := newMetered(w)
		period := "?startDate=" + start.Format(time.DateOnly)
		for request, bound := range map[string]usage{
			"volume" + period + "&fill=true&granularity=hour": door.and(all), "sentiment" + period: door.and(all),
			"sources" + period: door.and(all),
			"tags" + period:    door.and(all),
			"languages" + period + "&platforms=reddit,twitter&sentiment=negative": door.and(all),
			"volume" + period + "&keywordIds=1":                                   door.and(usage{1, 0, 1}, cells(1, start, end)),
			"keywords" + period:                                                   door.and(list, search, each),
			"share-of-voice" + period:                                             door.and(list, few, each),
			"dashboard" + period: door.and(list, search, each, all, cells(0, start.AddDate(0, 0, -days), start),
				numbers(start.AddDate(0, 0, -days), start), month),
			"authors" + period: door.and(scan, all),
			`{"aggregates":["count"],"startDate":"` + start.Format(time.DateOnly) +
				`","dimensions":["source","tag"],"time":true}`: door.and(all),
			`{"aggregates":["engagement"],"startDate":"` + start.Format(time.DateOnly) +
				`","dimensions":["source"]}`: door.and(scan, all),
		} {
			if keywords == 1 && deleted == 1 && (request == "volume"+period+"&keywordIds=1") {
				continue // no such keyword
			}
			status, used := served.send(t, request)
			if status != 200 || used.Reads > bound.Reads || used.ReadUnits > bound.ReadUnits {
				t.Errorf("%s = %d, %d round trips and %v read units, want at most %d and %v", request, status, used.Reads,
					used.ReadUnits, bound.Reads, bound.ReadUnits)
			}
		}
		days62 := min(max(days/62, 1), 4)
		all = part(func(ctx context.Context) error {
			_, err := w.Store.Volumes(ctx, w.Main.ID, 0, start, end)
			return err
		})
		if all.Reads > days62 || all.ReadUnits > float64(days62*total) && total > 0 ||
			total == 0 && all.ReadUnits > float64(days62) {
			t.Errorf("Volumes of %d days and %d mentions = %+v, want at most %d round trips", days, total, all, days62)
		}
	}
}
