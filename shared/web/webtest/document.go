package webtest

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// A Document validates answers by an OpenAPI 3.1 document, whose schemas are JSON Schema 2020-12.
type Document struct {
	compiler *jsonschema.Compiler
	paths    map[string]map[string]any

	mu      sync.Mutex
	schemas map[string]*jsonschema.Schema
}

// read keeps what was read: a test's process starts hundreds of services, all with the one document, which takes milliseconds to read and
// its schemas as long again.
var read sync.Map // of *Document, by the document's text

// NewDocument reads a document. The same text is read once a process.
func NewDocument(openAPI []byte) (*Document, error) {
	if found, ok := read.Load(string(openAPI)); ok {
		return found.(*Document), nil
	}
	document, err := newDocument(openAPI)
	if err != nil {
		return nil, err
	}
	found, _ := read.LoadOrStore(string(openAPI), document)
	return found.(*Document), nil
}

func newDocument(openAPI []byte) (*Document, error) {
	parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(openAPI))
	if err != nil {
		return nil, fmt.Errorf("read the document: %w", err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020)
	compiler.AssertFormat()
	if err := compiler.AddResource("openapi.json", parsed); err != nil {
		return nil, fmt.Errorf("read the document: %w", err)
	}
	d := &Document{compiler: compiler, paths: map[string]map[string]any{}, schemas: map[string]*jsonschema.Schema{}}
	root, _ := parsed.(map[string]any)
	paths, _ := root["paths"].(map[string]any)
	for path, item := range paths {
		d.paths[path], _ = item.(map[string]any)
	}
	return d, nil
}

// validate holds an answer to a documented operation against the document. What the document does not have must be a 404
// or a preflight.
func (d *Document) validate(t testing.TB, method, path string, answer Answer) {
	t.Helper()
	template := d.template(path)
	operation, _ := d.paths[template][strings.ToLower(method)].(map[string]any)
	if operation == nil {
		if answer.Status != 404 && answer.Status != 204 {
			t.Errorf("%s %s is not in the document and answers %d", method, path, answer.Status)
		}
		return
	}
	responses, _ := operation["responses"].(map[string]any)
	response, _ := responses[strconv.Itoa(answer.Status)].(map[string]any)
	if response == nil {
		t.Errorf("%s %s: the document has no %d: %s", method, template, answer.Status, answer.Body)
		return
	}
	headers, _ := response["headers"].(map[string]any)
	for name := range headers {
		optional := name == "Idempotent-Replayed" || name == "X-Total-Count" || answer.Status == 429
		if answer.Header.Get(name) == "" && !optional {
			t.Errorf("%s %s: %d without the header %s that the document names", method, template, answer.Status, name)
		}
	}
	content, _ := response["content"].(map[string]any)
	media, _, _ := strings.Cut(answer.Header.Get("Content-Type"), ";")
	switch {
	case len(content) == 0 || content["*/*"] != nil:
		return
	case content[media] == nil:
		t.Errorf("%s %s: %d as %q, which the document does not name", method, template, answer.Status, media)
		return
	case media != "application/json":
		return
	}
	schema, err := d.schema("#/paths/" + escape(template) + "/" + strings.ToLower(method) + "/responses/" +
		strconv.Itoa(answer.Status) + "/content/application~1json/schema")
	if err != nil {
		t.Fatal(err)
	}
	body, err := jsonschema.UnmarshalJSON(bytes.NewReader(answer.Body))
	if err != nil {
		t.Errorf("%s %s: %d is not JSON: %s", method, template, answer.Status, answer.Body)
		return
	}
	if schema == nil {
		return
	}
	if err := schema.Validate(body); err != nil {
		t.Errorf("%s %s: %d does not validate: %v\n%s", method, template, answer.Status, err, answer.Body)
	}
}

func (d *Document) schema(pointer string) (*jsonschema.Schema, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if schema, ok := d.schemas[pointer]; ok {
		return schema, nil
	}
	schema, err := d.compiler.Compile("openapi.json" + pointer)
	if err != nil {
		return nil, fmt.Errorf("the document's schema at %s: %w", pointer, err)
	}
	d.schemas[pointer] = schema
	return schema, nil
}

// template finds the path of the document that a request's path matches; a literal segment before a variable.
func (d *Document) template(path string) string {
	given, found, literals := strings.Split(path, "/"), "", -1
	for candidate := range d.paths {
		segments := strings.Split(candidate, "/")
		if len(segments) != len(given) {
			continue
		}
		count, matches := 0, true
		for i, segment := range segments {
			switch {
			case strings.HasPrefix(segment, "{"):
				matches = matches && given[i] != ""
			case segment == given[i]:
				count++
			default:
				matches = false
			}
		}
		if matches && count > literals {
			found, literals = candidate, count
		}
	}
	return found
}

// escape writes a path as a token of a JSON pointer in a URL fragment.
func escape(path string) string {
	path = strings.NewReplacer("~", "~0", "/", "~1").Replace(path)
	return strings.NewReplacer("{", "%7B", "}", "%7D").Replace(path)
}
