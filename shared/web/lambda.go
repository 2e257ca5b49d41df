package web

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"io"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/aws/aws-lambda-go/events"
)

// LambdaHandler responds to the events of an API Gateway REST API.
type LambdaHandler func(context.Context, events.APIGatewayProxyRequest) (events.APIGatewayProxyResponse, error)

// LambdaHandler returns the handler that a Lambda's main passes to lambda.Start. It responds to every event, and never
// with an error, a panic or an empty response.
func (api *API) LambdaHandler() LambdaHandler {
	return func(ctx context.Context, event events.APIGatewayProxyRequest) (events.APIGatewayProxyResponse, error) {
		request := requestOf(ctx, &event)
		out := &buffer{header: make(http.Header, 20), status: http.StatusOK}
		api.respond(out, request)
		body := out.body.Bytes()
		response := events.APIGatewayProxyResponse{StatusCode: out.status, MultiValueHeaders: out.header}
		if response.IsBase64Encoded = !utf8.Valid(body); response.IsBase64Encoded {
			response.Body = base64.StdEncoding.EncodeToString(body)
		} else {
			response.Body = string(body)
		}
		return response, nil
	}
}

// requestOf turns an event into the request that it was made of, which has its origin (see originOf). It takes
// any event: one that no request can be made of becomes GET / without a host. The request is the one that AWS's
// aws-lambda-go-api-proxy makes, at half its cost: nothing is joined into a URL only to be taken apart.
func requestOf(ctx context.Context, event *events.APIGatewayProxyRequest) *http.Request {
	path, host := escapePath(event.Path), event.RequestContext.DomainName
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	method := cmp.Or(event.HTTPMethod, http.MethodGet)
	target := path + rawQuery(event)
	address, err := url.ParseRequestURI(target)
	if err != nil || !validMethod(method) || !validHost(host) {
		method, host, target, address = http.MethodGet, "", "/", &url.URL{Path: "/"}
	}
	address.Scheme, address.Host = "https", strings.TrimSuffix(host, ":")
	body := []byte(event.Body)
	if event.IsBase64Encoded {
		// an invalid body is served as the text that it is, which is not JSON
		if decoded, err := base64.StdEncoding.DecodeString(event.Body); err == nil {
			body = decoded
		}
	}
	request := &http.Request{
		Method:        method,
		URL:           address,
		Proto:         "HTTP/1.1",
		ProtoMajor:    1,
		ProtoMinor:    1,
		Header:        headerOf(event),
		Body:          http.NoBody,
		ContentLength: int64(len(body)),
		Host:          address.Host,
		RemoteAddr:    event.RequestContext.Identity.SourceIP,
		RequestURI:    target,
	}
	if len(body) > 0 {
		request.Body = io.NopCloser(bytes.NewReader(body))
	}
	return request.WithContext(context.WithValue(ctx, originKey{}, &origin{
		id:       event.RequestContext.RequestID,
		stage:    event.RequestContext.Stage,
		path:     event.RequestContext.Path,
		host:     event.RequestContext.DomainName,
		sourceIP: event.RequestContext.Identity.SourceIP,
	}))
}

// headerOf returns an event's headers. The event has them twice, with all values or with the last of each.
func headerOf(event *events.APIGatewayProxyRequest) http.Header {
	header := make(http.Header, max(len(event.MultiValueHeaders), len(event.Headers)))
	if event.MultiValueHeaders == nil {
		for name, value := range event.Headers {
			header.Add(name, value)
		}
	}
	for name, values := range event.MultiValueHeaders {
		for _, value := range values {
			header.Add(name, value)
		}
	}
	return header
}

// rawQuery removes the query from an event and returns it as it stands behind a path.
func rawQuery(event *events.APIGatewayProxyRequest) string {
	given := url.Values(event.MultiValueQueryStringParameters)
	if len(given) == 0 && len(event.QueryStringParameters) > 0 {
		given = url.Values{}
		for name, value := range event.QueryStringParameters {
			given.Set(name, value)
		}
	}
	event.MultiValueQueryStringParameters, event.QueryStringParameters = nil, nil
	if len(given) == 0 {
		return ""
	}
	return "?" + given.Encode()
}

// escapePath escapes a path so that url.Parse reads it. REST APIs pass on the path as the client escaped it. What is
// escaped stays. A bare percent sign, a question mark and text outside ASCII are escaped here.
func escapePath(path string) string {
	var b strings.Builder // what precedes done
	done := 0
	for i := range len(path) {
		if stands(path, i) {
			continue
		}
		b.WriteString(path[done:i])
		b.WriteByte('%')
		b.WriteByte("0123456789ABCDEF"[path[i]>>4])
		b.WriteByte("0123456789ABCDEF"[path[i]&15])
		done = i + 1
	}
	if done == 0 {
		return path
	}
	b.WriteString(path[done:])
	return b.String()
}

// stands reports whether the byte at i may appear unescaped in an escaped path, or begins an escape.
func stands(path string, i int) bool {
	c := path[i]
	if c == '%' {
		return i+2 < len(path) && isHex(path[i+1]) && isHex(path[i+2])
	}
	return c > ' ' && c < 0x7f && strings.IndexByte("?#\"<>\\^`{|}", c) < 0
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// validMethod reports whether net/http accepts a method: a token of RFC 9110, or an empty one, which means GET.
func validMethod(method string) bool {
	return !strings.ContainsFunc(method, func(c rune) bool {
		return c <= ' ' || c >= 0x7f || strings.ContainsRune("()<>@,;:\\\"/[]?={}", c)
	})
}

// validHost reports whether a URL can name the host. A deployment's host has letters, digits, dots and dashes; only a
// laptop's has more.
func validHost(host string) bool {
	plain := !strings.ContainsFunc(host, func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '.' && c != '-'
	})
	if plain {
		return true
	}
	parsed, err := url.Parse("https://" + host + "/")
	return err == nil && utf8.ValidString(host) && parsed.Host == host
}

// An origin is what the gateway says of a request that came through it.
type origin struct {
	id, stage, host string
	path            string // as the client sent it, with the stage where there is no custom domain
	sourceIP        string // the client's
}

type originKey struct{}

// originOf returns the origin of a request; nil if it did not come through the gateway.
func originOf(ctx context.Context) *origin {
	found, _ := ctx.Value(originKey{}).(*origin)
	return found
}
