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
	// Put stores a file under its key, in place of one that is there. A reader of the key sees the old file or the new one, never a
	// part. Content is read from its start, and again from its start when the attempt is repeated; it is not closed, and where it
	// stands afterwards is not said.
	//
	// Errors: ErrInvalid, ErrUnavailable; the context's own.
	Put(ctx context.Context, key string, file File) error
	// Get opens a file; ErrNotFound. Whoever reads it closes it.
	Get(ctx context.Context, key string) (io.ReadCloser, error)
	// Link is an https or http address by which anyone can fetch the file until it expires, MinExpiry to MaxExpiry from now. It does
	// not look whether the file is there.
	Link(ctx context.Context, key string, expires time.Duration) (string, error)
	// Delete removes a file; no error when there is none.
	Delete(ctx context.Context, key string) error
}

// A File is what is stored.
type File struct {
	Content     io.ReadSeeker
	Size        int64  // bytes of Content, 0 to MaxSize
	ContentType string // as it is fetched, a media type of RFC 9110: "text/csv; charset=utf-8"
	Name        string // as it is saved by whoever fetches it: letters, digits, dot, dash, underscore, at most MaxName bytes
}

// Bounds. MaxExpiry is that of S3's signatures.
const (
	MaxSize   = 1 << 30 // bytes
	MaxKey    = 512     // bytes
	MaxName   = 128     // bytes
	MinExpiry = time.Second
	MaxExpiry = 7 * 24 * time.Hour
)

// Errors of a Blob. ErrUnavailable may be repeated.
var (
	ErrNotFound    = errors.New("blob: not found")
	ErrUnavailable = errors.New("blob: unavailable")
	ErrInvalid     = errors.New("blob: the key, the file, the name or the time is not valid")
)
