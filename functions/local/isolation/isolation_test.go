package isolation_test

import "testing"

func TestTwoAgencies(t *testing.T) {
	described, asked := operations(t), asks()
	known(t, described, asked)
	all, hasAsk := map[string]operation{}, map[string]bool{}
	for _, a := range asked {
		hasAsk[a.operation] = true
	}
	for _, o := range described {
		all[o.id] = o
		if !hasAsk[o.id] && o.scope != "" {
			asked = append([]ask{{operation: o.id}}, asked...)
		}
	}
	w := newWorld(t)
	t.Run("every row is one agency's", w.apart)
	t.Run("another's id is nobody's", func(t *testing.T) { w.foreignIsUnknown(t, all, asked) })
	t.Run("another's workspace is nobody's", func(t *testing.T) { w.foreignWorkspace(t, all, asked) })
	t.Run("another's key is nobody's", w.foreignKey)
	t.Run("another's file is nobody's", w.foreignFile)
	t.Run("nothing of another is counted", func(t *testing.T) { w.nothingIsCounted(t, all, asked) })
}
