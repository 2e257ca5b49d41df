package webhook_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"earshot/shared/delivery"
	"earshot/shared/outbound"
	"earshot/shared/outbound/webhook"
	"earshot/shared/port/clock"
)

func TestDelivers(t *testing.T) {
	var got *http.Request
	var body string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, _ := io.ReadAll(r.Body)
		got, body = r, string(data)
		w.WriteHeader(http.StatusNoContent)
	}))
	defer server.Close()
	sender := webhook.New(outbound.New(outbound.Options{AnyHost: true, UserAgent: "Earshot/2 (+https://ops.example)"}),
		clock.System{})
	m := delivery.Message{
		ID:        "evt_1",
		At:        time.Unix(1_795_000_000, 5),
		Body:      []byte(`{"type":"test"}`),
		Signature: "v1,abc v1,def",
	}
	if out, err := sender.Post(t.Context(), server.URL+"/hook?a=b", m); err != nil || !out.OK() || out.Reason != "" {
		t.Fatal(out, err)
	}
	for name, want := range map[string]string{"webhook-id": "evt_1", "webhook-timestamp": "1795000000",
		"webhook-signature": "v1,abc v1,def"} {
		if got.Header.Get(name) != want {
			t.Errorf("%s is %q", name, got.Header.Get(name))
		}
	}
	if got.Method != "POST" || got.URL.RequestURI() != "/hook?a=b" || body != `{"type":"test"}` ||
		got.Header.Get("Content-Type") != "application/json" ||
		got.Header.Get("User-Agent") != "Earshot/2 (+https://ops.example)" || got.Header.Get("Authorization") != "" {
		t.Errorf("%s %s %v %s", got.Method, got.URL, got.Header, body)
	}
}

