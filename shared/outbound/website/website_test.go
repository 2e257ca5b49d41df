package website_test

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/net/dns/dnsmessage"
	"golang.org/x/text/encoding/japanese"

	"earshot/shared/outbound/website"
	"earshot/shared/outbound/website/websitetest"
	"earshot/shared/proposal/site"
	"earshot/shared/publicnet"
)

const hello = "<title>Acme</title><p>secret words</p>"

type hosts = map[string]http.Handler

func handler(serve func(w http.ResponseWriter, r *http.Request)) http.Handler {
	return websitetest.Robots("", http.HandlerFunc(serve))
}

func typed(kind, body string) http.Handler {
	return handler(func(w http.ResponseWriter, _ *http.Request) {
		w.Header()["Content-Type"] = nil
		if kind != "" {
			w.Header().Set("Content-Type", kind)
		}
		io.WriteString(w, body)
	})
}

func status(code int) http.Handler {
	return handler(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(code)
		io.WriteString(w, hello)
	})
}

// robotsOf is a host whose page is there, and whose robots.txt is what serves.
func robotsOf(serve func(w http.ResponseWriter, r *http.Request)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			serve(w, r)
			return
		}
		websitetest.Page(hello).ServeHTTP(w, r)
	})
}

// unreadable is why a page cannot be had, as a person reads it.
func unreadable(t *testing.T, err error) string {
	t.Helper()
	var why *site.Unreadable
	if !errors.As(err, &why) {
		t.Fatalf("%v is not for people", err)
	}
	for _, private := range []string{"secret", "token", "://", "\n", "evil"} {
		if strings.Contains(why.Reason, private) {
			t.Errorf("%q holds %q", why.Reason, private)
		}
	}
	if !strings.HasSuffix(why.Reason, ".") {
		t.Errorf("%q is no sentence", why.Reason)
	}
	return why.Reason
}

