package apigateway

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/aws/aws-lambda-go/events"
)

// What a deployment would state here. The account is the one of AWS's own examples.
const (
	stage     = "local"
	apiID     = "local"
	accountID = "123456789012"
	region    = "us-east-1"
)

// origin is what an event is made from, besides the request.
type origin struct {
	id         string // of the request
	route      Route
	path       string // as the client wrote it
	parameters map[string]string
	body       []byte
	at         time.Time
}

// newEvent makes the REST proxy event. No path has the stage: the laptop serves the API at the root, as a custom
// domain does.
func newEvent(r *http.Request, from origin) events.APIGatewayProxyRequest {
	address := r.RemoteAddr
	if host, _, err := net.SplitHostPort(address); err == nil {
		address = host
	}
	headers := eventHeaders(r, address, from.at)
	query := eventQuery(r.URL.RawQuery)
	body, encoded := string(from.body), false
	if !utf8.Valid(from.body) {
		body, encoded = base64.StdEncoding.EncodeToString(from.body), true
	}
	prefix, _, _ := strings.Cut(r.Host, ".")
	return events.APIGatewayProxyRequest{
		Resource:                        from.route.Path,
		Path:                            from.path,
		HTTPMethod:                      r.Method,
		Headers:                         last(headers),
		MultiValueHeaders:               headers,
		QueryStringParameters:           last(query),
		MultiValueQueryStringParameters: query,
		PathParameters:                  from.parameters,
		RequestContext: events.APIGatewayProxyRequestContext{
			AccountID:         accountID,
			APIID:             apiID,
			ResourceID:        resourceID(from.route.Path),
			ResourcePath:      from.route.Path,
			Stage:             stage,
			DomainName:        r.Host,
			DomainPrefix:      prefix,
			RequestID:         from.id,
			ExtendedRequestID: extendedRequestID(),
			Protocol:          r.Proto,
			Path:              from.path,
			HTTPMethod:        r.Method,
			RequestTime:       from.at.UTC().Format("02/Jan/2006:15:04:05 -0700"),
			RequestTimeEpoch:  from.at.UnixMilli(),
			Identity: events.APIGatewayRequestIdentity{
				SourceIP:  address,
				UserAgent: wellFormed(r.UserAgent()),
			},
		},
		Body:            body,
		IsBase64Encoded: encoded,
	}
}

// rawPath returns the path as the client wrote it, up to the query. It escapes bytes that no URL may hold, because
// events are JSON and cannot carry them.
func rawPath(r *http.Request) string {
	path, _, _ := strings.Cut(r.RequestURI, "?")
	if !strings.HasPrefix(path, "/") && path != "*" {
		// The absolute form that a client uses with a proxy, or a request that did not come over the network.
		if _, afterScheme, absolute := strings.Cut(path, "://"); absolute {
			_, path, _ = strings.Cut(afterScheme, "/")
			path = "/" + path
		} else {
			path = r.URL.EscapedPath()
		}
	}
	var raw strings.Builder
	for i := range len(path) {
		if path[i] < utf8.RuneSelf {
			raw.WriteByte(path[i])
		} else {
			fmt.Fprintf(&raw, "%%%02X", path[i])
		}
	}
	return raw.String()
}

// dropped lists the headers that end at API Gateway: they describe the connection, or a body that arrives in another
// form.
func dropped(name string) bool {
	return slices.Contains([]string{
		"Connection", "Content-Length", "Expect", "Keep-Alive", "Proxy-Connection", "Te", "Trailer",
		"Transfer-Encoding", "Upgrade",
	}, name)
}

// eventHeaders returns the client's headers and those that API Gateway adds. Names are in lower case, as most clients
// of a deployment send them (HTTP/2), except those that API Gateway writes itself. net/http does not tell the case
// that an HTTP/1.1 client used. A function that depends on the case is wrong, and fails here.
func eventHeaders(r *http.Request, address string, at time.Time) map[string][]string {
	headers := make(map[string][]string, len(r.Header)+6)
	for name, values := range r.Header {
		if dropped(name) {
			continue
		}
		own := make([]string, len(values))
		for i, value := range values {
			own[i] = wellFormed(value)
		}
		headers[strings.ToLower(name)] = own
	}
	forwarded := strings.Join(append(headers["x-forwarded-for"], address), ", ")
	traces := headers["x-amzn-trace-id"]
	if len(traces) == 0 {
		traces = []string{traceID(at)}
	}
	port := "80"
	if _, given, err := net.SplitHostPort(r.Host); err == nil {
		port = given
	}
	agents := headers["user-agent"]
	for _, name := range []string{"x-forwarded-for", "x-forwarded-port", "x-forwarded-proto", "x-amzn-trace-id", "user-agent"} {
		delete(headers, name)
	}
	if len(agents) > 0 {
		headers["User-Agent"] = agents
	}
	maps.Copy(headers, map[string][]string{
		"Host":              {r.Host},
		"X-Amzn-Trace-Id":   traces,
		"X-Forwarded-For":   {forwarded},
		"X-Forwarded-Port":  {port},
		"X-Forwarded-Proto": {"http"},
	})
	return headers
}

// eventQuery decodes a query as a REST API does, and returns nil for an empty one. It leaves what does not decode for
// the function to judge. A semicolon is a part of its value (WHATWG, "URL", section 5.1). A REST API splits the value
// there (AWS, "Important notes for REST APIs"), and no function can undo that. A deployment therefore refuses the
// remainder as an unknown parameter, with a message that says to write %3B.
func eventQuery(raw string) map[string][]string {
	var query map[string][]string
	for _, pair := range strings.FieldsFunc(raw, func(r rune) bool { return r == '&' }) {
		name, value, _ := strings.Cut(pair, "=")
		if query == nil {
			query = map[string][]string{}
		}
		name = decode(name)
		query[name] = append(query[name], decode(value))
	}
	return query
}

func decode(text string) string {
	decoded, err := url.QueryUnescape(text)
	if err != nil {
		decoded = text
	}
	return wellFormed(decoded)
}

// last returns each name's last value, and nil without names.
func last(multi map[string][]string) map[string]string {
	if multi == nil {
		return nil
	}
	single := make(map[string]string, len(multi))
	for name, values := range multi {
		single[name] = values[len(values)-1]
	}
	return single
}

// wellFormed replaces what an event, as JSON, cannot hold.
func wellFormed(text string) string { return strings.ToValidUTF8(text, string(utf8.RuneError)) }

// resourceID returns an id like API Gateway's, the same for the same path.
func resourceID(path string) string {
	hash := fnv.New64a()
	hash.Write([]byte(path))
	id := strconv.FormatUint(hash.Sum64(), 36)
	return id[len(id)-6:]
}

// extendedRequestID returns an id like API Gateway's: 15 characters and a padding sign.
func extendedRequestID() string {
	var random [11]byte
	rand.Read(random[:]) // never fails
	return base64.StdEncoding.EncodeToString(random[:])
}

// traceID returns an X-Ray trace header: the time in seconds and 96 random bits, in hexadecimal.
func traceID(at time.Time) string {
	var random [12]byte
	rand.Read(random[:]) // never fails
	return fmt.Sprintf("Root=1-%08x-%s", at.Unix(), hex.EncodeToString(random[:]))
}
