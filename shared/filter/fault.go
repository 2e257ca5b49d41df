package filter

// A Fault is one fault of a filter.
type Fault struct {
	// within the filter, as the client wrote it: "!sentiment[1]", "groups[0].operator"; empty for the filter itself
	Path string
	// the kind of fault: type, enum, unknown, required, format, range, minimum, max_items …, as elsewhere in a request
	Code    string
	Message string // for people; it does not quote the client's text
}
