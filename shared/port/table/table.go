// Package table is the port to a key-value store of items, with exactly the guarantees of DynamoDB. A guarantee of this
// port holds on every adapter, and the suite in tabletest tests it.
//
// Writes are durable when they return. A condition and its write are one atomic step on one item. A transaction happens
// whole or not at all. Reads of a table are strongly consistent if the caller asks for it. Reads of an index never are:
// an index may lag behind its table, with rows that are gone or changed and without rows that are new. Order within a
// partition is by the bytes of the sort key.
//
// Only shared/store and the packages below it speak to a Table, and keep keys and indexes to themselves. Mains and
// adapters import the package too.
package table

import (
	"context"
)

// The attributes of every table. All key attributes, including those of indexes, are strings. A number in a key is
// zero-padded, so that bytes sort as numbers do.
const (
	PartitionAttribute = "pk"
	SortAttribute      = "sk"

	// ExpiryAttribute holds the Unix second (int64, else ErrInvalid) from which the item is expired. Get, BatchGet,
	// Query and the condition Absent do not see an expired item, whether or not the store has deleted it. Every other
	// condition, and Update, may still see it. A writer that reuses a key after expiry therefore uses Put under Absent.
	ExpiryAttribute = "expiresAt"
)

// Bounds of the port: DynamoDB's own.
const (
	MaxItemBytes    = 400 << 10 // an item with its attribute names, as Size counts
	MaxBatchGet     = 100       // reads in one BatchGet
	MaxTransaction  = 100       // writes in one Transact
	MaxPageBytes    = 1 << 20   // a Query reads at most this much before it returns a short page
	MaxPartitionKey = 2048      // bytes
	MaxSortKey      = 1024      // bytes
)

// An Item is one row: attribute names to values. A value is nil, bool, string, int64, float64, []byte, []any or
// map[string]any of the same, nested at most 32 deep. Adapters return exactly these types, with one exception: a
// float64 that is whole and fits an int64 becomes that int64 (see Float). A nil slice or map of one of the types is
// empty, not nil. A Table does not keep an Item that it is given, and an Item that it returns belongs to the caller.
// Strings and names are UTF-8, and names are not empty. Integers keep all 64 bits.
type Item map[string]any

// A Key names one item of a table.
type Key struct{ Partition, Sort string }

// KeyOf returns the primary key of an item.
func KeyOf(item Item) Key {
	partition, _ := item[PartitionAttribute].(string)
	sort, _ := item[SortAttribute].(string)
	return Key{partition, sort}
}

// A Schema describes one table.
type Schema struct {
	Name    string // within the deployment; adapters map it to the physical name
	Indexes []Index
	// InfrequentAccess marks rows that are seldom read: stored cheaper, read dearer.
	InfrequentAccess bool
}

// An Index is a second order of a table's items, by two of their attributes. An item that lacks either attribute is not
// in the index. An item with another value than a key's string in either is ErrInvalid. The index's rows hold the
// table's key, the index's key, ExpiryAttribute and the projected attributes. Items with the same index key have a
// stable but unspecified order.
type Index struct {
	Name      string
	Partition string   // name of the attribute that is its partition key
	Sort      string   // name of the attribute that is its sort key
	Project   []string // names of further attributes in its rows; empty for keys only
}

// A Table is a set of named tables in one store. Implementations are safe for concurrent use. Every method may return
// ErrThrottled, ErrUnavailable, ErrInvalid (the caller's mistake, never retried) or the context's error, besides those
// it names.
type Table interface {
	// Get returns the item; nil if there is none.
	Get(ctx context.Context, get Get) (Item, error)

	// BatchGet reads up to MaxBatchGet items of one or more tables in one round trip. The same key twice is ErrInvalid.
	BatchGet(ctx context.Context, gets []Get) (Batch, error)

	// Query walks one partition of a table or of an index in order.
	Query(ctx context.Context, query Query) (Page, error)

	// Put writes the whole item and replaces an existing one. Returns *ConditionFailed or ErrTooLarge.
	Put(ctx context.Context, put Put) error

	// Update changes attributes of one item and returns the item after the change. It creates a missing item. Returns
	// *ConditionFailed or ErrTooLarge.
	Update(ctx context.Context, update Update) (Item, error)

	// Delete removes one item. A missing item is no error. Returns *ConditionFailed.
	Delete(ctx context.Context, del Delete) error

	// Transact does all writes or none. Returns *Canceled with a reason per write. Two writes of the same item are
	// ErrInvalid.
	Transact(ctx context.Context, tx Transaction) error
}

// Get names an item to read.
type Get struct {
	Table string
	Key   Key
	// Consistent asks for a read that sees every write that returned before it began. It costs twice the capacity.
	Consistent bool
}

// A Batch is the result of BatchGet.
type Batch struct {
	Items []Item // aligned with the reads: nil where there is no item, and where the read is unprocessed
	// Unprocessed holds the positions of reads that the store did not do. The caller repeats them.
	Unprocessed []int
}

// A Query reads a range of one partition. At most one of Prefix and the bounds From and To may be set.
type Query struct {
	Table     string
	Index     string // empty: the table itself
	Partition string
	Prefix    string // sort keys that begin with it
	From, To  string // first and last sort key, inclusive; empty is unbounded. From above To is an empty range.

	// After continues behind a position: the Next of an earlier page, or PositionOf an item. That item need not exist
	// any more, nor be within the bounds. A position of another partition is ErrInvalid if the table can tell.
	After      *Position
	Descending bool
	Limit      int  // maximum number of items; 0 is as many as a page holds
	Consistent bool // tables only; ErrInvalid on an index

	// Read names the attributes that the caller reads, besides the keys and ExpiryAttribute. Items may lack others, which
	// saves an adapter their decoding. It changes no cost. Empty is all.
	Read []string
}

// A Page is a part of a range. A page may be shorter than the limit, or empty, while more follows. Only Next says
// whether more follows.
type Page struct {
	Items []Item
	Bytes int       // of the items, as Size counts them, those attributes included that Read leaves out
	Next  *Position // nil at the end of the range
}

// A Position is a place in a table's or an index's order.
type Position struct {
	Key       Key
	IndexSort string // the index's sort key; empty in a table's own order
}

// PositionOf returns the position of an item in an index, or in its table if index is nil.
func PositionOf(index *Index, item Item) Position {
	position := Position{Key: KeyOf(item)}
	if index != nil {
		position.IndexSort, _ = item[index.Sort].(string)
	}
	return position
}

// Put is a write of a whole item, its key among the attributes.
type Put struct {
	Table string
	Item  Item
	If    Condition
}

// Update is a change of some attributes. An attribute may appear in only one of Set, Add and Remove. Key attributes may
// appear in none.
type Update struct {
	Table string
	Key   Key
	If    Condition
	Set   map[string]any
	// Add adds to a whole number. A missing attribute counts as 0, and any other type is ErrInvalid. A sum that
	// overflows int64, or that includes a fraction, becomes a float64 and may be inexact.
	Add    map[string]int64
	Remove []string
}

// Delete removes an item.
type Delete struct {
	Table string
	Key   Key
	If    Condition
}

// Check is a condition in a transaction on an item that it does not write.
type Check struct {
	Table string
	Key   Key
	If    Condition
}
