package store

import (
	"context"

	"earshot/shared/listening"
	"earshot/shared/port/table"
)

// Listeners lists the workspaces that have or had keywords. It reads at half the price: a change may show a moment later.
func (s *Store) Listeners(ctx context.Context) ([]listening.Listener, error) {
	return allOf(ctx, s, "who listens", table.Query{Partition: listeners}, func(item table.Item) listening.Listener {
		return listening.Listener{WorkspaceID: table.KeyOf(item).Sort, Version: integer(item, "version"), Lessons: integer(item, "lessons"),
			Planned: str(item, "planned")}
	})
}
