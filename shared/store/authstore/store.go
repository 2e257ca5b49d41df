// Package authstore stores what OAuth needs: authorization requests until a person has decided, clients, and grants with
// their codes and tokens. Secrets are stored as digests. The layout is in package rows.
//
// Every change of a grant is one transaction under the condition that the grant is as it was read. So of two programs
// that spend a code or a refresh token at the same moment, one gets tokens, and the other learns of the reuse.
//
// The function authorize imports it, and organization for the list of grants.
package authstore

import (
	"crypto/sha256"
	"encoding/hex"
	"time"

	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/rows"
)

// Store reads and writes requests, clients and grants.
type Store struct{ *store.Kernel }

// New returns a Store over k.
func New(k *store.Kernel) *Store { return &Store{k} }

// digestKey returns the key of a row that is found by the digest of a text.
func digestKey(partition, text, sort string) table.Key {
	digest := sha256.Sum256([]byte(text))
	return table.Key{Partition: partition + hex.EncodeToString(digest[:]), Sort: sort}
}

// keyed returns an item with its key and the time from which it is expired. Rows expire by the second, so the exact
// time is in goodUntil.
func keyed(key table.Key, until time.Time) table.Item {
	return table.Item{table.PartitionAttribute: key.Partition, table.SortAttribute: key.Sort,
		goodUntil: rows.FromMoment(until), table.ExpiryAttribute: until.Unix() + 1}
}

const goodUntil = "goodUntil"

func untilOf(item table.Item) time.Time { return rows.ToMoment(rows.Integer(item, goodUntil)) }

// good reports whether a row exists and is good now. It is not good at goodUntil itself.
func (s *Store) good(item table.Item) bool { return item != nil && s.Clock.Now().Before(untilOf(item)) }
