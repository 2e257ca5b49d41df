package analytics

// WithoutCells makes a query that only a scan can answer: it asks for authors too.
func WithoutCells(q Query) Query {
	q.Aggregates = append([]Aggregate{Authors}, q.Aggregates...)
	return q
}