// What comes of a domain: where its page was found, or why there is none.
func TestPage(t *testing.T) {
	page := websitetest.Page(hello)
	to := websitetest.Redirect
	for what, c := range map[string]struct {
		hosts hosts
		at    string // where the page is found
		why   string // or a part of the reason
	}{
		"HTTPS":              {hosts{"https://acme.com": page, "http://acme.com": status(500)}, "https://acme.com/", ""},
		"www alone":          {hosts{"https://www.acme.com": page}, "https://www.acme.com/", ""},
		"HTTP alone":         {hosts{"http://acme.com": page}, "http://acme.com/", ""},
		"www and HTTP alone": {hosts{"http://www.acme.com": page}, "http://www.acme.com/", ""},
		"no such name":       {hosts{}, "", "acme.com has no address that can be read"},
		"to www": {hosts{"https://acme.com": to("https://www.acme.com/"), "https://www.acme.com": page},
			"https://www.acme.com/", ""},
		"to HTTPS": {hosts{"http://acme.com": to("https://www.acme.com/"), "https://www.acme.com": page},
			"https://www.acme.com/", ""},
		"relative": {
			hosts{"https://acme.com": pathed(map[string]http.Handler{"/": to("en/?token=1#x"), "/en/": page})},
			"https://acme.com/en/?token=1", ""},
		"without a scheme": {hosts{"https://acme.com": to("//user:secret@www.acme.com/x"), "https://www.acme.com": page},
			"https://www.acme.com/x", ""},
		"to plain HTTP": {hosts{"https://acme.com": to("http://www.acme.com/"), "http://www.acme.com": page}, "",
			"plain HTTP"},
		"a loop": {hosts{"https://acme.com": to("/?token=1")}, "", "more than 5 redirects"},
		"to nowhere": {hosts{"https://acme.com": to("https://evil.example/?token=1")}, "",
			"leads to another address, which has no address that can be read"},
		"to no address":       {hosts{"https://acme.com": to("javascript:alert(1)")}, "", "not a web page"},
		"to a file":           {hosts{"https://acme.com": to("file:///etc/passwd")}, "", "not a web page"},
		"to a broken address": {hosts{"https://acme.com": to("https://[evil/")}, "", "not a web page"},
		"to a long address":   {hosts{"https://acme.com": to("/" + strings.Repeat("x", 3000))}, "", "not a web page"},
		"to nothing":          {hosts{"https://acme.com": status(302)}, "", "not a web page"},
		"to another port": {hosts{"https://acme.com": to("https://www.acme.com:22/"), "https://www.acme.com": page}, "",
			"not a web page"},
		"not there":         {hosts{"https://acme.com": status(404), "https://www.acme.com": page}, "", "answered 404"},
		"forbidden":         {hosts{"https://acme.com": status(403)}, "", "answered 403"},
		"failing":           {hosts{"https://acme.com": status(503)}, "", "answered 503"},
		"a PDF":             {hosts{"https://acme.com": typed("application/pdf", "%PDF secret")}, "", "is not HTML"},
		"JSON":              {hosts{"https://acme.com": typed("application/json", "{}")}, "", "is not HTML"},
		"a text":            {hosts{"https://acme.com": typed("text/plain", hello)}, "", "is not HTML"},
		"no type, but HTML": {hosts{"https://acme.com": typed("", "<!doctype html>"+hello)}, "https://acme.com/", ""},
		"no type, no HTML":  {hosts{"https://acme.com": typed("", "\x00\x01\x02")}, "", "is not HTML"},
		"a strange type": {hosts{"https://acme.com": typed("Text/HTML; charset=utf-8; charset=utf-8;;", hello)},
			"https://acme.com/", ""},
		"XHTML":   {hosts{"https://acme.com": typed("application/xhtml+xml", hello)}, "https://acme.com/", ""},
		"nothing": {hosts{"https://acme.com": typed("text/html", "")}, "https://acme.com/", ""},
		"robots forbid all": {hosts{"https://acme.com": websitetest.Robots("User-agent: *\nDisallow: /", page)}, "",
			"robots.txt does not allow"},
		"robots forbid us": {
			hosts{"https://acme.com": websitetest.Robots("User-agent: earshot\nDisallow: /\n\nUser-agent: *\nDisallow:", page)},
			"", "robots.txt does not allow"},
		"robots allow us alone": {
			hosts{"https://acme.com": websitetest.Robots("User-agent: Earshot\nAllow: /\n\nUser-agent: *\nDisallow: /", page)},
			"https://acme.com/", ""},
		"robots allow the root": {hosts{"https://acme.com": websitetest.Robots("User-agent: *\nDisallow: /\nAllow: /$",
			page)}, "https://acme.com/", ""},
		"robots forbid others": {hosts{"https://acme.com": websitetest.Robots("User-agent: other\nDisallow: /\n", page)},
			"https://acme.com/", ""},
		"robots are garbage": {hosts{"https://acme.com": websitetest.Robots("\x00\xff: : :\nDisallow\n", page)},
			"https://acme.com/", ""},
		"robots are a page": {hosts{"https://acme.com": robotsOf(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w, "User-agent: *\nDisallow: /")
		})}, "https://acme.com/", ""},
		"robots fail": {hosts{"https://acme.com": robotsOf(func(w http.ResponseWriter,
			_ *http.Request) {
			w.WriteHeader(500)
		})}, "", "failed (500)"},
		"robots are busy": {hosts{"https://acme.com": robotsOf(func(w http.ResponseWriter,
			_ *http.Request) {
			w.WriteHeader(429)
		})}, "", "refuses requests"},
		"robots elsewhere": {hosts{"https://acme.com": robotsOf(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://www.acme.com/robots.txt", http.StatusMovedPermanently)
		}),
			"https://www.acme.com": websitetest.Robots("User-agent: *\nDisallow: /", page)}, "", "robots.txt does not allow"},
		"robots in a loop": {hosts{"https://acme.com": robotsOf(func(w http.ResponseWriter,
			r *http.Request) {
			http.Redirect(w, r, "/robots.txt", http.StatusFound)
		})}, "https://acme.com/", ""},
		"robots nowhere": {hosts{"https://acme.com": robotsOf(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://evil.example/robots.txt", http.StatusFound)
		})}, "", "robots.txt leads to an address which has no address that can be read"},
		"robots of another host": {hosts{"https://acme.com": to("https://globex.com/"),
			"https://globex.com": websitetest.Robots("User-agent: *\nDisallow: /", page)}, "",
			"robots.txt does not allow"},
		"robots forbid a path": {hosts{"https://acme.com": websitetest.Robots("User-agent: *\nDisallow: /en",
			pathed(map[string]http.Handler{"/": to("/en"), "/en": page}))},
			"", "robots.txt does not allow"},
		"robots forbid queries": {hosts{"https://acme.com": websitetest.Robots("User-agent: *\nDisallow: /*?",
			pathed(map[string]http.Handler{"/": to("/x?token=1"), "/x": page}))},
			"", "robots.txt does not allow"},
		"robots are huge": {hosts{"https://acme.com": websitetest.Robots(strings.Repeat("# nothing\n", 200_000), page)},
			"https://acme.com/", ""},
		"robots of patterns": {hosts{"https://acme.com": websitetest.Robots("User-agent: *\n"+
			strings.Repeat("Disallow: /*a*b$\n", 30_000), page)}, "", "more rules"},
		"robots of one rule": {hosts{"https://acme.com": websitetest.Robots("User-agent: *\nDisallow: /"+
			strings.Repeat("a*", 200_000), page)}, "", "more rules"},
		"compressed somehow": {hosts{"https://acme.com": handler(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "br")
			w.Header().Set("Content-Type", "text/html")
		})}, "", "compression"},
		"broken off at once": {
			hosts{"https://acme.com": handler(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })}, "",
			"could not be read"},
		"long headers": {
			hosts{"https://acme.com": handler(func(w http.ResponseWriter,
				_ *http.Request) {
				w.Header().Set("X", strings.Repeat("secret", 100_000))
			})}, "", "could not be read"},
		"refreshed": {
			hosts{"https://acme.com": pathed(map[string]http.Handler{"/": websitetest.Page(refresh("0; url=/en/")),
				"/en/": page})}, "https://acme.com/en/", ""},
		"refreshed to www": {hosts{"https://acme.com": websitetest.Page(refresh("0;URL='https://www.acme.com/'")),
			"https://www.acme.com": page}, "https://www.acme.com/", ""},
		"refreshed to itself": {hosts{"https://acme.com": websitetest.Page(refresh("0; url=/"))}, "https://acme.com/", ""},
		"refreshed in a loop": {
			hosts{"https://acme.com": pathed(map[string]http.Handler{"/": websitetest.Page(refresh("0; url=/a")),
				"/a": websitetest.Page(refresh("0; url=/"))})}, "https://acme.com/a", ""},
		"refreshed to nowhere": {
			hosts{"https://acme.com": pathed(map[string]http.Handler{"/": websitetest.Page(refresh("0; url=/gone"))})},
			"https://acme.com/", ""},
		"refreshed to a file": {hosts{"https://acme.com": websitetest.Page(refresh("0; url=file:///etc/passwd"))},
			"https://acme.com/", ""},
		"refreshed to a script": {hosts{"https://acme.com": websitetest.Page(refresh("0; url=javascript:location='/en/'"))},
			"https://acme.com/", ""},
		"refreshed to data": {hosts{"https://acme.com": websitetest.Page(refresh("0; url=data:text/html,Acme"))},
			"https://acme.com/", ""},
		"refreshed to an inner address": {
			hosts{"https://acme.com": websitetest.Page(refresh("0; url=https://169.254.169.254/latest/meta-data/"))},
			"https://acme.com/", ""},
		"refreshed privately": {hosts{"https://acme.com": websitetest.Page(refresh("0; url=https://evil.example/"))},
			"https://acme.com/", ""},
		"refreshed later": {
			hosts{"https://acme.com": pathed(map[string]http.Handler{"/": websitetest.Page(refresh("300; url=/en/")),
				"/en/": page})}, "https://acme.com/", ""},
		"refreshed with text": {
			hosts{"https://acme.com": pathed(
				map[string]http.Handler{"/": websitetest.Page(refresh("0; url=/en/") + strings.Repeat("Acme makes lanterns. ", 20)),
					"/en/": page})}, "https://acme.com/", ""},
		"robots forbid the refreshed": {hosts{"https://acme.com": websitetest.Robots("User-agent: *\nDisallow: /en",
			pathed(map[string]http.Handler{"/": websitetest.Page(refresh("0; url=/en/")), "/en/": page}))},
			"https://acme.com/", ""},
		"a cut page, in part": {hosts{"https://acme.com": cutOff()}, "https://acme.com/", ""},
	} {
		t.Run(what, func(t *testing.T) {
			internet := websitetest.New(t, c.hosts)
			got, err := internet.Client().Page(t.Context(), "acme.com")
			if c.why != "" {
				if why := unreadable(t, err); !strings.Contains(why, c.why) {
					t.Errorf("%q does not say %q", why, c.why)
				}
				return
			}
			if err != nil || got.URL != c.at {
				t.Errorf("%q %v, want %q", got.URL, err, c.at)
			}
		})
	}
}

