package sqlitetable

import (
	"context"

	"zombiezen.com/go/sqlite"

	"earshot/shared/port/table"
)

// Keys lists the keys of all items of a table, in order, including expired ones. It is for tests that look for
// leftovers.
func (t *Table) Keys(ctx context.Context, tableName string) (keys []table.Key, err error) {
	if err := t.catalog.CheckGet(table.Get{Table: tableName, Key: table.Key{Partition: "p", Sort: "s"}}); err != nil {
		return nil, failed("list the keys of", tableName, err)
	}
	if err := ctx.Err(); err != nil {
		return nil, failed("list the keys of", tableName, err)
	}
	text := "SELECT pk, sk FROM " + t.tables[tableName].name + " ORDER BY pk, sk"
	if err := t.query(text, func(row *sqlite.Stmt) (more bool, err error) {
		keys = append(keys, table.Key{Partition: row.ColumnText(0), Sort: row.ColumnText(1)})
		return true, nil
	}); err != nil {
		return nil, failed("list the keys of", tableName, err)
	}
	return keys, nil
}
