// Package static holds files that are served unchanged: scripts, styles, pictures. The address of a file is made of its
// content, so that a cache may keep it for ever and a page never meets a file of another version. A deployment writes
// the files to a folder, compressed.
//
// The function discovery, which has pages, imports it, and infra, which builds the deployment.
package static

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// CacheControl lets any cache keep a file under its address for a year, without asking again (RFC 8246).
const CacheControl = "public, max-age=31536000, immutable"

// A File is one file.
type File struct {
	Name        string // as its author wrote it: "page.js"
	Address     string // with its content's digest: "page.3f1c0f0e8d1b4d3b.js"
	ContentType string
	// Integrity is its digest as pages state it, by which a browser runs nothing else under the file's address (W3C,
	// Subresource Integrity).
	Integrity string
	Content   []byte
}

// types are the content types of the files that pages have. Those of a machine's own tables differ.
var types = map[string]string{
	".css":   "text/css; charset=utf-8",
	".js":    "text/javascript; charset=utf-8",
	".svg":   "image/svg+xml",
	".woff2": "font/woff2",
}

// Files are those of one page, by name.
type Files []File

// Read reads the named files of a folder. Returns an error that wraps fs.ErrNotExist if one is missing, and an error if
// the type of one is unknown.
func Read(folder fs.FS, names ...string) (Files, error) {
	files := make(Files, 0, len(names))
	for _, name := range names {
		content, err := fs.ReadFile(folder, name)
		if err != nil {
			return nil, fmt.Errorf("static: %w", err)
		}
		extension := path.Ext(name)
		contentType, known := types[extension]
		if !known {
			return nil, fmt.Errorf("static: %s has a type that is not served; add %q to the types", name, extension)
		}
		digest, integrity := sha256.Sum256(content), sha512.Sum384(content)
		files = append(files, File{
			Name: name,
			Address: strings.TrimSuffix(
				path.Base(name),
				extension,
			) + "." + hex.EncodeToString(
				digest[:8],
			) + extension,
			ContentType: contentType,
			Integrity:   "sha384-" + base64.StdEncoding.EncodeToString(integrity[:]),
			Content:     content,
		})
	}
	return files, nil
}

// Named returns the file with this name or address, and whether there is one.
func (f Files) Named(name string) (File, bool) {
	for _, file := range f {
		if name == file.Name || name == file.Address {
			return file, true
		}
	}
	return File{}, false
}

// Write makes a folder hold the files under their addresses, compressed by gzip, and nothing else. The same files give
// the same bytes.
func (f Files) Write(folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("static: %w", err)
	}
	for _, file := range f {
		var compressed bytes.Buffer
		writer, err := gzip.NewWriterLevel(&compressed, gzip.BestCompression)
		if err != nil {
			return fmt.Errorf("static: %w", err)
		}
		if _, err := writer.Write(file.Content); err != nil {
			return fmt.Errorf("static: compress %s: %w", file.Name, err)
		}
		if err := writer.Close(); err != nil {
			return fmt.Errorf("static: compress %s: %w", file.Name, err)
		}
		if err := os.WriteFile(filepath.Join(folder, file.Address), compressed.Bytes(), 0o644); err != nil {
			return fmt.Errorf("static: %w", err)
		}
	}
	return f.clear(folder)
}

// clear removes what is in the folder besides the files: those of an earlier build.
func (f Files) clear(folder string) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return fmt.Errorf("static: %w", err)
	}
	for _, entry := range entries {
		if file, ok := f.Named(entry.Name()); ok && file.Address == entry.Name() {
			continue
		}
		if err := os.Remove(filepath.Join(folder, entry.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("static: %w", err)
		}
	}
	return nil
}
