package main

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"syscall"

	"earshot/functions/local/apigateway"
	"earshot/functions/local/browser"
	"earshot/functions/local/controls"
	"earshot/functions/local/settings"
	"earshot/functions/mcp"
	"earshot/shared/web/problem"
)

// site serves everything on the port: /_local/, and the API at every other path. It compares paths as they came,
// because a mux would clean them and redirect.
type site struct{ controls, api http.Handler }

func (s site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path := r.URL.EscapedPath()
	if path == controls.Prefix || strings.HasPrefix(path, controls.Prefix+"/") {
		s.controls.ServeHTTP(w, r)
		return
	}
	reads := r.Method == http.MethodGet || r.Method == http.MethodHead
	if err := guard(r, reads); err != nil {
		apigateway.Refuse(w, err)
		return
	}
	if path == "/" && reads && browser.ReadsHTML(r) {
		w.Header().Set("Vary", "Accept")
		apigateway.Redirect(w, documentation)
		return
	}
	s.api.ServeHTTP(w, r)
}

// documentation is the page that a browser is sent to.
const documentation = "/api/v2/docs"

// guard refuses what only a stranger's page sends to the API. The API takes requests from any origin and has no
// cookies, so such a page has no key. A request with a key, a preflight or a read is as good as any other. Without a
// key a page may change nothing, and under its own name it may do nothing. A program in a page, such as the inspector
// of MCP, gets a token as it does on AWS: by paths that take no credential but those in the request itself.
func guard(r *http.Request, reads bool) *problem.Problem {
	switch {
	case !browser.ToThisMachine(r):
		return problem.New(problem.Forbidden,
			"The workbench is for this machine only: call it by 127.0.0.1 or localhost.")
	case !reads && r.Method != http.MethodOptions && r.Header.Get("Authorization") == "" &&
		!slices.Contains(signsIn, r.URL.Path) && browser.FromAnotherSite(r):
		return problem.New(problem.Forbidden,
			"The workbench does not answer to pages of other sites without an API key.")
	}
	return nil
}

// signsIn are the paths by which a program learns that it needs a token, and gets one. Consent is none of them.
var signsIn = []string{mcp.Path, "/oauth/register", "/oauth/token", "/oauth/revoke"}

// listen takes the address, before anything slow or lasting is done.
func listen(chosen settings.Settings) (net.Listener, error) {
	listener, err := net.Listen("tcp", chosen.Address())
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf(
			"port %d of %s is taken by another program. Stop that one, or choose another port: ADDR=%s", chosen.Port,
			chosen.Host, strings.TrimPrefix(chosen.BaseURL(chosen.Port+1), "http://"),
		)
	}
	if err != nil {
		return nil, fmt.Errorf("ADDR=%s cannot be served: %w", chosen.Address(), err)
	}
	return listener, nil
}

// baseURL returns the root of the API as clients reach it, with the real port if any free one was asked for.
func baseURL(chosen settings.Settings, listener net.Listener) string {
	return chosen.BaseURL(listener.Addr().(*net.TCPAddr).Port)
}
