package keyword

// Listener is a workspace that has or had keywords. Its keywords and filters are the same as long as Version is. What
// its users taught the judge is the same as long as Lessons is.
type Listener struct {
	WorkspaceID string
	Version     int64
	Lessons     int64
	Planned     string // the plan that its collection was made for
}
