package setupstore

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"

	"earshot/shared/port/table"
	"earshot/shared/proposal"
	"earshot/shared/store"
	"earshot/shared/store/rows"
)

// Rows of the counters table, of what the stages of runs hand on, kept for a month; what they hold is in gzip:
//
//	pk setup#org_…#<draft>#<number>  sk "part#<name>"          a part, or the attempt that wrote it
//	pk setup#org_…#<draft>#<number>  sk "chunk#<attempt>#<i>"  a piece of an outcome, or of a part that is large
//	pk setup#org_…#<draft>#<number>  sk "survey"               what the run has asked of sources ("spent")
//
// The pieces are written under an id of the attempt's own, before the row that names it or with it, and that is written
// once: pieces of two attempts never mix, and those of one that came to nothing expire. A run has a partition of its
// own, so that what it writes slows nobody else down.
const (
	outcomesKept = 30 * 24 * time.Hour
	chunkBytes   = 300 << 10
)

// setupContent returns the partition of the outcomes of a run.
func setupContent(key proposal.Key) string {
	return rows.SetupContent(key.WorkspaceID, key.DraftID, key.Number)
}

// keptIn returns where the content is that a row names.
func keptIn(item table.Item) proposal.Kept {
	return proposal.Kept{Attempt: rows.Text(item, "attempt"), Chunks: rows.Integer(item, "chunks")}
}

// pieces is content that is ready to be written: the rows under an attempt's own id. Nil has none.
type pieces struct {
	proposal.Kept
	rows []table.Put
}

func (p pieces) write(item table.Item) {
	rows.Set(item, "attempt", p.Attempt)
	rows.Set(item, "chunks", p.Chunks)
}

func (s *Store) pieces(key proposal.Key, content []byte) (pieces, error) {
	if content == nil {
		return pieces{}, nil
	}
	rest, err := store.Deflated(content)
	if err != nil {
		return pieces{}, err
	}
	p, expiry := pieces{Kept: proposal.Kept{Attempt: ulid.Make().String()}}, s.Clock.Now().Add(outcomesKept).Unix()
	for len(rest) > 0 {
		chunk := rest[:min(len(rest), chunkBytes)]
		rest = rest[len(chunk):]
		at := chunkKey(key, p.Attempt, p.Chunks)
		p.rows = append(
			p.rows,
			table.Put{
				Table: rows.CountersTable,
				Item: table.Item{table.PartitionAttribute: at.Partition, table.SortAttribute: at.Sort,
					"content": chunk, table.ExpiryAttribute: expiry},
			},
		)
		p.Chunks++
	}
	return p, nil
}

// keep writes pieces one by one, because they may be more than a transaction takes.
func (s *Store) keep(ctx context.Context, p pieces) error {
	for _, row := range p.rows {
		if err := s.Table.Put(ctx, row); err != nil {
			return fmt.Errorf("keep what a stage made: %w", err)
		}
	}
	return nil
}

func chunkKey(key proposal.Key, attempt string, i int64) table.Key {
	return table.Key{Partition: setupContent(key), Sort: fmt.Sprintf("%s%s#%04d", rows.SortChunk, attempt, i)}
}

// chunks reads contents at once, in their order, and other rows with them. A content is nil for the zero Kept.
func (s *Store) chunks(
	ctx context.Context, key proposal.Key, kept []proposal.Kept, beside ...table.Get,
) (contents [][]byte, others []table.Item, err error) {
	gets := slices.Clone(beside)
	for _, each := range kept {
		for i := range each.Chunks {
			gets = append(gets, table.Get{Table: rows.CountersTable, Key: chunkKey(key, each.Attempt, i), Consistent: true})
		}
	}
	items, err := table.GetAll(ctx, s.Table, gets)
	if err != nil {
		return nil, nil, fmt.Errorf("read what a stage made: %w", err)
	}
	others, items = items[:len(beside)], items[len(beside):]
	contents = make([][]byte, len(kept))
	for n, each := range kept {
		if each.Attempt == "" {
			continue
		}
		var content []byte
		for _, item := range items[:each.Chunks] {
			if item == nil {
				return nil, nil, fmt.Errorf("read what a stage made: %w: it has expired", store.ErrNotFound)
			}
			content = append(content, rows.Bytes(item, "content")...)
		}
		items = items[each.Chunks:]
		if contents[n], err = store.Inflated(content); err != nil {
			return nil, nil, err
		}
	}
	return contents, others, nil
}

