// Package blob is the port to files that are written once and fetched through a link, like objects in Amazon S3.
//
// Functions that write files import it, and adapters.
package blob

import (
	"context"
	"errors"
	"io"
	"time"
)

// A Blob keeps files.
type Blob interface {
	// Put stores a file under its key and replaces an existing one. A reader of the key sees the old file or the new
	// one, never a part. Put reads the content from its start, once per attempt. It does not close the content, and may
	// leave it at any position.
	//
	// Errors: ErrInvalid, ErrUnavailable; the context's own.
	Put(ctx context.Context, key string, file File) error
	// Get opens a file. The caller closes it. Returns ErrNotFound if there is none.
	Get(ctx context.Context, key string) (io.ReadCloser, error)
	// GetRange reads length bytes from the offset on, fewer at the file's end, and none behind it. The bytes belong to the
	// caller. offset is 0 or more, and length is 1 to MaxRange. Returns ErrNotFound if there is no file.
	GetRange(ctx context.Context, key string, offset, length int64) ([]byte, error)
	// Link returns an https or http address from which anyone can fetch the file until it expires. expires is MinExpiry
	// to MaxExpiry. Link does not check whether the file exists.
	Link(ctx context.Context, key string, expires time.Duration) (string, error)
	// Delete removes a file. A missing file is no error.
	Delete(ctx context.Context, key string) error
}

// A File is a file to store.
type File struct {
	Content     io.ReadSeeker
	Size        int64  // bytes of Content, 0 to MaxSize
	ContentType string // the media type (RFC 9110) with which it is served: "text/csv; charset=utf-8"
	// the name that a fetched file is saved under: letters, digits, dot, dash, underscore, at most MaxName bytes
	Name string
}

// Bounds. MaxExpiry is that of S3's signatures.
const (
	MaxSize   = 1 << 30 // bytes
	MaxRange  = 8 << 20 // bytes of one GetRange
	MaxKey    = 512     // bytes
	MaxName   = 128     // bytes
	MinExpiry = time.Second
	MaxExpiry = 7 * 24 * time.Hour
)

// Errors of a Blob. ErrUnavailable may be repeated.
var (
	ErrNotFound    = errors.New("blob: not found")
	ErrUnavailable = errors.New("blob: unavailable")
	ErrInvalid     = errors.New("blob: the key, the file, the name, the range or the time is not valid")
)
