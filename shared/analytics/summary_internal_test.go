package analytics

import (
	"bytes"
	"compress/flate"
	"io"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"earshot/shared/filter"
	"earshot/shared/mention"
)

func drawList(t *rapid.T) *list {
	l := newList()
	hours := rapid.SliceOfN(rapid.IntRange(0, 23), 0, 40).Draw(t, "hours")
	for _, hour := range hours {
		l.add(&filter.Row{
			Timestamp:  "2026-11-20 " + string([]byte{byte('0' + hour/10), byte('0' + hour%10)}) + ":00:00.000",
			Source:     rapid.SampledFrom([]string{"reddit", "bluesky"}).Draw(t, "source"),
			Sentiment:  rapid.SampledFrom(append(mention.Sentiments(), "")).Draw(t, "sentiment"),
			Score:      rapid.IntRange(-1, 2).Draw(t, "score"),
			Language:   rapid.SampledFrom([]string{"", "english"}).Draw(t, "language"),
			Author:     rapid.SampledFrom([]string{"", "a", "b", "\x00", "@", "ÄÖ\n"}).Draw(t, "author"),
			Followers:  rapid.Int64Range(-1, 1<<40).Draw(t, "followers"),
			Tags:       rapid.SliceOfN(rapid.SampledFrom([]string{"hiring", "events"}), 0, 2).Draw(t, "tags"),
			KeywordIDs: rapid.SliceOfN(rapid.Int64Range(1, mention.MaxID), 0, 2).Draw(t, "keywords"),
		})
	}
	return l
}

func TestPack_AndUnpack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawList(t)
		content, err := l.pack()
		if err != nil {
			t.Fatal(err)
		}
		found, err := new(unpacker).unpack(content)
		if err != nil {
			t.Fatal(err)
		}
		got, want := found.list, l
		if len(got.entries) != len(want.entries) || len(got.kinds) != len(want.kinds) ||
			len(got.authors) != len(want.authors) {
			t.Fatalf("unpack = %+v, want %+v", got, want)
		}
		for i, e := range got.entries {
			other := want.entries[i]
			if other.author < 0 {
				other.followers = 0
			}
			if e != other || !bytes.Equal(got.kinds[e.kind].append(nil), want.kinds[e.kind].append(nil)) {
				t.Fatalf("mention %d = %+v, want %+v", i, e, other)
			}
		}
		if len(want.authors) > 0 && !reflect.DeepEqual(got.authors, want.authors) {
			t.Fatalf("authors = %q, want %q", got.authors, want.authors)
		}
	})
}

// Damaged contents are errors, and no number in them makes room for more than there is.
func TestUnpack_Damaged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawList(t)
		content, err := l.pack()
		if rapid.Bool().Draw(t, "sketches") {
			content, err = packSketches(l.sketches())
		}
		if err != nil {
			t.Fatal(err)
		}
		plain, err := io.ReadAll(flate.NewReader(bytes.NewReader(content[1:])))
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			if len(plain) > 0 {
				plain[rapid.IntRange(0, len(plain)-1).Draw(t, "place")] = rapid.Byte().Draw(t, "byte")
			}
		}
		plain = plain[:rapid.IntRange(0, len(plain)).Draw(t, "length")]
		damaged, err := compressed(content[0], plain)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = new(unpacker).unpack(damaged)
		if found, err := new(unpacker).unpack(content[:rapid.IntRange(0, len(content)-1).Draw(t, "cut")]); err == nil {
			t.Fatalf("unpack of a part = %+v", found)
		}
	})
}
