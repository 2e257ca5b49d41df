// Package s3blob implements the port blob on a bucket of Amazon S3.
//
// The bucket decides encryption, lifetime and access. An upload streams, carries a checksum that S3 verifies, and is
// never whole in memory. S3 reports a missing key only to a role that may list the bucket. For other roles it refuses
// the read.
//
// Only mains, postarchive and tests import it.
package s3blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
	"github.com/aws/smithy-go"

	"earshot/shared/aws/account"
	"earshot/shared/port/blob"
)

// A Blob keeps files in a bucket.
type Blob struct {
	client  *s3.Client
	presign *s3.PresignClient
	bucket  string
}

// New makes the adapter.
func New(client *s3.Client, bucket string) *Blob {
	return &Blob{client, s3.NewPresignClient(client), bucket}
}

// FromEnvironment returns the adapter for the bucket in the deployment's variable BLOB_BUCKET. BLOB_ENDPOINT, for
// tests, names another server than AWS's. env is os.Getenv or a stand-in.
func FromEnvironment(env func(string) string) (*Blob, error) {
	return fromEnvironment(env, "BLOB_BUCKET")
}

// AnalyticsBucket is the deployment's variable that names the bucket with files of days, if the stage has one.
const AnalyticsBucket = "ANALYTICS_BUCKET"

// AnalyticsFromEnvironment returns the adapter for the bucket in AnalyticsBucket, as FromEnvironment does.
func AnalyticsFromEnvironment(env func(string) string) (*Blob, error) {
	return fromEnvironment(env, AnalyticsBucket)
}

// ArchiveBucket is the deployment's variable that names the bucket of the archive's shards.
const ArchiveBucket = "ARCHIVE_BUCKET"

// ArchiveFromEnvironment returns the adapter for the bucket in ArchiveBucket, as FromEnvironment does.
func ArchiveFromEnvironment(env func(string) string) (*Blob, error) {
	return fromEnvironment(env, ArchiveBucket)
}

func fromEnvironment(env func(string) string, variable string) (*Blob, error) {
	asker, err := account.From(env, env("BLOB_ENDPOINT"))
	if err != nil {
		return nil, fmt.Errorf("s3blob: %w", err)
	}
	bucket := env(variable)
	if bucket == "" {
		return nil, fmt.Errorf("s3blob: %s is not set", variable)
	}
	return New(NewClient(asker), bucket), nil
}

// timeouts of one attempt. How long a file takes on its way is the caller's business: its context bounds the whole.
var timeouts = account.Timeouts{Connect: 2 * time.Second, Response: 30 * time.Second}

// NewClient makes a client with up to three attempts at a request. It sends nothing before the first operation. For
// servers other than AWS's the bucket is in the path, because their hosts have no subdomains.
func NewClient(asker account.Account) *s3.Client {
	return s3.New(s3.Options{
		Region:                     asker.Region,
		BaseEndpoint:               asker.BaseEndpoint(),
		UsePathStyle:               asker.Endpoint != "",
		Credentials:                asker.Credentials(),
		HTTPClient:                 account.NewHTTPClient(timeouts),
		Retryer:                    account.NewRetryer(),
		RequestChecksumCalculation: aws.RequestChecksumCalculationWhenSupported,
		ResponseChecksumValidation: aws.ResponseChecksumValidationWhenSupported,
		DisableLogOutputChecksumValidationSkipped: true, // a file without a checksum needs no log line at each read
	})
}

// Put stores a file under its key. Over HTTPS the content is read once: its checksum follows it.
func (b *Blob) Put(ctx context.Context, key string, file blob.File) error {
	if err := errors.Join(ctx.Err(), blob.CheckKey(key), blob.CheckFile(file)); err != nil {
		return fmt.Errorf("s3blob: put: %w", err)
	}
	_, err := b.client.PutObject(ctx, &s3.PutObjectInput{
		Bucket:             &b.bucket,
		Key:                &key,
		Body:               file.Content,
		ContentLength:      &file.Size,
		ContentType:        &file.ContentType,
		ContentDisposition: aws.String(`attachment; filename="` + file.Name + `"`),
	})
	if err != nil {
		return failed(ctx, "put", err)
	}
	return nil
}

