package table

import "strings"

// Clip removes an After that precedes the whole range, and reports whether the rest is empty: From is above To, or
// After is behind the range. Stores refuse both. On the port they are plain cases that need no request. The query must
// be valid.
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
