package table

import "strings"

// Clip leaves out an After that stands before the whole range, and says whether nothing can be in what is left: From
// above To, or an After behind the range. Stores refuse both; on the port they are plain cases, answered without
// asking the store. The query must be valid.
func (q Query) Clip() (clipped Query, empty bool) {
	if q.From != "" && q.To != "" && q.From > q.To {
		return q, true
	}
	if q.After == nil {
		return q, false
	}
	at := q.After.Key.Sort
	if q.Index != "" {
		at = q.After.IndexSort
	}
	below := at < q.Prefix || at < q.From
	above := (q.Prefix != "" && at > q.Prefix && !strings.HasPrefix(at, q.Prefix)) || (q.To != "" && at > q.To)
	if q.Descending {
		below, above = above, below
	}
	if below {
		q.After = nil
	}
	return q, above
}
