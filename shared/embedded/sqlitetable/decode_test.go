package sqlitetable

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"earshot/shared/port/table"
)

// drawValue draws a value that an item may have.
func drawValue(depth int) *rapid.Generator[any] {
	whole := rapid.Custom(func(t *rapid.T) any { return rapid.OneOf(rapid.Int64(), rapid.Int64Range(-300, 300)).Draw(t, "n") })
	kinds := []*rapid.Generator[any]{
		whole, rapid.Custom(func(t *rapid.T) any { return rapid.OneOf(rapid.Float64(), rapid.Just(math.Pi)).Draw(t, "float") }),
		rapid.Custom(func(t *rapid.T) any {
			return rapid.OneOf(rapid.String(), rapid.Just(strings.Repeat("x", 300))).Draw(t, "text")
		}),
		rapid.Custom(func(t *rapid.T) any { return rapid.SliceOfN(rapid.Byte(), 0, 300).Draw(t, "bytes") }),
		rapid.SampledFrom([]any{true, false, nil, int64(math.MaxInt64), int64(math.MinInt64), ""}),
	}
	if depth > 0 {
		kinds = append(kinds,
			rapid.Custom(func(t *rapid.T) any { return rapid.SliceOfN(drawValue(depth-1), 0, 4).Draw(t, "list") }),
			rapid.Custom(func(t *rapid.T) any { return rapid.MapOfN(rapid.String(), drawValue(depth-1), 0, 4).Draw(t, "map") }),
		)
	}
	return rapid.OneOf(kinds...)
}

// A page's decoder reads what the library reads, of what codec writes and of anything else.
func TestDecoder_AgreesWithTheLibrary(t *testing.T) {
	codec, err := newCodec()
	if err != nil {
		t.Fatal(err)
	}
	fast := 0
	rapid.Check(t, func(t *rapid.T) {
		page, part := codec.page(), codec.page()
		part.only = []string{"sk", "b", "nested"}
		for range rapid.IntRange(1, 5).Draw(t, "items") {
			item := table.Item(rapid.MapOfN(rapid.SampledFrom([]string{"pk", "sk", "a", "b", "language"}), drawValue(3), 0,
				5).Draw(t, "item"))
			data, err := codec.encode(item)
			if err != nil {
				t.Fatal(err)
			}
			damaged := rapid.IntRange(0, 3).Draw(t, "damage") == 0
			if damaged && len(data) > 0 {
				at := rapid.IntRange(0, len(data)-1).Draw(t, "at")
				if data[at] = rapid.Byte().Draw(t, "byte"); rapid.Bool().Draw(t, "cut") {
					data = data[:at]
				}
			}
			want, wantErr := codec.decode(data)
			kept := append([]byte{}, data...)
			got, err := page.decode(kept)
			clear(kept) // an item keeps nothing of it
			if (err != nil) != (wantErr != nil) {
				t.Fatalf("decode(%x) = %v, the library: %v", data, err, wantErr)
			}
			if err == nil && !same(map[string]any(got), map[string]any(want)) {
				t.Fatalf("decode(%x) = %#v, the library: %#v", data, got, want)
			}
			single := decoder{codec: codec}
			if alone, err := single.decode(data); (err != nil) != (wantErr != nil) ||
				err == nil && !same(map[string]any(alone), map[string]any(want)) {
				t.Fatalf("decode(%x) of a single item = %#v, %v, the library: %#v", data, alone, err, want)
			}
			if gotPart, partErr := part.decode(data); (partErr != nil) != (wantErr != nil) {
				t.Fatalf("decode(%x) of a part = %v, the library: %v", data, partErr, wantErr)
			} else if err == nil {
				for _, name := range part.only {
					value, has := gotPart[name]
					if wanted, should := want[name]; has != should || !same(value, wanted) {
						t.Fatalf("decode(%x) of a part has %q = %#v, the library: %#v", data, name, value, wanted)
					}
				}
			}
			page.data, page.at = data, 0
			if _, ok := page.members(1); ok && page.at == len(data) {
				fast++
			} else if !damaged {
				t.Fatalf("decode(%x) is left to the library", data)
			}
		}
	})
	if fast == 0 {
		t.Error("everything was left to the library")
	}
}

// same compares values. Not a number is equal to itself.
func same(a, b any) bool {
	if x, is := a.(float64); is {
		y, too := b.(float64)
		return too && math.Float64bits(x) == math.Float64bits(y)
	}
	switch x := a.(type) {
	case []any:
		y, is := b.([]any)
		if !is || len(x) != len(y) {
			return false
		}
		for i := range x {
			if !same(x[i], y[i]) {
				return false
			}
		}
		return true
	case map[string]any:
		y, is := b.(map[string]any)
		if !is || len(x) != len(y) {
			return false
		}
		for name := range x {
			if other, has := y[name]; !has || !same(x[name], other) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(a, b)
}
