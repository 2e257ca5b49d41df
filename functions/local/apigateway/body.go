package apigateway

import (
	"errors"
	"io"
	"net/http"
)

// maxBody is API Gateway's limit on a request's body, 10 MB.
const maxBody = 10 << 20

var errTooLarge = errors.New("the body is larger than API Gateway takes")

// readBody reads the body, and at most one byte more than the limit. It closes the connection of a body that is too
// large after the answer, because the rest is still on its way.
func readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	if r.ContentLength > maxBody {
		w.Header().Set("Connection", "close")
		return nil, errTooLarge
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		return nil, errTooLarge
	}
	return body, err
}
