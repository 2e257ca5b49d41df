package web

import (
	"context"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
)

// A FormRequest is a request to an operation that follows another standard than the contract, such as OAuth. The kit validates
// nothing of it.
type FormRequest struct {
	Query    url.Values
	Body     url.Values // of a form; nil if Fault says why
	JSON     []byte     // of a JSON body
	Header   http.Header
	SourceIP string // the client's address as the gateway knows it; empty if unknown
	Fault    string // why the query or the body cannot be read, as a sentence; empty: nothing is wrong
}

// A Field is a parameter of a FormRequest, for the document.
type Field struct {
	Name, Meaning string
	Required      bool
}

// maxFormBytes bounds a body. OAuth's parameters are short.
const maxFormBytes = 32 << 10

// RegisterForm adds a public operation that reads a query, a form or JSON by itself, and whose errors have another form
// than the envelope. op.Answers lists its responses, errors too. fields are parameters of the query of a GET, and of the
// form of a POST.
func RegisterForm(api *API, op Operation, fields []Field, handle func(context.Context, *FormRequest) (*Bytes, error)) {
	op.ownErrors = true
	added := &route{Operation: op, form: handle}
	api.routes = append(api.routes, added)
	api.mux.Handle(op.Method+" "+op.Path, added)
	if !api.document {
		return
	}
	described := &huma.Operation{
		OperationID: op.ID,
		Method:      op.Method,
		Path:        op.Path,
		Tags:        []string{op.Group},
		Summary:     op.Summary,
		Description: op.Description,
		Responses:   map[string]*huma.Response{},
	}
	if op.Method == http.MethodGet {
		for _, field := range fields {
			described.Parameters = append(described.Parameters, &huma.Param{
				Name: field.Name, In: "query", Description: field.Meaning, Required: field.Required,
				Schema: &huma.Schema{Type: huma.TypeString},
			})
		}
	} else {
		described.RequestBody = api.formBody(op, fields)
	}
	api.all.huma.OpenAPI().AddOperation(described)
	api.all.adapter.lastOp = described
	api.describe(added)
}

// formBody describes the body of a POST: op.Takes as JSON, or a form.
func (api *API) formBody(op Operation, fields []Field) *huma.RequestBody {
	if op.Takes != nil {
		schema := api.all.huma.OpenAPI().Components.Schemas.Schema(reflect.TypeOf(op.Takes), true, "")
		return &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{"application/json": {Schema: schema}}}
	}
	schema := &huma.Schema{Type: huma.TypeObject, Properties: map[string]*huma.Schema{}}
	for _, field := range fields {
		schema.Properties[field.Name] = &huma.Schema{Type: huma.TypeString, Description: field.Meaning}
		if field.Required {
			schema.Required = append(schema.Required, field.Name)
		}
	}
	return &huma.RequestBody{
		Required: true, Content: map[string]*huma.MediaType{"application/x-www-form-urlencoded": {Schema: schema}},
	}
}

// addForms adds an operation's own responses to those of the envelope.
func addForms(response, own *huma.Response) {
	response.Description = own.Description + "\n\n" + response.Description
	for contentType, form := range own.Content {
		if envelope := response.Content[contentType]; envelope != nil {
			envelope.Schema = &huma.Schema{AnyOf: []*huma.Schema{form.Schema, envelope.Schema}}
			continue
		}
		response.Content[contentType] = form
	}
}

// runForm calls an operation of RegisterForm.
func (r *route) runForm(out *buffer, request *http.Request, record *record) error {
	form, err := formOf(request, r.Method)
	if err != nil {
		return fmt.Errorf("read the body: %w", err)
	}
	record.entered = time.Now()
	answer, err := r.form(request.Context(), form)
	if err != nil {
		return err
	}
	out.Header().Set("Content-Type", answer.ContentType)
	out.Write(answer.Body)
	if record.status != 0 {
		out.status = record.status
	}
	return nil
}

// formOf reads the query, and the body of a POST.
func formOf(request *http.Request, method string) (*FormRequest, error) {
	form := &FormRequest{Header: request.Header}
	if from := originOf(request.Context()); from != nil {
		form.SourceIP = from.sourceIP
	}
	var err error
	if form.Query, err = url.ParseQuery(request.URL.RawQuery); err != nil {
		form.Fault = "The query string is malformed. Percent-encode its names and values."
	}
	if method != http.MethodPost {
		return form, nil
	}
	body, err := readBody(request)
	if err != nil {
		return nil, err
	}
	media, _, _ := mime.ParseMediaType(request.Header.Get("Content-Type"))
	switch {
	case len(body) > maxFormBytes:
		form.Fault = fmt.Sprintf("The body has more than %d bytes. Send less.", maxFormBytes)
	case isJSON(request.Header.Get("Content-Type")):
		form.JSON = body
	case media != "application/x-www-form-urlencoded":
		form.Fault = "The Content-Type is not application/x-www-form-urlencoded. Send the parameters as a form."
	default:
		if form.Body, err = url.ParseQuery(string(body)); err != nil {
			form.Body, form.Fault = nil, "The form is malformed. Percent-encode its names and values."
		}
	}
	return form, nil
}

// SetCode names what went wrong in the request's log line, where the response has another form than the envelope.
func SetCode(ctx context.Context, code string) {
	if record := recordOf(ctx); record != nil {
		record.code = strings.ToUpper(code)
	}
}
