package isolation_test

import "testing"

func TestTwoAgencies(t *testing.T) {
	all, asked := operations(t), asks()
	known(t, all, asked)
	by, asksOf := map[string]operation{}, map[string]int{}
	for _, a := range asked {
		asksOf[a.operation]++
	}
	for _, o := range all {
		by[o.id] = o
		if asksOf[o.id] == 0 && o.scope != "" {
			asked = append([]ask{{operation: o.id}}, asked...)
		}
	}
	w := newWorld(t)
	t.Run("every row is one agency's", func(t *testing.T) { w.apart(t) })
	t.Run("another's id is nobody's", func(t *testing.T) { w.foreignIsUnknown(t, by, asked) })
	t.Run("another's workspace is nobody's", func(t *testing.T) { w.foreignWorkspace(t, by, asked) })
	t.Run("another's key is nobody's", func(t *testing.T) { w.foreignKey(t) })
	t.Run("another's file is nobody's", func(t *testing.T) { w.foreignFile(t) })
	t.Run("nothing of another is counted", func(t *testing.T) { w.nothingIsCounted(t, by, asked) })
}