// refresh is a page that leads on by itself.
func refresh(content string) string {
	return `<html><head><meta http-equiv="refresh" content="` + content + `"></head><body></body></html>`
}

func pathed(paths map[string]http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if at, there := paths[r.URL.Path]; there {
			at.ServeHTTP(w, r)
			return
		}
		http.NotFound(w, r)
	})
}

func cutOff() http.Handler {
	return handler(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Content-Length", "1000000")
		io.WriteString(w, hello)
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	})
}

// What fails to connect is told in words that lead to a remedy.
func TestConnections(t *testing.T) {
	for want, err := range map[string]error{
		"there is no such name":      &net.DNSError{Err: "no such host", Name: "secret", IsNotFound: true},
		"may be no network":          &net.DNSError{Err: "server misbehaving", Name: "secret", Server: "10.0.0.1"},
		"there may be no network":    syscall.ENETUNREACH,
		"there may be":               &net.DNSError{Err: "i/o timeout", IsTimeout: true},
		"refused the connection":     syscall.ECONNREFUSED,
		"not of the public internet": publicnet.ErrAddress,
		"did not answer in time":     context.DeadlineExceeded,
		"could not be read from":     errors.New("secret"),
	} {
		internet := websitetest.New(t, hosts{})
		internet.Fails["acme.com"], internet.Fails["www.acme.com"] = err, err
		if _, err := internet.Client().Page(t.Context(), "acme.com"); !strings.Contains(unreadable(t, err), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
	server := httptest.NewUnstartedServer(websitetest.Page(hello))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	defer server.Close()
	client := website.New(website.Options{Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
		if strings.HasSuffix(address, ":80") {
			return nil, syscall.ECONNREFUSED
		}
		return (&net.Dialer{}).DialContext(ctx, network, server.Listener.Addr().String())
	}})
	if _, err := client.Page(t.Context(), "acme.com"); !strings.Contains(unreadable(t, err), "certificate") {
		t.Error(err)
	}
}

// The real dialer, on names that lead to where nothing is looked at: this machine, its metadata, its neighbours.
func TestDial_PrivateAddress(t *testing.T) {
	resolve(t, map[string][]byte{"loop.acme.com.": {127, 0, 0, 1}, "meta.acme.com.": {169, 254, 169, 254},
		"near.acme.com.": {10, 0, 0, 1}, "six.acme.com.": net.IPv6loopback})
	for _, name := range []string{"loop.acme.com", "meta.acme.com", "near.acme.com", "six.acme.com", "127.0.0.1",
		"169.254.169.254", "[::1]", "0.0.0.0"} {
		if _, err := website.New(website.Options{}).Page(t.Context(), name); !strings.Contains(unreadable(t, err),
			"not of the public internet") {
			t.Errorf("%s: %v", name, err)
		}
		dialer := &net.Dialer{Control: publicnet.Control}
		for what, host := range map[string]http.Handler{
			"page": websitetest.Redirect("https://" + name + "/?token=1"),
			"robots.txt": robotsOf(func(w http.ResponseWriter, r *http.Request) {
				http.Redirect(w, r, "https://"+name+"/robots.txt", http.StatusFound)
			}),
		} {
			internet := websitetest.New(t, hosts{"https://acme.com": host})
			internet.Outside = dialer.DialContext
			if _, err := internet.Client().Page(t.Context(), "acme.com"); !strings.Contains(unreadable(t, err),
				"not of the public internet") {
				t.Errorf("%s of %s: %v", what, name, err)
			}
		}
	}
	_, err := website.New(website.Options{}).Page(t.Context(), "none.acme.com")
	if why := unreadable(t, err); !strings.Contains(why, "there is no such name") {
		t.Errorf("Page(none.acme.com) is unreadable because %q, want a missing name", why)
	}
}

// resolve makes the program's resolver one that knows some names.
func resolve(t *testing.T, names map[string][]byte) {
	before := net.DefaultResolver
	t.Cleanup(func() { net.DefaultResolver = before })
	net.DefaultResolver = &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		near, far := net.Pipe()
		go serveNames(far, names)
		return near, nil
	}}
}

