package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"earshot/shared/web/problem"
)

// ServerPlaceholder is the service root in the pre-built document. The server replaces it with the real one.
const ServerPlaceholder = "https://earshot.invalid"

// describe completes what huma derived of an operation from its types: scope, credentials, the headers of every
// response, and each code that the operation can return, by status.
func (api *API) describe(added *route) {
	op := api.all.adapter.lastOp
	op.Extensions = map[string]any{"x-function": added.Group}
	if added.Public {
		op.Security = []map[string][]string{} // an empty list says that no credential is needed
	} else {
		op.Security = []map[string][]string{{securityScheme: {}}}
		op.Extensions["x-required-scope"] = added.needs().String()
		if added.Agency {
			op.Extensions["x-master-key"] = true
		} else {
			op.Parameters = append(op.Parameters, reference("OrganizationId"))
		}
	}
	if added.Agents {
		op.Extensions["x-agents-plan"] = true
	}
	if added.Flag != "" {
		op.Extensions["x-feature-flag"] = added.Flag
	}
	if added.mutates() && !added.Public {
		op.Parameters = append(op.Parameters, reference("IdempotencyKey"))
	}
	if added.IfMatch {
		op.Parameters = append(op.Parameters, reference("IfMatch"))
	}
	if added.ETag && !added.mutates() {
		op.Parameters = append(op.Parameters, reference("IfNoneMatch"))
		op.Responses["304"] = &huma.Response{
			Description: "The client already has this version.",
			Headers:     headers("X-Request-Id", "Server-Timing", "ETag"),
		}
	}
	delete(op.Responses, "default")
	if len(added.Answers) > 0 {
		api.describeAnswers(op, added.Answers)
	}
	for status, response := range op.Responses {
		if status[0] != '2' {
			if own, stated := answerHeaders(added.Answers, status); stated {
				response.Headers = headers(append([]string{"X-Request-Id", "Server-Timing"}, own...)...)
			}
			continue
		}
		names := []string{"X-Request-Id", "Server-Timing"}
		if !added.Public && !added.Uncounted {
			names = append(
				names, "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "RateLimit",
				"RateLimit-Policy",
			)
		}
		if added.ETag {
			names = append(names, "ETag")
		}
		if added.replays() {
			names = append(names, "Idempotent-Replayed")
		}
		own, _ := answerHeaders(added.Answers, status)
		response.Headers = headers(append(append(names, added.Headers...), own...)...)
		if added.ContentType != "" {
			schema := &huma.Schema{Type: huma.TypeString}
			if added.ContentType == "application/json" {
				schema.Type = huma.TypeObject
			}
			response.Content = map[string]*huma.MediaType{added.ContentType: {Schema: schema}}
		}
		if example := added.Example; example != nil {
			response.Content["application/json"].Example = example
		}
	}
	for status, codes := range byStatus(added.codes()) {
		response := errorResponse(status, codes)
		if own := op.Responses[strconv.Itoa(status)]; own != nil { // of added.Answers
			addForms(response, own)
		}
		op.Responses[strconv.Itoa(status)] = response
	}
}

// describeAnswers replaces the one response form that huma saw with all forms.
func (api *API) describeAnswers(op *huma.Operation, answers []Answer) {
	delete(op.Responses, "200")
	for _, form := range answers {
		status := strconv.Itoa(form.Status)
		response := op.Responses[status]
		if response == nil {
			response = &huma.Response{Content: map[string]*huma.MediaType{}}
			op.Responses[status] = response
		}
		if response.Description != "" {
			response.Description += "\n\n"
		}
		response.Description += form.Meaning
		if form.ContentType == "" {
			continue // the answer has no body
		}
		response.Content[form.ContentType] = &huma.MediaType{
			Schema:  api.all.huma.OpenAPI().Components.Schemas.Schema(reflect.TypeOf(form.Body), true, ""),
			Example: form.Body,
		}
	}
}

// answerHeaders returns the headers of the forms of a status. stated is false if no form has it.
func answerHeaders(answers []Answer, status string) (names []string, stated bool) {
	for _, form := range answers {
		if strconv.Itoa(form.Status) == status {
			return form.Headers, true
		}
	}
	return nil, false
}

