package main

import (
	"earshot/functions/local/demo"
	"earshot/infra/client"
	"earshot/infra/exit"
	"earshot/infra/propose"
	"earshot/infra/terminal"
)

// proposeWord holds the flags of the word "propose".
type proposeWord struct {
	Domain string `arg:"" help:"A company's domain: acme.com."`
	Tier   string `enum:"balanced,thorough" default:"balanced" help:"How thorough: balanced or thorough."`
	Page   string `type:"existingfile" help:"A file of HTML to take for the domain's page, where there is no network. At the workbench only."`
	Apply  bool   `help:"Create what is selected in the workspace: at the workbench, the demo's northwind."`
	ASCII  bool   `name:"ascii" help:"Write in ASCII. Implied if LC_ALL, LC_CTYPE or LANG names another character set than UTF-8."`
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
	style := styleOf(p.env, p.stdout, w.ASCII)
	o.Width = style.Columns
	if style.ASCII {
		o.Progress = terminal.ASCIIWriter(p.stderr)
	}
	if style.ASCII && !w.JSON {
		o.To = terminal.ASCIIWriter(p.stdout)
	}
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
