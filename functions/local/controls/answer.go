package controls

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"

	"earshot/shared/web/problem"
)

// write answers a request with a status. There are no CORS headers, because no page is to read it.
func write(w http.ResponseWriter, id string, answer any, err error) (status int) {
	status = http.StatusOK
	if err != nil {
		found := problem.From(err)
		status, answer = found.Status(), found
	}
	body, err := json.Marshal(answer)
	if err != nil {
		panic(fmt.Sprintf("controls: %v", err)) // every answer here marshals
	}
	header := w.Header()
	header.Set("Content-Type", "application/json")
	header.Set("Content-Length", strconv.Itoa(len(body)+1))
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("X-Request-Id", id)
	w.WriteHeader(status)
	w.Write(append(body, '\n')) // a client that has gone is nobody's error
	return status
}
