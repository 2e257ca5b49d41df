// Package tracetest makes contexts of traced invocations. Only tests import it.
package tracetest

import "context"

// With is a context as aws-lambda-go makes it of an invocation with the X-Ray header.
func With(ctx context.Context, header string) context.Context {
	//lint:ignore SA1029 the key is aws-lambda-go's
	return context.WithValue(ctx, "x-amzn-trace-id", header)
}
