package diskblob_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"earshot/shared/embedded/diskblob"
	"earshot/shared/port/blob"
	"earshot/shared/port/blob/blobtest"
	"earshot/shared/port/clock"
)

const base = "http://127.0.0.1:8080"

func open(t *testing.T, folder string, now clock.Clock) *diskblob.Blob {
	t.Helper()
	opened, err := diskblob.Open(folder, base+"/", now)
	if err != nil {
		t.Fatal(err)
	}
	return opened
}

// follow asks for a link as the local program serves it.
func follow(b *diskblob.Blob, link string) blobtest.Fetched {
	request := httptest.NewRequest(http.MethodGet, link, nil)
	query := request.URL.Query()
	file, err := b.Verify(strings.TrimPrefix(request.URL.Path, diskblob.LinkPath), query.Get("expires"), query.Get("signature"))
	switch {
	case errors.Is(err, blob.ErrNotFound):
		return blobtest.Fetched{Status: 404}
	case err != nil:
		return blobtest.Fetched{Status: 403}
	}
	defer file.Content.Close()
	body, err := io.ReadAll(file.Content)
	if err != nil || int64(len(body)) != file.Size {
		return blobtest.Fetched{Status: 500, Body: []byte(strconv.Itoa(len(body)))}
	}
	return blobtest.Fetched{
		Status: 200, Body: body, ContentType: file.ContentType, Disposition: `attachment; filename="` + file.Name + `"`,
	}
}

func TestSuite(t *testing.T) {
	blobtest.Run(t, func(t *testing.T) blobtest.Medium {
		b := open(t, t.TempDir(), clock.System{})
		return blobtest.Medium{
			Blob:  b,
			Fetch: func(_ context.Context, link string) (blobtest.Fetched, error) { return follow(b, link), nil },
		}
	}, blobtest.Options{})
}
