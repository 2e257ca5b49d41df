package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/aws/aws-lambda-go/events"
)

// written is a response as it is printed: a JSON body is printed as JSON.
type written struct {
	Status  int               `json:"statusCode"`
	Headers map[string]string `json:"headers"`
	Body    any               `json:"body"`
}

// write prints a response as JSON for people to read.
func write(to io.Writer, response events.APIGatewayProxyResponse) error {
	body := response.Body
	if response.IsBase64Encoded {
		decoded, err := base64.StdEncoding.DecodeString(body)
		if err != nil {
			return fmt.Errorf("the function's body is not base64: %w", err)
		}
		body = string(decoded)
	}
	out := written{Status: response.StatusCode, Headers: map[string]string{}, Body: body}
	if json.Valid([]byte(body)) {
		out.Body = json.RawMessage(body)
	}
	for name, value := range response.Headers {
		out.Headers[name] = value
	}
	for name, values := range response.MultiValueHeaders {
		out.Headers[name] = strings.Join(values, ", ")
	}
	return writeJSON(to, out)
}

func writeJSON(to io.Writer, answer any) error {
	encoder := json.NewEncoder(to)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(answer)
}
