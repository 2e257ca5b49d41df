package store

import (
	stdbytes "bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"sync"

	klauspost "github.com/klauspost/compress/gzip"
)

// Packed returns a large value as rows store it: JSON in gzip.
func Packed(value any) ([]byte, error) {
	content, err := json.Marshal(value)
	if err != nil {
		return nil, fmt.Errorf("write a value as JSON: %w", err)
	}
	return Deflated(content)
}

// Unpack decodes what Packed returned.
func Unpack(content []byte, into any) error {
	text, err := Inflated(content)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("read a value of JSON: %w", err)
	}
	return nil
}

// deflaters keeps compressors for reuse. A compressor without state between writes makes values as large as those of
// the fastest level of compress/gzip, and touches a quarter of its memory. The default level makes them a tenth
// smaller. The memory counts in a process that has just started.
var deflaters = sync.Pool{New: func() any {
	writer, err := klauspost.NewWriterLevel(nil, klauspost.StatelessCompression)
	if err != nil {
		panic(err) // there is this level
	}
	return writer
}}

// Deflated compresses content with gzip.
func Deflated(content []byte) ([]byte, error) {
	var out stdbytes.Buffer
	writer := deflaters.Get().(*klauspost.Writer)
	defer deflaters.Put(writer)
	writer.Reset(&out)
	if _, err := writer.Write(content); err != nil {
		return nil, fmt.Errorf("compress a value: %w", err)
	}
	if err := writer.Close(); err != nil {
		return nil, fmt.Errorf("compress a value: %w", err)
	}
	return out.Bytes(), nil
}

// Inflated undoes Deflated.
func Inflated(content []byte) ([]byte, error) {
	reader, err := gzip.NewReader(stdbytes.NewReader(content))
	if err != nil {
		return nil, fmt.Errorf("decompress a value: %w", err)
	}
	text, err := io.ReadAll(reader)
	if err != nil {
		return nil, fmt.Errorf("decompress a value: %w", err)
	}
	return text, nil
}
