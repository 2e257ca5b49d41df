package sqlitetable

import (
	"context"

	"earshot/shared/port/table"
)

// Misbehave makes a table do what the port allows and a laptop never shows. The zero value does nothing.
type Misbehave struct {
	PageRows   int  // bounds the rows of a Query's page; 0 is no bound
	BatchReads int  // bounds the reads of a BatchGet, which leaves the rest unprocessed; 0 is no bound
	IndexLag   bool // writes of this process reach the indexes only by CatchUp, or when the table is closed
}

// Misbehave changes how the table misbehaves from now on. Indexes catch up when they no longer lag.
func (t *Table) Misbehave(how Misbehave) error {
	t.misbehave.Store(&how)
	if how.IndexLag {
		return nil
	}
	return t.CatchUp()
}

// An address names an item in the file.
type address struct {
	table string
	key   table.Key
}

// lag records what the indexes show of an item, before the first change that they do not follow.
func (t *Table) lag(tableName string, key table.Key, shown table.Item) {
	at := address{tableName, key}
	if _, lags := t.lagging[at]; !lags {
		t.lagging[at] = shown
	}
}

// CatchUp brings the indexes up to their tables.
func (t *Table) CatchUp() error {
	err := t.writer.do(context.Background(), func(w *writer) error {
		for at, shown := range t.lagging {
			l := t.tables[at.table]
			_, now, err := t.load(w, l, at.key)
			if err != nil {
				return err
			}
			if _, err := t.follow(w, l, shown, now); err != nil {
				return err
			}
			delete(t.lagging, at)
		}
		return nil
	})
	if err != nil {
		return failed("catch up", "indexes", err)
	}
	return nil
}
