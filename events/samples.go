// Package events holds what reaches the functions from outside: samples of what can be asked of them, in the form in
// which AWS delivers it, in testdata/<function>/<name>.json. Samples feed a Lambda's handler by hand and in tests. They
// are complete, made up after AWS's documentation, and hold no secret: where a key belongs stands KeyPlaceholder;
// addresses are those that RFC 5737 keeps for documentation.
package events

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/aws/aws-lambda-go/events"
)

// KeyPlaceholder stands in the samples where the caller's API key belongs.
const KeyPlaceholder = "${EARSHOT_KEY}"

//go:embed testdata
var samples embed.FS

// Sample reads the REST proxy event with that name for a function: Sample("mentions", "get") is
// testdata/mentions/get.json. The error for one that does not exist lists those that do.
func Sample(function, name string) (events.APIGatewayProxyRequest, error) {
	content, err := samples.ReadFile("testdata/" + function + "/" + name + ".json")
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid) {
		return events.APIGatewayProxyRequest{}, unknown(function, name)
	}
	if err != nil {
		return events.APIGatewayProxyRequest{}, fmt.Errorf("read sample %s of %s: %w", name, function, err)
	}
	var event events.APIGatewayProxyRequest
	if err := json.Unmarshal(content, &event); err != nil {
		return events.APIGatewayProxyRequest{}, fmt.Errorf("read sample %s of %s: %w", name, function, err)
	}
	return event, nil
}

// Names lists a function's samples in alphabetical order; none when the function has no samples.
func Names(function string) []string {
	var names []string
	for _, entry := range entries("testdata/" + function) {
		if name, found := strings.CutSuffix(entry.Name(), ".json"); found {
			names = append(names, name)
		}
	}
	return names
}

// WithKey is the event with the caller's key in the place of KeyPlaceholder. The event given stays as it is.
func WithKey(event events.APIGatewayProxyRequest, key string) events.APIGatewayProxyRequest {
	headers := make(map[string]string, len(event.Headers))
	for name, value := range event.Headers {
		headers[name] = strings.ReplaceAll(value, KeyPlaceholder, key)
	}
	multi := make(map[string][]string, len(event.MultiValueHeaders))
	for name, values := range event.MultiValueHeaders {
		for _, value := range values {
			multi[name] = append(multi[name], strings.ReplaceAll(value, KeyPlaceholder, key))
		}
	}
	event.Headers, event.MultiValueHeaders = headers, multi
	return event
}

func unknown(function, name string) error {
	if names := Names(function); names != nil {
		return fmt.Errorf("%s has no sample %q; it has: %s", function, name, strings.Join(names, ", "))
	}
	var functions []string
	for _, entry := range entries("testdata") {
		functions = append(functions, entry.Name())
	}
	return fmt.Errorf("there are no samples for %q; there are for: %s", function, strings.Join(functions, ", "))
}

// entries is what a folder holds; nothing when there is no such folder.
func entries(folder string) []fs.DirEntry {
	found, err := samples.ReadDir(folder)
	if err != nil {
		return nil
	}
	return found
}
