package store

import (
	"earshot/shared/port/table"
	"earshot/shared/store/rows"
)

// Listens returns the update of a workspace's listeners' row: it raises the version and adds to the number of keywords.
// Every change of what a workspace listens for includes it.
func (s *Kernel) Listens(orgID string, keywords int64) table.Update {
	add := map[string]int64{"version": 1}
	if keywords != 0 {
		add["keywords"] = keywords
	}
	return table.Update{Table: rows.CoreTable, Key: table.Key{Partition: rows.Listeners, Sort: orgID}, Add: add}
}
