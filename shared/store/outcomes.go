package store

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"

	"earshot/shared/port/table"
	"earshot/shared/proposal"
)

// Rows of the counters table, of what the stages of runs hand on, kept for a month; what they hold is in gzip:
//
//	pk setup#org_…#<draft>#<number>  sk "part#<name>"          a part, or the attempt that wrote it
//	pk setup#org_…#<draft>#<number>  sk "chunk#<attempt>#<i>"  a piece of an outcome, or of a part that is large
//	pk setup#org_…#<draft>#<number>  sk "survey"               what the run has asked of sources ("spent")
//
// The pieces are written under an id of the attempt's own before the row that names it, which is written once: pieces of two attempts never
// mix, and those of one that came to nothing expire. A run has a partition of its own, so that what it writes slows nobody else down.
const (
	setupPartition = "setup#"
	sortPart       = "part#"
	sortChunk      = "chunk#"
	sortSurvey     = "survey"
	outcomesKept   = 30 * 24 * time.Hour
	chunkBytes     = 300 << 10
)

func setupContent(key proposal.Key) string {
	return setupPartition + key.WorkspaceID + "#" + key.DraftID + "#" + fmt.Sprintf(numberDigits, key.Number)
}

// An attempt is where content was written. The zero attempt has none.
type attempt struct {
	id     string
	chunks int64
}

func (a attempt) write(item table.Item) {
	set(item, "attempt", a.id)
	set(item, "chunks", a.chunks)
}

func attemptOf(item table.Item) attempt {
	return attempt{id: str(item, "attempt"), chunks: integer(item, "chunks")}
}

func (s *Store) keepChunks(ctx context.Context, key proposal.Key, content []byte) (attempt, error) {
	rest, err := deflated(content)
	if err != nil {
		return attempt{}, err
	}
	kept, expiry := attempt{id: ulid.Make().String()}, s.clock.Now().Add(outcomesKept).Unix()
	for len(rest) > 0 {
		chunk := rest[:min(len(rest), chunkBytes)]
		rest = rest[len(chunk):]
		at := chunkKey(key, kept.id, kept.chunks)
		err := s.table.Put(ctx, table.Put{Table: CountersTable, Item: table.Item{table.PartitionAttribute: at.Partition, table.SortAttribute: at.Sort,
			"content": chunk, table.ExpiryAttribute: expiry}})
		if err != nil {
			return attempt{}, fmt.Errorf("keep what a stage made: %w", err)
		}
		kept.chunks++
	}
	return kept, nil
}

func chunkKey(key proposal.Key, attempt string, i int64) table.Key {
	return table.Key{Partition: setupContent(key), Sort: fmt.Sprintf("%s%s#%04d", sortChunk, attempt, i)}
}

// chunks reads the content of attempts, all at once, in their order; the zero attempt's is nil.
func (s *Store) chunks(ctx context.Context, key proposal.Key, kept ...attempt) ([][]byte, error) {
	var gets []table.Get
	for _, each := range kept {
		for i := range each.chunks {
			gets = append(gets, table.Get{Table: CountersTable, Key: chunkKey(key, each.id, i), Consistent: true})
		}
	}
	items, err := table.GetAll(ctx, s.table, gets)
	if err != nil {
		return nil, fmt.Errorf("read what a stage made: %w", err)
	}
	contents := make([][]byte, len(kept))
	for n, each := range kept {
		if each.id == "" {
			continue
		}
		var content []byte
		for _, item := range items[:each.chunks] {
			if item == nil {
				return nil, fmt.Errorf("read what a stage made: %w: it has expired", ErrNotFound)
			}
			content = append(content, bytes(item, "content")...)
		}
		items = items[each.chunks:]
		if contents[n], err = inflated(content); err != nil {
			return nil, err
		}
	}
	return contents, nil
}

// Outcome is what a stage ended with; nil when it has none or has not ended. Answers ErrNotFound, also when it has expired.
func (s *Store) Outcome(ctx context.Context, key proposal.Key, stage proposal.Stage) ([]byte, error) {
	contents, err := s.Outcomes(ctx, key, stage)
	if err != nil {
		return nil, err
	}
	return contents[0], nil
}

