package store

import (
	"context"
	"fmt"

	"earshot/shared/listening"
	"earshot/shared/port/table"
)

// Listeners lists the workspaces that have or had keywords. It reads at half the price: a change may show a moment later.
func (s *Store) Listeners(ctx context.Context) ([]listening.Listener, error) {
	var all []listening.Listener
	err := s.each(ctx, table.Query{Table: CoreTable, Partition: listeners}, func(item table.Item) {
		all = append(all, listening.Listener{WorkspaceID: table.KeyOf(item).Sort, Version: integer(item, "version"),
			Lessons: integer(item, "lessons"), Planned: str(item, "planned")})
	})
	if err != nil {
		return nil, fmt.Errorf("list who listens: %w", err)
	}
	return all, nil
}
