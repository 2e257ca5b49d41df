package shards

import (
	"container/list"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"sync"

	"golang.org/x/sync/singleflight"
)

// Ranger reads parts of files. A blob.Blob is one.
type Ranger interface {
	// GetRange returns up to length bytes from the offset on, and fewer at the file's end.
	GetRange(ctx context.Context, key string, offset, length int64) ([]byte, error)
}

const (
	// blockSize is how much of a shard is read at once.
	blockSize = 256 << 10
	// firstAhead and readAhead are the least and the most blocks of one read. A read that continues the one before it is
	// twice as long.
	firstAhead, readAhead = 2, 8
	// smallFile is the size up to which a file is read whole.
	smallFile = 4 * blockSize
	// minMemory has room for what readers of eight shards read at once.
	minMemory = 8 * readAhead * blockSize
)

// A blockKey names a block of a file.
type blockKey struct {
	file  string
	block int64
}

// A Cache holds blocks of files that never change, in memory and then in a folder. It is safe for concurrent use.
type Cache struct {
	files  Ranger
	folder string

	flights singleflight.Group
	mu      sync.Mutex
	memory  lru
	disk    lru
}

// An lru holds what was used last, up to a size.
type lru struct {
	most, size int64
	order      *list.List // of *cached, the last used first
	blocks     map[blockKey]*list.Element
}

type cached struct {
	key  blockKey
	size int64
	data []byte // nil for a block on the disk
}

func newLRU(most int64) lru {
	return lru{most: most, order: list.New(), blocks: map[blockKey]*list.Element{}}
}

func (l *lru) get(key blockKey) (*cached, bool) {
	element, found := l.blocks[key]
	if !found {
		return nil, false
	}
	l.order.MoveToFront(element)
	return element.Value.(*cached), true
}

// add adds a block and returns those that had to go.
func (l *lru) add(c *cached) (gone []*cached) {
	if _, known := l.blocks[c.key]; known || c.size > l.most {
		return nil
	}
	l.blocks[c.key] = l.order.PushFront(c)
	for l.size += c.size; l.size > l.most; {
		last := l.order.Back()
		old := last.Value.(*cached)
		l.order.Remove(last)
		delete(l.blocks, old.key)
		l.size -= old.size
		gone = append(gone, old)
	}
	return gone
}

// CacheOptions configure a Cache.
type CacheOptions struct {
	Files  Ranger
	Memory int64 // bytes; 0 is 64 MB, and less than minMemory is minMemory
	// Folder holds blocks that memory has no room for. NewCache removes it, and the first such block makes it. Empty for
	// none.
	Folder string
	Disk   int64 // bytes in the folder; 0 is 256 MB
}

// NewCache makes a cache. Several processes must not share a folder.
func NewCache(o CacheOptions) (*Cache, error) {
	if o.Memory == 0 {
		o.Memory = 64 << 20
	}
	o.Memory = max(o.Memory, minMemory)
	if o.Disk == 0 {
		o.Disk = 256 << 20
	}
	if o.Folder != "" {
		if err := os.RemoveAll(o.Folder); err != nil {
			return nil, fmt.Errorf("archive: empty the folder of blocks: %w", err)
		}
	}
	return &Cache{files: o.Files, folder: o.Folder, memory: newLRU(o.Memory), disk: newLRU(o.Disk)}, nil
}

// lookUp returns a block that the cache has.
func (c *Cache) lookUp(key blockKey) ([]byte, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if found, ok := c.memory.get(key); ok {
		return found.data, true
	}
	found, ok := c.disk.get(key)
	if !ok {
		return nil, false
	}
	data, err := os.ReadFile(c.path(key))
	if err != nil || int64(len(data)) != found.size {
		return nil, false // somebody emptied the folder: the block is read again
	}
	c.keep(key, data)
	return data, true
}

// keep adds a block. The caller holds mu.
func (c *Cache) keep(key blockKey, data []byte) {
	for _, old := range c.memory.add(&cached{key: key, size: int64(len(data)), data: data}) {
		if c.folder == "" {
			continue
		}
		if _, there := c.disk.get(old.key); there {
			continue
		}
		if os.MkdirAll(c.folder, 0o700) != nil || os.WriteFile(c.path(old.key), old.data, 0o600) != nil {
			continue // the disk is full: memory alone is left
		}
		for _, gone := range c.disk.add(&cached{key: old.key, size: old.size}) {
			_ = os.Remove(c.path(gone.key))
		}
	}
}

