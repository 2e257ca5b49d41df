// Operate is the operator's command: it makes workspaces, agencies and their first keys, and lists, changes and ends
// them. It works on a deployed stage, with the AWS credentials of its user, or on the data of the workbench, which may
// be running. A fresh deployment gets its first key from it, because the API makes keys only for clients that have one.
//
//	go run ./infra/operate --help
//	go run ./infra/operate workspace create --name Acme --plan pro
//	go run ./infra/operate --stage dev key revoke key_…
//
// DATA and TABLE_ENDPOINT are the workbench's. A token is printed once, by the command that makes its key.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/alecthomas/kong"

	"earshot/shared/port/clock"
	"earshot/shared/port/table"
	"earshot/shared/store/allstores"
)

func main() {
	if err := run(context.Background(), os.Args[1:], os.Getenv, os.Stdout); err != nil {
		fmt.Fprintf(os.Stderr, "operate: %v.\n", err)
		os.Exit(1)
	}
}

// commands are the program's commands.
type commands struct {
	Stage string `help:"A deployed stage: dev, staging or prod. Without it, the data of make run." placeholder:"NAME"`
	JSON  bool   `name:"json" help:"Print JSON, for programs."`

	Workspace workspaceCommands `cmd:"" help:"Workspaces: create, list, change their plan or flags, delete."`
	Agency    agencyCommands    `cmd:"" help:"Agencies: create, list, set their billing, activate and deactivate."`
	Key       keyCommands       `cmd:"" help:"API keys: create, list, revoke."`
	Upgrades  listUpgrades      `cmd:"" help:"Workspaces whose people asked for another plan."`
}

// An operator holds what commands work with.
type operator struct {
	context.Context
	store *allstores.Store
	clock clock.Clock
	where string
	print printer

	restored func(of, name string) (table.Table, error) // see place
}

func run(ctx context.Context, args []string, env func(string) string, stdout io.Writer) (err error) {
	var chosen commands
	left := errNothing
	parser, err := kong.New(
		&chosen, kong.Name("operate"),
		kong.Description("Makes workspaces, agencies and keys of an Earshot deployment, lists, changes and ends them."),
		kong.Writers(stdout, stdout), kong.Exit(func(int) { panic(left) }),
	)
	if err != nil {
		return err
	}
	defer func() {
		if caught := recover(); caught != nil {
			if caught != left { //nolint:errorlint // the very value
				panic(caught)
			}
			err = nil // it has shown its help
		}
	}()
	asked, err := parser.Parse(args)
	if err != nil {
		return fmt.Errorf("%w. operate --help lists the commands", err)
	}
	now := clock.System{}
	opened, err := open(ctx, chosen.Stage, env, now)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, opened.close()) }()
	return asked.Run(
		&operator{Context: ctx, store: allstores.New(table.Retrying(opened.rows), now), clock: now, where: opened.where,
			print: printer{to: stdout, json: chosen.JSON}, restored: opened.restored},
	)
}

// errNothing ends a run after its help was shown.
var errNothing = errors.New("help was shown")
