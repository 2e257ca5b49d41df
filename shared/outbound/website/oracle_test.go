package website_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"testing"

	"earshot/shared/outbound/website"
	"earshot/shared/outbound/website/websitetest"
	"earshot/shared/publicnet"
)

// Whether a name is not there, is of a local network by its own words, or leads into this one by its address, the
// answer is the same: else a scan would tell which names there are in the network.
func TestPage_TellsNothingOfLocalNames(t *testing.T) {
	missing := &net.DNSError{Err: "no such host", IsNotFound: true}
	resolved := map[string]error{"none.acme.com": missing, "near.acme.com": publicnet.ErrAddress,
		"vault.internal": publicnet.ErrAddress, "nas.local": missing}
	told := func(name string, read func(i *websitetest.Internet) error) string {
		t.Helper()
		internet := websitetest.New(t, hosts{})
		internet.Outside = func(_ context.Context, _, address string) (net.Conn, error) {
			host, _, _ := net.SplitHostPort(address)
			if publicnet.Internal(host) {
				t.Errorf("%s is looked up", host)
			}
			return nil, &net.OpError{Op: "dial", Err: resolved[strings.TrimPrefix(host, "www.")]}
		}
		return strings.ReplaceAll(unreadable(t, read(internet)), name, "NAME")
	}
	for what, read := range map[string]func(name string) func(i *websitetest.Internet) error{
		"the domain": func(name string) func(i *websitetest.Internet) error {
			return func(i *websitetest.Internet) error { _, err := i.Client().Page(t.Context(), name); return err }
		},
		"a redirect": func(name string) func(i *websitetest.Internet) error {
			return func(i *websitetest.Internet) error {
				return ledTo(t, i, websitetest.Redirect("https://"+name+"/"))
			}
		},
		"robots.txt": func(name string) func(i *websitetest.Internet) error {
			return func(i *websitetest.Internet) error {
				return ledTo(t, i, robotsOf(func(w http.ResponseWriter, r *http.Request) {
					http.Redirect(w, r, "https://"+name+"/robots.txt", http.StatusFound)
				}))
			}
		},
	} {
		want := told("none.acme.com", read("none.acme.com"))
		for name := range resolved {
			if got := told(name, read(name)); got != want {
				t.Errorf("%s: of %s it says %q, of a name that is not there %q", what, name, got, want)
			}
		}
	}
}

// ledTo reads acme.com, which has no more than this handler, and everything else in an internet.
func ledTo(t *testing.T, i *websitetest.Internet, handler http.Handler) error {
	t.Helper()
	site := websitetest.New(t, hosts{"https://acme.com": handler})
	site.Outside = i.Outside
	_, err := site.Client().Page(t.Context(), "acme.com")
	return err
}

// A name of a local network is not looked up at all.
func TestPage_InternalName(t *testing.T) {
	client := website.New(website.Options{Dial: func(_ context.Context, _, address string) (net.Conn, error) {
		t.Errorf("%s is connected to", address)
		return nil, errors.New("it is")
	}})
	for _, name := range []string{"acme.local", "vault.acme.internal", "LOCALHOST", "router.lan"} {
		if _, err := client.Page(t.Context(), name); err == nil {
			t.Errorf("%s is read", name)
		}
	}
}