// codes lists all codes that an operation can return, including the gateway's.
func (o Operation) codes() []problem.Code {
	if o.ownErrors {
		gateway := []problem.Code{problem.ValidationError, problem.Forbidden, problem.RateLimited, problem.InternalError}
		return append(gateway, o.Codes...)
	}
	codes := append(
		[]problem.Code{
			problem.ValidationError, problem.InvalidInput, problem.Forbidden, problem.RateLimited,
			problem.InternalError,
		},
		o.Codes...)
	if o.Public {
		return codes
	}
	codes = append(codes, problem.Unauthorized, problem.AgencyInactive, problem.ForbiddenOrganization)
	if o.Agency {
		codes = append(codes, problem.MasterKeyRequired)
	} else {
		codes = append(codes, problem.OrganizationRequired)
	}
	if !o.Agents {
		codes = append(codes, problem.UpgradeRequired)
	}
	if o.IfMatch {
		codes = append(codes, problem.FeedFilterWriteConflict)
	}
	if o.Flag != "" {
		codes = append(codes, problem.FeatureDisabled)
	}
	if o.replays() {
		codes = append(codes, problem.IdempotencyKeyReused, problem.IdempotencyKeyInUse)
	}
	return codes
}

// byStatus groups codes, each group in the order of the catalogue.
func byStatus(codes []problem.Code) map[int][]problem.Entry {
	grouped := map[int][]problem.Entry{}
	for _, entry := range problem.Catalogue() {
		if slices.Contains(codes, entry.Code) {
			grouped[entry.Status] = append(grouped[entry.Status], entry)
		}
	}
	return grouped
}

// errorResponse describes the responses of one status: the envelope, with these codes and no others.
func errorResponse(status int, entries []problem.Entry) *huma.Response {
	var plain []any
	var variants []*huma.Schema
	examples := map[string]*huma.Example{}
	meanings := make([]string, 0, len(entries))
	for _, entry := range entries {
		meanings = append(meanings, fmt.Sprintf("`%s`: %s", entry.Code, entry.Meaning))
		examples[string(entry.Code)] = &huma.Example{Value: exampleOf(entry)}
		if len(entry.Fields) > 0 {
			variants = append(variants, &huma.Schema{Ref: "#/components/schemas/" + schemaName(entry)})
		} else {
			plain = append(plain, string(entry.Code))
		}
	}
	if len(plain) > 0 {
		variants = append(variants, &huma.Schema{AllOf: []*huma.Schema{
			{Ref: "#/components/schemas/Error"},
			{Type: huma.TypeObject, Properties: map[string]*huma.Schema{"error": {
				Type: huma.TypeObject,
				Properties: map[string]*huma.Schema{
					"code":   {Type: huma.TypeString, Enum: plain},
					"status": {Type: huma.TypeInteger, Enum: []any{status}},
				},
			}}},
		}})
	}
	schema := variants[0]
	if len(variants) > 1 {
		schema = &huma.Schema{OneOf: variants}
	}
	names := []string{"X-Request-Id", "Server-Timing"}
	switch status {
	case http.StatusTooManyRequests:
		names = append(
			names, "Retry-After", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "RateLimit",
			"RateLimit-Policy",
		)
	case http.StatusUnauthorized:
		names = append(names, "WWW-Authenticate")
	}
	return &huma.Response{
		Description: strings.Join(meanings, "\n\n"),
		Headers:     headers(names...),
		Content:     map[string]*huma.MediaType{"application/json": {Schema: schema, Examples: examples}},
	}
}

