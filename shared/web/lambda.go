package web

import (
	"context"
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/aws/aws-lambda-go/events"
	"github.com/awslabs/aws-lambda-go-api-proxy/core"
	"github.com/awslabs/aws-lambda-go-api-proxy/httpadapter"
)

// A LambdaHandler answers the events of an API Gateway REST API.
type LambdaHandler func(context.Context, events.APIGatewayProxyRequest) (events.APIGatewayProxyResponse, error)

// LambdaHandler is what a Lambda's main hands to lambda.Start. It answers every event: no error, no panic and no empty
// answer leaves it.
func (api *API) LambdaHandler() LambdaHandler {
	adapter := httpadapter.New(api)
	return func(ctx context.Context, event events.APIGatewayProxyRequest) (events.APIGatewayProxyResponse, error) {
		event.Path = escapePath(event.Path)
		if event.IsBase64Encoded && !validBase64(event.Body) {
			event.IsBase64Encoded = false // it is what it says: a body that is not JSON
		}
		if !validMethod(event.HTTPMethod) || !validHost(event.RequestContext.DomainName) {
			event.HTTPMethod, event.RequestContext.DomainName = http.MethodGet, ""
			event.Path = "/"
		}
		return adapter.ProxyWithContext(ctx, event)
	}
}

// escapePath makes a path one that url.Parse reads as it stands. REST APIs hand on the path as the client escaped it; what
// cannot stand in an escaped path (a bare percent sign, a question mark, text outside ASCII) is escaped here, and what is
// escaped already stays.
func escapePath(path string) string {
	var b strings.Builder
	for i := 0; i < len(path); i++ {
		c := path[i]
		switch {
		case c == '%' && i+2 < len(path) && isHex(path[i+1]) && isHex(path[i+2]):
			b.WriteByte(c)
		case c <= ' ' || c >= 0x7f || strings.IndexByte("%?#\"<>\\^`{|}", c) >= 0:
			b.WriteByte('%')
			b.WriteByte("0123456789ABCDEF"[c>>4])
			b.WriteByte("0123456789ABCDEF"[c&15])
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

func validBase64(body string) bool {
	_, err := base64.StdEncoding.DecodeString(body)
	return err == nil
}

func validMethod(method string) bool {
	_, err := http.NewRequest(method, "/", nil)
	return err == nil
}

func validHost(host string) bool {
	parsed, err := url.Parse("https://" + host + "/")
	return err == nil && utf8.ValidString(host) && parsed.Host == host
}

// eventOf is the request context of the event that a request came with.
func eventOf(ctx context.Context) (events.APIGatewayProxyRequestContext, bool) {
	return core.GetAPIGatewayContextFromContext(ctx)
}
