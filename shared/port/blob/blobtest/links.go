package blobtest

import (
	"errors"
	"net/url"
	"strings"
	"time"

	"earshot/shared/port/blob"
)

func testLink(e *env) {
	e.put("exports/org_1/mentions.csv", "id,title\n1,é\n")
	for _, expires := range []time.Duration{blob.MinExpiry, time.Hour, blob.MaxExpiry} {
		link, err := e.Blob.Link(e.Context(), "exports/org_1/mentions.csv", expires)
		e.must(err)
		parsed, err := url.Parse(link)
		if err != nil || (parsed.Scheme != "http" && parsed.Scheme != "https") || parsed.Host == "" {
			e.Fatalf("%q is no address: %v", link, err)
		}
		if expires == blob.MinExpiry { // it may be over before it is followed
			continue
		}
		got, err := e.Fetch(e.Context(), link)
		e.must(err)
		if got.Status != 200 || string(got.Body) != "id,title\n1,é\n" || got.ContentType != "text/csv; charset=utf-8" ||
			got.Disposition != `attachment; filename="mentions.csv"` {
			e.Errorf("%v: %+v", expires, got)
		}
	}
	link, err := e.Blob.Link(e.Context(), "missing", time.Hour)
	e.must(err)
	if got, err := e.Fetch(e.Context(), link); err != nil || got.Status != 404 {
		e.Errorf("a link to no file: %d %v", got.Status, err)
	}
}

// testChangedLink tests that a link opens only its file and only for its time, and that a changed link opens nothing.
func testChangedLink(e *env) {
	e.put("mine", "x")
	e.put("yours", "secret")
	link, err := e.Blob.Link(e.Context(), "mine", time.Hour)
	e.must(err)
	parsed, err := url.Parse(link)
	e.must(err)
	bare := *parsed
	bare.RawQuery = ""
	changed := []string{strings.Replace(link, "mine", "yours", 1), bare.String()}
	for name, values := range parsed.Query() {
		query := parsed.Query()
		query.Set(name, other(values[0]))
		with := *parsed
		with.RawQuery = query.Encode()
		changed = append(changed, with.String())
		query.Del(name)
		with.RawQuery = query.Encode()
		changed = append(changed, with.String())
	}
	for _, link := range changed {
		got, err := e.Fetch(e.Context(), link)
		if err != nil {
			e.Fatal(err)
		}
		if got.Status/100 == 2 || strings.Contains(string(got.Body), "secret") {
			e.Errorf("%s is followed: %d", link, got.Status)
		}
	}
}

// other returns a different value of the same kind.
func other(value string) string {
	last := "1"
	if strings.HasSuffix(value, last) {
		last = "2"
	}
	if value == "" {
		return last
	}
	return value[:len(value)-1] + last
}

func testInvalidKeys(e *env) {
	for _, key := range []string{
		"", "/", "/a", "a/", "a//b", ".", "..", "../a", "a/../b", "a/..", "./a", "a/./b", "a b", "a?b", "a#b", "a%2fb",
		"a\\b", "a:b", "é", "a\x00b",
		"a\nb", "a\n", "~", strings.Repeat("k", blob.MaxKey+1),
	} {
		_, getErr := e.Blob.Get(e.Context(), key)
		_, rangeErr := e.Blob.GetRange(e.Context(), key, 0, 1)
		_, linkErr := e.Blob.Link(e.Context(), key, time.Hour)
		for name, err := range map[string]error{
			"put": e.Blob.Put(e.Context(), key, text("x")), "get": getErr, "range": rangeErr, "link": linkErr,
			"delete": e.Blob.Delete(e.Context(), key),
		} {
			if !errors.Is(err, blob.ErrInvalid) {
				e.Errorf("%s %q: %v", name, key, err)
			}
		}
	}
}

func testInvalidFiles(e *env) {
	for name, change := range map[string]func(*blob.File){
		"no name":                      func(f *blob.File) { f.Name = "" },
		"a path for a name":            func(f *blob.File) { f.Name = "a/b" },
		"a quoted name":                func(f *blob.File) { f.Name = `a".exe` },
		"a name of two lines":          func(f *blob.File) { f.Name = "a\r\nX: y" },
		"a hidden name":                func(f *blob.File) { f.Name = ".bashrc" },
		"a long name":                  func(f *blob.File) { f.Name = strings.Repeat("n", blob.MaxName+1) },
		"no content type":              func(f *blob.File) { f.ContentType = "" },
		"a content type of two lines":  func(f *blob.File) { f.ContentType = "text/csv;\r\n x=y" },
		"no media type":                func(f *blob.File) { f.ContentType = "a b" },
		"no content":                   func(f *blob.File) { f.Content = nil },
		"a size too small":             func(f *blob.File) { f.Size-- },
		"a size too large":             func(f *blob.File) { f.Size++ },
		"a size below nothing":         func(f *blob.File) { f.Size = -1 },
		"a size of more than there is": func(f *blob.File) { f.Size = blob.MaxSize + 1 },
	} {
		file := text("content")
		change(&file)
		if err := e.Blob.Put(e.Context(), "k", file); !errors.Is(err, blob.ErrInvalid) {
			e.Errorf("%s: %v", name, err)
		}
	}
	if _, err := e.Blob.Get(e.Context(), "k"); !errors.Is(err, blob.ErrNotFound) {
		e.Error("one of them was stored:", err)
	}
}

func testInvalidExpiry(e *env) {
	for _, expires := range []time.Duration{-time.Hour, 0, blob.MinExpiry - 1, blob.MaxExpiry + 1} {
		if link, err := e.Blob.Link(e.Context(), "k", expires); !errors.Is(err, blob.ErrInvalid) || link != "" {
			e.Errorf("%v: %v", expires, err)
		}
	}
}
