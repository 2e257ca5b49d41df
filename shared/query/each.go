package query

import "sync"

// Each returns each alternative as a query of its own, in the order of Alternatives.
func (q Query) Each() []Query {
	var all []Query
	for _, terms := range q.Alternatives() {
		made := &parsed{alternatives: [][]Term{terms}}
		made.engine = sync.OnceValue(func() *engine { return newEngine(made.alternatives) })
		all = append(all, Query{made})
	}
	return all
}
