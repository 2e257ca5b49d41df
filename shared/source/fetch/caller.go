package fetch

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"earshot/shared/source"
)

// A Caller sends requests to one platform. It is safe for concurrent use.
type Caller struct {
	client   *Client
	platform Platform
	pace     *rate.Limiter

	mu    sync.Mutex
	until time.Time // the platform asked for silence until then
}

// A Request is an HTTP request to the platform.
type Request struct {
	Method string // GET if empty
	Path   string // escaped, below the platform's base URL
	Query  url.Values
	Header http.Header // if Accept is empty, any media type may come back
	Body   []byte
}

// A Response is a platform's response, decompressed.
type Response struct {
	Status int
	Header http.Header
	Body   []byte // at most Options.MaxBytes, without a byte order mark
}

// Type returns the response's media type in lowercase, without parameters. It is empty if the response names none.
func (r Response) Type() string {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil {
		return ""
	}
	return kind
}

// JSON requests JSON and decodes it into out. JSON of another shape than out is a *source.Unavailable. Let out hold a
// page's items as []json.RawMessage and decode them with Each, so that one bad item does not cost the others.
func (c *Caller) JSON(ctx context.Context, request Request, out any) (Response, error) {
	header := request.Header.Clone()
	if header == nil {
		header = http.Header{}
	}
	if header.Get("Accept") == "" {
		header.Set("Accept", "application/json")
	}
	request.Header = header
	response, err := c.Do(ctx, request)
	if err != nil {
		return Response{}, err
	}
	return response, c.Decode(response, out)
}

// Decode decodes a response that should be JSON into out.
func (c *Caller) Decode(response Response, out any) error {
	body := bytes.TrimSpace(response.Body)
	switch {
	case len(body) == 0:
		return c.Unexpected("answered nothing where JSON was expected")
	case response.Type() == "text/html" || body[0] == '<':
		return c.Unexpected("answered HTML where JSON was expected")
	}
	err := json.Unmarshal(body, out)
	var shape *json.UnmarshalTypeError
	switch {
	case err == nil && !bytes.Equal(body, []byte("null")):
		return nil
	case err == nil || errors.As(err, &shape):
		return c.Unexpected("answered JSON of another shape than its documentation's")
	case strings.Contains(err.Error(), "unexpected end"):
		unavailable := c.Unexpected("answered JSON that ends in the middle")
		unavailable.Network = true
		return unavailable
	}
	return c.Unexpected("answered what is no JSON")
}

// Unexpected returns the error for a response that cannot be used. reason says why, without quoting the response.
func (c *Caller) Unexpected(reason string) *source.Unavailable {
	return &source.Unavailable{Source: c.platform.About.Name, Reason: reason}
}

// Each decodes the items of a page one by one. It leaves out items of another shape.
func Each[T any](items []json.RawMessage) []T {
	decoded := make([]T, 0, len(items))
	for _, item := range items {
		var one T
		if !bytes.HasPrefix(bytes.TrimSpace(item), []byte("{")) || json.Unmarshal(item, &one) != nil {
			continue
		}
		decoded = append(decoded, one)
	}
	return decoded
}

// Do sends a request and returns a 2xx response. Everything else is an error: a *source.Unavailable or the context's.
func (c *Caller) Do(ctx context.Context, request Request) (Response, error) {
	if err := c.turn(ctx); err != nil {
		return Response{}, err
	}
	response, err := c.send(ctx, request)
	switch {
	case ctx.Err() != nil:
		return Response{}, ctx.Err()
	case err != nil:
		return Response{}, c.failure(err)
	case response.Status/100 == 2:
		return response, nil
	}
	unavailable := c.explain(response)
	c.Hold(unavailable.RetryAfter)
	return Response{}, unavailable
}

// send sends the request and reads the response within its bounds.
func (c *Caller) send(ctx context.Context, request Request) (Response, error) {
	ctx, cancel := context.WithTimeout(ctx, c.client.whole)
	defer cancel()
	target := c.platform.BaseURL + request.Path
	if len(request.Query) > 0 {
		target += "?" + request.Query.Encode()
	}
	method := request.Method
	if method == "" {
		method = http.MethodGet
	}
	out, err := http.NewRequestWithContext(ctx, method, target, bytes.NewReader(request.Body))
	if err != nil {
		return Response{}, errRequest
	}
	for name, values := range request.Header {
		out.Header[name] = values
	}
	out.Header.Set("User-Agent", c.client.agent)
	out.Header.Set("Accept-Encoding", "gzip")
	in, err := c.client.http.Do(out)
	if err != nil {
		return Response{}, err
	}
	defer in.Body.Close()
	if in.StatusCode == http.StatusSwitchingProtocols { // its body is the connection, which no context ends
		return Response{Status: in.StatusCode, Header: in.Header}, nil
	}
	body, err := read(in, c.client.maxBytes)
	if err != nil {
		return Response{}, err
	}
	body = bytes.TrimPrefix(body, []byte("\ufeff")) // JSON allows to ignore the mark (RFC 8259, section 8.1)
	return Response{Status: in.StatusCode, Header: in.Header, Body: body}, nil
}

// read reads at most the given bytes, counted on the wire and again after decompression.
func read(in *http.Response, most int64) ([]byte, error) {
	if in.ContentLength > most {
		return nil, errTooLarge
	}
	wire := &bounded{from: in.Body, left: most}
	var content io.Reader = wire
	if strings.EqualFold(in.Header.Get("Content-Encoding"), "gzip") {
		decompressed, err := gzip.NewReader(wire)
		if errors.Is(err, io.EOF) {
			return nil, nil // an empty body has no gzip header either
		}
		if err != nil {
			return nil, err
		}
		content = &bounded{from: decompressed, left: most}
	}
	return io.ReadAll(content)
}

// bounded is a reader that fails, instead of ending, where its source exceeds the bound.
type bounded struct {
	from io.Reader
	left int64
}

func (b *bounded) Read(into []byte) (int, error) {
	if b.left < 0 {
		return 0, errTooLarge
	}
	if int64(len(into)) > b.left+1 {
		into = into[:b.left+1]
	}
	n, err := b.from.Read(into)
	if b.left -= int64(n); b.left < 0 {
		return n, errTooLarge
	}
	return n, err
}
