package apigateway

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"earshot/shared/web"
)

// Limits of the server itself. Bodies have no time limit: slow clients hurt nobody on a laptop.
const (
	headerTimeout = 10 * time.Second
	headerBytes   = 10_240           // API Gateway's quota on a request line and headers; net/http lets 8 KiB more pass
	shutdownGrace = 10 * time.Second // for requests under way
)

// Serve serves HTTP/1.1 on the listener until the context ends, and closes the listener. It returns nil after a
// moment for the requests under way. To requests that net/http refuses in plain text (no Host, a space in the path,
// an unknown transfer coding) it gives the gateway's envelope.
func Serve(ctx context.Context, listener net.Listener, handler http.Handler, log *slog.Logger) error {
	server := &http.Server{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			r.Context().Value(connKey{}).(*conn).answering.Store(true)
			handler.ServeHTTP(w, r)
		}),
		DisableGeneralOptionsHandler: true, // "OPTIONS *" is a request like others
		ReadHeaderTimeout:            headerTimeout,
		MaxHeaderBytes:               headerBytes,
		ErrorLog:                     slog.NewLogLogger(log.Handler(), slog.LevelWarn),
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			return context.WithValue(ctx, connKey{}, c)
		},
		ConnState: func(c net.Conn, state http.ConnState) {
			if state == http.StateIdle {
				c.(*conn).answering.Store(false)
				c.(*conn).requests.idle()
			}
		},
	}
	stopped := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(stopped)
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownGrace)
		defer cancel()
		if server.Shutdown(grace) != nil {
			server.Close()
		}
	})
	err := server.Serve(&connListener{listener})
	if !stop() {
		<-stopped
	}
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return fmt.Errorf("serve %s: %w", listener.Addr(), err)
}

type connListener struct{ net.Listener }

func (l *connListener) Accept() (net.Conn, error) {
	accepted, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &conn{Conn: accepted, requests: targets{conn: accepted}}, nil
}

// connKey is the context key of a request's *conn.
type connKey struct{}

// conn knows whether the handler has one of its requests, and mends the paths of requests. At any other time the
// server writes only refusals of its own, always as the connection's last words. conn writes the envelope in their
// place.
type conn struct {
	net.Conn
	requests  targets
	answering atomic.Bool
	refused   atomic.Bool
}

func (c *conn) Read(content []byte) (int, error) { return c.requests.Read(content) }

func (c *conn) Write(content []byte) (int, error) {
	if c.answering.Load() {
		return c.Conn.Write(content)
	}
	if !c.refused.Swap(true) {
		if _, err := c.Conn.Write(refusal()); err != nil {
			return 0, err
		}
	}
	return len(content), nil
}

// CloseWrite lets the server end a refused connection so that its last words arrive. The server looks for this
// method.
func (c *conn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// refusal is the whole response to a request that net/http does not let through.
func refusal() []byte {
	response := web.GatewayFor(badRequest)
	body := response.Body()
	header := ownHeader(response, body, uuid.NewString())
	header.Set("Connection", "close")
	var wire bytes.Buffer
	fmt.Fprintf(&wire, "HTTP/1.1 %d %s\r\n", response.Status, http.StatusText(response.Status))
	header.Write(&wire) // a bytes.Buffer takes everything
	wire.WriteString("\r\n" + body)
	return wire.Bytes()
}
