package s3blob_test

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/s3"

	"earshot/shared/aws/account"
	"earshot/shared/aws/s3blob"
	"earshot/shared/port/blob"
	"earshot/shared/port/blob/blobtest"
)

func asker(t *testing.T, endpoint string) account.Account {
	t.Helper()
	found, err := account.From(func(string) string { return "" }, endpoint)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// A file goes up over TLS as it is read: once, with its checksum behind it, and never in memory.
func TestPut_Streams(t *testing.T) {
	const size = 64 << 20
	var got atomic.Value
	var bytes atomic.Int64
	server := httptest.NewTLSServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		n, err := io.Copy(io.Discard, r.Body)
		if err != nil {
			t.Error(err)
		}
		bytes.Store(n)
		got.Store(r.Header.Clone())
	}))
	defer server.Close()
	plain := s3blob.NewClient(asker(t, server.URL))
	client := s3.New(plain.Options(), func(o *s3.Options) {
		trusting := o.HTTPClient.(*account.HTTPClient)
		roots := server.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
		trusting.Transport.(*http.Transport).TLSClientConfig = &tls.Config{RootCAs: roots}
	})
	content := &counting{ReadSeeker: blobtest.Pattern(size)}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	file := blob.File{Content: content, Size: size, ContentType: "text/csv", Name: "a.csv"}
	err := s3blob.New(client, "bucket").Put(t.Context(), "exports/a.csv", file)
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Load() < size || content.read != size {
		t.Errorf("%d bytes came, %d were read of %d", bytes.Load(), content.read, size)
	}
	if allocated := after.TotalAlloc - before.TotalAlloc; allocated > size/2 {
		t.Errorf("%d bytes were allocated for a file of %d", allocated, size)
	}
	header := got.Load().(http.Header)
	for name, want := range map[string]string{
		"Content-Type": "text/csv", "Content-Disposition": `attachment; filename="a.csv"`,
		"X-Amz-Decoded-Content-Length": fmt.Sprint(size), "X-Amz-Content-Sha256": "STREAMING-UNSIGNED-PAYLOAD-TRAILER",
		"X-Amz-Trailer": "x-amz-checksum-crc32", "X-Amz-Server-Side-Encryption": "", "X-Amz-Acl": "",
	} {
		if header.Get(name) != want {
			t.Errorf("%s: %q, want %q", name, header.Get(name), want)
		}
	}
}

type counting struct {
	io.ReadSeeker
	read int64
}

func (c *counting) Read(p []byte) (int, error) {
	n, err := c.ReadSeeker.Read(p)
	c.read += int64(n)
	return n, err
}

// A service answers all requests the same way, or well after some.
type service struct {
	status   int
	code     string
	failures int64 // so many; 0: all
	requests atomic.Int64
	bodies   atomic.Value
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n := s.requests.Add(1)
	body, _ := io.ReadAll(r.Body)
	if s.failures > 0 && n > s.failures {
		s.bodies.Store(string(body))
		return
	}
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(s.status)
	_, _ = fmt.Fprintf(w, "<Error><Code>%s</Code><Message>m</Message></Error>", s.code)
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		status   int
		code     string
		want     error
		requests int64
	}{
		{503, "SlowDown", blob.ErrUnavailable, 3},
		{500, "InternalError", blob.ErrUnavailable, 3},
		{400, "RequestTimeout", blob.ErrUnavailable, 3},
		{502, "Whatever", blob.ErrUnavailable, 3},
		{404, "NoSuchKey", blob.ErrNotFound, 1},
		{404, "NoSuchBucket", nil, 1},
		{403, "AccessDenied", nil, 1},
	} {
		t.Run(c.code, func(t *testing.T) {
			s := &service{status: c.status, code: c.code}
			server := httptest.NewServer(s)
			defer server.Close()
			opened, err := s3blob.New(s3blob.NewClient(asker(t, server.URL)), "bucket").Get(t.Context(), "k")
			if err == nil || opened != nil || c.want != nil && !errors.Is(err, c.want) {
				t.Fatal(err)
			}
			for _, kind := range []error{blob.ErrInvalid, blob.ErrNotFound, blob.ErrUnavailable, context.Canceled,
				context.DeadlineExceeded} {
				if kind != c.want && errors.Is(err, kind) {
					t.Fatalf("it is %v: %v", kind, err)
				}
			}
			if s.requests.Load() != c.requests {
				t.Fatalf("%d requests, want %d", s.requests.Load(), c.requests)
			}
		})
	}
}

