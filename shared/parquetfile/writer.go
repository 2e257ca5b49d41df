package parquetfile

import (
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"

	"earshot/shared/analytics/files"
	"earshot/shared/mention"
)

// ContentType is the media type of Parquet files (RFC 9110; registered with IANA).
const ContentType = "application/vnd.apache.parquet"

// Bounds of a group of rows. The writer keeps one group in memory.
const (
	groupRows  = 256_000
	groupBytes = 32 << 20 // of rows before they are encoded
	pageBytes  = 128 << 10
	// dictionaryBytes is when a column of a group is written without a dictionary.
	dictionaryBytes = 4 << 20
)

// A Writer writes a file of mentions. Only Close makes the file complete.
type Writer struct {
	out   *parquet.GenericWriter[row]
	group int // bytes of the group that is not written yet
	rows  int64
	one   [1]row
}

// NewWriter begins a file that is written to out. The same mentions in the same order give the same bytes.
func NewWriter(out io.Writer) *Writer {
	return &Writer{out: parquet.NewGenericWriter[row](
		out,
		parquet.Compression(&zstd.Codec{Level: zstd.SpeedDefault, Concurrency: 1}),
		parquet.MaxRowsPerRowGroup(groupRows),
		parquet.PageBufferSize(pageBytes),
		parquet.DictionaryMaxBytes(dictionaryBytes),
		parquet.SortingWriterConfig(parquet.SortingColumns(
			parquet.Descending(files.PostedAt), parquet.Descending(files.ID),
		)),
		parquet.CreatedBy("earshot", fmt.Sprint(files.Version), ""),
		parquet.KeyValueMetadata(versionKey, fmt.Sprint(files.Version)),
	)}
}

// versionKey names the version of the columns in the metadata of a file.
const versionKey = "earshot.version"

// Write adds a mention. Mentions come newest first: by the time of posting, and then by id.
func (w *Writer) Write(m *mention.Mention) error {
	w.one[0] = fromMention(m)
	if w.group += w.one[0].size(); w.group > groupBytes {
		if err := w.out.Flush(); err != nil {
			return fmt.Errorf("parquetfile: write a group of rows: %w", err)
		}
		w.group = w.one[0].size()
	}
	if _, err := w.out.Write(w.one[:]); err != nil {
		return fmt.Errorf("parquetfile: write a row: %w", err)
	}
	w.rows++
	return nil
}

// Rows returns how many mentions were written.
func (w *Writer) Rows() int64 { return w.rows }

// Close ends the file. It does not close the writer below.
func (w *Writer) Close() error {
	if err := w.out.Close(); err != nil {
		return fmt.Errorf("parquetfile: end a file: %w", err)
	}
	return nil
}
