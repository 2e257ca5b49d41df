package sqlitetable

import "earshot/shared/port/table"

// sweep removes expired items. Reads leave them out anyway; it keeps a file from growing for ever, so that once, when the
// file is opened, is enough.
func (t *Table) sweep() error {
	now := t.clock.Now().Unix()
	for _, l := range t.tables {
		for more := true; more; {
			err := t.writer.do(background(), func(w *writer) error {
				rows, err := w.query("SELECT item FROM "+l.name+" WHERE expires <= ? LIMIT 500", now)
				if err != nil {
					return err
				}
				items, err := t.items(rows)
				if err != nil {
					return err
				}
				for _, item := range items {
					if _, err := t.replace(w, l, table.KeyOf(item), item, nil, 0); err != nil {
						return err
					}
				}
				more = len(items) > 0
				return nil
			})
			if err != nil {
				return failed("sweep", l.schema.Name, err)
			}
		}
	}
	return nil
}
