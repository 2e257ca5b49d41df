package dynamotable

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/aws/smithy-go/middleware"
	smithyhttp "github.com/aws/smithy-go/transport/http"
)

// A frozenBody is the body of a request that may be sent more than once: every attempt sends the bytes of the first.
// Only the signatures differ. Safe for concurrent use.
type frozenBody struct {
	mu    sync.Mutex
	bytes []byte // nil before the first attempt
}

// freeze puts the body into the stack of an operation, behind the SDK's serializer.
func (f *frozenBody) freeze(stack *middleware.Stack) error {
	return stack.Serialize.Add(middleware.SerializeMiddlewareFunc("FrozenBody", f.serialized), middleware.After)
}

func (f *frozenBody) serialized(
	ctx context.Context, in middleware.SerializeInput, next middleware.SerializeHandler,
) (middleware.SerializeOutput, middleware.Metadata, error) {
	failed := func(err error) (middleware.SerializeOutput, middleware.Metadata, error) {
		return middleware.SerializeOutput{}, middleware.Metadata{}, fmt.Errorf("freeze a body: %w", err)
	}
	request, ok := in.Request.(*smithyhttp.Request)
	if !ok {
		return failed(fmt.Errorf("a request of type %T", in.Request))
	}
	body, err := f.take(request)
	if err != nil {
		return failed(err)
	}
	if in.Request, err = request.SetStream(bytes.NewReader(body)); err != nil {
		return failed(err)
	}
	return next.HandleSerialize(ctx, in)
}

// take returns the frozen bytes, which it takes from the first request.
func (f *frozenBody) take(request *smithyhttp.Request) ([]byte, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.bytes != nil {
		return f.bytes, nil
	}
	stream := request.GetStream()
	if stream == nil {
		return nil, errors.New("the request has no body")
	}
	body, err := io.ReadAll(stream)
	if err != nil {
		return nil, err
	}
	f.bytes = body
	return body, nil
}
