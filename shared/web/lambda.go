package web

import (
	"cmp"
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/aws/aws-lambda-go/events"
	"github.com/awslabs/aws-lambda-go-api-proxy/core"
)

// LambdaHandler responds to the events of an API Gateway REST API.
type LambdaHandler func(context.Context, events.APIGatewayProxyRequest) (events.APIGatewayProxyResponse, error)

// LambdaHandler returns the handler that a Lambda's main passes to lambda.Start. It responds to every event, and never
// with an error, a panic or an empty response.
func (api *API) LambdaHandler() LambdaHandler {
	var accessor core.RequestAccessor
	return func(ctx context.Context, event events.APIGatewayProxyRequest) (events.APIGatewayProxyResponse, error) {
		event.Path = escapePath(event.Path) + rawQuery(&event)
		if event.IsBase64Encoded && !validBase64(event.Body) {
			event.IsBase64Encoded = false // an invalid body is served as the text that it is, which is not JSON
		}
		if !validMethod(event.HTTPMethod) || !validHost(event.RequestContext.DomainName) {
			event.HTTPMethod, event.RequestContext.DomainName = http.MethodGet, ""
			event.Path = "/"
		}
		request, err := accessor.EventToRequestWithContext(ctx, event)
		if err != nil {
			return core.GatewayTimeout(), fmt.Errorf("read an event: %w", err)
		}
		// The accessor capitalizes the method, but "get" is not GET.
		request.Method = cmp.Or(event.HTTPMethod, http.MethodGet)
		response := core.NewProxyResponseWriter()
		api.ServeHTTP(response, request)
		return response.GetProxyResponse()
	}
}

// rawQuery removes the query from an event and returns it as it stands behind a path. The adapter would write it
// itself, in quadratic time, and before anyone has looked at the key.
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

func validBase64(body string) bool {
	_, err := base64.StdEncoding.DecodeString(body)
	return err == nil
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

// eventOf returns the request context of the event that a request came with.
func eventOf(ctx context.Context) (events.APIGatewayProxyRequestContext, bool) {
	return core.GetAPIGatewayContextFromContext(ctx)
}