// Outcome returns a stage's outcome; nil if it has none or has not ended. Returns ErrNotFound if there is no such run,
// or if the outcome has expired.
func (s *Store) Outcome(ctx context.Context, key proposal.Key, stage proposal.Stage) ([]byte, error) {
	run, err := s.SetupRun(ctx, key)
	if err != nil {
		return nil, err
	}
	contents, err := s.Outcomes(ctx, key, run, stage)
	if err != nil {
		return nil, err
	}
	return contents[0], nil
}

// Outcomes returns the outcomes of stages that a run, as SetupRun returned it, had by then, in one round trip. They are
// in the order of the stages, nil for a stage without one. Returns ErrNotFound if an outcome has expired.
func (s *Store) Outcomes(
	ctx context.Context, key proposal.Key, run proposal.Run, stages ...proposal.Stage,
) ([][]byte, error) {
	contents, _, err := s.outcomes(ctx, key, run, stages)
	return contents, err
}

// outcomes is Outcomes, with other rows in the same round trip.
func (s *Store) outcomes(
	ctx context.Context, key proposal.Key, run proposal.Run, stages []proposal.Stage, beside ...table.Get,
) (contents [][]byte, others []table.Item, err error) {
	kept := make([]proposal.Kept, len(stages))
	for i, stage := range stages {
		if err := checkStage(stage); err != nil {
			return nil, nil, err
		}
		step, _ := run.Step(stage)
		kept[i] = step.Kept
	}
	return s.chunks(ctx, key, kept, beside...)
}

// KeepPart stores a part of a run by its name of at most 200 bytes. The first part of a name stands and is returned.
// Returns ErrNotFound and proposal.ErrOver.
func (s *Store) KeepPart(
	ctx context.Context, key proposal.Key, name string, content []byte,
) (stands []byte, err error) {
	if err := checkKey(key); err != nil {
		return nil, err
	}
	at := table.Key{Partition: setupContent(key), Sort: rows.SortPart + name}
	item := table.Item{
		table.PartitionAttribute: at.Partition,
		table.SortAttribute:      at.Sort,
		table.ExpiryAttribute:    s.Clock.Now().Add(outcomesKept).Unix(),
	}
	of, err := s.pieces(key, content)
	if err != nil {
		return nil, err
	}
	switch len(of.rows) {
	case 0:
	case 1:
		item["content"] = of.rows[0].Item["content"]
	default:
		of.write(item)
	}
	written := false
	err = s.SettleUnread(ctx, "keep a part of a run", func(read bool) error {
		if read || len(of.rows) > 1 {
			items, err := s.underWay(ctx, key, table.Get{Table: rows.CountersTable, Key: at, Consistent: true})
			if err != nil {
				return err
			}
			if items[1] != nil {
				stands, err = s.part(ctx, key, items[1])
				return err
			}
		}
		if len(of.rows) > 1 && !written {
			if err := s.keep(ctx, of); err != nil {
				return err
			}
			written = true
		}
		stands = content
		return s.Table.Transact(ctx, table.Transaction{Writes: []table.Write{
			table.Check{
				Table: rows.CoreTable,
				Key:   rows.DraftKey(key.WorkspaceID, key.DraftID),
				If:    isUnderWay(key.Number),
			},
			table.Put{Table: rows.CountersTable, Item: item, If: table.Absent()},
		}})
	})
	return stands, err
}

func (s *Store) part(ctx context.Context, key proposal.Key, item table.Item) ([]byte, error) {
	if content := rows.Bytes(item, "content"); content != nil {
		return store.Inflated(content)
	}
	contents, _, err := s.chunks(ctx, key, []proposal.Kept{keptIn(item)})
	if err != nil {
		return nil, err
	}
	return contents[0], nil
}

// Parts returns the parts of a run whose names begin with prefix, by name. A run that does not exist has none: callers
// have read the run.
func (s *Store) Parts(ctx context.Context, key proposal.Key, prefix string) (map[string][]byte, error) {
	var items []table.Item
	query := table.Query{
		Table:      rows.CountersTable,
		Partition:  setupContent(key),
		Prefix:     rows.SortPart + prefix,
		Consistent: true,
	}
	if err := s.Each(ctx, query, func(item table.Item) { items = append(items, item) }); err != nil {
		return nil, fmt.Errorf("list the parts of a run: %w", err)
	}
	parts := make(map[string][]byte, len(items))
	for _, item := range items {
		content, err := s.part(ctx, key, item)
		if err != nil {
			return nil, err
		}
		parts[strings.TrimPrefix(table.KeyOf(item).Sort, rows.SortPart)] = content
	}
	return parts, nil
}
