package sqlitetable

import (
	"context"
	"strings"

	"zombiezen.com/go/sqlite"

	"earshot/shared/port/table"
)

// Query reads a range of a partition. As in DynamoDB, a page that is full by Limit or size has a Next even if nothing
// follows, and expired rows count before they are left out.
func (t *Table) Query(ctx context.Context, query table.Query) (table.Page, error) {
	if err := t.catalog.CheckQuery(query); err != nil {
		return table.Page{}, failed("query", query.Table, err)
	}
	if err := ctx.Err(); err != nil {
		return table.Page{}, failed("query", query.Table, err)
	}
	query, empty := query.Clip()
	if empty {
		return table.Page{}, nil
	}
	if bound := t.misbehave.Load().PageRows; bound > 0 && (query.Limit == 0 || query.Limit > bound) {
		query.Limit = bound
	}
	index := t.catalog.Index(query.Table, query.Index)
	page, bytes, err := t.page(query, index)
	if err != nil {
		return table.Page{}, failed("query", query.Table, err)
	}
	table.Charge(ctx, table.Usage{Reads: 1, ReadUnits: table.ReadUnits(bytes, query.Consistent)})
	return page, nil
}

// rangeOf returns the SQL of a clipped query without its limit, one of about 18 forms for each order. The rows come in
// the order of the primary key, so that the rows behind a limit cost nothing if nobody asks for them. A limit as a
// parameter would make SQLite prepare the statement anew whenever it is another one.
func (t *Table) rangeOf(query table.Query, index *table.Index) (string, []any) {
	var text strings.Builder
	order, row := "sk", "sk"
	if index == nil {
		text.WriteString("SELECT sk, size, item FROM " + t.tables[query.Table].name)
	} else {
		text.WriteString("SELECT sk, tpk, tsk, size, item FROM " + indexName(query.Table, index.Name))
		order, row = "sk, tpk, tsk", "(sk, tpk, tsk)"
	}
	text.WriteString(" WHERE pk = ?")
	args := make([]any, 0, 8)
	args = append(args, query.Partition)
	bound := func(operator, value string) {
		text.WriteString(" AND sk " + operator + " ?")
		args = append(args, value)
	}
	after := func(operator string) {
		text.WriteString(" AND " + row + " " + operator)
		if index == nil {
			text.WriteString(" ?")
			args = append(args, query.After.Key.Sort)
			return
		}
		text.WriteString(" (?, ?, ?)")
		args = append(args, query.After.IndexSort, query.After.Key.Partition, query.After.Key.Sort)
	}
	switch {
	case query.After != nil && !query.Descending: // the position is within the range, so it replaces the lower bound
		after(">")
	case query.From != "" || query.Prefix != "":
		bound(">=", query.From+query.Prefix)
	}
	end, open := endOf(query.Prefix)
	switch {
	case query.After != nil && query.Descending:
		after("<")
	case query.To != "":
		bound("<=", query.To)
	case query.Prefix != "" && !open:
		bound("<", end)
	}
	text.WriteString(" ORDER BY ")
	if query.Descending {
		order = strings.ReplaceAll(order, ",", " DESC,") + " DESC"
	}
	text.WriteString(order)
	return text.String(), args
}

// endOf returns the least string above all strings with the prefix. open means that there is none.
func endOf(prefix string) (end string, open bool) {
	for i := len(prefix) - 1; i >= 0; i-- {
		if prefix[i] != 0xff {
			return prefix[:i] + string([]byte{prefix[i] + 1}), false
		}
	}
	return "", true
}

// page reads rows of a clipped query up to the bounds of a page.
func (t *Table) page(query table.Query, index *table.Index) (page table.Page, bytes int, err error) {
	now := t.clock.Now()
	count, decoder := 0, t.codec.page()
	if len(query.Read) > 0 {
		decoder.only = append([]string{table.ExpiryAttribute}, query.Read...)
	}
	keys := columnsOf(index)
	var last table.Item
	full := false
	text, args := t.rangeOf(query, index)
	err = t.query(text, func(row *sqlite.Stmt) (more bool, err error) {
		size, item, err := decoder.row(row, keys[1:])
		if err != nil {
			return false, err
		}
		item[keys[0]] = args[0]
		if full = count > 0 && bytes+size > table.MaxPageBytes; full {
			return false, nil
		}
		count++
		bytes += size
		last = item
		if !table.Expired(item, now) {
			page.Items = append(page.Items, item)
			page.Bytes += size
		}
		return query.Limit == 0 || count < query.Limit, nil
	}, args...)
	if full || query.Limit > 0 && count == query.Limit {
		position := table.PositionOf(index, last)
		page.Next = &position
	}
	return page, bytes, err
}
