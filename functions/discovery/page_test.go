package discovery_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"earshot/functions/discovery"
	"earshot/shared/static"
)

const origin = "https://d111111abcdef8.cloudfront.net"

// references are the addresses that a page names in src and href, and digests those that it states with one.
func references(page string) (addresses, digested []string) {
	for _, found := range regexp.MustCompile(`(?:src|href)="([^"]+)"([^>]*)`).FindAllStringSubmatch(page, -1) {
		addresses = append(addresses, found[1])
		if strings.Contains(found[2], `integrity="sha384-`) && strings.Contains(found[2], `crossorigin="anonymous"`) {
			digested = append(digested, found[1])
		}
	}
	return addresses, digested
}

// Without another origin the page is whole by itself: each file is served, under an address that may be kept for ever.
func TestPage_ServesItsFiles(t *testing.T) {
	client := serve(t, discovery.Options{})
	page := client.Get(t, "/api/v2/docs")
	addresses, digested := references(string(page.Body))
	if len(digested) != 4 {
		t.Errorf("a browser checks %q, want two scripts and two styles", digested)
	}
	served := 0
	for _, address := range addresses {
		if !strings.HasPrefix(address, "docs/") {
			continue
		}
		served++
		answer := client.Get(t, "/api/v2/"+address)
		if answer.Status != 200 {
			t.Errorf("%s: %d", address, answer.Status)
		}
		if got := answer.Header.Get("Cache-Control"); got != static.CacheControl {
			t.Errorf("%s: Cache-Control is %s, want %s", address, got, static.CacheControl)
		}
		again := client.Get(t, "/api/v2/"+address, "If-None-Match", answer.Header.Get("ETag"))
		if again.Status != 304 {
			t.Errorf("%s again: %d", address, again.Status)
		}
	}
	if served != 6 { // the icon twice
		t.Errorf("the page names %d files of its own: %q", served, addresses)
	}
	if got := client.Get(t, "/api/v2/docs/page.js").Header.Get("Cache-Control"); got == static.CacheControl {
		t.Error("a file may be kept for ever under a name that stays when its content changes")
	}
}

// With another origin no file passes through the function, under whatever name it is asked for.
func TestPage_FilesElsewhere(t *testing.T) {
	client := serve(t, discovery.Options{StaticURL: origin})
	page := client.Get(t, "/api/v2/docs")
	addresses, digested := references(string(page.Body))
	elsewhere := 0
	for _, address := range addresses {
		if strings.HasPrefix(address, "docs/") {
			t.Errorf("the page names %s, which is the function's", address)
		}
		if strings.HasPrefix(address, origin+"/docs/") {
			elsewhere++
		}
	}
	if elsewhere != 6 || len(digested) != 4 {
		t.Errorf("of %q %d are elsewhere, and %q are checked", addresses, elsewhere, digested)
	}
	policy := page.Header.Get("Content-Security-Policy")
	for _, part := range []string{"default-src 'none'", "script-src " + origin + ";", "style-src " + origin + " 'unsafe-inline';",
		"img-src " + origin + " data:;", "connect-src 'self';"} {
		if !strings.Contains(policy, part) {
			t.Errorf("the page's policy lacks %q: %s", part, policy)
		}
	}
	files, err := discovery.Files()
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		for _, name := range []string{file.Name, file.Address} {
			answer := client.Get(t, "/api/v2/docs/"+name)
			if answer.Status != 307 || len(answer.Body) != 0 ||
				answer.Header.Get("Location") != origin+"/docs/"+file.Address {
				t.Errorf(
					"%s: %d with %d bytes, Location %s",
					name,
					answer.Status,
					len(answer.Body),
					answer.Header.Get("Location"),
				)
			}
		}
	}
	client.Get(t, "/api/v2/docs/nothing.js").Is(t, 404, "NOT_FOUND")
}

// What the page's author named is what is served: no file is left behind, and none is forgotten.
func TestPage_NamesEachFileOfItsFolder(t *testing.T) {
	files, err := discovery.Files()
	if err != nil {
		t.Fatal(err)
	}
	folder, err := os.ReadDir("docs")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range folder {
		name := entry.Name()
		if _, ok := files.Named(name); !ok && name != "index.html" && !strings.HasPrefix(name, "LICENSE.") {
			t.Errorf("docs/%s is not served", name)
		}
	}
}

// The document is served without white space: it is the longest answer that needs no key.
func TestDocument_Compact(t *testing.T) {
	answer := serve(t, discovery.Options{}).Get(t, "/api/v2/openapi.json")
	if most := len(discovery.OpenAPI()) * 2 / 3; len(answer.Body) > most {
		t.Errorf("the document is served with %d bytes, want at most %d", len(answer.Body), most)
	}
}
