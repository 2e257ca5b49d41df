package apigateway

import (
	"compress/gzip"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// maxBody is API Gateway's limit on a request's body, 10 MB. It holds for the body on the wire and again for the body
// after decompression. A function's own limit is lower.
const maxBody = 10 << 20

var (
	errTooLarge = errors.New("the body is larger than API Gateway takes")
	errCoding   = errors.New("the body is not in the coding that its Content-Encoding names")
)

// readBody reads the body, decompresses it as API Gateway does, and removes the Content-Encoding that it has undone.
// It reads at most one byte more than the limit on either side. Returns errTooLarge and errCoding. It closes the
// connection of such a body after the answer, because the rest is still on its way.
func readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	body, err := readDecoded(w, r)
	if err != nil {
		w.Header().Set("Connection", "close")
	}
	return body, err
}

func readDecoded(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	if r.ContentLength > maxBody {
		return nil, errTooLarge
	}
	wire := &wireReader{from: http.MaxBytesReader(w, r.Body, maxBody)}
	coding := strings.ToLower(strings.TrimSpace(strings.Join(r.Header.Values("Content-Encoding"), ",")))
	if coding == "" || coding == "identity" || r.ContentLength == 0 {
		body, err := io.ReadAll(wire)
		return body, wire.cause(err)
	}
	plain, err := decompress(coding, wire)
	if err == nil {
		var body []byte
		if body, err = io.ReadAll(io.LimitReader(plain, maxBody+1)); err == nil {
			if len(body) > maxBody {
				return nil, errTooLarge
			}
			r.Header.Del("Content-Encoding")
			return body, nil
		}
	}
	if err = wire.cause(err); wire.err == nil {
		err = fmt.Errorf("%w: %w", errCoding, err)
	}
	return nil, err
}

// decompress opens a body in one of the codings that API Gateway supports (AWS, "Supported content codings").
func decompress(coding string, wire io.Reader) (io.Reader, error) {
	switch coding {
	case "gzip":
		return gzip.NewReader(wire)
	case "deflate":
		return zlib.NewReader(wire) // RFC 9110, section 8.4.1.2
	}
	return nil, errCoding
}

// wireReader reads a body from the connection and keeps the connection's error, which a decompressor may replace.
type wireReader struct {
	from io.Reader
	err  error
}

func (w *wireReader) Read(content []byte) (int, error) {
	n, err := w.from.Read(content)
	if err != nil && err != io.EOF {
		w.err = err
	}
	return n, err
}

// cause returns the connection's error, if it had one, in place of the error that it led to.
func (w *wireReader) cause(err error) error {
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(w.err, &tooLarge) {
		return errTooLarge
	}
	if w.err != nil {
		return w.err
	}
	return err
}
