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

// A Caller asks one platform. It is safe for concurrent use.
type Caller struct {
	client   *Client
	platform Platform
	pace     *rate.Limiter

	mu    sync.Mutex
	until time.Time // nothing is sent before: the platform asked for it
}

// A Request is what is asked.
type Request struct {
	Method string // GET when empty
	Path   string // escaped, below the platform's base URL
	Query  url.Values
	Header http.Header // Accept says what is expected; whatever it may be when empty
	Body   []byte
}

// An Answer is what came back, decompressed.
type Response struct {
	Status int
	Header http.Header
	Body   []byte // at most Options.MaxBytes
}

// Type is the answer's media type in lowercase, without parameters; empty when it names none.
func (r Response) Type() string {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil {
		return ""
	}
	return kind
}

// JSON asks for JSON and decodes it into out. What has another shape than out is a *source.Unavailable: let out hold
// the items of a page as []json.RawMessage and take them by Each, for one bad item not to cost the others.
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

// Decode reads an answer that should be JSON.
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

// Unexpected is the error for an answer that cannot be used; reason says why, in words of one's own.
func (c *Caller) Unexpected(reason string) *source.Unavailable {
	return &source.Unavailable{Source: c.platform.About.Name, Reason: reason}
}

// Each decodes the items of a page one by one and leaves out those that have another shape.
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

// Do asks and answers a 2xx. Everything else is an error: a *source.Unavailable, or the context's.
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

// send makes the request and reads the answer within its bounds.
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
	body, err := read(in, c.client.maxBytes)
	if err != nil {
		return Response{}, err
	}
	return Response{Status: in.StatusCode, Header: in.Header, Body: body}, nil
}

// read reads at most so many bytes, counted on the wire and again after decompression.
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

// bounded is a reader that fails where too much follows, in place of ending there.
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
