package apigateway

import (
	"bufio"
	"io"
	"net"
	"os"
	"strings"
	"testing"
	"time"
)

// The path of every request of a connection is mended, and no other byte is changed, however the bytes arrive.
func TestTargets(t *testing.T) {
	requests := []struct{ sent, read string }{
		{"GET /%zz?q=%zz HTTP/1.1\r\nHost: a%zz\r\n\r\n", "GET /%25zz?q=%zz HTTP/1.1\r\nHost: a%zz\r\n\r\n"},
		{"GET /%41%2f%? HTTP/1.0\n\n", "GET /%41%2f%25? HTTP/1.0\n\n"},
		{"GET / HTTP/1.1\r\ncontent-length: 27\r\n\r\nGET /%zz HTTP/1.1\r\n\r\n%zz ab", ""},
		{"POST /% HTTP/1.1\r\nContent-Length: 0\r\n\r\n", "POST /%25 HTTP/1.1\r\nContent-Length: 0\r\n\r\n"},
		{"not a % request\r\n\r\n", ""},
		{"GET /%4 HTTP/1.1\r\n\r\n", "GET /%254 HTTP/1.1\r\n\r\n"},
		{"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n%zz \r\n0\r\n\r\n", ""},
		{"GET /%4 HTTP/1.1\r\n\r\n", ""}, // behind chunks, without a pause
	}
	var sent, want strings.Builder
	for _, request := range requests {
		sent.WriteString(request.sent)
		if request.read == "" {
			request.read = request.sent
		}
		want.WriteString(request.read)
	}
	for _, size := range []int{1, 2, 3, 7, 16, 64, 4096} {
		client, server := net.Pipe()
		go func() {
			defer client.Close()
			for text := sent.String(); text != ""; {
				n := min(size, len(text))
				if _, err := io.WriteString(client, text[:n]); err != nil {
					return
				}
				text = text[n:]
			}
		}()
		got, err := io.ReadAll(bufio.NewReaderSize(&targets{conn: server}, 16))
		if err != nil || string(got) != want.String() {
			t.Errorf("in pieces of %d: got %q, %v, want %q", size, got, err, want.String())
		}
	}
}

// A read that is broken off loses nothing: net/http breaks its own reads off while a function runs.
func TestTargets_DeadlinePassed(t *testing.T) {
	client, server := net.Pipe()
	defer client.Close()
	read := &targets{conn: server}
	broken := make(chan error)
	go func() {
		_, err := read.Read(make([]byte, 1))
		broken <- err
	}()
	if _, err := io.WriteString(client, "GET /%"); err != nil {
		t.Fatal(err)
	}
	if err := server.SetReadDeadline(time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	if err := <-broken; !os.IsTimeout(err) {
		t.Fatalf("got %v, want a timeout", err)
	}
	if err := server.SetReadDeadline(time.Time{}); err != nil {
		t.Fatal(err)
	}
	go func() {
		io.WriteString(client, "zz HTTP/1.1\r\n\r\n")
		client.Close()
	}()
	if got, err := io.ReadAll(read); err != nil || string(got) != "GET /%25zz HTTP/1.1\r\n\r\n" {
		t.Errorf("got %q, %v", got, err)
	}
}

// After chunks and a pause, the next request is looked at again.
func TestTargets_Idle(t *testing.T) {
	connection := dial(t, start(t, route("/{all+}", echo)))
	reader := bufio.NewReader(connection)
	for range 2 {
		request := message("POST", "/%", "3\r\nabc\r\n0\r\n\r\n", "Transfer-Encoding: chunked")
		if _, err := io.WriteString(connection, request); err != nil {
			t.Fatal(err)
		}
		if event := receive(t, reader, "POST").event(t); event.Path != "/%25" || event.Body != "abc" {
			t.Errorf("got %q with %q", event.Path, event.Body)
		}
	}
}
