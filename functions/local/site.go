package main

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"syscall"

	"earshot/functions/local/controls"
	"earshot/functions/local/settings"
)

// site is everything on the port: /_local/, and the API at every other path. It compares paths as they came, for a mux would
// clean them and redirect.
type site struct{ controls, api http.Handler }

func (s site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if path := r.URL.EscapedPath(); path == controls.Prefix || strings.HasPrefix(path, controls.Prefix+"/") {
		s.controls.ServeHTTP(w, r)
		return
	}
	s.api.ServeHTTP(w, r)
}

// listen takes the address, before anything that costs time or is kept.
func listen(chosen settings.Settings) (net.Listener, error) {
	listener, err := net.Listen("tcp", chosen.Address())
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("port %d of %s is taken by another program. Stop that one, or choose another port: ADDR=%s",
			chosen.Port, chosen.Host, strings.TrimPrefix(chosen.BaseURL(chosen.Port+1), "http://"))
	}
	if err != nil {
		return nil, fmt.Errorf("ADDR=%s cannot be served: %w", chosen.Address(), err)
	}
	return listener, nil
}

// baseURL is the root of the API as clients reach it; the port is the one that was found when any free one would do.
func baseURL(chosen settings.Settings, listener net.Listener) string {
	return chosen.BaseURL(listener.Addr().(*net.TCPAddr).Port)
}
