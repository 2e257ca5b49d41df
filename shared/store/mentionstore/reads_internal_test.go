package mentionstore

import (
	"slices"
	"testing"

	"earshot/shared/filter"
	"earshot/shared/port/table"
	"earshot/shared/store/rows"
)

// A condition whose attribute is not in the index would find no mention.
func TestAttributesOf_AreInTheIndex(t *testing.T) {
	var index table.Index
	for _, schema := range rows.Schemas() {
		if schema.Name == rows.MentionsTable {
			index = schema.Indexes[0]
		}
	}
	for _, d := range filter.Definitions() {
		for _, name := range attributesOf(d.Key) {
			if !slices.Contains(index.Project, name) {
				t.Errorf("attributesOf(%q) = %q, which the index byTime lacks", d.Key, name)
			}
		}
	}
}
