package shards

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"

	"earshot/shared/archive"
)

// pageSize is that of a shard's SQLite file.
const pageSize = 16 << 10

// A head is what stands behind a shard's index and is read first, at once: the filter of its words, and a copy of the
// pages that nearly every query needs. Without the copies, a query reads a block here and there for each of them.
type head struct {
	filter *filter
	pages  map[int64][]byte // by number, the first being 0
}

// at returns a copied page from an offset of the index on, or nil.
func (h *head) at(offset int64) []byte {
	if h == nil {
		return nil
	}
	page, found := h.pages[offset/pageSize]
	if !found {
		return nil
	}
	return page[offset%pageSize:]
}

// maxHot bounds the pages that are copied.
const maxHot = 256

// hotPages returns the file form of the pages of an index that queries need besides those of their words: how many,
// their numbers, and the pages. They are the inner pages of its trees, the leaves of the tree that finds words, and
// what a query reads that finds nothing.
func hotPages(ctx context.Context, path string) (form []byte, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	recorded := &recorder{file: file, size: info.Size(), pages: map[int64]bool{}}
	if err := eachRow(ctx, recorded, `{facts} : "none"`, 0, 1, 1, func(int64) {}); err != nil {
		return nil, err
	}
	var kind [1]byte
	for page := range info.Size() / pageSize {
		if len(recorded.pages) >= maxHot {
			break
		}
		if page == 0 || recorded.pages[page] {
			continue
		}
		if _, err := file.ReadAt(kind[:], page*pageSize); err != nil {
			return nil, err
		}
		switch kind[0] { // "B-tree Pages" of SQLite's file format
		case 2, 5, 10: // inner pages of either tree, and leaves of a tree of words
			recorded.pages[page] = true
		}
	}
	form = binary.LittleEndian.AppendUint32(nil, uint32(len(recorded.pages)))
	var content []byte
	for page := range info.Size() / pageSize {
		if !recorded.pages[page] {
			continue
		}
		form = binary.LittleEndian.AppendUint32(form, uint32(page))
		part := make([]byte, pageSize)
		if _, err := file.ReadAt(part, page*pageSize); err != nil {
			return nil, err
		}
		content = append(content, part...)
	}
	return append(form, content...), nil
}

// A recorder reads a local file and remembers which pages were asked for.
type recorder struct {
	file  *os.File
	size  int64
	pages map[int64]bool
}

func (r *recorder) bytes() int64 { return r.size }

// ReadAt reads from an offset on.
func (r *recorder) ReadAt(into []byte, offset int64) (int, error) {
	for page := offset / pageSize; page*pageSize < offset+int64(len(into)); page++ {
		r.pages[page] = true
	}
	return r.file.ReadAt(into, offset)
}

// toHead reads a head's file form. A damaged one is an error.
func toHead(shard *archive.Shard, form []byte) (*head, error) {
	if int64(len(form)) != shard.Filter+shard.Hot || shard.Filter < 0 || shard.Hot < 0 {
		return nil, fmt.Errorf("archive: the head of %s has %d bytes", shard.Key, len(form))
	}
	f, err := toFilter(form[:shard.Filter])
	if err != nil {
		return nil, err
	}
	h := &head{filter: f, pages: map[int64][]byte{}}
	hot := form[shard.Filter:]
	if len(hot) == 0 {
		return h, nil
	}
	damaged := fmt.Errorf("archive: the head of %s is damaged", shard.Key)
	if len(hot) < 4 {
		return nil, damaged
	}
	count := int64(binary.LittleEndian.Uint32(hot))
	if int64(len(hot)) != 4+count*(4+pageSize) {
		return nil, damaged
	}
	for i := range count {
		page := int64(binary.LittleEndian.Uint32(hot[4+4*i:]))
		at := 4 + 4*count + i*pageSize
		if page >= shard.Index/pageSize {
			return nil, damaged
		}
		h.pages[page] = hot[at : at+pageSize : at+pageSize]
	}
	return h, nil
}

// readHead reads a shard's head.
func readHead(ctx context.Context, files Ranger, shard *archive.Shard) (*head, error) {
	const most = 8 << 20 // bytes of a read
	form := make([]byte, 0, shard.Filter+shard.Hot)
	for want := shard.Filter + shard.Hot; int64(len(form)) < want; {
		part, err := files.GetRange(ctx, shard.Key, shard.Index+int64(len(form)), min(want-int64(len(form)), most))
		if err == nil && len(part) == 0 {
			err = errors.New("the file ends before it")
		}
		if err != nil {
			return nil, fmt.Errorf("archive: read the head of %s: %w", shard.Key, err)
		}
		form = append(form, part...)
	}
	return toHead(shard, form)
}
