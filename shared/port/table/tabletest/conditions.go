package tabletest

import (
	"errors"
	"fmt"
	"testing"

	"earshot/shared/port/table"
)

func conditionTests() []test {
	return []test{
		{"Outcomes", testConditions},
		{"OfNoItem", testConditionsOfNoItem},
		{"FailWithItem", testFailWithItem},
	}
}

// testConditions checks every operation on an item with an attribute of each type, through each kind of write.
func testConditions(e *env) {
	k := key("conditions", "item")
	item := thing(k, "n", int64(5), "f", 2.5, "s", "m", "b", []byte{5}, "yes", true, "nil", nil,
		"list", []any{int64(1), "a"}, "map", map[string]any{"a": int64(1)}, "big", int64(1)<<60+1)
	e.put(things, item)
	for _, c := range []struct {
		condition table.Condition
		want      bool
	}{
		{table.Condition{}, true},
		{table.Absent(), false}, {table.Present(), true},
		{table.Has("n"), true}, {table.Has("nil"), true}, {table.Has("none"), false},
		{table.Missing("n"), false}, {table.Missing("nil"), false}, {table.Missing("none"), true},

		{table.Equal("n", int64(5)), true}, {table.Equal("n", int64(6)), false}, {table.Equal("n", 5.0), true},
		{table.Equal("n", 5.5), false}, {table.Equal("big", int64(1)<<60), false}, {table.Equal("big", int64(1)<<60+1), true},
		{table.Equal("s", "m"), true}, {table.Equal("s", ""), false}, {table.Equal("b", []byte{5}), true},
		{table.Equal("yes", true), true}, {table.Equal("yes", false), false}, {table.Equal("nil", nil), true},
		{table.Equal("list", []any{int64(1), "a"}), true}, {table.Equal("list", []any{"a", int64(1)}), false},
		{table.Equal("map", map[string]any{"a": 1.0}), true}, {table.Equal("map", map[string]any{"a": "1"}), false},
		{table.Equal("map", map[string]any{}), false}, {table.Equal("sk", "item"), true},

		{table.NotEqual("n", int64(6)), true}, {table.NotEqual("n", int64(5)), false}, {table.NotEqual("s", "x"), true},
		{table.NotEqual("b", []byte{}), true}, {table.NotEqual("yes", false), true}, {table.NotEqual("list", []any{}), true},
		{table.NotEqual("map", map[string]any{}), true}, {table.NotEqual("f", int64(2)), true},

		{table.Less("n", int64(6)), true}, {table.Less("n", int64(5)), false}, {table.Less("n", 5.5), true},
		{table.Less("f", int64(3)), true}, {table.Less("f", 2.5), false}, {table.Less("big", int64(1)<<60+2), true},
		{table.Less("n", 1e100), true}, {table.More("n", -1e100), true}, {table.Less("n", int64(10)), true},
		{table.Less("s", "n"), true}, {table.Less("s", "M"), false}, {table.Less("b", []byte{5, 0}), true},
		{table.AtMost("n", int64(5)), true}, {table.AtMost("n", int64(4)), false}, {table.AtMost("s", "m"), true},
		{table.More("n", int64(4)), true}, {table.More("n", int64(5)), false}, {table.More("s", "l"), true},
		{table.AtLeast("n", int64(5)), true}, {table.AtLeast("n", int64(6)), false}, {table.AtLeast("b", []byte{4, 9}), true},

		// With another type or a missing attribute, nothing holds.
		{table.Equal("n", "5"), false}, {table.Equal("nil", ""), false}, {table.Equal("none", nil), false},
		{table.Equal("yes", "true"), false}, {table.Equal("s", []byte("m")), false},
		{table.NotEqual("n", "5"), false}, {table.NotEqual("none", int64(1)), false}, {table.NotEqual("nil", "x"), false},
		{table.Less("s", int64(99)), false}, {table.AtMost("none", int64(9)), false}, {table.More("nil", int64(0)), false},
		{table.AtLeast("b", "\x00"), false}, {table.Less("list", "z"), false}, {table.More("yes", int64(0)), false},

		{table.All(table.Has("n"), table.Has("s")), true}, {table.All(table.Has("n"), table.Has("none")), false},
		{table.Any(table.Has("none"), table.Has("s")), true}, {table.Any(table.Has("none"), table.Missing("s")), false},
		{table.All(table.Condition{}, table.Has("n")), true}, {table.All(table.Condition{}), true},
		{table.Any(table.Has("none"), table.Condition{}), true}, {table.Any(table.Has("none")), false},
		{table.All(table.Any(table.Missing("n"), table.Less("n", int64(6))),
			table.Any(table.All(table.Equal("s", "x"), table.Has("n")), table.Has("f"))), true},
		{table.Any(table.All(table.Has("none"), table.Has("n")), table.All(table.Has("n"), table.Has("gone"))), false},
		{table.All(table.Any(table.Has("n"), table.Has("none")), table.Has("none")), false}, // the brackets matter
	} {
		e.Run(fmt.Sprintf("%v", c.condition), func(t *testing.T) {
			e := &env{T: t, suite: e.suite, table: e.table}
			scratch := key("conditions", "scratch")
			copied := thing(scratch)
			for name, value := range item {
				if name != "pk" && name != "sk" {
					copied[name] = value
				}
			}
			if c.condition.Attr == "sk" {
				return // the scratch has another
			}
			put := func() error {
				return e.table.Put(e.Context(), table.Put{Table: things, Item: copied, If: c.condition})
			}
			update := func() error {
				_, err := e.table.Update(e.Context(), table.Update{
					Table: things, Key: scratch, Set: map[string]any{"updated": true}, If: c.condition})
				return err
			}
			remove := func() error {
				return e.table.Delete(e.Context(), table.Delete{Table: things, Key: scratch, If: c.condition})
			}
			for name, write := range map[string]func() error{"put": put, "update": update, "delete": remove} {
				e.put(things, copied)
				err := write()
				if c.want {
					if err != nil {
						e.Fatalf("%s: %v", name, err)
					}
					continue
				}
				e.wantsConditionFailed(err, copied)
				e.wantsItem(e.get(things, scratch), copied)
			}
			err := e.transact(table.Check{Table: things, Key: k, If: c.condition})
			var canceled *table.Canceled
			switch {
			case c.condition.Always():
				e.wants(err, table.ErrInvalid)
			case c.want:
				e.must(err)
			case !errors.As(err, &canceled) || !canceled.Failed(0):
				e.Fatalf("check: %v", err)
			}
		})
	}
}

