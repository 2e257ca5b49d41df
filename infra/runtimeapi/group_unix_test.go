//go:build unix

package runtimeapi

import (
	"errors"
	"net"
	"os"
	"testing"
	"time"
)

// Close also ends what the process started. The grandchild holds a connection open that nobody else can close.
func TestCloseEndsTheWholeGroup(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	function := start(t, build(t, "./testdata/faulty"), "HOLD="+listener.Addr().String())
	if _, err := invoke(t, function, `{"do":"child"}`); err != nil {
		t.Fatal(err)
	}
	held, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	function.Close()
	if err := held.SetReadDeadline(time.Now().Add(generous)); err != nil {
		t.Fatal(err)
	}
	if _, err := held.Read(make([]byte, 1)); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the connection is still held: %v", err)
	}
}