// serveNames answers queries as DNS does over TCP, with two bytes of length before each message.
func serveNames(conn net.Conn, names map[string][]byte) {
	defer conn.Close()
	for {
		var length [2]byte
		if _, err := io.ReadFull(conn, length[:]); err != nil {
			return
		}
		query := make([]byte, int(length[0])<<8|int(length[1]))
		var m dnsmessage.Message
		if _, err := io.ReadFull(conn, query); err != nil || m.Unpack(query) != nil || len(m.Questions) != 1 {
			return
		}
		asked := m.Questions[0]
		m.Response, m.Additionals = true, nil
		address, known := names[asked.Name.String()]
		switch {
		case !known:
			m.RCode = dnsmessage.RCodeNameError
		case len(address) == 4 && asked.Type == dnsmessage.TypeA:
			m.Answers = []dnsmessage.Resource{{Header: dnsmessage.ResourceHeader{
				Name:  asked.Name,
				Type:  asked.Type,
				Class: asked.Class,
			}, Body: &dnsmessage.AResource{A: [4]byte(address)}}}
		case len(address) == 16 && asked.Type == dnsmessage.TypeAAAA:
			m.Answers = []dnsmessage.Resource{{Header: dnsmessage.ResourceHeader{
				Name:  asked.Name,
				Type:  asked.Type,
				Class: asked.Class,
			}, Body: &dnsmessage.AAAAResource{AAAA: [16]byte(address)}}}
		}
		packed, err := m.Pack()
		if err != nil {
			return
		}
		if _, err := conn.Write(append([]byte{byte(len(packed) >> 8), byte(len(packed))}, packed...)); err != nil {
			return
		}
	}
}