func testConditionsOfNoItem(e *env) {
	k := key("conditions", "nothing")
	for _, c := range []struct {
		condition table.Condition
		want      bool
	}{
		{table.Condition{}, true}, {table.Absent(), true}, {table.Present(), false}, {table.Missing("n"), true},
		{table.Has("n"), false}, {table.Equal("n", int64(1)), false}, {table.Equal("n", nil), false},
		{table.NotEqual("n", int64(1)), false}, {table.Less("n", int64(1)), false}, {table.AtLeast("n", int64(0)), false},
		{table.Any(table.Absent(), table.Has("n")), true}, {table.All(table.Absent(), table.Has("n")), false},
	} {
		check := func(what string, err error) {
			e.Helper()
			if c.want && err != nil {
				e.Fatalf("%s under %v: %v", what, c.condition, err)
			}
			if !c.want {
				e.wantsConditionFailed(err, nil)
			}
		}
		remove := func() { e.must(e.table.Delete(e.Context(), table.Delete{Table: things, Key: k})) }
		check("delete", e.table.Delete(e.Context(), table.Delete{Table: things, Key: k, If: c.condition}))
		check("put", e.table.Put(e.Context(), table.Put{Table: things, Item: thing(k), If: c.condition}))
		remove()
		_, err := e.table.Update(e.Context(), table.Update{
			Table: things, Key: k, Add: map[string]int64{"n": 1}, If: c.condition})
		check("update", err)
		remove()
	}
}

func testFailWithItem(e *env) {
	k := key("conditions", "there")
	item := thing(k, "v", int64(1), "nested", map[string]any{"a": []any{nil}})
	e.put(things, item)
	e.wantsConditionFailed(e.table.Put(e.Context(), table.Put{Table: things, Item: thing(k), If: table.Absent()}), item)
	_, err := e.table.Update(e.Context(), table.Update{
		Table: things, Key: k, Set: map[string]any{"v": int64(2)}, If: table.Equal("v", int64(2))})
	e.wantsConditionFailed(err, item)
	e.wantsConditionFailed(e.table.Delete(e.Context(), table.Delete{
		Table: things, Key: k, If: table.Missing("v")}), item)
	e.wantsItem(e.get(things, k), item)
}
