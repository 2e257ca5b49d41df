package tabletest

import (
	"fmt"
	"slices"

	"earshot/shared/port/table"
)

func queryTests() []test {
	return []test{
		{"Ranges", testRanges},
		{"Order", testOrder},
		{"After", testAfter},
		{"Partitions", testPartitions},
		{"Limit", testLimit},
		{"Read", testRead},
	}
}

func testRanges(e *env) {
	all := []string{"a", "a1", "a2", "ab", "b", "b\x00", "b1", "c", "é", "日", "\U0010ffff", "\U0010ffff1"}
	slices.Sort(all)
	for _, sort := range all {
		e.put(things, thing(key("p", sort)))
		e.put(rows, thing(key("base", sort), "stream", "p", "moment", sort))
	}
	for _, c := range []struct {
		query table.Query
		want  func(sort string) bool
	}{
		{table.Query{}, func(string) bool { return true }},
		{table.Query{Prefix: "a"}, func(s string) bool { return s[0] == 'a' }},
		{table.Query{Prefix: "a1"}, func(s string) bool { return s == "a1" }},
		{table.Query{Prefix: "none"}, func(s string) bool { return false }},
		{table.Query{Prefix: "\U0010ffff"}, func(s string) bool { return s >= "\U0010ffff" }},
		{table.Query{From: "a2"}, func(s string) bool { return s >= "a2" }},
		{table.Query{To: "b"}, func(s string) bool { return s <= "b" }},
		{table.Query{From: "a1", To: "b"}, func(s string) bool { return s >= "a1" && s <= "b" }},
		{table.Query{From: "a3", To: "aa"}, func(s string) bool { return false }},
		{table.Query{From: "b", To: "b"}, func(s string) bool { return s == "b" }},
		{table.Query{From: "b", To: "a"}, func(s string) bool { return false }},
		{table.Query{From: "zzzz", To: "日"}, func(s string) bool { return s == "é" || s == "日" }},
	} {
		for _, descending := range []bool{false, true} {
			for _, limit := range []int{0, 1, 3} {
				query := c.query
				query.Partition, query.Descending, query.Limit = "p", descending, limit
				want, indexed := []string{}, []string{}
				for _, sort := range all {
					if c.want(sort) {
						want = append(want, sort)
						indexed = append(indexed, "base/"+sort)
					}
				}
				if descending {
					slices.Reverse(want)
					slices.Reverse(indexed)
				}
				query.Table, query.Consistent = things, true
				e.wantsSorts(query, want...)
				query.Table, query.Consistent, query.Index = rows, false, byTime
				e.wantsSorts(query, indexed...)
			}
		}
	}
}

// testOrder tests that order is by bytes, not by any language.
func testOrder(e *env) {
	want := []string{"", " ", "-1", "10", "2", "A", "B", "_", "a", "b", "~", "ß", "ä", "ｚ", "😀"}[1:]
	for i := range want { // put in another order
		e.put(things, thing(key("p", want[(i*5)%len(want)])))
	}
	e.wantsSorts(table.Query{Table: things, Partition: "p", Consistent: true}, want...)
}

// testAfter continues at positions on an item, between items, before the range and behind it.
func testAfter(e *env) {
	for _, sort := range []string{"b", "d", "f"} {
		e.put(things, thing(key("p", sort)))
	}
	after := func(sort string) *table.Position { return &table.Position{Key: key("p", sort)} }
	for _, c := range []struct {
		query table.Query
		want  []string
	}{
		{table.Query{After: after("b")}, []string{"d", "f"}},
		{table.Query{After: after("c")}, []string{"d", "f"}},
		{table.Query{After: after("f")}, nil},
		{table.Query{After: after("a"), From: "b"}, []string{"b", "d", "f"}},
		{table.Query{After: after("a"), From: "c", To: "e"}, []string{"d"}},
		{table.Query{After: after("g"), To: "f"}, nil},
		{table.Query{After: after("d"), From: "d"}, []string{"f"}},
		{table.Query{After: after("a"), Prefix: "d"}, []string{"d"}},
		{table.Query{After: after("e"), Prefix: "d"}, nil},
		{table.Query{After: after("d"), Descending: true}, []string{"b"}},
		{table.Query{After: after("e"), Descending: true}, []string{"d", "b"}},
		{table.Query{After: after("g"), To: "f", Descending: true}, []string{"f", "d", "b"}},
		{table.Query{After: after("a"), From: "b", Descending: true}, nil},
		{table.Query{After: after("e"), Prefix: "d", Descending: true}, []string{"d"}},
	} {
		c.query.Table, c.query.Partition, c.query.Consistent = things, "p", true
		e.wantsSorts(c.query, c.want...)
	}
	e.wantsSorts(table.Query{Table: things, Partition: "p",
		After: new(table.PositionOf(nil, e.get(things, key("p", "b"))))}, "d", "f")
}

func testPartitions(e *env) {
	for _, partition := range []string{"p", "p1", "q"} {
		e.put(things, thing(key(partition, "in "+partition)))
	}
	e.wantsSorts(table.Query{Table: things, Partition: "p"}, "in p")
	e.wantsSorts(table.Query{Table: things, Partition: "none"})
	e.wantsSorts(table.Query{Table: rows, Partition: "p"})
}

func testLimit(e *env) {
	for i := range 7 {
		e.put(things, thing(key("p", fmt.Sprint(i))))
	}
	for limit := 1; limit <= 8; limit++ {
		query := table.Query{Table: things, Partition: "p", Limit: limit, Consistent: true}
		for {
			page, err := e.table.Query(e.Context(), query)
			e.must(err)
			if len(page.Items) > limit {
				e.Fatalf("%d items under the limit %d", len(page.Items), limit)
			}
			if page.Next == nil {
				break
			}
			query.After = page.Next
		}
		query.After = nil
		e.wantsSorts(query, "0", "1", "2", "3", "4", "5", "6")
	}
}

// testRead reads few attributes. Keys and the named ones are there, and the bytes are those of whole items.
func testRead(e *env) {
	e.put(rows, thing(key("p", "a"), "stream", "s", "moment", "1", "color", "red", "fill", "much"))
	for _, query := range []table.Query{{Table: rows, Partition: "p", Consistent: true}, stream("s")} {
		whole := query
		query.Read = []string{"color", "none"}
		e.eventually(func() (any, bool) {
			page, err := e.table.Query(e.Context(), query)
			e.must(err)
			all, err := e.table.Query(e.Context(), whole)
			e.must(err)
			return page, len(page.Items) == 1 && len(all.Items) == 1 && page.Bytes == all.Bytes &&
				page.Items[0]["color"] == "red" && table.KeyOf(page.Items[0]) == key("p", "a") &&
				(query.Index == "" || page.Items[0]["moment"] == "1")
		})
	}
}