func (c *Cache) path(key blockKey) string {
	return filepath.Join(c.folder, filepath.Base(key.file)+"-"+strconv.FormatInt(key.block, 10))
}

// block returns a block, and reads up to ahead blocks at once if the cache lacks it. At most one reader reads a block
// at a time.
func (c *Cache) block(ctx context.Context, file string, size, block int64, ahead int64) ([]byte, error) {
	key := blockKey{file, block}
	for {
		if data, ok := c.lookUp(key); ok {
			return data, nil
		}
		var mine bool
		_, err, _ := c.flights.Do(file+"#"+strconv.FormatInt(block, 10), func() (any, error) {
			mine = true
			return nil, c.read(ctx, file, size, block, ahead)
		})
		switch {
		case err != nil && mine:
			return nil, err
		case ctx.Err() != nil:
			return nil, ctx.Err()
		}
		// The other reader may have failed for a reason of its own, such as its context.
	}
}

// read reads up to ahead blocks from one on, as many as the file has and the cache lacks.
func (c *Cache) read(ctx context.Context, file string, size, block, ahead int64) error {
	blocks := int64(1)
	c.mu.Lock()
	for ; blocks < ahead && (block+blocks)*blockSize < size; blocks++ {
		if _, known := c.memory.blocks[blockKey{file, block + blocks}]; known {
			break
		}
	}
	c.mu.Unlock()
	start := block * blockSize
	length := min(blocks*blockSize, size-start)
	data, err := c.files.GetRange(ctx, file, start, length)
	if err != nil {
		return err
	}
	if int64(len(data)) != length {
		return fmt.Errorf("archive: %s ends at byte %d, before its size of %d", file, start+int64(len(data)), size)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range blocks {
		from := i * blockSize
		to := min(from+blockSize, length)
		c.keep(blockKey{file, block + i}, data[from:to:to])
	}
	return nil
}

// A reader reads a file through a cache, from any place.
type reader struct {
	ctx   context.Context
	cache *Cache
	file  string
	size  int64 // of the file
	head  *head // pages that need no block; may be nil
	runs  []run // the last ones first
	err   error // of the first read that failed
}

// A run is a walk over blocks that follow each other. A query walks the posts of several words at once.
type run struct {
	last  int64 // the block that was read last
	ahead int64 // how many blocks the next read may take
}

// maxRuns bounds the runs that a reader remembers.
const maxRuns = 16

// ahead returns how many blocks are read at once from a block on.
func (r *reader) ahead(block int64) int64 {
	for i, run := range r.runs {
		if block != run.last && block != run.last+1 {
			continue
		}
		if block == run.last+1 {
			run.last, run.ahead = block, min(run.ahead*2, readAhead)
		}
		copy(r.runs[1:i+1], r.runs[:i])
		r.runs[0] = run
		return run.ahead
	}
	if len(r.runs) < maxRuns {
		r.runs = append(r.runs, run{})
	}
	copy(r.runs[1:], r.runs)
	r.runs[0] = run{block, firstAhead}
	return firstAhead
}

func newReader(ctx context.Context, cache *Cache, file string, size int64) *reader {
	return &reader{ctx: ctx, cache: cache, file: file, size: size}
}

func (r *reader) bytes() int64 { return r.size }

// ReadAt reads from an offset on. Returns io.EOF at the file's end.
func (r *reader) ReadAt(into []byte, offset int64) (n int, err error) {
	defer func() {
		if err != nil && err != io.EOF && r.err == nil {
			r.err = err
		}
	}()
	for n < len(into) {
		if offset >= r.size {
			return n, io.EOF
		}
		if page := r.head.at(offset); page != nil {
			copied := copy(into[n:], page)
			n, offset = n+copied, offset+int64(copied)
			continue
		}
		block := offset / blockSize
		if r.size <= smallFile { // all of it is read at once
			if _, err := r.cache.block(r.ctx, r.file, r.size, 0, smallFile/blockSize); err != nil {
				return n, err
			}
		}
		data, err := r.cache.block(r.ctx, r.file, r.size, block, r.ahead(block))
		if err != nil {
			return n, err
		}
		copied := copy(into[n:], data[offset-block*blockSize:])
		n, offset = n+copied, offset+int64(copied)
	}
	return n, nil
}
