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
	Fault   string // for VALIDATION_ERROR: the code of its one fault, whose path is "body"
}

// The occasions that the local gateway meets too.
const (
	UnknownRoute       = "MISSING_AUTHENTICATION_TOKEN" // API Gateway's name for a path that it does not know
	TooLarge           = "REQUEST_TOO_LARGE"
	IntegrationFailure = "INTEGRATION_FAILURE"
	IntegrationTimeout = "INTEGRATION_TIMEOUT"
	UnsupportedType    = "UNSUPPORTED_MEDIA_TYPE" // also a body that is not in its Content-Encoding
)

// NoCredential is the occasion of a message to the MCP server without an Authorization header. No other path has a
// parameter that API Gateway checks.
const NoCredential = "BAD_REQUEST_PARAMETERS"

// noOperation is the message for a path that no operation has.
const noOperation = problem.MessageNoOperation + " GET /api/v2/openapi.json lists the paths."

// GatewayResponses lists every response that API Gateway sends by itself. A client's mistake that API Gateway finds
// before a Lambda does is the contract's 400. A request that it throttles is a 429, as with the hourly limit.
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
		refused  = "The gateway rejected the request. GET /api/v2/openapi.json describes what each operation takes."
		throttle = "This deployment has reached its account's request limit."
	)
	return []GatewayResponse{
		respond("DEFAULT_4XX", problem.InvalidInput, refused),
		respond("DEFAULT_5XX", problem.InternalError, problem.MessageInternal),
		respond(UnknownRoute, problem.NotFound, noOperation),
		respond("RESOURCE_NOT_FOUND", problem.NotFound, noOperation),
		respond("ACCESS_DENIED", problem.Forbidden, "Access is denied."),
		respond(
			"WAF_FILTERED",
			problem.Forbidden,
			"The deployment's firewall blocked the request. It blocks clients that send too many within five minutes. "+
				"Send fewer and try again.",
		),
		respond("UNAUTHORIZED", problem.Unauthorized, problem.MessageNoKey),
		respond("INVALID_API_KEY", problem.Unauthorized, problem.MessageNoKey),
		respond("EXPIRED_TOKEN", problem.Unauthorized, problem.MessageNoKey),
		respond("THROTTLED", problem.RateLimited, throttle+" Try again in a few seconds."),
		respond("QUOTA_EXCEEDED", problem.RateLimited, throttle+" Try again later."),
		body(TooLarge, "too_large", problem.MessageTooLarge(maxBodyBytes)),
		body("BAD_REQUEST_BODY", "syntax", refused),
		respond(NoCredential, problem.Unauthorized, problem.MessageNoKey),
		// Only the mocks behind unknown paths look at a content type. They also take a bearer token for a broken
		// signature. API Gateway looks at the content coding of every body, and gives no other response to a wrong one.
		respond(UnsupportedType, problem.NotFound, noOperation+" If the path is one of them, the request's "+
			"Content-Encoding is wrong. Send the body as it is, or in gzip or deflate with that Content-Encoding."),
		respond("INVALID_SIGNATURE", problem.NotFound, noOperation),
		respond("API_CONFIGURATION_ERROR", problem.InternalError, problem.MessageInternal),
		respond("AUTHORIZER_CONFIGURATION_ERROR", problem.InternalError, problem.MessageInternal),
		respond("AUTHORIZER_FAILURE", problem.InternalError, problem.MessageInternal),
		respond(IntegrationFailure, problem.InternalError, problem.MessageInternal),
		respond(IntegrationTimeout, problem.InternalError, "The operation took too long. Try again."),
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

// Fixed returns the headers whose value does not depend on the request.
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

// Body returns the response's body. It is also the mapping template for application/json, because it has no variable.
func (r GatewayResponse) Body() string {
	envelope := problem.New(r.Code, "%s", r.Message)
	if r.Fault != "" {
		envelope.Details = []problem.Detail{{Path: "body", Code: r.Fault, Message: r.Message}}
	}
	body, err := json.Marshal(envelope)
	if err != nil {
		panic(fmt.Sprintf("web: %s: %v", r.Type, err)) // a problem without extra fields always marshals
	}
	return string(body)
}

// LegacyNotFound is the body of the response to every path under /api/v1. Version 1 has lowercase codes. Its endpoints
// are not served here.
const LegacyNotFound = `{"error":{"code":"not_found","message":"Version 1 is not served here. See /api/v2/openapi.json for version 2.","status":404}}`

// Header values that the kit and the gateway share.
const (
	StrictTransportSecurity = "max-age=63072000; includeSubDomains"

	// ExposedHeaders lists the headers that a script in a browser may read.
	ExposedHeaders = "Allow, Content-Disposition, ETag, Idempotent-Replayed, Location, RateLimit, RateLimit-Policy, Retry-After, Server-Timing, " +
		"WWW-Authenticate, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id, X-Total-Count, " +
		"x-earshot-mentions-remaining, x-earshot-searches-remaining"
)
