package clientdocument_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"earshot/shared/outbound"
	"earshot/shared/outbound/clientdocument"
)

func TestRead(t *testing.T) {
	for name, c := range map[string]struct {
		status              int
		kind, control, body string
		good                time.Duration
		wrong               string // in the error; empty: none
	}{
		"a document":         {200, "application/json; charset=utf-8", "max-age=600", `{}`, 10 * time.Minute, ""},
		"of unknown age":     {200, "application/json", "", `{}`, time.Hour, ""},
		"for years":          {200, "application/json", "public, max-age=99999999", `{}`, 24 * time.Hour, ""},
		"never to be stored": {200, "application/json", "no-store, max-age=600", `{}`, time.Minute, ""},
		"a redirect":         {302, "application/json", "", `{}`, 0, "302"},
		"a page":             {200, "text/html", "", `{}`, 0, "Content-Type"},
		"too large":          {200, "application/json", "", strings.Repeat(" ", clientdocument.MaxBytes+1), 0, "bytes"},
		"nothing":            {404, "application/json", "", `{}`, 0, "404"},
	} {
		followed := false
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			followed = followed || r.URL.Path != "/id"
			w.Header().Set("Content-Type", c.kind)
			w.Header().Set("Cache-Control", c.control)
			w.Header().Set("Location", "/elsewhere")
			w.WriteHeader(c.status)
			w.Write([]byte(c.body))
		}))
		client := outbound.New(outbound.Options{AnyHost: true, Whole: clientdocument.Timeout})
		document, good, err := clientdocument.New(client).Read(t.Context(), server.URL+"/id")
		switch {
		case followed:
			t.Errorf("%s: the redirect was followed", name)
		case c.wrong == "" && (err != nil || string(document) != c.body || good != c.good):
			t.Errorf("Read(%s) = %q, %v, %v, want %v", name, document, good, err, c.good)
		case c.wrong != "" && (!errors.Is(err, clientdocument.ErrUnusable) || !strings.Contains(err.Error(), c.wrong)):
			t.Errorf("Read(%s) = %v, want %q", name, err, c.wrong)
		}
		client.Close()
		server.Close()
	}
}

func TestRead_PrivateNetwork(t *testing.T) {
	asked := false
	server := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
	defer server.Close()
	client := outbound.New(outbound.Options{Whole: clientdocument.Timeout})
	defer client.Close()
	for _, url := range []string{
		server.URL + "/id", "https://169.254.169.254/id", "https://[::1]:8443/id", "https://localhost:8443/id",
		"https://10.0.0.1/id", "http://client.example/id",
	} {
		if _, _, err := clientdocument.New(client).Read(t.Context(), url); !errors.Is(err, clientdocument.ErrUnusable) ||
			asked {
			t.Errorf("Read(%s) = %v, asked %v, want ErrUnusable", url, err, asked)
		}
	}
}
