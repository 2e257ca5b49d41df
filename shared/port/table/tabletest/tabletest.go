// Package tabletest is the suite that every adapter of the port table passes. It tests what the port's comments
// promise, and compares the adapter with a model in memory over random operations.
//
// Only tests of adapters and decorators import it.
package tabletest

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"time"

	"earshot/shared/port/clock"
	"earshot/shared/port/table"
)

// Options list what an adapter, or the server behind it, cannot do or can be made to do.
type Options struct {
	// Clock is the clock of every opened store. The suite sets it.
	Clock *clock.Adjustable

	// Skip holds the reason for each skipped test, by its name below the suite's: "Transactions/Token".
	Skip map[string]string

	// Misbehave makes the table misbehave, and returns a function that brings its indexes up to date. Nil if the table
	// cannot.
	Misbehave func(t *testing.T, on table.Table, how Misbehaviour) (catchUp func())
}

// A Misbehaviour is a way to misbehave: see the options of sqlitetable.
type Misbehaviour struct {
	PageRows   int
	BatchReads int
	IndexLag   bool
}

// Names in the suite's schemas.
const (
	things = "things"
	rows   = "rows"
	byTime = "byTime"
	byID   = "byId"
)

// Schemas returns the tables of the suite.
func Schemas() []table.Schema {
	return []table.Schema{
		{Name: things},
		{Name: rows, Indexes: []table.Index{
			{Name: byTime, Partition: "stream", Sort: "moment", Project: []string{"color", "tags"}},
			{Name: byID, Partition: table.PartitionAttribute, Sort: "idKey"},
		}},
	}
}

// A suite is one run of the suite.
type suite struct {
	open    func(t *testing.T, schemas []table.Schema) table.Table
	options Options
}

// Run runs the suite. open makes an empty store with these tables, which the test's cleanup takes away.
func Run(t *testing.T, open func(t *testing.T, schemas []table.Schema) table.Table, options Options) {
	s := suite{open, options}
	for _, group := range []struct {
		name  string
		tests []test
	}{
		{"Values", valueTests()},
		{"Conditions", conditionTests()},
		{"Writes", writeTests()},
		{"Transactions", transactionTests()},
		{"Queries", queryTests()},
		{"Indexes", indexTests()},
		{"Pages", pageTests()},
		{"Batches", batchTests()},
		{"Expiry", expiryTests()},
		{"Contexts", contextTests()},
		{"Invalid", invalidTests()},
		{"Meter", meterTests()},
		{"Model", modelTests()},
	} {
		t.Run(group.name, func(t *testing.T) {
			for _, test := range group.tests {
				t.Run(test.name, func(t *testing.T) {
					if reason, skip := options.Skip[group.name+"/"+test.name]; skip {
						t.Skip(reason)
					}
					options.Clock.Set(time.Time{})
					test.run(&env{T: t, suite: s, table: open(t, Schemas())})
				})
			}
		})
	}
}

type test struct {
	name string
	run  func(e *env)
}

// An env is one test with its store.
type env struct {
	*testing.T
	suite suite
	table table.Table
}

// misbehave makes the table misbehave, or skips the test.
func (e *env) misbehave(how Misbehaviour) (catchUp func()) {
	e.Helper()
	if e.suite.options.Misbehave == nil {
		e.Skip("this adapter cannot misbehave")
	}
	return e.suite.options.Misbehave(e.T, e.table, how)
}

func (e *env) must(err error) {
	e.Helper()
	if err != nil {
		e.Fatal(err)
	}
}

func (e *env) put(tableName string, item table.Item) {
	e.Helper()
	e.must(e.table.Put(e.Context(), table.Put{Table: tableName, Item: item}))
}

func (e *env) get(tableName string, key table.Key) table.Item {
	e.Helper()
	item, err := e.table.Get(e.Context(), table.Get{Table: tableName, Key: key, Consistent: true})
	e.must(err)
	return item
}

func (e *env) update(update table.Update) table.Item {
	e.Helper()
	item, err := e.table.Update(e.Context(), update)
	e.must(err)
	return item
}

func (e *env) wants(err, want error) {
	e.Helper()
	if !errors.Is(err, want) {
		e.Fatalf("got error %v, want %v", err, want)
	}
}

func (e *env) wantsItem(got, want table.Item) {
	e.Helper()
	if !reflect.DeepEqual(got, want) {
		e.Fatalf("got  %#v\nwant %#v", got, want)
	}
}

// wantsConditionFailed checks that the error is a ConditionFailed with this item.
func (e *env) wantsConditionFailed(err error, item table.Item) {
	e.Helper()
	var failed *table.ConditionFailed
	if !errors.As(err, &failed) {
		e.Fatalf("got error %v, want a failed condition", err)
	}
	e.wantsItem(failed.Item, item)
}

// walk reads a whole range by its pages.
func (e *env) walk(query table.Query) []table.Item {
	e.Helper()
	items, _ := e.walkPages(query)
	return items
}

func (e *env) walkPages(query table.Query) (items []table.Item, pages int) {
	e.Helper()
	for {
		page, err := e.table.Query(e.Context(), query)
		e.must(err)
		items = append(items, page.Items...)
		for _, item := range page.Items {
			page.Bytes -= table.Size(item)
		}
		if page.Bytes != 0 {
			e.Fatalf("Query(%+v): a page has %d bytes more than its items", query, page.Bytes)
		}
		pages++
		if page.Next == nil {
			return items, pages
		}
		if pages > 10_000 {
			e.Fatal("the walk does not end")
		}
		query.After = page.Next
	}
}

// eventually waits until the check holds, because an index may lag. An index that does not lag costs one look.
func (e *env) eventually(check func() (got any, ok bool)) {
	e.Helper()
	for patience := 200; ; patience-- {
		got, ok := check()
		if ok {
			return
		}
		if patience == 0 {
			e.Fatalf("it stays %v", got)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// wantsSorts waits until a walk of the range returns these sort keys, "pk/sk" on an index.
func (e *env) wantsSorts(query table.Query, want ...string) {
	e.Helper()
	if want == nil {
		want = []string{}
	}
	e.eventually(func() (any, bool) {
		got := sorts(query, e.walk(query))
		return got, reflect.DeepEqual(got, want)
	})
}

func sorts(query table.Query, items []table.Item) []string {
	names := make([]string, 0, len(items))
	for _, item := range items {
		key := table.KeyOf(item)
		if query.Index != "" {
			names = append(names, key.Partition+"/"+key.Sort)
			continue
		}
		names = append(names, key.Sort)
	}
	return names
}

func key(partition, sort string) table.Key { return table.Key{Partition: partition, Sort: sort} }

// thing returns an item with its key and these attributes, given as names and values in turn.
func thing(k table.Key, pairs ...any) table.Item {
	item := table.Item{table.PartitionAttribute: k.Partition, table.SortAttribute: k.Sort}
	for i := 0; i < len(pairs); i += 2 {
		item[pairs[i].(string)] = pairs[i+1]
	}
	return item
}

// canceled returns a context that has ended.
func canceled() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}
