package filter

// A Fault is one thing that is wrong with a filter.
type Fault struct {
	Path    string // below the filter, as the client wrote it: "!sentiment[1]", "groups[0].operator"; empty: the filter itself
	Code    string // what kind of fault: type, enum, unknown, required, format, range, minimum, max_items …, as elsewhere in a request
	Message string // for a person; nothing of what the client sent is in it
}
