// Package folderblob keeps files in a folder under the names that their keys say, so that people can open them with
// their own tools. It has the part of the port blob that needs no links. Package diskblob serves links.
//
// A file is complete when Put returns. A process that dies before that leaves the earlier file, or none.
//
// Only mains and tests import it.
package folderblob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"earshot/shared/port/blob"
)

// A Blob keeps files in a folder.
type Blob struct{ folder string }

// New returns the files of a folder, which need not exist yet.
func New(folder string) *Blob { return &Blob{folder} }

// unfinished begins the name of a file that is being written, in its final folder. No tool takes it for a data file.
const unfinished = ".unfinished-"

// path returns where a key's file is. A valid key has no element that leaves the folder.
func (b *Blob) path(key string) (string, error) {
	if err := blob.CheckKey(key); err != nil {
		return "", err
	}
	local, err := filepath.Localize(key)
	if err != nil {
		return "", fmt.Errorf("%w: %w", blob.ErrInvalid, err)
	}
	return filepath.Join(b.folder, local), nil
}

// Put stores a file under its key.
func (b *Blob) Put(ctx context.Context, key string, file blob.File) error {
	path, err := b.path(key)
	if err := errors.Join(ctx.Err(), err, blob.CheckFile(file)); err != nil {
		return fmt.Errorf("folderblob: put: %w", err)
	}
	folder := filepath.Dir(path)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return fmt.Errorf("folderblob: put: %w: %w", blob.ErrUnavailable, err)
	}
	temporary, err := os.CreateTemp(folder, unfinished)
	if err != nil {
		return fmt.Errorf("folderblob: put: %w: %w", blob.ErrUnavailable, err)
	}
	_, err = io.Copy(temporary, file.Content)
	if err = errors.Join(err, temporary.Sync(), temporary.Close(), ctx.Err()); err == nil {
		err = os.Rename(temporary.Name(), path)
	}
	if err != nil {
		_ = os.Remove(temporary.Name())
		return fmt.Errorf("folderblob: put: %w: %w", blob.ErrUnavailable, err)
	}
	return nil
}

// Get opens a file. The result is an io.ReaderAt too. Returns blob.ErrNotFound if there is none.
func (b *Blob) Get(ctx context.Context, key string) (io.ReadCloser, error) {
	path, err := b.path(key)
	if err := errors.Join(ctx.Err(), err); err != nil {
		return nil, fmt.Errorf("folderblob: get: %w", err)
	}
	file, err := os.Open(path)
	if err == nil {
		var info os.FileInfo
		if info, err = file.Stat(); err == nil && !info.Mode().IsRegular() {
			file.Close()
			err = fs.ErrNotExist
		}
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("folderblob: get: %w", blob.ErrNotFound)
	case err != nil:
		return nil, fmt.Errorf("folderblob: get: %w: %w", blob.ErrUnavailable, err)
	}
	return file, nil
}

// GetRange reads a part of a file. Returns blob.ErrNotFound if there is none.
func (b *Blob) GetRange(ctx context.Context, key string, offset, length int64) ([]byte, error) {
	if err := blob.CheckRange(offset, length); err != nil {
		return nil, fmt.Errorf("folderblob: get a range: %w", err)
	}
	file, err := b.Get(ctx, key)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	part := make([]byte, length)
	n, err := file.(io.ReaderAt).ReadAt(part, offset)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("folderblob: get a range: %w: %w", blob.ErrUnavailable, err)
	}
	return part[:n], nil
}

// Delete removes a file, and the folders of its key that are then empty. A missing file is no error.
func (b *Blob) Delete(ctx context.Context, key string) error {
	path, err := b.path(key)
	if err := errors.Join(ctx.Err(), err); err != nil {
		return fmt.Errorf("folderblob: delete: %w", err)
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("folderblob: delete: %w: %w", blob.ErrUnavailable, err)
	}
	for folder := filepath.Dir(path); folder != filepath.Clean(b.folder); folder = filepath.Dir(folder) {
		if os.Remove(folder) != nil {
			break // it has other files
		}
	}
	return nil
}
