package table

import (
	"slices"
	"unicode/utf8"
)

// CheckGet returns ErrInvalid for a malformed read.
func (c *Catalog) CheckGet(get Get) error {
	if _, err := c.schema(get.Table); err != nil {
		return err
	}
	return checkKey(get.Key)
}

// CheckBatch returns ErrInvalid for malformed reads, for none or too many, and for a repeated key.
func (c *Catalog) CheckBatch(gets []Get) error {
	if len(gets) == 0 || len(gets) > MaxBatchGet {
		return invalid("a batch of %d reads", len(gets))
	}
	seen := make(map[target]bool, len(gets))
	for _, get := range gets {
		if err := c.CheckGet(get); err != nil {
			return err
		}
		at := target{get.Table, get.Key}
		if seen[at] {
			return invalid("a batch reads the same key twice in table %q", get.Table)
		}
		seen[at] = true
	}
	return nil
}

type target struct {
	table string
	key   Key
}

// CheckQuery returns ErrInvalid for a malformed range.
func (c *Catalog) CheckQuery(query Query) error {
	if _, err := c.schema(query.Table); err != nil {
		return err
	}
	index := c.Index(query.Table, query.Index)
	switch {
	case query.Index != "" && index == nil:
		return invalid("table %q has no index %q", query.Table, query.Index)
	case index != nil && query.Consistent:
		return invalid("a consistent read of an index")
	case query.Limit < 0:
		return invalid("the limit %d", query.Limit)
	case query.Prefix != "" && (query.From != "" || query.To != ""):
		return invalid("a prefix together with other bounds")
	}
	if err := checkKeyPart("partition", query.Partition, MaxPartitionKey); err != nil {
		return err
	}
	for _, bound := range []string{query.Prefix, query.From, query.To} {
		if len(bound) > MaxSortKey || !utf8.ValidString(bound) {
			return invalid("a bound over %d bytes or not UTF-8", MaxSortKey)
		}
	}
	return checkAfter(query, index)
}

func checkAfter(query Query, index *Index) error {
	after := query.After
	if after == nil {
		return nil
	}
	if err := checkKey(after.Key); err != nil {
		return err
	}
	if index == nil {
		if after.IndexSort != "" || after.Key.Partition != query.Partition {
			return invalid("a position of another order")
		}
		return nil
	}
	if index.Partition == PartitionAttribute && after.Key.Partition != query.Partition {
		return invalid("a position of another partition")
	}
	return checkKeyPart("position", after.IndexSort, MaxSortKey)
}

// CheckPut returns ErrInvalid for a malformed item.
func (c *Catalog) CheckPut(put Put) error {
	schema, err := c.schema(put.Table)
	if err != nil {
		return err
	}
	if err := checkKey(KeyOf(put.Item)); err != nil {
		return err
	}
	for name, value := range put.Item {
		if err := schema.checkAttribute(name, value); err != nil {
			return err
		}
	}
	return checkCondition(put.If)
}

// CheckUpdate returns ErrInvalid for a malformed change: an empty one, an attribute twice, a key attribute.
func (c *Catalog) CheckUpdate(update Update) error {
	schema, err := c.schema(update.Table)
	if err != nil {
		return err
	}
	if err := checkKey(update.Key); err != nil {
		return err
	}
	if len(update.Set)+len(update.Add)+len(update.Remove) == 0 {
		return invalid("an empty update")
	}
	for name, value := range update.Set {
		if err := schema.checkAttribute(name, value); err != nil {
			return err
		}
		if _, twice := update.Add[name]; twice || slices.Contains(update.Remove, name) || isKey(name) {
			return invalid("update of %q: a key attribute, or there twice", name)
		}
	}
	for name, value := range update.Add {
		if err := schema.checkAttribute(name, value); err != nil {
			return err
		}
		if slices.Contains(update.Remove, name) || isKey(name) {
			return invalid("update of %q: a key attribute, or there twice", name)
		}
	}
	for i, name := range update.Remove {
		if err := checkName(name); err != nil {
			return err
		}
		if slices.Contains(update.Remove[:i], name) || isKey(name) {
			return invalid("update of %q: a key attribute, or there twice", name)
		}
	}
	return checkCondition(update.If)
}

func isKey(name string) bool { return name == PartitionAttribute || name == SortAttribute }

// CheckDelete returns ErrInvalid for a malformed removal.
func (c *Catalog) CheckDelete(del Delete) error {
	if err := c.CheckGet(Get{Table: del.Table, Key: del.Key}); err != nil {
		return err
	}
	return checkCondition(del.If)
}

// CheckTransaction returns ErrInvalid for malformed writes, for none, too many or too large ones, for two writes of one
// item, and for a token that belongs to other writes.
func (c *Catalog) CheckTransaction(tx Transaction) error {
	const maxBytes = 4 << 20
	if len(tx.Writes) == 0 || len(tx.Writes) > MaxTransaction {
		return invalid("a transaction of %d writes", len(tx.Writes))
	}
	if !tx.owned() {
		return invalid("the token belongs to other writes")
	}
	seen := make(map[target]bool, len(tx.Writes))
	bytes := 0
	for _, write := range tx.Writes {
		if err := c.checkWrite(write); err != nil {
			return err
		}
		name, key, _ := TargetOf(write)
		if seen[target{name, key}] {
			return invalid("a transaction writes the same item of table %q twice", name)
		}
		seen[target{name, key}] = true
		switch write := write.(type) {
		case Put:
			bytes += Size(write.Item)
		case Update:
			bytes += Size(write.Set)
		}
	}
	if bytes > maxBytes {
		return invalid("a transaction of %d bytes", bytes)
	}
	return nil
}

func (c *Catalog) checkWrite(write Write) error {
	switch write := write.(type) {
	case Put:
		return c.CheckPut(write)
	case Update:
		return c.CheckUpdate(write)
	case Delete:
		return c.CheckDelete(write)
	case Check:
		if write.If.Always() {
			return invalid("a check without a condition")
		}
		return c.CheckDelete(Delete(write))
	}
	return invalid("a transaction cannot hold %T", write)
}