// Whatever characters a page is written in, it is read as UTF-8.
func TestCharacters(t *testing.T) {
	shiftJIS, err := japanese.ShiftJIS.NewEncoder().String("<title>灯台</title>")
	if err != nil {
		t.Fatal(err)
	}
	declared, err := japanese.ShiftJIS.NewEncoder().String(`<meta charset="shift_jis"><title>灯台</title>`)
	if err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]struct{ kind, body, want string }{
		"windows-1252":       {"text/html; charset=windows-1252", "<title>B\xe4ckerei</title>", "Bäckerei"},
		"Latin 1":            {"text/html; charset=iso-8859-1", "<title>B\xe4ckerei</title>", "Bäckerei"},
		"Shift JIS":          {"text/html; charset=Shift_JIS", shiftJIS, "灯台"},
		"Shift JIS by meta":  {"text/html", declared, "灯台"},
		"UTF-8, unsaid":      {"text/html", "<title>灯台</title>", "灯台"},
		"UTF-16":             {"text/html", "\xff\xfe<\x00p\x00>\x00A\x00", "<p>A"},
		"an unknown one":     {"text/html; charset=klingon", "<title>Acme</title>", "Acme"},
		"a wrong one":        {"text/html; charset=utf-8", "<title>B\xe4cker</title>", "cker"},
		"Latin 1 as UTF-8":   {"text/html; charset=utf-8", "<title>B\xe4ckerei</title>", "Bäckerei"},
		"UTF-8 as Latin 1":   {"text/html; charset=iso-8859-1", "<title>Bäckerei</title>", "Bäckerei"},
		"UTF-8 with a fault": {"text/html; charset=utf-8", "<title>Bäckerei</title>\xe4", "Bäckerei"},
		"none of any":        {"text/html", "<title>B\xe4ckerei</title>", "Bäckerei"},
	} {
		internet := websitetest.New(t, hosts{"https://acme.com": typed(c.kind, c.body)})
		page, err := internet.Client().Page(t.Context(), "acme.com")
		if err != nil || !strings.Contains(string(page.HTML), c.want) {
			t.Errorf("%s: %q %v", what, page.HTML, err)
		}
	}
}

// robots.txt is asked first, once for each host, and a request says who asks.
func TestManners(t *testing.T) {
	internet := websitetest.New(t, hosts{
		"https://acme.com": pathed(map[string]http.Handler{"/": websitetest.Redirect("/en"),
			"/en": websitetest.Redirect("https://www.acme.com/")}),
		"https://www.acme.com": handler(func(w http.ResponseWriter, r *http.Request) {
			if agent := r.UserAgent(); !strings.HasPrefix(agent, "Earshot/") || r.Header.Get("Cookie") != "" ||
				r.Header.Get("Referer") != "" {
				t.Errorf("%v", r.Header)
			}
			w.Header().Set("Content-Type", "text/html")
		}),
	})
	if _, err := internet.Client().Page(t.Context(), "acme.com"); err != nil {
		t.Fatal(err)
	}
	want := "https://acme.com/robots.txt https://acme.com/ https://acme.com/en https://www.acme.com/robots.txt https://www.acme.com/"
	if got := strings.Join(internet.Asked(), " "); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
