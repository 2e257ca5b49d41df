package tabletest

import (
	"math"
	"strings"

	"earshot/shared/port/table"
)

func valueTests() []test {
	return []test{
		{"RoundTrip", testRoundTrip},
		{"WholeFloats", testWholeFloats},
		{"ArgumentsAreNotKept", testArgumentsAreNotKept},
		{"NilContainers", testNilContainers},
		{"Keys", testKeys},
	}
}

func testRoundTrip(e *env) {
	k := key("values", "all")
	item := thing(
		k, "nil", nil, "true", true, "false", false, "empty", "", "text", "søk 検索 \x00 \u2028 \"'`<>&",
		"reserved word #:", "size", "zero", int64(0), "max", int64(math.MaxInt64), "min", int64(math.MinInt64),
		"past2to53", int64(1<<53+1), "fraction", 0.1, "third", 1.0/3, "negative", -2.5, "tiny", 1e-130, "huge", 9.9e125,
		"pastInt64", 9.3e18, "precise", 0.30000000000000004, "bytes", []byte{0, 1, 254, 255}, "emptyBytes", []byte{},
		"emptyList", []any{}, "emptyMap", map[string]any{}, "list",
		[]any{nil, true, "a", int64(1), 1.5, []byte("b"), []any{[]any{}}, map[string]any{"x": nil}}, "map",
		map[string]any{"a": map[string]any{"b": []any{int64(1), map[string]any{"c": ""}}}, "with space": int64(2)},
		strings.Repeat("n", 200), "a long name",
	)
	e.put(things, item)
	e.wantsItem(e.get(things, k), item)

	changes := map[string]any{}
	for name, value := range item {
		if name != table.PartitionAttribute && name != table.SortAttribute {
			changes[name] = value
		}
	}
	e.must(e.table.Delete(e.Context(), table.Delete{Table: things, Key: k}))
	e.wantsItem(e.update(table.Update{Table: things, Key: k, Set: changes}), item)
	e.wantsItem(e.get(things, k), item)

	batch, err := e.table.BatchGet(e.Context(), []table.Get{{Table: things, Key: k}})
	e.must(err)
	e.wantsItem(batch.Items[0], item)
	e.wantsItem(e.walk(table.Query{Table: things, Partition: "values"})[0], item)
	e.wantsConditionFailed(e.table.Put(e.Context(), table.Put{Table: things, Item: thing(k), If: table.Absent()}), item)
}

// See table.Float.
func testWholeFloats(e *env) {
	k := key("values", "numbers")
	e.put(things, thing(k, "one", 1.0, "zero", math.Copysign(0, -1), "past2to53", float64(1<<60), "minInt64", -0x1p63,
		"pastInt64", 0x1p63, "nested", []any{2.0, map[string]any{"three": 3.0}}, "half", 0.5))
	e.wantsItem(e.get(things, k), thing(k, "one", int64(1), "zero", int64(0), "past2to53", int64(1<<60),
		"minInt64", int64(math.MinInt64), "pastInt64", 0x1p63,
		"nested", []any{int64(2), map[string]any{"three": int64(3)}}, "half", 0.5))
	after := e.update(table.Update{
		Table: things,
		Key:   k,
		Set:   map[string]any{"half": 1.0},
		If: table.All(
			table.Equal("one", 1.0), table.Less("half", int64(1)), table.More("pastInt64", int64(math.MaxInt64)),
		),
	})
	if after["half"] != int64(1) {
		e.Fatalf("set to 1.0, got %T %v", after["half"], after["half"])
	}
}

// testNilContainers tests that a nil slice or map is empty in an item, not nil.
func testNilContainers(e *env) {
	k := key("values", "empty")
	want := thing(k, "bytes", []byte{}, "list", []any{}, "map", map[string]any{}, "in", []any{[]byte{}, []any{}})
	given := thing(
		k, "bytes", []byte(nil), "list", []any(nil), "map", map[string]any(nil), "in", []any{[]byte(nil), []any(nil)},
	)
	e.put(things, given)
	e.wantsItem(e.get(things, k), want)
	delete(given, "pk")
	delete(given, "sk")
	e.wantsItem(e.update(table.Update{Table: things, Key: k, Set: given}), want)
	e.wantsItem(e.get(things, k), want)
	e.must(e.table.Put(e.Context(), table.Put{Table: things, Item: want, If: table.All(
		table.Equal("bytes", []byte(nil)), table.Equal("list", []any(nil)), table.Equal("map", map[string]any(nil)))}))
}

func testArgumentsAreNotKept(e *env) {
	k := key("values", "mine")
	list, blob := []any{int64(1)}, []byte("abc")
	item := thing(k, "list", list, "blob", blob)
	e.put(things, item)
	list[0], blob[0], item["more"] = int64(2), 'x', true
	want := thing(k, "list", []any{int64(1)}, "blob", []byte("abc"))
	got := e.get(things, k)
	e.wantsItem(got, want)
	got["list"].([]any)[0] = int64(3)
	e.wantsItem(e.get(things, k), want)

	list[0] = int64(4)
	after := e.update(table.Update{Table: things, Key: k, Set: map[string]any{"list": list}})
	after["list"].([]any)[0] = int64(5)
	if list[0] != int64(4) {
		e.Fatal("an update's answer shares what was set")
	}
}

func testKeys(e *env) {
	for _, k := range []table.Key{
		key("a", "b"), key("with space", "'; DROP TABLE \"things\" --"), key("\x00", "\x00"), key("日本", "\U0010ffff"),
		key(strings.Repeat("p", table.MaxPartitionKey), strings.Repeat("s", table.MaxSortKey)),
	} {
		e.put(things, thing(k, "of", k.Sort))
		e.wantsItem(e.get(things, k), thing(k, "of", k.Sort))
	}
	if item := e.get(things, key("a", "c")); item != nil {
		e.Fatal("an item that nobody put:", item)
	}
}
