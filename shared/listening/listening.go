// Package listening keeps the keywords of all workspaces in memory, compiled into one matcher, with the facts that the
// judge of relevance needs of each workspace. A refresh reads only what has changed since the last one. Snapshots never
// change after they are handed out.
//
// Functions that match posts import it. listenstore and mentionstore read for it, and do not link it.
package listening

import (
	"context"

	"earshot/shared/keyword"
	"earshot/shared/match"
	"earshot/shared/mention"
	"earshot/shared/workspace"
)

// MaxLessons is how many mentions of a workspace, its newest that users judged, are learned from.
const MaxLessons = 500

// Settings is what is read.
type Settings interface {
	Listeners(ctx context.Context) ([]keyword.Listener, error)
	Keywords(ctx context.Context, orgID string) ([]keyword.Keyword, error)
	Filters(ctx context.Context, orgID string) (keyword.Filters, error)
	FiltersAndCompany(ctx context.Context, orgID string) (keyword.Filters, workspace.Company, error)
	Lessons(ctx context.Context, orgID string, limit int) ([]mention.Lesson, error)
}

// A Workspace is what is known of one that listens.
type Workspace struct {
	match.Workspace
	Company workspace.Company
	Lessons []mention.Lesson

	version int64 // of its listener, when it was read
}

// A Snapshot is what all workspaces listened for at one time. It never changes.
type Snapshot struct {
	Matcher    *match.Matcher
	Listeners  []keyword.Listener // in no order
	workspaces map[string]*Workspace
}

// Workspace is one of those that listen; nil when it does not.
func (s *Snapshot) Workspace(id string) *Workspace { return s.workspaces[id] }
