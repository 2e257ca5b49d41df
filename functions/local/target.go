package main

import (
	"errors"

	"earshot/functions/local/demo"
	"earshot/functions/local/settings"
	"earshot/infra/client"
	"earshot/infra/exit"
)

// The variables that name a deployment, and a key to ask it with.
const (
	baseVariable = "EARSHOT_BASE_URL"
	keyVariable  = "EARSHOT_API_KEY"
)

// A target holds the flags that name a deployment and a key. Each word that asks a deployment has them.
type target struct {
	BaseURL   string `name:"base-url" placeholder:"URL" help:"The root of a deployment's API. Default: EARSHOT_BASE_URL, or the workbench of DATA with its demo."`
	APIKey    string `name:"api-key" placeholder:"KEY" help:"The key to ask with. Default: EARSHOT_API_KEY, which other users of the machine cannot see in the list of processes; then the login of earshot login; at the workbench, the demo's."`
	Workspace string `placeholder:"ID" help:"The id of the workspace that an agency's key acts in."`
}

// named returns what the flags and the environment say.
func (t target) named(env func(string) string) client.Target {
	return client.Target{
		Base:      either(t.BaseURL, env(baseVariable)),
		Key:       either(t.APIKey, env(keyVariable)),
		Workspace: t.Workspace,
	}
}

// with calls do with the deployment that is named or, if none is, with the running workbench. A workbench that does not
// run is started for the command if started is true. own returns the demo's key that is used there unless one is named.
func (t target) with(
	p *program, started bool, own func(demo.Keys) string, do func(client.Target, *demo.Demo) error,
) error {
	at := t.named(p.env)
	if at.Base != "" {
		if at.Key == "" {
			return p.loggedIn(at, func(at client.Target) error { return do(at, nil) })
		}
		return do(at, nil)
	}
	ask := func(d demo.Demo) error {
		given := at.Key != ""
		at.Base, at.Key = d.BaseURL, either(at.Key, own(d.Keys))
		err := do(at, &d)
		var refused *client.Refusal
		if given && errors.As(err, &refused) && refused.Code == "UNAUTHORIZED" {
			return exit.Failing(
				exit.StatusOf(
					err,
				),
				"%w. The workbench at %s was asked: %s names another deployment",
				err,
				d.BaseURL,
				baseVariable,
			)
		}
		return err
	}
	if started && at.Key == "" {
		return p.atWorkbench(ask)
	}
	d, err := p.workbench()
	if err != nil {
		return err
	}
	return ask(d)
}

// workbench returns the workbench of the data folder, which has to run.
func (p *program) workbench() (demo.Demo, error) {
	chosen, err := settings.From(p.env)
	if err != nil {
		return demo.Demo{}, err
	}
	d, err := demo.Read(chosen.Data)
	if err == nil && answers(p, d) {
		return d, nil
	}
	return demo.Demo{}, exit.Failing(exit.Nowhere,
		"no workbench with a demo runs on %s. Start one with earshot serve in another terminal, "+
			"or name a deployment by %s and a key by %s",
		chosen.Data, baseVariable, keyVariable)
}
