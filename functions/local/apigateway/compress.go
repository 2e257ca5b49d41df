package apigateway

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"earshot/shared/web"
)

// compressors are reused: each holds some hundred KB.
var compressors = sync.Pool{New: func() any {
	writer, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // the level is a valid one
	return writer
}}

// compress writes the body by gzip if the client takes that, as API Gateway does. It leaves a body that the function
// has encoded itself.
func (a *answer) compress(r *http.Request) {
	if len(a.body) < web.MinCompressed || a.header.Get("Content-Encoding") != "" ||
		!takesGzip(r.Header.Values("Accept-Encoding")) {
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

// takesGzip reports whether Accept-Encoding names gzip or *, with a weight above zero (RFC 9110, section 12.5.3).
func takesGzip(accepted []string) bool {
	whatever := false
	for part := range strings.SplitSeq(strings.Join(accepted, ","), ",") {
		coding, parameters, _ := strings.Cut(part, ";")
		weight := 1.0
		if given, ok := strings.CutPrefix(strings.ReplaceAll(strings.ToLower(parameters), " ", ""), "q="); ok {
			var err error
			if weight, err = strconv.ParseFloat(given, 64); err != nil {
				weight = 0
			}
		}
		switch strings.ToLower(strings.TrimSpace(coding)) {
		case "gzip":
			return weight > 0
		case "*":
			whatever = weight > 0
		}
	}
	return whatever
}
