package diskblob_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"earshot/shared/embedded/diskblob"
	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/port/blob"
	"earshot/shared/port/clock"
)

func text(content string) blob.File {
	return blob.File{
		Content:     strings.NewReader(content),
		Size:        int64(len(content)),
		ContentType: "text/plain",
		Name:        "a.txt",
	}
}

// A link lasts to its second, by the clock, and a process that opens the folder again accepts it.
func TestLink_Expires(t *testing.T) {
	folder, now := t.TempDir(), &clock.Adjustable{}
	begin := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	now.Freeze(begin)
	b := open(t, folder, now)
	if err := b.Put(t.Context(), "a/b.txt", text("x")); err != nil {
		t.Fatal(err)
	}
	link, err := b.Link(t.Context(), "a/b.txt", time.Minute)
	if err != nil || !strings.HasPrefix(link, base+diskblob.LinkPath+"a/b.txt?expires=") {
		t.Fatalf("Link(a/b.txt) = %q, %v", link, err)
	}
	again := open(t, folder, now)
	for after, want := range map[time.Duration]int{0: 200, time.Minute - 1: 200, time.Minute: 403, time.Hour: 403} {
		now.Freeze(begin.Add(after))
		if got := follow(again, link); got.Status != want {
			t.Errorf("after %v: %d, want %d", after, got.Status, want)
		}
	}
	now.Freeze(begin)
	if got := follow(open(t, t.TempDir(), now), link); got.Status != 403 {
		t.Error("another folder accepts it:", got.Status)
	}
	for _, parts := range [][3]string{
		{"a/b.txt", "", ""}, {"a/b.txt", "99999999999", ""}, {"../links.secret", "99999999999", "00"}, {"", "x", "zz"},
	} {
		if _, err := again.Verify(parts[0], parts[1], parts[2]); !errors.Is(err, blob.ErrInvalid) {
			t.Errorf("%q: %v", parts, err)
		}
	}
}

// Of several processes that open a new folder at once, each accepts the others' links.
func TestLink_SecretSharedByProcesses(t *testing.T) {
	folder := t.TempDir()
	blobs, links := make([]*diskblob.Blob, 8), make([]string, 8)
	faulttest.AtOnce(len(blobs), func(i int) {
		var err error
		if blobs[i], err = diskblob.Open(folder, base, clock.System{}); err != nil {
			t.Error(err)
			return
		}
		if links[i], err = blobs[i].Link(t.Context(), "k", time.Hour); err != nil {
			t.Error(err)
		}
	})
	for i, b := range blobs {
		for _, link := range links {
			if got := follow(b, link); got.Status != 404 {
				t.Errorf("the %dth process: %d", i, got.Status)
			}
		}
	}
}

// failing is content that ends with an error, or shorter than it said.
type failing struct {
	io.ReadSeeker
	err error
}

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// A file that could not be read to its end leaves the old one, and nothing else in the folder.
func TestPut_ReadFails(t *testing.T) {
	folder := t.TempDir()
	b := open(t, folder, clock.System{})
	if err := b.Put(t.Context(), "k", text("old")); err != nil {
		t.Fatal(err)
	}
	for _, cause := range []error{errors.New("the disk of the sender is gone"), io.EOF} {
		file := text("new")
		file.Content = failing{file.Content, cause}
		if err := b.Put(t.Context(), "k", file); err == nil {
			t.Fatal("no error")
		}
	}
	opened, err := b.Get(t.Context(), "k")
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	if content, err := io.ReadAll(opened); err != nil || string(content) != "old" {
		t.Fatalf("%q %v", content, err)
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 2 {
		t.Fatalf("ReadDir() = %v, %v, want 2 entries", entries, err)
	}
	for _, entry := range entries {
		if info, err := entry.Info(); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Error("others may read", entry.Name(), err)
		}
	}
}

// What writers left that died is swept, and what may still be written stays.
func TestSweep(t *testing.T) {
	folder := t.TempDir()
	for name, age := range map[string]time.Duration{"unfinished-1": 25 * time.Hour, "unfinished-2": time.Hour,
		"other": 25 * time.Hour} {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, time.Time{}, time.Now().Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	open(t, folder, clock.System{})
	for name, want := range map[string]bool{"unfinished-1": false, "unfinished-2": true, "other": true} {
		if _, err := os.Stat(filepath.Join(folder, name)); (err == nil) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A damaged file is an error, not its part.
func TestDamaged(t *testing.T) {
	folder := t.TempDir()
	b := open(t, folder, clock.System{})
	if err := b.Put(t.Context(), "k", text("content")); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.blob"))
	if err != nil || len(files) != 1 {
		t.Fatalf("Glob(*.blob) = %v, %v, want one file", files, err)
	}
	for _, damage := range []string{"", "\x00", "\xff\xff\xff\xff", "\x00\x00\x00\x05{\"a", "\x00\x00\x00\x02[]content",
		"\x00\x00\x00\x0a{\"size\":7}conten"} {
		if err := os.WriteFile(files[0], []byte(damage), 0o600); err != nil {
			t.Fatal(err)
		}
		if opened, err := b.Get(t.Context(), "k"); !errors.Is(err, blob.ErrUnavailable) || opened != nil {
			t.Errorf("%q: %v", damage, err)
		}
	}
}
