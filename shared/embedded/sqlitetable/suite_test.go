package sqlitetable_test

import (
	"path/filepath"
	"testing"

	"earshot/shared/embedded/sqlitetable"
	"earshot/shared/port/clock"
	"earshot/shared/port/table"
	"earshot/shared/port/table/tabletest"
)

func open(t testing.TB, path string, schemas []table.Schema, options sqlitetable.Options) *sqlitetable.Table {
	t.Helper()
	opened, err := sqlitetable.Open(path, schemas, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := opened.Close(); err != nil {
			t.Error(err)
		}
	})
	return opened
}

func TestSuite(t *testing.T) {
	now := &clock.Adjustable{}
	tabletest.Run(t, func(t *testing.T, schemas []table.Schema) table.Table {
		return open(t, filepath.Join(t.TempDir(), "suite.db"), schemas, sqlitetable.Options{Clock: now})
	}, tabletest.Options{
		Clock: now,
		Misbehave: func(t *testing.T, on table.Table, how tabletest.Misbehaviour) func() {
			told := on.(*sqlitetable.Table)
			if err := told.Misbehave(sqlitetable.Misbehave{
				PageRows: how.PageRows, BatchReads: how.BatchReads, IndexLag: how.IndexLag}); err != nil {
				t.Fatal(err)
			}
			return func() {
				if err := told.CatchUp(); err != nil {
					t.Fatal(err)
				}
			}
		},
	})
}
