package login

import (
	"context"
	"errors"
	"fmt"
	"html"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"earshot/infra/exit"
)

// listen waits for the browser on a free port of this machine (RFC 8252, section 7.3). What is not the response to this
// attempt gets an error, and does not end it. The page in the browser says what came of the login.
func (a *attempt) listen(ctx context.Context, finish func(code string) error) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return exit.Failing(exit.Other, "no port of this machine can be listened on: %w. Use --paste", err)
	}
	host := listener.Addr().String()
	a.config.RedirectURL = "http://" + host + "/callback"
	var taken atomic.Bool
	ended := make(chan error, 1)
	server := &http.Server{
		ReadHeaderTimeout: 10 * time.Second,
		MaxHeaderBytes:    64 << 10,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method != http.MethodGet || r.URL.Path != "/callback" || r.Host != host { // Host: against DNS rebinding
				page(w, http.StatusNotFound, "There is nothing here.")
				return
			}
			code, err := a.code(r.URL.Query())
			switch {
			case errors.Is(err, errForeign):
				page(w, http.StatusBadRequest, "This address is not of the login that waits. Go back, and try again.")
				return
			case !taken.CompareAndSwap(false, true):
				page(w, http.StatusConflict, "The login was finished before.")
				return
			case err == nil:
				err = finish(code)
			}
			if err != nil {
				page(w, http.StatusBadRequest, "The login failed: "+err.Error()+".")
			} else {
				page(w, http.StatusOK, "You are logged in. You can close this page.")
			}
			ended <- err
		}),
	}
	go server.Serve(listener)
	defer func() {
		closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second) // the page is on its way
		defer cancel()
		if server.Shutdown(closing) != nil {
			server.Close()
		}
	}()
	fmt.Fprintf(a.Tell, "Open this address in a browser of this machine, log in, and allow the program:\n\n  %s\n\n",
		a.address())
	if a.Open != nil {
		if err := a.Open(a.address()); err != nil {
			fmt.Fprintln(a.Tell, "No browser could be opened. Open the address yourself; if the browser is on another machine, "+
				"use --paste.")
		}
	}
	select {
	case <-ctx.Done():
		if taken.Load() { // finish goes on without the signal, so that its tokens are not lost
			return <-ended
		}
		return ctx.Err()
	case err := <-ended:
		return err
	}
}

// page writes the page that a person sees. It runs and loads nothing.
func page(w http.ResponseWriter, status int, text string) {
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	header.Set("Cache-Control", "no-store")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Connection", "close")
	w.WriteHeader(status)
	fmt.Fprintf(w, "<!doctype html><title>Earshot</title><p>%s</p>\n", html.EscapeString(text))
}

// Browser returns what opens an address in the machine's browser, or nil if it has none. env is the environment:
// BROWSER names a program to use.
func Browser(env func(string) string) func(address string) error {
	var command []string
	switch named := strings.Fields(env("BROWSER")); {
	case len(named) > 0:
		command = named
	case runtime.GOOS == "darwin":
		command = []string{"open"}
	case runtime.GOOS == "windows":
		command = []string{"rundll32", "url.dll,FileProtocolHandler"}
	case env("DISPLAY") != "" || env("WAYLAND_DISPLAY") != "":
		command = []string{"xdg-open"}
	default:
		return nil
	}
	return func(address string) error {
		opening := exec.Command(command[0], append(command[1:], address)...)
		opening.Stdout, opening.Stderr = os.Stderr, os.Stderr // standard output is the command's
		if err := opening.Start(); err != nil {
			return err
		}
		go opening.Wait() // a browser may stay open longer than this program
		return nil
	}
}