// Outcomes are the Outcome of several stages, in their order, in the round trips of one.
func (s *Store) Outcomes(ctx context.Context, key proposal.Key, stages ...proposal.Stage) ([][]byte, error) {
	gets := []table.Get{{Table: CoreTable, Key: runKey(key), Consistent: true}}
	for _, stage := range stages {
		if err := known(stage); err != nil {
			return nil, err
		}
		gets = append(gets, table.Get{Table: CoreTable, Key: stepKey(key, stage), Consistent: true})
	}
	items, err := table.GetAll(ctx, s.table, gets)
	if err != nil {
		return nil, fmt.Errorf("read how stages ended: %w", err)
	}
	if items[0] == nil {
		return nil, ErrNotFound
	}
	kept := make([]attempt, len(stages))
	for i, item := range items[1:] {
		kept[i] = attemptOf(item)
	}
	return s.chunks(ctx, key, kept...)
}

// KeepPart keeps a part of what a run does by its name, at most 200 bytes; the first of a name stands, and is answered. Answers
// ErrNotFound and proposal.ErrOver.
func (s *Store) KeepPart(ctx context.Context, key proposal.Key, name string, content []byte) (stands []byte, err error) {
	at := table.Key{Partition: setupContent(key), Sort: sortPart + name}
	var item table.Item
	err = s.settle(ctx, "keep a part of a run", func() error {
		items, err := s.underWay(ctx, key, table.Get{Table: CountersTable, Key: at, Consistent: true})
		if err != nil {
			return err
		}
		if items[1] != nil {
			stands, err = s.part(ctx, key, items[1])
			return err
		}
		if item == nil {
			if item, err = s.newPart(ctx, key, at, content); err != nil {
				return err
			}
		}
		stands = content
		return s.table.Transact(ctx, table.Transaction{Writes: []table.Write{
			table.Check{Table: CoreTable, Key: draftKey(key.WorkspaceID, key.DraftID), If: isUnderWay(key.Number)},
			table.Put{Table: CountersTable, Item: item, If: table.Absent()},
		}})
	})
	return stands, err
}

// newPart is a part's row. What is large is written beside it.
func (s *Store) newPart(ctx context.Context, key proposal.Key, at table.Key, content []byte) (table.Item, error) {
	item := table.Item{table.PartitionAttribute: at.Partition, table.SortAttribute: at.Sort, table.ExpiryAttribute: s.clock.Now().Add(outcomesKept).Unix()}
	small, err := deflated(content)
	if err != nil {
		return nil, err
	}
	if len(small) <= chunkBytes {
		item["content"] = small
		return item, nil
	}
	kept, err := s.keepChunks(ctx, key, content)
	if err != nil {
		return nil, err
	}
	kept.write(item)
	return item, nil
}

func (s *Store) part(ctx context.Context, key proposal.Key, item table.Item) ([]byte, error) {
	if content := bytes(item, "content"); content != nil {
		return inflated(content)
	}
	contents, err := s.chunks(ctx, key, attemptOf(item))
	if err != nil {
		return nil, err
	}
	return contents[0], nil
}

// Parts are the parts of a run whose names begin with prefix, by name. Answers ErrNotFound.
func (s *Store) Parts(ctx context.Context, key proposal.Key, prefix string) (map[string][]byte, error) {
	var items []table.Item
	query := table.Query{Table: CountersTable, Partition: setupContent(key), Prefix: sortPart + prefix, Consistent: true}
	if err := s.each(ctx, query, func(item table.Item) { items = append(items, item) }); err != nil {
		return nil, fmt.Errorf("list the parts of a run: %w", err)
	}
	if len(items) == 0 {
		_, err := s.row(ctx, runKey(key))
		return map[string][]byte{}, err
	}
	parts := make(map[string][]byte, len(items))
	for _, item := range items {
		content, err := s.part(ctx, key, item)
		if err != nil {
			return nil, err
		}
		parts[strings.TrimPrefix(table.KeyOf(item).Sort, sortPart)] = content
	}
	return parts, nil
}
