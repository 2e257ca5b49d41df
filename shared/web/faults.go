package web

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/validation"

	"earshot/shared/web/problem"
)

// The kit itself finds the faults of a request that huma would let pass or answer one at a time. They wait in the record
// until huma has found its own, so that all come back together.

// readBody reads the body and one byte more than it may have.
func readBody(r *http.Request) ([]byte, error) {
	if r.Body == nil {
		return nil, nil
	}
	return io.ReadAll(io.LimitReader(r.Body, maxBodyBytes+1))
}

// inspectBody reads the body and validates it. It returns the body as the operation is to decode it: nil if it cannot
// be read at all, or is not asked for. Its error is the context's.
func (r *route) inspectBody(ctx context.Context, body []byte, contentType string) (
	input []byte, faults []problem.Detail, err error,
) {
	fault := func(path, code, message string) ([]byte, []problem.Detail, error) {
		return nil, []problem.Detail{{Path: path, Code: code, Message: message}}, nil
	}
	switch {
	case len(body) > maxBodyBytes:
		return fault("body", "too_large", "The body holds more than 1 MiB.")
	case !r.prepared().hasBody() && r.mutates() && !nothing(body):
		return fault("body", "unexpected", "The operation takes no body: what it is told stands in its path and its query.")
	case !r.prepared().hasBody():
		return nil, nil, nil
	case len(body) == 0:
		return fault("body", "required", "A JSON body is required.")
	case contentType != "" && !isJSON(contentType):
		return fault("body", "content_type", "Send the body as Content-Type: application/json.")
	}
	doc, err := readJSON(ctx, body)
	if err != nil || doc.tree == nil {
		return nil, doc.faults, err
	}
	validator := validator{ctx: ctx, registry: r.prepared().registry, faults: doc.faults}
	tree := validator.value(r.prepared().body, doc.tree)
	if validator.err != nil {
		return nil, nil, validator.err
	}
	if doc.rewrite || validator.cut {
		if rewritten, err := json.Marshal(tree); err == nil {
			body = rewritten
		}
	}
	return body, validator.faults, nil
}

// nothing reports whether a body says nothing: it is empty, or an object without members, as some clients send one in
// any case.
func nothing(body []byte) bool {
	body = bytes.TrimSpace(body)
	inside, isObject := bytes.CutPrefix(body, []byte("{"))
	return len(body) == 0 || isObject && string(bytes.TrimSpace(inside)) == "}"
}

func isJSON(contentType string) bool {
	media, parameters, err := mime.ParseMediaType(contentType)
	if err != nil || media != "application/json" && !strings.HasSuffix(media, "+json") {
		return false
	}
	charset, named := parameters["charset"]
	return !named || strings.EqualFold(charset, "utf-8")
}

// inspectPath finds what cannot be an id of anything: huma takes any bytes for a string, and "+7" and "07" for 7.
func (r *route) inspectPath(request *http.Request) (faults []problem.Detail) {
	for name, known := range r.prepared().path {
		fault := func(code, message string) {
			faults = append(faults, problem.Detail{Path: "path." + name, Code: code, Message: message})
		}
		switch value := request.PathValue(name); {
		case !utf8.ValidString(value):
			fault("encoding", "The value is not valid UTF-8.")
		case known.integer && !integral(value):
			fault("type", expectedInteger)
		}
	}
	return faults
}

// maxQueryBytes bounds a query. API Gateway takes a request line and headers of 10,240 bytes; each may become an escape
// of three here.
const maxQueryBytes = 3 * 10_240

const expectedInteger = "Expected an integer in digits, without a plus sign or leading zeros."

// integral reports whether a text is the one spelling of an integer: that of JSON. An id has a single address, so that
// caches, logs and cursors take it for one thing.
func integral(text string) bool {
	digits := strings.TrimPrefix(text, "-")
	plain := digits != "" && strings.Trim(digits, "0123456789") == ""
	return plain && (digits[0] != '0' || text == "0")
}

