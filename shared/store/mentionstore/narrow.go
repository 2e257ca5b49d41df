package mentionstore

import "earshot/shared/filter"

// Narrowed returns the query for the mentions that the filter takes too.
func (q MentionsQuery) Narrowed(f filter.Filter) MentionsQuery {
	if f.Conditions() > 0 {
		q.Filter = filter.Compile(f)
	}
	q.Start, q.End = f.Window()
	if !q.End.IsZero() && q.End.Before(q.Start) {
		q.End = q.Start // windows that do not meet are an empty range, because a reversed range would be an error
	}
	return q
}
