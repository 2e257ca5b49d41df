package web

import (
	"encoding/json"
	"fmt"

	"earshot/shared/web/problem"
)

// GatewayResponse is a response that API Gateway sends by itself, when it calls no Lambda or gets no response from one.
// The CDK app puts them into the deployment, and the local gateway sends the same ones, so that a client sees one
// envelope in every case.
type GatewayResponse struct {
	Type    string // API Gateway's name for the occasion
	Status  int
	Code    problem.Code
	Message string
	Fault   string // for VALIDATION_ERROR: the code of its one fault, which is the body's
}

// The occasions that the local gateway meets too.
const (
	UnknownRoute       = "MISSING_AUTHENTICATION_TOKEN" // API Gateway's name for a path that it does not know
	TooLarge           = "REQUEST_TOO_LARGE"
	IntegrationFailure = "INTEGRATION_FAILURE"
	IntegrationTimeout = "INTEGRATION_TIMEOUT"
)

// GatewayResponses lists them all. Client mistakes that API Gateway finds before a Lambda does are the contract's 400; what it
// throttles by its own account limits is 429 like the hourly limit.
func GatewayResponses() []GatewayResponse {
	respond := func(occasion string, code problem.Code, message string) GatewayResponse {
		return GatewayResponse{Type: occasion, Status: code.Status(), Code: code, Message: message}
	}
	body := func(occasion, fault, message string) GatewayResponse {
		response := respond(occasion, problem.ValidationError, message)
		response.Fault = fault
		return response
	}
	const (
		unknown = "There is nothing at this path. GET /api/v2/openapi.json lists the paths."
		ours    = "Something failed on our side. Try again; if it goes on, report it with the X-Request-Id of this answer."
		refused = "The gateway turned the request away. See /api/v2/openapi.json for what it takes."
	)
	return []GatewayResponse{
		respond("DEFAULT_4XX", problem.InvalidInput, refused),
		respond("DEFAULT_5XX", problem.InternalError, ours),
		respond(UnknownRoute, problem.NotFound, unknown),
		respond("RESOURCE_NOT_FOUND", problem.NotFound, unknown),
		respond("ACCESS_DENIED", problem.Forbidden, "Access is denied."),
		respond("WAF_FILTERED", problem.Forbidden, "The firewall of this deployment stopped the request. It stops who sends too many within five minutes: send fewer, and try again."),
		respond("UNAUTHORIZED", problem.Unauthorized, "Send an API key: Authorization: Bearer <API_KEY>."),
		respond("INVALID_API_KEY", problem.Unauthorized, "Send an API key: Authorization: Bearer <API_KEY>."),
		respond("EXPIRED_TOKEN", problem.Unauthorized, "Send an API key: Authorization: Bearer <API_KEY>."),
		respond("THROTTLED", problem.RateLimited, "This deployment takes no more requests just now. Try again in a few seconds."),
		respond("QUOTA_EXCEEDED", problem.RateLimited, "This deployment takes no more requests just now. Try again later."),
		body(TooLarge, "too_large", "The body holds more than 1 MiB."),
		body("BAD_REQUEST_BODY", "syntax", refused),
		respond("BAD_REQUEST_PARAMETERS", problem.InvalidInput, refused),
		// Only the mocks that answer unknown paths look at a content type or take a bearer token for a broken signature.
		respond("UNSUPPORTED_MEDIA_TYPE", problem.NotFound, unknown),
		respond("INVALID_SIGNATURE", problem.NotFound, unknown),
		respond("API_CONFIGURATION_ERROR", problem.InternalError, ours),
		respond("AUTHORIZER_CONFIGURATION_ERROR", problem.InternalError, ours),
		respond("AUTHORIZER_FAILURE", problem.InternalError, ours),
		respond(IntegrationFailure, problem.InternalError, ours),
		respond(IntegrationTimeout, problem.InternalError, "The answer took too long. Try again."),
	}
}

// GatewayFor returns the response to an occasion, or the default of its class if it has none of its own.
func GatewayFor(occasion string) GatewayResponse {
	fallback := GatewayResponse{}
	for _, response := range GatewayResponses() {
		if response.Type == occasion {
			return response
		}
		if response.Type == "DEFAULT_5XX" {
			fallback = response
		}
	}
	return fallback
}

// Headers maps the response's headers to what API Gateway writes into them: a constant in single quotes, or a value of
// its request context. Gateway responses cannot measure, so their Server-Timing has zeros.
func (r GatewayResponse) Headers() map[string]string {
	headers := map[string]string{"X-Request-Id": "context.requestId"}
	for name, value := range r.Fixed() {
		headers[name] = "'" + value + "'"
	}
	return headers
}

// Fixed are the headers whose value is the same in every such response.
func (r GatewayResponse) Fixed() map[string]string {
	fixed := map[string]string{
		"Cache-Control":                 "no-store",
		"Server-Timing":                 "auth;dur=0, total;dur=0",
		"Strict-Transport-Security":     StrictTransportSecurity,
		"X-Content-Type-Options":        "nosniff",
		"Access-Control-Allow-Origin":   "*",
		"Access-Control-Expose-Headers": ExposedHeaders,
	}
	switch r.Status {
	case problem.RateLimited.Status():
		fixed["Retry-After"] = "5"
	case problem.Unauthorized.Status():
		fixed["WWW-Authenticate"] = "Bearer"
	}
	return fixed
}

// Body is the answer's body, and with it the mapping template for application/json: it holds no variable.
func (r GatewayResponse) Body() string {
	answer := problem.New(r.Code, "%s", r.Message)
	if r.Fault != "" {
		answer.Details = []problem.Detail{{Path: "body", Code: r.Fault, Message: r.Message}}
	}
	body, err := json.Marshal(answer)
	if err != nil {
		panic(fmt.Sprintf("web: %s: %v", r.Type, err)) // a problem without extra fields always marshals
	}
	return string(body)
}

// LegacyNotFound is the answer to every path under /api/v1: version 1 has lowercase codes, and its endpoints are not
// served here.
const LegacyNotFound = `{"error":{"code":"not_found","message":"Version 1 is not served here. See /api/v2/openapi.json for version 2.","status":404}}`

// MinCompressed is the least length in bytes of an answer that API Gateway compresses for who takes gzip: below it gzip saves no packet.
const MinCompressed = 1024

// Header values that the kit and the gateway share.
const (
	StrictTransportSecurity = "max-age=63072000; includeSubDomains"

	// ExposedHeaders are those that a script in a browser may read.
	ExposedHeaders = "Allow, Content-Disposition, ETag, Idempotent-Replayed, Location, RateLimit, RateLimit-Policy, Retry-After, Server-Timing, " +
		"WWW-Authenticate, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id, X-Total-Count, " +
		"x-earshot-mentions-remaining, x-earshot-searches-remaining"
)
