package mcp

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"earshot/shared/web"
	"earshot/shared/web/problem"
	"earshot/shared/workspace"
)

// widest returns the scope of the tool that needs most. A request without a token is told to ask for it at once: the
// official client for JavaScript, as long as it has a refresh token, cannot ask for more later. The person may grant less.
var widest = sync.OnceValue(func() (most workspace.Scope) {
	for _, t := range tools {
		for _, id := range t.Operations {
			most = max(most, generatedOperations()[id].Scope)
		}
	}
	return most
})

// maxBody is how many bytes a message may have, as the bodies of REST.
const maxBody = 1 << 20

// A turn is one request on its way through the SDK to a tool.
type turn struct {
	server  *server
	request *http.Request
	caller  web.Verified
	lacks   *lacking // set if the call needs a larger scope
	fault   error    // set if the server failed in a call
}

// lacking says which scope a call needs.
type lacking struct {
	scope   workspace.Scope
	problem json.RawMessage // the members of the API's error
	message string
}

type turnKey struct{}

// serve takes a request through the checks to the SDK: host and origin, key, form, revision.
func (s *server) serve(w http.ResponseWriter, r *http.Request) error {
	if err := s.checkSender(r); err != nil {
		return err
	}
	caller, err := s.Verify(r)
	if err != nil {
		if p := problem.From(err); p.Code == problem.Unauthorized {
			challenge := []string{}
			if r.Header.Get("Authorization") != "" {
				challenge = append(challenge, `error="invalid_token"`)
			}
			web.SetHeader(r.Context(), "WWW-Authenticate", authenticate(r.Context(), widest(), challenge...))
		}
		return err
	}
	if err := web.Enter(r, caller); err != nil {
		return err
	}
	body, err := readBody(r)
	if err != nil {
		return err
	}
	m, reason := readMessage(body)
	if reason == nil {
		reason = checkRevision(r.Header, m)
	}
	if reason != nil {
		return refuse(w, http.StatusBadRequest, m.ID, reason)
	}
	if !slices.Contains(methods, m.Method) && len(m.ID) > 0 {
		return refuse(w, statusOf(r.Header, http.StatusNotFound), m.ID, noMethod(m.Method))
	}
	if reason := m.faultOfCursor(); reason != nil {
		return refuse(w, statusOf(r.Header, http.StatusBadRequest), m.ID, reason)
	}
	if !slices.Contains(methods, m.Method) {
		w.WriteHeader(http.StatusAccepted) // a notification that means nothing here, perhaps of a later revision
		return nil
	}
	t := &turn{server: s, request: r, caller: caller}
	return t.serve(w, body, m)
}

// statusOf returns the status of an error of JSON-RPC, which is no error of HTTP before the newest revision.
func statusOf(header http.Header, newest int) int {
	if header.Get("Mcp-Protocol-Version") == newestRevision {
		return newest
	}
	return http.StatusOK
}

// serve makes a plain call, lists the tools, or has the SDK serve the message, and writes the response.
func (t *turn) serve(w http.ResponseWriter, body []byte, m message) error {
	if call, ok := plain(t.request.Header, m); ok {
		return t.answer(w, m, call)
	}
	if t.server.asksForTools(t.request.Header, m) {
		return list(w, m.ID, t.request.Header.Get("Mcp-Protocol-Version"))
	}
	inner := t.request.Clone(context.WithValue(t.request.Context(), turnKey{}, t))
	inner.Body = io.NopCloser(bytes.NewReader(body))
	inner.ContentLength = int64(len(body))
	inner.Header.Set("Content-Type", "application/json")
	// Responses are JSON whatever the client accepts. The SDK insists on both types.
	inner.Header.Set("Accept", "application/json, text/event-stream")
	inner.Header.Del("Last-Event-Id")
	if name, ok := decodedName(inner.Header.Get("Mcp-Name")); ok {
		inner.Header.Set("Mcp-Name", name)
	}
	var out reply
	protocol := t.server.others
	if m.Method == callMethod {
		protocol = t.server.calls
	}
	protocol().ServeHTTP(&out, inner)
	switch {
	case t.fault != nil:
		return t.fault
	case t.lacks != nil:
		return t.refuseScope(w, m.ID)
	}
	if out.body.Len() > 0 && !strings.HasPrefix(out.header.Get("Content-Type"), "application/json") {
		return refuse(w, out.status, m.ID, &jsonrpc.Error{ // the SDK's plain text
			Code: jsonrpc.CodeInvalidRequest, Message: strings.TrimSpace(out.body.String()),
		})
	}
	response, err := withID(out.body.Bytes(), m.ID)
	if err != nil {
		return err
	}
	if len(response) > 0 {
		w.Header().Set("Content-Type", "application/json")
	}
	w.WriteHeader(max(out.status, http.StatusOK))
	_, err = w.Write(response)
	return err
}

