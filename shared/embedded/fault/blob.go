package fault

import (
	"context"
	"io"
	"time"

	"earshot/shared/port/blob"
)

// BlobPort is the name of the port blob in a Set.
const BlobPort = "blob"

// BlobOperations names the operations of the port blob.
func BlobOperations() []string { return []string{"put", "get", "getRange", "link", "delete"} }

// Blob decorates a blob with the faults of the set. The port has one error for everything that may be repeated, so a
// throttle is blob.ErrUnavailable too.
func Blob(inner blob.Blob, set *Set) blob.Blob { return faultyBlob{inner, set} }

type faultyBlob struct {
	inner blob.Blob
	set   *Set
}

func doBlob[T any](ctx context.Context, b faultyBlob, operation string, do func() (T, error)) (T, error) {
	return Do(ctx, b.set, BlobPort, operation, blob.ErrUnavailable, blob.ErrUnavailable, do)
}

func (b faultyBlob) Put(ctx context.Context, key string, file blob.File) error {
	_, err := doBlob(ctx, b, "put", func() (nothing, error) { return nothing{}, b.inner.Put(ctx, key, file) })
	return err
}

func (b faultyBlob) Get(ctx context.Context, key string) (io.ReadCloser, error) {
	return doBlob(ctx, b, "get", func() (io.ReadCloser, error) { return b.inner.Get(ctx, key) })
}

func (b faultyBlob) GetRange(ctx context.Context, key string, offset, length int64) ([]byte, error) {
	return doBlob(ctx, b, "getRange", func() ([]byte, error) { return b.inner.GetRange(ctx, key, offset, length) })
}

func (b faultyBlob) Link(ctx context.Context, key string, expires time.Duration) (string, error) {
	return doBlob(ctx, b, "link", func() (string, error) { return b.inner.Link(ctx, key, expires) })
}

func (b faultyBlob) Delete(ctx context.Context, key string) error {
	_, err := doBlob(ctx, b, "delete", func() (nothing, error) { return nothing{}, b.inner.Delete(ctx, key) })
	return err
}
