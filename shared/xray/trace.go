// Package xray carries an invocation's place in a trace of AWS X-Ray: adapters pass it on to the services that call the
// next function, and records log it. Outside a Lambda there is no trace.
//
// Kits and adapters import it.
package xray

import (
	"context"
	"strings"
)

// maxHeader is how many bytes of a header Step Functions takes (StartExecution, traceHeader). Lambda's have a hundred.
const maxHeader = 256

// Header is the X-Ray header of the invocation that the context is of: "Root=1-…;Parent=…;Sampled=1". Empty when there is none that can be
// handed on.
func Header(ctx context.Context) string {
	// The name is aws-lambda-go's, which exports nothing for it (lambda/invoke_loop.go).
	header, _ := ctx.Value("x-amzn-trace-id").(string)
	if len(header) > maxHeader || strings.ContainsFunc(header, func(c rune) bool { return c <= ' ' || c >= 0x7f }) {
		return ""
	}
	return header
}

// ID is the trace's, as X-Ray and API Gateway's $context.xrayTraceId write it: "1-5759e988-bd862e3fe1be46a994272793". Empty without one.
func ID(ctx context.Context) string {
	for field := range strings.SplitSeq(Header(ctx), ";") {
		if root, ok := strings.CutPrefix(field, "Root="); ok && isID(root) {
			return root
		}
	}
	return ""
}

// isID knows ids: a version, eight digits of seconds and 24 of a random number ("Tracing header" in the X-Ray developer guide). By hand,
// for every invocation's record asks, and compiling a pattern would be part of every start.
func isID(root string) bool {
	digits, found := strings.CutPrefix(root, "1-")
	if !found || len(digits) != 8+1+24 || digits[8] != '-' {
		return false
	}
	digits = digits[:8] + digits[9:]
	return strings.Trim(digits, "0123456789abcdef") == ""
}
