// Package diskblob implements the port blob on a folder, for laptops, demos and tests. The local program serves its
// links.
//
// A file is durable and complete when Put returns. A process that dies before that leaves the earlier file, or none.
// Several processes may use one folder.
//
// Only the workbench, tools and tests import it.
package diskblob

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"crypto/sha256"

	"earshot/shared/port/blob"
	"earshot/shared/port/clock"
)

// A Blob keeps files in a folder.
type Blob struct {
	folder string
	base   string
	secret []byte
	clock  clock.Clock
}

// Open opens the folder, and creates it if it is missing. base is the address under which links are served, such as
// http://127.0.0.1:8080. The clock decides when links expire.
func Open(folder, base string, clock clock.Clock) (*Blob, error) {
	b := &Blob{folder: folder, base: strings.TrimSuffix(base, "/"), clock: clock}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("diskblob: %w", err)
	}
	if err := b.sweep(); err != nil {
		return nil, fmt.Errorf("diskblob: sweep %s: %w", folder, err)
	}
	var err error
	if b.secret, err = secretOf(folder); err != nil {
		return nil, fmt.Errorf("diskblob: the secret of %s: %w", folder, err)
	}
	return b, nil
}

// Names in the folder: of files that are being written, and of finished ones. A key's file name is a digest. No key can
// therefore leave the folder, be too long for a file name, or meet another key on a file system that ignores case.
const (
	unfinished = "unfinished-"
	extension  = ".blob"
)

func (b *Blob) path(key string) string {
	digest := sha256.Sum256([]byte(key))
	return filepath.Join(b.folder, hex.EncodeToString(digest[:])+extension)
}

// abandoned is the age at which an unfinished file counts as left by a writer that died.
const abandoned = 24 * time.Hour

// sweep removes unfinished files of writers that died.
func (b *Blob) sweep() error {
	left, err := filepath.Glob(filepath.Join(b.folder, unfinished+"*"))
	if err != nil {
		return err
	}
	for _, path := range left {
		info, err := os.Stat(path)
		if err != nil || time.Since(info.ModTime()) < abandoned {
			continue
		}
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// Put stores a file under its key.
func (b *Blob) Put(ctx context.Context, key string, file blob.File) error {
	if err := errors.Join(blob.CheckKey(key), blob.CheckFile(file)); err != nil {
		return fmt.Errorf("diskblob: put: %w", err)
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("diskblob: put: %w", err)
	}
	temporary, err := os.CreateTemp(b.folder, unfinished) // nobody else may read it
	if err != nil {
		return failed(ctx, "put", err)
	}
	err = errors.Join(write(ctx, temporary, file), temporary.Close())
	if err == nil {
		err = os.Rename(temporary.Name(), b.path(key))
	}
	if err != nil {
		_ = os.Remove(temporary.Name()) // else the sweep does
		return failed(ctx, "put", err)
	}
	if err := syncFolder(b.folder); err != nil {
		return failed(ctx, "put", err)
	}
	return nil
}

// Get opens a file.
func (b *Blob) Get(ctx context.Context, key string) (io.ReadCloser, error) {
	if err := blob.CheckKey(key); err != nil {
		return nil, fmt.Errorf("diskblob: get: %w", err)
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("diskblob: get: %w", err)
	}
	file, err := b.open(key)
	if err != nil {
		return nil, failed(ctx, "get", err)
	}
	return file.Content, nil
}

// GetRange reads a part of a file.
func (b *Blob) GetRange(ctx context.Context, key string, offset, length int64) ([]byte, error) {
	if err := errors.Join(blob.CheckKey(key), blob.CheckRange(offset, length)); err != nil {
		return nil, fmt.Errorf("diskblob: get a range: %w", err)
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("diskblob: get a range: %w", err)
	}
	file, err := b.open(key)
	if err != nil {
		return nil, failed(ctx, "get a range", err)
	}
	defer file.Content.Close()
	part := make([]byte, min(length, max(file.Size-offset, 0)))
	if len(part) == 0 {
		return part, nil
	}
	if _, err := file.Content.Seek(offset, io.SeekStart); err != nil {
		return nil, failed(ctx, "get a range", err)
	}
	if _, err := io.ReadFull(file.Content, part); err != nil {
		return nil, failed(ctx, "get a range", err)
	}
	return part, nil
}

// Delete removes a file.
func (b *Blob) Delete(ctx context.Context, key string) error {
	if err := blob.CheckKey(key); err != nil {
		return fmt.Errorf("diskblob: delete: %w", err)
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("diskblob: delete: %w", err)
	}
	if err := os.Remove(b.path(key)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return failed(ctx, "delete", err)
	}
	return nil
}

// failed returns the port's error for an error of the file system, or the context's.
func failed(ctx context.Context, doing string, err error) error {
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("diskblob: %s: %w", doing, ctx.Err())
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("diskblob: %s: %w", doing, blob.ErrNotFound)
	case errors.Is(err, blob.ErrInvalid):
		return fmt.Errorf("diskblob: %s: %w", doing, err)
	}
	return fmt.Errorf("diskblob: %s: %w: %w", doing, blob.ErrUnavailable, err)
}