// Get opens a file. Its checksum is verified at its end: a file that was damaged on its way ends with an error.
func (b *Blob) Get(ctx context.Context, key string) (io.ReadCloser, error) {
	if err := errors.Join(ctx.Err(), blob.CheckKey(key)); err != nil {
		return nil, fmt.Errorf("s3blob: get: %w", err)
	}
	output, err := b.client.GetObject(ctx, &s3.GetObjectInput{Bucket: &b.bucket, Key: &key})
	if err != nil {
		return nil, failed(ctx, "get", err)
	}
	return output.Body, nil
}

// GetRange reads a part of a file. S3 verifies no checksum of a part.
func (b *Blob) GetRange(ctx context.Context, key string, offset, length int64) ([]byte, error) {
	if err := errors.Join(ctx.Err(), blob.CheckKey(key), blob.CheckRange(offset, length)); err != nil {
		return nil, fmt.Errorf("s3blob: get a range: %w", err)
	}
	output, err := b.client.GetObject(ctx, &s3.GetObjectInput{
		Bucket: &b.bucket,
		Key:    &key,
		Range:  aws.String(fmt.Sprintf("bytes=%d-%d", offset, offset+length-1)),
	})
	var failure smithy.APIError
	if errors.As(err, &failure) && failure.ErrorCode() == "InvalidRange" {
		return []byte{}, nil // the file ends before the offset
	}
	if err != nil {
		return nil, failed(ctx, "get a range", err)
	}
	defer output.Body.Close()
	if !strings.HasPrefix(aws.ToString(output.ContentRange), fmt.Sprintf("bytes %d-", offset)) {
		return nil, fmt.Errorf("s3blob: get a range: the server sent another part of the file")
	}
	// One byte more than was asked for tells a server that sends too much.
	part, err := io.ReadAll(io.LimitReader(output.Body, length+1))
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("s3blob: get a range: %w", ctx.Err())
	case err != nil:
		return nil, fmt.Errorf("s3blob: get a range: %w: %v", blob.ErrUnavailable, err)
	case int64(len(part)) > length:
		return nil, fmt.Errorf("s3blob: get a range: the server sent more than %d bytes", length)
	}
	return part, nil
}

// Link returns a presigned address, by the machine's clock in whole seconds. A link that a Lambda's role signed ends
// with the role's session, some hours after the function's process began, even if it was to last longer.
func (b *Blob) Link(ctx context.Context, key string, expires time.Duration) (string, error) {
	if err := errors.Join(ctx.Err(), blob.CheckKey(key), blob.CheckExpiry(expires)); err != nil {
		return "", fmt.Errorf("s3blob: link: %w", err)
	}
	request, err := b.presign.PresignGetObject(
		ctx, &s3.GetObjectInput{Bucket: &b.bucket, Key: &key}, s3.WithPresignExpires(expires),
	)
	if err != nil {
		return "", failed(ctx, "link", err)
	}
	return request.URL, nil
}

// Delete removes a file.
func (b *Blob) Delete(ctx context.Context, key string) error {
	if err := errors.Join(ctx.Err(), blob.CheckKey(key)); err != nil {
		return fmt.Errorf("s3blob: delete: %w", err)
	}
	if _, err := b.client.DeleteObject(ctx, &s3.DeleteObjectInput{Bucket: &b.bucket, Key: &key}); err != nil {
		return failed(ctx, "delete", err)
	}
	return nil
}

// failed returns the port's error for an error of the SDK.
func failed(ctx context.Context, doing string, err error) error {
	var missing *types.NoSuchKey
	if errors.As(err, &missing) {
		return fmt.Errorf("s3blob: %s: %w", doing, blob.ErrNotFound)
	}
	switch account.FailureOf(ctx, err) {
	case account.Throttled:
		return fmt.Errorf("s3blob: %s: %w: %w", doing, blob.ErrUnavailable, err)
	case account.Unavailable:
		// The cause is quoted and not wrapped: a time limit of the HTTP client would pass for the context's.
		return fmt.Errorf("s3blob: %s: %w: %v", doing, blob.ErrUnavailable, err)
	case account.Ended:
		return fmt.Errorf("s3blob: %s: %w", doing, ctx.Err())
	}
	return fmt.Errorf("s3blob: %s: %w", doing, err)
}
