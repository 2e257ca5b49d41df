package runtimeapi

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
)

// maxResponse is the largest response that Lambda passes on: 6 MB, and 100 bytes for its envelope.
const maxResponse = 6*1024*1024 + 100

// An invocation goes to the process as an event and comes back as a result.
type invocation struct {
	id       string
	payload  []byte
	deadline time.Time
	ended    chan result // takes one
}

type result struct {
	payload []byte
	err     error
}

// result returns the invocation's result, if it has come.
func (i *invocation) result() (result, bool) {
	select {
	case answered := <-i.ended:
		return answered, true
	default:
		return result{}, false
	}
}

// api serves the Runtime API, version 2018-06-01. The process is its only client.
func (f *Function) api() http.Handler {
	const base = "/2018-06-01/runtime"
	polled := sync.OnceFunc(func() {
		f.mu.Lock()
		f.timing.Ready = time.Since(f.started)
		f.mu.Unlock()
		close(f.ready)
	})
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+base+"/invocation/next", func(w http.ResponseWriter, r *http.Request) {
		polled()
		f.next(w, r)
	})
	mux.HandleFunc("POST "+base+"/invocation/{id}/response", f.response)
	mux.HandleFunc("POST "+base+"/invocation/{id}/error", f.failure)
	mux.HandleFunc("POST "+base+"/init/error", f.initError)
	return mux
}

// next holds the process's poll until there is an invocation, however long that takes.
func (f *Function) next(w http.ResponseWriter, r *http.Request) {
	select {
	case given := <-f.queue:
		f.mu.Lock()
		f.current = given
		f.mu.Unlock()
		header := w.Header()
		header.Set("Content-Type", "application/json")
		header.Set("Lambda-Runtime-Aws-Request-Id", given.id)
		header.Set("Lambda-Runtime-Deadline-Ms", strconv.FormatInt(given.deadline.UnixMilli(), 10))
		header.Set("Lambda-Runtime-Invoked-Function-Arn", "arn:aws:lambda:"+region+":"+accountID+":function:"+f.name)
		header.Set("Lambda-Runtime-Trace-Id", traceHeader(time.Now()))
		w.Write(given.payload) // a process that has gone is noticed by its exit
	case <-r.Context().Done():
	case <-f.exited:
	}
}

// response takes the answer to an invocation.
func (f *Function) response(w http.ResponseWriter, r *http.Request) {
	if !f.isCurrent(r.PathValue("id")) {
		refuse(w, http.StatusBadRequest, "InvalidRequestID", "no such invocation is under way")
		return
	}
	payload, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxResponse))
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		failed := &Error{
			Type:    "Function.ResponseSizeTooLarge",
			Message: fmt.Sprintf("the response is larger than %d bytes", maxResponse),
		}
		f.end(r.PathValue("id"), result{err: failed})
		refuse(w, http.StatusRequestEntityTooLarge, failed.Type, failed.Message)
		return
	}
	if err != nil { // the process ended while it spoke, which its exit tells
		refuse(w, http.StatusBadRequest, "TruncatedResponse", "the response broke off")
		return
	}
	// A function whose response fails half-way says so in trailers.
	if failedType := r.Trailer.Get("Lambda-Runtime-Function-Error-Type"); failedType != "" {
		body, _ := base64.StdEncoding.DecodeString(r.Trailer.Get("Lambda-Runtime-Function-Error-Body"))
		f.end(r.PathValue("id"), result{err: parseError(body, failedType)})
	} else {
		f.end(r.PathValue("id"), result{payload: payload})
	}
	accept(w)
}

// failure takes the error of an invocation.
func (f *Function) failure(w http.ResponseWriter, r *http.Request) {
	failed, ok := readError(w, r)
	if !ok {
		return
	}
	if !f.end(r.PathValue("id"), result{err: failed}) {
		refuse(w, http.StatusBadRequest, "InvalidRequestID", "no such invocation is under way")
		return
	}
	accept(w)
}

// initError takes the error of a process that cannot start. It is expected to exit then.
func (f *Function) initError(w http.ResponseWriter, r *http.Request) {
	failed, ok := readError(w, r)
	if !ok {
		return
	}
	f.mu.Lock()
	f.init = failed
	f.mu.Unlock()
	accept(w)
}

// isCurrent reports whether the process works on this invocation.
func (f *Function) isCurrent(id string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.current != nil && f.current.id == id
}

// end gives the invocation its result, if the process works on it.
func (f *Function) end(id string, with result) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.current == nil || f.current.id != id {
		return false
	}
	if with.err == nil && f.timing.FirstResponse == 0 {
		f.timing.FirstResponse = time.Since(f.started)
	}
	f.current.ended <- with
	f.current = nil
	return true
}

// readError reads a reported error, or refuses it.
func readError(w http.ResponseWriter, r *http.Request) (*Error, bool) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxResponse))
	if err != nil {
		refuse(w, http.StatusRequestEntityTooLarge, "InvalidErrorShape", "the error cannot be read")
		return nil, false
	}
	return parseError(body, r.Header.Get("Lambda-Runtime-Function-Error-Type")), true
}

// parseError reads an error's body. The type in a header or trailer stands in for a missing one.
func parseError(body []byte, errorType string) *Error {
	var reported struct {
		Type    string `json:"errorType"`
		Message string `json:"errorMessage"`
	}
	if err := json.Unmarshal(body, &reported); err != nil {
		reported.Message = string(body)
	}
	if reported.Type == "" {
		reported.Type = errorType
	}
	if reported.Type == "" {
		reported.Type = "Runtime.UnknownReason"
	}
	return &Error{Type: reported.Type, Message: reported.Message}
}

func accept(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusAccepted)
	io.WriteString(w, `{"status":"OK"}`)
}

func refuse(w http.ResponseWriter, status int, errorType, message string) {
	body, err := json.Marshal(map[string]string{"errorType": errorType, "errorMessage": message})
	if err != nil {
		panic(err) // two strings always marshal
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	w.Write(body)
}

// traceHeader returns an X-Ray tracing header that asks for no sampling.
func traceHeader(now time.Time) string {
	random := uuid.New()
	id := hex.EncodeToString(random[:12])
	parent := strings.ReplaceAll(uuid.NewString(), "-", "")[:16]
	return fmt.Sprintf("Root=1-%08x-%s;Parent=%s;Sampled=0", now.Unix(), id, parent)
}
