package static_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"earshot/shared/static"
)

var script = strings.Repeat("console.log('the same line');\n", 200)

func read(t *testing.T, folder fstest.MapFS, names ...string) static.Files {
	t.Helper()
	files, err := static.Read(folder, names...)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestRead_AddressFollowsContent(t *testing.T) {
	first := read(t, fstest.MapFS{"a.js": {Data: []byte(script)}}, "a.js")[0]
	again := read(t, fstest.MapFS{"a.js": {Data: []byte(script)}}, "a.js")[0]
	changed := read(t, fstest.MapFS{"a.js": {Data: []byte(script + " ")}}, "a.js")[0]
	if first.Address != again.Address {
		t.Errorf("the same content has the addresses %s and %s", first.Address, again.Address)
	}
	if first.Address == changed.Address || first.Integrity == changed.Integrity {
		t.Errorf("other content has the same address %s or digest", changed.Address)
	}
	if !strings.HasPrefix(first.Address, "a.") || !strings.HasSuffix(first.Address, ".js") {
		t.Errorf("the address of a.js is %s", first.Address)
	}
}

// The digest of a file is stated as browsers compute it: the example of W3C's Subresource Integrity, section 3.1.
func TestRead_Integrity(t *testing.T) {
	const want = "sha384-H8BRh8j48O9oYatfu5AZzq6A9RINhZO5H16dQZngK7T62em8MUt1FLm52t+eX6xO"
	got := read(t, fstest.MapFS{"a.js": {Data: []byte("alert('Hello, world.');")}}, "a.js")[0].Integrity
	if got != want {
		t.Errorf("Integrity = %s, want %s", got, want)
	}
}

func TestRead_NoSuchFile(t *testing.T) {
	if _, err := static.Read(fstest.MapFS{}, "a.js"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Read of a missing file = %v, want fs.ErrNotExist", err)
	}
}

func TestRead_UnknownType(t *testing.T) {
	if _, err := static.Read(fstest.MapFS{"a.exe": {}}, "a.exe"); err == nil || !strings.Contains(err.Error(), ".exe") {
		t.Errorf("Read of a.exe = %v, want an error that names the type", err)
	}
}

func TestNamed(t *testing.T) {
	files := read(t, fstest.MapFS{"a.js": {Data: []byte(script)}, "b.css": {}}, "a.js", "b.css")
	for _, name := range []string{"a.js", files[0].Address} {
		if file, ok := files.Named(name); !ok || file.Name != "a.js" {
			t.Errorf("Named(%q) = %s, %v", name, file.Name, ok)
		}
	}
	if _, ok := files.Named("a.0000000000000000.js"); ok {
		t.Error("a file is found under the address of other content")
	}
}

func TestWrite_CompressedAndReproducible(t *testing.T) {
	files := read(t, fstest.MapFS{"a.js": {Data: []byte(script)}}, "a.js")
	var written [2][]byte
	for i := range written {
		folder := filepath.Join(t.TempDir(), "new", "folder")
		if err := files.Write(folder); err != nil {
			t.Fatal(err)
		}
		var err error
		if written[i], err = os.ReadFile(filepath.Join(folder, files[0].Address)); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(written[0], written[1]) {
		t.Error("the same file is written as other bytes the second time")
	}
	if len(written[0]) > len(script)/10 {
		t.Errorf("%d bytes are written of %d that repeat", len(written[0]), len(script))
	}
	reader, err := gzip.NewReader(bytes.NewReader(written[0]))
	if err != nil {
		t.Fatal(err)
	}
	if content, err := io.ReadAll(reader); err != nil || string(content) != script {
		t.Errorf("what is written unpacks to %d bytes, %v", len(content), err)
	}
}

func TestWrite_RemovesAnEarlierBuild(t *testing.T) {
	folder := t.TempDir()
	for _, content := range []string{"one", "two"} {
		if err := read(t, fstest.MapFS{"a.js": {Data: []byte(content)}}, "a.js").Write(folder); err != nil {
			t.Fatal(err)
		}
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 1 {
		t.Errorf("the folder has %v, %v, want the last file alone", entries, err)
	}
}