func TestSays(t *testing.T) {
	redirected := 0
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { redirected++ }))
	defer elsewhere.Close()
	answers := map[string]http.HandlerFunc{
		"/200": func(w http.ResponseWriter, _ *http.Request) {},
		"/299": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(299) },
		"/400": func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "<script>secret words</script>", http.StatusBadRequest)
		},
		"/503": func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", http.StatusServiceUnavailable) },
		"/wait": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "90")
			w.WriteHeader(429)
			io.WriteString(w, "busy \xff")
		},
		"/307": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
		},
		"/304":  func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(304) },
		"/dies": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"/slow": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"/ssh": func(w http.ResponseWriter, _ *http.Request) {
			conn, out, _ := w.(http.Hijacker).Hijack()
			defer conn.Close()
			out.WriteString("SSH-2.0-OpenSSH_9.6\r\n")
			out.Flush()
		},
		"/headers": func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("X", strings.Repeat("x", 80<<10)) },
		"/long":    func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, strings.Repeat("x", 1<<20)) },
		"/endless": func(w http.ResponseWriter, _ *http.Request) {
			for some := strings.Repeat("x", 1<<20); ; {
				if _, err := io.WriteString(w, some); err != nil {
					return
				}
			}
		},
		"/drip": func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				io.WriteString(w, "x")
				w.(http.Flusher).Flush()
				time.Sleep(5 * time.Millisecond)
			}
		},
		"/cut": func(w http.ResponseWriter, _ *http.Request) {
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		},
	}
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		answers[r.URL.Path](w, r)
	}))
	server.Start()
	defer server.Close()
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	secure := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	secure.StartTLS()
	defer secure.Close()
	sender := webhook.New(outbound.New(outbound.Options{AnyHost: true}), clock.System{})
	for url, want := range map[string]string{
		server.URL + "/200": "", server.URL + "/299": "", server.URL + "/long": "", server.URL + "/endless": "",
		server.URL + "/cut":     "",
		server.URL + "/400":     "The webhook answered 400.",
		server.URL + "/503":     "The webhook answered 503.",
		server.URL + "/304":     "The webhook answered 304. Redirects are not followed; give the final URL.",
		server.URL + "/307":     "The webhook answered 307. Redirects are not followed; give the final URL.",
		server.URL + "/dies":    "The webhook broke off the connection.",
		server.URL + "/headers": "The webhook sent an answer that cannot be read as HTTP.",
		server.URL + "/ssh":     "The webhook sent an answer that cannot be read as HTTP.",
		closed.URL:              "The webhook refused the connection.",
		secure.URL:              "The webhook has a certificate that is not accepted.",
		strings.Replace(server.URL, "http:", "https:", 1): "The webhook does not speak TLS.",
		"ftp://hooks.example":                             "The webhook has no address that begins with https://.",
		"https://":                                        "The webhook has no address that begins with https://.",
		"https://a b":                                     "The webhook has no address that begins with https://.",
	} {
		out, err := sender.Post(t.Context(), url, delivery.Message{Body: []byte("{}")})
		if err != nil || out.Reason != want || out.OK() != (want == "") || out.TimedOut ||
			len(out.Response) > delivery.MaxResponse {
			t.Errorf("%s: %+v %v, want %q", url, out, err, want)
		}
	}
	if redirected > 0 {
		t.Error("a redirect was followed")
	}
	hasty := webhook.New(outbound.New(outbound.Options{AnyHost: true, Whole: 50 * time.Millisecond}), clock.System{})
	out, err := hasty.Post(t.Context(), server.URL+"/slow", delivery.Message{})
	if err != nil || out.Reason != "The webhook did not answer within 50ms." || !out.TimedOut || out.Took <= 0 {
		t.Errorf("one that never answers: %+v %v", out, err)
	}
	if out, err := sender.Post(t.Context(), server.URL+"/wait", delivery.Message{}); err != nil ||
		out.RetryAfter != 90*time.Second || out.Response != "busy \uFFFD" {
		t.Errorf("one that asks to wait: %+v %v", out, err)
	}
	// One that drips its response has taken the event, and holds nobody up.
	if out, err := hasty.Post(t.Context(), server.URL+"/drip", delivery.Message{}); err != nil || !out.OK() ||
		len(out.Response) > 20 {
		t.Errorf("one that drips: %+v %v", out, err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := sender.Post(ended, server.URL+"/200", delivery.Message{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that ended: %v", err)
	}
}

// Nothing that is not of the public internet is connected to, and nothing without TLS, unless a test says so.
func TestDeliver_PrivateAddress(t *testing.T) {
	asked := 0
	server := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ }))
	defer server.Close()
	_, port, _ := strings.Cut(strings.TrimPrefix(server.URL, "https://"), ":")
	sender := webhook.New(outbound.New(outbound.Options{}), clock.System{})
	const hidden = "The webhook has a name that is not found, or is not of the public internet."
	for url, want := range map[string]string{
		server.URL:                           hidden,
		"https://localhost:" + port:          hidden,
		"https://[::ffff:127.0.0.1]:" + port: hidden,
		"https://[::1]:" + port:              hidden,
		"https://169.254.169.254/latest":     hidden,
		"https://0.0.0.0:" + port:            hidden,
		"http://localhost:" + port:           "The webhook has no address that begins with https://.",
		"http://8.8.8.8":                     "The webhook has no address that begins with https://.",
		"https://localhost:25":               "The webhook has a port that is neither 443 nor above 1023.",
		"https://8.8.8.8:80":                 "The webhook has a port that is neither 443 nor above 1023.",
		"https://8.8.8.8:1023/":              "The webhook has a port that is neither 443 nor above 1023.",
		"https://127.0.0.1:443":              hidden,
		"https://127.0.0.1:1024":             hidden,
	} {
		if out, err := sender.Post(t.Context(), url, delivery.Message{}); err != nil || out.Reason != want || out.OK() {
			t.Errorf("%s: %+v %v", url, out, err)
		}
	}
	if asked > 0 {
		t.Errorf("it was asked %d times", asked)
	}
}
