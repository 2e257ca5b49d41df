package listenstore

import (
	"context"

	"earshot/shared/keyword"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/rows"
)

// Listeners lists the workspaces that have or had keywords. It reads at half the price, so that a change may show a
// moment later.
func (s *Store) Listeners(ctx context.Context) ([]keyword.Listener, error) {
	return store.AllOf(
		ctx,
		s.Kernel,
		"who listens",
		table.Query{Partition: rows.Listeners},
		func(item table.Item) keyword.Listener {
			return keyword.Listener{
				WorkspaceID: table.KeyOf(item).Sort,
				Version:     rows.Integer(item, "version"),
				Lessons:     rows.Integer(item, "lessons"),
				Planned:     rows.Text(item, "planned"),
			}
		},
	)
}
