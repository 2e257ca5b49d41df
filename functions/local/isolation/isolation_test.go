package isolation_test

import (
	"slices"
	"testing"

	"earshot/functions/discovery/asks"
)

func TestTwoAgencies(t *testing.T) {
	all := operations(t)
	asked := slices.DeleteFunc(asks.All(), func(a asks.Ask) bool { return all[a.Operation].Scope == "" })
	w := newWorld(t)
	t.Run("every row is one agency's", w.apart)
	t.Run("another's id is nobody's", func(t *testing.T) { w.foreignIsUnknown(t, all, asked) })
	t.Run("another's workspace is nobody's", func(t *testing.T) { w.foreignWorkspace(t, all, asked) })
	t.Run("another's key is nobody's", w.foreignKey)
	t.Run("another's file is nobody's", w.foreignFile)
	t.Run("nothing of another is counted", func(t *testing.T) { w.nothingIsCounted(t, all, asked) })
}
