package stage

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"

	"github.com/aws/aws-lambda-go/events"

	"earshot/functions/discovery"
	"earshot/functions/local/apigateway"
	"earshot/functions/local/deployment"
	"earshot/shared/port/clock"
	"earshot/shared/worldtest"
)

func title(name string) string { return strings.ToUpper(name[:1]) + name[1:] }

// newGateway is an API Gateway whose functions are processes.
func (s *stage) newGateway() http.Handler {
	s.t.Helper()
	handlers := map[string]apigateway.Handler{}
	for id, f := range s.functions {
		handlers[id] = func(ctx context.Context, event events.APIGatewayProxyRequest) (answer events.APIGatewayProxyResponse,
			err error) {
			payload, err := json.Marshal(event)
			if err != nil {
				return answer, err
			}
			content, err := f.invoke(ctx, payload)
			if err != nil {
				return answer, err
			}
			return answer, json.Unmarshal(content, &answer)
		}
	}
	routes, err := deployment.Routes(discovery.OpenAPI(), handlers)
	s.must(err)
	return apigateway.New(routes,
		apigateway.Options{Clock: clock.System{}, Log: slog.New(slog.NewTextHandler(s.t.Output(), nil))})
}

// client asks the gateway by HTTP with a key; every answer is held against the served document.
func (s *stage) client(token string) worldtest.Client {
	s.t.Helper()
	document, err := worldtest.NewDocument(discovery.OpenAPI())
	s.must(err)
	server := httptest.NewServer(s.gateway)
	s.t.Cleanup(server.Close)
	return worldtest.Client{Document: document, Token: token, Handler: func(ctx context.Context,
		event events.APIGatewayProxyRequest) (answer events.APIGatewayProxyResponse, err error) {
		target := server.URL + event.Path
		if query := url.Values(event.MultiValueQueryStringParameters).Encode(); query != "" {
			target += "?" + query
		}
		request, err := http.NewRequestWithContext(ctx, event.HTTPMethod, target, strings.NewReader(event.Body))
		if err != nil {
			return answer, err
		}
		request.Header = event.MultiValueHeaders
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			return answer, err
		}
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		if err != nil {
			return answer, err
		}
		if response.Header.Get("X-Request-Id") == "" {
			return answer, fmt.Errorf("%d without X-Request-Id: %s", response.StatusCode, body)
		}
		// The gateway gave the request an id of its own.
		response.Header.Set("X-Request-Id", event.RequestContext.RequestID)
		return events.APIGatewayProxyResponse{
			StatusCode:        response.StatusCode,
			MultiValueHeaders: response.Header,
			Body:              string(body),
		}, nil
	}}
}

// fetch gets what a link leads to.
func (s *stage) fetch(link string) string {
	s.t.Helper()
	response, err := http.Get(link)
	s.must(err)
	defer response.Body.Close()
	var content bytes.Buffer
	_, err = content.ReadFrom(response.Body)
	s.must(err)
	if response.StatusCode != http.StatusOK {
		s.t.Fatalf("the link answers %s: %s", response.Status, content.String())
	}
	return content.String()
}