// schemaName returns the schema's name for a code with members of its own: "ValidationError" for VALIDATION_ERROR.
func schemaName(entry problem.Entry) string {
	var name strings.Builder
	for word := range strings.SplitSeq(strings.ToLower(string(entry.Code)), "_") {
		name.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return name.String()
}

func exampleOf(entry problem.Entry) any {
	shown := problem.New(entry.Code, "%s", entry.Meaning)
	for _, field := range entry.Fields {
		switch field {
		case "details":
			shown = problem.Invalid(
				problem.Detail{Path: "query.page", Code: "unknown", Message: "There is no such query parameter."},
			)
		case "upgradeUrl":
			shown.With(field, ServerPlaceholder+"/upgrade")
		case "upgradeCommand":
			shown.With(field, upgradeCommand)
		case "suggestion":
			shown.With(field, "acme")
		case "alternatives":
			shown.With(field, []string{"acme cloud"})
		case "excludeWords":
			shown.With(field, []string{"cartoon"})
		}
	}
	return shown
}

const securityScheme = "apiKey"

func reference(name string) *huma.Param {
	return &huma.Param{Ref: "#/components/parameters/" + name}
}

func headers(names ...string) map[string]*huma.Param {
	refs := map[string]*huma.Param{}
	for _, name := range names {
		refs[name] = &huma.Param{Ref: "#/components/headers/" + name}
	}
	return refs
}

// OpenAPI returns the OpenAPI 3.1 document of all registered operations, in the same bytes every time. groups describes
// each group of operations.
func (api *API) OpenAPI(description string, groups map[string]string) ([]byte, error) {
	doc := api.all.huma.OpenAPI()
	doc.Info = &huma.Info{
		Title:       "Earshot",
		Version:     Version,
		Description: description,
		License:     &huma.License{Name: "Apache-2.0", Identifier: "Apache-2.0"},
	}
	doc.Servers = []*huma.Server{{URL: ServerPlaceholder}}
	doc.Components.SecuritySchemes = map[string]*huma.SecurityScheme{securityScheme: {
		Type: "http", Scheme: "bearer", BearerFormat: "es_<key id>_<secret>",
		Description: "An API key of the workspace, or an agency's master key.",
	}}
	for _, group := range api.groups() {
		doc.Tags = append(doc.Tags, &huma.Tag{Name: group, Description: groups[group]})
	}
	doc.Components.Parameters = sharedParameters()
	doc.Components.Headers = sharedHeaders()
	schemas := doc.Components.Schemas.Map()
	delete(schemas, "Failure")
	for name, schema := range errorSchemas(api.codes()) {
		schemas[name] = schema
	}
	for _, schema := range schemas {
		undescribed(schema)
	}
	for _, path := range doc.Paths {
		for _, op := range []*huma.Operation{path.Get, path.Post, path.Patch, path.Delete} {
			if op != nil {
				for _, parameter := range op.Parameters {
					undescribed(parameter.Schema)
				}
			}
		}
	}
	raw, err := json.Marshal(doc)
	if err != nil {
		return nil, fmt.Errorf("write the OpenAPI document: %w", err)
	}
	var out bytes.Buffer
	if err := json.Indent(&out, raw, "", " "); err != nil {
		return nil, fmt.Errorf("write the OpenAPI document: %w", err)
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

// undescribed removes huma's descriptions of patterns, which serve its messages and are no keyword of a schema.
func undescribed(schema *huma.Schema) {
	if schema == nil {
		return
	}
	schema.PatternDescription = ""
	undescribed(schema.Items)
	for _, property := range schema.Properties {
		undescribed(property)
	}
}

// groups returns the groups in the document, sorted.
func (api *API) groups() (names []string) {
	for _, route := range api.routes {
		if !route.Unlisted && !slices.Contains(names, route.Group) {
			names = append(names, route.Group)
		}
	}
	slices.Sort(names)
	return names
}

// codes returns the codes that any operation in the document can return.
func (api *API) codes() (codes []problem.Code) {
	for _, route := range api.routes {
		if !route.Unlisted {
			codes = append(codes, route.Operation.codes()...)
		}
	}
	return codes
}

// errorSchemas describes the envelope: once for all codes without members of their own, and once for each other code in
// use.
func errorSchemas(used []problem.Code) map[string]*huma.Schema {
	text := func(description string) *huma.Schema {
		return &huma.Schema{Type: huma.TypeString, Description: description}
	}
	texts := &huma.Schema{Type: huma.TypeArray, Items: text("")}
	fields := map[string]*huma.Schema{
		"upgradeUrl":     text("URL of the upgrade page."),
		"upgradeCommand": text("CLI command that mints a single-use authenticated link to the upgrade page."),
		"suggestion":     text("The keyword without its operators. Track it instead."),
		"alternatives":   texts,
		"excludeWords":   texts,
		"details": {Type: huma.TypeArray, MinItems: pointer(1), MaxItems: pointer(problem.MaxListed),
			Description: "The faults of the request. If they are very many, the first of them.", Items: &huma.Schema{
				Type: huma.TypeObject, AdditionalProperties: false, Required: []string{"path", "code", "message"},
				Properties: map[string]*huma.Schema{
					"path": text("Place of the fault, as the client wrote it: `emails[3]`, `query.limit`, `path.id`. " +
						"A path of more than 256 bytes is returned without its middle."),
					"code":    text("Kind of the fault. It is stable."),
					"message": text("The fault, for people to read."),
					"position": {Type: huma.TypeInteger, Minimum: pointer(0.0),
						Description: "In a text with a syntax: how many characters (Unicode code points) are before the fault."},
					"length": {Type: huma.TypeInteger, Minimum: pointer(0.0),
						Description: "With position: how many characters the fault has."},
					"suggestion": text("With position: what to write there, if something is near."),
				},
			}},
	}
	envelope := func(codes []any, statuses []any, own []string) *huma.Schema {
		properties := map[string]*huma.Schema{
			"code":    {Type: huma.TypeString, Enum: codes},
			"message": text("The fact and the remedy, for people to read. The text may change."),
			"status":  {Type: huma.TypeInteger, Enum: statuses, Description: "The HTTP status."},
		}
		required := []string{"code", "message", "status"}
		for _, name := range own {
			properties[name] = fields[name]
			required = append(required, name)
		}
		return &huma.Schema{
			Type: huma.TypeObject, AdditionalProperties: false, Required: []string{"error"},
			Properties: map[string]*huma.Schema{"error": {
				Type: huma.TypeObject, AdditionalProperties: false, Required: required, Properties: properties,
			}},
		}
	}
	schemas := map[string]*huma.Schema{}
	var codes, statuses []any
	for _, entry := range problem.Catalogue() {
		if len(entry.Fields) > 0 {
			if !slices.Contains(used, entry.Code) {
				continue
			}
			schemas[schemaName(entry)] = envelope([]any{string(entry.Code)}, []any{entry.Status}, entry.Fields)
			continue
		}
		codes = append(codes, string(entry.Code))
		if !slices.Contains(statuses, any(entry.Status)) {
			statuses = append(statuses, entry.Status)
		}
	}
	schemas["Error"] = envelope(codes, statuses, nil)
	return schemas
}

func sharedParameters() map[string]*huma.Param {
	return map[string]*huma.Param{
		"OrganizationId": {
			Name:        headerOrganization,
			In:          "header",
			Schema:      &huma.Schema{Type: huma.TypeString},
			Description: "The workspace to act in. An agency's master key must name one. Any other key may name its own.",
		},
		"IdempotencyKey": {
			Name: "Idempotency-Key",
			In:   "header",
			Schema: &huma.Schema{
				Type:      huma.TypeString,
				MinLength: pointer(1),
				MaxLength: pointer(maxKeyBytes),
				Pattern:   "^[ -~]+$",
			},
			Description: "For 24 hours the same key with the same request has one effect and gets one response, if both " +
				"come with the same API key or grant. " +
				"An operation that only reads validates the key and stores nothing, so it sends no Idempotent-Replayed.",
		},
		"IfNoneMatch": {Name: "If-None-Match", In: "header", Schema: &huma.Schema{Type: huma.TypeString},
			Description: "The ETag of the client's version. If it is current, the response is a 304."},
		"IfMatch": {
			Name:        "If-Match",
			In:          "header",
			Schema:      &huma.Schema{Type: huma.TypeString, Pattern: `^(\*|(W/)?"[!#-~]*"( *, *(W/)?"[!#-~]*")*)$`},
			Description: "The ETag of the version to change. Another version is not changed.",
		},
	}
}

func sharedHeaders() map[string]*huma.Param {
	header := func(kind, description string) *huma.Param {
		return &huma.Param{Description: description, Schema: &huma.Schema{Type: kind}}
	}
	return map[string]*huma.Param{
		"X-Request-Id": header(huma.TypeString, "Id of this request in the logs."),
		"Server-Timing": header(
			huma.TypeString,
			"Durations in milliseconds: auth, handler (if the endpoint was reached), total, and durations of the endpoint.",
		),
		"X-RateLimit-Limit":     header(huma.TypeInteger, "Requests that a workspace can make in an hour."),
		"X-RateLimit-Remaining": header(huma.TypeInteger, "Requests left in the window."),
		"X-RateLimit-Reset":     header(huma.TypeInteger, "Unix second when the window ends: the top of the UTC hour."),
		"RateLimit":             header(huma.TypeString, "The rate limit in the form of the IETF draft."),
		"RateLimit-Policy":      header(huma.TypeString, "The policy that RateLimit applies."),
		"Retry-After":           header(huma.TypeInteger, "Seconds to wait before the next request."),
		"WWW-Authenticate": header(
			huma.TypeString,
			"A challenge: the URL of the metadata of RFC 9728, and as scope what the operation needs.",
		),
		searchesRemaining: header(huma.TypeInteger, "How many searches the workspace has left. On a plan that has no "+
			"number of searches for life: how many requests it has left in the hour."),
		mentionsRemaining:     header(huma.TypeInteger, "How many mentions the workspace has left this month."),
		"X-Total-Count":       header(huma.TypeInteger, "Rows of the export, once the export is completed."),
		"Location":            header(huma.TypeString, "URL to poll for progress, URL of the file, or where a browser goes."),
		"Content-Disposition": header(huma.TypeString, "A file name to save the file with."),
		"ETag":                header(huma.TypeString, "The version of the resource in the response."),
		"Idempotent-Replayed": header(huma.TypeString, "true if this is the stored response to an earlier request."),
	}
}

func pointer[T any](value T) *T { return &value }
