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
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/validation"

	"earshot/shared/web/problem"
)

// Huma lets some faults of a request pass and reports others one at a time. The kit finds these itself and keeps them
// in the record until huma has found its own. All come back together.

// readBody reads the body, and at most one byte more than a body may have. inspectBody tells by that byte that a body
// is too large.
func readBody(r *http.Request) ([]byte, error) {
	if r.Body == nil || r.Body == http.NoBody {
		return nil, nil
	}
	return io.ReadAll(io.LimitReader(r.Body, maxBodyBytes+1))
}

// inspectBody reads the body and validates it. It returns the body for the operation to decode: nil if it cannot be
// read, or if the operation takes none. err is only ever the context's.
func (r *route) inspectBody(ctx context.Context, body []byte, contentType string) (
	input []byte, faults []problem.Detail, err error,
) {
	fault := func(code, message string) ([]byte, []problem.Detail, error) {
		return nil, []problem.Detail{{Path: "body", Code: code, Message: message}}, nil
	}
	switch {
	case len(body) > maxBodyBytes:
		return fault("too_large", problem.MessageTooLarge(maxBodyBytes))
	case !r.prepared().hasBody() && r.mutates() && !r.Form && !blankBody(body):
		return fault("unexpected", "This operation takes no body. Send its input in the path and the query.")
	case !r.prepared().hasBody():
		return nil, nil, nil
	case len(body) == 0:
		return fault("required", "The body is missing. Send a JSON body.")
	case contentType != "" && !isJSON(contentType):
		return fault("content_type", "The Content-Type is not JSON. Send the body as application/json.")
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

// blankBody reports whether a body is empty or an object without members. Some clients send such an object with every
// request.
func blankBody(body []byte) bool {
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

// inspectPath finds values that no id can have. Huma accepts any bytes for a string, and "+7" and "07" for 7.
func (r *route) inspectPath(request *http.Request) (faults []problem.Detail) {
	for name, known := range r.prepared().path {
		fault := func(code, message string) {
			faults = append(faults, problem.Detail{Path: "path." + name, Code: code, Message: message})
		}
		switch value := request.PathValue(name); {
		case !utf8.ValidString(value):
			fault("encoding", "The value is not valid UTF-8.")
		case known.integer:
			if code, message := known.faultOf(value); code != "" {
				fault(code, message)
			}
		}
	}
	return faults
}

// maxQueryBytes bounds a query. API Gateway accepts a request line and headers of 10,240 bytes. Each byte may become an
// escape of three bytes here.
const maxQueryBytes = 3 * 10_240

// Messages of integers.
const (
	expectedInteger = "Expected an integer in digits, without a plus sign or leading zeros."
	beyondInteger   = "The number is beyond 2^53-1."
)

// integral reports whether a text is the one spelling of an integer that JSON has. One id then has one address, for
// caches, logs and cursors too.
func integral(text string) bool {
	digits := strings.TrimPrefix(text, "-")
	plain := digits != "" && strings.Trim(digits, "0123456789") == ""
	return plain && (digits[0] != '0' || text == "0")
}

// faultOf says what is wrong with the text of an integer, as far as huma would not say it: huma takes an integer beyond
// 64 bits for no integer. code is empty if nothing is wrong.
func (p parameter) faultOf(text string) (code, message string) {
	if !integral(text) {
		return "type", expectedInteger
	}
	_, err := strconv.ParseInt(text, 10, 64)
	switch negative := text[0] == '-'; {
	case err == nil:
		return "", ""
	case negative && p.least != nil:
		return "minimum", plainly("Expected number >= %v.", *p.least)
	case !negative && p.most != nil:
		return "maximum", plainly("Expected number <= %v.", *p.most)
	}
	return "range", beyondInteger
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
		return []problem.Detail{
			{
				Path:    "query",
				Code:    "syntax",
				Message: "The query string is malformed. Percent-encode its names and values.",
			},
		}
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
			fault(name, "duplicate", "The parameter is given more than once. Give it once.")
		case given[0] == "":
			fault(name, "required", "The parameter is empty. Give it a value or leave it out.")
		case !utf8.ValidString(strings.Join(given, "")):
			fault(name, "encoding", "The value is not valid UTF-8.")
		case known.boolean && given[0] != "true" && given[0] != "false":
			fault(name, "type", "Expected true or false.")
		case known.integer:
			for _, one := range given {
				if code, message := known.faultOf(one); code != "" {
					fault(name, code, message)
				}
			}
		}
	}
	return faults
}

// unknownParameter returns the message for a parameter that the operation does not take. A REST API takes the text
// behind a bare semicolon for another parameter without a value. A value with a semicolon ends up here that way.
func unknownParameter(given []string) string {
	if given[0] == "" {
		return "There is no such query parameter. If it is part of a value, write the semicolon before it as %3B."
	}
	return "There is no such query parameter."
}

// codedMessages are huma's validation texts. Each gets its fault's code and a separator in front, because huma passes
// on a text and nothing else.
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

// undecoded is the code of a body that Go's decoder rejects although no other check found a fault.
const undecoded = "invalid"

// prepareHuma puts our codes into huma's texts and replaces huma's error envelope by ours. Huma keeps both in package
// variables, so a process calls it once.
func prepareHuma() {
	for _, message := range codedMessages {
		*message.text = message.code + codeSeparator + *message.text
	}
	huma.ErrorFormatter = plainly
	huma.ValidateStrictCasing = true
	huma.DefaultArrayNullable = false
	huma.NewError = func(status int, message string, errs ...error) huma.StatusError {
		return newError(context.Background(), status, message, errs...)
	}
	huma.NewErrorWithContext = func(ctx huma.Context, status int, message string, errs ...error) huma.StatusError {
		return newError(ctx.Context(), status, message, errs...)
	}
}

// plainly is fmt.Sprintf that writes a bound of a number in digits, as clients send it, and never with an exponent.
func plainly(format string, args ...any) string {
	for i, arg := range args {
		if bound, ok := arg.(float64); ok {
			args[i] = strconv.FormatFloat(bound, 'f', -1, 64)
		}
	}
	return fmt.Sprintf(format, args...)
}

// newError makes the response of a request that does not validate. Huma calls it.
func newError(ctx context.Context, status int, message string, errs ...error) huma.StatusError {
	record := recordOf(ctx)
	if status >= 500 || record == nil {
		return failed(ctx, &humaError{message, errs})
	}
	faults := slices.Clone(record.faults)
	for _, err := range errs {
		// "Could not be decoded" is no news once a finer fault is known.
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

// invalid orders the faults by path and keeps the first at each path. A map is walked at random, and two finders may
// see one fault. Faults at places of one text are all kept.
func invalid(faults []problem.Detail) *problem.Problem {
	slices.SortStableFunc(faults, func(a, b problem.Detail) int { return strings.Compare(a.Path, b.Path) })
	faults = slices.CompactFunc(faults, func(a, b problem.Detail) bool {
		return a.Path == b.Path && (a.Place == nil || b.Place == nil)
	})
	return problem.Invalid(faults...)
}

// detailOf turns huma's error into the contract's, with the path as the client wrote it.
func detailOf(err error) problem.Detail {
	var located *huma.ErrorDetail
	if detailer, ok := err.(huma.ErrorDetailer); ok {
		located = detailer.ErrorDetail()
	} else {
		return problem.Detail{
			Path:    "body",
			Code:    undecoded,
			Message: "The request does not fit the operation. Compare it with the document.",
		}
	}
	path := located.Location
	if inner, ok := strings.CutPrefix(path, "body."); ok {
		path = inner
	} else if inner, ok := strings.CutPrefix(path, "body["); ok {
		path = "[" + inner
	}
	detail := detailAt(path, located.Message)
	detail.Place, _ = located.Value.(*problem.Place)
	return detail
}

// detailAt turns huma's text, with its code in front, into the contract's detail.
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
		message = "There is no such property. Check its spelling, case included."
	case strings.HasPrefix(message, "expected value to match at least one schema"):
		message = "The property takes no such value. The document lists what it takes, and whether it may be null."
	case path == "body" && code == undecoded:
		// The decoder's own text names Go types.
		message = "The body does not fit the operation. Compare it with the document."
	default:
		message = strings.ToUpper(message[:1]) + message[1:] + "."
	}
	return problem.Detail{Path: path, Code: code, Message: message}
}

// failure is a problem in the form that huma writes.
type failure struct{ *problem.Problem }

// GetStatus returns the HTTP status.
func (f failure) GetStatus() int { return f.Status() }

// failed notes the problem in the request's record, for its log line, and returns it for huma.
func failed(ctx context.Context, err error) huma.StatusError {
	found := problem.From(err)
	if record := recordOf(ctx); record != nil {
		record.problem = found
	}
	return failure{found}
}
