package tabletest

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"earshot/shared/port/table"
)

func modelTests() []test { return []test{{"RandomOperations", testModel}} }

// testModel holds the table to a map in memory over random operations on few keys.
func testModel(e *env) {
	round := 0
	rapid.Check(e.T, func(t *rapid.T) {
		round++ // each run has its own partitions
		m := &model{e: e, prefix: fmt.Sprintf("%d-", round), items: map[table.Key]table.Item{}}
		t.Repeat(map[string]func(*rapid.T){
			"put": m.put, "update": m.update, "delete": m.remove, "transact": m.transact,
			"get": m.get, "query": m.query, "index": m.index,
		})
	})
}

// A model is the plain map that a table of one order and one index should be like. It has its own small notion of
// conditions: present, absent, and bounds of the number n.
type model struct {
	e      *env
	prefix string
	items  map[table.Key]table.Item
}

func (m *model) key(t *rapid.T) table.Key {
	return key(m.prefix+rapid.SampledFrom([]string{"p", "q"}).Draw(t, "partition"),
		rapid.SampledFrom([]string{"a", "aa", "ab", "b", "c"}).Draw(t, "sort"))
}

func (m *model) attributes(t *rapid.T) map[string]any {
	attributes := map[string]any{}
	if rapid.Bool().Draw(t, "indexed") {
		attributes["stream"] = m.prefix + rapid.SampledFrom([]string{"s", "t"}).Draw(t, "stream")
		attributes["moment"] = rapid.SampledFrom([]string{"1", "2", "22", "3"}).Draw(t, "moment")
	}
	if rapid.Bool().Draw(t, "colored") {
		attributes["color"] = rapid.SampledFrom([]any{nil, "red", int64(1), 0.5, []any{"x"}, []byte{1}}).
			Draw(t, "color")
	}
	if rapid.Bool().Draw(t, "numbered") {
		attributes["n"] = rapid.Int64Range(-3, 3).Draw(t, "n")
	}
	return attributes
}

// condition draws a condition and reports whether it holds for the item.
func (m *model) condition(t *rapid.T, item table.Item) (table.Condition, bool) {
	n, numbered := item["n"].(int64)
	bound := rapid.Int64Range(-3, 3).Draw(t, "bound")
	color, colored := item["color"]
	switch rapid.IntRange(0, 9).Draw(t, "condition") {
	case 0:
		return table.Absent(), item == nil
	case 1:
		return table.Present(), item != nil
	case 2:
		return table.Less("n", bound), numbered && n < bound
	case 3:
		return table.Any(table.Missing("n"), table.AtLeast("n", bound)), !numbered || n >= bound
	case 4:
		return table.NotEqual("n", bound), numbered && n != bound
	case 5:
		return table.Equal("color", "red"), color == "red"
	case 6:
		return table.All(table.Has("color"), table.AtMost("n", bound)), colored && numbered && n <= bound
	}
	return table.Condition{}, true
}

// failed checks the error of a write whose condition did not hold.
func failed(t *rapid.T, err error, item table.Item) {
	var condition *table.ConditionFailed
	if !errors.As(err, &condition) || !reflect.DeepEqual(condition.Item, item) {
		t.Fatalf("got %v, want a failed condition by %v", err, item)
	}
}

