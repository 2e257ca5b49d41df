// Package websitetest is an internet of a few hosts for tests of fetching: names, certificates and servers in memory.
// Only tests import it.
package websitetest

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"sync"
	"syscall"
	"testing"
	"time"

	"earshot/shared/outbound/website"
)

// An Internet serves hosts. It can be used inside a bubble of testing/synctest.
type Internet struct {
	Hosts map[string]http.Handler // by scheme and name: "https://acme.com"
	Fails map[string]error        // the errors of connections to a name
	// Outside connects to addresses of neither Hosts nor Fails; nil: they do not resolve.
	Outside func(ctx context.Context, network, address string) (net.Conn, error)

	roots *x509.CertPool
	own   tls.Certificate

	mu    sync.Mutex
	asked []string
}

// New makes an internet of hosts. Other names do not resolve.
func New(t testing.TB, hosts map[string]http.Handler) *Internet {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	template := x509.Certificate{
		SerialNumber:          big.NewInt(1),
		Subject:               pkix.Name{CommonName: "tests"},
		NotBefore:             time.Unix(0, 0),
		NotAfter:              time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC),
		IsCA:                  true,
		BasicConstraintsValid: true,
		KeyUsage:              x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	for origin := range hosts {
		if name := origin[len("https://"):]; origin[:5] == "https" && !names[name] {
			names[name] = true
			template.DNSNames = append(template.DNSNames, name)
		}
	}
	der, err := x509.CreateCertificate(rand.Reader, &template, &template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	i := &Internet{
		Hosts: hosts,
		Fails: map[string]error{},
		roots: x509.NewCertPool(),
		own:   tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key},
	}
	i.roots.AddCert(parsed)
	return i
}

// Client returns the real client in this internet.
func (i *Internet) Client() *website.Client {
	return website.New(website.Options{Dial: i.dial, Roots: i.roots})
}

// Asked lists the requests that were served, in order.
func (i *Internet) Asked() []string {
	i.mu.Lock()
	defer i.mu.Unlock()
	return append([]string{}, i.asked...)
}

func (i *Internet) dial(ctx context.Context, network, address string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	if err := i.Fails[host]; err != nil {
		return nil, &net.OpError{Op: "dial", Net: network, Err: err}
	}
	scheme := map[string]string{"443": "https://", "80": "http://"}[port]
	handler, there := i.Hosts[scheme+host]
	if !there {
		for _, scheme := range []string{"http://", "https://"} {
			if _, other := i.Hosts[scheme+host]; other {
				return nil, &net.OpError{Op: "dial", Net: network, Err: syscall.ECONNREFUSED}
			}
		}
		if i.Outside != nil {
			return i.Outside(ctx, network, address)
		}
		return nil, &net.OpError{
			Op:  "dial",
			Net: network,
			Err: &net.DNSError{Err: "no such host", Name: host, IsNotFound: true},
		}
	}
	near, far := net.Pipe()
	server := &http.Server{
		ErrorLog: log.New(io.Discard, "", 0),
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			i.mu.Lock()
			i.asked = append(i.asked, scheme+r.Host+r.URL.RequestURI())
			i.mu.Unlock()
			handler.ServeHTTP(w, r)
		}),
	}
	listener := &single{conns: make(chan net.Conn, 1)}
	listener.conns <- far
	go func() {
		if scheme == "https://" {
			server.TLSConfig = &tls.Config{Certificates: []tls.Certificate{i.own}}
			_ = server.ServeTLS(listener, "", "")
		} else {
			_ = server.Serve(listener)
		}
	}()
	return near, nil
}

// single is a listener of one connection.
type single struct{ conns chan net.Conn }

// Accept returns the connection once, and then fails.
func (s *single) Accept() (net.Conn, error) {
	select {
	case conn := <-s.conns:
		return conn, nil
	default:
		return nil, net.ErrClosed
	}
}

func (s *single) Close() error   { return nil }
func (s *single) Addr() net.Addr { return &net.TCPAddr{} }

// Page responds with HTML to every request for a page, and with 404 for robots.txt.
func Page(html string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, html)
	})
}

// Robots returns a host with a robots.txt.
func Robots(text string, page http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			_, _ = io.WriteString(w, text)
			return
		}
		page.ServeHTTP(w, r)
	})
}

// Redirect leads everything but robots.txt to a place.
func Redirect(to string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Location", to)
		w.WriteHeader(http.StatusMovedPermanently)
	})
}
