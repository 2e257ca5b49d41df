package diskblob

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"

	"earshot/shared/port/blob"
)

// A stored file is one file on disk, so that its header and its content are replaced together: the length of the header
// in four bytes, big-endian; the header in JSON; the content.
type header struct {
	ContentType string `json:"contentType"`
	Name        string `json:"name"`
	Size        int64  `json:"size"`
}

// maxHeader bounds the header that is read.
const maxHeader = 64 << 10

// A File is a stored file that was opened. Close its content.
type File struct {
	Content     io.ReadSeekCloser
	Size        int64 // bytes of the content
	ContentType string
	Name        string // the name to save it under
}

// write writes a file and sees that it is on the disk.
func write(ctx context.Context, to *os.File, file blob.File) error {
	head, err := json.Marshal(header{file.ContentType, file.Name, file.Size})
	if err != nil {
		return err
	}
	if len(head) > maxHeader {
		return fmt.Errorf("%w: a content type of %d bytes", blob.ErrInvalid, len(file.ContentType))
	}
	if _, err := to.Write(append(binary.BigEndian.AppendUint32(nil, uint32(len(head))), head...)); err != nil {
		return err
	}
	written, err := io.Copy(to, interruptible{ctx, file.Content})
	if err != nil {
		return err
	}
	if written != file.Size {
		return fmt.Errorf("%w: the content had %d bytes, not %d", blob.ErrInvalid, written, file.Size)
	}
	return to.Sync()
}

// interruptible reads until the context ends.
type interruptible struct {
	ctx context.Context
	io.Reader
}

func (r interruptible) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.Reader.Read(p)
}

// open opens a stored file at the start of its content.
func (b *Blob) open(key string) (File, error) {
	file, err := os.Open(b.path(key))
	if err != nil {
		return File{}, err
	}
	opened, err := read(file)
	if err != nil {
		return File{}, errors.Join(err, file.Close())
	}
	return opened, nil
}

func read(file *os.File) (File, error) {
	var length [4]byte
	if _, err := io.ReadFull(file, length[:]); err != nil {
		return File{}, fmt.Errorf("read the header: %w", err)
	}
	size := binary.BigEndian.Uint32(length[:])
	if size > maxHeader {
		return File{}, fmt.Errorf("read the header: it has %d bytes", size)
	}
	text := make([]byte, size)
	if _, err := io.ReadFull(file, text); err != nil {
		return File{}, fmt.Errorf("read the header: %w", err)
	}
	var head header
	if err := json.Unmarshal(text, &head); err != nil {
		return File{}, fmt.Errorf("read the header: %w", err)
	}
	start := int64(len(length)) + int64(size)
	if info, err := file.Stat(); err != nil || info.Size() != start+head.Size {
		return File{}, errors.Join(errors.New("the file was cut off or written to"), err)
	}
	return File{
		Content:     &content{io.NewSectionReader(file, start, head.Size), file},
		Size:        head.Size,
		ContentType: head.ContentType,
		Name:        head.Name,
	}, nil
}

// content is the part of a file behind its header.
type content struct {
	*io.SectionReader
	file *os.File
}

func (c *content) Close() error { return c.file.Close() }

// syncFolder makes a rename durable. Windows has no equivalent and needs none.
func syncFolder(path string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}
