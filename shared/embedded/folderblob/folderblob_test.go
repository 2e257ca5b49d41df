package folderblob_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"earshot/shared/embedded/folderblob"
	"earshot/shared/port/blob"
)

func text(content string) blob.File {
	return blob.File{
		Content:     strings.NewReader(content),
		Size:        int64(len(content)),
		ContentType: "text/plain",
		Name:        "a.txt",
	}
}

func get(t *testing.T, b *folderblob.Blob, key string) (string, error) {
	t.Helper()
	file, err := b.Get(t.Context(), key)
	if err != nil {
		return "", err
	}
	defer file.Close()
	content, err := io.ReadAll(file)
	return string(content), err
}

func TestBlob(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "made")
	b := folderblob.New(folder)
	for key, content := range map[string]string{"a=1/b=2/c.parquet": "first", "a=1/d.parquet": "", "e": "third"} {
		if err := b.Put(t.Context(), key, text("an older and longer one")); err != nil {
			t.Fatal(err)
		}
		if err := b.Put(t.Context(), key, text(content)); err != nil {
			t.Fatal(err)
		}
		if got, err := get(t, b, key); err != nil || got != content {
			t.Errorf("Get(%s) = %q, %v, want %q", key, got, err, content)
		}
		plain, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(key)))
		if err != nil || string(plain) != content {
			t.Errorf("the file of %s has %q, %v, want %q", key, plain, err, content)
		}
	}
	for _, key := range []string{"a=1", "a=1/b=2", "missing", "e/below"} {
		if got, err := get(t, b, key); !errors.Is(err, blob.ErrNotFound) && !errors.Is(err, blob.ErrUnavailable) {
			t.Errorf("Get(%s) = %q, %v, want no file", key, got, err)
		}
	}
	for range 2 {
		if err := b.Delete(t.Context(), "a=1/b=2/c.parquet"); err != nil {
			t.Errorf("Delete = %v", err)
		}
	}
	if _, err := os.Stat(filepath.Join(folder, "a=1", "b=2")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("an empty folder is left: %v", err)
	}
	if got, err := get(t, b, "a=1/d.parquet"); err != nil || got != "" {
		t.Errorf("the neighbour has %q, %v", got, err)
	}
}

func TestBlob_HostileKeys(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "in")
	b := folderblob.New(folder)
	for _, key := range []string{"", "..", "../out", "a/../../out", "/etc/passwd", "a//b", "a/", `a\b`, "a\x00b", "ä"} {
		if err := b.Put(t.Context(), key, text("x")); !errors.Is(err, blob.ErrInvalid) {
			t.Errorf("Put(%q) = %v, want ErrInvalid", key, err)
		}
		if _, err := b.Get(t.Context(), key); !errors.Is(err, blob.ErrInvalid) {
			t.Errorf("Get(%q) = %v, want ErrInvalid", key, err)
		}
		if err := b.Delete(t.Context(), key); !errors.Is(err, blob.ErrInvalid) {
			t.Errorf("Delete(%q) = %v, want ErrInvalid", key, err)
		}
	}
	if left, err := os.ReadDir(filepath.Dir(folder)); err != nil || len(left) != 0 {
		t.Errorf("%v, %v were written", left, err)
	}
}

type failing struct{ io.ReadSeeker }

func (failing) Read([]byte) (int, error) { return 0, errors.New("the disk of the sender is gone") }

func TestPut_ReadFails(t *testing.T) {
	folder := t.TempDir()
	b := folderblob.New(folder)
	if err := b.Put(t.Context(), "k", text("old")); err != nil {
		t.Fatal(err)
	}
	file := text("new")
	file.Content = failing{file.Content}
	if err := b.Put(t.Context(), "k", file); err == nil {
		t.Error("Put of content that cannot be read succeeded")
	}
	if got, err := get(t, b, "k"); err != nil || got != "old" {
		t.Errorf("the file has %q, %v, want the old one", got, err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) != 1 {
		t.Errorf("%v, %v are in the folder, want one file", left, err)
	}
}

func TestGetRange(t *testing.T) {
	b := folderblob.New(t.TempDir())
	if err := b.Put(t.Context(), "a/k", text("0123456789")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		offset, length int64
		want           string
	}{{0, 3, "012"}, {4, 2, "45"}, {8, 9, "89"}, {10, 1, ""}, {99, 1, ""}} {
		if got, err := b.GetRange(t.Context(), "a/k", c.offset, c.length); err != nil || string(got) != c.want {
			t.Errorf("GetRange(%d, %d) = %q, %v, want %q", c.offset, c.length, got, err, c.want)
		}
	}
	for key, want := range map[string]error{"a": blob.ErrNotFound, "none": blob.ErrNotFound, "../k": blob.ErrInvalid} {
		if _, err := b.GetRange(t.Context(), key, 0, 1); !errors.Is(err, want) {
			t.Errorf("GetRange of %s = %v, want %v", key, err, want)
		}
	}
	if _, err := b.GetRange(t.Context(), "a/k", -1, 1); !errors.Is(err, blob.ErrInvalid) {
		t.Errorf("GetRange from -1 on = %v, want ErrInvalid", err)
	}
}