func (m *model) put(t *rapid.T) {
	k := m.key(t)
	item := thing(k)
	maps.Copy(item, m.attributes(t))
	condition, holds := m.condition(t, m.items[k])
	err := m.e.table.Put(t.Context(), table.Put{Table: rows, Item: item, If: condition})
	if !holds {
		failed(t, err, m.items[k])
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	m.items[k] = item
}

func (m *model) drawUpdate(t *rapid.T, k table.Key) (update table.Update, after table.Item, holds bool) {
	after = thing(k)
	maps.Copy(after, m.items[k])
	update = table.Update{Table: rows, Key: k, Set: m.attributes(t)}
	delete(update.Set, "n")
	if rapid.Bool().Draw(t, "add") || len(update.Set) == 0 {
		amount := rapid.Int64Range(-2, 2).Draw(t, "amount")
		update.Add = map[string]int64{"n": amount}
		n, _ := after["n"].(int64)
		after["n"] = n + amount
	}
	maps.Copy(after, update.Set)
	for _, name := range []string{"stream", "color"} {
		if _, set := update.Set[name]; !set && rapid.IntRange(0, 3).Draw(t, "remove "+name) == 0 {
			update.Remove = append(update.Remove, name)
			delete(after, name)
		}
	}
	update.If, holds = m.condition(t, m.items[k])
	return update, after, holds
}

func (m *model) update(t *rapid.T) {
	k := m.key(t)
	update, after, holds := m.drawUpdate(t, k)
	got, err := m.e.table.Update(t.Context(), update)
	if !holds {
		failed(t, err, m.items[k])
		return
	}
	if err != nil || !reflect.DeepEqual(got, after) {
		t.Fatalf("got %v, %v, want %v", got, err, after)
	}
	m.items[k] = after
}

func (m *model) remove(t *rapid.T) {
	k := m.key(t)
	condition, holds := m.condition(t, m.items[k])
	err := m.e.table.Delete(t.Context(), table.Delete{Table: rows, Key: k, If: condition})
	if !holds {
		failed(t, err, m.items[k])
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	delete(m.items, k)
}

func (m *model) transact(t *rapid.T) {
	after := maps.Clone(m.items)
	want := []table.Reason{}
	var writes []table.Write
	all := true
	used := map[table.Key]bool{}
	for range rapid.IntRange(1, 4).Draw(t, "writes") {
		k := m.key(t)
		if used[k] {
			continue
		}
		used[k] = true
		condition, holds := m.condition(t, m.items[k])
		switch rapid.IntRange(0, 3).Draw(t, "write") {
		case 0:
			item := thing(k)
			maps.Copy(item, m.attributes(t))
			writes = append(writes, table.Put{Table: rows, Item: item, If: condition})
			after[k] = item
		case 1:
			var update table.Update
			update, after[k], holds = m.drawUpdate(t, k)
			writes = append(writes, update)
		case 2:
			writes = append(writes, table.Delete{Table: rows, Key: k, If: condition})
			delete(after, k)
		case 3:
			holds = m.items[k] != nil
			writes = append(writes, table.Check{Table: rows, Key: k, If: table.Present()})
		}
		if holds {
			want = append(want, table.Reason{Code: table.ReasonNone})
		} else {
			want = append(want, table.Reason{Code: table.ReasonCondition, Item: m.items[k]})
			all = false
		}
	}
	err := m.e.table.Transact(t.Context(), table.Transaction{Writes: writes})
	if all {
		if err != nil {
			t.Fatal(err)
		}
		m.items = after
		return
	}
	var canceled *table.Canceled
	if !errors.As(err, &canceled) || !reflect.DeepEqual(canceled.Reasons, want) {
		t.Fatalf("got %v, want %v", err, want)
	}
}

func (m *model) get(t *rapid.T) {
	k := m.key(t)
	got, err := m.e.table.Get(t.Context(), table.Get{Table: rows, Key: k, Consistent: true})
	if err != nil || !reflect.DeepEqual(got, m.items[k]) {
		t.Fatalf("got %v, %v, want %v", got, err, m.items[k])
	}
}

// query compares a range of a partition, walked by pages of a random size.
func (m *model) query(t *rapid.T) {
	query := table.Query{
		Table: rows, Partition: m.prefix + rapid.SampledFrom([]string{"p", "q"}).Draw(t, "of"), Consistent: true,
		Descending: rapid.Bool().Draw(t, "descending"), Limit: rapid.IntRange(0, 3).Draw(t, "limit"),
	}
	bounds := []string{"", "a", "aa", "b", "d"}
	if rapid.Bool().Draw(t, "prefixed") {
		query.Prefix = rapid.SampledFrom(bounds).Draw(t, "prefix")
	} else {
		query.From, query.To = rapid.SampledFrom(bounds).Draw(t, "from"), rapid.SampledFrom(bounds).Draw(t, "to")
	}
	if rapid.Bool().Draw(t, "after") {
		query.After = &table.Position{Key: key(query.Partition, rapid.SampledFrom(bounds[1:]).Draw(t, "position"))}
	}
	want := []table.Item{}
	for k, item := range m.items {
		behind := query.After == nil || (query.Descending && k.Sort < query.After.Key.Sort) ||
			(!query.Descending && k.Sort > query.After.Key.Sort)
		if k.Partition == query.Partition && behind && within(query, k.Sort) {
			want = append(want, item)
		}
	}
	slices.SortFunc(want, func(a, b table.Item) int {
		order := strings.Compare(a["sk"].(string), b["sk"].(string))
		if query.Descending {
			return -order
		}
		return order
	})
	got := m.e.walk(query)
	if len(got) != len(want) || (len(want) > 0 && !reflect.DeepEqual(got, want)) {
		t.Fatalf("%+v: got %v, want %v", query, got, want)
	}
}

func within(query table.Query, sort string) bool {
	return strings.HasPrefix(sort, query.Prefix) && sort >= query.From && (query.To == "" || sort <= query.To)
}

// index compares a partition of the index: its rows, in an order that is fixed except for ties.
func (m *model) index(t *rapid.T) {
	query := stream(m.prefix + rapid.SampledFrom([]string{"s", "t"}).Draw(t, "of"))
	query.Prefix = rapid.SampledFrom([]string{"", "2", "3"}).Draw(t, "prefix")
	query.Limit = rapid.IntRange(0, 3).Draw(t, "limit")
	index := Schemas()[1].Indexes[0]
	want := map[table.Key]table.Item{}
	for k, item := range m.items {
		if row := index.Row(item); row != nil && row["stream"] == query.Partition &&
			within(query, row["moment"].(string)) {
			want[k] = row
		}
	}
	m.e.eventually(func() (any, bool) {
		walked := m.e.walk(query)
		got := map[table.Key]table.Item{}
		for _, item := range walked {
			got[table.KeyOf(item)] = item
		}
		ordered := slices.IsSortedFunc(walked, func(a, b table.Item) int {
			return strings.Compare(a["moment"].(string), b["moment"].(string))
		})
		return walked, ordered && len(walked) == len(want) && reflect.DeepEqual(got, want)
	})
}
