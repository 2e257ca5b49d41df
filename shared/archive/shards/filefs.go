package shards

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"
	"sync"
	"time"

	"modernc.org/sqlite/vfs"
)

// An opened is what SQLite reads.
type opened interface {
	// ReadAt reads from an offset on. Returns io.EOF at the end alone.
	io.ReaderAt
	bytes() int64
}

// files is the file system through which SQLite reads shards. Each open shard is a file of a name of its own.
type files struct {
	mu   sync.Mutex
	last int64
	open map[string]opened
}

// registered is the file system's name at SQLite. SQLite keeps its file systems for the whole process, so there is one.
var registered = sync.OnceValues(func() (*served, error) {
	all := &files{open: map[string]opened{}}
	name, _, err := vfs.New(all)
	if err != nil {
		return nil, fmt.Errorf("archive: register the file system: %w", err)
	}
	return &served{all, name}, nil
})

// served is the file system with its name at SQLite.
type served struct {
	*files
	name string
}

// add names a reader for SQLite. The caller removes it.
func (f *files) add(r opened) (name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.last++
	name = "shard" + strconv.FormatInt(f.last, 10)
	f.open[name] = r
	return name
}

func (f *files) remove(name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.open, name)
}

// Open opens a shard by the name that add gave it.
func (f *files) Open(name string) (fs.File, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	r, found := f.open[name]
	if !found {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &file{r: r, name: name}, nil
}

// A file is an open shard. SQLite seeks and reads.
type file struct {
	r    opened
	name string
	at   int64
}

func (f *file) Read(into []byte) (int, error) {
	n, err := f.r.ReadAt(into, f.at)
	f.at += int64(n)
	if err == nil || err == io.EOF {
		return n, err
	}
	// The network's errors may wrap io.EOF, which SQLite would take for the file's end.
	return 0, errRead
}

// errRead is what SQLite is told of a read that failed. The reader holds the cause.
var errRead = errors.New("archive: the shard could not be read")

func (f *file) Seek(offset int64, whence int) (int64, error) {
	if whence != io.SeekStart || offset < 0 {
		return 0, fs.ErrInvalid
	}
	f.at = offset
	return offset, nil
}

func (f *file) Close() error               { return nil }
func (f *file) Stat() (fs.FileInfo, error) { return info{f}, nil }

// info describes a file.
type info struct{ f *file }

func (i info) Name() string       { return i.f.name }
func (i info) Size() int64        { return i.f.r.bytes() }
func (i info) Mode() fs.FileMode  { return 0o400 }
func (i info) ModTime() time.Time { return time.Time{} }
func (i info) IsDir() bool        { return false }
func (i info) Sys() any           { return nil }
