// Package blob is the port to files that are written once and fetched by others through a link, like objects in Amazon S3.
//
// Whoever writes files and adapters import it.
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
	// part. Content is read once from its start, and again from its start when the attempt is repeated.
	Put(ctx context.Context, key string, file File) error
	// Get opens a file; ErrNotFound.
	Get(ctx context.Context, key string) (io.ReadCloser, error)
	// Link is an https or http address by which anyone can fetch the file until it expires, 1 second to 7 days from now. It does
	// not look whether the file is there.
	Link(ctx context.Context, key string, expires time.Duration) (string, error)
	// Delete removes a file; no error when there is none.
	Delete(ctx context.Context, key string) error
}

// A File is what is stored.
type File struct {
	Content     io.ReadSeeker
	Size        int64  // bytes of Content
	ContentType string // as it is fetched
	Name        string // as it is saved by whoever fetches it: letters, digits, dot, dash, underscore
}

// Errors of a Blob. ErrUnavailable may be repeated.
var (
	ErrNotFound    = errors.New("blob: not found")
	ErrUnavailable = errors.New("blob: unavailable")
	ErrInvalid     = errors.New("blob: the key, the name or the time is not valid")
)
