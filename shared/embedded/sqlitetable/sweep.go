package sqlitetable

import (
	"context"

	"earshot/shared/port/table"
)

// sweep removes expired items, so that a file does not grow forever. Once per opening is enough, because reads leave
// expired items out.
func (t *Table) sweep() error {
	now := t.clock.Now().Unix()
	for _, l := range t.tables {
		for more := true; more; {
			err := t.writer.do(context.Background(), func(w *writer) error {
				items, err := t.items(w, l, "WHERE expires <= ? LIMIT 500", now)
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
