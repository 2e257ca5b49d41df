// Package contract checks responses against the contract: what every response has, the error envelope, and what the
// OpenAPI document says of the operation. It reports faults and decides nothing. Tests fail by them
// (shared/worldtest), and the soak (infra/soak) counts them.
//
// Only tests and infra/soak import it. It never runs in a Lambda.
package contract

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// A Document validates responses against an OpenAPI 3.1 document, whose schemas are JSON Schema 2020-12.
type Document struct {
	compiler *jsonschema.Compiler
	paths    map[string]map[string]any

	mu      sync.Mutex
	schemas map[string]*jsonschema.Schema
}

// read caches documents. A test process starts hundreds of services with the same document. It takes milliseconds to
// parse, and its schemas as long again.
var read sync.Map // of *Document, by the document's text

// NewDocument reads a document. A process parses the same text once.
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

// An Operation is an operation in the document.
type Operation struct {
	Method    string // in capitals, as in a request
	Path      string // with its variables: /api/v2/feeds/{id}
	Described map[string]any
}

// Operations returns the operations, sorted by path and method.
func (d *Document) Operations() (operations []Operation) {
	for path, item := range d.paths {
		for method, described := range item {
			if operation, ok := described.(map[string]any); ok && operation["responses"] != nil {
				operations = append(operations, Operation{strings.ToUpper(method), path, operation})
			}
		}
	}
	slices.SortFunc(
		operations, func(a, b Operation) int { return strings.Compare(a.Path+" "+a.Method, b.Path+" "+b.Method) },
	)
	return operations
}

// Faults checks a response to a request of this method and path against the document and returns what is wrong. path is
// escaped. A request that the document does not have must get a 404 or be a preflight. HEAD is checked as GET, where
// the document has no HEAD, and may lack a body.
func (d *Document) Faults(method, path string, answer Answer) (faults []error) {
	wrong := func(format string, args ...any) { faults = append(faults, fmt.Errorf(format, args...)) }
	template := d.Template(path)
	member := d.member(template, method)
	operation, _ := d.paths[template][member].(map[string]any)
	if operation == nil {
		if answer.Status != http.StatusNotFound && answer.Status != http.StatusNoContent {
			wrong("%s %s is not in the document and answers %d", method, path, answer.Status)
		}
		return faults
	}
	responses, _ := operation["responses"].(map[string]any)
	response, _ := responses[strconv.Itoa(answer.Status)].(map[string]any)
	if response == nil {
		wrong("%s %s: the document has no %d: %s", method, template, answer.Status, answer.Body)
		return faults
	}
	headers, _ := response["headers"].(map[string]any)
	for name := range headers {
		optional := name == "Idempotent-Replayed" || name == "X-Total-Count" ||
			answer.Status == http.StatusTooManyRequests
		if answer.Header.Get(name) == "" && !optional {
			wrong("%s %s: %d without the header %s that the document names", method, template, answer.Status, name)
		}
	}
	content, _ := response["content"].(map[string]any)
	media, _, _ := strings.Cut(answer.Header.Get("Content-Type"), ";")
	switch {
	case len(content) == 0 || content["*/*"] != nil || method == http.MethodHead && len(answer.Body) == 0:
		return faults
	case content[media] == nil:
		wrong("%s %s: %d as %q, which the document does not name", method, template, answer.Status, media)
		return faults
	case media != "application/json":
		return faults
	}
	schema, err := d.schema("#/paths/" + escape(template) + "/" + member + "/responses/" +
		strconv.Itoa(answer.Status) + "/content/application~1json/schema")
	if err != nil {
		return append(faults, err)
	}
	body, err := jsonschema.UnmarshalJSON(bytes.NewReader(answer.Body))
	if err != nil {
		wrong("%s %s: %d is not JSON: %s", method, template, answer.Status, answer.Body)
		return faults
	}
	if schema == nil {
		return faults
	}
	if err := schema.Validate(body); err != nil {
		wrong("%s %s: %d does not validate: %v\n%s", method, template, answer.Status, err, answer.Body)
	}
	return faults
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

// member returns the document's name for a request's method. Methods are case-sensitive.
func (d *Document) member(template, method string) string {
	member := strings.ToLower(method)
	switch {
	case method != strings.ToUpper(method):
		return ""
	case method == http.MethodHead && d.paths[template][member] == nil:
		return "get"
	}
	return member
}

// Template returns the document's path that a request's path matches; empty if there is none. A literal segment wins
// over a variable.
func (d *Document) Template(path string) string {
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
