package table_test

import (
	"math"
	"reflect"
	"testing"

	"earshot/shared/port/table"
)

func TestSize(t *testing.T) {
	for _, c := range []struct {
		name string
		item table.Item
		want int
	}{
		{"nothing", table.Item{}, 0},
		{"text", table.Item{"name": "søk"}, 4 + 4},
		{"bytes", table.Item{"b": []byte{0, 1}}, 1 + 2},
		{"nil and bool", table.Item{"n": nil, "yes": true}, 1 + 1 + 3 + 1},
		{"zero", table.Item{"n": int64(0)}, 1 + 1},
		{"one digit", table.Item{"n": int64(7)}, 1 + 2},
		{"two digits", table.Item{"n": int64(-42)}, 1 + 2},
		{"trailing zeros", table.Item{"n": int64(12000000)}, 1 + 2},
		{"nineteen digits", table.Item{"n": int64(math.MinInt64)}, 1 + 11},
		{"fraction", table.Item{"n": -12.345}, 1 + 4},
		{"whole float", table.Item{"n": 1200.0}, 1 + 2},
		{"float past int64", table.Item{"n": 1.5e100}, 1 + 2},
		{"empty list", table.Item{"l": []any{}}, 1 + 3},
		{"list", table.Item{"l": []any{"ab", nil}}, 1 + 3 + 3 + 2},
		{"map", table.Item{"m": map[string]any{"ab": "cd"}}, 1 + 3 + 1 + 2 + 2},
	} {
		if got := table.Size(c.item); got != c.want {
			t.Errorf("%s: %d bytes, want %d", c.name, got, c.want)
		}
	}
}

func TestUnits(t *testing.T) {
	for _, c := range []struct{ got, want float64 }{
		{table.ReadUnits(0, true), 1}, {table.ReadUnits(0, false), 0.5}, {table.ReadUnits(4096, true), 1},
		{table.ReadUnits(4097, true), 2}, {table.ReadUnits(1<<20, false), 128},
		{table.WriteUnits(0), 1}, {table.WriteUnits(1024), 1}, {table.WriteUnits(1025), 2},
		{table.IndexWriteUnits(0, 0, false, false), 0}, {table.IndexWriteUnits(9, 9, false, true), 0},
		{table.IndexWriteUnits(0, 1025, true, false), 2}, {table.IndexWriteUnits(1025, 0, true, false), 2},
		{table.IndexWriteUnits(2049, 10, true, false), 4}, {table.IndexWriteUnits(2049, 10, false, false), 3},
	} {
		if c.got != c.want {
			t.Errorf("got %v, want %v", c.got, c.want)
		}
	}
}

func TestCanonical_SharesUnchanged(t *testing.T) {
	kept := map[string]any{"a": []any{int64(1), 0.5}}
	if got := table.Canonical(kept).(map[string]any); reflect.ValueOf(got).Pointer() != reflect.ValueOf(kept).Pointer() {
		t.Fatal("it was copied")
	}
	changed := map[string]any{"a": []any{1.0, 0.5}}
	got := table.Canonical(changed)
	if !reflect.DeepEqual(got, kept) {
		t.Fatalf("got %#v", got)
	}
	if changed["a"].([]any)[0] != 1.0 {
		t.Fatal("the argument was changed")
	}
}

func TestProjection(t *testing.T) {
	index := table.Index{Partition: "a", Sort: "sk", Project: []string{"b", "a", "pk", "b"}}
	if got := index.Projection(); !reflect.DeepEqual(got, []string{"b", "expiresAt"}) {
		t.Fatalf("Projection() = %v, want [b expiresAt]", got)
	}
}
