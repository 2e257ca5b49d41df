package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"earshot/infra/client"
	"earshot/infra/exit"
	"earshot/infra/login"
	"earshot/infra/terminal"
)

// configVariable names the folder of logins.
const configVariable = "EARSHOT_CONFIG"

// loginWord holds the flags of the word "login".
type loginWord struct {
	BaseURL   string `name:"base-url" placeholder:"URL" help:"The root of a deployment's API. Default: EARSHOT_BASE_URL."`
	MCP       bool   `name:"mcp" help:"Log in for earshot mcp. Without it, the login is for the other commands."`
	Scope     string `enum:"read,write,admin" default:"write" help:"The most to ask for: read, write or admin. Default: write."`
	NoBrowser bool   `name:"no-browser" help:"Print the address, and open no browser."`
	Paste     bool   `help:"Log in with a browser on another machine: paste the address that it ends on."`
}

// Help explains where logins are kept.
func (loginWord) Help() string {
	return "You sign in with a browser and choose a workspace and a scope, which can be less than --scope. The tokens are " +
		"kept for you alone in the folder earshot of your configuration, or in EARSHOT_CONFIG. A login that is not used " +
		"for 30 days ends. A key by EARSHOT_API_KEY or --api-key comes first. The REST API and the MCP server are two " +
		"logins, because a token is good at one of them. " + exit.Statuses
}

// Run logs in.
func (l loginWord) Run(p *program) error {
	base, err := baseOf(p, l.BaseURL)
	if err != nil {
		return err
	}
	store, err := p.logins()
	if err != nil {
		return err
	}
	o := login.Options{
		Base:     base,
		Resource: login.API,
		Scope:    l.Scope,
		Name:     "Earshot's command line",
		Tell:     p.stderr,
	}
	if l.MCP {
		o.Resource, o.Name = login.MCP, "Earshot's MCP bridge"
	}
	if host, err := os.Hostname(); err == nil {
		o.Name += " on " + host
	}
	switch {
	case l.Paste:
		o.Paste = os.Stdin
	case !l.NoBrowser:
		o.Open = login.Browser(p.env)
	}
	scope, err := store.Login(p, o)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.stderr, "You are logged in at %s (scopes: %s).\n", terminal.Safe(base), terminal.Safe(scope))
	return err
}

// logoutWord holds the flags of the word "logout".
type logoutWord struct {
	BaseURL string `name:"base-url" placeholder:"URL" help:"The root of a deployment's API. Default: EARSHOT_BASE_URL."`
}

// Help explains what ends.
func (logoutWord) Help() string {
	return "Ends both logins at the deployment, that of the commands and that of earshot mcp, and removes their tokens. " +
		exit.Statuses
}

// Run logs out. To be logged out already is no failure.
func (l logoutWord) Run(p *program) error {
	base, err := baseOf(p, l.BaseURL)
	if err != nil {
		return err
	}
	store, err := p.logins()
	if err != nil {
		return err
	}
	ended := false
	for _, resource := range []string{login.API, login.MCP} {
		switch one := store.Logout(p, base, resource); {
		case one == nil:
			ended = true
		case !errors.Is(one, login.ErrNone) && err == nil:
			err = one
		}
	}
	if err != nil {
		return err
	}
	said := "You are logged out at %s.\n"
	if !ended {
		said = "You were not logged in at %s.\n"
	}
	_, err = fmt.Fprintf(p.stderr, said, terminal.Safe(base))
	return err
}

// baseOf returns the deployment to log in at.
func baseOf(p *program, flag string) (string, error) {
	base := either(flag, p.env(baseVariable))
	if base == "" {
		return "", exit.Failing(exit.Nowhere,
			"name the deployment by %s or --base-url. The workbench needs no login: commands "+
				"use the demo's keys there", baseVariable)
	}
	return login.Normalize(base)
}

// logins returns the store of logins.
func (p *program) logins() (*login.Store, error) {
	if folder := p.env(configVariable); folder != "" {
		return login.New(folder), nil
	}
	folder, err := os.UserConfigDir()
	if err != nil {
		return nil, exit.Failing(exit.Other, "there is no folder for logins: %w. Name one by %s", err, configVariable)
	}
	return login.New(filepath.Join(folder, "earshot")), nil
}

// token returns a good token of the login at a deployment. refused is empty, or the token that the server refused.
func (p *program) token(base, resource, refused string) (string, error) {
	base, err := login.Normalize(base)
	if err != nil {
		return "", err
	}
	store, err := p.logins()
	token := ""
	if err == nil {
		token, err = store.Token(p, base, resource, refused)
	}
	word := "earshot login"
	if resource == login.MCP {
		word += " --mcp"
	}
	if store == nil || errors.Is(err, login.ErrNone) {
		return "", exit.Failing(exit.Key, "there is no key and no login for %s. Run %s --base-url %s, or give a key by %s "+
			"or --api-key", terminal.Safe(base), word, terminal.Safe(base), keyVariable)
	}
	return token, err
}

// loggedIn calls do with a token of the login at the deployment.
func (p *program) loggedIn(at client.Target, do func(client.Target) error) (err error) {
	if at.Key, err = p.token(at.Base, login.API, ""); err != nil {
		return err
	}
	err = do(at)
	var refused *client.Refusal
	if !errors.As(err, &refused) || refused.Code != "UNAUTHORIZED" {
		return err
	}
	// The token was good by this machine's clock. The refresh says whether the login still is.
	if _, ended := p.token(at.Base, login.API, at.Key); ended != nil {
		return ended
	}
	return exit.Failing(exit.StatusOf(err), "%w. The login has been renewed: run the command again", err)
}
