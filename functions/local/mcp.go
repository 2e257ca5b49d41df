package main

import (
	"context"
	"errors"
	"os"

	"earshot/functions/local/demo"
	"earshot/functions/local/settings"
	"earshot/infra/bridge"
	"earshot/infra/client"
	"earshot/infra/exit"
	"earshot/infra/login"
)

// mcpWord holds the flags of the word "mcp".
type mcpWord struct {
	target
}

// Help explains who starts it.
func (mcpWord) Help() string {
	return "Editors and other programs that have no HTTP client for MCP start this command. Each line of standard input " +
		"is a message, which goes to /api/mcp/v2 of the deployment, and each response is a line of standard output. Requests " +
		"use the key or the login of earshot login --mcp; without a base URL, the running workbench and the demo's key. " +
		"It ends when its input ends. " + exit.Statuses
}

// Run passes messages on until the input ends.
func (w mcpWord) Run(p *program) error {
	at := w.named(p.env)
	if at.Base != "" {
		base, err := login.Normalize(at.Base)
		if err != nil {
			return err
		}
		at.Base = base
	}
	remedy := "Run earshot login --mcp --base-url " + at.Base
	if at.Key != "" || at.Base == "" {
		remedy = "Check " + keyVariable + ", or remove it and run earshot login --mcp"
	}
	return bridge.Run(p, bridge.Options{
		Server: func(ctx context.Context, refused string) (bridge.Server, error) { return w.server(p, at, refused) },
		From:   os.Stdin,
		To:     p.stdout,
		Log:    p.stderr,
		Remedy: remedy + ".",
	})
}

// server returns where to send a message now: a person may log in, or start the workbench, while the bridge runs.
func (mcpWord) server(p *program, at client.Target, refused string) (_ bridge.Server, err error) {
	if at.Base == "" {
		chosen, err := settings.From(p.env)
		if err != nil {
			return bridge.Server{}, err
		}
		d, err := demo.Read(chosen.Data)
		switch {
		case errors.Is(err, os.ErrNotExist):
			return bridge.Server{}, exit.Failing(exit.Nowhere, "no deployment is named, and no workbench with a demo has run "+
				"on %s. Set %s, or start earshot serve", chosen.Data, baseVariable)
		case err != nil:
			return bridge.Server{}, err
		}
		at.Base, at.Key = d.BaseURL, either(at.Key, d.Keys.Write)
	}
	if at.Key == "" {
		if at.Key, err = p.token(at.Base, login.MCP, refused); err != nil {
			return bridge.Server{}, err
		}
	}
	return bridge.Server{URL: at.Base + login.MCP, Token: at.Key, Workspace: at.Workspace}, nil
}
