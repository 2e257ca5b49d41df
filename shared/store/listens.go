package store

import (
	"earshot/shared/port/table"
	"earshot/shared/store/rows"
)

// Listens returns the change of the listeners' row that goes with every change of what a workspace listens for.
func (s *Kernel) Listens(orgID string, keywords int64) table.Update {
	add := map[string]int64{"version": 1}
	if keywords != 0 {
		add["keywords"] = keywords
	}
	return table.Update{Table: rows.CoreTable, Key: table.Key{Partition: rows.Listeners, Sort: orgID}, Add: add}
}
