package store

import (
	"context"
	"fmt"

	"earshot/shared/port/table"
)

// A Listener is a workspace that has or had keywords. What it listens for is the same as long as Version is, and what its users
// taught the judge as long as Lessons is.
type Listener struct {
	WorkspaceID string
	Version     int64
	Lessons     int64
	Planned     string // for what its collection was planned: see Plan
}

// Listeners lists the workspaces that have or had keywords. It reads at half the price: a change may show a moment later.
func (s *Store) Listeners(ctx context.Context) ([]Listener, error) {
	var all []Listener
	err := s.each(ctx, table.Query{Table: CoreTable, Partition: listeners}, func(item table.Item) {
		all = append(all, Listener{WorkspaceID: table.KeyOf(item).Sort, Version: integer(item, "version"),
			Lessons: integer(item, "lessons"), Planned: str(item, "planned")})
	})
	if err != nil {
		return nil, fmt.Errorf("list who listens: %w", err)
	}
	return all, nil
}
