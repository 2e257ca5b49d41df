package tabletest

import (
	"fmt"
	"slices"
	"strings"

	"earshot/shared/port/table"
)

func pageTests() []test {
	return []test{
		{"Megabyte", testMegabyte}, {"Short", testShortPages}, {"WhileRowsArrive", testWhileRowsArrive},
		{"RowAtPositionDeleted", testDeletedPosition},
	}
}

func testMegabyte(e *env) {
	const items, bytes = 7, 300 << 10
	for i := range items {
		item := full(key("p", fmt.Sprint(i)), bytes)
		item["stream"], item["moment"], item["color"], item["fill"] = "s", fmt.Sprint(i), item["fill"], ""
		e.put(rows, item)
	}
	for _, query := range []table.Query{{Table: rows, Partition: "p", Consistent: true}, stream("s")} {
		for _, descending := range []bool{false, true} {
			query.Descending, query.After = descending, nil
			e.eventually(func() (any, bool) {
				all, pages := e.walkPages(query)
				return []int{len(all), pages}, len(all) == items && pages >= 2 && pages <= items
			})
			page, err := e.table.Query(e.Context(), query)
			e.must(err)
			read := 0
			for _, item := range page.Items {
				read += table.Size(item)
			}
			if read > table.MaxPageBytes+table.MaxItemBytes {
				e.Fatalf("a page of %d bytes", read)
			}
		}
	}
}

func testShortPages(e *env) {
	for i := range 10 {
		e.put(rows, thing(key("p", fmt.Sprint(i)), "stream", "s", "moment", fmt.Sprint(i/3)))
	}
	e.misbehave(Misbehaviour{PageRows: 3})
	for _, query := range []table.Query{{Table: rows, Partition: "p"}, stream("s")} {
		for _, limit := range []int{0, 2, 3, 5, 100} {
			query.Limit, query.After = limit, nil
			items, pages := e.walkPages(query)
			if len(items) != 10 || pages < 4 {
				e.Fatalf("limit %d: %d items on %d pages", limit, len(items), pages)
			}
		}
	}
}

// testWhileRowsArrive walks while rows arrive before, at and behind the position. Each row of the start must appear
// once.
func testWhileRowsArrive(e *env) {
	for _, indexed := range []bool{false, true} {
		for _, descending := range []bool{false, true} {
			partition := fmt.Sprintf("p-%v-%v", indexed, descending)
			put := func(sort string) {
				e.put(rows, thing(key(partition, sort), "stream", partition, "moment", "m"+sort))
			}
			for i := range 20 {
				put(fmt.Sprintf("%02d", i))
			}
			query := table.Query{Table: rows, Partition: partition, Limit: 3, Descending: descending}
			if indexed {
				query.Index = byTime
				e.eventually(func() (any, bool) { n := len(e.walk(query)); return n, n == 20 })
			}
			var seen []string
			for n := 0; ; n++ {
				page, err := e.table.Query(e.Context(), query)
				e.must(err)
				for _, item := range page.Items {
					if sort := table.KeyOf(item).Sort; !strings.HasSuffix(sort, "+") {
						seen = append(seen, sort)
					}
				}
				if page.Next == nil {
					break
				}
				if n > 200 {
					e.Fatal("the walk does not end")
				}
				if n < 6 { // around the row at which the walk is, and at both ends
					put(page.Next.Key.Sort + "+")
					put(fmt.Sprintf("%02d+", n))
					put(fmt.Sprintf("%02d+", 19-n))
					put(fmt.Sprintf("!%d+", n))
					put(fmt.Sprintf("~%d+", n))
				}
				query.After = page.Next
			}
			if descending {
				slices.Reverse(seen)
			}
			if len(seen) != 20 || !slices.IsSorted(seen) || len(slices.Compact(seen)) != 20 {
				e.Fatalf("%s: saw %v", partition, seen)
			}
		}
	}
}

func testDeletedPosition(e *env) {
	for i := range 6 {
		e.put(rows, thing(key("p", fmt.Sprint(i)), "stream", "s", "moment", "same"))
	}
	e.eventually(func() (any, bool) { n := len(e.walk(stream("s"))); return n, n == 6 })
	order := e.walk(stream("s"))
	page, err := e.table.Query(e.Context(), table.Query{Table: rows, Partition: "p", Limit: 2, Consistent: true})
	e.must(err)
	e.must(e.table.Delete(e.Context(), table.Delete{Table: rows, Key: key("p", "1")}))
	e.wantsSorts(table.Query{Table: rows, Partition: "p", After: page.Next, Consistent: true}, "2", "3", "4", "5")

	index := Schemas()[1].Indexes[0]
	at := order[3]
	e.must(e.table.Delete(e.Context(), table.Delete{Table: rows, Key: table.KeyOf(at)}))
	query := stream("s")
	query.After = new(table.PositionOf(&index, at))
	e.wantsSorts(query, sorts(query, slices.DeleteFunc(order[4:], func(item table.Item) bool {
		return table.KeyOf(item).Sort == "1"
	}))...)
}
