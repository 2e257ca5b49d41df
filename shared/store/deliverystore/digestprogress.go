package deliverystore

import (
	"context"
	"errors"
	"fmt"

	"earshot/shared/parallel"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/rows"
)

// A Part is the mentions of one event of a digest, in the order in which they were found.
type Part struct {
	SourceIDs []string
	Sequence  int64 // of the first of them, in the feed
}

func partsPrefix(of Sealed, batch string) string {
	return rows.SortDigestPart + of.Endpoint.String() + "#" + rows.IDKey(of.interval) + "#" + batch + "#"
}

// SaveProgress stores how far the making of a digest is, for a later call: bytes of the caller's own, and a batch of parts
// by a name that nobody else uses. Returns false if another call stored its progress or ended the digest since of was
// read. The batch is void then.
func (s *Store) SaveProgress(ctx context.Context, of Sealed, progress []byte, batch string, parts []Part) (bool, error) {
	failed := make([]error, len(parts))
	parallel.Few(writesAtOnce, len(parts), func(i int) {
		failed[i] = s.Table.Put(ctx, table.Put{Table: rows.CoreTable, Item: table.Item{
			table.PartitionAttribute: rows.Deliveries(of.WorkspaceID),
			table.SortAttribute:      partsPrefix(of, batch) + rows.IDKey(int64(i)+1),
			table.ExpiryAttribute:    of.To.Add(Kept).Unix(),
			"sourceIds":              rows.FromTexts(parts[i].SourceIDs),
			"sequence":               parts[i].Sequence,
		}})
	})
	if err := errors.Join(failed...); err != nil {
		return false, fmt.Errorf("store parts of a digest: %w", err)
	}
	known := table.Equal(attrSaved, of.saved)
	if of.saved == 0 {
		known = table.Missing(attrSaved)
	}
	_, err := s.Table.Update(ctx, table.Update{
		Table: rows.CoreTable,
		Key:   sealedKey(of.WorkspaceID, of.Endpoint, of.interval),
		If:    table.All(table.Present(), known),
		Set:   map[string]any{"progress": progress},
		Add:   map[string]int64{attrSaved: 1},
	})
	var conflict *table.ConditionFailed
	switch {
	case errors.As(err, &conflict):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("store the progress of a digest: %w", err)
	}
	return true, nil
}

const attrSaved = "saved" // how often progress was stored

// DigestParts reads a batch of parts, in their order.
func (s *Store) DigestParts(ctx context.Context, of Sealed, batch string) ([]Part, error) {
	query := table.Query{Partition: rows.Deliveries(of.WorkspaceID), Prefix: partsPrefix(of, batch), Consistent: true}
	return store.AllOf(ctx, s.Kernel, "parts of a digest", query, func(item table.Item) Part {
		return Part{rows.Texts(item, "sourceIds"), rows.Integer(item, "sequence")}
	})
}
