package mentionwire

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"time"
)

// A Format is how mentions are written into a file.
type Format string

// The formats.
const (
	JSON Format = "json" // {"data": [Mention, …], "total": number of mentions}
	CSV  Format = "csv"  // RFC 4180 in UTF-8, with no byte order mark, so that the first column's name is id to every reader
)

// ContentType is the media type of a file.
func (f Format) ContentType() string {
	if f == CSV {
		return "text/csv; charset=utf-8"
	}
	return "application/json"
}

// FileName is what a file is saved as.
func (f Format) FileName(at time.Time) string {
	return "mentions-" + at.UTC().Format("20060102T150405Z") + "." + string(f)
}

// A File writes mentions one after the other, so that a file of any length takes little memory. It is whole after Close.
type File struct {
	out    *bufio.Writer
	format Format
	rows   int
}

// NewFile begins a file, which goes to out.
func NewFile(out io.Writer, format Format) (*File, error) {
	f := &File{out: bufio.NewWriterSize(out, 64<<10), format: format}
	switch format {
	case JSON:
		f.out.WriteString(`{"data":[`)
	case CSV:
		f.out.Write(appendRecord(nil, Columns()))
	default:
		return nil, fmt.Errorf("mentionwire: there is no format %q", format)
	}
	return f, nil
}

// Write adds a mention.
func (f *File) Write(m Mention) error {
	f.rows++
	if f.format == CSV {
		_, err := f.out.Write(appendRecord(nil, cells(m)))
		return err
	}
	if f.rows > 1 {
		f.out.WriteByte(',')
	}
	f.out.WriteByte('\n')
	encoder := json.NewEncoder(trimmed{f.out})
	encoder.SetEscapeHTML(false)
	return encoder.Encode(m)
}

// Rows is how many mentions it has.
func (f *File) Rows() int { return f.rows }

// Close ends the file. What it goes to stays open.
func (f *File) Close() error {
	if f.format == JSON {
		fmt.Fprintf(f.out, "\n],\"total\":%d}\n", f.rows) // behind the mentions: before them it is not known
	}
	return f.out.Flush()
}

// trimmed drops the line end that an encoder puts behind a value, which it writes at once.
type trimmed struct{ io.Writer }

func (t trimmed) Write(p []byte) (int, error) {
	if n := len(p); n > 0 && p[n-1] == '\n' {
		_, err := t.Writer.Write(p[:n-1])
		return n, err
	}
	return t.Writer.Write(p)
}
