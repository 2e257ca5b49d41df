// Package listening keeps the keywords of all workspaces in memory, compiled into one matcher, with the facts that the
// judge of relevance needs of each workspace. A refresh reads only what has changed since the last one. Snapshots never
// change after they are handed out.
//
// Functions that match posts import it. listenstore and mentionstore feed it.
package listening

import (
	"context"

	"earshot/shared/keyword"
	"earshot/shared/match"
	"earshot/shared/workspace"
)

// A Listener is a workspace that has or had keywords. What it listens for is the same as long as Version is, and what
// its users taught the judge as long as Lessons is.
type Listener struct {
	WorkspaceID string
	Version     int64
	Lessons     int64
	Planned     string // for what its collection was planned
}

// A Lesson is what a user's judgement of a mention, as one of a keyword, teaches the judge of that keyword.
type Lesson struct {
	KeywordID int64
	Relevant  bool
	Vector    []byte // as mention.Mention's
}

// MaxLessons is how many mentions of a workspace, its newest that users judged, are learned from.
const MaxLessons = 500

// Settings is what is read.
type Settings interface {
	Listeners(ctx context.Context) ([]Listener, error)
	Keywords(ctx context.Context, orgID string) ([]keyword.Keyword, error)
	Filters(ctx context.Context, orgID string) (keyword.Filters, error)
	Company(ctx context.Context, orgID string) (workspace.Company, error)
	Lessons(ctx context.Context, orgID string, limit int) ([]Lesson, error)
}

// A Workspace is what is known of one that listens.
type Workspace struct {
	match.Workspace
	Company workspace.Company
	Lessons []Lesson

	version int64 // of its listener, when it was read
}

// A Snapshot is what all workspaces listened for at one time. It never changes.
type Snapshot struct {
	Matcher    *match.Matcher
	Listeners  []Listener // in no order
	workspaces map[string]*Workspace
}

// Workspace is one of those that listen; nil when it does not.
func (s *Snapshot) Workspace(id string) *Workspace { return s.workspaces[id] }
