package apigateway

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"context"
	"fmt"
	"io"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/events"

	"earshot/shared/web"
)

// gzipped returns the text in gzip.
func gzipped(t *testing.T, text string) string {
	t.Helper()
	var out bytes.Buffer
	packed(t, gzip.NewWriter(&out), text)
	return out.String()
}

func packed(t *testing.T, writer io.WriteCloser, text string) {
	t.Helper()
	if _, err := io.WriteString(writer, text); err != nil {
		t.Fatal(err)
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
}

// coded sends a body in a coding to a function that answers with its event.
func coded(t *testing.T, coding, body string) exchange {
	t.Helper()
	return send(t, start(t, route("/b", echo)), message("POST", "/b", body,
		fmt.Sprintf("Content-Length: %d", len(body)), "Content-Encoding: "+coding))
}

func TestBody_Decoded(t *testing.T) {
	const text = `{"keyword":"größer"}`
	var deflated bytes.Buffer
	packed(t, zlib.NewWriter(&deflated), text)
	for _, test := range []struct{ name, coding, body, want, header string }{
		{"gzip", "gzip", gzipped(t, text), text, ""},
		{"another case", " GZip ", gzipped(t, text), text, ""},
		{"two members", "gzip", gzipped(t, text[:5]) + gzipped(t, text[5:]), text, ""},
		{"deflate", "deflate", deflated.String(), text, ""},
		{"identity", "identity", text, text, "identity"},
		{"nothing in gzip", "gzip", gzipped(t, ""), "", ""},
		{"no body", "gzip", "", "", "gzip"},
	} {
		t.Run(test.name, func(t *testing.T) {
			event := coded(t, test.coding, test.body).event(t)
			if event.Body != test.want || event.IsBase64Encoded {
				t.Errorf("body %q, base64 %v, want %q", event.Body, event.IsBase64Encoded, test.want)
			}
			if got := event.Headers["content-encoding"]; got != test.header {
				t.Errorf("content-encoding %q, want %q", got, test.header)
			}
		})
	}
}

func TestBody_WrongCoding(t *testing.T) {
	whole := gzipped(t, strings.Repeat("text ", 500))
	for _, test := range []struct{ name, coding, body string }{
		{"unknown coding", "br", "text"},
		{"two codings", "gzip, gzip", gzipped(t, whole)},
		{"not gzip", "gzip", "{}"},
		{"broken off", "gzip", whole[:len(whole)-9]},
		{"garbage behind", "gzip", whole + "garbage"},
		{"wrong checksum", "gzip", whole[:len(whole)-8] + "\x00\x00\x00\x00" + whole[len(whole)-4:]},
		{"gzip as deflate", "deflate", whole},
	} {
		t.Run(test.name, func(t *testing.T) {
			coded(t, test.coding, test.body).mustBeOwn(t, web.UnsupportedType)
		})
	}
}

// A body that is small on its way counts by what it decompresses to.
func TestBody_Bomb(t *testing.T) {
	length := func(_ context.Context, event events.APIGatewayProxyRequest) (events.APIGatewayProxyResponse, error) {
		return events.APIGatewayProxyResponse{StatusCode: 200, Body: fmt.Sprint(len(event.Body))}, nil
	}
	surroundings, _ := options()
	api := New([]Route{route("/l", length)}, surroundings)
	for _, test := range []struct {
		name string
		size int64 // after decompression
		read int64 // of the compressed body, at most
	}{
		{"the most", maxBody, maxBody},
		{"one more", maxBody + 1, maxBody},
		{"1 TiB", 1 << 40, 1 << 16},
	} {
		t.Run(test.name, func(t *testing.T) {
			pipe, into := io.Pipe()
			go func() {
				writer := gzip.NewWriter(into)
				_, err := io.Copy(writer, &countingReader{rest: test.size}) // ends with the pipe
				if err == nil {
					err = writer.Close()
				}
				into.CloseWithError(err)
			}()
			wire := &meteredReader{from: pipe}
			request := httptest.NewRequest("POST", "/l", wire)
			request.Header.Set("Content-Encoding", "gzip")
			recorder := httptest.NewRecorder()
			api.ServeHTTP(recorder, request)
			pipe.Close()
			got := exchange{recorder.Result(), recorder.Body.String()}
			if test.size > maxBody {
				got.mustBeOwn(t, web.TooLarge)
			} else if got.StatusCode != 200 || got.body != fmt.Sprint(test.size) {
				t.Errorf("got %d %s", got.StatusCode, got.body)
			}
			if wire.read > test.read {
				t.Errorf("read %d bytes, want at most %d", wire.read, test.read)
			}
		})
	}
}

// meteredReader counts the bytes that are read.
type meteredReader struct {
	from io.Reader
	read int64
}

func (m *meteredReader) Read(content []byte) (int, error) {
	n, err := m.from.Read(content)
	m.read += int64(n)
	return n, err
}
