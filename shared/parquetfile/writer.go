package parquetfile

import (
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"

	"earshot/shared/analytics/files"
	"earshot/shared/filter"
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
	out   encoder
	words bool // whether rows have the words of their texts
	group int  // bytes of the group that is not written yet
	rows  int64
}

// An encoder writes rows as Parquet.
type encoder interface {
	// write adds the row of a mention.
	write(dayRow, *mention.Mention) error
	Flush() error
	Close() error
}

// NewWriter begins a day file that is written to out. The same mentions in the same order give the same bytes.
func NewWriter(out io.Writer) *Writer {
	return &Writer{out: &dayEncoder{GenericWriter: parquet.NewGenericWriter[dayRow](out, options()...)}, words: true}
}

// NewExportWriter begins an export that is written to out, with files.ExportColumns.
func NewExportWriter(out io.Writer) *Writer {
	return &Writer{out: &exportEncoder{GenericWriter: parquet.NewGenericWriter[exportRow](out, options()...)}}
}

func options() []parquet.WriterOption {
	return []parquet.WriterOption{
		parquet.Compression(&zstd.Codec{Level: zstd.SpeedDefault, Concurrency: 1}),
		parquet.MaxRowsPerRowGroup(groupRows),
		parquet.PageBufferSize(pageBytes),
		parquet.DictionaryMaxBytes(dictionaryBytes),
		parquet.SortingWriterConfig(parquet.SortingColumns(
			parquet.Descending(files.PostedAt), parquet.Descending(files.ID),
		)),
		parquet.CreatedBy("earshot", fmt.Sprint(files.Version), ""),
		parquet.KeyValueMetadata(versionKey, fmt.Sprint(files.Version)),
	}
}

// dayEncoder writes rows of day files.
type dayEncoder struct {
	*parquet.GenericWriter[dayRow]
	one [1]dayRow
}

func (e *dayEncoder) write(r dayRow, _ *mention.Mention) error {
	e.one[0] = r
	_, err := e.Write(e.one[:])
	return err
}

// exportEncoder writes rows of exports.
type exportEncoder struct {
	*parquet.GenericWriter[exportRow]
	one [1]exportRow
}

func (e *exportEncoder) write(r dayRow, m *mention.Mention) error {
	e.one[0] = exported(r.row, m)
	_, err := e.Write(e.one[:])
	return err
}

// versionKey names the version of the columns in the metadata of a file.
const versionKey = "earshot.version"

// Write adds a mention. Mentions come newest first: by the time of posting, and then by id.
func (w *Writer) Write(m *mention.Mention) error {
	one := dayRow{row: fromMention(m)}
	if w.words {
		one.Words = given(filter.Words(m.Title, m.Body))
	}
	if w.group += one.size(m); w.group > groupBytes {
		if err := w.out.Flush(); err != nil {
			return fmt.Errorf("parquetfile: write a group of rows: %w", err)
		}
		w.group = one.size(m)
	}
	if err := w.out.write(one, m); err != nil {
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