// withID returns a response of the SDK with the id of its request. The SDK reads numbers as floats, which rounds large
// integers.
func withID(response []byte, id jsontext.Value) ([]byte, error) {
	number, err := strconv.ParseInt(string(id), 10, 64)
	if err != nil || int64(float64(number)) == number || len(response) == 0 {
		return response, nil
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(response, &members); err != nil {
		return nil, fmt.Errorf("mcp: read the SDK's response: %w", err)
	}
	members["id"] = json.RawMessage(id)
	return json.Marshal(members)
}

// refuseScope tells the client which scope the call needs.
func (t *turn) refuseScope(w http.ResponseWriter, id jsontext.Value) error {
	web.SetHeader(t.request.Context(), "WWW-Authenticate",
		authenticate(t.request.Context(), t.lacks.scope, `error="insufficient_scope"`))
	return refuse(w, http.StatusForbidden, id, &jsonrpc.Error{
		Code: codeForbidden, Message: t.lacks.message, Data: t.lacks.problem,
	})
}

// codeForbidden is the JSON-RPC code of a call that needs a larger scope, from the range that is left to servers.
const codeForbidden = -32001

// reply holds the SDK's response.
type reply struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (r *reply) Header() http.Header {
	if r.header == nil {
		r.header = http.Header{}
	}
	return r.header
}

func (r *reply) Write(p []byte) (int, error) { return r.body.Write(p) }

func (r *reply) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
}

// checkSender refuses a request for another host, whatever its origin (DNS rebinding), and an origin that is none.
// Every well-formed origin is welcome: a request carries its credential itself, never by a cookie.
func (s *server) checkSender(r *http.Request) error {
	wanted := s.Host
	if wanted == "" {
		_, wanted, _ = strings.Cut(web.BaseURL(r.Context()), "://")
		wanted, _, _ = strings.Cut(wanted, "/")
	}
	given := r.Host
	if named := r.Header.Get("Host"); named != "" {
		given = named // API Gateway leaves it among the headers
	}
	if !sameHost(given, wanted) {
		return problem.New(problem.Forbidden, "The request names another host than this server's. Send it to %s.", wanted)
	}
	for _, origin := range r.Header.Values("Origin") {
		parsed, err := url.Parse(origin)
		if err != nil || parsed.Scheme == "" || parsed.Host == "" || parsed.User != nil ||
			parsed.Scheme+"://"+parsed.Host != origin {
			return problem.New(problem.Forbidden, "The header Origin is not the origin of a page. Send one, or none.")
		}
	}
	return nil
}

// sameHost compares hosts. On a laptop, all names of the loopback interface are one.
func sameHost(given, wanted string) bool {
	if strings.EqualFold(given, wanted) {
		return true
	}
	givenName, givenPort, err := net.SplitHostPort(given)
	wantedName, wantedPort, err2 := net.SplitHostPort(wanted)
	return err == nil && err2 == nil && givenPort == wantedPort && loopback(givenName) && loopback(wantedName)
}

func loopback(name string) bool {
	return strings.EqualFold(name, "localhost") || net.ParseIP(name).IsLoopback()
}

// authenticate returns the value of WWW-Authenticate (RFC 6750, RFC 9728), with every scope that a call needs. A REST
// API of API Gateway renames the header of a Lambda's response to x-amzn-remapped-www-authenticate. So to a request
// without a credential the gateway itself sends the same response. Clients survive the renaming of others: they know the
// metadata by then, or look for it at the well-known path of the server, and that document lists the scopes.
func authenticate(ctx context.Context, needed workspace.Scope, parameters ...string) string {
	scopes := []string{}
	for scope := workspace.Read; scope <= needed; scope++ {
		scopes = append(scopes, scope.String())
	}
	parameters = append(parameters,
		fmt.Sprintf("resource_metadata=%q", web.BaseURL(ctx)+web.ProtectedResource+Path),
		fmt.Sprintf("scope=%q", strings.Join(scopes, " ")))
	return "Bearer " + strings.Join(parameters, ", ")
}

func readBody(r *http.Request) ([]byte, error) {
	fault := func(code, message string) error {
		return problem.Invalid(problem.Detail{Path: "body", Code: code, Message: message})
	}
	if r.Body == nil {
		return nil, fault("required", "The body is missing. Send a JSON-RPC message.")
	}
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || media != "application/json" {
		return nil, fault("content_type", "The Content-Type is not JSON. Send the body as application/json.")
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	if err != nil {
		return nil, fmt.Errorf("read the body: %w", err)
	}
	if len(body) > maxBody {
		return nil, fault("too_large", problem.MessageTooLarge(maxBody))
	}
	return body, nil
}

// decodedName decodes a name that a client wrote in Base64, as the newest revision allows. The SDK does not.
func decodedName(value string) (string, bool) {
	encoded, ok := strings.CutPrefix(value, "=?base64?")
	encoded, ended := strings.CutSuffix(encoded, "?=")
	if !ok || !ended {
		return "", false
	}
	name, err := base64.StdEncoding.DecodeString(encoded)
	return string(name), err == nil
}