// A repeated attempt sends the whole file again.
func TestPut_Again(t *testing.T) {
	s := &service{status: 503, code: "SlowDown", failures: 2}
	server := httptest.NewServer(s)
	defer server.Close()
	file := blob.File{Content: strings.NewReader("the content"), Size: 11, ContentType: "text/plain", Name: "a.txt"}
	if err := s3blob.New(s3blob.NewClient(asker(t, server.URL)), "bucket").Put(t.Context(), "k", file); err != nil {
		t.Fatal(err)
	}
	if body := s.bodies.Load().(string); !strings.Contains(body, "the content") || s.requests.Load() != 3 {
		t.Fatalf("%d requests, the last with %q", s.requests.Load(), body)
	}
}

func TestLink(t *testing.T) {
	env := map[string]string{"AWS_REGION": "eu-north-1", "AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "hunter2",
		"BLOB_BUCKET": "files"}
	b, err := s3blob.FromEnvironment(func(name string) string { return env[name] })
	if err != nil {
		t.Fatal(err)
	}
	link, err := b.Link(t.Context(), "exports/a.csv", 15*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := url.Parse(link)
	if err != nil || parsed.Scheme != "https" || parsed.Host != "files.s3.eu-north-1.amazonaws.com" ||
		parsed.Path != "/exports/a.csv" ||
		parsed.Query().Get("X-Amz-Expires") != "900" || len(parsed.Query().Get("X-Amz-Signature")) != 64 ||
		strings.Contains(link, "hunter2") {
		t.Fatalf("Link() = %q, %v", link, err)
	}
	delete(env, "BLOB_BUCKET")
	if _, err := s3blob.FromEnvironment(func(name string) string { return env[name] }); err == nil {
		t.Fatal("no bucket, no error")
	}
}

// A server that ignores ranges, or sends more than was asked for, is found out.
func TestGetRange_OtherBytes(t *testing.T) {
	for name, c := range map[string]struct {
		status      int
		header      string
		body        string
		wantContent string
	}{
		"the range":   {206, "bytes 5-7/100", "567", "567"},
		"the end":     {206, "bytes 5-6/7", "56", "56"},
		"no range":    {200, "", "0123456789", ""},
		"another":     {206, "bytes 0-2/100", "012", ""},
		"more":        {206, "bytes 5-8/100", "5678", ""},
		"behind it":   {416, "bytes */3", "<Error><Code>InvalidRange</Code><Message>m</Message></Error>", "behind"},
		"a cut range": {206, "bytes 5-7/100", "5", ""},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if got := r.Header.Get("Range"); got != "bytes=5-7" {
					t.Errorf("the range is %q, want bytes=5-7", got)
				}
				w.Header().Set("Content-Range", c.header)
				if name == "a cut range" {
					w.Header().Set("Content-Length", "3")
				}
				w.WriteHeader(c.status)
				_, _ = io.WriteString(w, c.body)
			}))
			defer server.Close()
			got, err := s3blob.New(s3blob.NewClient(asker(t, server.URL)), "bucket").GetRange(t.Context(), "k", 5, 3)
			switch c.wantContent {
			case "":
				if err == nil {
					t.Errorf("GetRange = %q, want an error", got)
				}
			case "behind":
				if err != nil || len(got) != 0 {
					t.Errorf("GetRange = %q, %v, want nothing", got, err)
				}
			default:
				if err != nil || string(got) != c.wantContent {
					t.Errorf("GetRange = %q, %v, want %q", got, err, c.wantContent)
				}
			}
		})
	}
}
