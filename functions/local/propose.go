package main

import (
	"strconv"

	"earshot/functions/local/demo"
	"earshot/infra/client"
	"earshot/infra/exit"
	"earshot/infra/propose"
)

// proposeWord holds the flags of the word "propose".
type proposeWord struct {
	Domain string `arg:"" help:"A company's domain: acme.com."`
	Tier   string `enum:"balanced,thorough" default:"balanced" help:"How thorough: balanced or thorough."`
	Page   string `type:"existingfile" help:"A file of HTML to take for the domain's page, where there is no network. At the workbench only."`
	Apply  bool   `help:"Create what is selected in the workspace: at the workbench, the demo's northwind."`
	JSON   bool   `name:"json" help:"Print the proposal as the API answers it, on one line; with --apply, what was applied on a second one."`

	target
}

// Help explains where the proposal is made.
func (proposeWord) Help() string {
	return "The engine of the deployment makes the proposal. Without a base URL it is the workbench that runs, or one that " +
		"is started for this command. " + exit.Statuses
}

// Run proposes and shows the progress.
func (w proposeWord) Run(p *program) error {
	o := propose.Options{
		Domain:   w.Domain,
		Tier:     w.Tier,
		Page:     w.Page,
		Apply:    w.Apply,
		JSON:     w.JSON,
		To:       p.stdout,
		Progress: p.stderr,
	}
	o.Width, _ = strconv.Atoi(p.env("COLUMNS")) // what is no number is not known
	own := func(keys demo.Keys) string { return keys.Write }
	return w.with(p, true, own, func(at client.Target, d *demo.Demo) error {
		o.Target = at
		switch {
		case d != nil && at.Key == d.Keys.Write:
			o.Own = d.Workspaces["northwind"]
		case d == nil && w.Page != "":
			return exit.Misused("--page is for the workbench: a deployment reads the domain's own page")
		}
		return propose.Run(p, o)
	})
}
