package apigateway

import (
	"bytes"
	"errors"
	"io"
	"net"
	"strconv"
	"strings"
)

// net/http refuses a path with a percent sign that begins no escape, and a REST API does not: there, such a path
// reaches its function, which takes the sign for itself. targets lets these paths through here too.

// targets reads a connection's requests unchanged except for their paths: a percent sign that begins no escape
// becomes "%25", its own escape. It follows the framing of requests as far as it must to find the next one. It does
// not look at a request that comes right behind a body of chunks.
type targets struct {
	conn net.Conn
	next place

	raw     []byte // read, and not yet looked at
	ready   []byte // to be handed on
	line    int    // the length of the line so far, of a head
	body    int64  // how many bytes of the body are still to come
	chunked bool   // the body says itself where it ends
	err     error  // of the connection, behind what is in raw
}

// A place is the part of a request that comes next.
type place int

const (
	requestLine place = iota
	headerLine
	content
	chunks
)

// maxLine is how much of a line is looked at. net/http refuses a head of that size.
const maxLine = 1 << 20

// Read implements io.Reader. It returns no more than one line or one part of a body at a time.
func (t *targets) Read(p []byte) (int, error) {
	for len(t.ready) == 0 {
		if t.take() {
			continue
		}
		if err := t.err; err != nil {
			t.err = nil // a deadline that has passed may be set again
			return 0, err
		}
		if t.next == chunks {
			return t.conn.Read(p)
		}
		buffer := make([]byte, max(len(p), 512))
		n, err := t.conn.Read(buffer)
		t.raw, t.err = append(t.raw, buffer[:n]...), err
		if errors.Is(err, io.EOF) && n == 0 && len(t.raw) > 0 { // a line that breaks off
			t.hand(len(t.raw))
			t.line = 0
		}
	}
	n := copy(p, t.ready)
	t.ready = t.ready[n:]
	return n, nil
}

// idle says that the connection's request has been answered, so another one comes next.
func (t *targets) idle() {
	if t.next == chunks {
		t.next = requestLine
	}
}

// take prepares what comes next, and reports whether there was enough of it.
func (t *targets) take() bool {
	if len(t.raw) == 0 {
		return false
	}
	switch t.next {
	case content:
		n := min(t.body, int64(len(t.raw)))
		t.hand(int(n))
		if t.body -= n; t.body == 0 {
			t.next = requestLine
		}
		return true
	case chunks:
		t.hand(len(t.raw))
		return true
	}
	end := bytes.IndexByte(t.raw[t.line:], '\n')
	if end < 0 && len(t.raw) < maxLine {
		t.line = len(t.raw)
		return false
	}
	if end < 0 {
		t.next, t.line = chunks, 0
		return true
	}
	t.hand(t.line + end + 1)
	t.line = 0
	if t.next == requestLine {
		t.ready = escapeTarget(t.ready)
		t.next, t.body, t.chunked = headerLine, 0, false
		return true
	}
	t.header(string(t.ready))
	return true
}

func (t *targets) hand(n int) { t.ready, t.raw = t.raw[:n:n], t.raw[n:] }

// header learns from a line of a head where the body ends.
func (t *targets) header(line string) {
	line = strings.TrimRight(line, "\r\n")
	name, value, _ := strings.Cut(line, ":")
	switch {
	case line == "" && t.chunked:
		t.next = chunks
	case line == "" && t.body > 0:
		t.next = content
	case line == "":
		t.next = requestLine
	case strings.EqualFold(name, "Transfer-Encoding"):
		t.chunked = true
	case strings.EqualFold(name, "Content-Length"):
		t.body, _ = strconv.ParseInt(strings.TrimSpace(value), 10, 64) // net/http refuses what is no number
	}
}

// escapeTarget mends the path of a request line, and leaves other lines alone.
func escapeTarget(line []byte) []byte {
	method, rest, _ := bytes.Cut(line, []byte(" "))
	target, protocol, found := bytes.Cut(rest, []byte(" "))
	if !found || !bytes.HasPrefix(protocol, []byte("HTTP/1.")) || bytes.IndexByte(target, '%') < 0 {
		return line
	}
	path, query, asked := bytes.Cut(target, []byte("?"))
	mended := append(append(make([]byte, 0, len(line)+16), method...), ' ')
	for i, c := range path {
		mended = append(mended, c)
		if c == '%' && !(i+2 < len(path) && isHex(path[i+1]) && isHex(path[i+2])) {
			mended = append(mended, "25"...)
		}
	}
	if asked {
		mended = append(append(mended, '?'), query...)
	}
	return append(append(mended, ' '), protocol...)
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}
