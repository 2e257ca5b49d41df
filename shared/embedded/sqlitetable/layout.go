package sqlitetable

import (
	"strings"

	"earshot/shared/port/table"
)

// A layout is the SQL of one table. Rows are clustered by their key and compared by bytes (BINARY collation of UTF-8),
// in the port's order. An item is stored without the attributes that its key columns hold: see columns. Rows of
// layout 1 have them twice, which reads the same.
type layout struct {
	schema  table.Schema
	name    string // quoted
	get     string
	put     string
	change  string // of a row whose expiry stays: its index is left alone
	remove  string
	indexes []indexLayout
}

type indexLayout struct {
	index  table.Index
	name   string // quoted
	put    string
	remove string
}

func layouts(schemas []table.Schema) map[string]*layout {
	all := make(map[string]*layout, len(schemas))
	for _, schema := range schemas {
		name := quoted("table " + schema.Name)
		l := &layout{
			schema: schema,
			name:   name,
			get:    "SELECT size, item FROM " + name + " WHERE pk = ? AND sk = ?",
			put:    "INSERT OR REPLACE INTO " + name + " (pk, sk, size, expires, item) VALUES (?, ?, ?, ?, ?)",
			change: "UPDATE " + name + " SET size = ?, item = ? WHERE pk = ? AND sk = ?",
			remove: "DELETE FROM " + name + " WHERE pk = ? AND sk = ?",
		}
		for _, index := range schema.Indexes {
			name := indexName(schema.Name, index.Name)
			l.indexes = append(l.indexes, indexLayout{
				index:  index,
				name:   name,
				put:    "INSERT OR REPLACE INTO " + name + " (pk, sk, tpk, tsk, size, item) VALUES (?, ?, ?, ?, ?, ?)",
				remove: "DELETE FROM " + name + " WHERE pk = ? AND sk = ? AND tpk = ? AND tsk = ?",
			})
		}
		all[schema.Name] = l
	}
	return all
}

// columns returns the attributes that the key columns of a table hold, in their order.
func columns() []string { return []string{table.PartitionAttribute, table.SortAttribute} }

// columns returns the attributes that the key columns of an index hold, in their order.
func (x indexLayout) columns() []string { return columnsOf(&x.index) }

func columnsOf(index *table.Index) []string {
	if index == nil {
		return columns()
	}
	return append([]string{index.Partition, index.Sort}, columns()...)
}

func indexName(tableName, name string) string { return quoted("index " + tableName + " " + name) }

func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// createTable makes a table. size is table.Size of the item. expires is its expiry, for the sweep.
func (l *layout) createTable() []string {
	return []string{
		"CREATE TABLE " + l.name + " (pk TEXT NOT NULL, sk TEXT NOT NULL, size INTEGER NOT NULL, expires INTEGER," +
			" item BLOB NOT NULL, PRIMARY KEY (pk, sk)) WITHOUT ROWID",
		"CREATE INDEX " + quoted("expiry "+l.schema.Name) + " ON " + l.name + " (expires) WHERE expires IS NOT NULL",
	}
}

// createIndex makes an index. It is a table of its own, because it may lag and holds a projection. tpk and tsk are the
// table's key.
func (x indexLayout) createIndex() string {
	return "CREATE TABLE " + x.name + " (pk TEXT NOT NULL, sk TEXT NOT NULL, tpk TEXT NOT NULL, tsk TEXT NOT NULL," +
		" size INTEGER NOT NULL, item BLOB NOT NULL, PRIMARY KEY (pk, sk, tpk, tsk)) WITHOUT ROWID"
}
