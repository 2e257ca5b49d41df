package lambdalog

import (
	"context"
	"strings"
)

// maxHeader is how many bytes of a header Step Functions takes (StartExecution, traceHeader). Lambda's have a hundred.
const maxHeader = 256

// TraceHeader returns the X-Ray header of the context's invocation: "Root=1-…;Parent=…;Sampled=1". It is empty if there
// is no header that can be handed on.
func TraceHeader(ctx context.Context) string {
	// The name is aws-lambda-go's, which exports nothing for it (lambda/invoke_loop.go).
	header, _ := ctx.Value("x-amzn-trace-id").(string)
	if len(header) > maxHeader || strings.ContainsFunc(header, func(c rune) bool { return c <= ' ' || c >= 0x7f }) {
		return ""
	}
	return header
}

// TraceID returns the trace's id as X-Ray and API Gateway's $context.xrayTraceId write it:
// "1-5759e988-bd862e3fe1be46a994272793". It is empty without a trace.
func TraceID(ctx context.Context) string {
	for field := range strings.SplitSeq(TraceHeader(ctx), ";") {
		if root, ok := strings.CutPrefix(field, "Root="); ok && isID(root) {
			return root
		}
	}
	return ""
}

// isID knows ids: a version, eight digits of seconds and 24 of a random number ("Tracing header" in the X-Ray developer
// guide). By hand, for every invocation's record asks, and compiling a pattern would be part of every start.
func isID(root string) bool {
	digits, found := strings.CutPrefix(root, "1-")
	if !found || len(digits) != 8+1+24 || digits[8] != '-' {
		return false
	}
	digits = digits[:8] + digits[9:]
	return strings.Trim(digits, "0123456789abcdef") == ""
}
