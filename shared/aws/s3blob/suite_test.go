package s3blob_test

import (
	"context"
	"crypto/rand"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/s3"

	"earshot/shared/aws/account"
	"earshot/shared/aws/s3blob"
	"earshot/shared/port/blob/blobtest"
)

// bucket makes a bucket on the server in BLOB_ENDPOINT, which the cleanup empties and deletes; without one the test is skipped.
func bucket(t *testing.T) (*s3.Client, string) {
	t.Helper()
	endpoint := os.Getenv("BLOB_ENDPOINT")
	if endpoint == "" {
		t.Skip("BLOB_ENDPOINT is not set: no S3-compatible server to test against (see make peers)")
	}
	asker, err := account.From(os.Getenv, endpoint)
	if err != nil {
		t.Fatal(err)
	}
	client, name := s3blob.NewClient(asker), "test-"+strings.ToLower(rand.Text())
	if _, err := client.CreateBucket(t.Context(), &s3.CreateBucketInput{Bucket: &name}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx := context.Background()
		listed, err := client.ListObjectsV2(ctx, &s3.ListObjectsV2Input{Bucket: &name})
		if err != nil {
			t.Fatal(err)
		}
		for _, object := range listed.Contents {
			if _, err := client.DeleteObject(ctx, &s3.DeleteObjectInput{Bucket: &name, Key: object.Key}); err != nil {
				t.Error(err)
			}
		}
		if _, err := client.DeleteBucket(ctx, &s3.DeleteBucketInput{Bucket: &name}); err != nil {
			t.Error(err)
		}
	})
	return client, name
}

func fetch(ctx context.Context, link string) (blobtest.Fetched, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, link, nil)
	if err != nil {
		return blobtest.Fetched{}, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return blobtest.Fetched{}, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return blobtest.Fetched{
		Status: response.StatusCode, Body: body,
		ContentType: response.Header.Get("Content-Type"), Disposition: response.Header.Get("Content-Disposition"),
	}, err
}

func TestSuite(t *testing.T) {
	blobtest.Run(t, func(t *testing.T) blobtest.Medium {
		client, name := bucket(t)
		return blobtest.Medium{Blob: s3blob.New(client, name), Fetch: fetch}
	}, blobtest.Options{Skip: map[string]string{"ChangedLink": "moto accepts any signature"}})
}
