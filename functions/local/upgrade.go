package main

import (
	"encoding/json"
	"fmt"
	"net/http"

	"earshot/functions/local/demo"
	"earshot/infra/client"
	"earshot/infra/exit"
	"earshot/infra/terminal"
)

// upgradeWord holds the flags of the word "upgrade". The API names this command in UPGRADE_REQUIRED, without arguments.
type upgradeWord struct {
	JSON bool `name:"json" help:"Print the API's answer, on one line."`

	target
}

// Help explains the link.
func (upgradeWord) Help() string {
	return "The link is for the workspace of the key, which needs the scope write. It is good for one request, until the " +
		"time that is printed. The page shows the plan and its usage, and asks for another plan. " + exit.Statuses
}

// Run prints the link on standard output, and everything else on standard error.
func (u upgradeWord) Run(p *program) error {
	own := func(keys demo.Keys) string { return keys.AgentsPlan }
	return u.with(p, false, own, func(at client.Target, _ *demo.Demo) error {
		asked, err := client.New(at)
		if err != nil {
			return err
		}
		answer, err := asked.Do(p, http.MethodPost, "/api/v2/org/upgrade-link", nil)
		if err != nil {
			return err
		}
		if u.JSON {
			_, err := fmt.Fprintln(p.stdout, terminal.EscapeJSON(answer.Body))
			return err
		}
		var link struct{ URL, ExpiresAt string }
		if json.Unmarshal(answer.Body, &link) != nil || link.URL == "" {
			return exit.Failing(exit.Failed, "the answer has no link")
		}
		if _, err := fmt.Fprintln(p.stdout, terminal.Safe(link.URL)); err != nil {
			return err
		}
		_, err = fmt.Fprintf(p.stderr, "Open it in a browser. It is good once, until %s.\n", terminal.Safe(link.ExpiresAt))
		return err
	})
}
