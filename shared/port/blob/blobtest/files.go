package blobtest

import (
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"strings"
	"sync"

	"earshot/shared/port/blob"
)

// text returns a small file.
func text(content string) blob.File {
	return blob.File{
		Content:     strings.NewReader(content),
		Size:        int64(len(content)),
		ContentType: "text/csv; charset=utf-8",
		Name:        "mentions.csv",
	}
}

func testContents(e *env) {
	for name, content := range map[string]string{
		"empty": "", "one": "x", "lines": "a\r\nb\nc\r", "binary": "\x00\xff\xfe\x1a\x80",
		"unicode": "日本語 👍", "chunk": "5\r\nhello\r\n0\r\n\r\n",
	} {
		file := text(content)
		if _, err := file.Content.Seek(0, io.SeekEnd); err != nil { // Put reads it from its start all the same
			e.Fatal(err)
		}
		e.must(e.Blob.Put(e.Context(), "contents/"+name, file))
		e.wants("contents/"+name, content)
	}
}

func testReplace(e *env) {
	e.put("k", "the old and longer one")
	e.put("k", "new")
	e.wants("k", "new")
}

// testReplacing reads a file while it is replaced. Each reader must get one of the two files, whole.
func testReplacing(e *env) {
	old, changed := strings.Repeat("a", 300_000), strings.Repeat("b", 200_000)
	e.put("k", old)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range 10 {
				opened, err := e.Blob.Get(e.Context(), "k")
				if err != nil {
					e.Error(err)
					return
				}
				content, err := io.ReadAll(opened)
				if err := errors.Join(err, opened.Close()); err != nil {
					e.Error(err)
					return
				}
				if string(content) != old && string(content) != changed {
					e.Errorf("a part: %d bytes", len(content))
				}
			}
		})
	}
	for range 5 {
		e.put("k", changed)
		e.put("k", old)
	}
	group.Wait()
}

// testKeys: keys that are alike are keys of different files.
func testKeys(e *env) {
	keys := []string{
		"a",
		"A",
		"a.b",
		"a/b",
		"a/b/c",
		"a_b",
		"a-b",
		".a",
		"a.",
		"...",
		"a=b/c=2026-11-01/d",
		"con",
		"aux.csv",
		"0",
		strings.Repeat("k", 255) + "/" + strings.Repeat("l", blob.MaxKey-256),
	}
	for _, key := range keys {
		e.put(key, "of "+key)
	}
	for _, key := range keys {
		e.wants(key, "of "+key)
	}
}

func testMissing(e *env) {
	e.put("there/too", "x")
	for _, key := range []string{"there", "there/to", "there/too/", "missing"} {
		opened, err := e.Blob.Get(e.Context(), key)
		want := blob.ErrNotFound
		if strings.HasSuffix(key, "/") {
			want = blob.ErrInvalid
		}
		if !errors.Is(err, want) || opened != nil {
			e.Errorf("%s: %v", key, err)
		}
	}
}

func testDelete(e *env) {
	e.put("k", "x")
	e.put("k/l", "y")
	for range 2 {
		e.must(e.Blob.Delete(e.Context(), "k"))
		if _, err := e.Blob.Get(e.Context(), "k"); !errors.Is(err, blob.ErrNotFound) {
			e.Fatal(err)
		}
	}
	e.wants("k/l", "y")
}

// pattern is a file of any size that takes no memory.
type pattern struct{ at, size int64 }

func (p *pattern) Read(into []byte) (int, error) {
	if p.at >= p.size {
		return 0, io.EOF
	}
	n := int(min(int64(len(into)), p.size-p.at))
	for i := range n {
		at := p.at + int64(i)
		into[i] = byte(at*31 ^ at>>13)
	}
	p.at += int64(n)
	return n, nil
}

func (p *pattern) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += p.at
	case io.SeekEnd:
		offset += p.size
	}
	if offset < 0 {
		return 0, errors.New("before the start")
	}
	p.at = offset
	return offset, nil
}

// Pattern returns the content of a file of any size. It takes next to no memory.
func Pattern(size int64) io.ReadSeeker { return &pattern{size: size} }

func testLarge(e *env) {
	const size = 9<<20 + 7
	e.must(
		e.Blob.Put(
			e.Context(), "large",
			blob.File{Content: Pattern(size), Size: size, ContentType: "application/json", Name: "a.json"},
		),
	)
	opened, err := e.Blob.Get(e.Context(), "large")
	e.must(err)
	defer opened.Close()
	got, want := sha256.New(), sha256.New()
	n, err := io.Copy(got, opened)
	e.must(err)
	_, err = io.Copy(want, Pattern(size))
	e.must(err)
	if n != size || string(got.Sum(nil)) != string(want.Sum(nil)) {
		e.Fatalf("%d bytes of %d, or other ones", n, size)
	}
}

func testCanceled(e *env) {
	e.put("k", "old")
	ctx, cancel := context.WithCancel(e.Context())
	cancel()
	_, getErr := e.Blob.Get(ctx, "k")
	_, rangeErr := e.Blob.GetRange(ctx, "k", 0, 1)
	for name, err := range map[string]error{
		"put": e.Blob.Put(ctx, "k", text("new")), "get": getErr, "range": rangeErr, "delete": e.Blob.Delete(ctx, "k"),
	} {
		if !errors.Is(err, context.Canceled) || errors.Is(err, blob.ErrUnavailable) {
			e.Errorf("%s: %v", name, err)
		}
	}
	e.wants("k", "old")
}
