package apigateway

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"sync"

	"earshot/shared/web"
)

// compressors are reused: each holds some hundred KB.
var compressors = sync.Pool{New: func() any {
	writer, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // the level is a valid one
	return writer
}}

// compress writes the body in gzip if the client names gzip, as API Gateway does. It leaves a body that the function
// has encoded itself, and does not touch ETag and Vary, which are the function's.
func (a *answer) compress(r *http.Request) {
	if !a.hasBody() || len(a.body) < web.MinCompressed || a.header.Get("Content-Encoding") != "" ||
		!web.AcceptsGzip(r.Header) {
		return
	}
	var out bytes.Buffer
	writer := compressors.Get().(*gzip.Writer)
	defer compressors.Put(writer)
	writer.Reset(&out)
	if _, err := writer.Write(a.body); err != nil {
		return // a buffer takes everything: the body goes as it is
	}
	if writer.Close() != nil {
		return
	}
	a.body = out.Bytes()
	a.header.Set("Content-Encoding", "gzip")
}
