package apigateway

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"github.com/aws/aws-lambda-go/events"
	"golang.org/x/net/http/httpguts"

	"earshot/shared/web"
)

// maxAnswer is what a Lambda may answer in one piece, 6 MB. The limit is on the whole response as JSON, in which the
// body is a string; a body that exceeds it alone is refused here.
const maxAnswer = 6 << 20

// answer is a function's response after API Gateway's checks.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// newAnswer checks a response. What it refuses, API Gateway calls a malformed Lambda proxy response.
func newAnswer(response events.APIGatewayProxyResponse) (answer, error) {
	if response.StatusCode < 200 || response.StatusCode > 599 {
		return answer{}, fmt.Errorf("status %d", response.StatusCode)
	}
	body := []byte(response.Body)
	if len(body) > maxAnswer/web.MostSent { // a shorter one is not counted: it is within the limit
		if sent := web.Sent(body); sent > maxAnswer {
			return answer{}, fmt.Errorf("a body of %d bytes on its way, over the %d that Lambda passes on", sent, maxAnswer)
		}
	}
	header, err := mergeHeaders(response)
	if err != nil {
		return answer{}, err
	}
	if response.IsBase64Encoded {
		if body, err = base64.StdEncoding.DecodeString(response.Body); err != nil {
			return answer{}, fmt.Errorf("a body that is not base64: %w", err)
		}
	}
	return answer{status: response.StatusCode, header: header, body: body}, nil
}

// mergeHeaders joins the two kinds of headers; a pair that is in both counts once (AWS, "Support for multi-value
// headers and query string parameters").
func mergeHeaders(response events.APIGatewayProxyResponse) (http.Header, error) {
	header := make(http.Header, len(response.MultiValueHeaders)+len(response.Headers))
	add := func(name, value string) error {
		if !httpguts.ValidHeaderFieldName(name) || !httpguts.ValidHeaderFieldValue(value) {
			return fmt.Errorf("header %q: %q", name, value)
		}
		if name = http.CanonicalHeaderKey(name); !dropped(name) {
			header[name] = append(header[name], value)
		}
		return nil
	}
	for name, values := range response.MultiValueHeaders {
		for _, value := range values {
			if err := add(name, value); err != nil {
				return nil, err
			}
		}
	}
	for name, value := range response.Headers {
		if slices.Contains(header[http.CanonicalHeaderKey(name)], value) {
			continue
		}
		if err := add(name, value); err != nil {
			return nil, err
		}
	}
	return header, nil
}

// hasBody reports whether a response with the answer's status may have a body (RFC 9110, section 6.4.1).
func (a answer) hasBody() bool {
	return a.status != http.StatusNoContent && a.status != http.StatusNotModified
}

// write sends the answer to a request with that method.
func (a answer) write(w http.ResponseWriter, method string) {
	header := w.Header()
	for name, values := range a.header {
		header[name] = values
	}
	hasBody := a.hasBody()
	if hasBody && header.Get("Content-Type") == "" {
		header.Set("Content-Type", "application/json") // API Gateway's default
	}
	// The function may answer HEAD with GET's body or with none. Without a body GET's length is unknown.
	if hasBody && (method != http.MethodHead || len(a.body) > 0) {
		header.Set("Content-Length", strconv.Itoa(len(a.body)))
	}
	w.WriteHeader(a.status)
	if hasBody && method != http.MethodHead {
		w.Write(a.body) // a client that has gone is nobody's error
	}
}
