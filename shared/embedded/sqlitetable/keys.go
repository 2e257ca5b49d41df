package sqlitetable

import (
	"context"

	"earshot/shared/port/table"
)

// Keys lists the keys of all items of a table, in order, including expired ones. It is for tests that look for
// leftovers.
func (t *Table) Keys(ctx context.Context, tableName string) (keys []table.Key, err error) {
	if err := t.catalog.CheckGet(table.Get{Table: tableName, Key: table.Key{Partition: "p", Sort: "s"}}); err != nil {
		return nil, failed("list the keys of", tableName, err)
	}
	rows, err := t.readers.QueryContext(ctx, "SELECT pk, sk FROM "+t.tables[tableName].name+" ORDER BY pk, sk")
	if err != nil {
		return nil, failed("list the keys of", tableName, err)
	}
	defer rows.Close()
	for rows.Next() {
		var key table.Key
		if err := rows.Scan(&key.Partition, &key.Sort); err != nil {
			return nil, failed("list the keys of", tableName, err)
		}
		keys = append(keys, key)
	}
	if err := rows.Err(); err != nil {
		return nil, failed("list the keys of", tableName, err)
	}
	return keys, nil
}
