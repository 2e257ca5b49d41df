package blobtest

import (
	"errors"
	"io"
	"math"
	"strings"

	"earshot/shared/port/blob"
)

// testRanges reads parts at a file's start, middle and end, and behind it.
func testRanges(e *env) {
	const size = 3<<20 + 5
	whole, err := io.ReadAll(Pattern(size))
	e.must(err)
	e.must(e.Blob.Put(e.Context(), "large", blob.File{
		Content: Pattern(size), Size: size, ContentType: "application/json", Name: "a.json",
	}))
	for _, c := range []struct{ offset, length int64 }{
		{0, 1}, {0, size}, {0, size + 1}, {0, blob.MaxRange}, {1, 2}, {size / 2, 256 << 10}, {size - 1, 1}, {size - 1, 2},
		{size - 3, blob.MaxRange}, {size, 1}, {size + 1, 1}, {math.MaxInt64 - 1, 1},
	} {
		got, err := e.Blob.GetRange(e.Context(), "large", c.offset, c.length)
		start := min(c.offset, size)
		want := whole[start:min(start+c.length, size)]
		if err != nil || string(got) != string(want) {
			e.Errorf(
				"GetRange(%d, %d) = %d bytes, %v, want the %d bytes of the file",
				c.offset,
				c.length,
				len(got),
				err,
				len(want),
			)
		}
	}
	e.put("empty", "")
	if got, err := e.Blob.GetRange(e.Context(), "empty", 0, 10); err != nil || len(got) != 0 {
		e.Errorf("GetRange of an empty file = %d bytes, %v, want none", len(got), err)
	}
	if got, err := e.Blob.GetRange(e.Context(), "missing", 0, 10); !errors.Is(err, blob.ErrNotFound) || len(got) != 0 {
		e.Errorf("GetRange of a missing file = %d bytes, %v, want ErrNotFound", len(got), err)
	}
}

// testRangesReplaced: bytes that were read stay when their file is replaced or another part is read.
func testRangesReplaced(e *env) {
	e.put("k", strings.Repeat("a", 1000))
	first, err := e.Blob.GetRange(e.Context(), "k", 10, 500)
	e.must(err)
	e.put("k", strings.Repeat("b", 100))
	second, err := e.Blob.GetRange(e.Context(), "k", 10, 500)
	e.must(err)
	if string(first) != strings.Repeat("a", 500) || string(second) != strings.Repeat("b", 90) {
		e.Errorf("%.20q of %d bytes and %.20q of %d bytes", first, len(first), second, len(second))
	}
}

func testInvalidRanges(e *env) {
	e.put("k", "content")
	for _, c := range []struct{ offset, length int64 }{
		{-1, 1}, {0, 0}, {0, -1}, {0, blob.MaxRange + 1}, {math.MaxInt64, 1}, {math.MinInt64, math.MinInt64},
	} {
		if got, err := e.Blob.GetRange(e.Context(), "k", c.offset, c.length); !errors.Is(err, blob.ErrInvalid) || got != nil {
			e.Errorf("GetRange(%d, %d) = %d bytes, %v, want ErrInvalid", c.offset, c.length, len(got), err)
		}
	}
}
