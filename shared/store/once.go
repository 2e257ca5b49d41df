package store

import (
	"context"
	"time"

	"earshot/shared/port/table"
)

// Rows of the counters table: pk org_…, sk "made#<name>", what a request made that a client may send again ("Repeated" of the HTTP
// kit names it). The row is written in the transaction that makes it, so that a repeat of a request that died before it could
// answer finds what it made, and makes no second one.
const (
	sortMade = "made#"
	madeKept = 25 * time.Hour // longer than an answer is kept
)

// making is the part of a transaction that notes what it makes; none for a request without a name. When a row of that name is
// there, the transaction is canceled by it.
func (s *Store) making(orgID, name, made string) []table.Write {
	if name == "" {
		return nil
	}
	return []table.Write{table.Put{Table: CountersTable, Item: table.Item{
		table.PartitionAttribute: orgID, table.SortAttribute: sortMade + name, "made": made, table.ExpiryAttribute: s.clock.Now().Add(madeKept).Unix(),
	}, If: table.Absent()}}
}

// made is what an earlier request of this name made; empty when there was none.
func (s *Store) made(ctx context.Context, orgID, name string) (string, error) {
	if name == "" {
		return "", nil
	}
	item, err := s.get(ctx, CountersTable, table.Key{Partition: orgID, Sort: sortMade + name})
	return str(item, "made"), err
}