func (r *route) inspectQuery(rawQuery string) (faults []problem.Detail) {
	if rawQuery == "" {
		return nil
	}
	if len(rawQuery) > maxQueryBytes {
		message := fmt.Sprintf("The query string has more than %d bytes. Send less at once.", maxQueryBytes)
		return []problem.Detail{{Path: "query", Code: "too_large", Message: message}}
	}
	values, err := url.ParseQuery(rawQuery)
	if err != nil {
		return []problem.Detail{{Path: "query", Code: "syntax", Message: "The query string is malformed."}}
	}
	fault := func(name, code, message string) {
		if !utf8.ValidString(name) {
			name = strings.ToValidUTF8(name, "\uFFFD")
		}
		faults = append(faults, problem.Detail{Path: "query." + name, Code: code, Message: message})
	}
	for name, given := range values {
		known, ok := r.prepared().query[name]
		switch {
		case !ok:
			fault(name, "unknown", unknownParameter(given))
		case len(given) > 1 && !known.list:
			fault(name, "duplicate", "The parameter is given more than once.")
		case given[0] == "":
			fault(name, "required", "The parameter is empty.")
		case !utf8.ValidString(strings.Join(given, "")):
			fault(name, "encoding", "The value is not valid UTF-8.")
		case known.boolean && given[0] != "true" && given[0] != "false":
			fault(name, "type", "Expected true or false.")
		case known.integer && slices.ContainsFunc(given, func(one string) bool { return !integral(one) }):
			fault(name, "type", expectedInteger)
		}
	}
	return faults
}

// unknownParameter is what to say of a parameter that the operation does not take. A REST API takes the text behind a
// bare semicolon for another parameter, without a value, which is how a value with a semicolon gets here.
func unknownParameter(given []string) string {
	if given[0] == "" {
		return "There is no such query parameter. Where it is a part of a value, write the semicolon before it as %3B."
	}
	return "There is no such query parameter."
}

// codedMessages are huma's validation texts, each behind the code of its fault and a separator: huma hands on a text
// and nothing else.
var codedMessages = []struct {
	code string
	text *string
}{
	{"unknown", &validation.MsgUnexpectedProperty},
	{"required", &validation.MsgExpectedRequiredProperty},
	{"required", &validation.MsgExpectedDependentRequiredProperty},
	{"type", &validation.MsgExpectedBoolean},
	{"type", &validation.MsgExpectedNumber},
	{"type", &validation.MsgExpectedInteger},
	{"type", &validation.MsgExpectedString},
	{"type", &validation.MsgExpectedArray},
	{"type", &validation.MsgExpectedObject},
	{"type", &validation.MsgExpectedMatchAtLeastOneSchema},
	{"type", &validation.MsgExpectedMatchExactlyOneSchema},
	{"enum", &validation.MsgExpectedOneOf},
	{"minimum", &validation.MsgExpectedMinimumNumber},
	{"minimum", &validation.MsgExpectedExclusiveMinimumNumber},
	{"maximum", &validation.MsgExpectedMaximumNumber},
	{"maximum", &validation.MsgExpectedExclusiveMaximumNumber},
	{"multiple_of", &validation.MsgExpectedNumberBeMultipleOf},
	{"min_length", &validation.MsgExpectedMinLength},
	{"max_length", &validation.MsgExpectedMaxLength},
	{"pattern", &validation.MsgExpectedBePattern},
	{"pattern", &validation.MsgExpectedMatchPattern},
	{"min_items", &validation.MsgExpectedMinItems},
	{"max_items", &validation.MsgExpectedMaxItems},
	{"unique", &validation.MsgExpectedArrayItemsUnique},
	{"min_properties", &validation.MsgExpectedMinProperties},
	{"max_properties", &validation.MsgExpectedMaxProperties},
	{"format", &validation.MsgExpectedRFC3339DateTime},
	{"format", &validation.MsgExpectedRFC3339Date},
	{"format", &validation.MsgExpectedRFC3986URI},
	{"format", &validation.MsgExpectedRFC5322Email},
}

const codeSeparator = "\x00"

// undecoded is the code of a body that no finer finder objected to and that Go's decoder does not take all the same.
const undecoded = "invalid"

