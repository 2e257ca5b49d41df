package searchstore

import (
	"crypto/sha256"
	"fmt"
	"time"

	"earshot/shared/port/table"
	"earshot/shared/store/rows"
)

// The posts that searches of a month returned are noted by short hashes, in a fixed number of rows. So one transaction
// can end a search of any size: it holds at most 100 writes, and a search has up to 500 new results. Two posts have the
// same hash and row with a chance of one in 2^46. Of such two, the second would be free.
//
// A row keeps its newest hashes. Together they are the last 640,000 new results of a month. What was returned before
// those counts as new again.
const (
	seenRows  = 64
	seenBytes = 5                   // of a hash
	seenMost  = 10_000              // hashes of a row
	seenKept  = 62 * 24 * time.Hour // longer than any month
)

// A mark is a post's hash, and the row that it belongs to.
type mark struct {
	row  int
	hash [seenBytes]byte
}

func markOf(sourceID string) mark {
	sum := sha256.Sum256([]byte(sourceID))
	return mark{int(sum[0]) % seenRows, [seenBytes]byte(sum[1 : 1+seenBytes])}
}

func seenKey(orgID, month string, row int) table.Key {
	return table.Key{Partition: orgID, Sort: fmt.Sprintf("%s%s#%02x", rows.SortSearched, month, row)}
}

// seen is one row of hashes.
type seen struct {
	hashes   []byte
	known    map[[seenBytes]byte]bool
	revision int64
	added    int
}

func toSeen(item table.Item) *seen {
	row := &seen{
		hashes:   rows.Bytes(item, "hashes"),
		known:    map[[seenBytes]byte]bool{},
		revision: rows.Integer(item, "rev"),
	}
	for at := 0; at+seenBytes <= len(row.hashes); at += seenBytes {
		row.known[[seenBytes]byte(row.hashes[at:at+seenBytes])] = true
	}
	return row
}

// add notes a hash. It returns false for one that the row has.
func (s *seen) add(hash [seenBytes]byte) bool {
	if s.known[hash] {
		return false
	}
	s.known[hash] = true
	s.hashes = append(s.hashes, hash[:]...)
	s.added++
	return true
}

// unchanged is the condition that nobody has written the row since it was read.
func (s *seen) unchanged() table.Condition {
	if s.revision == 0 {
		return table.Absent()
	}
	return table.Equal("rev", s.revision)
}

// write returns the row's write, or the check that it is as it was read.
func (s *seen) write(key table.Key, expires time.Time) table.Write {
	if s.added == 0 {
		return table.Check{Table: rows.CountersTable, Key: key, If: s.unchanged()}
	}
	hashes := s.hashes[max(0, len(s.hashes)-seenMost*seenBytes):]
	return table.Put{Table: rows.CountersTable, If: s.unchanged(), Item: table.Item{
		table.PartitionAttribute: key.Partition,
		table.SortAttribute:      key.Sort,
		"hashes":                 hashes,
		"rev":                    s.revision + 1,
		table.ExpiryAttribute:    expires.Unix(),
	}}
}
