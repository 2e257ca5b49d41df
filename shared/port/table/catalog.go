package table

import (
	"fmt"
	"slices"
)

// A Catalog knows the schemas of a store and finds malformed operations. Every adapter thereby returns ErrInvalid for
// the same operations, before it does anything. A Catalog looks at the operation alone, never at stored items.
type Catalog struct{ tables map[string]Schema }

// NewCatalog returns the catalog of the schemas. Returns ErrInvalid if they contradict themselves.
func NewCatalog(schemas []Schema) (*Catalog, error) {
	c := &Catalog{tables: make(map[string]Schema, len(schemas))}
	for _, schema := range schemas {
		if _, twice := c.tables[schema.Name]; twice || schema.Name == "" {
			return nil, invalid("schema %q: the name is empty or there twice", schema.Name)
		}
		names := map[string]bool{}
		for _, index := range schema.Indexes {
			if names[index.Name] || index.Name == "" {
				return nil, invalid("schema %q: index %q: the name is empty or there twice", schema.Name, index.Name)
			}
			names[index.Name] = true
			if index.Partition == "" || index.Sort == "" || index.Partition == index.Sort ||
				slices.Contains(index.Project, "") {
				return nil, invalid(
					"schema %q: index %q: its attributes are empty or the same", schema.Name, index.Name,
				)
			}
		}
		c.tables[schema.Name] = schema
	}
	return c, nil
}

// Index returns an index of a table; nil for the empty name, which is the table's own order.
func (c *Catalog) Index(tableName, name string) *Index {
	indexes := c.tables[tableName].Indexes
	at := slices.IndexFunc(indexes, func(x Index) bool { return x.Name == name })
	if at < 0 {
		return nil
	}
	return &indexes[at]
}

func (c *Catalog) schema(name string) (Schema, error) {
	schema, ok := c.tables[name]
	if !ok {
		return Schema{}, invalid("no table %q", name)
	}
	return schema, nil
}

// TargetOf returns the item that a write is about, and the write's condition. The table is empty for an unknown kind of
// write.
func TargetOf(write Write) (tableName string, key Key, condition Condition) {
	switch write := write.(type) {
	case Put:
		return write.Table, KeyOf(write.Item), write.If
	case Update:
		return write.Table, write.Key, write.If
	case Delete:
		return write.Table, write.Key, write.If
	case Check:
		return write.Table, write.Key, write.If
	}
	return "", Key{}, Condition{}
}

func invalid(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrInvalid, fmt.Sprintf(format, args...))
}