// prepareHuma puts our codes into huma's texts and our envelope in the place of its own. Huma keeps both in variables of
// its packages, so this happens once in a process.
func prepareHuma() {
	for _, message := range codedMessages {
		*message.text = message.code + codeSeparator + *message.text
	}
	huma.ValidateStrictCasing = true
	huma.DefaultArrayNullable = false
	huma.NewError = func(status int, message string, errs ...error) huma.StatusError {
		return newError(context.Background(), status, message, errs...)
	}
	huma.NewErrorWithContext = func(ctx huma.Context, status int, message string, errs ...error) huma.StatusError {
		return newError(ctx.Context(), status, message, errs...)
	}
}

// newError is what huma calls when a request does not validate.
func newError(ctx context.Context, status int, message string, errs ...error) huma.StatusError {
	record := recordOf(ctx)
	if status >= 500 || record == nil {
		return failed(ctx, &humaError{message, errs})
	}
	faults := slices.Clone(record.faults)
	for _, err := range errs {
		// That the body could not be decoded says nothing once it is known why.
		if found := detailOf(err); found.Code != undecoded || len(faults) == 0 {
			faults = append(faults, found)
		}
	}
	if len(errs) == 0 && len(faults) == 0 {
		faults = append(faults, problem.Detail{Path: "body", Code: "syntax", Message: message})
	}
	return failed(ctx, invalid(faults))
}

type humaError struct {
	message string
	errs    []error
}

func (e *humaError) Error() string   { return "huma: " + e.message }
func (e *humaError) Unwrap() []error { return e.errs }

// invalid orders the faults by place and keeps the first that was found at each: a map is walked at random, and two
// finders may see one fault.
func invalid(faults []problem.Detail) *problem.Problem {
	slices.SortStableFunc(faults, func(a, b problem.Detail) int { return strings.Compare(a.Path, b.Path) })
	faults = slices.CompactFunc(faults, func(a, b problem.Detail) bool { return a.Path == b.Path })
	return problem.Invalid(faults...)
}

// detailOf turns huma's error into the contract's: the path as the client wrote it, and a code.
func detailOf(err error) problem.Detail {
	var located *huma.ErrorDetail
	if detailer, ok := err.(huma.ErrorDetailer); ok {
		located = detailer.ErrorDetail()
	} else {
		return problem.Detail{Path: "body", Code: undecoded, Message: "The request does not fit the operation."}
	}
	path := located.Location
	if inner, ok := strings.CutPrefix(path, "body."); ok {
		path = inner
	} else if inner, ok := strings.CutPrefix(path, "body["); ok {
		path = "[" + inner
	}
	return detailAt(path, located.Message)
}

// detailAt turns a text of huma's, behind the code of its fault, into the contract's.
func detailAt(path, coded string) problem.Detail {
	code, message, found := strings.Cut(coded, codeSeparator)
	if !found {
		code, message = undecoded, coded
	}
	switch {
	case strings.HasPrefix(message, "required "):
		code, message = "required", "The parameter is required."
	case message == "invalid integer", message == "invalid float", message == "invalid boolean":
		code, message = "type", "Expected"+strings.TrimPrefix(message, "invalid")+"."
	case code == "unknown":
		message = "There is no such property."
	case strings.HasPrefix(message, "expected value to match at least one schema"):
		// Of our types, it is those that may be null.
		message = "Expected a value of the property's kind, or null: the document says which values it takes."
	case path == "body" && code == undecoded:
		// The decoder's own text names Go types.
		message = "The body does not fit the operation."
	default:
		message = strings.ToUpper(message[:1]) + message[1:] + "."
	}
	return problem.Detail{Path: path, Code: code, Message: message}
}

// failure is a problem as huma writes it.
type failure struct{ *problem.Problem }

// GetStatus is the HTTP status.
func (f failure) GetStatus() int { return f.Status() }

// failed notes the problem in the record of the request, for its log line, and hands it to huma.
func failed(ctx context.Context, err error) huma.StatusError {
	found := problem.From(err)
	if record := recordOf(ctx); record != nil {
		record.problem = found
	}
	return failure{found}
}
