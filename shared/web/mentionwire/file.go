package mentionwire

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"time"
)

// A Format is a format of a file of mentions.
type Format string

// The formats.
const (
	JSON Format = "json" // {"data": [Mention, …], "total": number of mentions}
	// RFC 4180 in UTF-8, without a byte order mark, so that every reader takes the first column's name for id
	CSV Format = "csv"
	// Apache Parquet with the columns of shared/analytics/files. Package parquetfile writes it, not NewFile.
	Parquet Format = "parquet"
)

// ContentType returns the media type of a file.
func (f Format) ContentType() string {
	switch f {
	case CSV:
		return "text/csv; charset=utf-8"
	case Parquet:
		return "application/vnd.apache.parquet" // registered with IANA
	}
	return "application/json"
}

// FileName returns the name to save a file under.
func (f Format) FileName(at time.Time) string {
	return "mentions-" + at.UTC().Format("20060102T150405Z") + "." + string(f)
}

// A File writes mentions one after the other, so that a file of any length takes little memory. It is complete after
// Close.
type File struct {
	out    *bufio.Writer
	format Format
	rows   int
}

// NewFile begins a file of JSON or CSV that is written to out.
func NewFile(out io.Writer, format Format) (*File, error) {
	f := &File{out: bufio.NewWriterSize(out, 64<<10), format: format}
	switch format {
	case JSON:
		f.out.WriteString(`{"data":[`)
	case CSV:
		f.out.Write(appendRecord(nil, Columns()))
	default:
		return nil, fmt.Errorf("mentionwire: unknown format %q", format)
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

// Rows returns how many mentions the file has so far.
func (f *File) Rows() int { return f.rows }

// Close ends the file. It does not close the writer below.
func (f *File) Close() error {
	if f.format == JSON {
		fmt.Fprintf(f.out, "\n],\"total\":%d}\n", f.rows) // the total is only known after the mentions
	}
	return f.out.Flush()
}

// trimmed drops the line end after a value, which an encoder writes together with the value.
type trimmed struct{ io.Writer }

func (t trimmed) Write(p []byte) (int, error) {
	if n := len(p); n > 0 && p[n-1] == '\n' {
		_, err := t.Writer.Write(p[:n-1])
		return n, err
	}
	return t.Writer.Write(p)
}
