package tabletest

import (
	"fmt"
	"time"

	"earshot/shared/port/table"
)

func expiryTests() []test {
	return []test{{"ExpiredIsAbsent", testExpired}, {"InPages", testExpiredInPages}, {"Reuse", testReuse}}
}

// in returns an expiry at this distance from now, large enough that neither the test's nor the store's clock matters.
func in(d time.Duration) int64 { return time.Now().Add(d).Unix() }

func testExpired(e *env) {
	past, future := key("p", "past"), key("p", "future")
	e.put(rows, thing(past, table.ExpiryAttribute, in(-time.Hour), "stream", "s", "moment", "1", "idKey", "1"))
	e.put(rows, thing(future, table.ExpiryAttribute, in(time.Hour), "stream", "s", "moment", "2", "idKey", "2"))
	e.wantsItem(e.get(rows, past), nil)
	if e.get(rows, future) == nil {
		e.Fatal("not expired yet")
	}
	batch, err := e.table.BatchGet(e.Context(), []table.Get{{Table: rows, Key: past}, {Table: rows, Key: future}})
	e.must(err)
	if batch.Items[0] != nil || batch.Items[1] == nil || len(batch.Unprocessed) != 0 {
		e.Fatalf("got %v", batch)
	}
	e.wantsSorts(table.Query{Table: rows, Partition: "p", Consistent: true}, "future")
	e.wantsSorts(stream("s"), "p/future")
	e.wantsSorts(table.Query{Table: rows, Index: byID, Partition: "p"}, "p/future")
}

func testExpiredInPages(e *env) {
	for i := range 12 {
		expiry := in(time.Hour)
		if i < 6 || i == 9 {
			expiry = in(-time.Hour)
		}
		e.put(things, thing(key("p", fmt.Sprintf("%02d", i)), table.ExpiryAttribute, expiry))
	}
	for limit := range 5 {
		e.wantsSorts(table.Query{Table: things, Partition: "p", Limit: limit}, "06", "07", "08", "10", "11")
		e.wantsSorts(
			table.Query{Table: things, Partition: "p", Limit: limit, Descending: true}, "11", "10", "08", "07", "06",
		)
	}
}

// testReuse overwrites an expired item.
func testReuse(e *env) {
	k := key("p", "reused")
	expired := thing(k, table.ExpiryAttribute, in(-time.Hour), "v", "old")
	again := thing(k, table.ExpiryAttribute, in(time.Hour), "v", "new")
	e.put(things, expired)
	e.must(e.table.Put(e.Context(), table.Put{Table: things, Item: again, If: table.Absent()}))
	e.wantsItem(e.get(things, k), again)
	e.wantsConditionFailed(e.table.Put(e.Context(), table.Put{Table: things, Item: again, If: table.Absent()}), again)

	e.put(things, expired)
	e.must(e.transact(table.Put{Table: things, Item: again, If: table.Any(table.Absent(), table.Equal("v", "other"))}))
	e.wantsItem(e.get(things, k), again)

	lasting := thing(key("p", "lasting"), "v", "x")
	e.put(things, lasting)
	e.wantsConditionFailed(
		e.table.Put(e.Context(), table.Put{Table: things, Item: lasting, If: table.Absent()}), lasting,
	)
}
