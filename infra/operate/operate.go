// Package operate holds the operator's command of the program: it makes workspaces, agencies and their first keys, and
// lists, changes and ends them. It works on a deployed stage, with the AWS credentials of its user, or on the data of
// the workbench, which may be running. A fresh deployment gets its first key from it, because the API makes keys only
// for clients that have one.
//
//	earshot operate --help
//	earshot operate workspace create --name Acme --plan pro
//	earshot operate --stage dev key revoke key_…
//
// DATA and TABLE_ENDPOINT are the workbench's. A token is printed once, by the command that makes its key. Only the
// workbench's program imports the package, for the word "operate".
package operate

import (
	"context"
	"errors"
	"io"

	"earshot/shared/port/clock"
	"earshot/shared/port/table"
	"earshot/shared/store/allstores"
)

// Commands are the operator's commands. Open gives their Run methods what they take.
type Commands struct {
	Stage string `help:"A deployed stage: dev, staging or prod. Without it, the data of make run." placeholder:"NAME"`
	JSON  bool   `name:"json" help:"Print JSON, for programs."`

	Workspace workspaceCommands `cmd:"" help:"Workspaces: create, list, change their plan or flags, delete."`
	Agency    agencyCommands    `cmd:"" help:"Agencies: create, list, set their billing, activate and deactivate."`
	Key       keyCommands       `cmd:"" help:"API keys: create, list, revoke."`
	Post      postCommands      `cmd:"" help:"The archive of posts: delete one."`
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

// Open opens the tables that the flags name, and calls do with what the chosen command's Run takes.
func (c Commands) Open(
	ctx context.Context, env func(string) string, stdout io.Writer, do func(binds ...any) error,
) (err error) {
	now := clock.System{}
	opened, err := open(ctx, c.Stage, env, now)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, opened.close()) }()
	return do(&operator{
		Context:  ctx,
		store:    allstores.New(table.Retrying(opened.rows), now),
		clock:    now,
		where:    opened.where,
		print:    printer{to: stdout, json: c.JSON},
		restored: opened.restored,
	})
}
